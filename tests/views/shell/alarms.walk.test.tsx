import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { SnapshotFrom } from 'xstate'
import { alarmsMachine, selectOpenAlarmCount } from '../../../src/machines/shell/alarms.ts'
import type { AuthUser } from '../../../src/schemas/auth.ts'
import { createCoverage, driverOf, follow } from '../../model/harness.ts'
import { administrator, agent, alarmsModel, endedOf, quiet, ringing } from '../../model/shell/alarms-fixture.ts'
import { showInbox } from '../inbox-harness.tsx'
import { expectScreen } from '../screen.ts'

const coverage = createCoverage(alarmsMachine)
const show = (person: AuthUser) => showInbox({ person, inspect: coverage.inspect })

const bell = () => screen.queryByRole('button', { name: /^(\d+ )?alarms?$/i, hidden: true })
/** What the screen reader announces about alarms. */
const announced = () =>
  screen
    .queryAllByRole('status', { hidden: true })
    .map(({ textContent }) => textContent)
    .filter((text) => /alarm/.test(text ?? ''))
const dialog = () => screen.getByRole('dialog', { name: 'Alarms' })
const openDialog = async () => {
  const button = screen.getByRole('button', { name: /alarm/i })
  button.focus()
  await act(async () => fireEvent.click(button))
  return screen.findByRole('dialog', { name: 'Alarms' })
}
const textsOf = (heading: string) =>
  within(within(dialog()).getByRole('region', { name: heading }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent)

describe('The bell', () => {
  it('is absent, and no call is made, without the permission', async () => {
    const inbox = await show(agent)
    await inbox.pass(600_000)
    expect([bell(), inbox.waiting('loadAlarms')]).toEqual([null, []])
    inbox.unmount()
  })

  it('announces the count of alarms when the count changes, and not with each poll', async () => {
    const inbox = await show(administrator)
    await inbox.answer('loadAlarms', ringing)
    const [region] = screen.getAllByRole('status').filter(({ textContent }) => textContent === '1 alarm')
    if (region === undefined) throw new Error('the alarm was not announced')
    const changes: (string | null)[] = []
    const observer = new MutationObserver(() => changes.push(region.textContent))
    observer.observe(region, { childList: true, characterData: true, subtree: true })
    const poll = async (alarms: typeof ringing) => {
      await inbox.pass(30_000)
      await inbox.answer('loadAlarms', alarms)
    }
    await poll([...ringing])
    await poll([...ringing])
    expect(changes).toEqual([])
    await poll([...ringing, { ...endedOf(3), ended_at: null }])
    await poll(quiet)
    expect([changes, bell()?.getAttribute('aria-label')]).toEqual([['2 alarms', ''], 'Alarms'])
    observer.disconnect()
    inbox.unmount()
  })
})

describe('The list of alarms', () => {
  it('shows what lasts and what ended, with the times, and follows the polls', async () => {
    const inbox = await show(administrator)
    await inbox.answer('loadAlarms', ringing)
    await openDialog()
    expect(textsOf('Now')).toEqual([expect.stringMatching(/page 2\. Renew it in the page manager\.Since .*2026/)])
    expect(textsOf('Ended')).toEqual([
      expect.stringMatching(/page 1\. Renew it in the page manager\..*2026.* to .*2026/),
    ])
    await expectScreen()
    await inbox.pass(30_000)
    await inbox.answer('loadAlarms', quiet)
    within(dialog()).getByText('All is well. Nothing needs your attention.')
    expect(textsOf('Ended').length).toBe(2)
    inbox.unmount()
  })

  it('says when it may be old, and polls again on request', async () => {
    const inbox = await show(administrator)
    await inbox.answer('loadAlarms', ringing)
    await openDialog()
    await inbox.pass(30_000)
    await inbox.fail('loadAlarms', new Error('no answer'))
    within(dialog()).getByText('We could not check for changes. This list may be old.')
    expect(textsOf('Now').length).toBe(1)
    await expectScreen()
    await act(async () => fireEvent.click(within(dialog()).getByRole('button', { name: 'Try again' })))
    await inbox.answer('loadAlarms', [])
    expect(within(dialog()).queryByText(/may be old/)).toBeNull()
    expect(within(dialog()).queryByRole('listitem')).toBeNull()
    inbox.unmount()
  })

  it('returns the focus to the bell', async () => {
    const inbox = await show(administrator)
    await inbox.answer('loadAlarms', ringing)
    await openDialog()
    await inbox.pass(30_000)
    await inbox.answer('loadAlarms', quiet)
    await act(async () => fireEvent.click(within(dialog()).getByRole('button', { name: 'Close' })))
    await waitFor(() => expect(document.activeElement).toBe(bell()))
    inbox.unmount()
  })
})

describe.each([
  ['an administrator', administrator],
  ['an agent', agent],
])('The walk of %s', (_, person) => {
  const paths = alarmsModel(person).everyTransitionInFewPaths()

  it(`shows the expected bell on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const inbox = await show(person)
      let isHidden = false
      const drive = driverOf(
        async (event: { type: string }) => {
          if (event.type === 'tab.hidden' || event.type === 'tab.shown') isHidden = event.type === 'tab.hidden'
          await inbox.tell(event as Parameters<typeof inbox.tell>[0])
        },
        {
          calls: { loadAlarms: inbox.control('loadAlarms') },
          delays: { pollDelay: () => inbox.pass(isHidden ? 300_000 : 30_000) },
        },
      )
      await follow(path, drive, ({ expected }: { expected: SnapshotFrom<typeof alarmsMachine> }) => {
        const open = selectOpenAlarmCount(expected)
        const name = open === 0 ? 'Alarms' : '1 alarm'
        expect([bell()?.getAttribute('aria-label') ?? null, announced(), inbox.waiting('loadAlarms').length]).toEqual([
          expected.context.alarms === null ? null : name,
          open === 0 ? [] : ['1 alarm'],
          expected.matches({ offered: { polling: 'asking' } }) ? 1 : 0,
        ])
      })
      inbox.unmount()
    }
  })
})

describe('The walks of the alarms', () => {
  it('enter every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('take every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
