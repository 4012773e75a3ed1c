import { stateIn } from 'xstate'
import { transferToasts } from '../../domain/client/data-transfer.ts'
import type { CsvImport, CsvOutcome, CsvRows } from '../../schemas/csv-import.ts'
import { ifTemporary, reportFailure, reportOnce } from '../on-failure.ts'
import { type DataTransferContext, dataTransferSetup } from './data-transfer-setup.ts'

/** States of the dialog 'Import and export' that stand in one place of its machine or in several. */

export const leaving = { 'import.left': { target: 'loading' as const, actions: 'leave the import' as const } }
export const leavingOrCancelling = { ...leaving, 'cancel.requested': 'cancelling' as const }

/** Keeps the import that a call answered. */
export const keepingImport = {
  type: 'keep the import' as const,
  params: ({ event }: { event: { output: CsvImport } }) => ({ item: event.output }),
}

/** The rows of the shown import, a page at a time. */
export const rowPages = {
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
        input: ({ context }: { context: DataTransferContext }) => ({
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
        onError: { target: 'failed' as const, actions: reportFailure<DataTransferContext>(transferToasts.rowsFailed) },
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

const uploadingIn = (state: 'cancelling' | 'closing') =>
  stateIn({ open: { import: { uploading: { sending: state } } } })

/** After the call of an upload during which the person cancelled the import or closed the dialog. */
const afterCancel = [
  { guard: uploadingIn('cancelling'), target: 'abandoning' as const },
  { guard: uploadingIn('closing'), target: '#dataTransfer.abandoning' as const },
]

/** The upload of a file, part by part. */
export const uploading = dataTransferSetup.createStateConfig({
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
})
