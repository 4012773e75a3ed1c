import { fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { SnapshotFrom } from 'xstate'
import { statsMachine } from '../../../src/machines/list/stats.ts'
import { createCoverage, follow } from '../../model/harness.ts'
import { inserted } from '../../model/inbox-fixture.ts'
import { cafe, shop, statsModel } from '../../model/list/stats-and-pages-fixture.ts'
import { listOf, showInbox } from '../inbox-harness.tsx'

const coverage = createCoverage(statsMachine)

const header = () => within(screen.getByRole('banner'))

async function open() {
  const inbox = await showInbox({ inspect: coverage.inspect })
  await inbox.answer('loadTop', listOf([]))
  await inbox.answer('loadPages', [shop, cafe])
  return inbox
}
type Inbox = Awaited<ReturnType<typeof open>>

const seen = (inbox: Inbox) => ({
  counts: header().getByText(/conversations/).parentElement?.textContent,
  tab: document.title,
  asks: inbox.waiting('loadStats'),
})

/** Loaded counts stay on the screen, whatever the next request returns. A request uses the current page filter. */
const expected = ({ context: { stats, pageId }, value }: SnapshotFrom<typeof statsMachine>) => {
  const shown = {
    12: { counts: '12 conversations·3 unread messages', tab: '(3) Inbox' },
    1213: { counts: '1,213 conversations·0 unread messages', tab: 'Inbox' },
  }
  const unknown = { counts: '– conversations·– unread messages', tab: 'Inbox' }
  const known = stats?.total_conversations as keyof typeof shown | undefined
  return { ...(known === undefined ? unknown : shown[known]), asks: value === 'loading' ? [{ pageId }] : [] }
}

describe('The header shows the state of the counts', () => {
  const paths = statsModel({
    // Reachable from any state, but only once counts are loaded, so that the counts of another page replace them.
    'page.chosen': ({ context }) => (context.stats?.total_conversations === 12 ? [{ pageId: 'p1' }] : []),
    'refetch.requested': ({ context }) => (context.pageId === null ? [{}] : []),
  }).everyTransitionInFewPaths()

  it(`over ${paths.length} paths that take every transition`, async () => {
    for (const path of paths) {
      const inbox = await open()
      let minute = 1
      await follow(
        path,
        {
          'page.chosen': ({ pageId }) => fireEvent.change(screen.getByLabelText('Page'), { target: { value: pageId } }),
          'refetch.requested': () => fireEvent.click(header().getByRole('button', { name: 'Refresh conversations' })),
          'stats.invalidated': () => inbox.tell({ type: 'inbox.invalidated' }),
          // The row of this conversation is not loaded, so its unread count is not known here.
          'unread.changed': () => inbox.change([inserted('c1', minute++)]),
          'xstate.after.changesDebounce.stats.debouncing': () => inbox.pass(1_000),
          'xstate.after.retryDelay.stats.backingOff': () => inbox.pass(2_000),
          ...inbox.ends('loadStats'),
        },
        (step) => expect(seen(inbox)).toEqual(expected(step.expected)),
      )
      inbox.unmount()
    }
  }, 300_000)

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
