import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { fileProblem, lastUploadStep, mappingBlockedReason, transferToasts } from '../../domain/client/data-transfer.ts'
import { noRetries } from '../../domain/retries.ts'
import type { CsvImport, CsvKind, CsvMapping, CsvOutcome, CsvRows } from '../../schemas/csv-import.ts'
import type { ExportRequest } from '../../schemas/data-export.ts'
import { ifTemporary, reportFailure, reportOnce } from '../on-failure.ts'
import { afterFailedRead, failedRead } from '../reading.ts'
import { dataTransferSetup, firstPage } from './data-transfer-setup.ts'
import { keepingImport, leaving, leavingOrCancelling, rowPages, uploading } from './data-transfer-steps.ts'

declare module '../shell/dialog.ts' {
  interface DialogLogics {
    dataTransfer: typeof dataTransferMachine
  }
}

/**
 * The dialog 'Import and export'. The server runs the steps of an import as jobs. So an import continues when the dialog
 * closes, and can be opened again. An upload needs the dialog: a dismissal cancels its import.
 */
export const dataTransferMachine = dataTransferSetup.createMachine({
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
            uploading,
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
              on: leavingOrCancelling,
            },
            refreshing: {
              on: leavingOrCancelling,
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
              on: leavingOrCancelling,
            },
            mapping: {
              on: {
                'mapping.changed': { actions: { type: 'change the mapping', params: ({ event }) => event } },
                'check.requested': { guard: 'has its columns', target: 'checking' },
                ...leavingOrCancelling,
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
                ...leavingOrCancelling,
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
                ...leavingOrCancelling,
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
              on: { ...rowPages.on, ...leaving },
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
