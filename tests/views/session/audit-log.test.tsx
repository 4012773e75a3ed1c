import { act, fireEvent, render, screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { auditLogMachine } from '../../../src/machines/session/audit-log.ts'
import { auditActions } from '../../../src/schemas/audit.ts'
import AuditLogDialog from '../../../src/views/session/AuditLogDialog.tsx'
import { createCoverage, follow } from '../../model/harness.ts'
import { auditModel, auditPageOf, entryOf, startAuditLog } from '../../model/session/staff-fixture.ts'
import { dialogDriver, isShown, press, pressIfShown } from '../driving.ts'
import { expectScreen } from '../screen.ts'

const coverage = createCoverage(auditLogMachine)

/** Renders the dialog on its real machine. The test controls the answers. */
function show() {
  const sut = startAuditLog(coverage.inspect)
  const dismiss = () => sut.actor.send({ type: 'dialog.dismissed' })
  const view = render(<AuditLogDialog actor={sut.actor} title="Audit log" onDismiss={dismiss} />)
  return { ...sut, unmount: view.unmount }
}

const rowTexts = () =>
  screen
    .queryAllByRole('row')
    .slice(1)
    .map((row) =>
      within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent),
    )

describe('The audit log', () => {
  it('shows who did what on which row, from where and when', async () => {
    const sut = show()
    const odd = entryOf(2, {
      action: 'of a newer server',
      staff_name: null,
      row_kind: null,
      row_id: null,
      address: null,
      details: {},
    })
    await act(() => sut.load.resolve({ ...auditPageOf([1], null), entries: [entryOf(1), odd] }))
    expect(rowTexts()).toEqual([
      [expect.stringContaining('2026'), 'Name ana', 'FAQ created', 'Title: Title 1FAQ row-1', '192.0.2.1'],
      [expect.stringContaining('2026'), 'Unknown person', 'of a newer server', '', ''],
    ])
    await expectScreen()
  })

  it('has words for every action', () => {
    show()
    const options = within(screen.getByLabelText('Action')).getAllByRole('option')
    const words = options.map(({ textContent }) => textContent ?? '')
    expect(words.filter((word) => auditActions.some((action) => action === word))).toEqual([])
    expect(new Set(words).size).toBe(auditActions.length + 1)
  })

  it('shows the reason of a refused sign-in, roles and settings in words', async () => {
    const sut = show()
    const entries = [
      entryOf(1, { action: 'sign-in.refused', row_kind: null, details: { reason: 'wrong-password' } }),
      entryOf(2, { row_kind: 'staff', details: { name: 'Ana', before: 'agent', after: 'administrator' } }),
      entryOf(3, { row_kind: null, details: { enabled: true, interval_minutes: 15 } }),
      entryOf(5, { row_kind: null, details: { action: 'staff.deactivated' } }),
      entryOf(4, { row_kind: 'tag', details: { reason: 'of a newer server' } }),
    ]
    await act(() => sut.load.resolve({ ...auditPageOf([1], null), entries }))
    expect(rowTexts().map((cells) => cells[3])).toEqual([
      'Reason: wrong password',
      'Name: Ana, Before: Agent, After: AdministratorPerson row-2',
      'Enabled: yes, Interval minutes: 15',
      'Action: Person made inactive',
      'Reason: of a newer servertag row-4',
    ])
  })

  it('says when no entry matches', async () => {
    const sut = show()
    await act(() => sut.load.resolve(auditPageOf([], null)))
    screen.getByText('No entries match.')
  })
})

describe('The walk through the dialog', () => {
  const paths = auditModel().everyTransitionInFewPaths()

  it(`shows the expected state on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = show()
      const choosePerson = (person: string) =>
        act(async () => void fireEvent.change(screen.getByLabelText('Person'), { target: { value: person } }))
      const drive = dialogDriver(
        sut,
        {
          'export.requested': () => press('Export CSV'),
          'more.requested': () => pressIfShown('Show more'),
          'filter.changed': ({ change }) => (sut.context().people.length > 0 ? choosePerson(change.person) : undefined),
        },
        { loadFirst: sut.load, loadMore: sut.load, exportAudit: sut.save },
        { filterDelay: 300 },
      )
      await follow(path, drive, ({ expected }) => {
        if (expected.status !== 'active') return
        const is = (state: string) =>
          expected.matches({ open: { list: state } } as Parameters<typeof expected.matches>[0])
        const isShowing = is('showing')
        const { entries, next } = expected.context
        expect({
          ids: rowTexts().map((cells) => cells[3]),
          loading: isShown('Loading the audit log…'),
          failed: isShown('The audit log could not be loaded.'),
          more: screen.queryByRole('button', { name: /^(Show more|Loading…)$/ })?.textContent ?? null,
          exporting: isShown('Exporting…'),
        }).toEqual({
          ids: isShowing ? (entries ?? []).map(({ id }) => `Title: Title ${id}FAQ row-${id}`) : [],
          loading: is('loading') || is('settling'),
          failed: is('failed'),
          more:
            !isShowing || next === null
              ? null
              : expected.matches({ open: { list: { showing: 'loadingMore' } } })
                ? 'Loading…'
                : 'Show more',
          exporting: expected.matches({ open: { export: 'exporting' } }),
        })
      })
      sut.actor.stop()
      sut.unmount()
    }
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
