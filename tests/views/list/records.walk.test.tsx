import { describe, expect, it } from 'vitest'
import { recordsMachine } from '../../../src/machines/list/records.ts'
import { createCoverage, followByHand } from '../../model/harness.ts'
import { at, inserted, renamed, row, stateOf } from '../../model/inbox-fixture.ts'
import { listOf, showInbox } from '../inbox-harness.tsx'

const coverage = createCoverage(recordsMachine)

/** The name and the preview of each row, and the name in the open thread. */
const shown = () => ({
  rows: [...document.querySelectorAll('section[aria-label="Conversations"] [role="option"]')].map((option) => ({
    name: option.querySelector('bdi')?.textContent,
    preview: option.querySelector('[dir="auto"]')?.textContent,
    isUnread: option.textContent.includes(' unread'),
  })),
  open: document.querySelector('section[aria-label="Thread"] h2')?.textContent ?? null,
})

const rowOf = (name: string, preview: string, isUnread = false) => ({ name, preview, isUnread })

describe('The list and the thread', () => {
  it('show the same row of a conversation after every change', async () => {
    const inbox = await showInbox({ inspect: coverage.inspect })
    await followByHand(recordsMachine, [
      {
        name: 'the list is answered',
        run: () => inbox.answer('loadTop', listOf([row('c2', 20), row('c1', 10)])),
        check: () =>
          expect(shown()).toEqual({ rows: [rowOf('Person c2', 'at 20'), rowOf('Person c1', 'at 10')], open: null }),
      },
      {
        name: 'a conversation is opened',
        run: () => inbox.open('c1'),
        check: () => expect(shown().open).toBe('Person c1'),
      },
      {
        name: 'somebody writes',
        run: () => inbox.change([inserted('c1', 30)]),
        check: () => expect(shown().rows).toEqual([rowOf('Person c1', 'at 30', true), rowOf('Person c2', 'at 20')]),
      },
      {
        name: 'a person is renamed',
        run: () => inbox.changeUsers([renamed('u1', 'Maria')]),
        check: () =>
          expect(shown()).toEqual({
            rows: [rowOf('Maria', 'at 30', true), rowOf('Person c2', 'at 20')],
            open: 'Maria',
          }),
      },
      {
        name: 'it is read',
        run: () => inbox.tell({ type: 'conversation.read', id: 'c1' }),
        check: () => expect(shown().rows[0]).toEqual(rowOf('Maria', 'at 30')),
      },
      {
        name: 'another page is filtered by, on which the open conversation is not',
        run: async () => {
          await inbox.tell({ type: 'page.chosen', pageId: 'p2' })
          await inbox.answer('loadTop', listOf([row('c2', 20)]))
        },
        check: () => expect(shown()).toEqual({ rows: [rowOf('Person c2', 'at 20')], open: 'Maria' }),
      },
      {
        name: 'an address opens a conversation that is looked up, and meanwhile the list was answered with its row',
        run: async () => {
          await inbox.open('c3')
          await inbox.tell({ type: 'refetch.requested' })
          await inbox.answer('loadTop', listOf([row('c3', 40), row('c2', 20)]))
          await inbox.answer('findConversation', row('c3', 50))
        },
        check: () =>
          expect(shown()).toEqual({
            rows: [rowOf('Person c3', 'at 40'), rowOf('Person c2', 'at 20')],
            open: 'Person c3',
          }),
      },
      {
        name: 'the states of the row change',
        run: async () => {
          await inbox.changeStates([{ id: 'c3', state: stateOf(1) }])
          await inbox.tell({ type: 'states.expected', ids: ['c3'], expected: { key: 'k', part: { muted_at: at(0) } } })
        },
        check: () => expect(document.querySelector('[role="option"]')?.textContent).toContain('Muted'),
      },
      {
        name: 'the change is refused, and the conversation is marked as unread',
        run: async () => {
          await inbox.tell({ type: 'states.settled', key: 'k', ids: ['c3'], told: [] })
          await inbox.tell({ type: 'conversations.unread', ids: ['c3'] })
        },
        check: () =>
          expect([shown().rows[0], document.querySelector('[role="option"]')?.textContent?.includes('Muted')]).toEqual([
            rowOf('Person c3', 'at 40', true),
            false,
          ]),
      },
    ])
    inbox.unmount()
  })

  it('cover every state and transition of the records', () =>
    expect([coverage.statesMissed(), coverage.transitionsMissed()]).toEqual([[], []]))
})
