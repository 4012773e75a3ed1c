import { createActor, createEmptyActor, fromCallback, type InspectionEvent, SimulatedClock } from 'xstate'
import type { PushAnswer, PushDevice } from '../../../src/domain/shell/push-calls.ts'
import { pushMachine } from '../../../src/machines/shell/push.ts'
import { createControl, modelOf } from '../harness.ts'
import { faults } from '../inbox-fixture.ts'

export const subscribed: PushAnswer = { outcome: 'on', id: 'p1' }

export function startPush({ isHidden = false, inspect = (_: InspectionEvent) => {} } = {}) {
  const read = createControl<PushDevice>()
  const subscribe = createControl<PushAnswer>()
  const renew = createControl<PushAnswer>()
  const unsubscribe = createControl<void>()
  const visible = createControl<void>()
  const clock = new SimulatedClock()
  const log = { hidden: 0, changes: [] as boolean[], opened: [] as string[] }
  const parent = createEmptyActor()
  parent.start()
  const actor = createActor(
    pushMachine.provide({
      actors: {
        readDevice: read.logic,
        subscribe: subscribe.logic,
        renewSubscription: renew.logic,
        unsubscribe: unsubscribe.logic,
        tellVisible: visible.logic,
        watchWorker: fromCallback(() => {}),
      },
      actions: {
        'tell that the tab is hidden': () => {
          log.hidden += 1
        },
        'tell that push changed': (_, { isOn }) => void log.changes.push(isOn),
      },
    }),
    {
      input: { userId: 's1', isHidden, parent },
      clock,
      inspect: (event) => {
        inspect(event)
        if (event.type === '@xstate.event' && event.event.type === 'conversation.requested')
          log.opened.push(event.event['id'])
      },
    },
  ).start()
  return { actor, read, subscribe, renew, unsubscribe, visible, clock, log, snapshot: () => actor.getSnapshot() }
}

export const pushModel = () =>
  modelOf(pushMachine, {
    input: { userId: 's1', isHidden: false, parent: createEmptyActor() },
    vertex: ({ context: { subscription, failures } }) => [subscription, Math.min(failures, 2)],
    stopWhen: ({ context }) => context.failures > 1,
    cases: {
      'push.enabled': [{}],
      'push.disabled': [{}],
      'push.replaced': [{}],
      'push.clicked': [{ conversationId: 'c1' }],
      'permission.changed': (['granted', 'denied', 'undecided'] as const).map((permission) => ({ permission })),
      'tab.shown': [{}],
      'tab.hidden': [{}],
      'xstate.done.actor.readDevice': (['unsupported', 'uninstalled', 'denied', 'off', 'on'] as const).map(
        (output) => ({ output }),
      ),
      'xstate.done.actor.subscribe': [
        { output: subscribed },
        { output: { outcome: 'denied' } },
        { output: { outcome: 'off' } },
      ],
      'xstate.done.actor.renewSubscription': [{ output: subscribed }, { output: { outcome: 'off' } }],
      'xstate.error.actor.renewSubscription': [{ error: faults.noAnswer }, { error: faults.refused }],
      'xstate.done.actor.unsubscribe': [{}],
      'xstate.done.actor.tellVisible': [{}],
    },
  })
