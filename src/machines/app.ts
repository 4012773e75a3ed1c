import type { ActorRefFrom, InputFrom, SnapshotFrom } from 'xstate'
import { assign, enqueueActions, fromPromise, setup, stopChild } from 'xstate'
import { newKey } from '../domain/new-key.ts'
import type { Identity } from '../domain/session/session-calls.ts'
import { mustBeProvided } from './must-be-provided.ts'
import { authMachine } from './session/auth.ts'
import type { sessionMachine } from './session/session.ts'
import { notifierMachine } from './shell/notifier.ts'

/** The session with its services: code that is fetched once somebody is signed in. */
export type SessionLogic = typeof sessionMachine

type AppEvent =
  | { type: 'auth.restoring' }
  | ({ type: 'auth.signedIn' } & Identity)
  | { type: 'auth.signedOut' }
  | { type: 'xstate.error.actor.session'; error: unknown }

type Context = {
  identity: Identity | null
  session: ActorRefFrom<SessionLogic> | null
  now: () => number
  newKey: () => string
}

/**
 * Starts the session. xstate types `spawn` by the logics that a machine names beforehand; this one is not there before
 * it is loaded.
 */
type SpawnSession = (
  logic: SessionLogic,
  options: { id: string; systemId: string; input: InputFrom<SessionLogic> },
) => ActorRefFrom<SessionLogic>

/**
 * The root: whoever is signed in has a session, and all that belongs to it lives and ends with it. `auth` and
 * `notifier` outlive it.
 */
export const appMachine = setup({
  types: {
    context: {} as Context,
    events: {} as AppEvent,
    input: {} as { now: () => number; newKey?: () => string },
    children: {} as { auth: 'auth'; notifier: 'notifier' },
  },
  actors: {
    auth: authMachine,
    notifier: notifierMachine,
    loadSession: fromPromise<SessionLogic>(mustBeProvided('loadSession')),
  },
  guards: {
    'is another session': ({ context }, { session }: Identity) => context.identity?.session !== session,
  },
  actions: {
    'store the identity': assign({ identity: (_, { user, session }: Identity) => ({ user, session }) }),
    'forget identity': assign({ identity: null }),
    'begin the session': assign({
      session: ({ context, spawn }, { logic }: { logic: SessionLogic }) => {
        if (context.identity === null) throw new Error('a session starts with somebody signing in')
        const input = { user: context.identity.user, now: context.now, newKey: context.newKey }
        return (spawn as unknown as SpawnSession)(logic, { id: 'session', systemId: 'session', input })
      },
    }),
    'end the session': stopChild('session'),
    'forget the session': assign({ session: null }),
    'receive the auth state': enqueueActions(
      ({ enqueue }, { snapshot }: { snapshot: SnapshotFrom<typeof authMachine> }) => {
        const { user, session } = snapshot.context
        if (snapshot.hasTag('signedIn') && user && session !== null)
          enqueue.raise({ type: 'auth.signedIn', user, session })
        else enqueue.raise({ type: snapshot.hasTag('starting') ? 'auth.restoring' : 'auth.signedOut' })
      },
    ),
  },
}).createMachine({
  id: 'app',
  context: ({ input }) => ({ identity: null, session: null, now: input.now, newKey: input.newKey ?? newKey }),
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
      onSnapshot: {
        actions: { type: 'receive the auth state', params: ({ event }) => ({ snapshot: event.snapshot }) },
      },
    },
  ],
  initial: 'starting',
  states: {
    starting: {
      entry: 'forget identity',
      on: {
        'auth.signedIn': { target: 'signedIn', actions: { type: 'store the identity', params: ({ event }) => event } },
        'auth.signedOut': 'signedOut',
      },
    },
    signedOut: {
      entry: 'forget identity',
      on: {
        'auth.signedIn': { target: 'signedIn', actions: { type: 'store the identity', params: ({ event }) => event } },
        'auth.restoring': 'starting',
      },
    },
    signedIn: {
      initial: 'loading',
      states: {
        loading: {
          invoke: {
            id: 'loadSession',
            src: 'loadSession',
            onDone: {
              target: 'running',
              actions: { type: 'begin the session', params: ({ event }) => ({ logic: event.output }) },
            },
            onError: '#app.broken',
          },
        },
        running: {
          exit: ['end the session', 'forget the session'],
          on: { 'xstate.error.actor.session': '#app.broken' },
        },
      },
      on: {
        'auth.signedIn': {
          guard: { type: 'is another session', params: ({ event }) => event },
          target: 'signedIn',
          reenter: true,
          actions: { type: 'store the identity', params: ({ event }) => event },
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
/** Until the session runs, the product is starting. */
export const selectPhase = (snapshot: AppSnapshot): AppPhase => {
  if (typeof snapshot.value === 'string') return snapshot.value
  return snapshot.context.session === null ? 'starting' : 'signedIn'
}
/** The session of whoever is signed in. */
export const selectSession = (snapshot: AppSnapshot) => snapshot.context.session ?? undefined

/** Calls `left` whenever whoever was signed in no longer is, after all that was theirs has stopped. */
export function onSignOut(app: AppActor, left: () => void): void {
  let known: number | null = null
  app.subscribe(({ context }) => {
    const session = context.identity?.session ?? null
    if (known !== null && session !== known) queueMicrotask(left)
    known = session
  })
}
