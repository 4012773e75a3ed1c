import { fireEvent, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { SnapshotFrom } from 'xstate'
import { conversationSyncMachine } from '../../../src/machines/sync/conversation-sync.ts'
import { conversationSyncModel, syncedConversation } from '../../model/dialogs-fixture.ts'
import { createCoverage, follow } from '../../model/harness.ts'
import { row } from '../../model/inbox-fixture.ts'
import { listOf, showInbox } from '../inbox-harness.tsx'
import { expectToasts } from '../shown-toasts.ts'

const coverage = createCoverage(conversationSyncMachine)

const sync = () => screen.getByRole('button', { name: /^Sync(ing\.\.\.| conversation)$/, hidden: true })
const more = () => screen.getByRole('button', { name: 'More about this conversation' })
const seen = () => ({ text: sync().textContent, busy: more().ariaBusy, disabled: sync().ariaDisabled })

/** Only one conversation syncs at a time. Its menu shows the sync, and another conversation has to wait. */
const expected = ({ value }: SnapshotFrom<typeof conversationSyncMachine>) => {
  const isSyncing = value === 'syncing'
  const disabled = String(isSyncing)
  return {
    synced: { text: isSyncing ? 'Syncing...' : 'Sync conversation', busy: String(isSyncing), disabled },
    other: { text: 'Sync conversation', busy: 'false', disabled },
    asks: isSyncing ? [syncedConversation] : [],
  }
}

describe('The thread menu shows the state of a conversation sync', () => {
  const paths = conversationSyncModel().everyTransition()

  it(`over ${paths.length} paths, one for each transition`, async () => {
    for (const path of paths) {
      const inbox = await showInbox({ inspect: coverage.inspect, withToasts: true })
      await inbox.answer(
        'loadTop',
        listOf([row('c1', 2, { psid: '100', platform: 'messenger' }), row('c2', 1, { psid: '200' })]),
      )
      await inbox.open('c1')
      const told = new Set<string>()
      await follow(
        path,
        {
          'conversationSync.requested': () => {
            fireEvent.click(sync())
            fireEvent.click(sync())
          },
          ...inbox.ends('syncConversation'),
        },
        async (step) => {
          const { event } = step
          if (event.type === 'xstate.done.actor.syncConversation') told.add('success: Synced 3 recent messages')
          if (event.type === 'xstate.error.actor.syncConversation')
            told.add(`error: ${event['error'].error ?? 'Failed to sync conversation'}`)
          const synced = seen()
          await inbox.open('c2')
          const other = seen()
          await inbox.open('c1')
          expect({ synced, other, asks: inbox.waiting('syncConversation') }).toEqual(expected(step.expected))
          await expectToasts([...told])
        },
      )
      inbox.unmount()
    }
  }, 300_000)

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
