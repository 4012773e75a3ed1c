import { describe, expect, it } from 'vitest'
import { createActor } from 'xstate'
import { recordsIn, recordsMachine, selectRow } from '../../../src/machines/list/records.ts'
import { createCoverage, followByHand } from '../harness.ts'
import { inserted, renamed, row, stateOf } from '../inbox-fixture.ts'

const coverage = createCoverage(recordsMachine)
const start = () => createActor(recordsMachine, { systemId: 'records', inspect: coverage.inspect }).start()

describe('the records', () => {
  it('hold each row once, with the newest data of answers and realtime events', async () => {
    const actor = start()
    const shown = (id: string) => selectRow(id)(actor.getSnapshot())
    const sequence = () => recordsIn(actor.system).sequence
    await followByHand(recordsMachine, [
      {
        name: 'two rows are answered',
        run: () => actor.send({ type: 'conversations.fetched', rows: [row('c2', 20), row('c1', 10)], asOf: 0 }),
        check: () => expect([shown('c1'), shown('c2'), shown('u1')]).toEqual([row('c1', 10), row('c2', 20), null]),
      },
      {
        name: 'a page is filtered by, and somebody writes to another',
        run: () => {
          actor.send({ type: 'page.chosen', pageId: 'p2' })
          actor.send({ type: 'messages.changed', changes: [inserted('c1', 30)] })
          actor.send({ type: 'page.chosen', pageId: null })
        },
        check: () => expect([shown('c1'), sequence()]).toEqual([row('c1', 10), 1]),
      },
      {
        name: 'a conversation is looked up on all its pages under that filter',
        run: () => {
          actor.send({ type: 'page.chosen', pageId: 'p2' })
          const found = [row('c1', 10, { total_messages: 99 }), row('c9', 1)]
          actor.send({ type: 'conversations.lookedUp', rows: found, asOf: sequence() })
          actor.send({ type: 'page.chosen', pageId: null })
        },
        check: () => expect([shown('c1'), shown('c9')]).toEqual([row('c1', 10), row('c9', 1)]),
      },
      {
        name: 'a conversation is looked up on all its pages without a filter',
        run: () => {
          const found = [row('c9', 1, { total_messages: 99 })]
          actor.send({ type: 'conversations.lookedUp', rows: found, asOf: sequence() })
        },
        check: () => expect(shown('c9')).toEqual(row('c9', 1, { total_messages: 99 })),
      },
      {
        name: 'somebody writes',
        run: () => actor.send({ type: 'messages.changed', changes: [inserted('c1', 30)] }),
        check: () => expect([shown('c1')?.unread_messages, sequence()]).toEqual([1, 2]),
      },
      {
        name: 'it is read',
        run: () => actor.send({ type: 'conversation.read', id: 'u1' }),
        check: () => expect([shown('c1')?.unread_messages, sequence()]).toEqual([0, 3]),
      },
      {
        name: 'a person is renamed',
        run: () => actor.send({ type: 'users.changed', changes: [renamed('u1', 'Maria')] }),
        check: () => expect([shown('c1')?.unified_name, sequence()]).toEqual(['Maria', 4]),
      },
      {
        name: 'an answer comes that was asked for before all of it',
        run: () =>
          actor.send({ type: 'conversations.fetched', rows: [row('c1', 10, { unread_messages: 9 })], asOf: 0 }),
        check: () =>
          expect(shown('c1')).toMatchObject({ unified_name: 'Maria', unread_messages: 0, total_messages: 2 }),
      },
      {
        name: 'another conversation is listed, and this one is open',
        run: () => {
          actor.send({ type: 'conversations.held', from: 'thread', ids: ['u1'] })
          actor.send({ type: 'conversations.fetched', rows: [row('c3', 40)], asOf: 4 })
          actor.send({ type: 'conversations.listed', ids: ['c3'] })
        },
        check: () => expect([shown('c1') === null, shown('c2'), shown('c3')]).toEqual([false, null, row('c3', 40)]),
      },
      {
        name: 'it is left, and a dialog is about it',
        run: () => {
          actor.send({ type: 'conversations.held', from: 'dialog', ids: ['c1'] })
          actor.send({ type: 'conversations.held', from: 'thread', ids: [] })
          actor.send({ type: 'conversations.listed', ids: ['c3'] })
        },
        check: () => expect([shown('c1') === null, shown('c3')]).toEqual([false, row('c3', 40)]),
      },
      {
        name: 'the dialog ends',
        run: () => {
          actor.send({ type: 'conversations.held', from: 'dialog', ids: [] })
          actor.send({ type: 'conversations.listed', ids: ['c3'] })
        },
        check: () => expect([shown('c1'), shown(''), shown('c3')]).toEqual([null, null, row('c3', 40)]),
      },
      {
        name: 'the page of a client shows two conversations',
        run: () => {
          actor.send({ type: 'conversations.held', from: 'clientPage', ids: ['c4', 'c5'] })
          actor.send({ type: 'conversations.lookedUp', rows: [row('c4', 1), row('c5', 2)], asOf: sequence() })
          actor.send({ type: 'conversations.listed', ids: ['c3'] })
        },
        check: () =>
          expect([shown('c3'), shown('c4'), shown('c5')]).toEqual([row('c3', 40), row('c4', 1), row('c5', 2)]),
      },
      {
        name: 'realtime tells a state',
        run: () => actor.send({ type: 'states.changed', changes: [{ id: 'c3', state: stateOf(2), changedBy: 's2' }] }),
        check: () => expect(shown('c3')?.state).toEqual(stateOf(2)),
      },
      {
        name: 'this client closes the conversation',
        run: () =>
          actor.send({ type: 'states.expected', ids: ['c3'], expected: { key: 'k', part: { done_at: 'now' } } }),
        check: () => expect(shown('c3')?.state).toEqual(stateOf(2, { done_at: 'now' })),
      },
      {
        name: 'the server refuses the change',
        run: () => actor.send({ type: 'states.settled', key: 'k', told: [{ id: 'c3', state: stateOf(3) }] }),
        check: () => expect(shown('c3')?.state).toEqual(stateOf(3)),
      },
      {
        name: 'a conversation is marked as unread',
        run: () => actor.send({ type: 'conversations.unread', ids: ['c3', 'c9'] }),
        check: () => expect([shown('c3')?.unread_messages, recordsIn(actor.system).unreadChange]).toEqual([1, 1]),
      },
    ])
  })

  it('are empty if no records actor is running', () => {
    expect([recordsIn(createActor(recordsMachine).system).size, selectRow(null)(start().getSnapshot())]).toEqual([
      0,
      null,
    ])
  })

  it('enter every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('take every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
