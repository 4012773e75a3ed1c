import { assign, fromPromise, setup } from 'xstate'
import {
  fileProblem,
  mappingBlockedReason,
  type RowsRequest,
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
import { readingActions, readingDelays, readingGuards } from '../reading.ts'
import { notify } from '../system.ts'

export type DataTransferContext = Retries & {
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

export const firstPage = [0] as const

/** Actors, guards and actions of the dialog 'Import and export'. */
export const dataTransferSetup = setup({
  types: {
    context: {} as DataTransferContext,
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
      after: ({ context }): DataTransferContext['after'] => [context.rows?.next ?? 0, ...context.after],
    }),
    'turn to the previous page': assign({
      after: ({ context: { after } }): DataTransferContext['after'] => [after[1] ?? 0, ...after.slice(2)],
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
})
