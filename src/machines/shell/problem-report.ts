import { fromPromise, type SnapshotFrom, setup } from 'xstate'
import { reportToasts } from '../../domain/shell/toasts.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { notify } from '../system.ts'

export type ProblemReportEvent = { type: 'report.requested' }

/** Saves a report of the machines' last events, for troubleshooting. One report at a time. */
export const problemReportMachine = setup({
  types: { events: {} as ProblemReportEvent },
  actors: {
    saveReport: fromPromise<void>(mustBeProvided('saveReport')),
  },
  actions: { notify },
}).createMachine({
  id: 'problemReport',
  initial: 'idle',
  states: {
    idle: { on: { 'report.requested': 'saving' } },
    saving: {
      invoke: {
        id: 'saveReport',
        src: 'saveReport',
        onDone: { target: 'idle', actions: { type: 'notify', params: reportToasts.saved } },
        onError: {
          target: 'idle',
          actions: { type: 'notify', params: reportToasts.failed },
        },
      },
    },
  },
})

export const selectIsSaving = (snapshot: SnapshotFrom<typeof problemReportMachine>): boolean =>
  snapshot.matches('saving')
