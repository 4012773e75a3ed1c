import { problemReportMachine } from '../../../src/machines/shell/problem-report.ts'
import { modelOf } from '../harness.ts'

export const problemReportModel = () =>
  modelOf(problemReportMachine, {
    input: undefined,
    vertex: () => null,
    cases: {
      'report.requested': [{}],
      'xstate.done.actor.saveReport': [{ output: undefined }],
      'xstate.error.actor.saveReport': [{ error: new Error('no code') }],
    },
  })
