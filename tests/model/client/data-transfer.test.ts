import { describe, expect, it } from 'vitest'
import {
  dataTransferMachine,
  selectMappingProblem,
  selectTransferIsBusy,
} from '../../../src/machines/client/data-transfer.ts'
import type { CsvImport, CsvMapping, CsvOutcome, CsvRows } from '../../../src/schemas/csv-import.ts'
import { createCoverage, driverOf, error } from '../harness.ts'
import { ends, followBeside, type Reference, when } from '../reference.ts'
import { staffFaults } from '../session/staff-fixture.ts'
import {
  callsOf,
  completed,
  csvImportOf,
  dataTransferModel,
  file,
  inMapping,
  inRun,
  placeOf,
  startDataTransfer,
  withoutName,
} from './data-transfer-fixture.ts'

const coverage = createCoverage(dataTransferMachine)
const network = 'Network error. Please check your connection.'

it('uploads a file in parts and reads it, and a lost answer repeats the same part', async () => {
  const sut = startDataTransfer(coverage.inspect)
  await sut.loadImports.resolve([])
  sut.actor.send({ type: 'kind.chosen', kind: 'orders' })
  const large = new File([new Uint8Array(512 * 1024 + 1)], 'orders.csv')
  sut.actor.send({ type: 'file.chosen', file: large, id: 'i9' })
  await sut.upload.resolve(null)
  await sut.upload.reject(staffFaults.noAnswer)
  sut.clock.increment(2_000)
  await sut.upload.resolve(null)
  await sut.upload.resolve(null)
  await sut.upload.resolve(csvImportOf({ id: 'i9', kind: 'orders', state: 'reading' }))
  expect(sut.upload.inputs()).toEqual([-1, 0, 0, 1, 2].map((step) => ({ id: 'i9', kind: 'orders', file: large, step })))
  sut.clock.increment(1_000)
  await sut.loadImport.resolve(csvImportOf({ id: 'i9', kind: 'orders', state: 'mapping', mapping: withoutName }))
  sut.actor.send({ type: 'check.requested' })
  expect([selectMappingProblem(sut.actor.getSnapshot()), sut.checkImport.calls.length]).toEqual([
    'Choose a column for: Order number.',
    0,
  ])
})

it('refuses a file that is too large without a call', async () => {
  const sut = startDataTransfer(coverage.inspect)
  await sut.loadImports.resolve([])
  const large = new File([], 'large.csv')
  Object.defineProperty(large, 'size', { value: 50 * 1024 * 1024 + 1 })
  sut.actor.send({ type: 'file.chosen', file: large, id: 'i9' })
  expect([sut.upload.calls, sut.toasts]).toEqual([
    [],
    [{ kind: 'warning', text: 'This file is larger than 50 MB. Divide it into smaller files.' }],
  ])
})

it('cancels an upload after the call that is under way, so that the cancel does not overtake it', async () => {
  const sut = startDataTransfer(coverage.inspect)
  await sut.loadImports.resolve([])
  sut.actor.send({ type: 'file.chosen', file, id: 'i9' })
  sut.actor.send({ type: 'cancel.requested' })
  expect([sut.cancelImport.calls.length, selectTransferIsBusy(sut.actor.getSnapshot())]).toEqual([0, true])
  sut.actor.send({ type: 'dialog.dismissed' })
  await sut.upload.resolve(null)
  expect([sut.upload.calls.length, sut.cancelImport.inputs()]).toEqual([1, [{ id: 'i9' }]])
  await sut.cancelImport.resolve(completed)
  expect(sut.actor.getSnapshot().status).toBe('done')
})

it('asks for no imports if the person may only export', async () => {
  const sut = startDataTransfer(coverage.inspect, false)
  sut.actor.send({ type: 'export.requested' })
  await sut.exportData.resolve(undefined)
  expect([placeOf(sut.actor.getSnapshot()), sut.loadImports.calls, sut.toasts]).toEqual([
    { at: 'notOffered', download: 'idle' },
    [],
    [{ kind: 'success', text: 'The download has started' }],
  ])
  sut.actor.send({ type: 'dialog.dismissed' })
  expect(sut.actor.getSnapshot().status).toBe('done')
})

it('cancels an import while the server cannot be reached', async () => {
  const sut = startDataTransfer(coverage.inspect)
  await sut.loadImports.resolve([])
  sut.actor.send({ type: 'import.opened', item: inRun })
  sut.clock.increment(1_000)
  await sut.loadImport.reject(staffFaults.noAnswer)
  sut.actor.send({ type: 'cancel.requested' })
  expect(sut.cancelImport.inputs()).toEqual([{ id: 'i1' }])
})

describe('the walk through the dialog', () => {
  const paths = dataTransferModel().everyTransition()

  type State = {
    at: string
    download: string
    imports: number | null
    kind: string
    current: CsvImport | null
    mapping: CsvMapping | null
    step: number
    outcome: CsvOutcome | null
    after: readonly number[]
    rows: CsvRows | null
    format: string
    calls: Record<string, number>
    toasts: unknown[]
  }
  const call = (state: State, name: string) => ({ calls: { ...state.calls, [name]: (state.calls[name] ?? 0) + 1 } })
  const told = ({ toasts }: State, ...more: unknown[]) => ({ toasts: [...toasts, ...more] })
  const begin = (state: State, at: string): Partial<State> => ({
    ...call(state, 'loadRows'),
    at: `${at} loading`,
    outcome: null,
    after: [0],
    rows: null,
  })
  /** The step that the state of the import asks for. */
  const decide = (state: State, item: CsvImport): Partial<State> => {
    const known = { current: item, kind: item.kind, mapping: item.mapping }
    if (['reading', 'checking', 'running'].includes(item.state)) return { ...known, at: 'working' }
    if (item.state === 'mapping') return { ...known, at: 'mapping' }
    if (item.state === 'uploading') return { ...known, at: 'interrupted' }
    return { ...known, ...begin(state, item.state === 'checked' ? 'checked' : 'ended') }
  }
  const leave = (state: State): Partial<State> => ({
    ...call(state, 'loadImports'),
    at: 'loading',
    current: null,
    mapping: null,
    step: -1,
    outcome: null,
    after: [0],
    rows: null,
  })
  const turn = (state: State, after: readonly number[]): Partial<State> => ({
    ...call(state, 'loadRows'),
    at: `${state.at.split(' ')[0]} loading`,
    after,
  })
  const failed = (state: State, failure: unknown, own: string) =>
    told(state, error(failure === staffFaults.noAnswer ? network : own))
  /** A cancel or a dismissal waits for the call of the upload. */
  const afterCancel = (state: State): Partial<State> | null => {
    const cancelled = call(state, 'cancelImport')
    if (state.at === 'uploading sending cancelling') return { ...cancelled, at: 'uploading abandoning' }
    return state.at === 'uploading sending closing' ? { ...cancelled, at: 'abandoning', download: 'idle' } : null
  }
  const idle = (state: State, kind: 'success' | 'error', text: string): Partial<State> => ({
    download: 'idle',
    ...told(state, { kind, text }),
  })

  const reference: Reference<State> = {
    start: {
      at: 'loading',
      download: 'idle',
      imports: null,
      kind: 'clients',
      current: null,
      mapping: null,
      step: -1,
      outcome: null,
      after: [0],
      rows: null,
      format: 'csv',
      calls: { loadImports: 1 },
      toasts: [],
    },
    accepts: ({ at, download, mapping, rows, after }) => {
      if (at === 'dismissed') return []
      if (at === 'abandoning') return ends('abandonOnDismissal')
      const isShowingRows = /^(checked|ended) /.test(at)
      const [, part = ''] = at.split(' ')
      return [
        'dialog.dismissed',
        ...(download === 'idle'
          ? ['refused.requested', 'export.requested', 'export.chosen']
          : ends(download === 'saving' ? 'saveRefused' : 'exportData')),
        ...when(at === 'loading', ...ends('loadImports')),
        ...when(at.startsWith('failed'), 'refetch.requested'),
        ...when(at === 'failed waiting', 'xstate.after.retryDelay.dataTransfer.open.import.failed.waiting'),
        ...when(at === 'choosing', 'kind.chosen', 'file.chosen', 'import.opened', 'refetch.requested'),
        ...when(['uploading sending going', 'uploading waiting'].includes(at), 'cancel.requested'),
        ...when(at.startsWith('uploading sending'), ...ends('upload')),
        ...when(at === 'uploading waiting', 'xstate.after.retryDelay.dataTransfer.open.import.uploading.waiting'),
        ...when(at === 'uploading abandoning', ...ends('abandonImport')),
        ...when(
          ['working', 'refreshing', 'unreachable', 'mapping', 'interrupted'].includes(at),
          'cancel.requested',
          'import.left',
        ),
        ...when(at === 'working', 'xstate.after.pollDelay.dataTransfer.open.import.working'),
        ...when(at === 'refreshing', ...ends('loadImport')),
        ...when(at === 'unreachable', 'xstate.after.retryDelay.dataTransfer.open.import.unreachable'),
        ...when(at === 'mapping', 'mapping.changed'),
        ...when(at === 'mapping' && mapping?.fields.name !== undefined, 'check.requested'),
        ...when(at === 'checking', ...ends('checkImport')),
        ...when(at.startsWith('checked'), 'mapping.reopened', 'run.requested', 'cancel.requested'),
        ...when(isShowingRows, 'outcome.chosen', 'import.left'),
        ...when(isShowingRows && part === 'shown' && rows?.next != null, 'rows.next'),
        ...when(isShowingRows && part === 'shown' && after.length > 1, 'rows.previous'),
        ...when(isShowingRows && part === 'loading', ...ends('loadRows')),
        ...when(isShowingRows && part === 'failed', 'refetch.requested'),
        ...when(at === 'starting', ...ends('runImport')),
        ...when(at === 'cancelling', ...ends('cancelImport')),
      ]
    },
    rules: {
      'dialog.dismissed': (state) =>
        state.at.startsWith('uploading sending')
          ? { at: 'uploading sending closing' }
          : state.at.startsWith('uploading')
            ? { ...call(state, 'cancelImport'), at: 'abandoning', download: 'idle' }
            : { at: 'dismissed', download: 'idle' },
      'refetch.requested': (state) =>
        /^(checked|ended)/.test(state.at) ? turn(state, state.after) : { ...call(state, 'loadImports'), at: 'loading' },
      'kind.chosen': (_, { kind }) => ({ kind }),
      'file.chosen': (state, { file: chosen }) =>
        chosen === file
          ? { ...call(state, 'upload'), at: 'uploading sending going', step: -1, current: null }
          : told(state, { kind: 'warning', text: 'This file is empty' }),
      'import.opened': (state, { item }) => decide(state, item),
      'mapping.changed': (_, { change }) => ({ mapping: change }),
      'check.requested': (state) =>
        state.mapping?.fields.name === undefined ? {} : { ...call(state, 'checkImport'), at: 'checking' },
      'mapping.reopened': () => ({ at: 'mapping' }),
      'run.requested': (state) => ({ ...call(state, 'runImport'), at: 'starting' }),
      'cancel.requested': (state) =>
        state.at.startsWith('uploading sending')
          ? { at: 'uploading sending cancelling' }
          : {
              ...call(state, 'cancelImport'),
              at: state.at.startsWith('uploading') ? 'uploading abandoning' : 'cancelling',
            },
      'outcome.chosen': (state, { outcome }) => ({ ...turn(state, [0]), outcome }),
      'rows.next': (state) => (state.rows?.next == null ? {} : turn(state, [state.rows.next, ...state.after])),
      'rows.previous': (state) => (state.after.length < 2 ? {} : turn(state, state.after.slice(1))),
      'refused.requested': (state) => ({ ...call(state, 'saveRefused'), download: 'saving' }),
      'export.requested': (state) => ({ ...call(state, 'exportData'), download: 'exporting' }),
      'export.chosen': (_, { change }) => ({ format: change.format }),
      'import.left': leave,
      'xstate.done.actor.loadImports': (_, { output }) => ({ at: 'choosing', imports: output.length }),
      'xstate.error.actor.loadImports': (state, { error: failure }) => ({
        at: failure === staffFaults.noAnswer ? 'failed waiting' : 'failed refused',
        ...failed(state, failure, 'Failed to load imports'),
      }),
      'xstate.after.retryDelay.dataTransfer.open.import.failed.waiting': (state) => ({
        ...call(state, 'loadImports'),
        at: 'loading',
      }),
      'xstate.done.actor.upload': (state, { output }) =>
        afterCancel(state) ??
        (output === null ? { ...call(state, 'upload'), step: state.step + 1 } : decide(state, output)),
      'xstate.error.actor.upload': (state, { error: failure }) =>
        afterCancel(state) ?? {
          ...(failure === staffFaults.noAnswer ? { at: 'uploading waiting' } : leave(state)),
          ...failed(state, failure, 'Failed to upload the file'),
        },
      'xstate.after.retryDelay.dataTransfer.open.import.uploading.waiting': (state) => ({
        ...call(state, 'upload'),
        at: 'uploading sending going',
      }),
      'xstate.done.actor.abandonImport': leave,
      'xstate.error.actor.abandonImport': leave,
      'xstate.done.actor.abandonOnDismissal': () => ({ at: 'dismissed' }),
      'xstate.error.actor.abandonOnDismissal': () => ({ at: 'dismissed' }),
      'xstate.after.pollDelay.dataTransfer.open.import.working': (state) => ({
        ...call(state, 'loadImport'),
        at: 'refreshing',
      }),
      'xstate.after.retryDelay.dataTransfer.open.import.unreachable': (state) => ({
        ...call(state, 'loadImport'),
        at: 'refreshing',
      }),
      'xstate.done.actor.loadImport': (state, { output }) => decide(state, output),
      'xstate.error.actor.loadImport': (state, { error: failure }) => ({
        ...(failure === staffFaults.noAnswer ? { at: 'unreachable' } : leave(state)),
        ...failed(state, failure, 'Failed to load imports'),
      }),
      'xstate.done.actor.checkImport': (state, { output }) => decide(state, output),
      'xstate.error.actor.checkImport': (state) => ({
        at: 'mapping',
        ...told(state, error('Failed to check the rows')),
      }),
      'xstate.done.actor.runImport': (state, { output }) => decide(state, output),
      'xstate.error.actor.runImport': (state) => ({
        ...call(state, 'loadImport'),
        at: 'refreshing',
        ...told(state, error('Failed to start the import')),
      }),
      'xstate.done.actor.cancelImport': (state, { output }) => decide(state, output),
      'xstate.error.actor.cancelImport': (state) => ({
        ...call(state, 'loadImport'),
        at: 'refreshing',
        ...told(state, error('Failed to cancel the import')),
      }),
      'xstate.done.actor.loadRows': (state, { output }) => ({ at: `${state.at.split(' ')[0]} shown`, rows: output }),
      'xstate.error.actor.loadRows': (state) => ({
        at: `${state.at.split(' ')[0]} failed`,
        ...told(state, error('Failed to load the rows')),
      }),
      'xstate.done.actor.saveRefused': (state) => idle(state, 'success', 'The download has started'),
      'xstate.error.actor.saveRefused': (state) => idle(state, 'error', 'Failed to download the rows'),
      'xstate.done.actor.exportData': (state) => idle(state, 'success', 'The download has started'),
      'xstate.error.actor.exportData': (state) => idle(state, 'error', 'Failed to export'),
    },
    shown: (state) => state,
  }

  it(`shows what the reference shows on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = startDataTransfer(coverage.inspect)
      const drive = driverOf(sut.actor.send, {
        calls: callsOf(sut),
        delays: { retryDelay: () => sut.clock.increment(2_000), pollDelay: () => sut.clock.increment(1_000) },
      })
      await followBeside(path, drive, reference, () => {
        const snapshot = sut.actor.getSnapshot()
        const { imports, kind, current, mapping, step, outcome, after, rows, exported } = snapshot.context
        return {
          ...placeOf(snapshot),
          imports: imports?.length ?? null,
          kind,
          current,
          mapping,
          step,
          outcome,
          after,
          rows,
          format: exported.format,
          calls: Object.fromEntries(
            Object.entries(sut.calls).flatMap(([name, { calls }]) =>
              calls.length === 0 ? [] : [[name, calls.length]],
            ),
          ),
          toasts: sut.toasts,
        }
      })
      sut.actor.stop()
    }
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})

it('sends the chosen columns, and the pages of rows by their first line', async () => {
  const sut = startDataTransfer()
  await sut.loadImports.resolve([inMapping])
  sut.actor.send({ type: 'import.opened', item: inMapping })
  const fields = { id: 0, first_name: 1, last_name: 2 }
  sut.actor.send({ type: 'mapping.changed', change: { fields } })
  sut.actor.send({ type: 'check.requested' })
  expect(sut.checkImport.inputs()).toEqual([{ id: 'i1', mapping: { fields, amounts: 'point', dates: 'mdy' } }])
  await sut.checkImport.resolve(completed)
  await sut.loadRows.resolve({ rows: [], next: 7 })
  sut.actor.send({ type: 'rows.next' })
  await sut.loadRows.resolve({ rows: [], next: null })
  sut.actor.send({ type: 'outcome.chosen', outcome: 'refused' })
  expect(sut.loadRows.inputs()).toEqual([
    { id: 'i1', outcome: null, after: 0 },
    { id: 'i1', outcome: null, after: 7 },
    { id: 'i1', outcome: 'refused', after: 0 },
  ])
})
