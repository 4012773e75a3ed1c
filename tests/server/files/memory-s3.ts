import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { S3Settings } from '../../../server/settings.ts'

type Answer = { status: number; headers?: Record<string, string>; body?: string | Buffer }

const fault = (status: number, code: string): Answer => ({
  status,
  headers: { 'content-type': 'application/xml' },
  body: `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`,
})
const etagOf = (content: Buffer) => `"${createHash('md5').update(content).digest('hex')}"`

/** The calls of S3 that the file store makes, on objects in memory. It checks no signature. */
export async function startMemoryS3() {
  const objects = new Map<string, Buffer>()
  const uploads = new Map<string, Map<number, Buffer>>()

  function answer(method: string, url: URL, range: string | undefined, content: Buffer): Answer {
    const key = url.pathname
    const uploadId = url.searchParams.get('uploadId')
    if (method === 'POST' && url.searchParams.has('uploads')) {
      const id = randomBytes(8).toString('hex')
      uploads.set(id, new Map())
      return {
        status: 200,
        body: `<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`,
      }
    }
    if (uploadId !== null) {
      const parts = uploads.get(uploadId)
      if (parts === undefined) return fault(404, 'NoSuchUpload')
      if (method === 'PUT') {
        parts.set(Number(url.searchParams.get('partNumber')), content)
        return { status: 200, headers: { etag: etagOf(content) } }
      }
      uploads.delete(uploadId)
      if (method === 'DELETE') return { status: 204 }
      const named = [
        ...content
          .toString()
          .matchAll(/<PartNumber>(\d+)<\/PartNumber>\s*<ETag>(?:"|&quot;)?([0-9a-f]+)(?:"|&quot;)?<\/ETag>/g),
      ].map(([, number, etag]) => {
        const part = parts.get(Number(number))
        return part !== undefined && etagOf(part) === `"${etag}"` ? part : null
      })
      const joined = named.flatMap((part) => part ?? [])
      if (joined.length === 0 || joined.length !== named.length) return fault(400, 'InvalidPart')
      objects.set(key, Buffer.concat(joined))
      return {
        status: 200,
        body: `<CompleteMultipartUploadResult><Key>${key}</Key><ETag>"1"</ETag></CompleteMultipartUploadResult>`,
      }
    }
    if (method === 'PUT') {
      objects.set(key, content)
      return { status: 200, headers: { etag: etagOf(content) } }
    }
    const found = objects.get(key)
    if (method === 'DELETE') {
      objects.delete(key)
      return { status: 204 }
    }
    if (found === undefined) return fault(404, 'NoSuchKey')
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? []
    return start === undefined
      ? { status: 200, body: found }
      : { status: 206, body: found.subarray(Number(start), Number(end) + 1) }
  }

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const url = new URL(request.url ?? '/', 'http://s3')
    const { status, headers, body } = answer(request.method ?? '', url, request.headers.range, Buffer.concat(chunks))
    response.writeHead(status, headers).end(body)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const settings: S3Settings = {
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bucket: 'b',
    region: 'auto',
    accessKeyId: 'a',
    secretAccessKey: 's',
  }
  return {
    settings,
    /** The ids of unfinished uploads. */
    uploads: () => [...uploads.keys()],
    stop: () => new Promise<void>((resolve) => void server.close(() => resolve())),
  }
}
