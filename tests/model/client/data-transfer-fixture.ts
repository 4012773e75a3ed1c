import { createActor, SimulatedClock, type SnapshotFrom, type StateValue } from 'xstate'
import type { RowsRequest, UploadStep } from '../../../src/domain/client/data-transfer.ts'
import { dataTransferMachine } from '../../../src/machines/client/data-transfer.ts'
import type { CsvImport, CsvMapping, CsvRows } from '../../../src/schemas/csv-import.ts'
import type { ExportRequest } from '../../../src/schemas/data-export.ts'
import { type Cases, createControl, createToastLog, type Inspect, modelOf } from '../harness.ts'
import { staffFaults } from '../session/staff-fixture.ts'

export const csvImportOf = (change: Partial<CsvImport> = {}): CsvImport => ({
  id: 'i1',
  kind: 'clients',
  file_name: 'clients.csv',
  state: 'checked',
  encoding: 'UTF-8',
  separator: ',',
  columns: ['Code', 'Name', 'E-mail'],
  examples: [['c-1', 'c-2'], ['Tala Bituin'], []],
  mapping: { fields: { id: 0, name: 1 }, amounts: 'point', dates: 'mdy' },
  rows: 3,
  done: 3,
  created: 1,
  changed: 0,
  unchanged: 0,
  refused: 1,
  waiting: 1,
  error: null,
  started_by_name: 'Ana Reyes',
  created_at: '2026-01-05T12:00:00Z',
  finished_at: null,
  ...change,
})
export const inMapping = csvImportOf({ state: 'mapping' })
const inCheck = csvImportOf({ state: 'checked' })
export const inRun = csvImportOf({ state: 'running', done: 1 })
const inReading = csvImportOf({ state: 'reading', done: 1, rows: 0 })
const uploadedElsewhere = csvImportOf({ state: 'uploading' })
export const completed = csvImportOf({ state: 'completed' })
const cancelled = csvImportOf({ state: 'cancelled' })
export const withoutName: CsvMapping = { fields: { id: 0 }, amounts: 'point', dates: 'mdy' }

export const firstRows: CsvRows = {
  rows: [
    { line: 2, cells: ['c-1', 'Tala Bituin', ''], outcome: 'created', reason: null },
    { line: 3, cells: ['c-2', 'Luz'], outcome: 'refused', reason: 'A client needs a first and a last name.' },
  ],
  next: 3,
}
const lastRows: CsvRows = {
  rows: [{ line: 4, cells: ['c-3', 'Ben Cruz', ''], outcome: 'waiting', reason: 'Not there yet.' }],
  next: null,
}

export const file = new File(['id,name'], 'clients.csv')
const emptyFile = new File([], 'empty.csv')

export function startDataTransfer(alsoInspect: Inspect = () => {}, mayImport = true) {
  const calls = {
    loadImports: createControl<readonly CsvImport[]>(),
    loadImport: createControl<CsvImport, { id: string }>(),
    upload: createControl<CsvImport | null, UploadStep>(),
    checkImport: createControl<CsvImport, { id: string; mapping: CsvMapping }>(),
    runImport: createControl<CsvImport, { id: string }>(),
    cancelImport: createControl<CsvImport, { id: string }>(),
    loadRows: createControl<CsvRows, RowsRequest>(),
    saveRefused: createControl<void, { id: string }>(),
    exportData: createControl<void, ExportRequest>(),
  }
  const clock = new SimulatedClock()
  const { toasts, inspect } = createToastLog(alsoInspect)
  const machine = dataTransferMachine.provide({
    actors: {
      loadImports: calls.loadImports.logic,
      loadImport: calls.loadImport.logic,
      upload: calls.upload.logic,
      checkImport: calls.checkImport.logic,
      runImport: calls.runImport.logic,
      cancelImport: calls.cancelImport.logic,
      loadRows: calls.loadRows.logic,
      saveRefused: calls.saveRefused.logic,
      exportData: calls.exportData.logic,
    },
  })
  const actor = createActor(machine, { clock, inspect, input: { mayImport } }).start()
  return { ...calls, calls, clock, actor, toasts }
}

type Snapshot = SnapshotFrom<typeof dataTransferMachine>

/** The calls of the machine by the ids of their actors. */
export const callsOf = ({ calls }: ReturnType<typeof startDataTransfer>) => ({
  ...calls,
  abandonImport: calls.cancelImport,
  abandonOnDismissal: calls.cancelImport,
})

/** While a download runs, only its end happens: the two regions do not depend on each other. */
const duringNoDownload = (cases: Cases<Snapshot>): Cases<Snapshot> =>
  Object.fromEntries(
    Object.entries(cases).map(([type, known]) => [
      type,
      (snapshot: Snapshot) => {
        const mayHappen = /saveRefused|exportData/.test(type) || placeOf(snapshot).download === 'idle'
        if (!mayHappen) return []
        return typeof known === 'function' ? known(snapshot) : known
      },
    ]),
  )

/** No import was opened before. */
const isFresh = ({ kind, rows, id, failures }: Snapshot['context']) =>
  kind === 'clients' && rows === null && id === '' && failures === 0

export const dataTransferModel = () =>
  modelOf(dataTransferMachine, {
    input: { mayImport: true },
    vertex: ({ context }: Snapshot) => [
      context.imports === null,
      context.current?.state,
      context.mapping === withoutName,
      context.file === null ? null : context.step,
      context.outcome,
      context.rows === null ? 'none' : context.rows.next,
      context.after.length,
      context.failures,
      context.exported.format,
      context.kind,
      context.id,
    ],
    // The kind and the format change nothing that follows.
    stopWhen: ({ context }) => context.kind === 'orders' || context.exported.format === 'json',
    cases: duringNoDownload({
      'kind.chosen': ({ context }) =>
        context.kind === 'clients' && context.imports?.length === 1 ? [{ kind: 'orders' }] : [],
      'file.chosen': ({ context }) =>
        context.kind === 'clients'
          ? [
              { file, id: 'i1' },
              { file: emptyFile, id: 'i0' },
            ]
          : [],
      'import.opened': ({ context }) =>
        isFresh(context)
          ? [inMapping, inCheck, inRun, inReading, uploadedElsewhere, completed].map((item) => ({ item }))
          : [],
      'mapping.changed': ({ context }) =>
        context.current?.state === 'mapping' && context.mapping !== withoutName ? [{ change: withoutName }] : [],
      'check.requested': [{}],
      'mapping.reopened': [{}],
      'run.requested': [{}],
      'cancel.requested': [{}],
      'outcome.chosen': ({ context }) =>
        context.outcome === null && context.after.length === 1 ? [{ outcome: 'refused' }] : [],
      'rows.next': ({ context }) => (context.outcome === null ? [{}] : []),
      'rows.previous': [{}],
      'refused.requested': ({ context }) =>
        context.current?.state === 'completed' && context.rows === null ? [{}] : [],
      'import.left': [{}],
      'refetch.requested': [{}],
      'export.chosen': ({ context }) =>
        context.imports === null && context.exported.format === 'csv' ? [{ change: { format: 'json' } }] : [],
      'export.requested': ({ context }) => (context.imports === null && context.failures === 0 ? [{}] : []),
      'dialog.dismissed': [{}],
      'xstate.done.actor.loadImports': [{ output: [inMapping] }],
      'xstate.error.actor.loadImports': ({ context }) =>
        context.failures === 0 && context.imports === null
          ? [{ error: staffFaults.unnamed }, { error: staffFaults.noAnswer }]
          : [],
      'xstate.done.actor.upload': ({ context }) => [{ output: context.step < 1 ? null : inReading }],
      'xstate.error.actor.upload': ({ context }) =>
        context.failures === 0 && context.step < 1
          ? [{ error: staffFaults.unnamed }, { error: staffFaults.noAnswer }]
          : [],
      'xstate.done.actor.loadImport': ({ context }) => [
        { output: context.current?.state === 'reading' ? inMapping : completed },
      ],
      'xstate.error.actor.loadImport': ({ context }) =>
        context.failures === 0 ? [{ error: staffFaults.unnamed }, { error: staffFaults.noAnswer }] : [],
      'xstate.done.actor.checkImport': [{ output: inCheck }],
      'xstate.error.actor.checkImport': [{ error: staffFaults.unnamed }],
      'xstate.done.actor.runImport': [{ output: inRun }],
      'xstate.error.actor.runImport': [{ error: staffFaults.unnamed }],
      'xstate.done.actor.cancelImport': [{ output: cancelled }],
      'xstate.error.actor.cancelImport': [{ error: staffFaults.unnamed }],
      'xstate.done.actor.abandonImport': [{ output: cancelled }],
      'xstate.error.actor.abandonImport': [{ error: staffFaults.unnamed }],
      'xstate.done.actor.abandonOnDismissal': [{ output: cancelled }],
      'xstate.error.actor.abandonOnDismissal': [{ error: staffFaults.unnamed }],
      'xstate.done.actor.loadRows': ({ context }) => [{ output: context.after[0] === 0 ? firstRows : lastRows }],
      'xstate.error.actor.loadRows': ({ context }) => (context.rows === null ? [{ error: staffFaults.unnamed }] : []),
      'xstate.done.actor.saveRefused': [{ output: undefined }],
      'xstate.error.actor.saveRefused': [{ error: staffFaults.unnamed }],
      'xstate.done.actor.exportData': [{ output: undefined }],
      'xstate.error.actor.exportData': [{ error: staffFaults.unnamed }],
    }),
  })

/** Where the machine is, in words. */
export function placeOf({ value }: Snapshot): { at: string; download: string } {
  if (typeof value === 'string') return { at: value, download: 'idle' }
  const { import: at, download } = value.open
  return { at: wordsOf(at), download }
}

const wordsOf = (value: StateValue | undefined): string =>
  typeof value === 'object'
    ? Object.entries(value)
        .map(([name, inner]) => `${name} ${wordsOf(inner)}`)
        .join(' ')
    : (value ?? '')
