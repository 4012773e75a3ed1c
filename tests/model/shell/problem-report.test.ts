import { expect, it } from 'vitest'
import { createActor } from 'xstate'
import { problemReportMachine, selectIsSaving } from '../../../src/machines/shell/problem-report.ts'
import {
  createControl,
  createCoverage,
  createToastLog,
  declaredStates,
  declaredTransitions,
  inspectAll,
} from '../harness.ts'

const coverage = createCoverage(problemReportMachine)

function started() {
  const save = createControl<void>()
  const log = createToastLog()
  const actor = createActor(problemReportMachine.provide({ actors: { saveReport: save.logic } }), {
    inspect: inspectAll(coverage.inspect, log.inspect),
  }).start()
  const ask = () => actor.send({ type: 'report.requested' })
  return { save, ask, toasts: log.toasts, isSaving: () => selectIsSaving(actor.getSnapshot()) }
}

it('a problem report is saved once at a time, with a toast, and again on the next request', async () => {
  const { save, ask, toasts, isSaving } = started()
  ask()
  ask()
  expect([isSaving(), save.calls.length]).toEqual([true, 1])
  await save.resolve()
  ask()
  const saved = {
    kind: 'success',
    text: 'Report saved as staff-inbox-report.json in your downloads. Give it to your administrator.',
  }
  expect([isSaving(), save.calls.length, toasts]).toEqual([true, 2, [saved]])
})

it('a problem report that cannot be saved shows an error and can be requested again', async () => {
  const { save, ask, toasts, isSaving } = started()
  ask()
  await save.reject(new Error('no code'))
  expect([isSaving(), toasts]).toEqual([false, [{ kind: 'error', text: 'Failed to save the report' }]])
})

it('the tests of the problem report enter every state and take every transition', () => {
  expect([...coverage.statesMissed(), ...coverage.transitionsMissed()]).toEqual([])
  expect([declaredStates(problemReportMachine).length, declaredTransitions(problemReportMachine).length]).toEqual([
    2, 3,
  ])
})
