import { describe, expect, it } from 'vitest'
import {
  selectHasFailed,
  selectHasMore,
  selectIsLoading,
  selectIsLoadingMore,
  selectIsRefreshing,
  selectOrder,
  selectQuery,
  selectTotal,
} from '../../../src/machines/list/conversations.ts'
import type { Conversation } from '../../../src/schemas/conversation.ts'
import { faults, inserted, renamed, row, updated } from '../inbox-fixture.ts'
import { beginning, cooling, refreshing, resting, startConversations, whole } from './conversations-fixture.ts'

const all = { search: '', pageId: null, unreadOnly: false }
const loadFailed = { kind: 'error', text: 'Failed to load conversations' }
const moreFailed = { kind: 'error', text: 'Failed to load more conversations' }
const network = { kind: 'error', text: 'Network error. Please check your connection.' }

/** 25 rows: a first result page of 20 and a second one of 5. */
const rows = (from: number, count: number): Conversation[] =>
  Array.from({ length: count }, (_, index) => row(`c${from - index}`, from - index))
const firstPage = beginning(25, ...rows(25, 20))

async function shownList(answer = whole(row('c2', 20), row('c1', 10))) {
  const sut = startConversations()
  await sut.top.resolve(answer)
  return sut
}

describe('the conversation list when the inbox opens', () => {
  it('fetches the first result page without filters and shows it', async () => {
    const sut = startConversations()
    expect(sut.state()).toBe('loading')
    expect(selectIsLoading(sut.actor.getSnapshot())).toBe(true)
    await sut.top.resolve(whole(row('c2', 20), row('c1', 10)))
    const shown = sut.actor.getSnapshot()
    expect(sut.state()).toEqual(resting)
    expect(sut.top.inputs()).toEqual([{ query: all, count: 20 }])
    expect([selectOrder(shown), selectTotal(shown), selectIsLoading(shown), selectHasMore(shown)]).toEqual([
      ['c2', 'c1'],
      2,
      false,
      false,
    ])
    expect(sut.row('c1')).toEqual(row('c1', 10))
    expect(sut.toasts).toEqual([])
  })

  it('reports a failure once, and retries after 2, 4 and 8 s', async () => {
    const sut = startConversations()
    await sut.top.reject(faults.badAnswer)
    expect(sut.state()).toEqual({ failed: 'waiting' })
    expect(selectHasFailed(sut.actor.getSnapshot())).toBe(true)
    for (const delay of [2_000, 4_000, 8_000]) {
      sut.clock.increment(delay - 1)
      expect(sut.state()).toEqual({ failed: 'waiting' })
      sut.clock.increment(1)
      expect(sut.state()).toBe('loading')
      await sut.top.reject(faults.unavailable)
    }
    expect(sut.toasts).toEqual([loadFailed])
  })

  it('does not retry a refused fetch by itself, but does when staff ask', async () => {
    const sut = startConversations()
    await sut.top.reject(faults.refused)
    expect(sut.toasts).toEqual([{ kind: 'error', text: 'No such filter' }])
    sut.clock.increment(600_000)
    expect(sut.top.calls.length).toBe(1)
    sut.send({ type: 'refetch.requested' })
    await sut.top.resolve(whole(row('c1', 10)))
    expect(sut.state()).toEqual(resting)
    expect(sut.shown()).toEqual(['c1'])
  })
})

describe('a change of what clients owe', () => {
  it('is fetched for all loaded rows, once a second at most, and moves them', async () => {
    const sut = startConversations()
    const [later, sooner] = [row('c2', 20), row('c1', 10)]
    await sut.top.resolve(firstPage)
    sut.send({ type: 'more.requested' })
    await sut.page.resolve(whole(...rows(5, 5)))
    sut.send({ type: 'clientData.changed', clientIds: null })
    expect(sut.top.inputs().at(-1)).toEqual({ query: all, count: 25 })
    await sut.top.resolve(whole(later, sooner))
    sut.send({ type: 'clientData.changed', clientIds: null })
    expect([sut.state(), sut.top.calls.length]).toEqual([cooling, 2])
    sut.clock.increment(1_000)
    await sut.top.resolve(whole({ ...sooner, outstanding: 120_000 }, later))
    expect([sut.shown(), sut.row('c1')?.outstanding]).toEqual([['c1', 'c2'], 120_000])
  })

  it('is fetched too if it happened while the list or a result page was loading', async () => {
    for (const pending of ['list', 'page'] as const) {
      const sut = startConversations()
      if (pending === 'page') {
        await sut.top.resolve(firstPage)
        sut.send({ type: 'more.requested' })
      }
      sut.send({ type: 'clientData.changed', clientIds: null })
      if (pending === 'page') await sut.page.resolve(whole(...rows(5, 5)))
      await sut.top.resolve(firstPage)
      sut.clock.increment(1_000)
      expect([pending, sut.top.calls.length, sut.state()]).toEqual([pending, pending === 'list' ? 2 : 3, refreshing])
    }
  })
})

describe('the order of Waiting', () => {
  it('by amounts is fetched after a change of any client, and otherwise after that of a shown client alone', async () => {
    const sut = await shownList(whole(row('c2', 20, { client_id: 'k2' }), row('c1', 10)))
    sut.send({ type: 'clientData.changed', clientIds: ['k1'] })
    expect([sut.state(), sut.top.calls.length]).toEqual([resting, 1])
    sut.send({ type: 'filter.chosen', filter: { order: 'urgent' } })
    await sut.top.resolve(whole(row('c2', 20, { client_id: 'k2' })))
    sut.send({ type: 'clientData.changed', clientIds: ['k1'] })
    expect(sut.top.calls.length).toBe(3)
  })

  it('is chosen like a filter: the rows are fetched again, and rows move by it', async () => {
    const sut = startConversations()
    await sut.top.resolve(whole(row('c1', 10)))
    sut.send({ type: 'filter.chosen', filter: { order: 'urgent' } })
    sut.send({ type: 'filter.chosen', filter: { order: 'urgent' } })
    expect([sut.state(), sut.top.inputs().map(({ query }) => query.order)]).toEqual(['loading', [undefined, 'urgent']])
    sut.send({ type: 'filter.chosen', filter: { order: undefined } })
    expect(sut.top.inputs().at(-1)).toEqual({ query: { ...all, order: undefined }, count: 20 })
  })
})

describe('a search or a filter', () => {
  it('takes a search of 200 characters and ignores a longer one', async () => {
    const sut = await shownList()
    const longest = 'm'.repeat(200)
    sut.send({ type: 'search.typed', text: ` ${longest} ` })
    sut.send({ type: 'search.typed', text: `${longest}n` })
    sut.clock.increment(500)
    expect(sut.top.inputs().slice(1)).toEqual([{ query: { ...all, search: ` ${longest} ` }, count: 20 }])
  })

  it('fetches 500 ms after the last key press', async () => {
    const sut = await shownList()
    sut.send({ type: 'search.typed', text: 'm' })
    sut.clock.increment(499)
    sut.send({ type: 'search.typed', text: 'ma' })
    sut.clock.increment(499)
    expect(sut.state()).toBe('debouncing')
    expect(sut.top.calls.length).toBe(1)
    sut.clock.increment(1)
    expect(sut.top.inputs().slice(1)).toEqual([{ query: { ...all, search: 'ma' }, count: 20 }])
    expect(sut.shown()).toEqual(['c2', 'c1'])
    await sut.top.resolve(whole(row('c1', 10)))
    expect(sut.shown()).toEqual(['c1'])
    expect(selectQuery(sut.actor.getSnapshot())).toEqual({ ...all, search: 'ma' })
  })

  it('aborts the fetch of an earlier query and ignores its answer', async () => {
    const sut = startConversations()
    sut.send({ type: 'page.chosen', pageId: 'p1' })
    sut.send({ type: 'unreadOnly.chosen', unreadOnly: true })
    sut.send({ type: 'page.chosen', pageId: 'p2' })
    const [first, second, third, last] = sut.top.calls
    expect([first, second, third, last].map((call) => call?.signal.aborted)).toEqual([true, true, true, false])
    await sut.top.resolve(whole(row('c1', 10)))
    third?.resolve(whole(row('c9', 90)))
    first?.resolve(whole(row('c8', 80)))
    expect(sut.shown()).toEqual(['c1'])
    expect(last?.input.query).toEqual({ search: '', pageId: 'p2', unreadOnly: true })
  })

  it('does not fetch a query that is already shown', async () => {
    const sut = await shownList()
    sut.send({ type: 'search.typed', text: '' })
    sut.send({ type: 'page.chosen', pageId: null })
    sut.send({ type: 'unreadOnly.chosen', unreadOnly: false })
    sut.send({ type: 'query.opened', query: all })
    expect(sut.state()).toEqual(resting)
    expect(sut.top.calls.length).toBe(1)
  })

  it('aborts a result page or a refetch that is under way', async () => {
    const sut = await shownList(firstPage)
    sut.send({ type: 'more.requested' })
    sut.send({ type: 'list.invalidated' })
    sut.send({ type: 'page.chosen', pageId: 'p1' })
    expect([sut.page.last().signal.aborted, sut.top.calls[1]?.signal.aborted]).toEqual([true, true])
    expect(sut.state()).toBe('loading')
  })

  it('keeps the earlier rows on the screen if its fetch fails', async () => {
    const sut = await shownList()
    sut.send({ type: 'page.chosen', pageId: 'p1' })
    await sut.top.reject(faults.noAnswer)
    expect(sut.state()).toEqual({ failed: 'waiting' })
    expect(sut.shown()).toEqual(['c2', 'c1'])
    expect(sut.toasts).toEqual([network])
  })
})

describe('a request for more rows', () => {
  it('fetches the next result page of 20 rows once and appends it', async () => {
    const sut = await shownList(firstPage)
    expect(selectHasMore(sut.actor.getSnapshot())).toBe(true)
    sut.send({ type: 'more.requested' })
    sut.send({ type: 'more.requested' })
    expect(selectIsLoadingMore(sut.actor.getSnapshot())).toBe(true)
    expect(sut.page.inputs()).toEqual([{ query: all, page: 2 }])
    await sut.page.resolve({ rows: rows(5, 5), hasNext: false, total: 25 })
    expect(sut.shown()).toEqual(rows(25, 25).map((each) => each.primary_user_id))
    expect(selectHasMore(sut.actor.getSnapshot())).toBe(false)
    sut.send({ type: 'more.requested' })
    expect(sut.page.calls.length).toBe(1)
  })

  it('reports a failure, keeps the rows, and can be repeated', async () => {
    const sut = await shownList(firstPage)
    sut.send({ type: 'more.requested' })
    await sut.page.reject(faults.badAnswer)
    expect(sut.toasts).toEqual([moreFailed])
    expect(sut.shown().length).toBe(20)
    sut.send({ type: 'more.requested' })
    await sut.page.resolve({ rows: rows(5, 5), hasNext: false, total: 25 })
    expect(sut.shown().length).toBe(25)
  })

  it('keeps the later rows through a refetch', async () => {
    const sut = await shownList(firstPage)
    sut.send({ type: 'more.requested' })
    sut.send({ type: 'list.invalidated' })
    await sut.page.resolve({ rows: rows(5, 5), hasNext: false, total: 25 })
    await sut.top.resolve(beginning(26, row('c26', 60), ...rows(25, 19)))
    expect(sut.shown()).toEqual(['c26', ...rows(25, 25).map((each) => each.primary_user_id)])
    expect(sut.state()).toEqual(cooling)
  })

  it('counts the rows that could not be parsed, because the server counts them in its result pages', async () => {
    const top = { ...beginning(60, ...rows(60, 19)), unreadable: 1 }
    const sut = await shownList(top)
    sut.send({ type: 'more.requested' })
    await sut.page.resolve({ rows: rows(40, 19), unreadable: 1, hasNext: true, total: 60 })
    sut.send({ type: 'list.invalidated' })
    await sut.top.resolve(top)
    sut.clock.increment(1_000)
    sut.send({ type: 'more.requested' })
    await sut.page.reject(faults.badAnswer)
    sut.send({ type: 'refetch.requested' })
    expect([sut.page.inputs().map(({ page }) => page), sut.top.last().input.count]).toEqual([[2, 3], 40])
    await sut.top.resolve(beginning(59, ...rows(60, 39)))
    sut.send({ type: 'more.requested' })
    expect(sut.page.last().input.page).toBe(2)
  })

  it('causes no further fetch for a change during the fetch of an earlier result page', async () => {
    const sut = await shownList(beginning(45, ...rows(45, 20)))
    sut.send({ type: 'more.requested' })
    sut.send({ type: 'list.invalidated' })
    await sut.top.resolve(beginning(45, ...rows(45, 20)))
    await sut.page.resolve({ rows: rows(25, 20), hasNext: true, total: 45 })
    sut.clock.increment(1_000)
    await sut.top.resolve(beginning(45, ...rows(45, 40)))
    sut.clock.increment(1_000)
    const asked = sut.top.calls.length
    sut.send({ type: 'more.requested' })
    await sut.page.resolve({ rows: rows(5, 5), hasNext: false, total: 45 })
    expect([sut.top.calls.length - asked, sut.shown().length]).toEqual([0, 45])
  })

  it('is followed by a fetch of all loaded rows if something changed during the request', async () => {
    const sut = await shownList(firstPage)
    sut.send({ type: 'more.requested' })
    sut.send({ type: 'messages.changed', changes: [inserted('c25', 50)] })
    await sut.top.resolve(beginning(25, row('c25', 50), ...rows(24, 19)))
    await sut.page.resolve({ rows: rows(5, 5), hasNext: false, total: 25 })
    sut.clock.increment(1_000)
    expect(sut.top.inputs().slice(1)).toEqual([
      { query: all, count: 20 },
      { query: all, count: 25 },
    ])
  })
})

describe('the conversation list during changes', () => {
  it('refetches at once, and only once more for all changes within the next second', async () => {
    const sut = await shownList()
    for (let minute = 30; minute < 50; minute += 1)
      sut.send({ type: 'messages.changed', changes: [inserted('c1', minute)] })
    expect(sut.top.calls.length).toBe(2)
    await sut.top.resolve(whole(row('c1', 30), row('c2', 20)))
    sut.send({ type: 'messages.changed', changes: [inserted('c1', 51)] })
    sut.clock.increment(999)
    expect(sut.top.calls.length).toBe(2)
    sut.clock.increment(1)
    expect(sut.top.calls.length).toBe(3)
    await sut.top.resolve(whole(row('c1', 51), row('c2', 20)))
    sut.clock.increment(600_000)
    expect(sut.state()).toEqual(resting)
    expect(sut.top.calls.length).toBe(3)
  })

  it('shows a message in its row before the server answers', async () => {
    const sut = await shownList()
    sut.send({ type: 'messages.changed', changes: [inserted('c1', 30, { message_text: 'hello' })] })
    expect(sut.shown()).toEqual(['c1', 'c2'])
    expect(sut.row('c1')).toMatchObject({ last_message_text: 'hello', unread_messages: 1 })
    expect(selectIsRefreshing(sut.actor.getSnapshot())).toBe(true)
  })

  it('keeps the objects of the rows that did not change', async () => {
    const sut = await shownList()
    const before = sut.row('c2')
    sut.send({ type: 'messages.changed', changes: [inserted('c1', 30)] })
    await sut.top.resolve(whole(row('c1', 30), row('c2', 20)))
    expect(sut.row('c2')).toBe(before)
  })

  it('shows the new name of a person at once', async () => {
    const sut = await shownList()
    sut.send({ type: 'users.changed', changes: [renamed('u1', 'Maria')] })
    expect(sut.row('c1')).toMatchObject({ unified_name: 'Maria', client_id: 'k1' })
    expect(sut.state()).toEqual(refreshing)
  })

  it('shows no unread messages in a conversation that was marked as read', async () => {
    const sut = await shownList(whole(row('c1', 10, { unread_messages: 7 })))
    sut.send({ type: 'conversation.read', id: 'c1' })
    expect(sut.row('c1')).toEqual(row('c1', 10))
    expect(sut.top.calls.length).toBe(1)
  })

  it('keeps a row read under "unread only" in its place until another row is read or the query changes', async () => {
    const sut = await shownList()
    sut.send({ type: 'unreadOnly.chosen', unreadOnly: true })
    const unread = (id: string, minute: number) => row(id, minute, { unread_messages: 1 })
    await sut.top.resolve(whole(unread('c3', 30), unread('c2', 20), unread('c1', 10)))
    const refreshWith = async (...rows: Conversation[]) => {
      sut.send({ type: 'refetch.requested' })
      await sut.top.resolve(whole(...rows))
      return sut.shown()
    }
    sut.send({ type: 'conversation.read', id: 'u2' })
    sut.send({ type: 'messages.changed', changes: [updated('c2', 20, { is_read: true })] })
    expect(await refreshWith(unread('c3', 30), unread('c1', 10))).toEqual(['c3', 'c2', 'c1'])
    expect(sut.state()).toEqual(cooling)
    expect(sut.row('c2')).toEqual(row('c2', 20))

    sut.send({ type: 'conversation.read', id: 'c3' })
    expect(await refreshWith(unread('c1', 10))).toEqual(['c3', 'c1'])
    sut.send({ type: 'search.typed', text: 'c' })
    sut.clock.increment(500)
    await sut.top.resolve(whole(unread('c1', 10)))
    expect(sut.shown()).toEqual(['c1'])
    expect(await refreshWith(unread('c1', 10))).toEqual(['c1'])
  })

  it('drops a row that was read if the answer lacks it and the list is not limited to unread', async () => {
    const sut = await shownList()
    sut.send({ type: 'conversation.read', id: 'c2' })
    sut.send({ type: 'refetch.requested' })
    await sut.top.resolve(whole(row('c1', 10)))
    expect(sut.shown()).toEqual(['c1'])
  })

  it('fetches all loaded rows after a change that may concern a later result page', async () => {
    const sut = await shownList(firstPage)
    sut.send({ type: 'more.requested' })
    await sut.page.resolve({ rows: rows(5, 5), hasNext: false, total: 25 })
    sut.send({ type: 'messages.changed', changes: [updated('c2', 2, { is_read: true })] })
    expect(sut.top.last().input).toEqual({ query: all, count: 25 })
  })

  it('fetches all loaded rows after a row of the first result page was removed', async () => {
    const sut = await shownList(firstPage)
    sut.send({ type: 'more.requested' })
    await sut.page.resolve({ rows: rows(5, 5), hasNext: false, total: 25 })
    sut.send({ type: 'list.invalidated' })
    await sut.top.resolve(beginning(24, ...rows(24, 20)))
    sut.clock.increment(1_000)
    expect(
      sut.top
        .inputs()
        .slice(1)
        .map(({ count }) => count),
    ).toEqual([20, 24])
  })

  it('keeps its rows when a refetch fails, reports the failure once, and retries', async () => {
    const sut = await shownList()
    sut.send({ type: 'list.invalidated' })
    await sut.top.reject(faults.unavailable)
    sut.clock.increment(2_000)
    await sut.top.reject(faults.unavailable)
    expect(sut.shown()).toEqual(['c2', 'c1'])
    expect(sut.toasts).toEqual([loadFailed])
    sut.clock.increment(4_000)
    await sut.top.resolve(whole(row('c3', 30)))
    expect(sut.shown()).toEqual(['c3'])
    expect(sut.state()).toEqual(cooling)
  })

  it('fetches again everything that a failed refetch was to fetch', async () => {
    const sut = await shownList(firstPage)
    sut.send({ type: 'more.requested' })
    await sut.page.resolve({ rows: rows(5, 5), hasNext: false, total: 25 })
    sut.send({ type: 'refetch.requested' })
    await sut.top.reject(faults.noAnswer)
    sut.clock.increment(2_000)
    expect(sut.top.inputs().map(({ count }) => count)).toEqual([20, 25, 25])
  })

  it('fetches at once after an event if the first load failed', async () => {
    const sut = startConversations()
    await sut.top.reject(faults.refused)
    sut.send({ type: 'list.invalidated' })
    expect([sut.state(), sut.top.calls.length]).toEqual(['loading', 2])
  })

  it('reports a failed attempt to staff who asked during it or right after a refusal', async () => {
    const sut = await shownList()
    sut.send({ type: 'list.invalidated' })
    await sut.top.reject(faults.unavailable)
    sut.clock.increment(2_000)
    sut.send({ type: 'refetch.requested' })
    await sut.top.reject(faults.unavailable)
    expect(sut.toasts.length).toBe(2)
    sut.clock.increment(4_000)
    await sut.top.reject(faults.refused)
    expect([sut.state(), sut.toasts.length]).toEqual([cooling, 3])
    sut.send({ type: 'refetch.requested' })
    await sut.top.reject(faults.unavailable)
    expect(sut.toasts.length).toBe(4)
  })

  it('reports each failure of a request by staff, and not those of automatic attempts', async () => {
    const sut = await shownList()
    sut.send({ type: 'list.invalidated' })
    await sut.top.reject(faults.unavailable)
    sut.send({ type: 'refetch.requested' })
    expect([sut.state(), selectIsRefreshing(sut.actor.getSnapshot())]).toEqual([refreshing, true])
    await sut.top.reject(faults.unavailable)
    sut.clock.increment(4_000)
    await sut.top.reject(faults.unavailable)
    expect([sut.top.calls.length, sut.toasts]).toEqual([4, [loadFailed, loadFailed]])
    expect(selectIsRefreshing(sut.actor.getSnapshot())).toBe(false)
  })

  it('does not retry a refused fetch by itself, and reports no later refusal', async () => {
    const sut = await shownList()
    sut.send({ type: 'list.invalidated' })
    await sut.top.reject(faults.unavailable)
    sut.send({ type: 'refetch.requested' })
    await sut.top.reject(faults.refused)
    sut.clock.increment(60_000)
    expect([sut.state(), sut.top.calls.length, sut.toasts.length]).toEqual([resting, 3, 2])
    sut.send({ type: 'list.invalidated' })
    await sut.top.reject(faults.unavailable)
    expect(sut.toasts.length).toBe(2)
  })

  it('reports the repeated failure of a first load to staff who asked for it', async () => {
    const sut = startConversations()
    await sut.top.reject(faults.unavailable)
    sut.clock.increment(2_000)
    await sut.top.reject(faults.unavailable)
    sut.send({ type: 'refetch.requested' })
    expect(selectIsRefreshing(sut.actor.getSnapshot())).toBe(true)
    await sut.top.reject(faults.unavailable)
    expect(sut.toasts).toEqual([loadFailed, loadFailed])
  })

  it('retries no sooner than the server allows', async () => {
    const sut = await shownList()
    sut.send({ type: 'refetch.requested' })
    await sut.top.reject(faults.tooMany)
    expect(sut.toasts).toEqual([{ kind: 'error', text: 'Too many requests. Please try again later.' }])
    sut.clock.increment(6_999)
    expect(sut.top.calls.length).toBe(2)
    sut.clock.increment(1)
    expect(sut.top.calls.length).toBe(3)
  })

  it('refetches at once when staff ask, even right after another refetch', async () => {
    const sut = await shownList()
    sut.send({ type: 'refetch.requested' })
    await sut.top.resolve(whole(row('c1', 10)))
    sut.send({ type: 'refetch.requested' })
    expect(sut.state()).toEqual(refreshing)
    expect(sut.top.calls.length).toBe(3)
  })
})

describe('a resync of the conversation list', () => {
  const done = { type: 'resync.done', from: 'conversations' }

  it('is acknowledged when a fetch that began after the request is answered', async () => {
    const sut = await shownList()
    sut.send({ type: 'list.invalidated' })
    sut.send({ type: 'resync.requested' })
    expect(sut.top.calls[1]?.signal.aborted).toBe(true)
    expect(sut.reports).toEqual([])
    await sut.top.resolve(whole(row('c1', 10)))
    expect(sut.reports).toEqual([done])
  })

  it('is acknowledged once, and only if it was requested', async () => {
    const sut = await shownList()
    sut.send({ type: 'resync.requested' })
    await sut.top.resolve(whole(row('c1', 10)))
    sut.clock.increment(1_000)
    sut.send({ type: 'list.invalidated' })
    await sut.top.resolve(whole(row('c1', 10)))
    expect(sut.reports).toEqual([done])
  })

  it('is not acknowledged before a fetch succeeds', async () => {
    const sut = await shownList()
    sut.send({ type: 'resync.requested' })
    await sut.top.reject(faults.noAnswer)
    expect(sut.reports).toEqual([])
    sut.clock.increment(2_000)
    await sut.top.resolve(whole(row('c1', 10)))
    expect(sut.reports).toEqual([done])
  })

  it('is retried after a refused refetch until it succeeds, and reports the refusal once', async () => {
    const sut = await shownList()
    sut.send({ type: 'resync.requested' })
    await sut.top.reject(faults.refused)
    sut.clock.increment(2_000)
    await sut.top.reject(faults.refused)
    sut.clock.increment(3_999)
    expect([sut.top.calls.length, sut.reports, sut.toasts.length]).toEqual([3, [], 1])
    sut.clock.increment(1)
    await sut.top.resolve(whole(row('c1', 10)))
    expect([sut.top.calls.length, sut.reports, sut.toasts.length]).toEqual([4, [done], 1])
  })

  it('is retried after a refused first load until it succeeds, and reports the refusal once', async () => {
    const sut = startConversations()
    sut.send({ type: 'resync.requested' })
    await sut.top.reject(faults.refused)
    sut.clock.increment(2_000)
    await sut.top.reject(faults.refused)
    sut.clock.increment(4_000)
    expect([sut.top.calls.length, sut.reports, sut.toasts.length]).toEqual([3, [], 1])
    await sut.top.resolve(whole(row('c1', 10)))
    expect(sut.reports).toEqual([done])
  })

  it.each([
    ['has just ended', async (sut: ReturnType<typeof startConversations>) => sut.top.resolve(whole(row('c1', 10)))],
    ['is queued', async (sut: ReturnType<typeof startConversations>) => sut.top.reject(faults.noAnswer)],
  ])('begins at once although a refetch %s', async (_, end) => {
    const sut = await shownList()
    sut.send({ type: 'list.invalidated' })
    await end(sut)
    sut.send({ type: 'resync.requested' })
    expect([sut.state(), sut.top.calls.length]).toEqual([refreshing, 3])
    await sut.top.resolve(whole(row('c1', 10)))
    expect([sut.reports, sut.state()]).toEqual([[done], cooling])
  })

  it('is acknowledged with the answer that follows a failed first load', async () => {
    const sut = startConversations()
    await sut.top.reject(faults.noAnswer)
    sut.send({ type: 'resync.requested' })
    await sut.top.resolve(whole(row('c1', 10)))
    expect([sut.reports, sut.shown()]).toEqual([[done], ['c1']])
  })

  it('during the first load shows its answer, and is acknowledged with the refetch that follows', async () => {
    const sut = startConversations()
    sut.send({ type: 'resync.requested' })
    await sut.top.resolve(whole(row('c1', 10)))
    expect([sut.shown(), sut.reports, sut.state()]).toEqual([['c1'], [], refreshing])
    await sut.top.resolve(whole(row('c2', 20), row('c1', 10)))
    expect([sut.shown(), sut.reports, sut.state()]).toEqual([['c2', 'c1'], [done], cooling])
    expect(sut.top.calls.map((call) => call.signal.aborted)).toEqual([false, false])
  })

  it('during the first load is acknowledged with the first load of another query', async () => {
    const sut = startConversations()
    sut.send({ type: 'resync.requested' })
    sut.send({ type: 'page.chosen', pageId: 'p1' })
    await sut.top.resolve(whole(row('c1', 10)))
    expect([sut.shown(), sut.reports, sut.state()]).toEqual([['c1'], [done], resting])
  })
})
