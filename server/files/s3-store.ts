import { S3mini, S3ServiceError } from 's3mini'
import type { S3Settings } from '../settings.ts'
import { assertKey, type FileStore } from './file-store.ts'

/** Of reading or deleting an object. Milliseconds. */
const timeout = 60_000

/**
 * Files in a bucket of an S3-compatible service. An upload is one request with the whole file, held in memory: the service
 * needs the length first, and an unfinished upload leaves nothing.
 */
export function createS3Store({ endpoint, bucket, ...account }: S3Settings): FileStore {
  const clientWith = (signal: AbortSignal) =>
    new S3mini({
      ...account,
      endpoint: `${endpoint}/${bucket}`,
      fetch: (url, init) => fetch(url, { ...init, signal }),
    })
  const client = () => clientWith(AbortSignal.timeout(timeout))

  return {
    async put(key, content, signal) {
      assertKey(key)
      const chunks: Uint8Array[] = []
      for await (const chunk of content) chunks.push(chunk)
      await clientWith(signal).putObject(key, Buffer.concat(chunks))
    },

    async open(key, range) {
      assertKey(key)
      // The library's end is not part of the range.
      const { start = 0, end } = range ?? {}
      try {
        const found = await client().getObjectRaw(
          key,
          range === undefined,
          start,
          end === undefined ? undefined : end + 1,
        )
        return found.body
      } catch (error) {
        if (isMissing(error)) return null
        throw error
      }
    },

    async delete(key) {
      assertKey(key)
      await client()
        .deleteObject(key)
        .catch((error: unknown) => {
          if (!isMissing(error)) throw error
        })
    },
  }
}

/** Not a missing bucket: its files are not deleted. */
const isMissing = (error: unknown) => error instanceof S3ServiceError && error.serviceCode === 'NoSuchKey'
