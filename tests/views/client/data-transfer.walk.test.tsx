import { act, fireEvent, render, screen } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import type { AnyEventObject } from 'xstate'
import { dataTransferMachine } from '../../../src/machines/client/data-transfer.ts'
import type { DataTransferEvent } from '../../../src/machines/client/data-transfer-setup.ts'
import { SessionProvider, type SessionRef } from '../../../src/views/actors.tsx'
import DataTransferDialog from '../../../src/views/client/DataTransferDialog.tsx'
import {
  callsOf,
  completed,
  csvImportOf,
  dataTransferModel,
  file,
  firstRows,
  inMapping,
  inRun,
  placeOf,
  startDataTransfer,
} from '../../model/client/data-transfer-fixture.ts'
import { createCoverage, driverOf, follow } from '../../model/harness.ts'
import { user } from '../inbox-harness.tsx'
import { expectScreen } from '../screen.ts'

const coverage = createCoverage(dataTransferMachine)

const still = <Snapshot,>(snapshot: Snapshot) => ({
  getSnapshot: () => snapshot,
  subscribe: () => ({ unsubscribe: () => undefined }),
})

/** Renders the dialog on its real machine, in the session of a person with these permissions. */
function show(permissions = ['imports.manage', 'data.export']) {
  const sut = startDataTransfer(coverage.inspect, permissions.includes('imports.manage'))
  const session = {
    ...still({ context: { user: { ...user, permissions } } }),
    system: { get: () => undefined },
  } as unknown as SessionRef
  const view = render(
    <SessionProvider session={session}>
      <DataTransferDialog
        actor={sut.actor}
        title="Import and export"
        onDismiss={() => sut.actor.send({ type: 'dialog.dismissed' })}
      />
    </SessionProvider>,
  )
  return { ...sut, unmount: view.unmount }
}

const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name })
const press = (name: string) => act(async () => fireEvent.click(button(name)))
const choose = (label: string, value: string) =>
  act(async () => fireEvent.change(screen.getByLabelText(label), { target: { value } }))

describe('The dialog of import and export', () => {
  it('shows each step from the file to the rows that were not stored', async () => {
    const sut = show()
    await act(() => sut.loadImports.resolve([completed, csvImportOf({ id: 'i2', started_by_name: null })]))
    screen.getByText(/^Clients · completed · Ana Reyes, .*2026/)
    screen.getByText(/^Clients · waits for your start · somebody who left/)
    await expectScreen()
    await choose('Rows of the file', 'orders')
    await act(async () => fireEvent.change(screen.getByLabelText('CSV file'), { target: { files: [file] } }))
    expect(sut.upload.inputs()).toMatchObject([{ kind: 'orders', file, step: -1 }])
    await act(() => sut.upload.resolve(null))
    await act(() => sut.upload.resolve(null))
    screen.getByText('Uploading clients.csv: 100%')
    await act(() => sut.upload.resolve(inMapping))
    expect(screen.getByRole('heading', { level: 3 })).toBe(document.activeElement)
    screen.getByText('3 rows, UTF-8, separated by commas.')
    screen.getByText('For example: c-1, c-2')
    await expectScreen()
    await choose('Name', '')
    expect(screen.getAllByText('Choose a column for: First name / Name.')).toHaveLength(2)
    expect(button('Check the rows').disabled).toBe(true)
    await choose('Name', '1')
    await choose('Email', '2')
    await press('Check the rows')
    expect(sut.checkImport.inputs()).toEqual([
      { id: 'i1', mapping: { fields: { id: 0, name: 1, email: 2 }, amounts: 'point', dates: 'mdy' } },
    ])
    await act(() => sut.checkImport.resolve(csvImportOf()))
    await act(() => sut.loadRows.resolve(firstRows))
    screen.getByText('1 new, 0 changed, 0 unchanged, 1 refused, 1 waiting')
    expect(screen.getAllByRole('row').map(({ textContent }) => textContent)).toEqual([
      'RowResultReasonCodeNameE-mail',
      '2Newc-1Tala Bituin',
      '3RefusedA client needs a first and a last name.c-2Luz',
    ])
    await expectScreen()
    await press('Import 2 rows')
    await act(() => sut.runImport.resolve(inRun))
    expect(screen.getByRole('status').textContent).toBe('Importing 1 of 3 rows')
    await expectScreen()
  })

  it.each([
    [{ created: 0, changed: 0, unchanged: 0, waiting: 0 }, 'No row can be imported.'],
    [{ created: 0, changed: 0, unchanged: 1, waiting: 0 }, 'No row is new or changed.'],
    [{ created: 0, changed: 1, unchanged: 1, waiting: 0 }, 'Import 1 row'],
    [{ created: 1, changed: 1, unchanged: 0, waiting: 1 }, 'Import 3 rows'],
  ])('offers to run what a check found to be new or changed: %o', async (counts, text) => {
    const sut = show()
    await act(() => sut.loadImports.resolve([csvImportOf(counts)]))
    await act(async () => fireEvent.click(screen.getByRole('button', { name: /^Open clients\.csv/ })))
    await act(() => sut.loadRows.resolve(firstRows))
    expect(button(text).disabled).toBe(text.startsWith('No'))
  })

  it('offers only what the person may do', async () => {
    const sut = show(['data.export'])
    expect(sut.loadImports.calls).toEqual([])
    expect(screen.getAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)).toEqual(['Export'])
    await choose('What', 'messages')
    await choose('Format', 'json')
    await press('Export')
    expect(sut.exportData.inputs()).toEqual([{ kind: 'messages', format: 'json' }])
  })

  it('takes no file while the imports load, and the browser does not open the file instead', async () => {
    const sut = show()
    const zone = screen.getByText(/^or drop it here/).parentElement
    if (zone === null) throw new Error('there is no place to drop a file')
    const isTaken = await act(async () => !fireEvent.drop(zone, { dataTransfer: { files: [file] } }))
    await act(() => sut.loadImports.resolve([]))
    expect([isTaken, sut.upload.inputs()]).toEqual([true, []])
  })

  it('takes a file that is dropped', async () => {
    const sut = show()
    await act(() => sut.loadImports.resolve([]))
    const zone = screen.getByText(/^or drop it here/).parentElement
    if (zone === null) throw new Error('there is no place to drop a file')
    // Otherwise the browser refuses the drop, or opens the file instead of the page.
    const isTaken = async (send: () => boolean) => !(await act(async () => send()))
    expect([
      await isTaken(() => fireEvent.dragOver(zone, { dataTransfer: { files: [] } })),
      await isTaken(() => fireEvent.drop(zone, { dataTransfer: { files: [file] } })),
    ]).toEqual([true, true])
    expect(sut.upload.inputs()).toMatchObject([{ file, step: -1 }])
  })
})

/** Texts of the controls that are hidden once an import was cancelled. */
const hideable: Record<string, string> = {
  'cancel.requested': 'Cancel import',
  'outcome.chosen': 'Show',
  'rows.next': 'Next',
  'rows.previous': 'Previous',
}

describe('The walk through the dialog', () => {
  const paths = dataTransferModel().everyTransitionInFewPaths()

  it.each(paths)('shows the expected state on path %$', async (path) => {
    const sut = show()
    const answered = ([name, call]: [string, { resolve: unknown; reject: unknown }]) => {
      const { resolve, reject } = call as Record<'resolve' | 'reject', (value: unknown) => Promise<void>>
      return [
        name,
        {
          resolve: (output: never) => act(() => resolve(output)),
          reject: (error: unknown) => act(() => reject(error)),
        },
      ]
    }
    const presses: Record<string, (event: AnyEventObject) => Promise<unknown>> = {
      'kind.chosen': ({ kind }) => choose('Rows of the file', kind),
      'mapping.reopened': () => press('Change columns'),
      'run.requested': () => press('Import 2 rows'),
      'cancel.requested': () => press('Cancel import'),
      'outcome.chosen': ({ outcome }) => choose('Show', outcome),
      'rows.next': () => press('Next'),
      'rows.previous': () => press('Previous'),
      'refused.requested': () => press('Download refused and waiting rows'),
      'import.left': () => press('Back to imports'),
      'export.requested': () => press('Export'),
      'export.chosen': ({ change }) => choose('Format', change.format),
      'check.requested': () => act(async () => fireEvent.submit(screen.getByRole('form'))),
    }
    const drive = driverOf(
      (event: AnyEventObject) => {
        const pressed = presses[event.type]
        const control = hideable[event.type]
        const isOffered = control === undefined || screen.queryByText(control) !== null
        if (pressed && isOffered) return pressed(event)
        const tryAgain = screen.queryByRole('button', { name: 'Try again' })
        if (event.type === 'refetch.requested' && tryAgain) return act(async () => fireEvent.click(tryAgain))
        return act(async () => sut.actor.send(event as DataTransferEvent))
      },
      {
        calls: Object.fromEntries(Object.entries(callsOf(sut)).map(answered)),
        delays: {
          retryDelay: () => act(async () => void sut.clock.increment(2_000)),
          pollDelay: () => act(async () => void sut.clock.increment(1_000)),
        },
      },
    )
    await follow(path, drive, ({ expected }) => {
      if (expected.status !== 'active') return
      const { at } = placeOf(expected)
      const { current, rows } = expected.context
      const isAt = (...places: string[]) => places.some((place) => at.startsWith(place))
      const isHome = isAt('loading', 'failed', 'choosing') || at === 'abandoning'
      const isCompleted = isAt('ended') && current?.state === 'completed'
      const isShown = isAt('checked', 'starting') || isCompleted
      expect({
        headings: screen.queryAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent),
        isLoading: screen.queryByText('Loading imports…') !== null,
        hasFailed: screen.queryByText('The imports could not be loaded.') !== null,
        mapping: screen.queryByRole('form') !== null,
        counts: screen.queryByText('1 new, 0 changed, 0 unchanged, 1 refused, 1 waiting') !== null,
        rows: screen.queryAllByRole('row').length,
        // Stored rows are no longer there after the run.
        offersNotStored: screen.queryByRole('option', { name: 'All rows not stored' }) !== null,
        isUnreachable: screen.queryByText('The server does not answer. We keep trying.') !== null,
      }).toEqual({
        headings: isHome
          ? ['Import a CSV file', ...(at === 'choosing' ? ['Latest imports'] : []), 'Export']
          : [current === null ? 'Import a CSV file' : 'Clients: clients.csv'],
        isLoading: at === 'loading' || at === 'abandoning',
        hasFailed: isAt('failed'),
        mapping: isAt('mapping', 'checking'),
        counts: isShown,
        rows: isShown && rows !== null ? rows.rows.length + 1 : 0,
        offersNotStored: isCompleted,
        isUnreachable: isAt('unreachable', 'uploading waiting'),
      })
    })
    sut.actor.stop()
    sut.unmount()
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
