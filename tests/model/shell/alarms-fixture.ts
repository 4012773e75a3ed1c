import { createActor, SimulatedClock, type SnapshotFrom } from 'xstate'
import { alarmsMachine } from '../../../src/machines/shell/alarms.ts'
import type { ShownAlarm } from '../../../src/schemas/alarm.ts'
import type { AuthUser } from '../../../src/schemas/auth.ts'
import { createControl, createToastLog, type Inspect, inspectAll, modelOf } from '../harness.ts'

const userOf = (...permissions: string[]): AuthUser => ({
  id: 's1',
  email: 'ana@example.com',
  role: 'administrator',
  permissions,
})
export const administrator = userOf('conversations.read', 'alarms.read')
export const agent = userOf('conversations.read')

const alarmOf = (id: number, rest: Partial<ShownAlarm> = {}): ShownAlarm => ({
  id,
  text: `The network refuses the token of page ${id}. Renew it in the page manager.`,
  started_at: '2026-01-05T12:00:00Z',
  ended_at: null,
  ...rest,
})
export const endedOf = (id: number) => alarmOf(id, { ended_at: '2026-01-05T13:00:00Z' })

/** The answers of the API while an incident lasts, and after it ended. */
export const ringing = [alarmOf(2), endedOf(1)]
export const quiet = [endedOf(2), endedOf(1)]

export function startAlarms(user: AuthUser, alsoInspect: Inspect = () => {}) {
  const load = createControl<readonly ShownAlarm[]>()
  const clock = new SimulatedClock()
  const log = createToastLog()
  const actor = createActor(alarmsMachine.provide({ actors: { loadAlarms: load.logic } }), {
    input: { user },
    clock,
    inspect: inspectAll(alsoInspect, log.inspect),
  }).start()
  return { load, clock, actor, toasts: log.toasts, snapshot: () => actor.getSnapshot() }
}

/** `person` is the user at the start. */
export const alarmsModel = (person: AuthUser) =>
  modelOf(alarmsMachine, {
    input: { user: person },
    vertex: ({ context }: SnapshotFrom<typeof alarmsMachine>) => context,
    cases: {
      'user.confirmed': [{ user: administrator }, { user: agent }],
      'refetch.requested': [{}],
      'tab.shown': [{}],
      'tab.hidden': [{}],
      'clock.jumped': [{}],
      'xstate.done.actor.loadAlarms': [{ output: ringing }, { output: quiet }],
      'xstate.error.actor.loadAlarms': [{ error: new Error('no answer') }],
    },
  })
