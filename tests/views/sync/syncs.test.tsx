import { screen, waitFor, within } from '@testing-library/react'
import { beforeAll, describe, expect, it } from 'vitest'
import type { InspectionEvent, SnapshotFrom } from 'xstate'
import { selectSession } from '../../../src/machines/app.ts'
import { autoSyncMachine } from '../../../src/machines/sync/auto-sync.ts'
import { autoSyncControlMachine } from '../../../src/machines/sync/auto-sync-control.ts'
import { historySyncMachine, selectIsSynced, selectStep } from '../../../src/machines/sync/history-sync.ts'
import { recentSyncMachine } from '../../../src/machines/sync/recent-sync.ts'
import type { AutoSyncRun } from '../../../src/schemas/auto-sync.ts'
import { autoSyncOf, failures, jobOf, pageOf, runOf, syncStatusOf } from '../../model/dialogs-fixture.ts'
import { createCoverage, follow, modelOf } from '../../model/harness.ts'
import { messageIn, row } from '../../model/inbox-fixture.ts'
import { blockedReasonOf } from '../blocked-reason.ts'
import { found } from '../found.ts'
import { listOf, showInbox } from '../inbox-harness.tsx'
import { neededIn } from '../needed.ts'
import { expectAccessible, expectScreen } from '../screen.ts'
import userEvent from '../user-event.ts'

const historySync = createCoverage(historySyncMachine)
const recentSync = createCoverage(recentSyncMachine)
const autoSync = createCoverage(autoSyncMachine)
const autoSyncControl = createCoverage(autoSyncControlMachine)
const inspect = (event: InspectionEvent) => {
  historySync.inspect(event)
  recentSync.inspect(event)
  autoSync.inspect(event)
  autoSyncControl.inspect(event)
}

beforeAll(async () => {
  await import('../../../src/views/sync/HistorySyncDialog.tsx')
  await import('../../../src/views/sync/AutoSyncDialog.tsx')
})

const shop = pageOf('p1', { page_name: 'Shop' })
const cafe = pageOf('p2', { page_name: 'Café' })
const header = () => within(screen.getByRole('banner'))
const wide = () => found(header().getAllByRole('button', { name: 'Sync' })[0], 'Sync')

async function withPages() {
  const inbox = await showInbox({ inspect })
  await inbox.answer('loadPages', [shop, cafe])
  return inbox
}
type Inbox = Awaited<ReturnType<typeof withPages>>

const choosePage = (value: string) =>
  userEvent.selectOptions(screen.getByRole('combobox', { name: 'Page', hidden: true }), value)

describe('The historical sync dialog', () => {
  const title = 'Sync Historical Messages'
  const dialog = () => within(screen.getByRole('dialog', { name: title }))
  const button = (name: string) => dialog().getByRole<HTMLButtonElement>('button', { name })
  const status = () => dialog().getByRole('status').textContent

  const open = async () => {
    const inbox = await withPages()
    await userEvent.click(wide())
    await screen.findByRole('dialog', { name: title })
    return inbox
  }

  const chosen = async () => {
    const inbox = await open()
    await userEvent.selectOptions(dialog().getByLabelText('Page'), 'p1')
    await inbox.answer('loadSyncStatus', syncStatusOf())
    return inbox
  }

  const why = () => document.getElementById(button('Start Sync').getAttribute('aria-describedby') ?? '')?.textContent

  it('starts with no page, Messenger and a limit of 50 of at most 100, and warns about the 20 messages', async () => {
    await open()
    expect([
      dialog().getByLabelText<HTMLSelectElement>('Page').selectedOptions[0]?.textContent,
      dialog().getByLabelText<HTMLSelectElement>('Platform').selectedOptions[0]?.textContent,
      dialog().getByLabelText<HTMLInputElement>(/\(max 100\)/).value,
      button('Start Sync').disabled,
      why(),
      dialog().getByText(/give us only the 20 most recent messages of each conversation/).tagName,
    ]).toEqual(['Select a page...', 'Messenger', '50', true, 'Please select a page first', 'P'])
    await expectScreen()
  })

  it.each([
    [true, '✓ Has historical sync'],
    [false, '⚠ No historical sync'],
  ])('shows whether the chosen page has a historical sync: %s', async (hasHistoricalSync, text) => {
    const inbox = await open()
    await userEvent.selectOptions(dialog().getByLabelText('Page'), 'p1')
    await inbox.answer('loadSyncStatus', syncStatusOf({ totalMessages: 1_200, hasHistoricalSync }))
    expect([
      dialog().getByText('Total Messages').nextSibling?.textContent,
      dialog().getByText('Historical Messages').nextSibling?.textContent,
      dialog().getByText(text).tagName,
    ]).toEqual(['1,200', '80', 'P'])
  })

  it('marks required fields, visibly and for screen readers', async () => {
    await open()
    expect(neededIn(screen.getByRole('form', { name: 'Sync historical messages' }))).toEqual({
      shown: ['Page', 'Conversation limit (max 100)'],
      said: ['Page', 'Conversation limit (max 100)'],
    })
  })

  it('starts with the page of the page filter', async () => {
    const inbox = await withPages()
    await choosePage('p2')
    await userEvent.click(wide())
    await screen.findByRole('dialog', { name: title })
    expect(inbox.waiting('loadSyncStatus')).toEqual([{ pageId: 'p2' }])
  })

  it('does not start with a limit out of range, and shows the allowed range', async () => {
    const inbox = await chosen()
    const limit = dialog().getByLabelText<HTMLInputElement>(/\(max 100\)/)
    expect(why()).toBe('')
    await userEvent.clear(limit)
    await userEvent.type(limit, '101{Enter}')
    expect([
      inbox.waiting('startHistorySync'),
      dialog().getByText('A whole number from 1 to 100').tagName,
      button('Start Sync').disabled,
      why(),
    ]).toEqual([[], 'P', true, 'Conversation limit: A whole number from 1 to 100'])
  })

  it('syncs the chosen platform, and continues to poll the progress after a failure', async () => {
    const inbox = await chosen()
    await userEvent.selectOptions(dialog().getByLabelText('Platform'), 'instagram')
    await userEvent.click(button('Start Sync'))
    expect(inbox.waiting('startHistorySync')).toEqual([{ pageId: 'p1', platform: 'instagram', limit: 50 }])
    await inbox.answer('startHistorySync', jobOf({ platform: 'instagram' }))
    await inbox.pass(2_000)
    await inbox.fail('loadHistorySync', failures.noAnswer)
    expect(inbox.waiting('loadHistorySync')).toEqual([])
    await inbox.pass(2_000)
    expect(inbox.waiting('loadHistorySync')).toEqual([{ id: jobOf().id }])
  })

  it('shows the progress and the result of the sync', async () => {
    const inbox = await chosen()
    await userEvent.dblClick(button('Start Sync'))
    expect([inbox.waiting('startHistorySync'), button('Syncing...').disabled]).toEqual([
      [{ pageId: 'p1', platform: 'messenger', limit: 50 }],
      true,
    ])
    await inbox.answer('startHistorySync', jobOf({ conversations_done: 5, messages_stored: 90 }))
    expect(status()).toBe(
      'SyncingMessenger, up to 50 conversations5 conversations done, 90 messages storedYou can close this dialog. The sync continues.',
    )
    expect(dialog().getByRole<HTMLProgressElement>('progressbar').value).toBe(5)
    await expectScreen()
    await inbox.pass(2_000)
    await inbox.answer('loadHistorySync', jobOf({ state: 'completed', conversations_done: 32, messages_stored: 600 }))
    expect([status(), button('Start Sync').disabled]).toEqual([
      'Sync completedMessenger, up to 50 conversations32 conversations done, 600 messages stored',
      false,
    ])
  })

  it('cancels the sync and shows how much was stored', async () => {
    const inbox = await chosen()
    await userEvent.click(button('Start Sync'))
    await inbox.answer('startHistorySync', jobOf())
    await userEvent.click(button('Cancel sync'))
    expect([inbox.waiting('cancelHistorySync'), button('Cancelling...').disabled]).toEqual([[{ id: 'h1' }], true])
    await inbox.answer('cancelHistorySync', jobOf({ state: 'cancelled', messages_stored: 40 }))
    expect(status()).toContain('Sync cancelled')
  })

  it('matches its model on every path', async () => {
    type Snapshot = SnapshotFrom<typeof historySyncMachine>
    const paths = modelOf(historySyncMachine, {
      input: { pageId: null },
      vertex: ({ context: { failures: failed, ...seen } }: Snapshot) => ({ ...seen, failed: Math.min(failed, 1) }),
      stopWhen: ({ context }) =>
        context.failures > 0 || (context.job !== null && !['queued', 'running'].includes(context.job.state)),
      cases: {
        'page.chosen': ({ context }) => (context.pageId === null ? [{ pageId: 'p1' }] : []),
        'platform.chosen': [],
        'limit.typed': [],
        'refetch.requested': [{}],
        'status.invalidated': [],
        'sync.found': [],
        'sync.requested': ({ context }) => (context.pageId === null ? [] : [{}]),
        'cancel.requested': [{}],
        'dialog.dismissed': [{}],
        'xstate.done.actor.loadSyncStatus': [
          { output: syncStatusOf() },
          { output: syncStatusOf({ underWay: [jobOf()] }) },
        ],
        'xstate.error.actor.loadSyncStatus': [{ error: failures.unreadable }],
        'xstate.done.actor.startHistorySync': [{ output: jobOf() }, { output: null }],
        'xstate.error.actor.startHistorySync': [{ error: failures.unnamed }],
        'xstate.done.actor.loadHistorySync': [{ output: jobOf({ state: 'failed', error: 'Token no longer works' }) }],
        'xstate.error.actor.loadHistorySync': [{ error: failures.noAnswer }, { error: failures.gone }],
        'xstate.done.actor.cancelHistorySync': [{ output: jobOf({ state: 'cancelled' }) }],
        'xstate.error.actor.cancelHistorySync': [{ error: failures.unnamed }],
      },
    }).everyTransitionInFewPaths()
    const expected = (snapshot: Snapshot) => {
      if (snapshot.status === 'done') return null
      const { context } = snapshot
      const step = selectStep(snapshot)
      return {
        main: step === 'choosing' ? 'Start Sync' : 'Syncing...',
        cancel: { choosing: null, starting: null, running: 'Cancel sync', cancelling: 'Cancelling...' }[step],
        failed: snapshot.matches({ open: { status: 'failed' } }),
        job: context.job?.state ?? null,
        synced: selectIsSynced(snapshot),
      }
    }
    const titles = { running: 'Syncing', failed: 'Sync failed', cancelled: 'Sync cancelled' }
    const seen = () => {
      const shown = screen.queryByRole('dialog', { name: title })
      if (shown === null) return null
      const words = status() ?? ''
      return {
        main: shown.querySelector('button[type=submit]')?.textContent,
        cancel: within(shown).queryByRole('button', { name: /^Cancel/ })?.textContent ?? null,
        failed: within(shown).queryByText('Failed to load sync status') !== null,
        job: Object.entries(titles).find(([, word]) => words.startsWith(`${word}Messenger`))?.[0] ?? null,
        synced: words === 'Sync completed',
      }
    }
    for (const path of paths) {
      const inbox = await open()
      await follow(
        path,
        {
          'page.chosen': ({ pageId }) => userEvent.selectOptions(dialog().getByLabelText('Page'), pageId),
          'refetch.requested': () => userEvent.click(button('Try again')),
          'sync.requested': () => userEvent.click(button('Start Sync')),
          'cancel.requested': () => userEvent.click(button('Cancel sync')),
          'dialog.dismissed': () => userEvent.keyboard('{Escape}'),
          'xstate.after.progressInterval.historySync.open.work.running.waiting': () => inbox.pass(2_000),
          ...inbox.ends('loadSyncStatus', 'startHistorySync', 'loadHistorySync', 'cancelHistorySync'),
        },
        (step) => expect(seen()).toEqual(expected(step.expected)),
      )
      inbox.unmount()
    }
  }, 300_000)
})

describe('The recent sync', () => {
  const button = () => header().getAllByTitle<HTMLButtonElement>('Sync recent messages from Business Suite')[0]

  it('syncs the page of the page filter, or all pages', async () => {
    const inbox = await withPages()
    await userEvent.click(found(button(), 'the button'))
    expect([button()?.textContent, button()?.disabled, inbox.waiting('syncAllRecent').length]).toEqual([
      'Syncing...',
      true,
      1,
    ])
    await inbox.answer('syncAllRecent', { messages: 1, pages: 2, failures: [] })
    await choosePage('p2')
    await userEvent.click(found(button(), 'the button'))
    expect([button()?.textContent, inbox.waiting('syncRecent')]).toEqual(['Syncing...', [{ pageId: 'p2' }]])
    await inbox.answer('syncRecent', 3)
    expect([button()?.textContent, button()?.disabled]).toEqual(['Sync recent', false])
  })
})

describe('The recent sync, on every path of its model,', () => {
  const paths = modelOf(recentSyncMachine, {
    input: undefined,
    vertex: ({ context }) => context,
    cases: {
      'recentSync.requested': [{ pageId: null }, { pageId: 'p2' }],
      'xstate.done.actor.syncRecent': [{ output: 3 }],
      'xstate.error.actor.syncRecent': [{ error: failures.noAnswer }],
      'xstate.done.actor.syncAllRecent': [{ output: { messages: 1, pages: 2, failures: [] } }],
      'xstate.error.actor.syncAllRecent': [{ error: failures.noAnswer }],
    },
  }).everyTransitionInFewPaths()
  const button = () => header().getAllByTitle<HTMLButtonElement>('Sync recent messages from Business Suite')[0]

  it.each(paths)('path %$', async (path) => {
    const inbox = await withPages()
    await follow(
      path,
      {
        'recentSync.requested': async ({ pageId }) => {
          await choosePage(pageId ?? '')
          await userEvent.click(found(button(), 'the button'))
        },
        ...inbox.ends('syncRecent', 'syncAllRecent'),
      },
      ({ expected }) => {
        const isSyncing = expected.value !== 'idle'
        expect([button()?.textContent, button()?.disabled]).toEqual([
          isSyncing ? 'Syncing...' : 'Sync recent',
          isSyncing,
        ])
        expect([inbox.waiting('syncRecent'), inbox.waiting('syncAllRecent').length]).toEqual([
          expected.matches({ syncing: 'one' }) ? [{ pageId: expected.context.pageId }] : [],
          expected.matches({ syncing: 'all' }) ? 1 : 0,
        ])
      },
    )
    inbox.unmount()
  })
})

describe('The sync of a conversation', () => {
  it('is in the menu of the thread', async () => {
    const inbox = await showInbox({ inspect })
    await inbox.answer('loadTop', listOf([row('c1', 1, { psid: '77', platform: 'instagram' })]))
    await inbox.open('c1')
    await inbox.answer('loadMessages', { messages: [messageIn('c1', 1, { is_read: true })], hasMore: false })
    const button = () =>
      screen.getByRole<HTMLButtonElement>('button', { name: /^Sync(ing\.\.\.| conversation)$/, hidden: true })
    await userEvent.click(button())
    await userEvent.click(button())
    expect([inbox.waiting('syncConversation'), button().textContent, button().ariaDisabled]).toEqual([
      [{ pageId: 'p1', psid: '77', platform: 'instagram' }],
      'Syncing...',
      'true',
    ])
    await inbox.answer('syncConversation', 2)
    expect(button().textContent).toBe('Sync conversation')
  })
})

describe('The auto-sync indicator', () => {
  const word = () => header().getAllByRole('button', { name: /^Auto-sync/ })[0]?.textContent

  it.each([
    ['On', autoSyncOf()],
    ['Off', autoSyncOf({ isRunning: false })],
    ['Syncing…', autoSyncOf({ isSyncing: true })],
  ])('shows %s', async (text, status) => {
    const inbox = await showInbox({ inspect })
    await inbox.answer('loadStatus', status)
    expect(word()).toBe(`Auto-sync ${text}`)
  })

  it('shows received changes, and reloads when the tab becomes visible or the computer wakes from sleep', async () => {
    const inbox = await showInbox({ inspect })
    const asks = () => inbox.waiting('loadStatus').length
    await inbox.answer('loadStatus', autoSyncOf())
    await inbox.tell({
      type: 'autoSync.received',
      status: autoSyncOf({ isRunning: false, lastRun: runOf({ id: 'r2' }) }),
    })
    expect([word(), asks()]).toEqual(['Auto-sync Off', 0])
    await inbox.tell({ type: 'tab.hidden' })
    await inbox.tell({ type: 'tab.shown' })
    expect(asks()).toBe(1)
    await inbox.answer('loadStatus', autoSyncOf())
    expect([word(), asks()]).toEqual(['Auto-sync On', 0])
    await inbox.tell({ type: 'clock.jumped' })
    expect([word(), asks()]).toEqual(['Auto-sync last checked Just now', 1])
  })

  it('is not green after 120 s without a status, and shows when the status was last checked', async () => {
    const inbox = await showInbox({ inspect })
    const dot = () =>
      header()
        .getAllByRole('button', { name: /^Auto-sync/ })[0]
        ?.querySelector('[aria-hidden]')?.className
    await inbox.answer('loadStatus', autoSyncOf())
    expect(dot()).toContain('bg-ok')
    for (let times = 0; times < 4; times += 1) {
      await inbox.pass(30_000)
      if (times < 3) await inbox.fail('loadStatus', failures.noAnswer)
    }
    expect([word(), dot()?.includes('bg-ok')]).toEqual(['Auto-sync last checked Just now', false])
  })
})

describe('The auto-sync dialog', () => {
  const dialog = () => within(screen.getByRole('dialog', { name: 'Auto-Sync' }))
  const button = (name: string) => dialog().getByRole<HTMLButtonElement>('button', { name })
  const field = (name: RegExp) => dialog().getByLabelText<HTMLInputElement>(name)
  const panel = () => dialog().getByRole('region', { name: 'Auto-Sync Status' })
  const footerClose = () => found(dialog().getAllByRole('button', { name: 'Close' })[1], 'the second button')

  const openUnanswered = async () => {
    const inbox = await showInbox({ inspect })
    await userEvent.click(found(header().getAllByRole('button', { name: /^Auto-sync/ })[0], 'Auto-sync'))
    await screen.findByRole('dialog', { name: 'Auto-Sync' })
    return inbox
  }
  const open = async (status = autoSyncOf()) => {
    const inbox = await openUnanswered()
    await answerStatus(inbox, status)
    return inbox
  }
  const answerStatus = async (inbox: Pick<Inbox, 'waiting' | 'answer'>, status = autoSyncOf()) => {
    while (inbox.waiting('loadStatus').length > 0) await inbox.answer('loadStatus', status)
  }

  it('shows the last run page by page, the time of the next run, and who changed the settings', async () => {
    await open(
      autoSyncOf({
        settings: {
          interval_minutes: 10,
          hours_back: 4,
          enabled: true,
          last_updated_by: 'Maria Santos',
          last_updated_at: '2026-01-05T12:00:00Z',
        },
        lastRun: runOf({
          messages: 4,
          pages: [
            { page_id: 'p1', page_name: 'Shop', messages: 4 },
            { page_id: 'p2', page_name: 'Café', messages: 0, error: 'Give the page a new token.' },
          ],
        }),
      }),
    )
    expect([
      panel().textContent?.includes('completed, 4 new messages'),
      within(panel())
        .getAllByRole('listitem')
        .map((line) => line.textContent),
      within(panel()).getByText('Next sync').nextSibling?.textContent,
      field(/Minutes between syncs/).value,
      field(/Hours to look back/).value,
      field(/Enabled/).checked,
      dialog().getByText(/^Last updated by Maria Santos on .*2026/).tagName,
    ]).toEqual([true, ['Shop4 new', 'CaféGive the page a new token.'], 'In 4 min', '10', '4', true, 'P'])
    await expectAccessible()
  })

  it('marks required fields, visibly and for screen readers', async () => {
    await open()
    expect(neededIn(screen.getByRole('form', { name: 'Auto-sync settings' }))).toEqual({
      shown: ['Minutes between syncs (1–60)', 'Hours to look back (1–24)'],
      said: ['Minutes between syncs (1–60)', 'Hours to look back (1–24)'],
    })
  })

  it.each([
    [null, 'None planned'],
    [-30, 'Any moment now'],
    [0, 'Any moment now'],
    [60, 'In 1 min'],
    [90, 'In 2 min'],
    [3_600, 'In 60 min'],
  ])('with %s s to the next sync says "%s"', async (nextSyncIn, text) => {
    await open(autoSyncOf({ nextSyncIn }))
    expect(within(panel()).getByText('Next sync').nextSibling?.textContent).toBe(text)
  })

  it.each<[Partial<AutoSyncRun>, RegExp]>([
    [{ state: 'running', messages: 1 }, /^Automatic sync, .*2026.*: running, 1 new message$/],
    [{ state: 'stopped' }, /^Automatic sync, .*2026.*: stopped, 4 new messages$/],
    [{ state: 'failed', messages: 0 }, /^Automatic sync, .*2026.*: failed, 0 new messages$/],
    [{ trigger: 'forced', started_by_name: 'Ben' }, /^Sync started by Ben, .*2026.*: completed, 4 new messages$/],
    [{ trigger: 'forced', started_by_name: null }, /^Sync started by staff, .*2026.*: completed, 4 new messages$/],
  ])('sums up the run %j', async (run, text) => {
    await open(autoSyncOf({ lastRun: runOf(run) }))
    expect(within(panel()).getByText(/ new messages?$/).textContent).toMatch(text)
  })

  it('saves values in range, and keeps the input if saving fails', async () => {
    const inbox = await open()
    expect(blockedReasonOf(button('Save settings'))).toBe('Change a setting before you save.')
    await userEvent.clear(field(/Minutes between syncs/))
    await userEvent.type(field(/Minutes between syncs/), '61')
    await userEvent.clear(field(/Hours to look back/))
    expect(dialog().getByText('A whole number from 1 to 60').tagName).toBe('P')
    expect(blockedReasonOf(button('Save settings'))).toBe('Minutes between syncs: A whole number from 1 to 60')
    await userEvent.type(field(/Minutes between syncs/), '{Backspace}')
    expect(blockedReasonOf(button('Save settings'))).toBe('Hours to look back: A whole number from 1 to 24')
    await userEvent.type(field(/Hours to look back/), '2')
    await userEvent.click(button('Save settings'))
    expect(inbox.waiting('saveConfig')).toEqual([{ config: { interval_minutes: 6, hours_back: 2, enabled: true } }])
    await inbox.fail('saveConfig', failures.unnamed)
    expect(field(/Minutes between syncs/).value).toBe('6')
    await userEvent.click(button('Save settings'))
    await inbox.answer('saveConfig', autoSyncOf({ settings: { interval_minutes: 6, hours_back: 2, enabled: true } }))
    expect([field(/Minutes between syncs/).value, button('Save settings').disabled]).toEqual(['6', true])
  })

  const answerQuestion = (name: string) =>
    userEvent.click(within(screen.getByRole('alertdialog', { name: 'Discard changes' })).getByRole('button', { name }))
  const leaveByClosing = () => userEvent.click(footerClose())

  it.each([
    ['Escape', () => userEvent.keyboard('{Escape}')],
    ['Close', leaveByClosing],
    [
      'a press outside it',
      () => userEvent.click(found(screen.getByRole('dialog').parentElement, 'what lies beside it')),
    ],
  ])('asks before %s discards typed input', async (_, leave) => {
    await open()
    await userEvent.type(field(/Hours to look back/), '0')
    await leave()
    await waitFor(() => expect(document.activeElement?.textContent).toBe('Keep editing'))
    await answerQuestion('Keep editing')
    expect(field(/Hours to look back/).value).toBe('20')
    await leave()
    await answerQuestion('Discard')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBe(null))
  })

  it('stops and starts the automatic sync, and the indicator follows', async () => {
    const inbox = await open()
    await userEvent.click(button('Stop'))
    expect([inbox.waiting('toggle'), button('Stopping...').disabled]).toEqual([[{ on: false }], true])
    await inbox.answer('toggle', autoSyncOf({ isRunning: false, enabled: false }))
    expect(within(panel()).getByRole('heading').textContent).toBe('Auto-Sync StatusOff')
    await userEvent.click(button('Start'))
    expect(inbox.waiting('toggle')).toEqual([{ on: true }])
  })

  it('forces a sync, which continues after the dialog is closed', async () => {
    const inbox = await open()
    const running = () => within(panel()).getByText('Running now').nextElementSibling?.textContent
    expect(running()).toBe('No')
    await userEvent.dblClick(button('Force sync'))
    expect([inbox.waiting('forceSync').length, button('Syncing…').disabled, running()]).toEqual([1, true, 'Yes'])
    await userEvent.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBe(null))
    await inbox.answer('forceSync', runOf())
    expect(inbox.waiting('loadStatus').length).toBe(1)
  })

  it('matches the model of the sync on every path', async () => {
    const on = autoSyncOf()
    const paths = modelOf(autoSyncMachine, {
      input: { now: () => 0 },
      vertex: ({ context: { status } }) => status,
      cases: {
        'force.requested': ({ context: { status } }) => (status === null || status.isSyncing ? [] : [{}]),
        'xstate.done.actor.loadStatus': [
          { output: on },
          { output: autoSyncOf({ isRunning: false }) },
          { output: autoSyncOf({ isSyncing: true }) },
        ],
        'xstate.error.actor.loadStatus': [{ error: failures.noAnswer }],
        'xstate.done.actor.forceSync': [{ output: runOf() }],
        'xstate.error.actor.forceSync': [{ error: failures.unnamed }],
        // Other tests above cover events from outside and time, which advances for both regions at once.
        'status.received': [],
        'refetch.requested': [],
        'tab.shown': [],
        'tab.hidden': [],
        'clock.jumped': [],
        'xstate.after.pollDelay.autoSync.watching.waiting': [],
        'xstate.after.statusMaxAge.autoSync.freshness.fresh': [],
      },
    }).everyTransitionInFewPaths()
    const word = () =>
      screen
        .getAllByRole('button', { name: /^Auto-sync (?!settings)/, hidden: true })[0]
        ?.textContent?.replace('Auto-sync ', '')
    for (const path of paths) {
      const inbox = await openUnanswered()
      await follow(
        path,
        {
          'force.requested': () => userEvent.click(button('Force sync')),
          'xstate.done.actor.loadStatus': ({ output }) => answerStatus(inbox, output),
          'xstate.error.actor.loadStatus': async ({ error }) => {
            while (inbox.waiting('loadStatus').length > 0) await inbox.fail('loadStatus', error)
          },
          ...inbox.ends('forceSync'),
        },
        ({ expected: { value, context } }) => {
          const { status } = context
          const isSyncing = value.forcing === 'syncing' || status?.isSyncing === true
          const known = status === null ? 'unknown' : status.isRunning ? 'On' : 'Off'
          expect([word(), inbox.waiting('forceSync').length]).toEqual([
            isSyncing ? 'Syncing…' : known,
            value.forcing === 'syncing' ? 1 : 0,
          ])
        },
      )
      inbox.unmount()
    }
  }, 120_000)

  it('matches its own model on every path', async () => {
    const shown = { interval: '5', hoursBack: '2', enabled: true }
    const paths = modelOf(autoSyncControlMachine, {
      input: undefined,
      vertex: ({ context }) => context,
      cases: {
        'settings.edited': ({ context }) =>
          context.typed === null ? [{ settings: { ...shown, interval: '7' }, shown }] : [],
        'settings.submitted': ({ context }) => (context.typed === null ? [] : [{ settings: context.typed, shown }]),
        'start.requested': [],
        'stop.requested': [{}],
        'dialog.dismissed': [{}],
        'discard.confirmed': [{}],
        'discard.refused': [{}],
        'xstate.done.actor.saveConfig': [{ output: null }],
        'xstate.error.actor.saveConfig': [{ error: failures.broken }],
        'xstate.done.actor.toggle': [{ output: null }],
        'xstate.error.actor.toggle': [{ error: failures.broken }],
      },
    }).everyTransitionInFewPaths()
    for (const path of paths) {
      const inbox = await open()
      await follow(
        path,
        {
          'settings.edited': () =>
            userEvent.type(field(/Minutes between syncs/), '7', { initialSelectionStart: 0, initialSelectionEnd: 1 }),
          'settings.submitted': () => userEvent.click(button('Save settings')),
          'stop.requested': () => userEvent.click(button('Stop')),
          'dialog.dismissed': () => userEvent.keyboard('{Escape}'),
          'discard.confirmed': () => answerQuestion('Discard'),
          'discard.refused': () => answerQuestion('Keep editing'),
          'xstate.done.actor.saveConfig': () => inbox.answer('saveConfig', null),
          'xstate.error.actor.saveConfig': ({ error }) => inbox.fail('saveConfig', error),
          'xstate.done.actor.toggle': () => inbox.answer('toggle', null),
          'xstate.error.actor.toggle': ({ error }) => inbox.fail('toggle', error),
        },
        async ({ expected: { context, value } }) => {
          await answerStatus(inbox)
          const [dialogShown] = screen.queryAllByRole('dialog', { name: 'Auto-Sync', hidden: true })
          const seen = dialogShown
            ? [
                within(dialogShown).getByLabelText<HTMLInputElement>(/Minutes between syncs/).value,
                dialogShown.querySelector('button[type=submit]')?.textContent,
                within(dialogShown).getByRole('button', { name: /^Stop/, hidden: true }).textContent,
                screen.queryByRole('alertdialog') !== null,
              ]
            : null
          expect(seen).toEqual(
            value === 'dismissed'
              ? null
              : [
                  context.typed?.interval ?? '5',
                  value === 'saving' ? 'Saving...' : 'Save settings',
                  value === 'toggling' ? 'Stopping...' : 'Stop',
                  value === 'leaving',
                ],
          )
        },
      )
      inbox.unmount()
    }
  }, 120_000)
})

describe('A page with a rejected token', () => {
  it.each([
    ['Shop', 1, 'Shop'],
    [null, 2, 'Shop · 2 pages'],
  ])('is marked next to its name, also if the row does not name the page: %s, %i', async (name, count, title) => {
    const inbox = await showInbox({ inspect })
    await inbox.answer('loadTop', listOf([row('c1', 1, { last_message_page_name: name, page_count: count })]))
    await inbox.answer('loadPages', [{ ...shop, token_invalid_since: '2026-02-05T12:00:00Z' }])
    const option = within(screen.getByRole('option', { name: /Person c1/ }))
    expect(option.getByTitle(title).nextElementSibling).toBe(option.getByTitle('token no longer works'))
  })

  it('is marked in the list and in the composer until its token is renewed', async () => {
    const inbox = await showInbox({ inspect })
    await inbox.answer('loadTop', listOf([row('c1', 1, { last_message_page_name: 'Shop' })]))
    await inbox.answer('loadPages', [{ ...shop, token_invalid_since: '2026-02-05T12:00:00Z' }])
    await inbox.open('c1')
    await inbox.answer('loadMessages', { messages: [messageIn('c1', 1, { is_read: true })], hasMore: false })
    const shown = () => [
      screen.getByRole('option', { name: /Person c1/ }).textContent?.includes('token no longer works'),
      screen.queryByText(/its access token no longer works/)?.textContent ?? null,
    ]
    expect(shown()).toEqual([
      true,
      'Shop cannot send messages: its access token no longer works. Enter a new token under Manage pages.',
    ])
    await inbox.pass(0)
    selectSession(inbox.app.getSnapshot())?.send({ type: 'pages.invalidated' })
    await inbox.answer('loadPages', [shop])
    expect(shown()).toEqual([false, null])
    selectSession(inbox.app.getSnapshot())?.send({ type: 'pages.invalidated' })
    await inbox.answer('loadPages', [{ ...shop, is_active: false }])
    expect(screen.getByText(/is inactive/).textContent).toBe(
      'Shop is inactive and cannot send messages. Activate it under Manage pages.',
    )
  })
})

describe('The sync tests together', () => {
  it('enter every state of the historical sync', () => expect(historySync.statesMissed()).toEqual([]))
  it('take every transition of the historical sync', () =>
    expect(historySync.transitionsMissed()).toEqual([
      // Without a page there is nothing to press.
      'historySync.open.work.choosing -- sync.requested #1 --> stays',
    ]))
  it('enter every state of the recent sync', () => expect(recentSync.statesMissed()).toEqual([]))
  it('take every transition of the recent sync', () => expect(recentSync.transitionsMissed()).toEqual([]))
  it('enter every state of the automatic sync', () => expect(autoSync.statesMissed()).toEqual([]))
  it('take every transition of the automatic sync', () => expect(autoSync.transitionsMissed()).toEqual([]))
  it('enter every state of the auto-sync dialog', () => expect(autoSyncControl.statesMissed()).toEqual([]))
  it('take every transition of the auto-sync dialog', () =>
    expect(autoSyncControl.transitionsMissed()).toEqual([
      // The confirmation dialog handles Escape itself.
      'autoSyncControl.leaving -- dialog.dismissed --> autoSyncControl.editing',
    ]))
})
