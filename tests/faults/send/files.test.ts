import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { partBytes } from '../../../src/domain/send/file-limits.ts'
import { createHttp } from '../../../src/services/http.ts'
import { createFileService } from '../../../src/services/send/files.ts'
import { attachedFile, blobOf, uploadedFile } from './attached-file.ts'
import { createFakeUploads, createFakeWindow, type FakeUpload } from './fake-uploads.ts'

class SilentChannel extends EventTarget {
  postMessage(): void {}
}

beforeEach(() => {
  vi.stubGlobal('window', createFakeWindow())
  vi.stubGlobal('BroadcastChannel', SilentChannel)
  vi.stubGlobal('isSecureContext', true)
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const signal = () => new AbortController().signal
const put = '/api/facebook/outgoing-files'
const stored = { success: true, data: uploadedFile }
const begun = (received: readonly number[], file: typeof uploadedFile | null = null) => ({
  success: true,
  data: { received, file },
})
const halfAndWhole = (upload: FakeUpload) => {
  upload.progress(upload.body.size / 2)
  upload.answer({ body: upload.call.includes('/parts/') ? { success: true } : stored })
}

/** The service, with a server that answers the calls in turn and takes each upload at once. */
function openService({
  answers = [],
  serve = halfAndWhole,
}: {
  answers?: unknown[]
  serve?: typeof halfAndWhole
} = {}) {
  const { XMLHttpRequest, uploads } = createFakeUploads(serve)
  vi.stubGlobal('XMLHttpRequest', XMLHttpRequest)
  const calls: unknown[] = []
  const http = createHttp({
    baseUrl: '/api',
    log: { warn: () => {} },
    fetch: async (input, init) => {
      calls.push([`${init?.method} ${input}`, typeof init?.body === 'string' ? JSON.parse(init.body) : null])
      return Response.json(answers.shift() ?? { success: true })
    },
  })
  return { service: createFileService(http), calls, uploads }
}

const valuesIn = async (blob: Blob) => [...new Set(new Uint8Array(await blob.arrayBuffer()))]
const sha256Of = async (blob: Blob) =>
  createHash('sha256')
    .update(new Uint8Array(await blob.arrayBuffer()))
    .digest('hex')

describe('The upload of a file', () => {
  const progress: number[] = []
  const note = (sent: number) => void progress.push(sent)
  beforeEach(() => void progress.splice(0))

  it.each<[string, number | null, boolean]>([
    ['of one part', partBytes, true],
    ['of several parts on an insecure origin, which has no hashes,', partBytes + 1, false],
    ['that the browser has lost', null, true],
  ])('%s is one call', async (_, size, isSecure) => {
    vi.stubGlobal('isSecureContext', isSecure)
    const { service, calls, uploads } = openService()
    const blob = size === null ? null : blobOf(size)
    const file = attachedFile({ id: 'a/b', name: 'n'.repeat(201), blob })
    expect(await service.upload(file, note, signal())).toEqual(uploadedFile)
    expect([calls, uploads.map(({ call, body }) => [call, body.size])]).toEqual([
      [],
      [[`PUT ${put}/a%2Fb?name=${'n'.repeat(200)}`, size ?? 0]],
    ])
    expect(progress).toEqual([(size ?? 0) / 2])
  })

  const size = 2 * partBytes + 4
  const large = () => blobOf(size, 'video/mp4', partBytes)

  it('of three parts sends them in order, and then the hash of the whole', async () => {
    const { service, calls, uploads } = openService({ answers: [begun([]), stored] })
    const file = attachedFile({ name: 'n'.repeat(201), blob: large() })
    expect(await service.upload(file, note, signal())).toEqual(uploadedFile)
    expect(calls).toEqual([
      [`POST ${put}/f1/parts`, { name: 'n'.repeat(200), type: 'video/mp4', size }],
      [`POST ${put}/f1/completion`, { sha256: await sha256Of(large()), type: 'video/mp4' }],
    ])
    const parts = uploads.map(async ({ call, body, headers }) => [
      call,
      body.size,
      await valuesIn(body),
      headers['content-type'],
    ])
    expect(await Promise.all(parts)).toEqual([
      [`PUT ${put}/f1/parts/1`, partBytes, [1], 'video/mp4'],
      [`PUT ${put}/f1/parts/2`, partBytes, [2], 'video/mp4'],
      [`PUT ${put}/f1/parts/3`, 4, [3], 'video/mp4'],
    ])
    expect(progress).toEqual([0, partBytes / 2, partBytes, 1.5 * partBytes, 2 * partBytes, 2 * partBytes + 2, size])
  })

  it('of two full parts sends no third', async () => {
    const { service, uploads } = openService({ answers: [begun([]), stored] })
    await service.upload(attachedFile({ blob: blobOf(2 * partBytes) }), note, signal())
    expect(uploads.map(({ call }) => call)).toEqual([`PUT ${put}/f1/parts/1`, `PUT ${put}/f1/parts/2`])
  })

  it('continues with the first part that the server does not have', async () => {
    const { service, uploads } = openService({ answers: [begun([1, 3]), stored] })
    await service.upload(attachedFile({ blob: large() }), note, signal())
    expect(uploads.map(({ call }) => call)).toEqual([`PUT ${put}/f1/parts/2`])
    expect(progress).toEqual([partBytes + 4, 1.5 * partBytes + 4, size])
  })

  it('sends nothing of a file that the server has', async () => {
    const { service, calls, uploads } = openService({ answers: [begun([1, 2, 3], uploadedFile)] })
    expect(await service.upload(attachedFile({ blob: large() }), note, signal())).toEqual(uploadedFile)
    expect([calls.length, uploads, progress]).toEqual([1, [], []])
  })

  it.each([
    ['whole', 3, 10 * 60_000],
    ['in parts', partBytes + 1, 2 * 60_000],
  ])('%s may take its time while bytes leave, and then fails', async (_, bytes, limit) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const { service, uploads } = openService({ answers: [begun([])], serve: () => {} })
    const ended = service.upload(attachedFile({ blob: blobOf(bytes) }), note, signal()).catch((error: unknown) => error)
    await vi.waitUntil(() => uploads.length > 0)
    for (let passed = 0; passed < limit - 20_000; passed += 20_000) {
      await vi.advanceTimersByTimeAsync(20_000)
      uploads[0]?.progress(1)
    }
    expect(uploads.map(({ isAborted }) => isAborted)).toEqual([false])
    await vi.advanceTimersByTimeAsync(20_000)
    expect([uploads.map(({ isAborted }) => isAborted), await ended]).toMatchObject([[true], { kind: 'timeout' }])
  })

  it.each([
    ['whole', 3],
    ['in parts', partBytes + 1],
  ])('%s ends when it is aborted', async (_, bytes) => {
    const caller = new AbortController()
    const { service, uploads } = openService({ answers: [begun([])], serve: () => caller.abort() })
    const ended = service.upload(attachedFile({ blob: blobOf(bytes) }), note, caller.signal)
    await expect(ended).rejects.toMatchObject({ kind: 'aborted' })
    expect(uploads.map(({ isAborted }) => isAborted)).toEqual([true])
  })
})

describe('An attached file', () => {
  it('is prepared as it is, unless it is a picture that the network does not take', async () => {
    const { service } = openService()
    const { name, blob } = attachedFile()
    expect(await service.prepare(attachedFile(), signal())).toEqual({ name, blob })
    expect(await service.prepare(attachedFile({ blob: null }), signal())).toEqual({ name, blob: null })
    const picture = blobOf(3, 'image/heic')
    vi.stubGlobal('createImageBitmap', async (given: Blob) => {
      expect(given).toBe(picture)
      throw new Error('unreadable')
    })
    expect(await service.prepare(attachedFile({ blob: picture }), signal())).toEqual({ name, blob: picture })
    expect.assertions(4)
  })

  it('is copied from a saved reply under its own id', async () => {
    const { service, calls } = openService({ answers: [stored] })
    const copyOf = { replyId: 'r/1', picture: { ...uploadedFile, id: 'p/1' } }
    expect(await service.copy(attachedFile({ id: 'f/1', copyOf }), signal())).toEqual(uploadedFile)
    expect(calls).toEqual([['PUT /api/saved-replies/r%2F1/pictures/p%2F1/copies/f%2F1', null]])
    const aborted = service.copy(attachedFile({ copyOf }), AbortSignal.abort())
    await expect(aborted).rejects.toMatchObject({ kind: 'aborted' })
    await expect(service.copy(attachedFile(), signal())).rejects.toThrow('a file without a picture is not copied')
  })

  it('is removed from the server', async () => {
    const { service, calls } = openService()
    await service.discard('f/1')
    expect(calls).toEqual([[`DELETE ${put}/f%2F1`, null]])
  })

  it('is tried again when the browser is online, until that is no longer watched', () => {
    const { service } = openService()
    const report = vi.fn()
    const stop = service.watchOnline(report)
    window.dispatchEvent(new Event('online'))
    stop()
    window.dispatchEvent(new Event('online'))
    expect(report).toHaveBeenCalledOnce()
  })
})
