import { partBytes, partCount, sizeOfPart } from '../../domain/send/file-limits.ts'
import {
  type CompletionBody,
  type OutgoingFile,
  outgoingFileAnswer,
  type PartsBody,
  partsAnswer,
} from '../../schemas/outgoing-file.ts'
import { successAnswer } from '../../schemas/primitives.ts'
import type { Http } from '../http.ts'
import { uploadingFetch } from './uploading-fetch.ts'

/** Milliseconds for one part and for joining them, as on the server. */
const partTimeout = 2 * 60_000

const pathOf = (id: string) => `/facebook/outgoing-files/${encodeURIComponent(id)}`

/**
 * Uploads the parts that the server does not have, one after the other. After a lost connection or a reload the same call
 * continues with the first missing part. Throws `Failure`.
 */
export async function uploadInParts(
  http: Http,
  { id, name, blob }: { id: string; name: string; blob: Blob },
  onProgress: (sent: number) => void,
  signal: AbortSignal,
): Promise<OutgoingFile> {
  const { size, type } = blob
  const { data: begun } = await http.post(`${pathOf(id)}/parts`, {
    schema: partsAnswer,
    body: { name: name.slice(0, 200), type, size } satisfies PartsBody,
    signal,
  })
  if (begun.file !== null) return begun.file
  const received = new Set(begun.received)
  let sent = begun.received.reduce((bytes, number) => bytes + sizeOfPart(number, size), 0)
  onProgress(sent)
  for (let number = 1; number <= partCount(size); number += 1) {
    if (received.has(number)) continue
    const part = blob.slice((number - 1) * partBytes, number * partBytes, type)
    await http.put(`${pathOf(id)}/parts/${number}`, {
      schema: successAnswer,
      fetch: uploadingFetch(part, (bytes) => onProgress(sent + bytes)),
      timeout: partTimeout,
      signal,
    })
    sent += part.size
    onProgress(sent)
  }
  const { data } = await http.post(`${pathOf(id)}/completion`, {
    schema: outgoingFileAnswer,
    body: { sha256: await sha256Of(blob), type } satisfies CompletionBody,
    timeout: partTimeout,
    signal,
  })
  return data
}

async function sha256Of(blob: Blob): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', await blob.arrayBuffer())
  return [...new Uint8Array(hash)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
