import { expect, it } from 'vitest'
import { createActor } from 'xstate'
import { infoDialogMachine } from '../../../src/machines/shell/info-dialog.ts'
import { createCoverage } from '../harness.ts'

const coverage = createCoverage(infoDialogMachine)

it('is open until it is dismissed', () => {
  const actor = createActor(infoDialogMachine, { inspect: coverage.inspect }).start()
  expect(actor.getSnapshot().status).toBe('active')
  actor.send({ type: 'dialog.dismissed' })
  expect(actor.getSnapshot().status).toBe('done')
})

it('entered every state', () => expect(coverage.statesMissed()).toEqual([]))
it('took every transition', () => expect(coverage.transitionsMissed()).toEqual([]))
