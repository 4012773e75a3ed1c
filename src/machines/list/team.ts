import type { SnapshotFrom } from 'xstate'
import { assign, fromPromise, setup } from 'xstate'
import { noRetries, type Retries } from '../../domain/retries.ts'
import { offers } from '../../domain/session/features.ts'
import type { AuthUser } from '../../schemas/auth.ts'
import type { TeamMember } from '../../schemas/conversation-state.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { ifTemporary, reportOnce } from '../on-failure.ts'
import { readingActions, readingDelays, readingGuards, waitingOrRefused } from '../reading.ts'
import type { System } from '../system.ts'

type Context = Retries & { user: AuthUser; members: readonly TeamMember[] }

export type TeamEvent =
  /** The server has confirmed who is signed in. */
  { type: 'user.confirmed'; user: AuthUser } | { type: 'refetch.requested' }

/** The names of the staff members who take care of conversations and write messages. Makes no call if the API offers neither. */
export const teamMachine = setup({
  types: { context: {} as Context, events: {} as TeamEvent, input: {} as { user: AuthUser } },
  actors: { loadTeam: fromPromise<readonly TeamMember[]>(mustBeProvided('loadTeam')) },
  delays: readingDelays,
  guards: {
    ...readingGuards,
    'offers names': ({ context: { user } }) => offers(user, 'conversation-states') || offers(user, 'authors'),
  },
  actions: {
    ...readingActions,
    'store the confirmed user': assign({ user: (_, { user }: { user: AuthUser }) => user }),
    'keep the members': assign((_, { members }: { members: readonly TeamMember[] }) => ({ members, ...noRetries })),
  },
}).createMachine({
  id: 'team',
  context: ({ input }) => ({ user: input.user, members: [], ...noRetries }),
  initial: 'notOffered',
  on: { 'user.confirmed': { actions: { type: 'store the confirmed user', params: ({ event }) => event } } },
  states: {
    notOffered: { always: { guard: 'offers names', target: 'loading' } },
    loading: {
      invoke: {
        id: 'loadTeam',
        src: 'loadTeam',
        onDone: {
          target: 'known',
          actions: { type: 'keep the members', params: ({ event }) => ({ members: event.output }) },
        },
        onError: [
          { guard: ifTemporary, target: 'failed.waiting', actions: reportOnce() },
          { target: 'failed.refused', actions: reportOnce() },
        ],
      },
    },
    known: { on: { 'refetch.requested': 'loading' } },
    failed: {
      ...waitingOrRefused('#team.loading'),
      on: { 'refetch.requested': 'loading' },
    },
  },
})

type Snapshot = SnapshotFrom<typeof teamMachine>

export const selectMembers = (snapshot: Snapshot): readonly TeamMember[] => snapshot.context.members

/** Returns a selector for the name of a member; null if it is not known. */
export const selectMemberName =
  (id: string | null) =>
  ({ context }: Snapshot): string | null =>
    context.members.find((member) => member.id === id)?.name ?? null

/** The name of a member, for use in the actions of machines; null if it is not known. */
export function memberNameIn(system: System, id: string | null): string | null {
  const snapshot: Snapshot | undefined = system.get('team')?.getSnapshot()
  return snapshot === undefined ? null : selectMemberName(id)(snapshot)
}
