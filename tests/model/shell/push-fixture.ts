import { createActor, createEmptyActor, fromCallback, type InspectionEvent, SimulatedClock } from 'xstate'
import type { PushAnswer, PushDevice } from '../../../src/domain/shell/push-calls.ts'
import { pushMachine } from '../../../src/machines/shell/push.ts'
import { createControl, modelOf } from '../harness.ts'
import { faults } from '../inbox-fixture.ts'

export const subscribed: PushAnswer = { outcome: 'on', id: 'p1' }

export function startPush({ isHidden = false, inspect = (_: InspectionEvent) => {} } = {}) {
  const read = createControl<{ device: PushDevice }, { userId: string }>()
  const subscribe = createControl<PushAnswer, { userId: string }>()
  const renew = createControl<PushAnswer, { userId: string }>()
  const unsubscribe = createControl<void, { subscription: string | null }>()
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
        if (event.type !== '@xstate.event') return
        if (event.event.type === 'conversation.requested') log.opened.push(event.event['id'])
        if (event.event.type === 'comments.requested') log.opened.push(event.event['threadId'])
      },
    },
  ).start()
  return { actor, read, subscribe, renew, unsubscribe, visible, clock, log, snapshot: () => actor.getSnapshot() }
}

const own = (events: object) => Object.fromEntries(Object.keys(events).map((type) => [type, []]))

const device = {
  'push.enabled': [{}],
  'push.disabled': [{}],
  'push.replaced': [{}],
  'push.clicked': [{ conversationId: 'c1' }],
  'push.commentsClicked': [{ threadId: 't1' }],
  'permission.changed': (['granted', 'denied', 'undecided'] as const).map((permission) => ({ permission })),
  'xstate.done.actor.readDevice': (['unsupported', 'uninstalled', 'denied', 'off', 'on'] as const).map((found) => ({
    output: { device: found },
  })),
  'xstate.error.actor.readDevice': [{ error: new Error('blocked') }],
  'xstate.done.actor.subscribe': [
    { output: subscribed },
    { output: { outcome: 'denied' } },
    { output: { outcome: 'off' } },
  ],
  'xstate.error.actor.subscribe': [{ error: faults.noAnswer }],
  'xstate.done.actor.renewSubscription': [{ output: subscribed }, { output: { outcome: 'off' } }],
  'xstate.error.actor.renewSubscription': [{ error: faults.noAnswer }, { error: faults.refused }],
  'xstate.after.retryDelay.push.device.on.waiting': [{}],
  'xstate.done.actor.unsubscribe': [{}],
  'xstate.error.actor.unsubscribe': [{ error: new Error('blocked') }],
}
const tab = {
  'tab.shown': [{}],
  'tab.hidden': [{}],
  'xstate.done.actor.tellVisible': [{}],
  'xstate.error.actor.tellVisible': [{ error: faults.noAnswer }],
  'xstate.after.visibleInterval.push.tab.visible.told': [{}],
}

/** Two models of one machine, because all combinations would be too many. */
export const pushModel = (part: 'device' | 'tab') =>
  modelOf(pushMachine, {
    input: { userId: 's1', isHidden: false, parent: createEmptyActor() },
    vertex: ({ context: { subscription, failures, isHidden } }) => [subscription, Math.min(failures, 2), isHidden],
    stopWhen: ({ context }) => context.failures > 1,
    cases: part === 'device' ? { ...device, ...own(tab) } : { ...own(device), ...tab },
  })
