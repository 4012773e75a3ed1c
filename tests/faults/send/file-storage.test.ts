import * as fakeIndexedDb from 'fake-indexeddb'
import { openDB } from 'idb'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createFileStorage } from '../../../src/services/send/file-storage.ts'
import { attachedFile, uploadedFile } from './attached-file.ts'

const channels = new Set<FakeBroadcastChannel>()

/** The channel of a browser, which delivers at once. */
class FakeBroadcastChannel extends EventTarget {
  readonly name: string
  constructor(name: string) {
    super()
    this.name = name
    channels.add(this)
  }
  postMessage(data: unknown): void {
    for (const channel of channels)
      if (channel !== this && channel.name === this.name) channel.dispatchEvent(new MessageEvent('message', { data }))
  }
}

beforeEach(() => {
  const { IDBFactory, default: _, forceCloseDatabase: __, ...classes } = fakeIndexedDb
  for (const [name, value] of Object.entries(classes)) vi.stubGlobal(name, value)
  vi.stubGlobal('indexedDB', new IDBFactory())
  vi.stubGlobal('BroadcastChannel', FakeBroadcastChannel)
})
afterEach(() => {
  vi.unstubAllGlobals()
  channels.clear()
})

const none: ReadonlySet<string> = new Set()
const idsOf = (files: readonly { id: string }[]) => files.map(({ id }) => id)

async function inDatabase<Result>(work: (database: Awaited<ReturnType<typeof openDB>>) => Promise<Result>) {
  const database = await openDB('staff-inbox-files', 1)
  try {
    return await work(database)
  } finally {
    database.close()
  }
}
const keptIds = () => inDatabase((database) => database.getAllKeys('files'))

describe('Attached files in the browser', () => {
  it('are found by the next page load in the order in which they were attached', async () => {
    const text = attachedFile({ id: 'z', sent: 2 })
    const copied = attachedFile({
      id: 'a',
      blob: null,
      platform: null,
      copyOf: { replyId: 'r1', picture: uploadedFile },
      status: 'uploaded',
      uploaded: uploadedFile,
    })
    await createFileStorage().save('s1', [text, copied], none)
    const loaded = await createFileStorage().load('s1')
    expect(loaded).toEqual([{ ...text, sent: 0 }, copied])
    expect(await loaded[0]?.blob?.text()).toBe('pdf')
  })

  it.each([
    ['waiting', null, 'waiting', null],
    ['uploading', null, 'waiting', null],
    ['failed', 'No answer', 'waiting', null],
    ['uploaded', null, 'uploaded', null],
    ['refused', 'Too large', 'refused', 'Too large'],
  ] as const)('that were %s (%s) are %s after a reload', async (status, failure, later, shown) => {
    await createFileStorage().save('s1', [attachedFile({ status, failure })], none)
    expect(await createFileStorage().load('s1')).toEqual([attachedFile({ status: later, failure: shown })])
  })

  it('of an earlier version, which copied none, are found', async () => {
    await createFileStorage().save('s1', [], none)
    const { copyOf: _, sent: __, ...file } = attachedFile()
    await inDatabase((database) => database.put('files', { staffId: 's1', position: 0, file }, 'f1'))
    expect(await createFileStorage().load('s1')).toEqual([attachedFile()])
  })

  it('of another person, and what cannot be read, are deleted by a load', async () => {
    const storage = createFileStorage()
    await storage.save('s1', [attachedFile({ id: 'own' })], none)
    await storage.save('s2', [attachedFile({ id: 'other' })], none)
    await inDatabase((database) => database.put('files', { staffId: 's1', file: 'damaged' }, 'damaged'))
    expect([idsOf(await storage.load('s1')), await keptIds()]).toEqual([['own'], ['own']])
  })

  it('are replaced by the list of this tab, without those of other tabs', async () => {
    const [one, other] = [createFileStorage(), createFileStorage()]
    const named = (...ids: string[]) => ids.map((id) => attachedFile({ id }))
    await one.save('s1', named('a', 'b'), none)
    await other.save('s1', named('c'), none)
    await one.save('s1', named('b', 'd'), new Set(['a', 'b']))
    expect((await keptIds()).toSorted()).toEqual(['b', 'c', 'd'])
  })

  it('are written one list after the other, so that the last one counts', async () => {
    const storage = createFileStorage()
    const lists = [['a'], ['a', 'b'], ['b']].map((ids) => ids.map((id) => attachedFile({ id })))
    await Promise.all(lists.map((files) => storage.save('s1', files, new Set(['a', 'b']))))
    expect(idsOf(await storage.load('s1'))).toEqual(['b'])
  })

  it('are kept up to 250 MB together', async () => {
    const sized = (id: string, size: number) => {
      const blob = new Blob([id])
      Object.defineProperty(blob, 'size', { value: size })
      return attachedFile({ id, blob })
    }
    const files = [sized('a', 249_999_999), attachedFile({ id: 'b', blob: null }), sized('c', 1), sized('d', 1)]
    await createFileStorage().save('s1', files, none)
    expect(await keptIds()).toEqual(['a', 'b', 'c'])
  })

  it('of all people are deleted at a sign-out', async () => {
    const storage = createFileStorage()
    await storage.save('s1', [attachedFile({ id: 'a' })], none)
    await storage.save('s2', [attachedFile({ id: 'b' })], none)
    await storage.forgetAll()
    expect(await keptIds()).toEqual([])
  })
})

describe('Other tabs', () => {
  it('are told once of files that this tab sent or removed', async () => {
    const [tab, other] = [createFileStorage(), createFileStorage()]
    const told: unknown[] = []
    const own: unknown[] = []
    const stop = other.watchOtherTabs((ids) => told.push(ids))
    tab.watchOtherTabs((ids) => own.push(ids))
    await tab.save('s1', [attachedFile({ id: 'a' }), attachedFile({ id: 'b' }), attachedFile({ id: 'c' })], none)
    await tab.save('s1', [attachedFile({ id: 'b' })], new Set(['a', 'b', 'c']))
    await tab.save('s1', [attachedFile({ id: 'b' })], new Set(['a', 'b', 'c']))
    expect([told, own]).toEqual([[['a', 'c']], []])
    stop()
    await tab.save('s1', [], new Set(['b']))
    expect(told).toHaveLength(1)
  })

  it('of another version, which say something else, are not heard', () => {
    const told: unknown[] = []
    createFileStorage().watchOtherTabs((ids) => told.push(ids))
    for (const data of ['a', [1], { ids: ['a'] }, ['a']])
      new FakeBroadcastChannel('staff-inbox-files').postMessage(data)
    expect(told).toEqual([['a']])
  })
})

/** A browser whose database belongs to a later version of the page. */
async function laterVersion(): Promise<IDBFactory> {
  const before = indexedDB
  const factory = new fakeIndexedDb.IDBFactory()
  vi.stubGlobal('indexedDB', factory)
  const database = await openDB('staff-inbox-files', 2)
  database.close()
  vi.stubGlobal('indexedDB', before)
  return factory
}
const blocked = async () => ({
  open: () => {
    throw new DOMException('blocked', 'SecurityError')
  },
})

it.each<[string, () => Promise<unknown>]>([
  ['blocks the storage', blocked],
  ['cannot open the database', laterVersion],
])('while the browser %s no call rejects, and files are kept again afterwards', async (_, createFactory) => {
  const factory = indexedDB
  const storage = createFileStorage()
  vi.stubGlobal('indexedDB', await createFactory())
  expect([
    await storage.load('s1'),
    await storage.save('s1', [attachedFile()], none),
    await storage.forgetAll(),
  ]).toEqual([[], undefined, undefined])
  vi.stubGlobal('indexedDB', factory)
  await storage.save('s1', [attachedFile()], none)
  expect(await storage.load('s1')).toEqual([attachedFile()])
})
