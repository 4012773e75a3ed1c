import { S3mini, S3ServiceError } from 's3mini'
import type { S3Settings } from '../settings.ts'
import { assertKey, type FileStore, PartsGone } from './file-store.ts'

/** Of deleting an object, and of each step of reading one: the answer, then every part. Milliseconds. */
const defaultTimeout = 60_000

/**
 * Files in a bucket of an S3-compatible service. An upload is one request with the whole file or part, held in memory: the
 * service needs the length first, and an unfinished request leaves nothing.
 */
export function createS3Store(
  { endpoint, bucket, ...account }: S3Settings,
  { timeout = defaultTimeout }: { timeout?: number } = {},
): FileStore {
  const clientWith = (signal: AbortSignal) =>
    new S3mini({
      ...account,
      endpoint: `${endpoint}/${bucket}`,
      fetch: (url, init) => fetch(url, { ...init, signal }),
    })

  return {
    async put(key, content, signal) {
      assertKey(key)
      const chunks: Uint8Array[] = []
      for await (const chunk of content) chunks.push(chunk)
      await clientWith(signal).putObject(key, Buffer.concat(chunks))
    },

    async beginParts(key, signal) {
      assertKey(key)
      return clientWith(signal).getMultipartUploadId(key)
    },

    async putPart({ key, uploadId }, number, content, signal) {
      assertKey(key)
      const chunks: Uint8Array[] = []
      for await (const chunk of content) chunks.push(chunk)
      const part = Buffer.concat(chunks)
      const { etag } = await clientWith(signal).uploadPart(key, uploadId, part, number).catch(asPartsGone)
      return etag
    },

    async joinParts({ key, uploadId }, parts, signal) {
      assertKey(key)
      const named = parts.map(({ number, etag }) => ({ partNumber: number, etag }))
      await clientWith(signal).completeMultipartUpload(key, uploadId, named).catch(asPartsGone)
    },

    async open(key, range) {
      assertKey(key)
      // The library's end is not part of the range.
      const { start = 0, end } = range ?? {}
      const limit = stepLimit(timeout)
      try {
        const client = clientWith(limit.signal)
        const found = await limit.during(
          client.getObjectRaw(key, range === undefined, start, end === undefined ? undefined : end + 1),
        )
        return found.body === null ? null : limitedStream(found.body.getReader(), limit)
      } catch (error) {
        if (isMissing(error)) return null
        throw error
      }
    },

    async abortParts({ key, uploadId }) {
      assertKey(key)
      await clientWith(AbortSignal.timeout(timeout)).abortMultipartUpload(key, uploadId).catch(unlessMissing)
    },

    async delete(key, uploadId) {
      assertKey(key)
      const client = clientWith(AbortSignal.timeout(timeout))
      if (uploadId != null) await client.abortMultipartUpload(key, uploadId).catch(unlessMissing)
      await client.deleteObject(key).catch(unlessMissing)
    },
  }
}

type StepLimit = ReturnType<typeof stepLimit>

/** Aborts `signal` when one step of the service takes too long. */
function stepLimit(timeout: number) {
  const controller = new AbortController()
  return {
    signal: controller.signal,
    async during<T>(step: Promise<T>): Promise<T> {
      const timer = setTimeout(() => controller.abort(new Error('the file store does not answer')), timeout)
      return step.finally(() => clearTimeout(timer))
    },
  }
}

/** The time that the receiver takes is not limited: a browser pauses a video, and a phone reads slowly. */
const limitedStream = (reader: ReadableStreamDefaultReader<Uint8Array>, limit: StepLimit) =>
  new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await limit.during(reader.read())
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  )

function unlessMissing(error: unknown): void {
  if (!isMissing(error)) throw error
}

function asPartsGone(error: unknown): never {
  throw isMissing(error) ? new PartsGone() : error
}

/** Not a missing bucket: its files are not deleted. */
const isMissing = (error: unknown) =>
  error instanceof S3ServiceError && (error.serviceCode === 'NoSuchKey' || error.serviceCode === 'NoSuchUpload')
