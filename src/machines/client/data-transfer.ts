import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { assign, fromPromise, setup, stateIn } from 'xstate'
import {
  fileProblem,
  lastUploadStep,
  mappingBlockedReason,
  type RowsRequest,
  transferToasts,
  type UploadStep,
} from '../../domain/client/data-transfer.ts'
import { noRetries, type Retries } from '../../domain/retries.ts'
import {
  type CsvImport,
  type CsvKind,
  type CsvMapping,
  type CsvOutcome,
  type CsvRows,
  isWorkingImport,
} from '../../schemas/csv-import.ts'
import type { ExportRequest } from '../../schemas/data-export.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { ifTemporary, reportFailure, reportOnce } from '../on-failure.ts'
import { afterFailedRead, failedRead, readingActions, readingDelays, readingGuards } from '../reading.ts'
import { notify } from '../system.ts'

declare module '../shell/dialog.ts' {
  interface DialogLogics {
    dataTransfer: typeof dataTransferMachine
  }
}

type Context = Retries & {
  mayImport: boolean
  /** The latest imports; null until they are loaded. */
  imports: readonly CsvImport[] | null
  kind: CsvKind
  /** The import that is shown; null if none is. */
  current: CsvImport | null
  /** The file that is being uploaded. */
  file: File | null
  /** The id of the import of `file`. */
  id: string
  step: number
  mapping: CsvMapping | null
  outcome: CsvOutcome | null
  rows: CsvRows | null
  /** The `after` of the page of rows that is shown, and of the pages before it. */
  after: readonly [number, ...number[]]
  exported: ExportRequest
}

export type DataTransferEvent =
  | { type: 'kind.chosen'; kind: CsvKind }
  /** `id`: of the new import. */
  | { type: 'file.chosen'; file: File; id: string }
  | { type: 'import.opened'; item: CsvImport }
  | { type: 'mapping.changed'; change: Partial<CsvMapping> }
  | { type: 'check.requested' }
  | { type: 'mapping.reopened' }
  | { type: 'run.requested' }
  | { type: 'cancel.requested' }
  | { type: 'outcome.chosen'; outcome: CsvOutcome | null }
  | { type: 'rows.next' }
  | { type: 'rows.previous' }
  | { type: 'refused.requested' }
  | { type: 'import.left' }
  | { type: 'refetch.requested' }
  | { type: 'export.chosen'; change: Partial<ExportRequest> }
  | { type: 'export.requested' }
  | { type: 'dialog.dismissed' }

const firstPage = [0] as const

const uploadingIn = (state: 'cancelling' | 'closing') =>
  stateIn({ open: { import: { uploading: { sending: state } } } })

/** The rows of the shown import, a page at a time. */
const rowPages = {
  initial: 'loading' as const,
  on: {
    'outcome.chosen': {
      target: '.loading' as const,
      actions: {
        type: 'use the outcome' as const,
        params: ({ event }: { event: { outcome: CsvOutcome | null } }) => event,
      },
    },
  },
  states: {
    loading: {
      invoke: {
        id: 'loadRows',
        src: 'loadRows' as const,
        input: ({ context }: { context: Context }) => ({
          id: context.current?.id ?? '',
          outcome: context.outcome,
          after: context.after[0],
        }),
        onDone: {
          target: 'shown' as const,
          actions: {
            type: 'keep the rows' as const,
            params: ({ event }: { event: { output: CsvRows } }) => ({ rows: event.output }),
          },
        },
        onError: { target: 'failed' as const, actions: reportFailure<Context>(transferToasts.rowsFailed) },
      },
    },
    shown: {
      on: {
        'rows.next': {
          guard: 'has more rows' as const,
          target: 'loading' as const,
          actions: 'turn to the next page' as const,
        },
        'rows.previous': {
          guard: 'has earlier rows' as const,
          target: 'loading' as const,
          actions: 'turn to the previous page' as const,
        },
      },
    },
    failed: { on: { 'refetch.requested': 'loading' as const } },
  },
}

/** Keeps the import that a call answered. */
const keepingImport = {
  type: 'keep the import' as const,
  params: ({ event }: { event: { output: CsvImport } }) => ({ item: event.output }),
}

/** After the call of an upload during which the person cancelled the import or closed the dialog. */
const afterCancel = [
  { guard: uploadingIn('cancelling'), target: 'abandoning' as const },
  { guard: uploadingIn('closing'), target: '#dataTransfer.abandoning' as const },
]

/**
 * The dialog 'Import and export'. The server runs the steps of an import as jobs. So an import continues when the dialog
 * closes, and can be opened again. An upload needs the dialog: a dismissal cancels its import.
 */
export const dataTransferMachine = setup({
  types: {
    context: {} as Context,
    events: {} as DataTransferEvent,
    input: {} as { mayImport: boolean },
  },
  actors: {
    loadImports: fromPromise<readonly CsvImport[]>(mustBeProvided('loadImports')),
    loadImport: fromPromise<CsvImport, { id: string }>(mustBeProvided('loadImport')),
    upload: fromPromise<CsvImport | null, UploadStep>(mustBeProvided('upload')),
    checkImport: fromPromise<CsvImport, { id: string; mapping: CsvMapping }>(mustBeProvided('checkImport')),
    runImport: fromPromise<CsvImport, { id: string }>(mustBeProvided('runImport')),
    cancelImport: fromPromise<CsvImport, { id: string }>(mustBeProvided('cancelImport')),
    loadRows: fromPromise<CsvRows, RowsRequest>(mustBeProvided('loadRows')),
    saveRefused: fromPromise<void, { id: string }>(mustBeProvided('saveRefused')),
    exportData: fromPromise<void, ExportRequest>(mustBeProvided('exportData')),
  },
  delays: { ...readingDelays, pollDelay: 1_000 },
  guards: {
    ...readingGuards,
    'may import': ({ context }) => context.mayImport,
    'can be uploaded': (_, { file }: { file: File }) => fileProblem(file) === null,
    'is uploaded': (_, { item }: { item: CsvImport | null }) => item !== null,
    'is worked on': ({ context }) => context.current !== null && isWorkingImport(context.current),
    'waits for columns': ({ context }) => context.current?.state === 'mapping',
    'is checked': ({ context }) => context.current?.state === 'checked',
    'is uploading elsewhere': ({ context }) => context.current?.state === 'uploading',
    'has its columns': ({ context: { current, mapping } }) =>
      current !== null && mappingBlockedReason(current.kind, mapping) === null,
    'has more rows': ({ context }) => context.rows !== null && context.rows.next !== null,
    'has earlier rows': ({ context }) => context.after.length > 1,
  },
  actions: {
    notify,
    ...readingActions,
    'keep the imports': assign((_, { imports }: { imports: readonly CsvImport[] }) => ({ imports, ...noRetries })),
    'use the kind': assign({ kind: (_, { kind }: { kind: CsvKind }) => kind }),
    'use the file': assign((_, { file, id }: { file: File; id: string }) => ({
      file,
      id,
      step: -1,
      current: null,
      ...noRetries,
    })),
    'count the step': assign(({ context }) => ({ step: context.step + 1, ...noRetries })),
    'keep the import': assign((_, { item }: { item: CsvImport }) => ({
      current: item,
      kind: item.kind,
      mapping: item.mapping,
      file: null,
      ...noRetries,
    })),
    'change the mapping': assign({
      mapping: ({ context }, { change }: { change: Partial<CsvMapping> }) =>
        context.mapping === null ? null : { ...context.mapping, ...change },
    }),
    'begin with the first rows': assign({ outcome: null, rows: null, after: firstPage }),
    'use the outcome': assign((_, { outcome }: { outcome: CsvOutcome | null }) => ({ outcome, after: firstPage })),
    'turn to the next page': assign({
      after: ({ context }): Context['after'] => [context.rows?.next ?? 0, ...context.after],
    }),
    'turn to the previous page': assign({
      after: ({ context: { after } }): Context['after'] => [after[1] ?? 0, ...after.slice(2)],
    }),
    'keep the rows': assign({ rows: (_, { rows }: { rows: CsvRows }) => rows }),
    'leave the import': assign({
      current: null,
      file: null,
      id: '',
      step: -1,
      mapping: null,
      outcome: null,
      rows: null,
      after: firstPage,
      ...noRetries,
    }),
    'choose the export': assign({
      exported: ({ context }, { change }: { change: Partial<ExportRequest> }) => ({ ...context.exported, ...change }),
    }),
  },
}).createMachine({
  id: 'dataTransfer',
  context: ({ input: { mayImport } }) => ({
    mayImport,
    imports: null,
    kind: 'clients',
    current: null,
    file: null,
    id: '',
    step: -1,
    mapping: null,
    outcome: null,
    rows: null,
    after: firstPage,
    exported: { kind: 'clients', format: 'csv' },
    ...noRetries,
  }),
  initial: 'open',
  states: {
    open: {
      type: 'parallel',
      states: {
        import: {
          initial: 'notOffered',
          on: { 'dialog.dismissed': '#dataTransfer.dismissed' },
          states: {
            /** The person may only export. */
            notOffered: { always: { guard: 'may import', target: 'loading' } },
            loading: {
              invoke: {
                id: 'loadImports',
                src: 'loadImports',
                onDone: {
                  target: 'choosing',
                  actions: { type: 'keep the imports', params: ({ event }) => ({ imports: event.output }) },
                },
                onError: afterFailedRead(transferToasts.notLoaded),
              },
            },
            failed: failedRead('#dataTransfer.open.import.loading'),
            choosing: {
              on: {
                'kind.chosen': { actions: { type: 'use the kind', params: ({ event }) => event } },
                'file.chosen': [
                  {
                    guard: { type: 'can be uploaded', params: ({ event }) => event },
                    target: 'uploading',
                    actions: { type: 'use the file', params: ({ event }) => event },
                  },
                  {
                    actions: {
                      type: 'notify',
                      params: ({ event }) => fileProblem(event.file) ?? transferToasts.uploadFailed,
                    },
                  },
                ],
                'import.opened': {
                  target: 'deciding',
                  actions: { type: 'keep the import', params: ({ event }) => event },
                },
                'refetch.requested': 'loading',
              },
            },
            uploading: {
              initial: 'sending',
              on: { 'dialog.dismissed': '#dataTransfer.abandoning' },
              states: {
                /**
                 * A cancel waits for the call, because a cancel that overtakes the first step finds no import, and the import
                 * begins afterwards.
                 */
                sending: {
                  initial: 'going',
                  states: {
                    going: { on: { 'cancel.requested': 'cancelling', 'dialog.dismissed': 'closing' } },
                    cancelling: { on: { 'dialog.dismissed': 'closing' } },
                    closing: { on: { 'dialog.dismissed': 'closing' } },
                  },
                  invoke: {
                    id: 'upload',
                    src: 'upload',
                    input: ({ context: { id, kind, file, step } }) => ({
                      id,
                      kind,
                      file: file ?? new File([], ''),
                      step,
                    }),
                    onDone: [
                      ...afterCancel,
                      {
                        guard: { type: 'is uploaded', params: ({ event }) => ({ item: event.output }) },
                        target: '#dataTransfer.open.import.deciding',
                        actions: {
                          type: 'keep the import',
                          params: ({ event }) => ({ item: event.output as CsvImport }),
                        },
                      },
                      { target: 'sending', reenter: true, actions: 'count the step' },
                    ],
                    onError: [
                      ...afterCancel,
                      { guard: ifTemporary, target: 'waiting', actions: reportOnce(transferToasts.uploadFailed) },
                      {
                        target: '#dataTransfer.open.import.loading',
                        actions: ['leave the import', reportFailure(transferToasts.uploadFailed)],
                      },
                    ],
                  },
                },
                /** The server has the parts that were sent. */
                waiting: { after: { retryDelay: 'sending' }, on: { 'cancel.requested': 'abandoning' } },
                abandoning: {
                  invoke: {
                    id: 'abandonImport',
                    src: 'cancelImport',
                    input: ({ context }) => ({ id: context.id }),
                    onDone: { target: '#dataTransfer.open.import.loading', actions: 'leave the import' },
                    onError: { target: '#dataTransfer.open.import.loading', actions: 'leave the import' },
                  },
                },
              },
            },
            deciding: {
              always: [
                { guard: 'is worked on', target: 'working' },
                { guard: 'waits for columns', target: 'mapping' },
                { guard: 'is checked', target: 'checked' },
                { guard: 'is uploading elsewhere', target: 'interrupted' },
                { target: 'ended' },
              ],
            },
            working: {
              after: { pollDelay: 'refreshing' },
              on: {
                'import.left': { target: 'loading', actions: 'leave the import' },
                'cancel.requested': 'cancelling',
              },
            },
            refreshing: {
              on: {
                'import.left': { target: 'loading', actions: 'leave the import' },
                'cancel.requested': 'cancelling',
              },
              invoke: {
                id: 'loadImport',
                src: 'loadImport',
                input: ({ context }) => ({ id: context.current?.id ?? context.id }),
                onDone: { target: 'deciding', actions: keepingImport },
                onError: [
                  { guard: ifTemporary, target: 'unreachable', actions: reportOnce(transferToasts.notLoaded) },
                  {
                    target: 'loading',
                    actions: ['leave the import', reportFailure(transferToasts.notLoaded)],
                  },
                ],
              },
            },
            /** The server does not answer. The job continues. */
            unreachable: {
              after: { retryDelay: 'refreshing' },
              on: {
                'import.left': { target: 'loading', actions: 'leave the import' },
                'cancel.requested': 'cancelling',
              },
            },
            mapping: {
              on: {
                'mapping.changed': { actions: { type: 'change the mapping', params: ({ event }) => event } },
                'check.requested': { guard: 'has its columns', target: 'checking' },
                'cancel.requested': 'cancelling',
                'import.left': { target: 'loading', actions: 'leave the import' },
              },
            },
            checking: {
              invoke: {
                id: 'checkImport',
                src: 'checkImport',
                input: ({ context }) => ({
                  id: context.current?.id ?? '',
                  mapping: context.mapping ?? { fields: {}, amounts: 'point', dates: 'mdy' },
                }),
                onDone: { target: 'deciding', actions: keepingImport },
                onError: { target: 'mapping', actions: reportFailure(transferToasts.checkFailed) },
              },
            },
            checked: {
              entry: 'begin with the first rows',
              ...rowPages,
              on: {
                ...rowPages.on,
                'mapping.reopened': 'mapping',
                'run.requested': 'starting',
                'cancel.requested': 'cancelling',
                'import.left': { target: 'loading', actions: 'leave the import' },
              },
            },
            starting: {
              invoke: {
                id: 'runImport',
                src: 'runImport',
                input: ({ context }) => ({ id: context.current?.id ?? '' }),
                onDone: { target: 'deciding', actions: keepingImport },
                onError: { target: 'refreshing', actions: reportFailure(transferToasts.runFailed) },
              },
            },
            /** Another tab uploads the file, or a tab was closed while it did. */
            interrupted: {
              on: {
                'cancel.requested': 'cancelling',
                'import.left': { target: 'loading', actions: 'leave the import' },
              },
            },
            cancelling: {
              invoke: {
                id: 'cancelImport',
                src: 'cancelImport',
                input: ({ context }) => ({ id: context.current?.id ?? context.id }),
                onDone: { target: 'deciding', actions: keepingImport },
                onError: { target: 'refreshing', actions: reportFailure(transferToasts.cancelFailed) },
              },
            },
            ended: {
              entry: 'begin with the first rows',
              ...rowPages,
              on: { ...rowPages.on, 'import.left': { target: 'loading', actions: 'leave the import' } },
            },
          },
        },
        download: {
          initial: 'idle',
          states: {
            idle: {
              on: {
                'refused.requested': 'saving',
                'export.requested': 'exporting',
                'export.chosen': { actions: { type: 'choose the export', params: ({ event }) => event } },
              },
            },
            saving: {
              invoke: {
                id: 'saveRefused',
                src: 'saveRefused',
                input: ({ context }) => ({ id: context.current?.id ?? '' }),
                onDone: { target: 'idle', actions: { type: 'notify', params: transferToasts.exportStarted } },
                onError: { target: 'idle', actions: reportFailure(transferToasts.refusedFailed) },
              },
            },
            exporting: {
              invoke: {
                id: 'exportData',
                src: 'exportData',
                input: ({ context }) => context.exported,
                onDone: { target: 'idle', actions: { type: 'notify', params: transferToasts.exportStarted } },
                onError: { target: 'idle', actions: reportFailure(transferToasts.exportFailed) },
              },
            },
          },
        },
      },
    },
    /** The dialog closes after the import, which cannot go on without the file, is cancelled. */
    abandoning: {
      invoke: {
        id: 'abandonOnDismissal',
        src: 'cancelImport',
        input: ({ context }) => ({ id: context.id }),
        onDone: 'dismissed',
        onError: 'dismissed',
      },
    },
    dismissed: { type: 'final' },
  },
})

export type DataTransferActor = ActorRefFrom<typeof dataTransferMachine>

type Snapshot = SnapshotFrom<typeof dataTransferMachine>

export type TransferStep =
  | 'notOffered'
  | 'loading'
  | 'failed'
  | 'choosing'
  | 'uploading'
  | 'working'
  | 'mapping'
  | 'checked'
  | 'interrupted'
  | 'ended'

const steps: Record<string, TransferStep> = {
  notOffered: 'notOffered',
  failed: 'failed',
  choosing: 'choosing',
  uploading: 'uploading',
  working: 'working',
  refreshing: 'working',
  unreachable: 'working',
  mapping: 'mapping',
  checking: 'mapping',
  checked: 'checked',
  starting: 'checked',
  interrupted: 'interrupted',
  cancelling: 'working',
  ended: 'ended',
}

/** What the dialog shows. */
export function selectTransferStep({ value }: Snapshot): TransferStep {
  if (typeof value === 'string') return 'loading'
  const { import: at } = value.open
  return steps[typeof at === 'string' ? at : (Object.keys(at)[0] ?? '')] ?? 'loading'
}
export const selectTransferKind = (snapshot: Snapshot): CsvKind => snapshot.context.kind
export const selectImports = (snapshot: Snapshot): readonly CsvImport[] => snapshot.context.imports ?? []
export const selectCurrentImport = (snapshot: Snapshot): CsvImport | null => snapshot.context.current
/** The name of the file that is uploaded; empty if none is. */
export const selectUploadedFile = ({ context: { file } }: Snapshot): string => file?.name ?? ''
/** The percentage of the file that the server has. */
export const selectUploadedPercent = ({ context: { file, step } }: Snapshot): number =>
  file === null ? 0 : Math.floor((Math.max(0, step) / lastUploadStep(file.size)) * 100)
export const selectMapping = (snapshot: Snapshot): CsvMapping | null => snapshot.context.mapping
export const selectMappingProblem = ({ context: { current, mapping } }: Snapshot): string | null =>
  current === null ? null : mappingBlockedReason(current.kind, mapping)
export const selectTransferIsBusy = (snapshot: Snapshot): boolean =>
  snapshot.matches('abandoning') ||
  (
    [
      'checking',
      'starting',
      'cancelling',
      { uploading: 'abandoning' },
      { uploading: { sending: 'cancelling' } },
      { uploading: { sending: 'closing' } },
    ] as const
  ).some((at) => snapshot.matches({ open: { import: at } }))
export const selectIsUnreachable = (snapshot: Snapshot): boolean =>
  snapshot.matches({ open: { import: 'unreachable' } }) ||
  snapshot.matches({ open: { import: { uploading: 'waiting' } } })
export const selectRowsOutcome = (snapshot: Snapshot): CsvOutcome | null => snapshot.context.outcome
/** Null until they are loaded. */
export const selectRows = (snapshot: Snapshot): CsvRows | null => snapshot.context.rows
export const selectRowsHaveFailed = (snapshot: Snapshot): boolean =>
  snapshot.matches({ open: { import: { checked: 'failed' } } }) ||
  snapshot.matches({ open: { import: { ended: 'failed' } } })
export const selectHasEarlierRows = (snapshot: Snapshot): boolean => snapshot.context.after.length > 1
export const selectExported = (snapshot: Snapshot): ExportRequest => snapshot.context.exported
export const selectIsDownloading = (snapshot: Snapshot): boolean => !snapshot.matches({ open: { download: 'idle' } })
