import { expect, it } from 'vitest'
import { createActor } from 'xstate'
import { infoDialogMachine } from '../../../src/machines/shell/info-dialog.ts'
import { createCoverage } from '../harness.ts'

const coverage = createCoverage(infoDialogMachine)

it('the info dialog is open until staff dismiss it', () => {
  const actor = createActor(infoDialogMachine, { inspect: coverage.inspect }).start()
  expect(actor.getSnapshot().status).toBe('active')
  actor.send({ type: 'dialog.dismissed' })
  expect(actor.getSnapshot().status).toBe('done')
})

it('the test of the info dialog enters every state', () => expect(coverage.statesMissed()).toEqual([]))
it('the test of the info dialog takes every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
