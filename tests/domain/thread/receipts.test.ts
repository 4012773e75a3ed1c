import fc from 'fast-check'
import { expect, it } from 'vitest'
import { lastMessageSeenAt } from '../../../src/domain/list/last-message-seen.ts'
import { mergedReceipts } from '../../../src/domain/list/receipts.ts'
import { type ShownReceipt, shownReceipts } from '../../../src/domain/thread/receipts.ts'
import type { Conversation } from '../../../src/schemas/conversation.ts'
import type { Message } from '../../../src/schemas/message.ts'
import type { Receipt } from '../../../src/schemas/reactions-receipts-replies.ts'

const minute = (count: number) => new Date(Date.UTC(2026, 6, 1, 10, count)).toISOString()

const messageOf = (id: string, count: number, more: Partial<Message> = {}): Message => ({
  message_id: id,
  fb_user_id: 'u1',
  page_id: 'p1',
  message_text: id,
  direction: 'outgoing',
  is_read: true,
  created_at: minute(count),
  timestamp_fb: minute(count),
  unconfirmed_reply: null,
  author: null,
  wrong_answer: null,
  reactions: null,
  reply_to: null,
  is_historical: null,
  ...more,
})
const receiptOf = (delivered: number | null, read: number | null, more: Partial<Receipt> = {}): Receipt => ({
  fb_user_id: 'u1',
  page_id: 'p1',
  delivered_up_to: delivered === null ? null : minute(delivered),
  read_up_to: read === null ? null : minute(read),
  read_at: read === null ? null : minute(read + 1),
  ...more,
})

const thread = [
  messageOf('a', 1),
  messageOf('b', 2, { direction: 'incoming' }),
  messageOf('c', 3),
  messageOf('d', 4),
  messageOf('temp_e', 5),
]

it.each<[string, Receipt[] | null, Record<string, ShownReceipt>]>([
  ['nothing without receipts', null, {}],
  ['that the last delivered one was delivered', [receiptOf(4, null)], { d: { state: 'delivered' } }],
  [
    'that one was seen, and a later one delivered',
    [receiptOf(4, 3)],
    { c: { state: 'seen', at: minute(4) }, d: { state: 'delivered' } },
  ],
  ['only that it was seen, if no later one was delivered', [receiptOf(3, 3)], { c: { state: 'seen', at: minute(4) } }],
  ['nothing at a message that is not confirmed', [receiptOf(9, 9)], { d: { state: 'seen', at: minute(10) } }],
  ['nothing of another identity', [receiptOf(9, 9, { fb_user_id: 'u2' })], {}],
  ['nothing if the watermark is before all messages', [receiptOf(0, 0)], {}],
])('shows under the messages %s', (_, receipts, shown) => {
  expect(Object.fromEntries(shownReceipts(thread, receipts))).toEqual(shown)
})

const arbitrary: fc.Arbitrary<Receipt> = fc
  .record({
    fb_user_id: fc.constantFrom('u1', 'u2'),
    delivered: fc.option(fc.nat(4)),
    read: fc.option(fc.nat(4)),
    later: fc.nat(2),
  })
  .map(({ fb_user_id, delivered, read, later }) =>
    receiptOf(delivered, read, { fb_user_id, ...(read === null ? {} : { read_at: minute(read + later) }) }),
  )
const sorted = (receipts: Conversation['receipts']) =>
  [...(receipts ?? [])].sort((one, other) => one.fb_user_id.localeCompare(other.fb_user_id))
const together = (all: readonly Receipt[]) =>
  sorted(all.reduce<Conversation['receipts']>((known, one) => mergedReceipts(known, [one]), null))

it('never moves a receipt back, in whatever order and however often they arrive', () => {
  fc.assert(
    fc.property(
      fc
        .array(arbitrary)
        .chain((all) =>
          fc.tuple(fc.constant(all), fc.shuffledSubarray([...all, ...all], { minLength: all.length * 2 })),
        ),
      ([all, shuffled]) => {
        expect(together(shuffled)).toEqual(together(all))
      },
    ),
  )
})

it('returns the same receipts if nothing changes', () => {
  const known = [receiptOf(4, 3)]
  expect(mergedReceipts(known, [receiptOf(2, 1)])?.[0]).toBe(known[0])
})

const rowOf = (more: Partial<Conversation>): Conversation =>
  ({
    fb_user_id: 'u1',
    last_message_at: minute(3),
    last_message_direction: 'outgoing',
    last_message_page_id: 'p1',
    receipts: [receiptOf(3, 3)],
    ...more,
  }) as Conversation

it.each<[string, Partial<Conversation>, string | null]>([
  ['the time at which our last message was seen', {}, minute(4)],
  ['nothing if the person wrote last', { last_message_direction: 'incoming' }, null],
  ['nothing if a later message is not seen', { last_message_at: minute(4) }, null],
  ['nothing if another page was read', { last_message_page_id: 'p2' }, null],
  ['nothing if it was only delivered', { receipts: [receiptOf(3, null)] }, null],
  ['nothing without receipts', { receipts: null }, null],
])('tells of a row %s', (_, change, at) => expect(lastMessageSeenAt(rowOf(change))).toBe(at))
