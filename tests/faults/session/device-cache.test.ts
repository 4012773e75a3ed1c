import { forceCloseDatabase, IDBFactory } from 'fake-indexeddb'
import { openDB } from 'idb'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { SavedInbox } from '../../../src/schemas/saved-inbox.ts'
import { createDeviceCache } from '../../../src/services/session/device-cache.ts'
import { rememberSharedComputer } from '../../../src/services/session/shared-computer.ts'
import { createTokenStore, tokenKeys } from '../../../src/services/session/tokens.ts'
import { createStorage } from '../../../src/services/storage.ts'
import { row } from '../../model/inbox-fixture.ts'
import { createArea } from '../memory-storage.ts'
import 'fake-indexeddb/auto'

const inbox: SavedInbox = {
  user: { id: 's1', email: 'a@example.com', role: 'agent', permissions: [] },
  conversations: [row('c1', 10)],
  list: { ids: ['c1'], total: 1, hasNext: false },
  thread: null,
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const tokenOf = (sub: string) => `${encode({ alg: 'HS256' })}.${encode({ sub, iat: 1, exp: 901 })}.s`

/** A tab of a browser that stores the session of `person`; null stores a token without a person. */
function openTab(person: string | null, { api = '/api', area = createArea() } = {}) {
  const storage = createStorage(() => area)
  const tokens = createTokenStore(storage, Date.now)
  area.setItem(tokenKeys.token, person === null ? 'opaque' : tokenOf(person))
  const expectInbox = vi.fn()
  return { ...createDeviceCache({ api, tokens, storage, expectInbox }), storage, tokens, expectInbox }
}

/** The record of the copy, or of the saved screen. */
async function kept(key: 'inbox' | 'screen' = 'inbox'): Promise<Record<string, unknown> | undefined> {
  const database = await openDB('staff-inbox', 1, { upgrade: (created) => void created.createObjectStore('saved') })
  try {
    return await database.get('saved', key)
  } finally {
    database.close()
  }
}

async function spoil(part: object): Promise<void> {
  const database = await openDB('staff-inbox', 1)
  await database.put('saved', { ...(await database.get('saved', 'inbox')), ...part }, 'inbox')
  database.close()
}

const takeScreen = vi.hoisted(() => vi.fn<() => unknown>(() => null))
vi.mock('../../../src/services/session/take-screen.ts', () => ({ takeScreen }))

/** The person s1 is signed in, and the inbox is saved. */
async function savedTab() {
  const tab = openTab('s1')
  await tab.read()
  await tab.save(inbox)
  return tab
}

beforeEach(() => {
  takeScreen.mockReset().mockReturnValue(null)
  vi.stubGlobal('indexedDB', new IDBFactory())
})

describe('The copy of the inbox in IndexedDB', () => {
  it('is read by the next start of the same person, which preloads the code of the inbox', async () => {
    await savedTab()
    const next = openTab('s1')
    expect(await next.read()).toEqual(inbox)
    expect(next.expectInbox).toHaveBeenCalledOnce()
  })

  it.each<[string, () => Promise<unknown>]>([
    ['of another person', () => openTab('s2').read()],
    ['of a token without a person', () => openTab(null).read()],
    ['at another API', () => openTab('s1', { api: 'https://other.example/api' }).read()],
    ['with another schema', async () => [await spoil({ schemaVersion: 2 }), await openTab('s1').read()][1]],
    [
      'with a copy that does not parse',
      async () => [await spoil({ inbox: { user: 1 } }), await openTab('s1').read()][1],
    ],
  ])('is deleted by the start %s', async (_, read) => {
    await savedTab()
    expect(await read()).toBeNull()
    expect(await kept()).toBeUndefined()
  })

  it('is neither read nor expected while no session is stored', async () => {
    await savedTab()
    const tab = openTab('s1')
    tab.storage.remove(tokenKeys.token)
    expect([await tab.read(), tab.expectInbox.mock.calls]).toEqual([null, []])
  })

  it('is not read on a shared computer', async () => {
    await savedTab()
    const tab = openTab('s1')
    rememberSharedComputer(tab.storage, true)
    expect([await tab.read(), tab.isShared()]).toEqual([null, true])
  })

  it('is not shown if another person signs in while it is read', async () => {
    await savedTab()
    const tab = openTab('s1')
    const reading = tab.read()
    tab.tokens.keep({ token: tokenOf('s2'), refreshToken: 'r' }, 'newSession')
    expect(await reading).toBeNull()
  })

  it('can be saved by the person whose start deleted the copy of another person', async () => {
    await savedTab()
    const tab = openTab('s2')
    await tab.read()
    await tab.save(inbox)
    expect((await kept())?.['owner']).toBe('s2')
  })

  it('is saved for the person of the session, not for one whose tokens arrived since', async () => {
    const tab = await savedTab()
    tab.tokens.keep({ token: tokenOf('s2'), refreshToken: 'r' }, 'newSession')
    await tab.save({ ...inbox, conversations: [row('c1', 20)] })
    expect([(await kept())?.['owner'], await openTab('s2').read()]).toEqual(['s1', null])
  })

  it('is not restored by a late save of this or another tab', async () => {
    const [one, other] = [await savedTab(), openTab('s1')]
    await other.read()
    await one.clear()
    await other.save(inbox)
    await one.save(inbox)
    expect(await kept()).toBeUndefined()
  })

  it('has the screen of the same moment, and is deleted with it', async () => {
    const taken = { build: 'b', address: '/', width: 1, height: 1, parts: [] }
    takeScreen.mockReturnValueOnce(taken)
    const tab = await savedTab()
    expect(await kept('screen')).toEqual({ owner: 's1', ...taken })
    await tab.save(inbox)
    expect(await kept('screen')).toBeUndefined()
    takeScreen.mockReturnValue(taken)
    await tab.save(inbox)
    await tab.clear()
    await tab.save(inbox)
    expect([await kept(), await kept('screen')]).toEqual([undefined, undefined])
  })

  it('is saved by the first tab, unless another saved and deleted a copy meanwhile', async () => {
    const [one, other] = [openTab('s1'), openTab('s1')]
    expect([await one.read(), await other.read()]).toEqual([null, null])
    await one.save(inbox)
    expect((await kept())?.['owner']).toBe('s1')
    await one.clear()
    await other.save(inbox)
    expect(await kept()).toBeUndefined()
  })

  it('is deleted by a sign-out during the first save', async () => {
    const tab = openTab('s1')
    await tab.read()
    const saving = tab.save(inbox)
    await tab.clear()
    await saving
    expect(await kept()).toBeUndefined()
  })

  it('is saved without the screen if that cannot be taken', async () => {
    takeScreen.mockImplementation(() => {
      throw new Error('the code is gone')
    })
    await savedTab()
    expect([(await kept())?.['owner'], await kept('screen')]).toEqual(['s1', undefined])
  })

  it('creates no database if nothing was ever saved', async () => {
    await openTab('s1').clear()
    expect(await indexedDB.databases()).toEqual([])
  })

  it('is saved and deleted again after the browser has closed the database, or could not open it once', async () => {
    const opened: IDBDatabase[] = []
    const factory = new IDBFactory()
    const { open } = factory
    let fails = true
    factory.open = (...named) => {
      if (fails) throw new DOMException('no place', 'QuotaExceededError')
      const request = open.call(factory, ...named)
      request.addEventListener('success', () => opened.push(request.result))
      return request
    }
    vi.stubGlobal('indexedDB', factory)
    const tab = openTab('s1')
    expect(await tab.read()).toBeNull()
    fails = false
    await tab.read()
    await tab.save(inbox)
    const [first] = opened
    if (first === undefined) throw new Error('the database was not opened')
    // The package declares the class and not its instance.
    forceCloseDatabase(first as unknown as Parameters<typeof forceCloseDatabase>[0])
    await tab.save({ ...inbox, conversations: [row('c1', 20)] })
    expect(await openTab('s1').read()).toMatchObject({ conversations: [row('c1', 20)] })
    await tab.clear()
    expect(await kept()).toBeUndefined()
  })

  it('is saved after its code could not be loaded once', async () => {
    vi.resetModules()
    vi.doMock('../../../src/services/session/inbox-database.ts', () => {
      throw new Error('the network is gone')
    })
    const { createDeviceCache: createFresh } = await import('../../../src/services/session/device-cache.ts')
    const { tokens, storage, expectInbox } = openTab('s1')
    const cache = createFresh({ api: '/api', tokens, storage, expectInbox })
    expect(await cache.read()).toBeNull()
    vi.doUnmock('../../../src/services/session/inbox-database.ts')
    vi.resetModules()
    await cache.read()
    await cache.save(inbox)
    expect((await kept())?.['owner']).toBe('s1')
  })

  it('rejects no call if the browser blocks the storage', async () => {
    const blocked = () => {
      throw new DOMException('blocked', 'SecurityError')
    }
    vi.stubGlobal('indexedDB', { open: blocked, databases: blocked })
    const tab = openTab('s1')
    expect([await tab.read(), await tab.save(inbox), await tab.clear()]).toEqual([null, undefined, undefined])
  })
})
