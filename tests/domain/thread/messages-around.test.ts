import fc from 'fast-check'
import { expect, it } from 'vitest'
import { comparePlaces, placeOf } from '../../../src/domain/message-order.ts'
import type { MessageChange } from '../../../src/domain/shell/changes.ts'
import {
  aroundOf,
  hasOlderMessages,
  type MessagesAround,
  refetched,
  withChanges,
  withNewerPage,
  withOlderPage,
} from '../../../src/domain/thread/messages-around.ts'
import type { AroundAnswer, AroundRequest } from '../../../src/domain/thread/thread-calls.ts'
import type { Message } from '../../../src/schemas/message.ts'
import { messageOf } from '../message-fixture.ts'

/** A server with messages by minute, and its answers as the API gives them. */
function createServer(minutes: readonly number[]) {
  let messages: Message[] = []
  const used = new Set(minutes)
  let changes = 0
  const idOf = (minute: number) => `m${minute}`
  const commit = () => new Date(Date.UTC(2026, 1, 1, 0, 0, 0, ++changes)).toISOString()
  const sorted = (all: Message[]) => all.toSorted((a, b) => comparePlaces(placeOf(a), placeOf(b)))
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute)).toISOString()
  const create = (minute: number) => messageOf(idOf(minute), minute, { timestamp_fb: at(minute), message_text: '0' })
  messages = sorted([...used].map(create))

  return {
    all: () => messages,
    insert(minute: number): MessageChange[] {
      // An id never comes back.
      if (used.has(minute)) return []
      used.add(minute)
      const record = create(minute)
      messages = sorted([...messages, record])
      return [{ type: 'INSERT', record, committedAt: commit() }]
    },
    edit(index: number): MessageChange[] {
      const old = messages[index % Math.max(1, messages.length)]
      if (!old) return []
      const record = { ...old, message_text: `${Number(old.message_text) + 1}` }
      messages = messages.map((message) => (message === old ? record : message))
      return [{ type: 'UPDATE', record, committedAt: commit() }]
    },
    remove(index: number): MessageChange[] {
      const old = messages[index % Math.max(1, messages.length)]
      if (!old) return []
      messages = messages.filter((message) => message !== old)
      return [{ type: 'DELETE', messageId: old.message_id }]
    },
    answer(message: Message, side: AroundRequest['side'], limit: number): AroundAnswer {
      const place = placeOf(message)
      const older = messages.filter((other) => comparePlaces(placeOf(other), place) < (side === 'both' ? 1 : 0))
      const newer = messages.filter((other) => comparePlaces(placeOf(other), place) > (side === 'from' ? -1 : 0))
      const half = side === 'both' ? Math.floor(limit / 2) : limit
      const before = side === 'both' || side === 'older' ? older.slice(-half) : []
      const after = side === 'older' ? [] : newer.slice(0, side === 'both' ? limit - half : limit)
      return {
        messages: [...before, ...after],
        hasOlder: (side === 'both' || side === 'older') && older.length > before.length,
        hasNewer: side !== 'older' && newer.length > after.length,
      }
    },
  }
}

/** What is held is exactly the server's range from the first to the last message held, or to its ends. */
function expectGapless(around: MessagesAround, all: readonly Message[]) {
  const held = around.thread.messages
  const [first, last] = [held[0], held.at(-1)]
  const range = all.filter(
    (message) =>
      (!hasOlderMessages(around) || (first !== undefined && comparePlaces(placeOf(message), placeOf(first)) >= 0)) &&
      (!around.hasNewer || (last !== undefined && comparePlaces(placeOf(message), placeOf(last)) <= 0)),
  )
  expect(held.map(({ message_id, message_text }) => [message_id, message_text])).toEqual(
    range.map(({ message_id, message_text }) => [message_id, message_text]),
  )
}

const step = fc.oneof(
  fc.record({ do: fc.constant('insert' as const), at: fc.nat(60) }),
  fc.record({ do: fc.constant('edit' as const), at: fc.nat(60) }),
  fc.record({ do: fc.constant('remove' as const), at: fc.nat(60) }),
  fc.record({
    do: fc.constantFrom('older' as const, 'newer' as const),
    during: fc.array(fc.nat(60), { maxLength: 3 }),
  }),
  fc.record({ do: fc.constant('gap' as const), changes: fc.array(fc.nat(180), { maxLength: 4 }) }),
)

it('holds a gapless range through paging, changes during a page, and gaps in realtime', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(60), { minLength: 1, maxLength: 40 }),
      fc.nat(),
      fc.integer({ min: 2, max: 8 }),
      fc.array(step, { maxLength: 12 }),
      (minutes, opened, limit, steps) => {
        const server = createServer(minutes)
        const target = server.all()[opened % server.all().length]
        if (!target) return
        let around = aroundOf(server.answer(target, 'both', limit), [])
        const change = (number: number): MessageChange[] => {
          const kind = [server.insert, server.edit, server.remove][number % 3]
          return kind?.(Math.floor(number / 3)) ?? []
        }
        expectGapless(around, server.all())
        for (const one of steps) {
          const [first, last] = [around.thread.messages[0], around.thread.messages.at(-1)]
          if (!first || !last) return
          switch (one.do) {
            case 'insert':
            case 'edit':
            case 'remove':
              around = withChanges(around, server[one.do](one.at))
              break
            case 'older':
            case 'newer': {
              if (one.do === 'older' ? !hasOlderMessages(around) : !around.hasNewer) break
              // The page is read before the changes, whose events arrive before the page.
              const answer = server.answer(one.do === 'older' ? first : last, one.do, limit)
              const received = one.during.flatMap(change)
              around = withChanges(around, received)
              around = (one.do === 'older' ? withOlderPage : withNewerPage)(around, answer, received)
              break
            }
            case 'gap': {
              for (const number of one.changes) change(number)
              let pages: readonly (readonly Message[])[] = []
              for (;;) {
                const from = pages.at(-1)?.at(-1)
                const answer = server.answer(from ?? first, from ? 'newer' : 'from', limit)
                const next = refetched(around, pages, answer)
                pages = next.pages
                if (!next.isDone) continue
                around = aroundOf({ messages: pages.flat(), hasOlder: true, hasNewer: answer.hasNewer }, [])
                break
              }
              break
            }
          }
          if (around.thread.messages.length > 0) expectGapless(around, server.all())
        }
      },
    ),
    { numRuns: 1_000 },
  )
})

it('leaves out what is newer than the last message held until the newest page is reached', () => {
  const server = createServer([1, 2, 3, 4, 5])
  const [, second] = server.all()
  if (!second) throw new Error('there is a second message')
  const around = aroundOf(server.answer(second, 'both', 2), [])
  const news = server.insert(6)
  const later = withChanges(around, news)
  expect([later, later.hasNewer]).toEqual([around, true])
  const last = around.thread.messages.at(-1)
  if (!last) throw new Error('there is a last message')
  const joined = withNewerPage(later, server.answer(last, 'newer', 50), [])
  const live = withChanges(joined, server.insert(7))
  expect([joined.hasNewer, live.thread.messages.map(({ message_id }) => message_id)]).toEqual([
    false,
    ['m2', 'm3', 'm4', 'm5', 'm6', 'm7'],
  ])
})
