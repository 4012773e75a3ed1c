import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { assign, fromCallback, fromPromise, setup } from 'xstate'
import {
  type FormFailure,
  loginFailure,
  migrationCheckFailure,
  migrationNeeded,
  ofKeptSession,
  providerSignInFailure,
  restoringFailure,
  toastFor,
} from '../domain/error-texts.ts'
import { Failure, isRefusal, SessionLost } from '../domain/failure.ts'
import { limits } from '../domain/limits.ts'
import { isUnknownToProvider } from '../domain/provider-refusals.ts'
import type { EndOfSession } from '../domain/session-end.ts'
import { sessionToasts } from '../domain/toasts.ts'
import type { AuthUser } from '../schemas/auth.ts'
import { type MigrationEnd, migrationMachine } from './migration.ts'
import { mustBeProvided } from './must-be-provided.ts'
import { notify } from './system.ts'

/** Who is signed in, and in which session: a number that changes whenever the person may be another. */
export type Identity = { user: AuthUser; session: number }

/** `user` is null where another tab did the refresh and only its tokens were taken over. */
export type Refreshed = { user: AuthUser | null; session: number }

/** Whether somebody whom the provider does not know is to set a new password there. */
export type MigrationCheck = { needsMigration: boolean; email: string }

/** What comes from outside while this tab lives: from other tabs, from storage, from the network. */
export type AuthNews =
  /** Another tab changed the stored token; `session` is null where it cleared it. */
  { type: 'tokens.changed'; session: number | null } | { type: 'storage.failed' } | { type: 'connection.returned' }

export type AuthEvent =
  | AuthNews
  | { type: 'signIn.requested'; email: string; password: string }
  | { type: 'signOut.requested' }
  | { type: 'refresh.requested' }
  /** A call of that session got a 401 which no refresh could help. */
  | { type: 'session.refused'; session: number }

type Context = {
  user: AuthUser | null
  session: number | null
  /** What the login form says. */
  failure: FormFailure | null
  /** Who is to set a new password. */
  email: string
  /** The last session was ended by its person at work, in this tab; the next one starts anew. */
  wasLeft: boolean
  /** Why the last refresh brought nothing, while it is tried again. */
  fault: unknown
  /** How many attempts in a row brought nothing. */
  attempts: number
}

/** Waits grow from 200 ms to this. Milliseconds. */
const longestBackoff = 30_000

/** How long signing out waits for the provider and the API before it goes on without them. Milliseconds. */
const farewellLimit = 5_000

/**
 * Who is signed in (spec section 4, Auth). Tokens are never in here: the services hold them, and the machine
 * knows a session by its number, so that no inspector and no log can show one.
 */
const auth = setup({
  types: {
    context: {} as Context,
    events: {} as AuthEvent,
    tags: {} as 'starting' | 'signedIn' | 'signedOut',
    children: {} as { migration: 'migration' },
  },
  actors: {
    watchOutside: fromCallback<AuthEvent>(() => {}),
    findProviderSession: fromPromise<boolean>(mustBeProvided('findProviderSession')),
    exchangeProviderSession: fromPromise<Identity>(mustBeProvided('exchangeProviderSession')),
    loadUser: fromPromise<Identity | null>(mustBeProvided('loadUser')),
    refreshTokens: fromPromise<Refreshed>(mustBeProvided('refreshTokens')),
    askProvider: fromPromise<void, { email: string; password: string }>(mustBeProvided('askProvider')),
    checkMigration: fromPromise<MigrationCheck>(mustBeProvided('checkMigration')),
    signInTheOldWay: fromPromise<Identity>(mustBeProvided('signInTheOldWay')),
    migration: migrationMachine,
    endSession: fromPromise<void, { why: EndOfSession }>(mustBeProvided('endSession')),
  },
  delays: {
    backoff: ({ context }) => Math.min(limits.refreshBackoffStart * 2 ** (context.attempts - 1), longestBackoff),
    farewell: farewellLimit,
  },
  guards: {
    found: (_, { found }: { found: boolean }) => found,
    'is refusal': (_, { error }: { error: unknown }) => isRefusal(error),
    'is lost': (_, { error }: { error: unknown }) => error instanceof SessionLost,
    'is unauthorised': (_, { error }: { error: unknown }) => error instanceof Failure && error.status === 401,
    'is unknown to the provider': (_, { error }: { error: unknown }) => isUnknownToProvider(error),
    'is to migrate': (_, { needsMigration }: MigrationCheck) => needsMigration,
    'is completed': (_, { end }: { end: MigrationEnd }) => end === 'completed',
    'is this session': ({ context }, { session }: { session: number | null }) =>
      session !== null && session === context.session,
    'is some session': (_, { session }: { session: number | null }) => session !== null,
    'goes on trying': ({ context }) => context.attempts > 0,
    'somebody is known': (_, { identity }: { identity: Identity | null }) => identity !== null,
  },
  actions: {
    notify,
    'take identity': assign({
      user: (_, identity: Identity | null) => identity?.user ?? null,
      session: (_, identity: Identity | null) => identity?.session ?? null,
      failure: null,
      wasLeft: false,
      fault: null,
      attempts: 0,
    }),
    'note that they left': assign({ wasLeft: true }),
    'take fresh user': assign({
      user: ({ context }, { user }: Refreshed) => user ?? context.user,
      fault: null,
      attempts: 0,
    }),
    'forget everybody': assign({ user: null, session: null, fault: null, attempts: 0 }),
    'ask for a new password': assign({
      email: (_, { email }: MigrationCheck) => email,
      failure: migrationNeeded,
    }),
    'forget the e-mail': assign({ email: '' }),
    /** The services forget what was typed. */
    forgetPasswords: () => {},
    /** What the provider still answers to this tab is kept nowhere. */
    leaveProvider: () => {},
    'say at the form': assign({ failure: (_, { failure }: { failure: FormFailure | null }) => failure }),
    'say nothing at the form': assign({ failure: null }),
    'count the attempt': assign({
      attempts: ({ context }) => context.attempts + 1,
      fault: (_, { error }: { error: unknown }) => error,
    }),
  },
})

/** Whoever signs in in another tab is let in here as well: what this one was about has lost its reason. */
const otherTabSignsIn = {
  guard: { type: 'is some session', params: ({ event }: { event: { session: number | null } }) => event },
  target: 'restoring',
  actions: ['forgetPasswords', 'leaveProvider', 'say nothing at the form'],
} as const

const restoring = auth.createStateConfig({
  tags: 'starting',
  initial: 'lookingForProviderSession',
  on: {
    'tokens.changed': { target: 'restoring', reenter: true },
    // Nobody left: who does not want to wait signs in with the form, and comes where they wanted to go.
    'signOut.requested': { guard: 'goes on trying', target: 'clearing' },
  },
  states: {
    lookingForProviderSession: {
      invoke: {
        id: 'findProviderSession',
        src: 'findProviderSession',
        onDone: [
          { guard: { type: 'found', params: ({ event }) => ({ found: event.output }) }, target: 'exchanging' },
          { target: 'loadingUser' },
        ],
        onError: {
          target: 'waiting',
          actions: { type: 'count the attempt', params: ({ event }) => ({ error: event.error }) },
        },
      },
    },
    exchanging: {
      invoke: {
        id: 'exchangeProviderSession',
        src: 'exchangeProviderSession',
        onDone: {
          target: '#auth.authenticated',
          actions: { type: 'take identity', params: ({ event }) => event.output },
        },
        onError: [
          {
            guard: { type: 'is refusal', params: ({ event }) => ({ error: event.error }) },
            target: '#auth.clearing',
            actions: {
              type: 'say at the form',
              params: ({ event }) => ({ failure: ofKeptSession(loginFailure(event.error)) }),
            },
          },
          {
            target: 'waiting',
            actions: { type: 'count the attempt', params: ({ event }) => ({ error: event.error }) },
          },
        ],
      },
    },
    loadingUser: {
      invoke: {
        id: 'loadUser',
        src: 'loadUser',
        onDone: [
          {
            guard: { type: 'somebody is known', params: ({ event }) => ({ identity: event.output }) },
            target: '#auth.authenticated',
            actions: { type: 'take identity', params: ({ event }) => event.output },
          },
          { target: '#auth.anonymous' },
        ],
        onError: [
          {
            guard: { type: 'is unauthorised', params: ({ event }) => ({ error: event.error }) },
            target: 'refreshing',
          },
          {
            guard: { type: 'is refusal', params: ({ event }) => ({ error: event.error }) },
            target: '#auth.clearing',
            actions: { type: 'say at the form', params: ({ event }) => ({ failure: restoringFailure(event.error) }) },
          },
          {
            target: 'waiting',
            actions: { type: 'count the attempt', params: ({ event }) => ({ error: event.error }) },
          },
        ],
      },
    },
    refreshing: {
      invoke: {
        id: 'refreshAtStart',
        src: 'refreshTokens',
        onDone: { target: 'loadingUserAgain' },
        onError: [
          {
            guard: { type: 'is refusal', params: ({ event }) => ({ error: event.error }) },
            target: '#auth.clearing',
            actions: { type: 'say at the form', params: ({ event }) => ({ failure: restoringFailure(event.error) }) },
          },
          {
            target: 'waiting',
            actions: { type: 'count the attempt', params: ({ event }) => ({ error: event.error }) },
          },
        ],
      },
    },
    loadingUserAgain: {
      invoke: {
        id: 'loadUserAgain',
        src: 'loadUser',
        onDone: [
          {
            guard: { type: 'somebody is known', params: ({ event }) => ({ identity: event.output }) },
            target: '#auth.authenticated',
            actions: { type: 'take identity', params: ({ event }) => event.output },
          },
          { target: '#auth.anonymous' },
        ],
        onError: [
          {
            guard: { type: 'is refusal', params: ({ event }) => ({ error: event.error }) },
            target: '#auth.clearing',
            actions: { type: 'say at the form', params: ({ event }) => ({ failure: restoringFailure(event.error) }) },
          },
          {
            target: 'waiting',
            actions: { type: 'count the attempt', params: ({ event }) => ({ error: event.error }) },
          },
        ],
      },
    },
    waiting: {
      on: { 'connection.returned': 'lookingForProviderSession' },
      after: { backoff: 'lookingForProviderSession' },
    },
  },
})

const signingIn = auth.createStateConfig({
  tags: 'signedOut',
  initial: 'askingProvider',
  on: { 'tokens.changed': otherTabSignsIn },
  states: {
    askingProvider: {
      invoke: {
        id: 'askProvider',
        src: 'askProvider',
        // The password passes by here and is kept nowhere.
        input: ({ event }) =>
          event.type === 'signIn.requested'
            ? { email: event.email, password: event.password }
            : { email: '', password: '' },
        onDone: 'exchanging',
        onError: [
          {
            guard: { type: 'is unknown to the provider', params: ({ event }) => ({ error: event.error }) },
            target: 'checkingMigration',
          },
          {
            target: '#auth.anonymous',
            actions: {
              type: 'say at the form',
              params: ({ event }) => ({ failure: providerSignInFailure(event.error) }),
            },
          },
        ],
      },
    },
    checkingMigration: {
      invoke: {
        id: 'checkMigration',
        src: 'checkMigration',
        onDone: [
          {
            guard: { type: 'is to migrate', params: ({ event }) => event.output },
            target: '#auth.migrating',
            actions: { type: 'ask for a new password', params: ({ event }) => event.output },
          },
          { target: 'signingInTheOldWay' },
        ],
        onError: {
          target: '#auth.anonymous',
          actions: {
            type: 'say at the form',
            params: ({ event }) => ({ failure: migrationCheckFailure(event.error) }),
          },
        },
      },
    },
    signingInTheOldWay: {
      invoke: {
        id: 'signInTheOldWay',
        src: 'signInTheOldWay',
        onDone: {
          target: '#auth.authenticated',
          actions: { type: 'take identity', params: ({ event }) => event.output },
        },
        onError: {
          target: '#auth.anonymous',
          actions: { type: 'say at the form', params: ({ event }) => ({ failure: loginFailure(event.error) }) },
        },
      },
    },
    exchanging: {
      invoke: {
        id: 'exchangeAtSignIn',
        src: 'exchangeProviderSession',
        onDone: {
          target: '#auth.authenticated',
          actions: { type: 'take identity', params: ({ event }) => event.output },
        },
        onError: {
          target: '#auth.clearing',
          actions: { type: 'say at the form', params: ({ event }) => ({ failure: loginFailure(event.error) }) },
        },
      },
    },
  },
})

const migrating = auth.createStateConfig({
  tags: 'signedOut',
  exit: ['forgetPasswords', 'forget the e-mail'],
  invoke: {
    id: 'migration',
    src: 'migration',
    input: ({ context }) => ({ email: context.email }),
    onDone: [
      {
        guard: { type: 'is completed', params: ({ event }) => ({ end: event.output }) },
        target: 'signingIn.exchanging',
        actions: 'say nothing at the form',
      },
      // The provider may know them by now: what it gave is cleared.
      { target: 'clearing' },
    ],
  },
  on: { 'tokens.changed': otherTabSignsIn },
})

const refreshing = auth.createStateConfig({
  tags: 'signedIn',
  initial: 'asking',
  states: {
    asking: {
      invoke: {
        id: 'refreshTokens',
        src: 'refreshTokens',
        onDone: [
          {
            guard: { type: 'is this session', params: ({ event }) => ({ session: event.output.session }) },
            target: '#auth.authenticated',
            actions: { type: 'take fresh user', params: ({ event }) => event.output },
          },
          { target: '#auth.restoring', actions: 'forget everybody' },
        ],
        onError: [
          {
            guard: { type: 'is lost', params: ({ event }) => ({ error: event.error }) },
            target: '#auth.clearing',
            actions: { type: 'notify', params: sessionToasts.noRefreshToken },
          },
          {
            guard: { type: 'is refusal', params: ({ event }) => ({ error: event.error }) },
            target: '#auth.clearing',
            actions: { type: 'notify', params: sessionToasts.expired },
          },
          {
            target: 'waiting',
            actions: { type: 'count the attempt', params: ({ event }) => ({ error: event.error }) },
          },
        ],
      },
    },
    waiting: {
      on: { 'connection.returned': 'asking' },
      after: { backoff: 'asking' },
    },
  },
})

/** What ends or changes a session that is going on, whether or not its tokens are being refreshed. */
const whileSignedIn = {
  'signOut.requested': { target: 'clearing', actions: 'note that they left' },
  'session.refused': {
    guard: { type: 'is this session', params: ({ event }: { event: { session: number } }) => event },
    target: 'clearing',
    actions: { type: 'notify', params: sessionToasts.expired },
  },
  'tokens.changed': [
    {
      guard: { type: 'is this session', params: ({ event }: { event: { session: number | null } }) => event },
      target: 'authenticated',
    },
    {
      guard: { type: 'is some session', params: ({ event }: { event: { session: number | null } }) => event },
      target: 'restoring',
      actions: 'forget everybody',
    },
    // Whether they signed out or the session expired is that tab's to know: it has thrown away what was to be.
    { target: 'following' },
  ],
} as const

export const authMachine = auth.createMachine({
  id: 'auth',
  context: { user: null, session: null, failure: null, email: '', wasLeft: false, fault: null, attempts: 0 },
  initial: 'restoring',
  invoke: { id: 'watchOutside', src: 'watchOutside' },
  on: {
    'storage.failed': { actions: { type: 'notify', params: sessionToasts.storageFailed } },
  },
  states: {
    restoring,
    anonymous: {
      tags: 'signedOut',
      on: {
        'signIn.requested': { target: 'signingIn', actions: 'say nothing at the form' },
        'tokens.changed': otherTabSignsIn,
      },
    },
    signingIn,
    migrating,
    authenticated: {
      tags: 'signedIn',
      on: { ...whileSignedIn, 'refresh.requested': { target: 'refreshing' } },
    },
    refreshing: { ...refreshing, on: whileSignedIn },
    clearing: {
      tags: 'signedOut',
      entry: 'forget everybody',
      invoke: {
        id: 'endSession',
        src: 'endSession',
        input: ({ event }) => ({ why: event.type === 'signOut.requested' ? 'asked' : 'refused' }),
        onDone: 'anonymous',
        onError: 'anonymous',
      },
      on: { 'tokens.changed': otherTabSignsIn },
      after: { farewell: 'anonymous' },
    },
    following: {
      tags: 'signedOut',
      entry: 'forget everybody',
      invoke: {
        id: 'followEnd',
        src: 'endSession',
        input: { why: 'elsewhere' },
        onDone: 'anonymous',
        onError: 'anonymous',
      },
      on: { 'tokens.changed': otherTabSignsIn },
      after: { farewell: 'anonymous' },
    },
  },
})

export type AuthActor = ActorRefFrom<typeof authMachine>
type AuthSnapshot = SnapshotFrom<typeof authMachine>

export const selectUser = (snapshot: AuthSnapshot) => snapshot.context.user
/** What the login form says, or null. */
export const selectSignInFailure = (snapshot: AuthSnapshot) => snapshot.context.failure
/** The login form can be sent: nobody is being signed in or out. */
export const selectCanSignIn = (snapshot: AuthSnapshot) => snapshot.matches('anonymous')
/** Asks for a new password; undefined while nobody is to set one. */
export const selectMigration = (snapshot: AuthSnapshot) => snapshot.children.migration
/** Whoever signs in next starts at the bare inbox, not where the last one left. */
export const selectWasLeft = (snapshot: AuthSnapshot) => snapshot.context.wasLeft
/** The start brought nothing and goes on trying; `signOut.requested` leads to the form instead. */
export const selectStartIsWaiting = (snapshot: AuthSnapshot) =>
  snapshot.matches('restoring') && snapshot.context.attempts > 0
/** Why, in the words of spec section 8, or null where it has none. */
export const selectWhyStartIsWaiting = (snapshot: AuthSnapshot): string | null =>
  selectStartIsWaiting(snapshot) ? toastFor(snapshot.context.fault, '') || null : null

/**
 * Has the tokens refreshed; whoever asks while it is going on shares the one refresh (spec section 4). Resolves when
 * there are fresh ones, rejects with the failure when this attempt brought none (the machine goes on trying), or with
 * a Failure of kind `aborted` when nobody is signed in any more.
 */
export function requestRefresh(actor: AuthActor): Promise<void> {
  const gone = () => new Failure({ kind: 'aborted', method: 'POST', path: '/auth/refresh' })
  return new Promise((resolve, reject) => {
    const judge = (snapshot: AuthSnapshot): boolean => {
      if (!snapshot.hasTag('signedIn')) reject(gone())
      else if (snapshot.matches('authenticated')) resolve()
      else if (snapshot.matches({ refreshing: 'waiting' })) reject(snapshot.context.fault)
      else return false
      return true
    }
    actor.send({ type: 'refresh.requested' })
    if (judge(actor.getSnapshot())) return
    const subscription = actor.subscribe((snapshot) => {
      if (judge(snapshot)) subscription.unsubscribe()
    })
  })
}
