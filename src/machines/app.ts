import type { ActorRefFrom, InputFrom, SnapshotFrom } from 'xstate'
import { assign, fromPromise, raise, setup, stopChild } from 'xstate'
import { newKey } from '../domain/new-key.ts'
import type { SignedIn } from '../domain/session/session-calls.ts'
import type { AuthUser } from '../schemas/auth.ts'
import type { SavedInbox } from '../schemas/saved-inbox.ts'
import { mustBeGiven, mustBeProvided } from './must-be-provided.ts'
import { authMachine } from './session/auth.ts'
import type { sessionMachine } from './session/session.ts'
import { notifierMachine } from './shell/notifier.ts'
import { createSendAction } from './system.ts'

/** The session with its services. Its code is loaded for a saved inbox, or after sign-in. */
export type SessionLogic = typeof sessionMachine

type AppEvent =
  /** `showsSaved`: the saved inbox still belongs to the stored session. */
  | { type: 'auth.restoring'; showsSaved: boolean }
  | ({ type: 'auth.signedIn' } & SignedIn)
  | { type: 'auth.signedOut' }
  | { type: 'xstate.error.actor.session'; error: unknown }

type Context = {
  signedIn: SignedIn | null
  session: ActorRefFrom<SessionLogic> | null
  /** The saved inbox of the person whose session is stored, until the session ends. */
  saved: SavedInbox | null
  now: () => number
  newKey: () => string
}

/**
 * Starts the session. XState types `spawn` by the logics named in `setup`; the session logic is only loaded later.
 */
type SpawnSession = (
  logic: SessionLogic,
  options: { id: string; systemId: string; input: InputFrom<SessionLogic> },
) => ActorRefFrom<SessionLogic>

const confirmUserToSession = createSendAction<{ user: AuthUser }>(({ user }, { system, self }) => [
  { to: system.get('session') ?? self, event: { type: 'user.confirmed', user } },
])

/** The state of auth as an event. */
function authEventOf(auth: SnapshotFrom<typeof authMachine>): AppEvent {
  const { user, session, showsSaved } = auth.context
  if (auth.hasTag('signedIn') && user && session !== null) return { type: 'auth.signedIn', user, session }
  return auth.hasTag('starting') ? { type: 'auth.restoring', showsSaved } : { type: 'auth.signedOut' }
}

const notifyAuthOfSavedInbox = createSendAction<unknown>((_, { system, self }) => [
  { to: system.get('auth') ?? self, event: { type: 'savedInbox.shown' } },
])

const endSession = ['end the session' as const, 'forget the session' as const]
const forgetPerson = [...endSession, 'forget who is signed in' as const]

/** Another tab changed the stored session, which may now belong to another person. */
const restarted = {
  'auth.restoring': {
    guard: { type: 'restarted', params: ({ event }: { event: { showsSaved: boolean } }) => event },
    target: '#app.starting',
    reenter: true,
  },
} as const

/**
 * The root machine. It runs one session per signed-in person; the session's children end with the session. `auth` and
 * `notifier` outlive the session. If a start finds a stored session and that person's saved inbox, the session starts
 * with the saved inbox at once. The session continues if auth confirms that person, and ends otherwise.
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
    /** The saved inbox of the person whose session is stored; null if there is none. */
    readSavedInbox: fromPromise<SavedInbox | null>(mustBeProvided('readSavedInbox')),
  },
  delays: {
    /** The longest wait for the browser's storage, in milliseconds. */
    readLimit: 500,
  },
  guards: {
    'has a saved inbox': (_, { saved }: { saved: SavedInbox | null }) => saved !== null,
    'is the person of the saved inbox': ({ context }, { user }: { user: AuthUser }) =>
      context.session !== null && context.saved?.user.id === user.id,
    restarted: (_, { showsSaved }: { showsSaved: boolean }) => !showsSaved,
    'is another session': ({ context }, { session }: SignedIn) => context.signedIn?.session !== session,
  },
  actions: {
    'store who is signed in': assign({ signedIn: (_, { user, session }: SignedIn) => ({ user, session }) }),
    'forget who is signed in': assign({ signedIn: null }),
    'store the saved inbox': assign({ saved: (_, { saved }: { saved: SavedInbox | null }) => saved }),
    'store the saved inbox of the signed-in person': assign({
      saved: ({ context }, { saved }: { saved: SavedInbox | null }) =>
        saved?.user.id === context.signedIn?.user.id ? saved : null,
    }),
    'notify auth of the saved inbox': notifyAuthOfSavedInbox,
    'confirm the user to the session': confirmUserToSession,
    /** Deletes the saved inbox, because no person is signed in. */
    clearDevice: mustBeGiven('clearDevice'),
    'begin the session': assign({
      session: ({ context, spawn }, { logic }: { logic: SessionLogic }) => {
        const user = context.signedIn?.user ?? context.saved?.user
        if (user === undefined) throw new Error('a session starts with a signed-in user')
        const { saved, now, newKey } = context
        const input = { user, saved, isConfirmed: context.signedIn !== null, now, newKey }
        return (spawn as unknown as SpawnSession)(logic, { id: 'session', systemId: 'session', input })
      },
    }),
    'end the session': stopChild('session'),
    'forget the session': assign({ session: null, saved: null }),
    'receive the auth state': raise((_, { auth }: { auth: SnapshotFrom<typeof authMachine> }) => authEventOf(auth)),
  },
}).createMachine({
  id: 'app',
  context: ({ input }) => ({
    signedIn: null,
    session: null,
    saved: null,
    now: input.now,
    newKey: input.newKey ?? newKey,
  }),
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
        actions: { type: 'receive the auth state', params: ({ event }) => ({ auth: event.snapshot }) },
      },
    },
  ],
  initial: 'starting',
  states: {
    starting: {
      entry: forgetPerson,
      initial: 'reading',
      on: {
        'auth.signedIn': [
          {
            guard: { type: 'is the person of the saved inbox', params: ({ event }) => event },
            target: 'signedIn.running',
            actions: [
              { type: 'store who is signed in', params: ({ event }) => event },
              { type: 'confirm the user to the session', params: ({ event }) => event },
            ],
          },
          { target: 'signedIn', actions: { type: 'store who is signed in', params: ({ event }) => event } },
        ],
        'auth.signedOut': 'signedOut',
      },
      states: {
        reading: {
          invoke: {
            id: 'readSavedInbox',
            src: 'readSavedInbox',
            onDone: [
              {
                guard: { type: 'has a saved inbox', params: ({ event }) => ({ saved: event.output }) },
                target: 'loading',
                actions: { type: 'store the saved inbox', params: ({ event }) => ({ saved: event.output }) },
              },
              { target: 'waiting' },
            ],
            onError: 'waiting',
          },
        },
        loading: {
          entry: 'notify auth of the saved inbox',
          invoke: {
            id: 'loadSessionToShow',
            src: 'loadSession',
            onDone: {
              target: 'shown',
              actions: { type: 'begin the session', params: ({ event }) => ({ logic: event.output }) },
            },
            onError: 'waiting',
          },
          on: restarted,
        },
        /** The session runs with the saved inbox. Its calls wait until auth has confirmed the person. */
        shown: {
          on: {
            ...restarted,
            'xstate.error.actor.session': '#app.broken',
          },
        },
        waiting: {},
      },
    },
    signedOut: {
      entry: [...forgetPerson, 'clearDevice'],
      on: {
        'auth.signedIn': {
          target: 'signedIn',
          actions: { type: 'store who is signed in', params: ({ event }) => event },
        },
        'auth.restoring': 'starting',
      },
    },
    signedIn: {
      initial: 'reading',
      states: {
        reading: {
          entry: endSession,
          invoke: {
            id: 'readSavedInboxAtSignIn',
            src: 'readSavedInbox',
            onDone: {
              target: 'loading',
              actions: {
                type: 'store the saved inbox of the signed-in person',
                params: ({ event }) => ({ saved: event.output }),
              },
            },
            onError: 'loading',
          },
          after: { readLimit: 'loading' },
        },
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
          on: { 'xstate.error.actor.session': '#app.broken' },
        },
      },
      on: {
        'auth.signedIn': {
          guard: { type: 'is another session', params: ({ event }) => event },
          target: 'signedIn',
          reenter: true,
          actions: { type: 'store who is signed in', params: ({ event }) => event },
        },
        'auth.signedOut': 'signedOut',
        'auth.restoring': 'starting',
      },
    },
    // An internal error. The page reports the error and offers a reload.
    broken: {
      entry: endSession,
      on: { 'auth.signedOut': 'signedOut' },
    },
  },
})

export type AppActor = ActorRefFrom<typeof appMachine>
type AppSnapshot = SnapshotFrom<typeof appMachine>

export type AppPhase = 'starting' | 'signedOut' | 'signedIn' | 'broken'
/** The phase is 'starting' until the session runs. */
export const selectPhase = (snapshot: AppSnapshot): AppPhase => {
  if (typeof snapshot.value === 'string') return snapshot.value
  return snapshot.context.session === null ? 'starting' : 'signedIn'
}
/** The session of the signed-in person. */
export const selectSession = (snapshot: AppSnapshot) => snapshot.context.session ?? undefined

/** Calls `left` when a person's session has ended, after all its actors have stopped. */
export function onSignOut(app: AppActor, left: () => void): void {
  let known: number | null = null
  let running: Context['session'] = null
  app.subscribe(({ context }) => {
    const session = context.signedIn?.session ?? null
    // The session of a saved inbox runs before auth confirms who is signed in.
    const hasLeft = (known !== null && session !== known) || (running !== null && context.session !== running)
    if (hasLeft) queueMicrotask(left)
    known = session
    running = context.session
  })
}
