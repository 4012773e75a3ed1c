import { expect, it } from 'vitest'
import { createActor } from 'xstate'
import { stateDialogMachine } from '../../../src/machines/list/state-dialog.ts'
import { createCoverage } from '../harness.ts'

const coverage = createCoverage(stateDialogMachine)

function start() {
  const requested: unknown[] = []
  const actor = createActor(stateDialogMachine, {
    input: { ids: ['c1', 'c2'] },
    inspect: (event) => {
      coverage.inspect(event)
      if (event.type === '@xstate.event' && event.event.type === 'change.requested') requested.push(event.event)
    },
  }).start()
  return { actor, requested }
}

it('the dialog of a decision requests one change for all its conversations, and closes', () => {
  const { actor, requested } = start()
  actor.send({ type: 'decision.made', decision: { snooze: { until: 'message' } } })
  actor.send({ type: 'decision.made', decision: { done: true } })
  expect([requested, actor.getSnapshot().status]).toEqual([
    [{ type: 'change.requested', ids: ['c1', 'c2'], decision: { snooze: { until: 'message' } } }],
    'done',
  ])
})

it('the dialog of a decision closes without a change when it is dismissed', () => {
  const { actor, requested } = start()
  actor.send({ type: 'dialog.dismissed' })
  expect([requested, actor.getSnapshot().status]).toEqual([[], 'done'])
})

it('the tests of this dialog enter every state and take every transition', () =>
  expect([coverage.statesMissed(), coverage.transitionsMissed()]).toEqual([[], []]))
