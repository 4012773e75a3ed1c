import { describe, expect, it } from 'vitest'
import type { AnyEventObject } from 'xstate'
import { type Outgoing, recipientOf } from '../../../src/domain/send/outgoing.ts'
import { type OutboxEvent, outboxMachine } from '../../../src/machines/send/outbox.ts'
import {
  isAccepted,
  selectNotSentText,
  selectOutgoingIn,
  selectSendProblem,
} from '../../../src/machines/send/outbox-selectors.ts'
import { selectUnsent, selectWaiting } from '../../../src/machines/send/unsent.ts'
import type { Message } from '../../../src/schemas/message.ts'
import { at, conversationOf, messageOf } from '../../domain/message-fixture.ts'
import { createCoverage, driverOf, settled } from '../harness.ts'
import { ends, followBeside, type Reference, when } from '../reference.ts'
import { outboxModel, readyOutbox, startOutbox } from './outbox-fixture.ts'
import { failures, moment, outgoingOf } from './send-fixture.ts'

const coverage = createCoverage(outboxMachine)
const ready = () => readyOutbox(coverage.inspect)

const ben = conversationOf({ primary_user_id: 'ben', fb_user_id: 'ben-p1', psid: 'psid-ben-p1' })
const sentToast = { kind: 'success', text: 'Message sent successfully' }
const network = { kind: 'error', text: 'Network error. Please check your connection.' }
const row = (id: string, seconds: number, rest: Partial<Message> = {}) =>
  messageOf(id, seconds, { direction: 'outgoing', is_read: true, message_text: 'hello', ...rest })
const insert = (record: Message) => ({ type: 'messages.changed', changes: [{ type: 'INSERT', record }] }) as const
const temporary = (key: string, text: string, createdAt: string): Message => ({
  message_id: `temp_${key}`,
  id: null,
  fb_user_id: 'ana-p1',
  primary_user_id: 'ana',
  page_id: 'p1',
  page_name: 'Bakery',
  message_text: text,
  direction: 'outgoing',
  is_read: true,
  created_at: createdAt,
  timestamp_fb: createdAt,
  attachments: null,
  idempotency_key: key,
})

describe('a message that staff write', () => {
  it('is accepted, sent, and reported to the session under a temporary id together with its real id', async () => {
    const sut = await ready()
    sut.write('  hello ')
    expect([sut.outgoing(), sut.isSending(), [...sut.stored.keys()]]).toEqual([['k1 pending'], true, ['k1']])
    await sut.identity.resolve({ psid: 'psid-ana-p1' })
    await sut.send.resolve({ messageId: 'm9', createdAt: at(1) })
    expect([sut.outgoing(), sut.isSending(), [...sut.stored.keys()], sut.toasts]).toEqual([[], false, [], [sentToast]])
    expect(sut.session).toEqual([
      {
        type: 'message.sent',
        conversationId: 'ana',
        message: temporary('k1', 'hello', at(1)),
        realMessageId: 'm9',
      },
    ])
  })

  it('is not accepted if it is blank', async () => {
    const sut = await ready()
    sut.write(' \n ', 'd1')
    expect([sut.outgoing(), isAccepted(sut.actor.getSnapshot(), 'd1')]).toEqual([[], false])
  })

  it('is not accepted while a placeholder of a saved reply is left, and is afterwards', async () => {
    const sut = await ready()
    sut.write('Hi ⟦first_name⟧!', 'd1')
    expect([sut.outgoing(), isAccepted(sut.actor.getSnapshot(), 'd1')]).toEqual([[], false])
    sut.write('Hi Ana!', 'd1')
    expect([sut.outgoing(), isAccepted(sut.actor.getSnapshot(), 'd1')]).toEqual([['k1 pending'], true])
  })

  it.each([
    ['messenger', 'x'.repeat(1_999), 'x'.repeat(2_000)],
    ['instagram', 'é'.repeat(500), 'é'.repeat(501)],
    [null, 'x'.repeat(1_999), 'x'.repeat(2_000)],
  ] as const)('is accepted only up to the length limit of the platform: %s', async (platform, longest, tooLong) => {
    const sut = await ready()
    sut.write(tooLong, 'd1', conversationOf(), platform)
    expect([sut.outgoing(), isAccepted(sut.actor.getSnapshot(), 'd1')]).toEqual([[], false])
    sut.write(longest, 'd1', conversationOf(), platform)
    expect([sut.outgoing(), isAccepted(sut.actor.getSnapshot(), 'd1')]).toEqual([['k1 pending'], true])
  })

  it('is sent once, even if its draft is submitted several times', async () => {
    const sut = await ready()
    sut.write('hello', 'd1')
    sut.write('hello', 'd1')
    await sut.identity.resolve({ psid: 'psid-ana-p1' })
    await sut.send.resolve({ messageId: 'm9', createdAt: at(1) })
    sut.write('hello', 'd1')
    expect([sut.delivered(), sut.outgoing(), isAccepted(sut.actor.getSnapshot(), 'd1')]).toEqual([
      ['k1 hello'],
      [],
      true,
    ])
  })

  it('names the message that it replies to, before a file that names none, and keeps both for a retry', async () => {
    const sut = await ready()
    const replyTo = { message_id: 'm1', state: 'known', direction: 'incoming', author: null, text: 'Open?' }
    const file = { id: 'f1', name: 'a.png', type: 'image/png', size: 9, kind: 'image' as const, url: '/f1' }
    sut.tell({
      type: 'send.requested',
      draftId: 'd1',
      conversationId: 'ana',
      pageId: 'p1',
      platform: null,
      text: 'Yes',
      files: [file],
      replyTo,
    })
    expect([...sut.stored.values()].map(({ text, replyTo: kept }) => [text, kept?.message_id])).toEqual([
      ['Yes', 'm1'],
      ['', undefined],
    ])
    await sut.identity.resolve({ psid: 'psid-ana-p1' })
    expect(sut.send.inputs()).toMatchObject([{ text: 'Yes', replyTo: 'm1' }])
    await sut.send.reject(failures.tooMany)
    sut.tell({ type: 'send.retried', key: 'k1' })
    expect(sut.send.inputs().filter(({ key }) => key === 'k1')).toMatchObject([{ replyTo: 'm1' }, { replyTo: 'm1' }])
  })

  it('is sent although another message has the same text', async () => {
    const sut = await ready()
    sut.write('hello', 'd1')
    sut.write('hello', 'd2')
    expect(sut.outgoing()).toEqual(['k1 pending', 'k2 queued'])
    await sut.identity.resolve({ psid: 'psid-ana-p1' })
    await sut.send.resolve({ messageId: 'm1', createdAt: at(1) })
    await sut.identity.resolve({ psid: 'psid-ana-p1' })
    await sut.send.resolve({ messageId: 'm2', createdAt: at(2) })
    expect([sut.delivered(), sut.session.map(({ realMessageId }) => realMessageId)]).toEqual([
      ['k1 hello', 'k2 hello'],
      ['m1', 'm2'],
    ])
  })

  it('waits for the previous message to the same person, and not for messages to others', async () => {
    const sut = await ready()
    sut.write('first')
    sut.write('second')
    sut.write('to Ben', 'd3', ben)
    expect(sut.outgoing()).toEqual(['k1 pending', 'k2 queued', 'k3 pending'])
    sut.identity.calls[0]?.resolve({ psid: 'psid-ana-p1' })
    await sut.identity.resolve({ psid: 'psid-ben-p1' })
    expect(sut.delivered()).toEqual(['k1 first', 'k3 to Ben'])
    sut.send.calls[0]?.reject(failures.noAnswer)
    await sut.send.resolve({ messageId: 'm3', createdAt: at(1) })
    expect(sut.outgoing()).toEqual(['k1 unconfirmed', 'k2 pending'])
    expect([sut.shown(), sut.shown('ben')]).toEqual([['k1', 'k2'], []])
  })

  it('is reported to its own conversation', async () => {
    const sut = await ready()
    sut.write('to Ben', 'd1', ben)
    await sut.identity.resolve({ psid: 'psid-ben-p1' })
    await sut.send.resolve({ messageId: 'm9', createdAt: at(1) })
    expect(sut.session.map(({ conversationId, message }) => [conversationId, message?.fb_user_id])).toEqual([
      ['ben', 'ben-p1'],
    ])
  })

  it('invalidates the social pages if it is refused because of a dead page token', async () => {
    const sut = await ready()
    sut.write('hello')
    await sut.identity.resolve({ psid: 'psid-ana-p1' })
    await sut.send.reject(failures.deadToken)
    expect(sut.session.map(({ type }) => type)).toEqual(['pages.invalidated'])
  })

  it('keeps its text after a failure, until staff retry or discard it', async () => {
    const sut = await ready()
    sut.write('hello')
    await sut.identity.resolve({ psid: 'psid-ana-p1' })
    await sut.send.reject(failures.inactivePage)
    expect([sut.outgoing(), sut.stored.get('k1')?.text, sut.stored.get('k1')?.failure]).toEqual([
      ['k1 failed'],
      'hello',
      'This page is inactive.',
    ])
    sut.tell({ type: 'send.retried', key: 'k1' })
    expect([sut.outgoing(), sut.delivered()]).toEqual([['k1 pending'], ['k1 hello', 'k1 hello']])
    sut.tell({ type: 'send.discarded', key: 'k1' })
    expect(sut.outgoing()).toEqual(['k1 pending'])
    await sut.send.reject(failures.inactivePage)
    sut.tell({ type: 'send.discarded', key: 'k1' })
    expect([sut.outgoing(), [...sut.stored.keys()], sut.delivered().length]).toEqual([[], [], 2])
    sut.tell({ type: 'send.retried', key: 'k1' })
    expect([sut.outgoing(), sut.delivered().length]).toEqual([[], 2])
  })

  it('can be discarded while it is queued', async () => {
    const sut = await ready()
    sut.write('first')
    sut.write('second')
    sut.tell({ type: 'send.discarded', key: 'k1' })
    sut.tell({ type: 'send.discarded', key: 'k2' })
    expect([sut.outgoing(), [...sut.stored.keys()]]).toEqual([['k1 pending'], ['k1']])
  })

  it('leaves no running flow after it is discarded', async () => {
    const sut = await ready()
    sut.write('hello')
    await sut.identity.resolve({ psid: 'psid-ana-p1' })
    await sut.send.reject(failures.inactivePage)
    const flow = () => Object.keys(sut.actor.getSnapshot().children).filter((id) => id.includes('k1')).length
    expect(flow()).toBe(1)
    sut.tell({ type: 'send.discarded', key: 'k1' })
    expect(flow()).toBe(0)
  })

  it('is removed in every state, with its text in the storage, when the server no longer knows the conversation', async () => {
    const sut = startOutbox(coverage.inspect)
    await sut.left.resolve([outgoingOf({ key: 'a', status: 'failed' })])
    const other = conversationOf({ primary_user_id: 'ben', fb_user_id: 'ben' })
    sut.write('being sent')
    sut.write('waiting')
    sut.write('to another', 'd9', other)
    await sut.identity.resolve({ psid: 'psid-ana-p1' })
    expect(sut.outgoing()).toEqual(['a failed', 'k1 pending', 'k2 queued', 'k3 pending'])
    sut.tell({ type: 'conversation.gone', id: 'ana' })
    expect([sut.outgoing(), [...sut.stored.keys()], sut.shown('ana')]).toEqual([['k3 pending'], ['k3'], []])
    expect(Object.keys(sut.actor.getSnapshot().children).filter((id) => id.startsWith('send:'))).toEqual(['send:k3'])
    await sut.send.resolve({ messageId: 'm1', createdAt: moment })
    expect([sut.outgoing(), sut.toasts, sut.delivered()]).toEqual([[], [sentToast], ['k3 to another']])
  })

  it('is stored separately, before any other step', async () => {
    const sut = startOutbox(coverage.inspect)
    sut.write('first')
    sut.write('second')
    expect(sut.storings).toEqual([['k1 queued'], ['k2 queued']])
  })

  it('waits for a retry by staff if it was written offline', async () => {
    const sut = await ready()
    sut.connection.isOnline = false
    sut.write('hello')
    expect([sut.outgoing(), sut.stored.get('k1')?.status]).toEqual([['k1 offline'], 'offline'])
    sut.connection.isOnline = true
    sut.tell({ type: 'browser.online' })
    sut.clock.increment(600_000)
    expect([sut.outgoing(), sut.delivered()]).toEqual([['k1 waiting'], []])
    sut.tell({ type: 'send.retried', key: 'k1' })
    await sut.identity.resolve({ psid: 'psid-ana-p1' })
    expect(sut.delivered()).toEqual(['k1 hello'])
  })
})

describe('a row that arrives', () => {
  const sending = async () => {
    const sut = await ready()
    sut.write('hello')
    await sut.identity.resolve({ psid: 'psid-ana-p1' })
    return sut
  }

  it('confirms the send with the same idempotency key, before the send is answered', async () => {
    const sut = await sending()
    sut.tell(insert(row('m9', 1, { idempotency_key: 'k1' })))
    await sut.send.resolve({ messageId: 'm9', createdAt: at(1) })
    expect([sut.outgoing(), sut.session.length, sut.toasts]).toEqual([[], 1, [sentToast]])
  })

  it('confirms that send also if the thread fetched the row', async () => {
    const sut = await sending()
    sut.tell({ type: 'messages.fetched', messages: [row('m8', 1), row('m9', 1, { idempotency_key: 'k1' })] })
    expect([sut.outgoing(), sut.session.length, sut.toasts]).toEqual([[], 1, [sentToast]])
  })

  it.each([
    ['heard', insert(row('m9', 1))],
    ['fetched', { type: 'messages.fetched', messages: [row('m9', 1)] } as const],
  ])('without a key, %s, hides the matching send until the send is answered', async (_, event) => {
    const sut = await sending()
    sut.tell(event)
    expect([sut.outgoing(), sut.shown()]).toEqual([['k1 pending'], []])
    await sut.send.reject(failures.invalid)
    expect([sut.outgoing(), sut.shown()]).toEqual([['k1 failed'], ['k1']])
  })

  it('changes no send if it belongs to another message or is a deletion', async () => {
    const sut = await sending()
    sut.tell(insert(row('m1', 1, { idempotency_key: 'other' })))
    sut.tell(insert(row('m2', 1, { message_text: 'other' })))
    sut.tell(insert(row('m3', 1, { page_id: 'p2' })))
    sut.tell(insert(row('m4', 10)))
    sut.tell(insert(row('m5', 1, { primary_user_id: 'ben', fb_user_id: 'ben-p1' })))
    sut.tell(insert(row('m6', 1, { direction: 'incoming' })))
    sut.tell({ type: 'messages.changed', changes: [{ type: 'DELETE', messageId: 'm9' }] })
    expect([sut.outgoing(), sut.shown()]).toEqual([['k1 pending'], ['k1']])
  })

  it('with the same text confirms no unconfirmed send, whether heard, fetched or checked; a row with the key does', async () => {
    const sut = await ready()
    for (const draft of ['d1', 'd2']) {
      sut.write('hello', draft)
      await sut.identity.resolve({ psid: 'psid-ana-p1' })
      await sut.send.reject(failures.noAnswer)
    }
    sut.tell(insert(row('m8', 1)))
    sut.tell({ type: 'messages.fetched', messages: [row('m8', 1)] })
    sut.clock.increment(2_000)
    expect(sut.newest.inputs()).toEqual(Array(2).fill({ conversationId: 'ana', pageId: 'p1' }))
    for (const call of sut.newest.calls) call.resolve([row('m8', 1)])
    await sut.newest.resolve([row('m8', 1)])
    expect([sut.outgoing(), sut.shown(), sut.session]).toEqual([['k1 unconfirmed', 'k2 unconfirmed'], ['k1', 'k2'], []])
    sut.clock.increment(4_000)
    for (const call of sut.newest.calls) call.resolve([row('m8', 1), row('m9', 1, { idempotency_key: 'k1' })])
    await sut.newest.resolve([])
    expect([sut.outgoing(), sut.session.map(({ realMessageId }) => realMessageId)]).toEqual([
      ['k2 unconfirmed'],
      ['m9'],
    ])
  })
})

describe('an outbox', () => {
  it('accepts messages before the stored sends are loaded, and sends them afterwards', async () => {
    const sut = startOutbox(coverage.inspect)
    sut.write('hello')
    expect([sut.state(), sut.outgoing(), sut.left.inputs()]).toEqual(['restoring', ['k1 queued'], [{ staffId: 's1' }]])
    await sut.left.reject(new Error('storage'))
    expect([sut.state(), sut.outgoing()]).toEqual(['ready', ['k1 pending']])
  })

  it('shows the sends of an earlier tab, checks those that may have left, and sends nothing by itself', async () => {
    const sut = startOutbox(coverage.inspect)
    const address = { pageId: 'p1', psid: 'psid-ana-p1' }
    await sut.left.resolve([
      outgoingOf({ key: 'a', ...address, status: 'pending', leftAt: moment }),
      outgoingOf({ key: 'b', status: 'pending' }),
      outgoingOf({ key: 'c', status: 'queued' }),
      outgoingOf({ key: 'd', status: 'failed', failure: 'This page is inactive.' }),
    ])
    expect([sut.outgoing(), sut.newest.inputs(), sut.delivered()]).toEqual([
      ['a unconfirmed', 'b waiting', 'c waiting', 'd failed'],
      [{ conversationId: 'ana', pageId: 'p1' }],
      [],
    ])
    await sut.newest.resolve([row('m9', 1, { idempotency_key: 'a' })])
    expect([sut.outgoing(), sut.session.map(({ realMessageId }) => realMessageId)]).toEqual([
      ['b waiting', 'c waiting', 'd failed'],
      ['m9'],
    ])
    sut.tell({ type: 'send.retried', key: 'b' })
    await sut.page.resolve({ pageId: 'p1' })
    await sut.identity.resolve({ psid: 'psid-ana-p1' })
    expect(sut.delivered()).toEqual(['b hello'])
  })

  it('checks a send that was not found again when staff ask and when the inbox catches up', async () => {
    const sut = await ready()
    sut.write('hello')
    await sut.identity.resolve({ psid: 'psid-ana-p1' })
    await sut.send.reject(failures.noAnswer)
    const lookInVain = async () => {
      for (const delay of [2_000, 4_000, 8_000, 16_000]) {
        await sut.newest.resolve([]).catch(() => {})
        sut.clock.increment(delay)
      }
      await sut.newest.resolve([])
    }
    await lookInVain()
    expect([sut.outgoing(), sut.newest.calls.length]).toEqual([['k1 notFound'], 4])
    sut.tell({ type: 'check.requested', key: 'k1' })
    expect([sut.outgoing(), sut.newest.calls.length]).toEqual([['k1 unconfirmed'], 5])
    await lookInVain()
    sut.tell({ type: 'resync.requested' })
    await sut.newest.resolve([row('m9', 1, { idempotency_key: 'k1' })])
    expect([sut.outgoing(), sut.toasts]).toEqual([[], [network, sentToast]])
  })

  it('checks the unconfirmed sends when the inbox catches up, and acknowledges at once', async () => {
    const sut = await ready()
    sut.write('hello')
    await sut.identity.resolve({ psid: 'psid-ana-p1' })
    await sut.send.reject(failures.noAnswer)
    sut.tell({ type: 'resync.requested' })
    expect([sut.newest.calls.length, sut.session]).toEqual([1, [{ type: 'resync.done', from: 'outbox' }]])
    expect(sut.toasts).toEqual([network])
  })

  it('deletes the stored sends and sends nothing more after the session ends', async () => {
    const sut = await ready()
    sut.write('hello')
    await sut.identity.resolve({ psid: 'psid-ana-p1' })
    expect([...sut.stored.keys()]).toEqual(['k1'])
    sut.actor.stop()
    expect([[...sut.stored.keys()], sut.delivered()]).toEqual([[], ['k1 hello']])
  })

  it('reports that it is sending in a conversation while a send of that conversation is under way', async () => {
    const sut = await ready()
    const isSending = () => [sut.isSending('ana'), sut.isSending('ben')]
    expect(isSending()).toEqual([false, false])
    sut.write('hello')
    expect(isSending()).toEqual([true, false])
    await sut.identity.resolve({ psid: 'psid-ana-p1' })
    await sut.send.reject(failures.inactivePage)
    expect(isSending()).toEqual([false, false])
  })

  it.each([
    ['nothing', [], null],
    ['only sends under way', ['queued', 'pending'], null],
    ['an unconfirmed send', ['queued', 'unconfirmed'], 'unconfirmed'],
    ['a send that was not found', ['notFound'], 'unconfirmed'],
    ['one failed', ['unconfirmed', 'failed', 'notFound'], 'notSent'],
    ['a send that waits for staff', ['waiting'], 'notSent'],
  ] as const)('with %s reports the problem for that conversation only', (_, statuses, stuck) => {
    const sut = startOutbox(coverage.inspect)
    const snapshot = sut.actor.getSnapshot()
    const outgoing = statuses.map((status, index) => outgoingOf({ key: `k${index}`, status, leftAt: moment }))
    const holding = { ...snapshot, context: { ...snapshot.context, outgoing } }
    expect([selectSendProblem('ana')(holding), selectSendProblem('ben')(holding)]).toEqual([stuck, null])
    const notSent = stuck === 'notSent' ? 'hello' : null
    expect([selectNotSentText('ana')(holding), selectNotSentText('ben')(holding)]).toEqual([notSent, null])
  })

  it.each([
    ['queued', false, false],
    ['pending', false, false],
    ['offline', true, false],
    ['waiting', true, true],
    ['unconfirmed', true, false],
    ['notFound', true, false],
    ['failed', true, false],
  ] as const)('that is %s counts as unsent: %s, and as safe to send without a question: %s', (status, ...is) => {
    const snapshot = startOutbox(coverage.inspect).actor.getSnapshot()
    const send = outgoingOf({ status })
    const holding = { ...snapshot, context: { ...snapshot.context, outgoing: [send] } }
    const lists = [selectUnsent(holding), selectWaiting(holding)]
    expect(lists).toEqual(is.map((listed) => (listed ? [send] : [])))
  })

  it('selects the same array while its sends do not change', async () => {
    const sut = await ready()
    sut.write('hello')
    const select = selectOutgoingIn('ana')
    const before = select(sut.actor.getSnapshot())
    sut.write('to Ben', 'd2', ben)
    expect(select(sut.actor.getSnapshot())).toBe(before)
    sut.identity.calls[0]?.resolve({ psid: 'psid-ana-p1' })
    await settled()
    expect([before, select(sut.actor.getSnapshot())].map((sends) => sends.map(({ psid }) => psid))).toEqual([
      [null],
      ['psid-ana-p1'],
    ])
  })
})

describe('sending all that waits', () => {
  const sendOf = (key: string, rest: Partial<Outgoing> = {}) =>
    outgoingOf({ key, text: key, chosenPageId: 'p1', status: 'waiting', ...rest })

  it('sends each message once, in the order written and one at a time to each person, and nothing else', async () => {
    const sut = startOutbox(coverage.inspect)
    await sut.left.resolve([
      sendOf('a1'),
      sendOf('b1', { recipient: recipientOf(ben) }),
      sendOf('a2'),
      sendOf('failed', { status: 'failed', failure: 'This page is inactive.' }),
    ])
    sut.tell({ type: 'waiting.retried' })
    sut.tell({ type: 'waiting.retried' })
    expect(sut.outgoing()).toEqual(['a1 pending', 'b1 pending', 'a2 queued', 'failed failed'])
    await sut.identity.resolve({ psid: 'psid-ben-p1' })
    sut.identity.calls[0]?.resolve({ psid: 'psid-ana-p1' })
    await settled()
    expect(sut.delivered()).toEqual(['b1 b1', 'a1 a1'])
    await sut.send.resolve({ messageId: 'm1', createdAt: at(1) })
    await sut.identity.resolve({ psid: 'psid-ana-p1' })
    sut.tell({ type: 'waiting.retried' })
    sut.send.calls[0]?.resolve({ messageId: 'm2', createdAt: at(2) })
    await sut.send.resolve({ messageId: 'm3', createdAt: at(3) })
    expect([sut.delivered(), sut.outgoing()]).toEqual([['b1 b1', 'a1 a1', 'a2 a2'], ['failed failed']])
  })

  it('keeps the page and the account of a message whose key the server may have stored', async () => {
    const sut = await ready()
    sut.write('hello')
    await sut.identity.resolve({ psid: 'psid-ana-p1' })
    await sut.send.reject(failures.inactivePage)
    sut.connection.isOnline = false
    sut.tell({ type: 'send.retried', key: 'k1' })
    sut.connection.isOnline = true
    sut.tell({ type: 'browser.online' })
    expect(sut.outgoing()).toEqual(['k1 waiting'])
    sut.tell({ type: 'waiting.retried' })
    const order = { key: 'k1', pageId: 'p1', psid: 'psid-ana-p1', text: 'hello' }
    expect([sut.send.inputs(), sut.identity.inputs().length]).toEqual([[order, order], 1])
  })

  it('leaves the messages waiting while the browser is offline', async () => {
    const sut = startOutbox(coverage.inspect)
    sut.connection.isOnline = false
    await sut.left.resolve([sendOf('a1'), sendOf('a2')])
    sut.tell({ type: 'waiting.retried' })
    expect([sut.outgoing(), sut.delivered()]).toEqual([['a1 offline', 'a2 offline'], []])
    sut.connection.isOnline = true
    sut.tell({ type: 'browser.online' })
    expect([sut.outgoing(), sut.delivered()]).toEqual([['a1 waiting', 'a2 waiting'], []])
  })

  it('can be stopped for a message that is still queued', async () => {
    const sut = startOutbox(coverage.inspect)
    await sut.left.resolve([sendOf('a1'), sendOf('a2')])
    sut.tell({ type: 'waiting.retried' })
    sut.tell({ type: 'send.discarded', key: 'a2' })
    await sut.identity.resolve({ psid: 'psid-ana-p1' })
    await sut.send.resolve({ messageId: 'm1', createdAt: at(1) })
    expect([sut.delivered(), sut.outgoing(), [...sut.stored.keys()]]).toEqual([['a1 a1'], [], []])
  })
})

describe('the walk through the outbox', () => {
  const paths = outboxModel().everyTransition()
  type State = { isReady: boolean; sends: Readonly<Record<string, readonly [string, string | null]>> }
  const without = ({ sends }: State, key: string): Partial<State> => {
    const { [key]: _, ...others } = sends
    return { sends: others }
  }
  /** Each message as its flow reported it last. Only a message that is confirmed or discarded goes. */
  const reference: Reference<State> = {
    start: { isReady: false, sends: {} },
    accepts: ({ isReady }) => [
      ...['send.requested', 'send.retried', 'send.discarded', 'check.requested'],
      ...['flow.progressed', 'flow.checked', 'flow.sent', 'flow.pageRefused'],
      ...['messages.changed', 'messages.fetched', 'resync.requested', 'browser.online', 'waiting.retried'],
      ...when(!isReady, ...ends('loadOutgoing')),
    ],
    rules: {
      'xstate.done.actor.loadOutgoing': ({ sends }, { output }) => {
        const left = output.map(({ key, status, failure }: Outgoing) => [key, [status, failure]])
        const mine = Object.entries(sends).map(([key, [, failure]]) => [key, ['pending', failure]])
        return { isReady: true, sends: Object.fromEntries([...left, ...mine]) }
      },
      'xstate.error.actor.loadOutgoing': ({ sends }) => ({
        isReady: true,
        sends: Object.fromEntries(Object.entries(sends).map(([key, [, failure]]) => [key, ['pending', failure]])),
      }),
      'waiting.retried': ({ sends }) => ({
        sends: Object.fromEntries(
          Object.entries(sends).map(([key, [status, failure]]) => [
            key,
            [status === 'waiting' ? 'pending' : status, failure],
          ]),
        ),
      }),
      // Nothing leaves before the sends of earlier tabs are known.
      'send.requested': ({ isReady, sends }) => ({
        sends: { ...sends, k1: [isReady ? 'pending' : 'queued', null] },
      }),
      'flow.progressed': ({ sends }, { outgoing: { key, status, failure } }) => ({
        sends: { ...sends, [key]: [status, failure] },
      }),
      'flow.sent': (state, { outgoing: { key } }) => without(state, key),
      'send.discarded': (state, { key }) => without(state, key),
    },
    shown: ({ isReady, sends }) => ({ state: isReady ? 'ready' : 'restoring', sends, isStored: 'k1' in sends }),
  }

  it.each(paths.map((path) => [path.title, path] as const))('%s', async (_title, path) => {
    const sut = startOutbox(coverage.inspect)
    const arrived = ({ key, text }: Outgoing) => row(`m-${key}`, 1, { message_text: text, idempotency_key: key })
    const refuse = { refused: failures.inactivePage, tokenDied: failures.deadToken, lost: failures.noAnswer }
    const press = (type: 'send.retried' | 'check.requested', { key }: Outgoing) => sut.tell({ type, key })
    const lookInVain = async () => {
      for (const pause of [2_000, 4_000, 8_000, 16_000]) {
        sut.clock.increment(pause)
        await sut.newest.resolve([])
      }
    }
    const find = (outgoing: Outgoing) => sut.newest.resolve([arrived(outgoing)])
    const ways: Record<string, (outgoing: Outgoing) => unknown> = {
      refused: () => sut.send.reject(refuse.refused),
      tokenDied: () => sut.send.reject(refuse.tokenDied),
      lost: () => sut.send.reject(refuse.lost),
      notFound: lookInVain,
      retry: (outgoing) => press('send.retried', outgoing),
      answer: ({ key }) => sut.send.resolve({ messageId: `m-${key}`, createdAt: at(1) }),
      changed: (outgoing) => sut.tell(insert(arrived(outgoing))),
      fetched: (outgoing) => sut.tell({ type: 'messages.fetched', messages: [arrived(outgoing)] }),
      checked: (outgoing) => {
        sut.clock.increment(2_000)
        return find(outgoing)
      },
      checkedAgain: (outgoing) => {
        press('check.requested', outgoing)
        return find(outgoing)
      },
      resync: (outgoing) => {
        sut.tell({ type: 'resync.requested' })
        return find(outgoing)
      },
    }
    const reported = ({ by, outgoing }: AnyEventObject) => ways[by]?.(outgoing)
    const own: Record<string, (event: AnyEventObject) => unknown> = {
      'send.requested': () => sut.write('hello', 'd1'),
      'flow.progressed': reported,
      'flow.sent': reported,
    }
    const drive = driverOf(
      (event: AnyEventObject) => (own[event.type] ?? ((other) => sut.tell(other as OutboxEvent)))(event),
      { calls: { loadOutgoing: sut.left } },
    )
    const driveAndFindIdentity = async (event: AnyEventObject) => {
      await drive(event)
      for (const call of sut.identity.calls) call.resolve({ psid: 'psid-ana-p1' })
      await settled()
    }
    await followBeside(path, driveAndFindIdentity, reference, () => {
      const { outgoing } = sut.actor.getSnapshot().context
      return {
        state: sut.state(),
        sends: Object.fromEntries(outgoing.map(({ key, status, failure }) => [key, [status, failure]])),
        isStored: sut.stored.has('k1'),
      }
    })
  })
})

describe('the tests of the outbox', () => {
  it('enter every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('take every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
