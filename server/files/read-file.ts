import { createHash } from 'node:crypto'
import { detectFileType, typeLength } from './file-type.ts'
import { UploadRefused } from './reserved-files.ts'

export type FileFacts = { contentType: string; bytes: number; sha256: string }

/**
 * Finds out the type, size and hash of a file while its bytes pass: call `add` for each chunk, then `facts`. `declaredType`
 * only distinguishes audio from video in containers that hold both. Both throw UploadRefused: `add` for a program, as soon as
 * its first bytes are known.
 */
export function createFileReader(declaredType: string) {
  const hash = createHash('sha256')
  let bytes = 0
  let head = Buffer.alloc(0)
  let contentType: string | null = null
  let facts: FileFacts | null = null

  function typeOf(): string {
    const type = detectFileType(head, declaredType.startsWith('audio/'))
    if (type === null) throw new UploadRefused('program')
    return type
  }

  return {
    /** Returns the number of bytes so far. */
    add(chunk: Uint8Array): number {
      bytes += chunk.length
      hash.update(chunk)
      if (head.length < typeLength) head = Buffer.concat([head, chunk.subarray(0, typeLength)])
      if (head.length >= typeLength) contentType ??= typeOf()
      return bytes
    },
    /** Of all chunks; after it, none can be added. */
    facts(): FileFacts {
      if (bytes === 0) throw new UploadRefused('empty')
      facts ??= { contentType: contentType ?? typeOf(), bytes, sha256: hash.digest('hex') }
      return facts
    },
  }
}
