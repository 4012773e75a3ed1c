import { describe, expect, it } from 'vitest'
import type { Outgoing } from '../../../src/domain/send/outgoing.ts'
import { createOutboxStorage } from '../../../src/services/send/outbox-storage.ts'
import { answerOf } from '../../model/comments/comments-fixture.ts'
import { outgoingOf } from '../../model/send/send-fixture.ts'
import { contentOf, createArea } from '../memory-storage.ts'

/** The storage of a page that has refused nothing yet. */
const storageOf = (options: Omit<Parameters<typeof createOutboxStorage>[0], 'unstored'>) =>
  createOutboxStorage({ ...options, unstored: new Map() })

type Work = (lock: Lock) => Promise<unknown>

/** The locks of a browser. A tab holds its own lock until it is closed. */
function createLocks() {
  const held = new Map<string, string>()
  const lockManagerOf = (tab: string): Pick<LockManager, 'request' | 'query'> => ({
    request: (async (name: string, ...[options, granted]: [Work] | [LockOptions, Work]) => {
      const work = typeof options === 'function' ? options : granted
      held.set(name, tab)
      const result = await work?.({ name, mode: 'exclusive' })
      held.delete(name)
      return result
    }) as LockManager['request'],
    query: async () => ({ held: [...held.keys()].map((name) => ({ name })) }),
  })
  return {
    of: lockManagerOf,
    close: (tab: string) => {
      for (const [name, owner] of held) if (owner === tab) held.delete(name)
    },
  }
}

const [first, second] = [
  outgoingOf({ key: 'k1', createdAt: '2026-03-01T09:00:00.000Z' }),
  outgoingOf({ key: 'k2', createdAt: '2026-03-01T09:00:01.000Z' }),
]

describe('Stored unconfirmed sends', () => {
  const setUp = () => {
    const area = createArea({ token: 'kept' })
    const locks = createLocks()
    const tab = (name: string) => storageOf({ area: () => area, locks: locks.of(name), tab: name })
    return { area, locks, tab }
  }

  it('are restored by the next tab once their own tab is closed, in the order of creation', async () => {
    const { locks, tab } = setUp()
    const before = tab('a')
    before.store('s1', second)
    before.store('s1', first)
    locks.close('a')
    const after = tab('b')
    expect(await after.load({ staffId: 's1' })).toEqual([first, second])
    expect(await tab('c').load({ staffId: 's1' })).toEqual([])
  })

  it('are kept apart from answers to comments, which the next tab restores as they were', async () => {
    const { locks, tab } = setUp()
    const answer = answerOf({ status: 'typed', kind: 'private' })
    tab('a').store('s1', first)
    tab('a').answers.store('s1', answer)
    locks.close('a')
    expect([await tab('b').load({ staffId: 's1' }), await tab('c').answers.load({ staffId: 's1' })]).toEqual([
      [first],
      [answer],
    ])
  })

  it('keep the message that they reply to', async () => {
    const { locks, tab } = setUp()
    const reply = outgoingOf({
      key: 'k1',
      replyTo: { message_id: 'm1', state: 'known', direction: 'incoming', author: null, text: 'Open?' },
    })
    tab('a').store('s1', reply)
    locks.close('a')
    expect(await tab('b').load({ staffId: 's1' })).toEqual([reply])
  })

  it('are left to their tab while it is open', async () => {
    const { tab } = setUp()
    tab('a').store('s1', first)
    expect(await tab('b').load({ staffId: 's1' })).toEqual([])
  })

  it('are restored by the next session of their tab, which still holds its lock', async () => {
    const { tab } = setUp()
    tab('a').store('s1', first)
    const after = tab('a')
    after.store('s1', second)
    expect(await after.load({ staffId: 's1' })).toEqual([first])
    expect(await after.load({ staffId: 's1' })).toEqual([])
  })

  it('of other tabs are counted for a sign-out, which deletes them; those of other people are not', async () => {
    const { tab } = setUp()
    tab('a').store('s1', first)
    tab('b').store('s1', second)
    tab('c').store('s2', outgoingOf({ key: 'k3' }))
    tab('a').answers.store('s1', answerOf({ key: 'k4', status: 'typed' }))
    tab('a').answers.store('s1', answerOf({ key: 'k5', status: 'failed' }))
    expect(['a', 'b', 'c'].map((name) => tab(name).countElsewhere({ staffId: 's1' }))).toEqual([
      { unsent: 1, typed: 0 },
      { unsent: 2, typed: 1 },
      { unsent: 3, typed: 1 },
    ])
    expect(tab('a').countElsewhere({ staffId: 's3' })).toEqual({ unsent: 0, typed: 0 })
    tab('c').forgetAll()
    expect(tab('c').countElsewhere({ staffId: 's1' })).toEqual({ unsent: 0, typed: 0 })
  })

  it('of this tab do not count as left by another tab', async () => {
    const { tab } = setUp()
    const own = tab('a')
    own.store('s1', first)
    expect(await own.load({ staffId: 's1' })).toEqual([])
  })

  it('of another person are removed, and other keys stay unchanged', async () => {
    const { area, locks, tab } = setUp()
    tab('a').store('s2', first)
    locks.close('a')
    expect([await tab('b').load({ staffId: 's1' }), contentOf(area)]).toEqual([[], { token: 'kept' }])
  })

  it('can be replaced, removed one by one, and removed all at once', () => {
    const { area, tab } = setUp()
    const own = tab('a')
    own.store('s1', first)
    own.store('s1', { ...first, status: 'failed' })
    own.store('s1', second)
    expect(Object.keys(contentOf(area)).length).toBe(3)
    own.forget('k2')
    expect(Object.values(contentOf(area)).filter((json) => json.includes('"failed"')).length).toBe(1)
    own.forgetAll()
    expect(contentOf(area)).toEqual({ token: 'kept' })
  })

  it('with a status of another version of the page are restored as unconfirmed', async () => {
    const { area, locks, tab } = setUp()
    tab('a').store('s1', first)
    locks.close('a')
    for (const [key, value] of Object.entries(contentOf(area)))
      area.setItem(key, value.replace(`"status":"${first.status}"`, '"status":"unfound"'))
    expect(await tab('b').load({ staffId: 's1' })).toEqual([{ ...first, status: 'unconfirmed' }])
  })

  it('that are unreadable are removed', async () => {
    const area = createArea({ 'staff-inbox.outbox.k1': '{"staffId":', 'staff-inbox.outbox.k2': '{}' })
    const storage = storageOf({ area: () => area, tab: 'a' })
    expect([await storage.load({ staffId: 's1' }), contentOf(area)]).toEqual([[], {}])
  })

  it('are restored without locks, which an insecure origin lacks', async () => {
    const area = createArea()
    storageOf({ area: () => area, tab: 'a' }).store('s1', first)
    expect(await storageOf({ area: () => area, tab: 'b' }).load({ staffId: 's1' })).toEqual([first])
  })

  it('stay stored if a tab that hangs blocks the others, which stop waiting', async () => {
    const { area, tab } = setUp()
    tab('a').store('s1', first)
    const before = contentOf(area)
    const hung = {
      request: ((_: string, { signal }: LockOptions) =>
        new Promise((_, reject) =>
          signal?.addEventListener('abort', () => reject(signal.reason)),
        )) as LockManager['request'],
      query: async () => ({ held: [] }),
    }
    const storage = storageOf({ area: () => area, locks: hung, lockLimit: 1, tab: 'b' })
    expect([await storage.load({ staffId: 's1' }), contentOf(area)]).toEqual([[], before])
  })

  const forbidden = () => {
    throw new Error('forbidden')
  }
  const fullArea = () => Object.assign(createArea(), { setItem: forbidden })

  it.each([
    ['is blocked', forbidden],
    ['is full', fullArea],
  ])('are kept for the next session of the page if storage %s, for the same person alone', async (_, area) => {
    const unstored = new Map<string, string>()
    const session = () => createOutboxStorage({ area, tab: 'a', unstored })
    const before = session()
    for (const one of [second, first]) before.store('s1', one)
    expect(await before.load({ staffId: 's1' })).toEqual([])
    expect(await session().load({ staffId: 's1' })).toEqual([first, second])
    session().forget(first.key)
    expect(await session().load({ staffId: 's1' })).toEqual([second])
    session().forgetAll()
    expect(await session().load({ staffId: 's1' })).toEqual([])
    before.store('s1', first)
    expect(await session().load({ staffId: 's2' })).toEqual([])
    expect(await session().load({ staffId: 's1' })).toEqual([])
  })

  it('that storage refused are kept apart from answers that storage refused', async () => {
    const unstored = new Map<string, string>()
    const session = () => createOutboxStorage({ area: fullArea, tab: 'a', unstored })
    const answer = answerOf({ key: 'k9', status: 'typed' })
    session().answers.store('s1', answer)
    session().store('s1', first)
    expect(await session().load({ staffId: 's1' })).toEqual([first])
    expect(await session().answers.load({ staffId: 's1' })).toEqual([answer])
  })

  it('have their newest state, which storage refused, and leave the memory once storage takes them', async () => {
    const area = createArea()
    const { setItem } = area
    const unstored = new Map<string, string>()
    const session = () => createOutboxStorage({ area: () => area, tab: 'a', unstored })
    session().store('s1', first)
    area.setItem = forbidden
    const failed: Outgoing = { ...first, status: 'failed', failure: 'No answer' }
    session().store('s1', failed)
    expect(await session().load({ staffId: 's1' })).toEqual([failed])
    area.setItem = setItem
    expect(await session().load({ staffId: 's1' })).toEqual([failed])
    expect([...unstored]).toEqual([])
    expect(await session().load({ staffId: 's1' })).toEqual([failed])
  })
})
