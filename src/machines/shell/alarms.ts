import type { SnapshotFrom } from 'xstate'
import { assign, fromPromise, setup } from 'xstate'
import { limits } from '../../domain/limits.ts'
import { can } from '../../domain/session/permissions.ts'
import type { ShownAlarm } from '../../schemas/alarm.ts'
import type { AuthUser } from '../../schemas/auth.ts'
import { mustBeProvided } from '../must-be-provided.ts'

type Context = {
  user: AuthUser
  /** Incidents that last, then those that ended; each newest first. Null until the first answer. */
  alarms: readonly ShownAlarm[] | null
  isHidden: boolean
}

export type AlarmsEvent =
  | { type: 'user.confirmed'; user: AuthUser }
  /** Polls at once. */
  | { type: 'refetch.requested' }
  | { type: 'tab.shown' }
  | { type: 'tab.hidden' }
  | { type: 'clock.jumped' }

const lasts = ({ ended_at }: ShownAlarm): boolean => ended_at === null

/**
 * The incidents that administrators see. Makes no call without the permission. Polls every 30 s, a hidden tab
 * every 300 s; a failed poll shows no toast and keeps the earlier answer.
 */
export const alarmsMachine = setup({
  types: { context: {} as Context, events: {} as AlarmsEvent, input: {} as { user: AuthUser } },
  actors: { loadAlarms: fromPromise<readonly ShownAlarm[]>(mustBeProvided('loadAlarms')) },
  delays: {
    pollDelay: ({ context }) => limits.statusPolling * (context.isHidden ? 10 : 1),
  },
  guards: {
    'may read alarms': ({ context }) => can(context.user, 'alarms.read'),
    'may not read alarms': ({ context }) => !can(context.user, 'alarms.read'),
    'an incident lasts': ({ context }) => context.alarms?.some(lasts) ?? false,
    'no incident lasts': ({ context }) => context.alarms !== null && !context.alarms.some(lasts),
  },
  actions: {
    'store the confirmed user': assign({ user: (_, { user }: { user: AuthUser }) => user }),
    'keep the alarms': assign({ alarms: (_, { alarms }: { alarms: readonly ShownAlarm[] }) => alarms }),
    'forget the alarms': assign({ alarms: null }),
    'remember that the tab is hidden': assign({ isHidden: true }),
    'remember that the tab is visible': assign({ isHidden: false }),
  },
}).createMachine({
  id: 'alarms',
  context: ({ input }) => ({ user: input.user, alarms: null, isHidden: false }),
  initial: 'notOffered',
  on: {
    'user.confirmed': { actions: { type: 'store the confirmed user', params: ({ event }) => event } },
    'tab.hidden': { actions: 'remember that the tab is hidden' },
    'tab.shown': { actions: 'remember that the tab is visible' },
  },
  states: {
    notOffered: { always: { guard: 'may read alarms', target: 'offered' } },
    offered: {
      type: 'parallel',
      always: { guard: 'may not read alarms', target: 'notOffered' },
      exit: 'forget the alarms',
      states: {
        polling: {
          initial: 'asking',
          on: {
            'refetch.requested': '.asking',
            'tab.shown': { target: '.asking', actions: 'remember that the tab is visible' },
            'clock.jumped': '.asking',
          },
          states: {
            asking: {
              invoke: {
                id: 'loadAlarms',
                src: 'loadAlarms',
                onDone: {
                  target: 'waiting',
                  actions: { type: 'keep the alarms', params: ({ event }) => ({ alarms: event.output }) },
                },
                onError: 'failed',
              },
            },
            waiting: { after: { pollDelay: 'asking' } },
            failed: { after: { pollDelay: 'asking' } },
          },
        },
        incidents: {
          initial: 'loading',
          states: {
            loading: {
              always: [
                { guard: 'an incident lasts', target: 'ringing' },
                { guard: 'no incident lasts', target: 'quiet' },
              ],
            },
            quiet: { always: { guard: 'an incident lasts', target: 'ringing' } },
            ringing: { always: { guard: 'no incident lasts', target: 'quiet' } },
          },
        },
      },
    },
  },
})

type Snapshot = SnapshotFrom<typeof alarmsMachine>

const none: readonly ShownAlarm[] = []

/** Whether the incidents are known, so that they can be shown. Never without the permission. */
export const selectAreAlarmsKnown = (snapshot: Snapshot): boolean => snapshot.context.alarms !== null

/** Incidents that last, then those that ended; each newest first. Empty until they are known. */
export const selectAlarms = (snapshot: Snapshot): readonly ShownAlarm[] => snapshot.context.alarms ?? none

/** The number of incidents that last. */
export const selectOpenAlarmCount = (snapshot: Snapshot): number => selectAlarms(snapshot).filter(lasts).length

/** The last poll failed, so the incidents may be old. */
export const selectAlarmsHaveFailed = (snapshot: Snapshot): boolean =>
  snapshot.matches({ offered: { polling: 'failed' } })
