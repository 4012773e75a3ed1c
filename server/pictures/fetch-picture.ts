import type { IncomingMessage } from 'node:http'
import { createOpenSource, FetchRefused, type Lookup } from './open-source.ts'
import { detectPictureType } from './picture-type.ts'

type Picture = { bytes: Uint8Array<ArrayBuffer>; type: string }

export type FetchPicture = (address: string) => Promise<Picture>

/** Fetches pictures by the rules of `createOpenSource`. Throws FetchRefused. */
export function createFetchPicture({
  trustedOrigins,
  maxBytes = 8 * 1024 * 1024,
  timeout = 10_000,
  lookup,
}: {
  trustedOrigins: readonly string[]
  /** Bytes. */
  maxBytes?: number
  /** Milliseconds in total, including redirects. */
  timeout?: number
  lookup?: Lookup
}): FetchPicture {
  const openSource = createOpenSource({ trustedOrigins, accept: 'image/*', lookup })

  async function read(response: IncomingMessage): Promise<Uint8Array<ArrayBuffer>> {
    const chunks: Buffer[] = []
    let size = 0
    for await (const chunk of response as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > maxBytes) throw new FetchRefused('too large')
      chunks.push(chunk)
    }
    return new Uint8Array(Buffer.concat(chunks))
  }

  return async (address) => {
    try {
      const response = await openSource(address, AbortSignal.timeout(timeout))
      try {
        if (!/^image\//i.test(response.headers['content-type'] ?? '')) throw new FetchRefused('not a picture')
        const bytes = await read(response)
        const type = detectPictureType(bytes)
        if (type === null) throw new FetchRefused('not a picture')
        return { bytes, type }
      } finally {
        response.destroy()
      }
    } catch (error) {
      throw error instanceof FetchRefused ? error : new FetchRefused('no answer')
    }
  }
}
