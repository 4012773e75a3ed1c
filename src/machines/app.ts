import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { assign, enqueueActions, setup } from 'xstate'
import type { AuthUser } from '../schemas/auth.ts'
import { authMachine } from './auth.ts'
import { notifierMachine } from './notifier.ts'
import { sessionMachine } from './session.ts'

type Identity = { user: AuthUser; session: number }

type AppEvent = { type: 'auth.restoring' } | ({ type: 'auth.signedIn' } & Identity) | { type: 'auth.signedOut' }

/**
 * The root: whoever is signed in has a session, and all that belongs to it lives and ends with it. `auth` and
 * `notifier` outlive it.
 */
export const appMachine = setup({
  types: {
    context: {} as { identity: Identity | null; now: () => number },
    events: {} as AppEvent,
    input: {} as { now: () => number },
    children: {} as { auth: 'auth'; notifier: 'notifier'; session: 'session' },
  },
  actors: {
    auth: authMachine,
    notifier: notifierMachine,
    session: sessionMachine,
  },
  guards: {
    'is another session': ({ context }, { session }: Identity) => context.identity?.session !== session,
  },
  actions: {
    'take identity': assign({ identity: (_, { user, session }: Identity) => ({ user, session }) }),
    'forget identity': assign({ identity: null }),
    'hear auth': enqueueActions(({ enqueue }, { snapshot }: { snapshot: SnapshotFrom<typeof authMachine> }) => {
      const { user, session } = snapshot.context
      if (snapshot.hasTag('signedIn') && user && session !== null)
        enqueue.raise({ type: 'auth.signedIn', user, session })
      else enqueue.raise({ type: snapshot.hasTag('starting') ? 'auth.restoring' : 'auth.signedOut' })
    }),
  },
}).createMachine({
  id: 'app',
  context: ({ input }) => ({ identity: null, now: input.now }),
  invoke: [
    {
      id: 'notifier',
      systemId: 'notifier',
      src: 'notifier',
      input: ({ context }) => ({ now: context.now }),
    },
    {
      id: 'auth',
      systemId: 'auth',
      src: 'auth',
      onSnapshot: { actions: { type: 'hear auth', params: ({ event }) => ({ snapshot: event.snapshot }) } },
    },
  ],
  initial: 'starting',
  states: {
    starting: {
      entry: 'forget identity',
      on: {
        'auth.signedIn': { target: 'signedIn', actions: { type: 'take identity', params: ({ event }) => event } },
        'auth.signedOut': 'signedOut',
      },
    },
    signedOut: {
      entry: 'forget identity',
      on: {
        'auth.signedIn': { target: 'signedIn', actions: { type: 'take identity', params: ({ event }) => event } },
        'auth.restoring': 'starting',
      },
    },
    signedIn: {
      invoke: {
        id: 'session',
        systemId: 'session',
        src: 'session',
        input: ({ context, event }) => {
          if (event.type !== 'auth.signedIn') throw new Error('a session starts with somebody signing in')
          return { user: event.user, now: context.now }
        },
        onError: 'broken',
      },
      on: {
        'auth.signedIn': {
          guard: { type: 'is another session', params: ({ event }) => event },
          target: 'signedIn',
          reenter: true,
          actions: { type: 'take identity', params: ({ event }) => event },
        },
        'auth.signedOut': 'signedOut',
        'auth.restoring': 'starting',
      },
    },
    // A fault of ours: the page says so and offers to load again.
    broken: {
      on: { 'auth.signedOut': 'signedOut' },
    },
  },
})

export type AppActor = ActorRefFrom<typeof appMachine>
type AppSnapshot = SnapshotFrom<typeof appMachine>

export type AppPhase = 'starting' | 'signedOut' | 'signedIn' | 'broken'
export const selectPhase = (snapshot: AppSnapshot): AppPhase => snapshot.value
/** The session of whoever is signed in. */
export const selectSession = (snapshot: AppSnapshot) => snapshot.children.session
