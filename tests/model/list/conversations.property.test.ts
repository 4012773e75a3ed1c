import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { ListAnswer } from '../../../src/domain/list/list-calls.ts'
import type { ListQuery } from '../../../src/domain/list/list-query.ts'
import type { MessageChange } from '../../../src/domain/shell/changes.ts'
import type { Conversation } from '../../../src/schemas/conversation.ts'
import type { ControlledCall } from '../harness.ts'
import { settled } from '../harness.ts'
import { at, faults, messageIn, row } from '../inbox-fixture.ts'
import { startConversations } from './conversations-fixture.ts'

/** A server with conversations. It reports its changes as realtime events. */
function createServer(count: number) {
  let minute = count
  const rows = new Map<string, Conversation>()
  for (let n = 1; n <= count; n += 1) rows.set(`c${n}`, row(`c${n}`, n, { unread_messages: n % 2 }))
  const idOf = (index: number) => [...rows.keys()][index % Math.max(rows.size, 1)]
  const patch = (id: string, more: Partial<Conversation>) => {
    const known = rows.get(id)
    if (known) rows.set(id, { ...known, ...more })
  }

  const listed = ({ unreadOnly }: ListQuery) =>
    [...rows.values()]
      .filter((each) => !unreadOnly || each.unread_messages > 0)
      .toSorted((a, b) => Date.parse(b.last_message_at ?? '') - Date.parse(a.last_message_at ?? ''))

  return {
    listed,
    answer: (query: ListQuery, from: number, to: number): ListAnswer => {
      const all = listed(query)
      return { rows: all.slice(from, to), hasNext: all.length > to, total: all.length }
    },
    /** A person writes a message. */
    write: (index: number): MessageChange | null => {
      const id = idOf(index)
      if (id === undefined) return null
      minute += 1
      const record = messageIn(id, minute)
      const known = rows.get(id)
      patch(id, {
        last_message_at: at(minute),
        last_message_text: record.message_text,
        last_incoming_at: at(minute),
        total_messages: (known?.total_messages ?? 0) + 1,
        unread_messages: (known?.unread_messages ?? 0) + 1,
      })
      return { type: 'INSERT', record, committedAt: at(minute) }
    },
    /** A conversation is marked as read. */
    read: (index: number): { change: MessageChange; id: string } | null => {
      const id = idOf(index)
      if (id === undefined) return null
      patch(id, { unread_messages: 0 })
      return { id, change: { type: 'UPDATE', record: messageIn(id, minute, { is_read: true }) } }
    },
    /** The last message of a conversation is deleted, so the conversation moves down. */
    shorten: (index: number): MessageChange | null => {
      const id = idOf(index)
      if (id === undefined) return null
      patch(id, { last_message_at: at(-index), last_message_text: 'before' })
      return { type: 'DELETE', messageId: `m-${id}` }
    },
    /** A conversation and its messages are deleted. */
    remove: (index: number): MessageChange | null => {
      const id = idOf(index)
      if (id === undefined) return null
      rows.delete(id)
      return { type: 'DELETE', messageId: `m-${id}` }
    },
    /** A new person writes the first message. */
    join: (): MessageChange => {
      minute += 1
      const id = `c${minute}`
      const record = messageIn(id, minute)
      rows.set(id, row(id, minute, { unread_messages: 1 }))
      return { type: 'INSERT', record, committedAt: at(minute) }
    },
  }
}

const step = fc.oneof(
  fc.record({ do: fc.constantFrom('write', 'shorten', 'remove', 'read'), index: fc.nat(60) }),
  fc.record({
    do: fc.constantFrom('join', 'more', 'invalidated', 'hear', 'answerFirst', 'answerLast', 'fail', 'filter'),
    index: fc.constant(0),
  }),
  fc.record({ do: fc.constant('wait'), index: fc.constantFrom(100, 700, 2_500) }),
)

/** Runs the steps, waits until the list is idle, and returns the shown rows and the rows of a new fetch. */
async function play(steps: readonly { do: string; index: number }[]) {
  const server = createServer(50)
  const sut = startConversations()
  const unheard: MessageChange[] = []
  type Pending = { call: ControlledCall<ListAnswer, unknown>; answer: ListAnswer }
  let pending: Pending[] = []
  const seen = { top: 0, page: 0 }

  // An answer holds the state of the server at the request, however late the answer arrives.
  const note = () => {
    for (const call of sut.top.calls.slice(seen.top)) {
      const { query, count } = call.input
      pending.push({ call, answer: server.answer(query, 0, count) })
    }
    for (const call of sut.page.calls.slice(seen.page)) {
      const { query, page } = call.input
      pending.push({ call, answer: server.answer(query, (page - 1) * 20, page * 20) })
    }
    seen.top = sut.top.calls.length
    seen.page = sut.page.calls.length
  }
  const settle = async (one: Pending | undefined, end: (one: Pending) => void) => {
    if (!one) return
    pending = pending.filter((other) => other !== one)
    end(one)
    await settled()
  }
  const answer = (one: Pending | undefined) => settle(one, ({ call, answer }) => call.resolve(answer))
  const hear = () => {
    const change = unheard.shift()
    if (change) sut.send({ type: 'messages.changed', changes: [change] })
  }
  const told = (change: MessageChange | null) => {
    if (change) unheard.push(change)
  }

  const perform = async ({ do: what, index }: { do: string; index: number }) => {
    if (what === 'write') told(server.write(index))
    else if (what === 'shorten') told(server.shorten(index))
    else if (what === 'remove') told(server.remove(index))
    else if (what === 'join') told(server.join())
    else if (what === 'read') {
      const read = server.read(index)
      if (read) {
        sut.send({ type: 'conversation.read', id: read.id })
        told(read.change)
      }
    } else if (what === 'more') sut.send({ type: 'more.requested' })
    else if (what === 'invalidated') sut.send({ type: 'list.invalidated' })
    else if (what === 'filter') {
      const { unreadOnly } = sut.actor.getSnapshot().context.query
      sut.send({ type: 'unreadOnly.chosen', unreadOnly: !unreadOnly })
    } else if (what === 'hear') hear()
    else if (what === 'answerFirst') await answer(pending[0])
    else if (what === 'answerLast') await answer(pending.at(-1))
    else if (what === 'fail') await settle(pending[0], ({ call }) => call.reject(faults.unavailable))
    else sut.clock.increment(index)
    note()
  }

  note()
  for (const each of steps) await perform(each)
  while (unheard.length > 0) hear()
  for (let round = 0; round < 60; round += 1) {
    note()
    while (pending.length > 0) {
      await answer(pending[0])
      note()
    }
    sut.clock.increment(1_000)
  }
  const { value, context } = sut.actor.getSnapshot()
  const fresh = server.listed(context.query)
  // With "unread only", the row that was read last stays in the list although the server omits it.
  const isAnswered = (id: string) => !context.held.includes(id) || fresh.some((each) => each.primary_user_id === id)
  const shown = context.order.filter(isAnswered).map(sut.row)
  sut.actor.stop()
  return { value, shown, fresh, hasNext: context.hasNext }
}

describe('the conversation list, once no event or answer is pending,', () => {
  it('equals a new fetch, regardless of the events and their order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const { value, shown, fresh, hasNext } = await play(steps)
        expect(value).toEqual({ loaded: { paging: 'idle', freshness: 'fresh' } })
        expect(shown).toEqual(fresh.slice(0, shown.length))
        expect(hasNext).toBe(fresh.length > shown.length)
        expect(shown.length).toBeGreaterThanOrEqual(Math.min(20, fresh.length))
      }),
      { numRuns: 300 },
    )
  }, 120_000)
})
