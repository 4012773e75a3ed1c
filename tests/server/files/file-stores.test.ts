import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { S3mini } from 's3mini'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type FileStore, PartsGone, type PartUpload } from '../../../server/files/file-store.ts'
import { createFolderStore } from '../../../server/files/folder-store.ts'
import { createS3Store } from '../../../server/files/s3-store.ts'
import { partBytes } from '../../../src/domain/send/file-limits.ts'
import { startMemoryS3 } from './memory-s3.ts'
import { startSwift, whyNoSwift } from './swift.ts'

const key = 'a0'.repeat(16)
const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251))
const noSignal = new AbortController().signal

async function* inChunks(content: Buffer, failsAt = Number.POSITIVE_INFINITY) {
  for (let at = 0; at < content.length; at += 64_000) {
    if (at >= failsAt) throw new Error('the connection broke')
    yield content.subarray(at, at + 64_000)
  }
}

async function read(store: FileStore, ...input: Parameters<FileStore['open']>): Promise<Buffer | null> {
  const content = await store.open(...input)
  return content === null ? null : Buffer.from(await new Response(content).arrayBuffer())
}

function behavesAsFileStore(open: () => FileStore): void {
  it('returns the bytes of a file, and any part of them', async () => {
    await open().put(key, inChunks(bytes), noSignal)
    expect(await read(open(), key)).toEqual(bytes)
    expect(await read(open(), key, { start: 0, end: 9 })).toEqual(bytes.subarray(0, 10))
    expect(await read(open(), key, { start: 299_990, end: 299_999 })).toEqual(bytes.subarray(299_990))
  })

  it('replaces a file', async () => {
    await open().put(key, inChunks(bytes), noSignal)
    await open().put(key, inChunks(bytes.subarray(5)), noSignal)
    expect(await read(open(), key)).toEqual(bytes.subarray(5))
  })

  it('has no file after a deletion, which may be repeated', async () => {
    await open().put(key, inChunks(bytes), noSignal)
    await open().delete(key)
    await open().delete(key)
    expect(await read(open(), key)).toBeNull()
  })

  it('has no file if the content breaks off', async () => {
    await expect(open().put(key, inChunks(bytes, 128_000), noSignal)).rejects.toThrow('the connection broke')
    expect(await read(open(), key)).toBeNull()
  })

  it('gives up when the signal aborts', async () => {
    await expect(open().put(key, inChunks(bytes), AbortSignal.abort())).rejects.toThrow(/abort/i)
    expect(await read(open(), key)).toBeNull()
  })

  describe('with a file that arrives in parts', () => {
    /** Two whole parts and a rest. */
    const large = Buffer.alloc(2 * partBytes + 1_000, bytes)
    const part = (number: number) => large.subarray((number - 1) * partBytes, number * partBytes)
    const begin = async () => ({ key, uploadId: await open().beginParts(key, noSignal) })
    const put = async (upload: PartUpload, number: number, content = part(number)) => ({
      number,
      etag: await open().putPart(upload, number, inChunks(content), noSignal),
    })

    it('joins the parts, whatever their order, the last of those with one number', async () => {
      const upload = await begin()
      const third = await put(upload, 3)
      await put(upload, 1, Buffer.alloc(partBytes))
      const parts = [await put(upload, 1), await put(upload, 2), third]
      expect(await read(open(), key)).toBeNull()
      await open().joinParts(upload, parts, noSignal)
      expect((await read(open(), key))?.equals(large)).toBe(true)
    })

    it('throws when the parts are joined again, and keeps the file', async () => {
      const upload = await begin()
      const parts = [await put(upload, 1)]
      await open().joinParts(upload, parts, noSignal)
      await open()
        .joinParts(upload, parts, noSignal)
        .catch(() => undefined)
      expect((await read(open(), key))?.equals(part(1))).toBe(true)
    })

    it('leaves nothing of a part that breaks off', async () => {
      const upload = await begin()
      await expect(open().putPart(upload, 1, inChunks(part(1), 128_000), noSignal)).rejects.toThrow(
        'the connection broke',
      )
      await open().joinParts(upload, [await put(upload, 1)], noSignal)
      expect((await read(open(), key))?.equals(part(1))).toBe(true)
    })

    it('has no part after a deletion, which may be repeated', async () => {
      const upload = await begin()
      const parts = [await put(upload, 1)]
      await open().delete(key, upload.uploadId)
      await open().delete(key, upload.uploadId)
      await expect(open().joinParts(upload, parts, noSignal)).rejects.toThrow(PartsGone)
      expect(await read(open(), key)).toBeNull()
    })
  })

  it.each(['', '../../etc/passwd', `${key}/..`, key.toUpperCase()])('rejects the key "%s"', async (wrong) => {
    const words = 'the key of a stored file has a wrong form'
    await expect(open().put(wrong, inChunks(bytes), noSignal)).rejects.toThrow(words)
    await expect(open().open(wrong)).rejects.toThrow(words)
    await expect(open().delete(wrong)).rejects.toThrow(words)
  })
}

describe('createFolderStore', () => {
  const folder = mkdtempSync(join(tmpdir(), 'staff-inbox-store-'))
  afterAll(() => rmSync(folder, { recursive: true }))

  behavesAsFileStore(() => createFolderStore(folder))

  it('keeps files of others when it deletes one, and leaves no unfinished file', async () => {
    const other = `${key.slice(0, -1)}1`
    await createFolderStore(folder).put(key, inChunks(bytes), noSignal)
    await createFolderStore(folder).put(other, inChunks(bytes), noSignal)
    await expect(createFolderStore(folder).put(key, inChunks(bytes, 64_000), noSignal)).rejects.toThrow()
    expect((await readdir(join(folder, 'a0'))).sort()).toEqual([key, other])
    await createFolderStore(folder).delete(key)
    expect(await readdir(join(folder, 'a0'))).toEqual([other])
  })
})

describe.skipIf(whyNoSwift !== null)(
  `createS3Store, on OpenStack Swift${whyNoSwift === null ? '' : ` (skipped: ${whyNoSwift})`}`,
  () => {
    let swift: Awaited<ReturnType<typeof startSwift>>

    beforeAll(async () => {
      swift = await startSwift()
      const { endpoint, bucket, ...account } = swift.settings
      await new S3mini({ ...account, endpoint: `${endpoint}/${bucket}` }).createBucket()
    })
    afterAll(() => swift.stop())

    behavesAsFileStore(() => createS3Store(swift.settings))

    it('fails with a wrong secret, and when the bucket does not exist', async () => {
      const wrong = createS3Store({ ...swift.settings, secretAccessKey: 'wrong' })
      await expect(wrong.put(key, inChunks(bytes), noSignal)).rejects.toMatchObject({ status: 403 })
      const missing = createS3Store({ ...swift.settings, bucket: 'missing' })
      await expect(missing.put(key, inChunks(bytes), noSignal)).rejects.toMatchObject({ serviceCode: 'NoSuchBucket' })
      await expect(missing.delete(key)).rejects.toMatchObject({ serviceCode: 'NoSuchBucket' })
    })
  },
)

describe('createS3Store, on a service in memory', () => {
  let service: Awaited<ReturnType<typeof startMemoryS3>>

  beforeAll(async () => {
    service = await startMemoryS3()
  })
  afterAll(() => service.stop())

  behavesAsFileStore(() => createS3Store(service.settings))

  it('leaves no upload in parts at the service', () => expect(service.uploads()).toEqual([]))
})

describe('createS3Store, on a slow connection', () => {
  const timeout = 300
  const size = 16 * 1024 * 1024
  const pause = () => new Promise((resolve) => setTimeout(resolve, 3 * timeout))

  /** A service that sends a file of `size` bytes, or stops after the first half. */
  async function serve(stops: boolean) {
    const server = createServer((_request, response) => {
      response.writeHead(200, { 'content-length': size })
      if (stops) response.write(Buffer.alloc(size / 2))
      else response.end(Buffer.alloc(size))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    const account = { bucket: 'b', region: 'auto', accessKeyId: 'a', secretAccessKey: 's' }
    return { server, store: createS3Store({ endpoint, ...account }, { timeout }) }
  }

  it('gives a slow receiver the whole file', async () => {
    const { server, store } = await serve(false)
    let length = 0
    for await (const part of (await store.open(key)) ?? []) {
      if (length === 0) await pause()
      length += part.length
    }
    expect(length).toBe(size)
    server.close()
  })

  it('gives up a service that stops in the middle', async () => {
    const { server, store } = await serve(true)
    await expect(read(store, key)).rejects.toThrow('the file store does not answer')
    server.closeAllConnections()
    server.close()
  })
})
