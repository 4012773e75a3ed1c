import { createHash, randomUUID } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { Hono } from 'hono'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createOutgoingFileRoutes } from '../../../server/api/outgoing-files.ts'
import type { FileStore } from '../../../server/files/file-store.ts'
import { createOutgoingFiles, type OutgoingFiles } from '../../../server/files/outgoing-files.ts'
import { outgoingLimits } from '../../../server/files/reserved-files.ts'
import { partLimits } from '../../../server/files/upload-parts.ts'
import { fileLimits, partBytes } from '../../../src/domain/send/file-limits.ts'
import { describeOnDatabase } from '../databases.ts'
import { breakingAfter, type Harness, openHarness } from '../network-harness.ts'
import { recording } from './file-host.ts'

/** A sound of two whole parts and a rest. */
const large: Buffer<ArrayBuffer> = Buffer.concat([recording, Buffer.alloc(2 * partBytes, 7)])
const part = (number: number, of = large) => of.subarray((number - 1) * partBytes, number * partBytes)
const hashOf = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

describeOnDatabase('A file that arrives in parts', (open) => {
  let harness: Harness
  let id = ''

  beforeAll(async () => {
    harness = await openHarness(await open())
  })
  afterAll(() => harness.close())
  beforeEach(async () => {
    id = randomUUID()
    await harness.db
      .updateTable('outgoing_files')
      .set({ expires_at: new Date(0) })
      .execute()
    await harness.removeFiles()
  })

  /** The routes as a signed-in person calls them. */
  const apiOf = (staffId: string, files: Pick<OutgoingFiles, 'receive' | 'discard' | 'parts'>) => {
    const app = new Hono<{ Variables: { staff: { id: string; permissions: string[] } } }>()
    app.use(async (c, next) => {
      c.set('staff', { id: staffId, permissions: ['messages.send'] })
      await next()
    })
    // A dead process answers nothing that matters.
    app.onError((_, c) => c.json({ success: false, code: 'DIED' }, 500))
    const api = app.route('/', createOutgoingFileRoutes({ files }))
    const call = async (method: string, path: string, body: Uint8Array<ArrayBuffer> | object) => {
      const isBytes = body instanceof Uint8Array
      const response = await api.request(`/outgoing-files/${id}${path}`, {
        method,
        headers: isBytes ? {} : { 'content-type': 'application/json' },
        body: isBytes ? body : JSON.stringify(body),
      })
      const { success, data, code } = (await response.json()) as { success: boolean; data?: unknown; code?: string }
      return success ? (data ?? 'done') : (code ?? response.status)
    }
    return {
      begin: (size = large.length) => call('POST', '/parts', { name: 'voice.wav', type: 'audio/wav', size }),
      put: (number: number, bytes: Buffer = part(number)) => call('PUT', `/parts/${number}`, new Uint8Array(bytes)),
      complete: (sha256 = hashOf(large)) => call('POST', '/completion', { sha256, type: 'audio/wav' }),
      discard: () => call('DELETE', '', {}),
    }
  }
  const ana = (files = harness.outgoingFiles) => apiOf('ana', files)
  const filesWith = (store: Partial<FileStore>, db = harness.db) =>
    createOutgoingFiles({
      db,
      store: { ...harness.folderStore, ...store },
      addresses: harness.addresses,
      storedFiles: { find: async () => null },
      publicOrigin: harness.address,
      clock: harness.clock,
    })
  const keptFiles = async () =>
    (await readdir(harness.folder, { recursive: true })).filter((name) => name.includes('/')).length
  const complete = {
    id: expect.any(String),
    kind: 'audio',
    type: 'audio/wav',
    name: 'voice.wav',
    size: large.length,
    url: expect.stringMatching(/^\/pictures\//),
  }

  it('is one file once its parts are joined, whatever their order, and each call may be repeated', async () => {
    const { begin, put, complete: end } = ana()
    expect(await begin()).toEqual({ received: [], file: null })
    expect(await Promise.all([put(3), put(1), put(1)])).toEqual(['done', 'done', 'done'])
    expect(await begin()).toEqual({ received: [1, 3], file: null })
    expect(await end()).toBe('PARTS_MISSING')
    expect(await put(2)).toBe('done')
    const file = await end()
    expect(file).toEqual({ ...complete, id })
    expect([await end(), await begin()]).toEqual([file, { received: [], file }])
    const shown = await fetch(`${harness.address}${(file as { url: string }).url}`)
    expect(Buffer.from(await shown.arrayBuffer()).equals(large)).toBe(true)
    expect(await keptFiles()).toBe(1)
  })

  it('is one file when two tabs upload it at the same time', async () => {
    const [one, other] = [ana(), ana(filesWith({}))]
    expect(await Promise.all([one.begin(), other.begin()])).toEqual(Array(2).fill({ received: [], file: null }))
    await Promise.all([1, 2, 3].flatMap((number) => [one.put(number), other.put(number)]))
    const ended = await Promise.all([one.complete(), other.complete()])
    expect(ended).toEqual(Array(2).fill({ ...complete, id }))
    await harness.removeFiles()
    expect([await keptFiles(), (await harness.db.selectFrom('outgoing_files').select('id').execute()).length]).toEqual([
      1, 1,
    ])
  })

  it('refuses wrong parts, a wrong size and the file of another person', async () => {
    const { begin, put } = ana()
    expect(await begin(fileLimits.other + 1)).toBe('FILE_TOO_LARGE')
    expect(await put(1)).toBe('UPLOAD_GONE')
    await begin()
    expect([
      await put(4),
      await put(1, part(1).subarray(1)),
      await put(3, Buffer.alloc(partBytes)),
      await put(1, Buffer.alloc(partBytes + 1)),
      await apiOf('ben', harness.outgoingFiles).put(1),
      await apiOf('ben', harness.outgoingFiles).begin(),
    ]).toEqual(['BAD_PART', 'BAD_PART', 'BAD_PART', 'BAD_PART', 'UPLOAD_GONE', 'FILE_TAKEN'])
    expect(await begin()).toEqual({ received: [], file: null })
    await harness.removeFiles()
    expect(await keptFiles()).toBe(0)
  })

  it.each<[string, Buffer<ArrayBuffer>, string]>([
    ['a file that was damaged on the way', Buffer.alloc(large.length, 7), 'FILE_DAMAGED'],
    ['a program', Buffer.concat([Buffer.from('MZ'), large.subarray(2)]), 'FILE_NOT_ACCEPTED'],
  ])('forgets %s, so that it can be uploaded again', async (_, content, code) => {
    const { begin, put, complete: end } = ana()
    await begin()
    for (const number of [1, 2, 3]) await put(number, part(number, content))
    expect(await end()).toBe(code)
    await harness.removeFiles()
    expect(await keptFiles()).toBe(0)
    expect(await begin()).toEqual({ received: [], file: null })
    for (const number of [1, 2, 3]) await put(number)
    expect(await end()).toEqual({ ...complete, id })
  })

  it('is deleted a day after its last part, and at once if the person removes it', async () => {
    const { begin, put, discard } = ana()
    await begin()
    harness.clock.advance(partLimits.keptFor - 1_000)
    await put(1)
    harness.clock.advance(partLimits.keptFor - 1_000)
    expect(await begin()).toEqual({ received: [1], file: null })
    harness.clock.advance(1_000)
    await harness.removeFiles()
    expect(await keptFiles()).toBe(0)
    await begin()
    await put(1)
    await discard()
    expect(await put(2)).toBe('UPLOAD_GONE')
    await harness.removeFiles()
    expect([await keptFiles(), await harness.db.selectFrom('outgoing_file_parts').selectAll().execute()]).toEqual([
      0,
      [],
    ])
  })

  it('keeps a file that another tab completes and sends while a part arrives', async () => {
    const { begin, put, complete: end } = ana()
    await begin()
    for (const number of [2, 3]) await put(number)
    const [row] = await harness.db.selectFrom('outgoing_files').select('storage_key').where('id', '=', id).execute()
    const completing: Partial<FileStore> = {
      putPart: async (...input) => {
        await put(1)
        await end()
        // The send moves the file to its message, and the row goes.
        await harness.db.deleteFrom('outgoing_files').where('id', '=', id).execute()
        return harness.folderStore.putPart(...input)
      },
    }
    expect(await ana(filesWith(completing)).put(1)).toBe('UPLOAD_GONE')
    expect(await keptFiles()).toBe(1)
    await harness.folderStore.delete(row?.storage_key ?? '')
  })

  it('leaves nothing of a part that arrives while the person removes the file', async () => {
    const { begin, discard } = ana()
    await begin()
    const removing: Partial<FileStore> = {
      putPart: async (...input) => {
        await discard()
        await harness.removeFiles()
        return harness.folderStore.putPart(...input)
      },
    }
    expect(await ana(filesWith(removing)).put(1)).toBe('UPLOAD_GONE')
    expect(await keptFiles()).toBe(0)
  })

  it('begins anew when the store has lost its parts, as after a restore', async () => {
    const { begin, put, complete: end } = ana()
    await begin()
    for (const number of [1, 2, 3]) await put(number)
    const [row] = await harness.db.selectFrom('outgoing_files').select('storage_key').where('id', '=', id).execute()
    await harness.folderStore.delete(row?.storage_key ?? '')
    expect([await end(), await begin()]).toEqual(['UPLOAD_GONE', { received: [], file: null }])
    for (const number of [1, 2, 3]) await put(number)
    expect(await end()).toEqual({ ...complete, id })
  })

  it('counts with its whole size towards what one person may keep', async () => {
    const most = Math.ceil(outgoingLimits.bytes / fileLimits.other)
    for (let index = 0; index < most; index += 1) {
      id = randomUUID()
      expect(await ana().begin(fileLimits.other)).toEqual({ received: [], file: null })
    }
    id = randomUUID()
    expect(await ana().begin()).toBe('TOO_MANY_FILES')
  })

  it('survives a process that dies after any statement of any step', async () => {
    for (let statements = 0; statements < 40; statements += 1) {
      id = randomUUID()
      const dying = ana(filesWith({}, harness.db.withPlugin(breakingAfter(statements))))
      const attempt = async () => {
        await dying.begin()
        for (const number of [1, 2, 3]) await dying.put(number)
        return dying.complete()
      }
      const first = await attempt()
      const { begin, put, complete: end } = ana()
      const begun = (await begin()) as { received: number[]; file: unknown }
      if (begun.file === null) {
        for (const number of [1, 2, 3]) if (!begun.received.includes(number)) expect(await put(number)).toBe('done')
      }
      expect(await end()).toEqual({ ...complete, id })
      await harness.outgoingFiles.discard('ana', id)
      harness.clock.advance(partLimits.keptFor)
      await harness.removeFiles()
      expect([statements, await keptFiles()]).toEqual([statements, 0])
      if (typeof first === 'object') return
    }
    throw new Error('the walk did not reach the end')
  })
})
