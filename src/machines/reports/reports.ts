import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { assign, fromPromise, setup } from 'xstate'
import {
  choiceAfter,
  firstChoice,
  type ReportChoice,
  rangeProblem,
  requestOf,
} from '../../domain/reports/report-choice.ts'
import { reportToasts } from '../../domain/reports/toasts.ts'
import { noRetries, type Retries } from '../../domain/retries.ts'
import type { Report, ReportRequest } from '../../schemas/report.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { reportFailure } from '../on-failure.ts'
import { afterFailedRead, failedRead, readingActions, readingDelays, readingGuards } from '../reading.ts'
import { notify } from '../system.ts'

declare module '../shell/dialog.ts' {
  interface DialogLogics {
    reports: typeof reportsMachine
  }
}

type Context = Retries & {
  choice: ReportChoice
  /** The last report that was loaded; null until then. Shown only while it is the chosen one. */
  report: Report | null
}

export type ReportsEvent =
  | { type: 'choice.changed'; change: Partial<ReportChoice> }
  | { type: 'refetch.requested' }
  | { type: 'export.requested' }
  | { type: 'dialog.dismissed' }

/** Milliseconds without a change before a choice applies. */
const choiceDelay = 300

/** The choice after a change. An own range begins with the dates that were shown. */
function changedChoice({ choice, report }: Context, change: Partial<ReportChoice>): ReportChoice {
  const dates =
    change.range === 'own' && choice.from === '' && report !== null ? { from: report.from, to: report.to } : {}
  return choiceAfter(choice, { ...dates, ...change })
}

/** The dialog of the reports. */
export const reportsMachine = setup({
  types: { context: {} as Context, events: {} as ReportsEvent },
  actors: {
    loadReport: fromPromise<Report, ReportRequest>(mustBeProvided('loadReport')),
    exportReport: fromPromise<void, ReportRequest>(mustBeProvided('exportReport')),
  },
  delays: { choiceDelay, ...readingDelays },
  guards: {
    ...readingGuards,
    'gives no range': ({ context }, { change }: { change: Partial<ReportChoice> }) =>
      rangeProblem(changedChoice(context, change)) !== null,
    'has a range': ({ context }) => rangeProblem(context.choice) === null,
  },
  actions: {
    notify,
    ...readingActions,
    'keep the choice': assign(({ context }, { change }: { change: Partial<ReportChoice> }) => ({
      choice: changedChoice(context, change),
      ...noRetries,
    })),
    'keep the report': assign((_, { report }: { report: Report }) => ({ report, ...noRetries })),
  },
}).createMachine({
  id: 'reports',
  context: { choice: firstChoice, report: null, ...noRetries },
  initial: 'open',
  states: {
    open: {
      type: 'parallel',
      on: { 'dialog.dismissed': 'dismissed' },
      states: {
        report: {
          initial: 'loading',
          on: {
            'choice.changed': [
              {
                guard: { type: 'gives no range', params: ({ event }) => event },
                target: '.withoutRange',
                actions: { type: 'keep the choice', params: ({ event }) => event },
              },
              { target: '.settling', actions: { type: 'keep the choice', params: ({ event }) => event } },
            ],
          },
          states: {
            settling: { after: { choiceDelay: 'loading' } },
            loading: {
              invoke: {
                id: 'loadReport',
                src: 'loadReport',
                input: ({ context }) => requestOf(context.choice),
                onDone: {
                  target: 'showing',
                  actions: { type: 'keep the report', params: ({ event }) => ({ report: event.output }) },
                },
                onError: afterFailedRead(reportToasts.failed),
              },
            },
            failed: failedRead('#reports.open.report.loading'),
            showing: { on: { 'refetch.requested': 'loading' } },
            /** The typed dates are not a range. Nothing is asked for. */
            withoutRange: {},
          },
        },
        export: {
          initial: 'idle',
          states: {
            idle: { on: { 'export.requested': { guard: 'has a range', target: 'exporting' } } },
            exporting: {
              invoke: {
                id: 'exportReport',
                src: 'exportReport',
                input: ({ context }) => requestOf(context.choice),
                onDone: { target: 'idle', actions: { type: 'notify', params: reportToasts.exported } },
                onError: { target: 'idle', actions: reportFailure(reportToasts.exportFailed) },
              },
            },
          },
        },
      },
    },
    dismissed: { type: 'final' },
  },
})

export type ReportsActor = ActorRefFrom<typeof reportsMachine>

type Snapshot = SnapshotFrom<typeof reportsMachine>

export const selectReportChoice = (snapshot: Snapshot): ReportChoice => snapshot.context.choice
/** The chosen report; null while it is not there. */
export const selectReport = (snapshot: Snapshot): Report | null =>
  snapshot.matches({ open: { report: 'showing' } }) ? snapshot.context.report : null
export const selectReportHasFailed = (snapshot: Snapshot): boolean => snapshot.matches({ open: { report: 'failed' } })
/** Why the chosen range cannot be asked for; null if it can. */
export const selectRangeProblem = (snapshot: Snapshot): string | null => rangeProblem(snapshot.context.choice)
export const selectReportIsExporting = (snapshot: Snapshot): boolean =>
  snapshot.matches({ open: { export: 'exporting' } })
