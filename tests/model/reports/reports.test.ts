import { describe, expect, it } from 'vitest'
import { reportsMachine } from '../../../src/machines/reports/reports.ts'
import type { ReportRequest } from '../../../src/schemas/report.ts'
import { createCoverage, driverOf, error, success } from '../harness.ts'
import { ends, followBeside, type Reference, when } from '../reference.ts'
import { reportFaults, reportsModel, responses, startReports, waiting } from './reports-fixture.ts'

const coverage = createCoverage(reportsMachine)
const start = () => startReports(coverage.inspect)

describe('a choice', () => {
  it('applies 300 ms after the last change, and aborts the load of the one before', async () => {
    const sut = start()
    const first = sut.load.last()
    sut.actor.send({ type: 'choice.changed', change: { report: 'responses' } })
    sut.clock.increment(299)
    sut.actor.send({ type: 'choice.changed', change: { by: 'hour' } })
    sut.clock.increment(299)
    expect([first.signal.aborted, sut.load.calls.length]).toEqual([true, 1])
    sut.clock.increment(1)
    expect(sut.load.inputs()).toEqual([
      { report: 'waiting', by: 'page', days: '1' },
      { report: 'responses', by: 'hour', days: '7' },
    ])
    first.resolve(waiting)
    await sut.load.resolve(responses)
    expect(sut.context().report).toEqual(responses)
  })

  it('of a report without hours groups by page', async () => {
    const sut = start()
    sut.actor.send({ type: 'choice.changed', change: { report: 'messages', by: 'hour' } })
    sut.actor.send({ type: 'choice.changed', change: { report: 'waiting' } })
    expect(sut.context().choice).toMatchObject({ report: 'waiting', by: 'page' })
  })

  it('of an own range begins with the dates that were shown', async () => {
    const sut = start()
    await sut.load.resolve(waiting)
    sut.actor.send({ type: 'choice.changed', change: { report: 'responses', range: 'own', pageId: 'p1' } })
    sut.clock.increment(300)
    expect(sut.load.inputs().at(-1)).toEqual({
      report: 'responses',
      by: 'page',
      from: '2026-01-05',
      to: '2026-01-11',
      pageId: 'p1',
    })
  })
})

describe('the walk through the dialog', () => {
  const paths = reportsModel().everyTransition()

  type State = {
    report: 'waiting' | 'responses'
    range: string
    dates: [string, string]
    held: string | null
    at: 'settling' | 'loading' | 'waiting' | 'refused' | 'showing' | 'withoutRange'
    isExporting: boolean
    isDismissed: boolean
    loads: ReportRequest[]
    exports: ReportRequest[]
    toasts: unknown[]
  }
  const requestOf = ({ report, range, dates: [from, to] }: State): ReportRequest => {
    if (report === 'waiting') return { report, by: 'page', days: '1' }
    return range === 'own' ? { report, by: 'page', from, to } : { report, by: 'page', days: '7' }
  }
  const hasRange = ({ report, range, dates: [from, to] }: State) =>
    report === 'waiting' || range !== 'own' || (from !== '' && to !== '')
  const load = (state: State): Partial<State> => ({ at: 'loading', loads: [...state.loads, requestOf(state)] })
  const reference: Reference<State> = {
    start: {
      report: 'waiting',
      range: '7',
      dates: ['', ''],
      held: null,
      at: 'loading',
      isExporting: false,
      isDismissed: false,
      loads: [{ report: 'waiting', by: 'page', days: '1' }],
      exports: [],
      toasts: [],
    },
    accepts: (state) => [
      ...['dialog.dismissed', 'choice.changed'],
      ...(state.isExporting ? ends('exportReport') : when(hasRange(state), 'export.requested')),
      ...when(['waiting', 'refused', 'showing'].includes(state.at), 'refetch.requested'),
      ...when(state.at === 'waiting', 'xstate.after.retryDelay.reports.open.report.failed.waiting'),
      ...when(state.at === 'settling', 'xstate.after.choiceDelay.reports.open.report.settling'),
      ...when(state.at === 'loading', ...ends('loadReport')),
    ],
    rules: {
      'choice.changed': (state, { change }) => {
        const shownDates: [string, string] = state.held === null ? ['', ''] : ['2026-01-05', '2026-01-11']
        const [from, to] = change.range === 'own' && state.dates[0] === '' ? shownDates : state.dates
        const next: State = {
          ...state,
          report: change.report ?? state.report,
          range: change.range ?? state.range,
          dates: [change.from ?? from, change.to ?? to],
        }
        return { ...next, at: hasRange(next) ? 'settling' : 'withoutRange' }
      },
      'xstate.after.choiceDelay.reports.open.report.settling': load,
      'xstate.after.retryDelay.reports.open.report.failed.waiting': load,
      'refetch.requested': (state) => (['waiting', 'refused', 'showing'].includes(state.at) ? load(state) : {}),
      'export.requested': (state) =>
        hasRange(state) && !state.isExporting
          ? { isExporting: true, exports: [...state.exports, requestOf(state)] }
          : {},
      'dialog.dismissed': () => ({ isDismissed: true }),
      'xstate.done.actor.loadReport': ({ report }) => ({ at: 'showing', held: report }),
      'xstate.error.actor.loadReport': (state, { error: failure }) =>
        failure === reportFaults.noAnswer
          ? { at: 'waiting', toasts: [...state.toasts, error('Network error. Please check your connection.')] }
          : { at: 'refused', toasts: [...state.toasts, error('Failed to load the report')] },
      'xstate.done.actor.exportReport': ({ toasts }) => ({
        isExporting: false,
        toasts: [...toasts, success('The report is in your downloads')],
      }),
      'xstate.error.actor.exportReport': ({ toasts }) => ({
        isExporting: false,
        toasts: [...toasts, error('Failed to export the report')],
      }),
    },
    shown: ({ at, isExporting, isDismissed, dates, range, report, ...kept }) => ({
      ...kept,
      choice: [report, range, ...dates],
      at: isDismissed ? 'dismissed' : [at === 'waiting' || at === 'refused' ? 'failed' : at, isExporting],
    }),
  }

  it(`shows what the reference shows on ${paths.length} paths`, async () => {
    for (const path of paths) {
      const sut = start()
      const drive = driverOf(sut.actor.send, {
        calls: { loadReport: sut.load, exportReport: sut.save },
        delays: { choiceDelay: () => sut.clock.increment(300), retryDelay: () => sut.clock.increment(2_000) },
      })
      await followBeside(path, drive, reference, () => {
        const { choice, report } = sut.context()
        const value = sut.state()
        const shown =
          typeof value === 'string' ? value : typeof value.open.report === 'string' ? value.open.report : 'failed'
        return {
          choice: [choice.report, choice.range, choice.from, choice.to],
          held: report?.report ?? null,
          loads: sut.load.inputs(),
          exports: sut.save.inputs(),
          toasts: sut.toasts,
          at: typeof value === 'string' ? value : [shown, value.open.export === 'exporting'],
        }
      })
      sut.actor.stop()
    }
  })

  it('enters every state', () => expect(coverage.statesMissed()).toEqual([]))
  it('takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
})
