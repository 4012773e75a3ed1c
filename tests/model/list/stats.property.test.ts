import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SimulatedClock } from 'xstate'
import type { MessageChange } from '../../../src/domain/shell/changes.ts'
import { selectUnreadMessages, statsMachine } from '../../../src/machines/list/stats.ts'
import type { Stats } from '../../../src/schemas/stats.ts'
import { createControl, settled } from '../harness.ts'
import { messageIn, row } from '../inbox-fixture.ts'
import { startWithRecords } from '../records-fixture.ts'
import { statsOf } from './stats-and-pages-fixture.ts'

const held = ['c1', 'c2'] as const
const everybody = [...held, 'c3'] as const
type Id = (typeof everybody)[number]

/** The counts with the records, which hold two of three conversations, and a server that answers their fetches. */
async function start() {
  const unread = new Map<Id, number>(everybody.map((id) => [id, 2]))
  const load = createControl<Stats, { pageId: string | null }>(() => served.push(null))
  /** The answer of the server to each fetch; null until the server has read the fetch. */
  const served: (number | null)[] = []
  const clock = new SimulatedClock()
  const { actor, tellRecords } = startWithRecords(statsMachine.provide({ actors: { loadStats: load.logic } }), {
    input: undefined,
    clock,
    rows: held.map((id, index) => row(id, index, { unread_messages: 2 })),
  })
  const truth = () => [...unread.values()].reduce((sum, count) => sum + count, 0)
  const answered = new Set<number>()
  const open = () => served.flatMap((_, index) => (answered.has(index) ? [] : [index]))
  let minute = 10
  const sut = {
    clock,
    truth,
    shown: () => selectUnreadMessages(actor.getSnapshot()),
    write: (id: Id): MessageChange => {
      minute += 1
      unread.set(id, (unread.get(id) ?? 0) + 1)
      return { type: 'INSERT', record: messageIn(id, minute) }
    },
    hear: (...changes: MessageChange[]) => {
      if (changes.length === 0) return
      tellRecords({ type: 'messages.changed', changes })
      actor.send({ type: 'unread.changed' })
    },
    read: (id: Id) => {
      unread.set(id, 0)
      tellRecords({ type: 'conversation.read', id })
      actor.send({ type: 'unread.changed' })
    },
    serve: () => {
      for (const index of open()) served[index] ??= truth()
    },
    answer: async () => {
      sut.serve()
      for (const index of open()) {
        answered.add(index)
        load.calls[index]?.resolve(statsOf(3, served[index] ?? 0))
      }
      await settled()
    },
    fail: async () => {
      for (const index of open()) {
        answered.add(index)
        load.calls[index]?.reject(new Error('offline'))
      }
      await settled()
    },
    settle: async () => {
      for (let second = 0; second < 40; second += 1) {
        clock.increment(1_000)
        await sut.answer()
      }
    },
    stop: () => actor.stop(),
  }
  await sut.answer()
  return sut
}

const step = (names: readonly string[]) => fc.record({ what: fc.constantFrom(...names), which: fc.nat(5) })

it('the unread count always equals that of the server if changes arrive at once and their rows are held', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step(['write', 'read', 'serve', 'answer', 'fail', 'tick']), { maxLength: 30 }),
      async (steps) => {
        const sut = await start()
        for (const { what, which } of steps) {
          const id = held[which % held.length] ?? 'c1'
          if (what === 'write') sut.hear(sut.write(id))
          if (what === 'read') sut.read(id)
          if (what === 'serve') sut.serve()
          if (what === 'answer') await sut.answer()
          if (what === 'fail') await sut.fail()
          if (what === 'tick') sut.clock.increment(500 * which)
          expect(sut.shown(), `after ${what}`).toBe(sut.truth())
        }
        sut.stop()
      },
    ),
    {
      numRuns: 150,
      // A read mark on a row without unread messages is exact, so that a late answer does not take the number back.
      examples: [
        [
          [
            { what: 'read', which: 3 },
            { what: 'read', which: 3 },
            { what: 'tick', which: 2 },
            { what: 'serve', which: 0 },
            { what: 'write', which: 0 },
            { what: 'answer', which: 0 },
          ],
        ],
      ],
    },
  )
})

it('the unread count is never negative, and equals that of the server once nothing is pending', async () => {
  const names = ['write', 'hear', 'hearTwice', 'delete', 'read', 'serve', 'answer', 'fail', 'tick']
  await fc.assert(
    fc.asyncProperty(fc.array(step(names), { maxLength: 40 }), async (steps) => {
      const sut = await start()
      const frames: MessageChange[] = []
      for (const { what, which } of steps) {
        const id = everybody[which % everybody.length] ?? 'c1'
        if (what === 'write') frames.push(sut.write(id))
        if (what === 'hear') sut.hear(...frames.splice(0, which))
        if (what === 'hearTwice') sut.hear(...frames.slice(0, 1), ...frames.splice(0, 1))
        if (what === 'delete') sut.hear({ type: 'DELETE', messageId: 'gone' })
        if (what === 'read') sut.read(id)
        if (what === 'serve') sut.serve()
        if (what === 'answer') await sut.answer()
        if (what === 'fail') await sut.fail()
        if (what === 'tick') sut.clock.increment(500 * which)
        expect(sut.shown()).toBeGreaterThanOrEqual(0)
      }
      sut.hear(...frames)
      await sut.settle()
      expect(sut.shown()).toBe(sut.truth())
      sut.stop()
    }),
    { numRuns: 150 },
  )
})

it('an answer includes a message whose row is not held, even if other changes arrived during the fetch', async () => {
  const sut = await start()
  sut.hear(sut.write('c3'))
  expect([sut.shown(), sut.truth()]).toEqual([6, 7])
  sut.clock.increment(1_000)
  sut.hear(sut.write('c1'))
  await sut.answer()
  expect([sut.shown(), sut.truth()]).toEqual([8, 8])
  sut.stop()
})
