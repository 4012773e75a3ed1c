import { describe, expect, it } from 'vitest'
import { emptyRecords, withFetched } from '../../../src/domain/list/records.ts'
import { savedInboxOf, savedThreadOf, threadOf } from '../../../src/domain/thread/saved-inbox.ts'
import { addSent, emptyThread, mergePage } from '../../../src/domain/thread/thread-messages.ts'
import type { AuthUser } from '../../../src/schemas/auth.ts'
import { savedInbox } from '../../../src/schemas/saved-inbox.ts'
import { messageIn, row } from '../../model/inbox-fixture.ts'

const user: AuthUser = { id: 's1', email: 'a@example.com', role: 'agent', permissions: [] }
const listOf = (ids: string[]) => ({ ids, total: 999, hasNext: false })
const rowsOf = (count: number, more = {}) => Array.from({ length: count }, (_, index) => row(`c${index}`, 59, more))
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index)

const threadWith = (count: number, more = {}) =>
  mergePage(
    emptyThread,
    {
      messages: numbers(count).map((minute) => messageIn('c1', minute % 60, { message_id: `m${minute}`, ...more })),
      hasMore: false,
    },
    { isNewest: true, adjoins: true },
  )

describe('The saved inbox', () => {
  it('holds the first 200 rows of the list and the open row', () => {
    const rows = rowsOf(250)
    const records = withFetched(emptyRecords, rows, 0)
    const thread = { conversationId: 'c249', messages: [], hasOlder: false }
    const saved = savedInboxOf(user, records, listOf(rows.map((_, index) => `c${index}`)), thread)
    expect(saved.list).toEqual({ ids: numbers(200).map((index) => `c${index}`), total: 999, hasNext: true })
    expect(saved.conversations).toEqual([...rows.slice(0, 200), rows[249]])
    expect(saved.thread).toBe(thread)
    expect(savedInbox.parse(saved)).toEqual(saved)
  })

  it('holds at most 500,000 characters of rows', () => {
    const rows = rowsOf(100, { last_message_text: 'x'.repeat(50_000) })
    const saved = savedInboxOf(user, withFetched(emptyRecords, rows, 0), listOf(numbers(100).map((i) => `c${i}`)), null)
    expect(saved.conversations).toHaveLength(9)
    expect(saved.list.hasNext).toBe(true)
  })

  it('leaves out a thread with an unknown conversation', () => {
    const thread = { conversationId: 'gone', messages: [], hasOlder: false }
    expect(savedInboxOf(user, emptyRecords, listOf([]), thread).thread).toBeNull()
  })

  it('holds the newest page of a thread, without unconfirmed messages', () => {
    const sent = messageIn('c1', 59, { message_id: 'temp_1', direction: 'outgoing', message_text: 'on its way' })
    const saved = savedThreadOf('c1', addSent(threadWith(60), sent, null))
    expect(saved?.messages.map(({ message_id }) => message_id)).toEqual(numbers(50).map((index) => `m${index + 10}`))
    expect(saved?.hasOlder).toBe(true)
    expect(savedThreadOf('c1', emptyThread)).toBeNull()
  })

  it('holds at most 500,000 characters of messages, the newest ones', () => {
    const saved = savedThreadOf('c1', threadWith(20, { message_text: 'x'.repeat(100_000) }))
    expect(saved?.messages.map(({ message_id }) => message_id)).toEqual(['m16', 'm17', 'm18', 'm19'])
  })

  it('restores the same thread', () => {
    const thread = threadWith(3)
    const saved = savedThreadOf('c1', thread)
    expect(saved && threadOf(saved)).toEqual(thread)
  })
})
