import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { uploadingFetch } from '../../../src/services/send/uploading-fetch.ts'
import { createFakeUploads, createFakeWindow, type FakeUpload } from './fake-uploads.ts'

const body = new Blob(['price'], { type: 'application/pdf' })
let uploads: FakeUpload[] = []

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const fake = createFakeUploads()
  uploads = fake.uploads
  vi.stubGlobal('XMLHttpRequest', fake.XMLHttpRequest)
  vi.stubGlobal('window', createFakeWindow())
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** An upload that has begun, and what became of it. */
function begin(init?: RequestInit, blob = body) {
  const progress: number[] = []
  const ended: unknown[] = []
  uploadingFetch(blob, (sent) => progress.push(sent))('/files/f1', init).then(
    async (answer) => ended.push([answer.status, await answer.json(), answer.headers.get('retry-after')]),
    (error: unknown) => ended.push(error),
  )
  const upload = uploads.at(-1)
  if (upload === undefined) throw new Error('nothing was sent')
  return { upload, progress, ended: () => vi.advanceTimersByTimeAsync(0).then(() => ended) }
}

const interrupted = new TypeError('the upload was interrupted')

describe('An upload', () => {
  it('sends the bytes with their type and the headers of the call, and reports how many have left', async () => {
    const { upload, progress, ended } = begin({ method: 'POST', headers: { Accept: 'application/json' } })
    expect([upload.call, upload.headers, upload.body]).toEqual([
      'POST /files/f1',
      { accept: 'application/json', 'content-type': 'application/pdf' },
      body,
    ])
    for (const sent of [2, 5]) upload.progress(sent)
    upload.answer({ status: 201, body: { success: true } })
    expect([progress, await ended()]).toEqual([[2, 5], [[201, { success: true }, null]]])
  })

  it('is a PUT of unnamed bytes if neither the call nor the file says more', () => {
    const { call, headers } = begin({}, new Blob(['x'])).upload
    expect([call, headers]).toEqual(['PUT /files/f1', { 'content-type': 'application/octet-stream' }])
    expect(begin().upload.call).toBe('PUT /files/f1')
  })

  it('answers with the refusal of the server and the time to wait', async () => {
    const { upload, ended } = begin()
    upload.answer({ status: 429, body: { error: 'Slow down' }, headers: { 'retry-after': '2' } })
    expect(await ended()).toEqual([[429, { error: 'Slow down' }, '2']])
  })

  it('ends with an answer that may have no content', async () => {
    const sent = uploadingFetch(body, () => {})('/files/f1', {})
    uploads[0]?.answer({ status: 204 })
    const { status, body: content } = await sent
    expect([status, content]).toEqual([204, null])
  })

  it('fails as fetch does if the connection is lost', async () => {
    const { upload, ended } = begin()
    upload.lose()
    expect(await ended()).toEqual([interrupted])
  })

  it('fails if nothing leaves for a minute, counted from the last bytes', async () => {
    const { upload, ended } = begin()
    await vi.advanceTimersByTimeAsync(59_999)
    upload.progress(1)
    await vi.advanceTimersByTimeAsync(59_999)
    expect([upload.isAborted, await ended()]).toEqual([false, []])
    await vi.advanceTimersByTimeAsync(1)
    expect([upload.isAborted, await ended()]).toEqual([true, [interrupted]])
  })

  it('fails if nothing leaves within the first minute', async () => {
    const { upload, ended } = begin()
    await vi.advanceTimersByTimeAsync(60_000)
    expect([upload.isAborted, await ended()]).toEqual([true, [interrupted]])
  })

  it('ends when the caller aborts it', async () => {
    const caller = new AbortController()
    const { upload, ended } = begin({ signal: caller.signal })
    caller.abort()
    expect([upload.isAborted, await ended()]).toEqual([true, [interrupted]])
  })

  it('does not begin for a caller who has aborted it before', async () => {
    await expect(uploadingFetch(body, () => {})('/files/f1', { signal: AbortSignal.abort() })).rejects.toEqual(
      interrupted,
    )
    expect([uploads, vi.getTimerCount()]).toEqual([[], 0])
  })

  it.each<[string, (upload: FakeUpload) => void]>([
    ['answered', (upload) => upload.answer()],
    ['lost', (upload) => upload.lose()],
  ])('that was %s leaves no timer, and a later abort does not reach it', async (_, finish) => {
    const caller = new AbortController()
    const { upload } = begin({ signal: caller.signal })
    finish(upload)
    caller.abort()
    expect([vi.getTimerCount(), upload.isAborted]).toEqual([0, false])
  })
})
