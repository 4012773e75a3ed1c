import { describe, expect, it } from 'vitest'
import { recipientOf } from '../../../src/domain/send/outgoing.ts'
import type { MessageChange } from '../../../src/domain/shell/changes.ts'
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
import { agent, failures, otherNames, pageOf, range, startThread, viewer } from './thread-fixture.ts'

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

describe('a thread with messages from an earlier start', () => {
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

  it('shows the saved messages at once, then drops deleted messages and adds new ones with the answer', async () => {
    const sut = start({ saved })
    expect(shown(sut)).toEqual({ content: 'saved', ids: ['m1', 'm2'], isSaved: true })
    await sut.load.resolve(pageOf([1, 3]))
    expect(shown(sut)).toEqual({ content: { showing: 'idle' }, ids: ['m1', 'm3'], isSaved: false })
    expect(sut.load.inputs()).toEqual([{ conversationId: 'ana', pageId: null, page: 1 }])
  })

  it('marks no message as read before the answer', async () => {
    const sut = start({ saved: { ...saved, messages: [messageOf('m1', 1)] } })
    expect(sut.read.calls).toEqual([])
    await sut.load.resolve({ messages: [messageOf('m1', 1)], hasMore: false })
    expect(sut.read.calls).toHaveLength(1)
  })

  it('loads older result pages up to a known message if more than one result page is new', async () => {
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

  it('fetches again when a resync is requested during the fetch, and acknowledges the resync', async () => {
    const sut = start({ saved })
    sut.tell({ type: 'resync.requested' })
    expect(sut.load.calls).toHaveLength(2)
    await sut.load.resolve(pageOf([1, 2]))
    expect([sut.content(), sut.session]).toEqual([{ showing: 'idle' }, [resyncDone]])
  })

  it('keeps the saved messages while fetches fail, and retries', async () => {
    const sut = start({ saved })
    await sut.load.reject(failures.noAnswer)
    expect(shown(sut)).toEqual({ content: { failed: 'waiting' }, ids: ['m1', 'm2'], isSaved: true })
    sut.clock.increment(2_000)
    expect(sut.content()).toBe('saved')
    await sut.load.reject(failures.refused)
    expect([sut.content(), selectIsInvalidated(sut.snapshot())]).toEqual([{ failed: 'refused' }, true])
  })

  it('drops the saved messages if the conversation was deleted', async () => {
    const sut = start({ saved })
    await sut.load.reject(failures.notThere)
    await sut.find.resolve(null)
    expect([sut.content(), selectConversationId(sut.snapshot())]).toEqual(['notFound', null])
  })
})

describe('opening a conversation', () => {
  it('fetches its newest messages and shows them', async () => {
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

  it('fetches the messages of the filtered page only, and accepts no others', async () => {
    const sut = await showing(pageOf([1]), { pageId: 'p1' })
    sut.insert(messageOf('other', 5, { page_id: 'p2', is_read: true }), messageOf('same', 6, { is_read: true }))
    expect([sut.load.inputs(), sut.ids()]).toEqual([[{ conversationId: 'ana', pageId: 'p1', page: 1 }], ['m1', 'same']])
  })

  it('shows all messages if the person never wrote to the filtered page, chosen by a link or by staff', async () => {
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

  it('uses the fb user id if the conversation has no primary user id', () => {
    const sut = start({ conversation: conversationOf({ primary_user_id: null }) })
    expect(sut.load.inputs()).toEqual([{ conversationId: 'ana-p1', pageId: null, page: 1 }])
  })

  it('keeps messages that arrive during the fetch', async () => {
    const sut = start()
    sut.insert(messageOf('m3', 3, { is_read: true }))
    sut.tell({ type: 'messages.changed', changes: [{ type: 'DELETE', messageId: 'm1' }] })
    await sut.load.resolve(pageOf([1, 2]))
    expect(sut.ids()).toEqual(['m2', 'm3'])
  })

  it('applies the changes since a prefetched page, then those since its own start', async () => {
    const sut = start()
    const edited = (text: string): MessageChange => ({
      type: 'UPDATE',
      record: messageOf('m2', 2, { message_text: text }),
      committedAt: at(9),
    })
    sut.tell({ type: 'messages.changed', changes: [edited('second edit')] })
    await sut.load.resolve({
      ...pageOf([1, 2]),
      changes: [edited('first edit'), { type: 'DELETE', messageId: 'm1' }],
    })
    expect(selectMessages(sut.snapshot()).map(({ message_text }) => message_text)).toEqual(['second edit'])
  })

  it('reports a failure once, and retries after 2 and 4 s', async () => {
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

  it('repeats a refused fetch when staff ask for a retry', async () => {
    const sut = start()
    await sut.load.reject(failures.refused)
    sut.clock.increment(600_000)
    expect([sut.content(), sut.toasts, sut.load.calls.length]).toEqual([{ failed: 'refused' }, [denied], 1])
    sut.tell({ type: 'refetch.requested' })
    await sut.load.resolve(pageOf([1]))
    expect(sut.ids()).toEqual(['m1'])
  })

  it('aborts its fetches when staff leave the conversation', () => {
    const sut = start()
    sut.actor.stop()
    expect(sut.load.last().signal.aborted).toBe(true)
  })
})

describe('a link to a conversation that is not in the list', () => {
  const link = { id: 'ana-p1', conversation: null }

  it('fetches the conversation, then its messages', async () => {
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

  it('reports that the conversation does not exist, and fetches it again when staff ask', async () => {
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

  it('fetches it again after a temporary failure', async () => {
    const sut = start(link)
    await sut.find.reject(failures.noAnswer)
    expect([sut.content(), sut.toasts]).toEqual([{ failed: 'waiting' }, [network]])
    sut.clock.increment(2_000)
    await sut.find.reject(failures.refused)
    expect([sut.content(), sut.toasts]).toEqual([{ failed: 'refused' }, [network, denied]])
  })

  it('acknowledges a resync with its first answer', async () => {
    const sut = start(link)
    sut.tell({ type: 'resync.requested' })
    expect(sut.find.calls.map((call) => call.signal.aborted)).toEqual([true, false])
    await sut.find.resolve(conversationOf())
    await sut.load.resolve(pageOf([1]))
    expect(sut.session).toEqual([resyncDone])
  })
})

describe('realtime changes', () => {
  it('appear at once in the thread they belong to', async () => {
    const sut = await showing()
    sut.insert(
      messageOf('m3', 3, { is_read: true }),
      messageOf('ben', 4, { primary_user_id: 'ben', fb_user_id: 'ben-p1' }),
    )
    sut.tell({ type: 'messages.changed', changes: [{ type: 'DELETE', messageId: 'm1' }] })
    expect(sut.ids()).toEqual(['m2', 'm3'])
  })

  it('replace the temporary message with the row of the sent message', async () => {
    const sut = await showing()
    const sent = messageOf('temp_k1', 9, { direction: 'outgoing', is_read: true, idempotency_key: 'k1' })
    sut.tell({ type: 'message.sent', conversationId: 'ana', message: sent, realMessageId: 'm9' })
    expect(sut.ids()).toEqual(['m1', 'm2', 'temp_k1'])
    sut.insert(messageOf('m9', 9, { direction: 'outgoing', is_read: true }))
    expect(sut.ids()).toEqual(['m1', 'm2', 'm9'])
  })

  it('leave out a message that was sent to another person', async () => {
    const sut = await showing(pageOf([1]))
    sut.tell({
      type: 'message.sent',
      conversationId: 'ben',
      message: messageOf('temp_k1', 9, { direction: 'outgoing' }),
    })
    expect(sut.ids()).toEqual(['m1'])
  })

  it('show a message in a filtered thread although it was sent from another page', async () => {
    const sut = await showing(pageOf([1]), { pageId: 'p2' })
    sut.tell({
      type: 'message.sent',
      conversationId: 'ana',
      message: messageOf('temp_k1', 9, { direction: 'outgoing' }),
    })
    expect(sut.ids()).toEqual(['m1', 'temp_k1'])
  })
})

describe('the send route', () => {
  const asked = (sut: ReturnType<typeof start>) => selectSendRoute(sut.snapshot())?.getSnapshot().context.asked

  it('is requested for the open conversation', async () => {
    const sut = await showing()
    sut.tell({ type: 'route.requested', pageId: 'p1' })
    expect(asked(sut)).toEqual({ recipient: recipientOf(conversationOf()), chosenPageId: 'p1' })
  })

  const wroteWhile = (sut: ReturnType<typeof start>) => {
    sut.insert(incoming('m3', 3))
    return selectSendRoute(sut.snapshot())?.getSnapshot().value
  }

  it.each([
    ['is idle', () => {}],
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
    ['is loading', async () => {}],
    ['failed to load', (sut: ReturnType<typeof start>) => sut.load.reject(failures.refused)],
  ])('is looked up again after the person wrote while the thread %s', async (_doing, begin) => {
    const sut = start()
    sut.tell({ type: 'route.requested', pageId: 'p1' })
    await begin(sut)
    await settled()
    expect(wroteWhile(sut)).toBe('debouncing')
  })

  it('follows the page on which the conversation is known', async () => {
    const sut = await showing()
    const moved = { ...conversationOf(), page_id: 'p2', psid: 'psid-2' }
    sut.tell({ type: 'route.requested', pageId: 'p2' })
    sut.fetch(moved)
    expect(asked(sut)).toEqual({ recipient: recipientOf(moved), chosenPageId: 'p2' })
  })

  it('is not requested while the conversation is unknown', () => {
    const sut = start({ id: 'ana', conversation: null })
    sut.tell({ type: 'route.requested', pageId: null })
    expect(asked(sut)).toBe(null)
  })
})

describe('the mark of new messages', () => {
  const unread = {
    messages: [messageOf('m1', 1, { is_read: true }), incoming('m2', 2), incoming('m3', 3)],
    hasMore: false,
  }
  const from = (sut: ReturnType<typeof start>) => selectUnreadFrom(sut.snapshot())

  it('stands before the first unread message, also after the message is marked as read', async () => {
    const sut = await showing(unread)
    await sut.read.resolve()
    sut.insert(incoming('m4', 4))
    expect([from(sut), selectUnread(sut.snapshot())]).toEqual(['m2', 0])
  })

  it('is absent if all messages were read, and after staff answered', async () => {
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

  it('stands after the last answer of staff, and is absent if that answer is the last message', async () => {
    const answer = messageOf('m4', 4, { direction: 'outgoing', is_read: true })
    const automatic = messageOf('m6', 6, { direction: 'outgoing', is_read: true, idempotency_key: 'auto-reply:m5' })
    const answered = await showing({ messages: [incoming('m2', 2), answer], hasMore: false })
    const since = await showing({ messages: [incoming('m2', 2), answer, incoming('m5', 5), automatic], hasMore: false })
    expect([from(answered), from(since)]).toEqual([null, 'm5'])
  })

  it.each([
    ['the tab is hidden', () => {}],
    [
      'the tab is hidden and the thread catches up',
      (sut: ReturnType<typeof start>) => sut.tell({ type: 'resync.requested' }),
    ],
  ])('stands before the first message that arrived while %s', async (_doing, begin) => {
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

  it('are fetched once and placed before the others', async () => {
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

  it('are not fetched if there are none', async () => {
    const sut = await showing(pageOf([1, 2]))
    sut.tell({ type: 'older.requested' })
    expect([sut.content(), sut.pages()]).toEqual([{ showing: 'idle' }, [1]])
  })

  it('are fetched from further back if a result page contains nothing new', async () => {
    const sut = await newest()
    sut.tell({ type: 'older.requested' })
    await sut.load.resolve(pageOf(range(101, 150), true))
    expect([sut.content(), sut.pages()]).toEqual([{ showing: 'loadingOlder' }, [1, 2, 3]])
    await sut.load.resolve(pageOf(range(90, 100)))
    expect([sut.ids(), selectHasOlder(sut.snapshot())]).toEqual([names(range(90, 150)), false])
  })

  it('do not move messages that arrive during the fetch', async () => {
    const sut = await newest()
    sut.tell({ type: 'older.requested' })
    sut.insert(messageOf('m151', 151, { is_read: true }))
    await sut.load.resolve(pageOf(range(51, 100), true))
    expect(sut.ids()).toEqual(names(range(51, 151)))
  })

  it('follow one fetch of the previous result page if a message was deleted meanwhile, in any thread', async () => {
    const sut = await newest()
    sut.tell({ type: 'older.requested' })
    sut.tell({ type: 'messages.changed', changes: [{ type: 'DELETE', messageId: 'of-another-thread' }] })
    await sut.load.resolve(pageOf(range(51, 100), true))
    await sut.load.resolve(pageOf(range(101, 150), true))
    await sut.load.resolve(pageOf(range(51, 100), true))
    expect([sut.content(), sut.pages(), sut.ids()]).toEqual([{ showing: 'idle' }, [1, 2, 1, 2], names(range(51, 150))])
  })

  it('report a failed fetch, and are fetched again when staff ask', async () => {
    const sut = await newest()
    sut.tell({ type: 'older.requested' })
    await sut.load.reject(failures.badAnswer)
    expect([sut.content(), sut.toasts, sut.ids()]).toEqual([{ showing: 'idle' }, [loadFailed], names(range(101, 150))])
    sut.tell({ type: 'older.requested' })
    expect(sut.pages()).toEqual([1, 2, 2])
  })

  it('wait during a resync and are fetched afterwards', async () => {
    const sut = await newest()
    sut.tell({ type: 'older.requested' })
    sut.tell({ type: 'resync.requested' })
    expect([sut.load.calls[1]?.signal.aborted, sut.pages()]).toEqual([true, [1, 2, 1]])
    await sut.load.resolve(pageOf(range(101, 150), true))
    expect([sut.content(), sut.pages(), sut.session]).toEqual([{ showing: 'loadingOlder' }, [1, 2, 1, 2], [resyncDone]])
  })
})

describe('a resync', () => {
  it('merges the newest messages and acknowledges', async () => {
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

  it('loads older result pages up to a known message', async () => {
    const sut = await showing(pageOf(range(1, 10)))
    sut.tell({ type: 'resync.requested' })
    await sut.load.resolve(pageOf(range(41, 90), true))
    expect([sut.pages(), sut.session]).toEqual([[1, 1, 2], []])
    await sut.load.resolve(pageOf(range(1, 40)))
    expect([sut.ids(), sut.session]).toEqual([names(range(1, 90)), [resyncDone]])
  })

  it('loads up to the messages held before an interrupted resync', async () => {
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

  it('loads up to the messages held before the conversation had to be fetched', async () => {
    const sut = await showing(pageOf(range(1, 10)))
    sut.tell({ type: 'resync.requested' })
    await sut.load.reject(failures.notThere)
    await sut.find.resolve(conversationOf())
    await sut.load.resolve(pageOf(range(41, 90), true))
    await sut.load.resolve(pageOf(range(41, 90), true))
    await sut.load.resolve(pageOf(range(1, 40)))
    expect([sut.pages(), sut.ids(), sut.content()]).toEqual([[1, 1, 1, 1, 2], names(range(1, 90)), { showing: 'idle' }])
  })

  it('restarts when it is requested again', async () => {
    const sut = await showing()
    sut.tell({ type: 'resync.requested' })
    sut.tell({ type: 'resync.requested' })
    expect(sut.load.calls.map((call) => call.signal.aborted)).toEqual([false, true, false])
    await sut.load.resolve(pageOf([1, 2, 3]))
    expect([sut.ids(), sut.session]).toEqual([['m1', 'm2', 'm3'], [resyncDone]])
  })

  it('is retried after a temporary failure, and reports the failure once', async () => {
    const sut = await showing()
    sut.tell({ type: 'resync.requested' })
    await sut.load.reject(failures.noAnswer)
    sut.clock.increment(2_000)
    await sut.load.reject(failures.noAnswer)
    sut.clock.increment(4_000)
    await sut.load.resolve(pageOf([1, 2, 3]))
    expect([sut.ids(), sut.toasts, sut.session]).toEqual([['m1', 'm2', 'm3'], [network], [resyncDone]])
  })

  it('marks the thread as invalidated after a refusal, and acknowledges once a later attempt succeeds', async () => {
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

  it('fetches the conversation only once if its first result page exists and its second does not', async () => {
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

  it('reports that the conversation was deleted, and acknowledges', async () => {
    const sut = await showing()
    sut.tell({ type: 'resync.requested' })
    await sut.load.reject(failures.notThere)
    expect([sut.content(), sut.find.inputs()]).toEqual(['finding', [{ id: 'ana' }]])
    await sut.find.resolve(null)
    expect([selectIsNotFound(sut.snapshot()), selectConversationId(sut.snapshot())]).toEqual([true, null])
    expect([sut.session, sut.toasts]).toEqual([[{ type: 'conversation.gone', id: 'ana' }, resyncDone], []])
  })

  it('is refused if the conversation exists but its messages do not', async () => {
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

  it('leaves the thread invalidated until a refetch if it is refused after the conversation was found', async () => {
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

  it('is not needed after a failed first load: nothing shown is invalidated', async () => {
    const sut = start()
    await sut.load.reject(failures.refused)
    expect([selectHasFailed(sut.snapshot()), selectIsInvalidated(sut.snapshot())]).toEqual([true, false])
  })

  it('is retried no sooner than the server allows', async () => {
    const sut = await showing()
    sut.tell({ type: 'resync.requested' })
    await sut.load.reject(failures.tooMany)
    sut.clock.increment(6_999)
    expect(sut.load.calls.length).toBe(2)
    sut.clock.increment(1)
    expect(sut.load.calls.length).toBe(3)
  })

  it('is made up for by a refetch after a refusal', async () => {
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

  it('replaces a first load that is under way', async () => {
    const sut = start()
    sut.tell({ type: 'resync.requested' })
    expect(sut.load.calls.map((call) => call.signal.aborted)).toEqual([true, false])
    await sut.load.resolve(pageOf([1]))
    expect([sut.ids(), sut.session]).toEqual([['m1'], [resyncDone]])
  })

  it('retries a failed first load, and acknowledges only after it succeeds', async () => {
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

  it('is not acknowledged if staff requested a refetch', async () => {
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

  it('happens when staff open a conversation with unread messages', async () => {
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

  it('is not asked for by a viewer until the permission is granted; the button asks the server', async () => {
    const sut = await showing(unreadPage, { conversation: conversationOf({ unread_messages: 1 }), user: viewer })
    sut.insert(incoming('m3', 3))
    sut.tell({ type: 'tab.shown' })
    expect([sut.read.calls.length, selectUnread(sut.snapshot()), sut.session, sut.toasts]).toEqual([0, 2, [], []])
    sut.tell({ type: 'read.requested' })
    await sut.read.reject(failures.refused)
    expect([sut.read.calls.length, sut.toasts]).toEqual([1, [denied]])
    sut.insert(incoming('m4', 4))
    sut.tell({ type: 'user.confirmed', user: agent })
    sut.clock.increment(1_000)
    expect([sut.read.calls.length, selectUnread(sut.snapshot())]).toEqual([2, 0])
  })

  it('is asked for if the API uses other permission names', async () => {
    const sut = await showing(unreadPage, { user: otherNames })
    expect(sut.read.calls.length).toBe(1)
  })

  it('happens at once when a message arrives while the thread is visible', async () => {
    const sut = await showing()
    sut.insert(incoming('m3', 3))
    expect([sut.reading(), sut.read.calls.length, areRead(sut), sut.session]).toEqual(['marking', 1, true, [readEvent]])
  })

  it('sends one call for a burst of messages and one 1 s later, and never counts the burst as unread', async () => {
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

  it('repeats the call once, 1 s later, for messages that arrived during the call', async () => {
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

  it('is not delayed if staff ask for it', async () => {
    const sut = await showing(unreadPage)
    await sut.read.resolve()
    sut.tell({ type: 'read.requested' })
    expect([sut.reading(), sut.read.calls.length]).toEqual(['marking', 2])
  })

  it('waits until the tab is visible', async () => {
    const sut = await showing(unreadPage, { visible: false })
    expect([sut.reading(), selectUnread(sut.snapshot()), sut.read.calls.length]).toEqual(['idle', 1, 0])
    sut.tell({ type: 'tab.shown' })
    await sut.read.resolve()
    sut.tell({ type: 'tab.hidden' })
    sut.insert(incoming('m3', 3))
    expect([sut.read.calls.length, selectUnread(sut.snapshot())]).toEqual([1, 1])
  })

  it('happens when staff ask for it', async () => {
    const sut = await showing(unreadPage, { visible: false })
    sut.tell({ type: 'read.requested' })
    expect([sut.read.calls.length, selectUnread(sut.snapshot())]).toEqual([1, 0])
    await sut.read.reject(failures.refused)
    expect([sut.toasts, sut.reading(), selectUnread(sut.snapshot())]).toEqual([[denied], 'throttled', 0])
  })

  it('is offered again after a refusal once the row is unread, and reports a refusal each time staff ask', async () => {
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
  ])('sends a second call if staff ask during a call, and reports its failure', async (error, toast) => {
    const sut = await showing(unreadPage)
    sut.tell({ type: 'read.requested' })
    expect([sut.reading(), sut.read.calls.length]).toEqual(['marking', 2])
    await sut.read.reject(error)
    expect(sut.toasts).toEqual([toast])
  })

  it('reports no failure of an automatic call, although staff asked for the call before', async () => {
    const sut = await showing(unreadPage)
    sut.tell({ type: 'read.requested' })
    sut.insert(incoming('m9', 9))
    await sut.read.resolve()
    sut.clock.increment(1_000)
    expect(sut.read.calls.length).toBe(3)
    await sut.read.reject(failures.noAnswer)
    expect([sut.reading(), sut.toasts]).toEqual(['waiting', []])
  })

  it('reports the refusal of automatic calls once', async () => {
    const sut = await showing(unreadPage)
    await sut.read.reject(failures.refused)
    sut.insert(incoming('m3', 3))
    sut.clock.increment(1_000)
    await sut.read.reject(failures.refused)
    expect([sut.read.calls.length, sut.toasts]).toEqual([2, [denied]])
  })

  it('waits until a message below the visible part is visible', async () => {
    const sut = await showing()
    sut.tell({ type: 'end.left' })
    sut.insert(incoming('m3', 3))
    expect([sut.read.calls.length, selectUnread(sut.snapshot()), areRead(sut)]).toEqual([0, 1, false])
    sut.tell({ type: 'end.seen' })
    expect([sut.read.calls.length, selectUnread(sut.snapshot()), areRead(sut)]).toEqual([1, 0, true])
  })

  it('keeps the messages read after a failure, reports nothing, and is retried after 30 s', async () => {
    const sut = await showing(unreadPage)
    await sut.read.reject(failures.noAnswer)
    expect([sut.reading(), selectUnread(sut.snapshot()), areRead(sut), sut.toasts]).toEqual(['waiting', 0, true, []])
    sut.clock.increment(29_999)
    expect(sut.read.calls.length).toBe(1)
    sut.clock.increment(1)
    await sut.read.resolve()
    expect([sut.reading(), sut.read.calls.length]).toEqual(['throttled', 2])
  })

  it('delays a pending call while a message is not visible, because the call would mark that message too', async () => {
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

  it('does not delay the pending call if staff ask', async () => {
    const sut = await showing(unreadPage)
    sut.tell({ type: 'end.left' })
    sut.insert(incoming('m3', 3))
    await sut.read.reject(failures.noAnswer)
    sut.clock.increment(30_000)
    expect([sut.reading(), sut.read.calls.length]).toEqual(['due', 1])
    sut.tell({ type: 'read.requested' })
    expect([sut.reading(), sut.read.calls.length, areRead(sut)]).toEqual(['marking', 2, true])
  })

  it('delays a retry until the tab is visible', async () => {
    const sut = await showing(unreadPage)
    await sut.read.reject(failures.noAnswer)
    sut.tell({ type: 'tab.hidden' })
    sut.clock.increment(30_000)
    expect([sut.reading(), sut.read.calls.length]).toEqual(['due', 1])
    sut.tell({ type: 'tab.shown' })
    expect(sut.read.calls.length).toBe(2)
  })

  it('is retried 1 s after the next message, or at once when staff ask', async () => {
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

  it('is not undone by a refetch whose answer does not contain it yet', async () => {
    const sut = await showing(unreadPage)
    await sut.read.resolve()
    sut.tell({ type: 'resync.requested' })
    await sut.load.resolve(unreadPage)
    expect([areRead(sut), sut.read.calls.length]).toEqual([true, 1])
  })

  it('appears when a colleague marked the message', async () => {
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

  it('has a profile and orders, fetched at the start and when the client changes or is linked', () => {
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

  it('is the subject of a summary, and the text fits every platform if the person has several pages', () => {
    const sut = start({ conversation: conversationOf({ client_id: 'k1', platform: 'messenger' }) })
    sut.tell({ type: 'summary.requested', kind: 'orders' })
    expect(selectSummaries(sut.snapshot())?.getSnapshot().context.request).toEqual({
      kind: 'orders',
      userId: 'ana',
      clientId: 'k1',
      platform: null,
      language: null,
    })
  })

  it('is necessary for a summary', () => {
    const sut = start()
    sut.tell({ type: 'summary.requested', kind: 'payments' })
    expect(sut.toasts).toEqual([{ kind: 'warning', text: 'No linked client found' }])
  })
})

describe('the tests of the thread', () => {
  it('enter every state except the initial one, which is left before a snapshot exists', () =>
    expect(coverage.statesMissed().filter((id) => id !== 'thread.content.opening')).toEqual([]))
  it('take every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
