import { describe, expect, it } from 'vitest'
import { recipientOf } from '../../../src/domain/send/outgoing.ts'
import {
  selectClientOrders,
  selectClientProfile,
  selectConversationId,
  selectHasFailed,
  selectHasOlder,
  selectIsInvalidated,
  selectIsLoading,
  selectIsLoadingOlder,
  selectIsNotFound,
  selectIsSaved,
  selectMessages,
  selectSendRoute,
  selectSummaries,
  selectUnread,
  selectUnreadFrom,
  threadMachine,
} from '../../../src/machines/thread/thread.ts'
import { at, conversationOf, messageOf } from '../../domain/message-fixture.ts'
import { createCoverage, settled } from '../harness.ts'
import { failures, pageOf, range, startThread } from './thread-fixture.ts'

const coverage = createCoverage(threadMachine)
const start = (input: Parameters<typeof startThread>[0] = {}) => startThread(input, coverage.inspect)
const names = (seconds: readonly number[]) => seconds.map((second) => `m${second}`)

const showing = async (page = pageOf([1, 2]), input: Parameters<typeof startThread>[0] = {}) => {
  const sut = start(input)
  await sut.load.resolve(page)
  return sut
}

const network = { kind: 'error', text: 'Network error. Please check your connection.' }
const denied = { kind: 'error', text: 'Access denied. You do not have permission to perform this action.' }
const loadFailed = { kind: 'error', text: 'Failed to load messages' }
const resyncDone = { type: 'resync.done', from: 'thread' }
const readEvent = { type: 'conversation.read', id: 'ana' }
const incoming = (id: string, seconds: number) => messageOf(id, seconds)

describe('a thread that an earlier start saved', () => {
  const read = { is_read: true }
  const saved = {
    conversationId: 'ana',
    messages: [messageOf('m1', 1, read), messageOf('m2', 2, read)],
    hasOlder: true,
  }
  const shown = (sut: ReturnType<typeof start>) => ({
    content: sut.content(),
    ids: sut.ids(),
    isSaved: selectIsSaved(sut.snapshot()),
  })

  it('is shown at once, then loses deleted messages and gains new ones with the answer', async () => {
    const sut = start({ saved })
    expect(shown(sut)).toEqual({ content: 'saved', ids: ['m1', 'm2'], isSaved: true })
    await sut.load.resolve(pageOf([1, 3]))
    expect(shown(sut)).toEqual({ content: { showing: 'idle' }, ids: ['m1', 'm3'], isSaved: false })
    expect(sut.load.inputs()).toEqual([{ conversationId: 'ana', pageId: null, page: 1 }])
  })

  it('marks nothing as read before the answer', async () => {
    const sut = start({ saved: { ...saved, messages: [messageOf('m1', 1)] } })
    expect(sut.read.calls).toEqual([])
    await sut.load.resolve({ messages: [messageOf('m1', 1)], hasMore: false })
    expect(sut.read.calls).toHaveLength(1)
  })

  it('pages back to a known message if more than one page is new', async () => {
    const sut = start({ saved })
    await sut.load.resolve(pageOf(range(53, 102), true))
    expect(sut.content()).toEqual({ showing: { resyncing: 'fetching' } })
    await sut.load.resolve(pageOf(range(53, 102), true))
    await sut.load.resolve(pageOf(range(2, 52), true))
    expect(shown(sut)).toEqual({
      content: { showing: 'idle' },
      ids: ['m1', ...names(range(2, 102))],
      isSaved: false,
    })
  })

  it('applies realtime changes, and loads older messages once it is current', async () => {
    const sut = start({ saved })
    sut.insert(messageOf('m3', 3, read))
    sut.tell({ type: 'older.requested' })
    expect(shown(sut)).toEqual({ content: 'saved', ids: ['m1', 'm2', 'm3'], isSaved: true })
    await sut.load.resolve(pageOf([1, 2], true))
    expect([sut.content(), sut.ids()]).toEqual([{ showing: 'loadingOlder' }, ['m1', 'm2', 'm3']])
  })

  it('fetches again when a catch-up is requested meanwhile, and acknowledges it', async () => {
    const sut = start({ saved })
    sut.tell({ type: 'resync.requested' })
    expect(sut.load.calls).toHaveLength(2)
    await sut.load.resolve(pageOf([1, 2]))
    expect([sut.content(), sut.session]).toEqual([{ showing: 'idle' }, [resyncDone]])
  })

  it('stays while fetching fails, and is retried', async () => {
    const sut = start({ saved })
    await sut.load.reject(failures.noAnswer)
    expect(shown(sut)).toEqual({ content: { failed: 'waiting' }, ids: ['m1', 'm2'], isSaved: true })
    sut.clock.increment(2_000)
    expect(sut.content()).toBe('saved')
    await sut.load.reject(failures.refused)
    expect([sut.content(), selectIsInvalidated(sut.snapshot())]).toEqual([{ failed: 'refused' }, true])
  })

  it('goes away if the conversation was deleted', async () => {
    const sut = start({ saved })
    await sut.load.reject(failures.notThere)
    await sut.find.resolve(null)
    expect([sut.content(), selectConversationId(sut.snapshot())]).toEqual(['notFound', null])
  })
})

describe('opening a conversation', () => {
  it('asks for its newest messages and shows them', async () => {
    const sut = start()
    expect([sut.content(), selectIsLoading(sut.snapshot()), selectMessages(sut.snapshot())]).toEqual([
      'loading',
      true,
      [],
    ])
    await sut.load.resolve(pageOf([1, 2]))
    expect(sut.load.inputs()).toEqual([{ conversationId: 'ana', pageId: null, page: 1 }])
    expect([sut.content(), sut.ids(), selectIsLoading(sut.snapshot()), selectHasOlder(sut.snapshot())]).toEqual([
      { showing: 'idle' },
      ['m1', 'm2'],
      false,
      false,
    ])
    expect([sut.toasts, sut.session, sut.read.calls.length]).toEqual([[], [], 0])
    expect(sut.fetched()).toEqual([['m1', 'm2']])
  })

  it('asks for the messages of the filtered page alone, and takes in no others', async () => {
    const sut = await showing(pageOf([1]), { pageId: 'p1' })
    sut.insert(messageOf('other', 5, { page_id: 'p2', is_read: true }), messageOf('same', 6, { is_read: true }))
    expect([sut.load.inputs(), sut.ids()]).toEqual([[{ conversationId: 'ana', pageId: 'p1', page: 1 }], ['m1', 'same']])
  })

  it('shows all messages where the person never wrote to the filtered page, linked to or chosen', async () => {
    const sut = await showing(pageOf([1]), { pageId: 'p9' })
    sut.insert(messageOf('other', 5, { page_id: 'p2', is_read: true }))
    expect([sut.load.inputs(), sut.ids()]).toEqual([
      [{ conversationId: 'ana', pageId: null, page: 1 }],
      ['m1', 'other'],
    ])
    const linked = start({ conversation: null, id: 'ana', pageId: 'p9' })
    await linked.find.resolve(conversationOf())
    expect(linked.load.inputs()).toEqual([{ conversationId: 'ana', pageId: null, page: 1 }])
  })

  it('asks by the fb user id where there is no primary one', () => {
    const sut = start({ conversation: conversationOf({ primary_user_id: null }) })
    expect(sut.load.inputs()).toEqual([{ conversationId: 'ana-p1', pageId: null, page: 1 }])
  })

  it('keeps what comes in while they are on their way', async () => {
    const sut = start()
    sut.insert(messageOf('m3', 3, { is_read: true }))
    sut.tell({ type: 'messages.changed', changes: [{ type: 'DELETE', messageId: 'm1' }] })
    await sut.load.resolve(pageOf([1, 2]))
    expect(sut.ids()).toEqual(['m2', 'm3'])
  })

  it('says once that it failed, and tries again by itself after 2 and 4 s', async () => {
    const sut = start()
    await sut.load.reject(failures.badAnswer)
    expect([sut.content(), selectHasFailed(sut.snapshot())]).toEqual([{ failed: 'waiting' }, true])
    sut.clock.increment(1_999)
    expect(sut.content()).toEqual({ failed: 'waiting' })
    sut.clock.increment(1)
    await sut.load.reject(failures.noAnswer)
    sut.clock.increment(4_000)
    await sut.load.resolve(pageOf([1]))
    expect([sut.ids(), sut.toasts]).toEqual([['m1'], [loadFailed]])
  })

  it('asks again for what was refused when the person does', async () => {
    const sut = start()
    await sut.load.reject(failures.refused)
    sut.clock.increment(600_000)
    expect([sut.content(), sut.toasts, sut.load.calls.length]).toEqual([{ failed: 'refused' }, [denied], 1])
    sut.tell({ type: 'refetch.requested' })
    await sut.load.resolve(pageOf([1]))
    expect(sut.ids()).toEqual(['m1'])
  })

  it('stops what it asked for when it is left', () => {
    const sut = start()
    sut.actor.stop()
    expect(sut.load.last().signal.aborted).toBe(true)
  })
})

describe('a link to a conversation the list does not hold', () => {
  const link = { id: 'ana-p1', conversation: null }

  it('finds the conversation, then its messages', async () => {
    const sut = start(link)
    expect([sut.content(), selectIsLoading(sut.snapshot()), selectConversationId(sut.snapshot())]).toEqual([
      'finding',
      true,
      null,
    ])
    await sut.find.resolve(conversationOf())
    await sut.load.resolve(pageOf([1]))
    expect([sut.find.inputs(), sut.load.inputs(), selectConversationId(sut.snapshot()), sut.ids()]).toEqual([
      [{ id: 'ana-p1' }],
      [{ conversationId: 'ana', pageId: null, page: 1 }],
      'ana',
      ['m1'],
    ])
    expect(sut.row('ana')).toEqual(conversationOf())
    sut.tell({
      type: 'message.sent',
      conversationId: 'ana',
      message: messageOf('temp_k1', 9, { direction: 'outgoing' }),
    })
    expect(sut.ids()).toEqual(['m1', 'temp_k1'])
  })

  it('that leads nowhere says so, and looks again when asked', async () => {
    const sut = start(link)
    await sut.find.resolve(null)
    expect([sut.content(), selectIsNotFound(sut.snapshot()), sut.toasts]).toEqual(['notFound', true, []])
    sut.tell({ type: 'refetch.requested' })
    await sut.find.resolve(null)
    sut.tell({ type: 'resync.requested' })
    await sut.find.resolve(null)
    expect([sut.content(), sut.find.calls.length, sut.session]).toEqual(['notFound', 3, [resyncDone]])
    sut.fetch(conversationOf())
    expect(sut.content()).toBe('loading')
  })

  it('is looked for again after a failure that may pass', async () => {
    const sut = start(link)
    await sut.find.reject(failures.noAnswer)
    expect([sut.content(), sut.toasts]).toEqual([{ failed: 'waiting' }, [network]])
    sut.clock.increment(2_000)
    await sut.find.reject(failures.refused)
    expect([sut.content(), sut.toasts]).toEqual([{ failed: 'refused' }, [network, denied]])
  })

  it('catches up with its first answer', async () => {
    const sut = start(link)
    sut.tell({ type: 'resync.requested' })
    expect(sut.find.calls.map((call) => call.signal.aborted)).toEqual([true, false])
    await sut.find.resolve(conversationOf())
    await sut.load.resolve(pageOf([1]))
    expect(sut.session).toEqual([resyncDone])
  })
})

describe('changes', () => {
  it('show at once where they belong', async () => {
    const sut = await showing()
    sut.insert(
      messageOf('m3', 3, { is_read: true }),
      messageOf('ben', 4, { primary_user_id: 'ben', fb_user_id: 'ben-p1' }),
    )
    sut.tell({ type: 'messages.changed', changes: [{ type: 'DELETE', messageId: 'm1' }] })
    expect(sut.ids()).toEqual(['m2', 'm3'])
  })

  it('put the row of a sent message in the place of the temporary one', async () => {
    const sut = await showing()
    const sent = messageOf('temp_k1', 9, { direction: 'outgoing', is_read: true, idempotency_key: 'k1' })
    sut.tell({ type: 'message.sent', conversationId: 'ana', message: sent, realMessageId: 'm9' })
    expect(sut.ids()).toEqual(['m1', 'm2', 'temp_k1'])
    sut.insert(messageOf('m9', 9, { direction: 'outgoing', is_read: true }))
    expect(sut.ids()).toEqual(['m1', 'm2', 'm9'])
  })

  it('leave a message that was sent to somebody else out', async () => {
    const sut = await showing(pageOf([1]))
    sut.tell({
      type: 'message.sent',
      conversationId: 'ben',
      message: messageOf('temp_k1', 9, { direction: 'outgoing' }),
    })
    expect(sut.ids()).toEqual(['m1'])
  })

  it('show a message in a filtered thread that was sent from another page', async () => {
    const sut = await showing(pageOf([1]), { pageId: 'p2' })
    sut.tell({
      type: 'message.sent',
      conversationId: 'ana',
      message: messageOf('temp_k1', 9, { direction: 'outgoing' }),
    })
    expect(sut.ids()).toEqual(['m1', 'temp_k1'])
  })
})

describe('what a message would go out by', () => {
  const asked = (sut: ReturnType<typeof start>) => selectSendRoute(sut.snapshot())?.getSnapshot().context.asked

  it('is asked of the conversation that is open', async () => {
    const sut = await showing()
    sut.tell({ type: 'route.requested', pageId: 'p1' })
    expect(asked(sut)).toEqual({ recipient: recipientOf(conversationOf()), chosenPageId: 'p1' })
  })

  const wroteWhile = (sut: ReturnType<typeof start>) => {
    sut.insert(incoming('m3', 3))
    return selectSendRoute(sut.snapshot())?.getSnapshot().value
  }

  it.each([
    ['rests', () => {}],
    ['loads older messages', (sut: ReturnType<typeof start>) => sut.tell({ type: 'older.requested' })],
    ['catches up', (sut: ReturnType<typeof start>) => sut.tell({ type: 'resync.requested' })],
  ])('is looked up again after the person wrote while the thread %s', async (_doing, begin) => {
    const sut = await showing(pageOf([1, 2], true))
    sut.tell({ type: 'route.requested', pageId: 'p1' })
    await settled()
    begin(sut)
    expect(wroteWhile(sut)).toBe('debouncing')
  })

  it.each([
    ['is on its way', async () => {}],
    ['did not come', (sut: ReturnType<typeof start>) => sut.load.reject(failures.refused)],
  ])('is looked up again after the person wrote while the thread %s', async (_doing, begin) => {
    const sut = start()
    sut.tell({ type: 'route.requested', pageId: 'p1' })
    await begin(sut)
    await settled()
    expect(wroteWhile(sut)).toBe('debouncing')
  })

  it('follows the page that the conversation is known by', async () => {
    const sut = await showing()
    const moved = { ...conversationOf(), page_id: 'p2', psid: 'psid-2' }
    sut.tell({ type: 'route.requested', pageId: 'p2' })
    sut.fetch(moved)
    expect(asked(sut)).toEqual({ recipient: recipientOf(moved), chosenPageId: 'p2' })
  })

  it('is asked of nobody while the conversation is not known', () => {
    const sut = start({ id: 'ana', conversation: null })
    sut.tell({ type: 'route.requested', pageId: null })
    expect(asked(sut)).toBe(null)
  })
})

describe('what is new', () => {
  const unread = {
    messages: [messageOf('m1', 1, { is_read: true }), incoming('m2', 2), incoming('m3', 3)],
    hasMore: false,
  }
  const from = (sut: ReturnType<typeof start>) => selectUnreadFrom(sut.snapshot())

  it('begins with the first that nobody had read, also once it is marked as read', async () => {
    const sut = await showing(unread)
    await sut.read.resolve()
    sut.insert(incoming('m4', 4))
    expect([from(sut), selectUnread(sut.snapshot())]).toEqual(['m2', 0])
  })

  it('is nothing where all was read, and after an answer', async () => {
    const sut = await showing(pageOf([1]))
    const before = from(sut)
    const answered = await showing(unread)
    answered.tell({
      type: 'message.sent',
      conversationId: 'ana',
      message: messageOf('temp_k', 9, { direction: 'outgoing' }),
    })
    expect([before, from(answered)]).toEqual([null, null])
  })

  it('begins after the last answer of staff, and is nothing where that came last', async () => {
    const answer = messageOf('m4', 4, { direction: 'outgoing', is_read: true })
    const automatic = messageOf('m6', 6, { direction: 'outgoing', is_read: true, idempotency_key: 'auto-reply:m5' })
    const answered = await showing({ messages: [incoming('m2', 2), answer], hasMore: false })
    const since = await showing({ messages: [incoming('m2', 2), answer, incoming('m5', 5), automatic], hasMore: false })
    expect([from(answered), from(since)]).toEqual([null, 'm5'])
  })

  it.each([
    ['nobody looked', () => {}],
    [
      'nobody looked and the thread caught up',
      (sut: ReturnType<typeof start>) => sut.tell({ type: 'resync.requested' }),
    ],
  ])('begins with what came while %s', async (_doing, begin) => {
    const sut = await showing(unread)
    await sut.read.resolve()
    sut.tell({ type: 'tab.hidden' })
    begin(sut)
    sut.insert(incoming('m4', 4))
    sut.insert(incoming('m5', 5))
    sut.tell({ type: 'tab.shown' })
    expect([from(sut), selectUnread(sut.snapshot())]).toEqual(['m4', 0])
  })
})

describe('older messages', () => {
  const newest = () => showing(pageOf(range(101, 150), true))

  it('are asked for once, and put before the others', async () => {
    const sut = await newest()
    sut.tell({ type: 'older.requested' })
    sut.tell({ type: 'older.requested' })
    expect([selectIsLoadingOlder(sut.snapshot()), sut.pages()]).toEqual([true, [1, 2]])
    await sut.load.resolve(pageOf(range(51, 100), true))
    expect([sut.ids(), selectIsLoadingOlder(sut.snapshot()), sut.pages()]).toEqual([
      names(range(51, 150)),
      false,
      [1, 2],
    ])
  })

  it('are not asked for where there are none', async () => {
    const sut = await showing(pageOf([1, 2]))
    sut.tell({ type: 'older.requested' })
    expect([sut.content(), sut.pages()]).toEqual([{ showing: 'idle' }, [1]])
  })

  it('are asked for further back where a page brings nothing new', async () => {
    const sut = await newest()
    sut.tell({ type: 'older.requested' })
    await sut.load.resolve(pageOf(range(101, 150), true))
    expect([sut.content(), sut.pages()]).toEqual([{ showing: 'loadingOlder' }, [1, 2, 3]])
    await sut.load.resolve(pageOf(range(90, 100)))
    expect([sut.ids(), selectHasOlder(sut.snapshot())]).toEqual([names(range(90, 150)), false])
  })

  it('leave what comes in meanwhile where it is', async () => {
    const sut = await newest()
    sut.tell({ type: 'older.requested' })
    sut.insert(messageOf('m151', 151, { is_read: true }))
    await sut.load.resolve(pageOf(range(51, 100), true))
    expect(sut.ids()).toEqual(names(range(51, 151)))
  })

  it('come after one look at the page before, where something was deleted meanwhile, be it elsewhere', async () => {
    const sut = await newest()
    sut.tell({ type: 'older.requested' })
    sut.tell({ type: 'messages.changed', changes: [{ type: 'DELETE', messageId: 'of-another-thread' }] })
    await sut.load.resolve(pageOf(range(51, 100), true))
    await sut.load.resolve(pageOf(range(101, 150), true))
    await sut.load.resolve(pageOf(range(51, 100), true))
    expect([sut.content(), sut.pages(), sut.ids()]).toEqual([{ showing: 'idle' }, [1, 2, 1, 2], names(range(51, 150))])
  })

  it('that cannot be had are told of, and asked for again by the person', async () => {
    const sut = await newest()
    sut.tell({ type: 'older.requested' })
    await sut.load.reject(failures.badAnswer)
    expect([sut.content(), sut.toasts, sut.ids()]).toEqual([{ showing: 'idle' }, [loadFailed], names(range(101, 150))])
    sut.tell({ type: 'older.requested' })
    expect(sut.pages()).toEqual([1, 2, 2])
  })

  it('wait while the thread catches up, and come after', async () => {
    const sut = await newest()
    sut.tell({ type: 'older.requested' })
    sut.tell({ type: 'resync.requested' })
    expect([sut.load.calls[1]?.signal.aborted, sut.pages()]).toEqual([true, [1, 2, 1]])
    await sut.load.resolve(pageOf(range(101, 150), true))
    expect([sut.content(), sut.pages(), sut.session]).toEqual([{ showing: 'loadingOlder' }, [1, 2, 1, 2], [resyncDone]])
  })
})

describe('catching up', () => {
  it('merges the newest messages and answers the session', async () => {
    const sut = await showing(pageOf([1, 2, 3]))
    sut.tell({ type: 'resync.requested' })
    expect(sut.session).toEqual([])
    sut.insert(messageOf('m5', 5, { is_read: true }))
    await sut.load.resolve(pageOf([1, 3, 4]))
    expect([sut.ids(), sut.session, sut.content()]).toEqual([
      ['m1', 'm3', 'm4', 'm5'],
      [resyncDone],
      { showing: 'idle' },
    ])
  })

  it('pages back to a message that is known', async () => {
    const sut = await showing(pageOf(range(1, 10)))
    sut.tell({ type: 'resync.requested' })
    await sut.load.resolve(pageOf(range(41, 90), true))
    expect([sut.pages(), sut.session]).toEqual([[1, 1, 2], []])
    await sut.load.resolve(pageOf(range(1, 40)))
    expect([sut.ids(), sut.session]).toEqual([names(range(1, 90)), [resyncDone]])
  })

  it('goes on to what was held before, where an earlier one was broken off', async () => {
    const sut = await showing(pageOf(range(1, 10)))
    sut.tell({ type: 'resync.requested' })
    await sut.load.resolve(pageOf(range(41, 90), true))
    await sut.load.reject(failures.noAnswer)
    sut.insert(messageOf('m91', 91, { is_read: true }))
    sut.clock.increment(2_000)
    await sut.load.resolve(pageOf(range(42, 91), true))
    sut.tell({ type: 'resync.requested' })
    await sut.load.resolve(pageOf(range(42, 91), true))
    expect([sut.pages(), sut.session]).toEqual([[1, 1, 2, 1, 2, 1, 2], []])
    await sut.load.resolve(pageOf(range(1, 41)))
    expect([sut.ids(), sut.session]).toEqual([names(range(1, 91)), [resyncDone]])
  })

  it('goes on to what was held before, where the conversation had to be looked up', async () => {
    const sut = await showing(pageOf(range(1, 10)))
    sut.tell({ type: 'resync.requested' })
    await sut.load.reject(failures.notThere)
    await sut.find.resolve(conversationOf())
    await sut.load.resolve(pageOf(range(41, 90), true))
    await sut.load.resolve(pageOf(range(41, 90), true))
    await sut.load.resolve(pageOf(range(1, 40)))
    expect([sut.pages(), sut.ids(), sut.content()]).toEqual([[1, 1, 1, 1, 2], names(range(1, 90)), { showing: 'idle' }])
  })

  it('begins anew where it is asked for again', async () => {
    const sut = await showing()
    sut.tell({ type: 'resync.requested' })
    sut.tell({ type: 'resync.requested' })
    expect(sut.load.calls.map((call) => call.signal.aborted)).toEqual([false, true, false])
    await sut.load.resolve(pageOf([1, 2, 3]))
    expect([sut.ids(), sut.session]).toEqual([['m1', 'm2', 'm3'], [resyncDone]])
  })

  it('is tried again after a failure that may pass, and says so once', async () => {
    const sut = await showing()
    sut.tell({ type: 'resync.requested' })
    await sut.load.reject(failures.noAnswer)
    sut.clock.increment(2_000)
    await sut.load.reject(failures.noAnswer)
    sut.clock.increment(4_000)
    await sut.load.resolve(pageOf([1, 2, 3]))
    expect([sut.ids(), sut.toasts, sut.session]).toEqual([['m1', 'm2', 'm3'], [network], [resyncDone]])
  })

  it('that is refused leaves what is shown as invalidated, and answers only when a later try succeeds', async () => {
    const sut = await showing()
    sut.tell({ type: 'resync.requested' })
    await sut.load.reject(failures.refused)
    expect([sut.ids(), sut.toasts, sut.session]).toEqual([['m1', 'm2'], [denied], []])
    expect([sut.content(), selectIsInvalidated(sut.snapshot())]).toEqual([{ showing: 'invalidated' }, true])
    sut.clock.increment(2_000)
    await sut.load.reject(failures.refused)
    sut.clock.increment(3_999)
    expect([sut.pages(), sut.toasts, sut.session]).toEqual([[1, 1, 1], [denied], []])
    sut.clock.increment(1)
    await sut.load.resolve(pageOf([1, 2, 3]))
    expect([sut.ids(), sut.toasts, sut.session]).toEqual([['m1', 'm2', 'm3'], [denied], [resyncDone]])
  })

  it('looks a conversation up once whose messages are there but for a page further back, and then waits', async () => {
    const sut = await showing(pageOf(range(1, 50)))
    sut.tell({ type: 'resync.requested' })
    const page = async () => {
      await sut.load.resolve(pageOf(range(101, 150), true))
      await sut.load.reject(failures.notThere)
    }
    await page()
    await sut.find.resolve(conversationOf())
    await page()
    expect([sut.find.calls.length, sut.content()]).toEqual([1, { showing: 'invalidated' }])
  })

  it('of a conversation that is gone says so, and keeps nobody waiting', async () => {
    const sut = await showing()
    sut.tell({ type: 'resync.requested' })
    await sut.load.reject(failures.notThere)
    expect([sut.content(), sut.find.inputs()]).toEqual(['finding', [{ id: 'ana' }]])
    await sut.find.resolve(null)
    expect([selectIsNotFound(sut.snapshot()), selectConversationId(sut.snapshot())]).toEqual([true, null])
    expect([sut.session, sut.toasts]).toEqual([[resyncDone], []])
  })

  it('whose messages are not there though the conversation is, is refused', async () => {
    const sut = start()
    await sut.load.reject(failures.notThere)
    await sut.find.resolve(conversationOf())
    await sut.load.reject(failures.notThere)
    expect([sut.content(), sut.toasts]).toEqual([
      { failed: 'refused' },
      [{ kind: 'error', text: 'API endpoint not found: GET /facebook/conversations/ana/messages' }],
    ])
    sut.tell({ type: 'refetch.requested' })
    await sut.load.resolve(pageOf([1]))
    sut.tell({ type: 'refetch.requested' })
    await sut.load.reject(failures.notThere)
    expect(sut.content()).toBe('finding')
  })

  it('that is refused after the conversation was found again leaves what is shown as invalidated until it is asked for', async () => {
    const sut = await showing()
    const shown = () => [sut.content(), sut.ids(), selectIsInvalidated(sut.snapshot())]
    sut.tell({ type: 'resync.requested' })
    await sut.load.reject(failures.notThere)
    await sut.find.resolve(conversationOf())
    await sut.load.reject(failures.refused)
    expect(shown()).toEqual([{ failed: 'refused' }, ['m1', 'm2'], true])
    sut.tell({ type: 'refetch.requested' })
    await sut.load.resolve(pageOf([1, 2, 3]))
    expect(shown()).toEqual([{ showing: 'idle' }, ['m1', 'm2', 'm3'], false])
  })

  it('of a thread that never came is a failure, and outdates nothing', async () => {
    const sut = start()
    await sut.load.reject(failures.refused)
    expect([selectHasFailed(sut.snapshot()), selectIsInvalidated(sut.snapshot())]).toEqual([true, false])
  })

  it('is tried again no sooner than the server asks for', async () => {
    const sut = await showing()
    sut.tell({ type: 'resync.requested' })
    await sut.load.reject(failures.tooMany)
    sut.clock.increment(6_999)
    expect(sut.load.calls.length).toBe(2)
    sut.clock.increment(1)
    expect(sut.load.calls.length).toBe(3)
  })

  it('that was refused is made good when a person asks again', async () => {
    const sut = await showing()
    sut.tell({ type: 'refetch.requested' })
    await sut.load.reject(failures.refused)
    sut.clock.increment(600_000)
    sut.insert(messageOf('m4', 4))
    expect([sut.ids(), selectIsInvalidated(sut.snapshot())]).toEqual([['m1', 'm2', 'm4'], true])
    sut.tell({ type: 'refetch.requested' })
    await sut.load.resolve(pageOf([1, 2, 3, 4]))
    expect([sut.ids(), selectIsInvalidated(sut.snapshot())]).toEqual([['m1', 'm2', 'm3', 'm4'], false])
  })

  it('is part of a first load that is under way', async () => {
    const sut = start()
    sut.tell({ type: 'resync.requested' })
    expect(sut.load.calls.map((call) => call.signal.aborted)).toEqual([true, false])
    await sut.load.resolve(pageOf([1]))
    expect([sut.ids(), sut.session]).toEqual([['m1'], [resyncDone]])
  })

  it('tries a failed load again, and answers only when that has come', async () => {
    const sut = start()
    await sut.load.reject(failures.refused)
    sut.clock.increment(600_000)
    sut.tell({ type: 'resync.requested' })
    expect([sut.content(), sut.session]).toEqual(['loading', []])
    await sut.load.reject(failures.refused)
    expect([sut.content(), sut.session, sut.toasts]).toEqual([{ failed: 'refused' }, [], [denied]])
    sut.clock.increment(4_000)
    await sut.load.resolve(pageOf([1]))
    expect([sut.ids(), sut.session]).toEqual([['m1'], [resyncDone]])
  })

  it('can be asked for by a person, without the session hearing of it', async () => {
    const sut = await showing()
    sut.tell({ type: 'refetch.requested' })
    await sut.load.resolve(pageOf([1, 2, 3]))
    expect([sut.ids(), sut.session]).toEqual([['m1', 'm2', 'm3'], []])
  })
})

describe('marking as read', () => {
  const unreadPage = { messages: [incoming('m1', 1)], hasMore: false }
  const areRead = (sut: ReturnType<typeof startThread>) =>
    selectMessages(sut.snapshot()).every((message) => message.is_read)

  it('happens when a conversation with unread messages is opened', async () => {
    const sut = start({ conversation: conversationOf({ unread_messages: 3 }), pageId: 'p1' })
    expect([selectUnread(sut.snapshot()), sut.read.calls.length]).toEqual([3, 0])
    await sut.load.resolve(unreadPage)
    expect([sut.read.inputs(), sut.session, selectUnread(sut.snapshot()), areRead(sut)]).toEqual([
      [{ conversationId: 'ana', pageId: 'p1' }],
      [readEvent],
      0,
      true,
    ])
    await sut.read.resolve()
    sut.clock.increment(1_000)
    expect([sut.reading(), sut.read.calls.length]).toEqual(['idle', 1])
  })

  it('happens at once when a message comes in while it is looked at', async () => {
    const sut = await showing()
    sut.insert(incoming('m3', 3))
    expect([sut.reading(), sut.read.calls.length, areRead(sut), sut.session]).toEqual(['marking', 1, true, [readEvent]])
  })

  it('of a stream is one call at first and one a second after, while nothing of it is ever unread here', async () => {
    const sut = await showing()
    let unread = 0
    for (let second = 3; second < 103; second += 1) {
      sut.insert(incoming(`m${second}`, second))
      unread = Math.max(unread, selectUnread(sut.snapshot()))
      if (second === 10) await sut.read.resolve()
      sut.clock.increment(10)
    }
    expect([unread, sut.read.calls.length]).toEqual([0, 1])
    sut.clock.increment(1_000)
    expect(sut.read.calls.length).toBe(2)
    await sut.read.resolve()
    sut.clock.increment(600_000)
    expect([sut.reading(), sut.read.calls.length]).toEqual(['idle', 2])
  })

  it('of what came in while the call was under way is made good once, a second after it', async () => {
    const sut = await showing()
    sut.insert(incoming('m3', 3))
    sut.insert(incoming('m4', 4))
    expect([sut.read.calls.length, areRead(sut), sut.session]).toEqual([1, true, [readEvent, readEvent]])
    await sut.read.resolve()
    sut.clock.increment(999)
    expect([sut.reading(), sut.read.calls.length]).toEqual(['throttled', 1])
    sut.clock.increment(1)
    expect([sut.reading(), sut.read.calls.length]).toEqual(['marking', 2])
  })

  it('is not put off where a person asks', async () => {
    const sut = await showing(unreadPage)
    await sut.read.resolve()
    sut.tell({ type: 'read.requested' })
    expect([sut.reading(), sut.read.calls.length]).toEqual(['marking', 2])
  })

  it('waits until the tab is seen', async () => {
    const sut = await showing(unreadPage, { visible: false })
    expect([sut.reading(), selectUnread(sut.snapshot()), sut.read.calls.length]).toEqual(['idle', 1, 0])
    sut.tell({ type: 'tab.shown' })
    await sut.read.resolve()
    sut.tell({ type: 'tab.hidden' })
    sut.insert(incoming('m3', 3))
    expect([sut.read.calls.length, selectUnread(sut.snapshot())]).toEqual([1, 1])
  })

  it('happens when the person asks', async () => {
    const sut = await showing(unreadPage, { visible: false })
    sut.tell({ type: 'read.requested' })
    expect([sut.read.calls.length, selectUnread(sut.snapshot())]).toEqual([1, 0])
    await sut.read.reject(failures.refused)
    expect([sut.toasts, sut.reading(), selectUnread(sut.snapshot())]).toEqual([[denied], 'throttled', 0])
  })

  it('that was refused is offered again once the row is unread again, and says why each time it is asked for', async () => {
    const sut = await showing(unreadPage)
    await sut.read.reject(failures.refused)
    expect([sut.row('ana')?.unread_messages, sut.toasts]).toEqual([0, [denied]])
    sut.fetch(conversationOf({ unread_messages: 1 }))
    expect([sut.row('ana')?.unread_messages, sut.read.calls.length]).toEqual([1, 1])
    sut.tell({ type: 'read.requested' })
    expect([sut.row('ana')?.unread_messages, sut.read.calls.length]).toEqual([0, 2])
    await sut.read.reject(failures.refused)
    expect(sut.toasts).toEqual([denied, denied])
  })

  it.each([
    [failures.noAnswer, network],
    [failures.badAnswer, { kind: 'error', text: 'Failed to mark as read' }],
    [failures.refused, denied],
  ])('that a person asks for while it is under way is another call, whose failure is told', async (error, toast) => {
    const sut = await showing(unreadPage)
    sut.tell({ type: 'read.requested' })
    expect([sut.reading(), sut.read.calls.length]).toEqual(['marking', 2])
    await sut.read.reject(error)
    expect(sut.toasts).toEqual([toast])
  })

  it('that fails by itself says nothing though a person asked for the call before', async () => {
    const sut = await showing(unreadPage)
    sut.tell({ type: 'read.requested' })
    sut.insert(incoming('m9', 9))
    await sut.read.resolve()
    sut.clock.increment(1_000)
    expect(sut.read.calls.length).toBe(3)
    await sut.read.reject(failures.noAnswer)
    expect([sut.reading(), sut.toasts]).toEqual(['waiting', []])
  })

  it('that is refused by itself says so once', async () => {
    const sut = await showing(unreadPage)
    await sut.read.reject(failures.refused)
    sut.insert(incoming('m3', 3))
    sut.clock.increment(1_000)
    await sut.read.reject(failures.refused)
    expect([sut.read.calls.length, sut.toasts]).toEqual([2, [denied]])
  })

  it('waits until a message that came in out of sight is seen', async () => {
    const sut = await showing()
    sut.tell({ type: 'end.left' })
    sut.insert(incoming('m3', 3))
    expect([sut.read.calls.length, selectUnread(sut.snapshot()), areRead(sut)]).toEqual([0, 1, false])
    sut.tell({ type: 'end.seen' })
    expect([sut.read.calls.length, selectUnread(sut.snapshot()), areRead(sut)]).toEqual([1, 0, true])
  })

  it('that fails leaves nothing unread here, says nothing, and is tried again after 30 s', async () => {
    const sut = await showing(unreadPage)
    await sut.read.reject(failures.noAnswer)
    expect([sut.reading(), selectUnread(sut.snapshot()), areRead(sut), sut.toasts]).toEqual(['waiting', 0, true, []])
    sut.clock.increment(29_999)
    expect(sut.read.calls.length).toBe(1)
    sut.clock.increment(1)
    await sut.read.resolve()
    expect([sut.reading(), sut.read.calls.length]).toEqual(['throttled', 2])
  })

  it('waits with what is owed while a message is out of sight, which the call would take as read too', async () => {
    const sut = await showing(unreadPage)
    sut.insert(incoming('m3', 3))
    await sut.read.resolve()
    sut.tell({ type: 'end.left' })
    sut.insert(incoming('m4', 4))
    sut.clock.increment(600_000)
    expect([sut.reading(), sut.read.calls.length, selectUnread(sut.snapshot())]).toEqual(['due', 1, 1])
    sut.tell({ type: 'end.seen' })
    expect([sut.reading(), sut.read.calls.length, areRead(sut)]).toEqual(['marking', 2, true])
  })

  it('does not wait with it where a person asks', async () => {
    const sut = await showing(unreadPage)
    sut.tell({ type: 'end.left' })
    sut.insert(incoming('m3', 3))
    await sut.read.reject(failures.noAnswer)
    sut.clock.increment(30_000)
    expect([sut.reading(), sut.read.calls.length]).toEqual(['due', 1])
    sut.tell({ type: 'read.requested' })
    expect([sut.reading(), sut.read.calls.length, areRead(sut)]).toEqual(['marking', 2, true])
  })

  it('that is due again waits until the tab is seen', async () => {
    const sut = await showing(unreadPage)
    await sut.read.reject(failures.noAnswer)
    sut.tell({ type: 'tab.hidden' })
    sut.clock.increment(30_000)
    expect([sut.reading(), sut.read.calls.length]).toEqual(['due', 1])
    sut.tell({ type: 'tab.shown' })
    expect(sut.read.calls.length).toBe(2)
  })

  it('is tried again a second after the next message, or at once when the person asks', async () => {
    const sut = await showing(unreadPage)
    await sut.read.reject(failures.noAnswer)
    sut.insert(incoming('m3', 3))
    expect([sut.read.calls.length, areRead(sut)]).toEqual([1, true])
    sut.clock.increment(1_000)
    expect(sut.read.calls.length).toBe(2)
    await sut.read.reject(failures.noAnswer)
    sut.tell({ type: 'read.requested' })
    expect(sut.read.calls.length).toBe(3)
    await sut.read.reject(failures.noAnswer)
    expect(sut.toasts).toEqual([network])
  })

  it('of everything is not undone by a refetch that does not know it yet', async () => {
    const sut = await showing(unreadPage)
    await sut.read.resolve()
    sut.tell({ type: 'resync.requested' })
    await sut.load.resolve(unreadPage)
    expect([areRead(sut), sut.read.calls.length]).toEqual([true, 1])
  })

  it('shows when a colleague did it', async () => {
    const sut = await showing(unreadPage, { visible: false })
    sut.tell({
      type: 'messages.changed',
      changes: [{ type: 'UPDATE', record: { ...incoming('m1', 1), is_read: true }, committedAt: at(9) }],
    })
    expect(selectUnread(sut.snapshot())).toBe(0)
  })
})

describe('the client of a conversation', () => {
  const client = (sut: ReturnType<typeof start>) =>
    [selectClientProfile, selectClientOrders].map(
      (select) => select(sut.snapshot())?.getSnapshot().context.request.clientId,
    )
  const linked = (client_id: string | null) => conversationOf({ client_id })

  it('has profile and orders asked for from the start, and anew when it is another or linked just now', () => {
    const sut = start({ conversation: conversationOf({ client_id: 'k1' }) })
    expect([sut.snapshot().value.client, client(sut)]).toEqual(['linked', ['k1', 'k1']])
    const before = selectClientProfile(sut.snapshot())
    sut.fetch(linked('k1'))
    expect(selectClientProfile(sut.snapshot())).toBe(before)
    sut.fetch(linked('k2'))
    expect(client(sut)).toEqual(['k2', 'k2'])
    sut.fetch(linked(null))
    expect([sut.snapshot().value.client, client(sut)]).toEqual(['none', [undefined, undefined]])
    sut.tellRecords({ type: 'users.changed', changes: [{ type: 'UPDATE', row: { id: 'ana-p1', client_id: 'k1' } }] })
    expect([sut.snapshot().value.client, client(sut)]).toEqual(['linked', ['k1', 'k1']])
  })

  it('is who a summary is asked of, and the text fits every platform where the pages are several', () => {
    const sut = start({ conversation: conversationOf({ client_id: 'k1', platform: 'messenger' }) })
    sut.tell({ type: 'summary.requested', kind: 'orders' })
    expect(selectSummaries(sut.snapshot())?.getSnapshot().context.subject).toEqual({
      userId: 'ana',
      clientId: 'k1',
      platform: null,
    })
  })

  it('is missed by a summary where there is none', () => {
    const sut = start()
    sut.tell({ type: 'summary.requested', kind: 'payments' })
    expect(sut.toasts).toEqual([{ kind: 'warning', text: 'No linked client found' }])
  })
})

describe('the tests of the thread', () => {
  it('entered every state, but the one it starts in, which is left before anybody can look', () =>
    expect(coverage.statesMissed().filter((id) => id !== 'thread.content.opening')).toEqual([]))
  it('took every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
