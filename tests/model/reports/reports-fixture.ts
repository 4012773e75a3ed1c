import { createActor, SimulatedClock, type SnapshotFrom } from 'xstate'
import { Failure } from '../../../src/domain/failure.ts'
import { reportsMachine } from '../../../src/machines/reports/reports.ts'
import type { Report, ReportRequest } from '../../../src/schemas/report.ts'
import { createControl, createToastLog, type Inspect, modelOf } from '../harness.ts'

const base = { from: '2026-01-05', to: '2026-01-11', time_zone: 'Asia/Manila', is_complete: true }

export const waiting: Report & { report: 'waiting' } = {
  ...base,
  report: 'waiting',
  total: { count: 3, longest_since: '2026-01-11T10:00:00.000Z' },
  rows: [
    { key: 'p1', name: 'Bakery', count: 2, longest_since: '2026-01-11T10:00:00.000Z' },
    { key: 'p9', name: null, count: 1, longest_since: '2026-01-11T11:00:00.000Z' },
  ],
}

export const responses: Report & { report: 'responses' } = {
  ...base,
  report: 'responses',
  total: { count: 7, median: 90, p90: 4_000 },
  rows: [
    { key: 'staff:ana', name: 'Ana', count: 4, median: 40, p90: 600 },
    { key: 'staff:gone', name: null, count: 2, median: 90, p90: 4_000 },
    { key: 'outside', name: null, count: 1, median: 100_000, p90: 100_000 },
  ],
  automatic: [{ key: 'automatic:Price', name: null, count: 5, median: 3, p90: 4 }],
  outcomes: { begun: 9, closed: 1, open: 1 },
}

export const questions: Report & { report: 'questions' } = {
  ...base,
  report: 'questions',
  total: { asked: 9, compared: 9, answered: 4 },
  unanswered: [
    { text: 'Do you deliver?', count: 5, asked_at: '2026-01-11T10:00:00.000Z', conversation_id: 'ana', entries: [] },
  ],
  conflicts: [
    {
      text: 'Price list?',
      count: 2,
      asked_at: '2026-01-11T10:00:00.000Z',
      conversation_id: 'ben',
      entries: [
        { id: 'f1', title: 'Prices' },
        { id: 'f2', title: 'Menu' },
      ],
    },
  ],
}

export const reportFaults = {
  noAnswer: new Failure({ method: 'GET', path: '/reports/waiting', kind: 'noAnswer' }),
  unnamed: new Failure({ method: 'GET', path: '/reports/waiting', kind: 'status', status: 422 }),
}

export function startReports(alsoInspect: Inspect) {
  const load = createControl<Report, ReportRequest>()
  const save = createControl<void, ReportRequest>()
  const clock = new SimulatedClock()
  const { toasts, inspect } = createToastLog(alsoInspect)
  const machine = reportsMachine.provide({ actors: { loadReport: load.logic, exportReport: save.logic } })
  const actor = createActor(machine, { inspect, clock }).start()
  return {
    load,
    save,
    actor,
    clock,
    toasts,
    state: () => actor.getSnapshot().value,
    context: () => actor.getSnapshot().context,
  }
}

/** Choices that the walks make: another report, an own range, and dates that are none. */
export const reportsModel = () =>
  modelOf(reportsMachine, {
    input: undefined,
    vertex: ({ context: { choice, report, failures } }: SnapshotFrom<typeof reportsMachine>) => ({
      choice,
      report: report?.report,
      failures,
    }),
    cases: {
      'choice.changed': ({ context: { choice } }) => [
        ...(choice.report === 'waiting' ? [{ change: { report: 'responses' } }] : []),
        ...(choice.report === 'responses' && choice.range === '7' ? [{ change: { range: 'own' } }] : []),
        ...(choice.range === 'own' && choice.to !== '' ? [{ change: { to: '' } }] : []),
        ...(choice.range === 'own' && choice.to === '' ? [{ change: { from: '2026-01-01', to: '2026-01-02' } }] : []),
      ],
      'refetch.requested': [{}],
      // The export runs beside the report, so one report and a missing range say enough.
      'export.requested': (snapshot) =>
        snapshot.context.choice.report === 'waiting' || snapshot.matches({ open: { report: 'withoutRange' } })
          ? [{}]
          : [],
      'dialog.dismissed': [{}],
      'xstate.done.actor.loadReport': ({ context: { choice } }) => [
        { output: choice.report === 'waiting' ? waiting : responses },
      ],
      'xstate.error.actor.loadReport': ({ context }) =>
        context.failures === 0 ? [{ error: reportFaults.unnamed }, { error: reportFaults.noAnswer }] : [],
      'xstate.done.actor.exportReport': [{ output: undefined }],
      'xstate.error.actor.exportReport': [{ error: reportFaults.unnamed }],
    },
  })
