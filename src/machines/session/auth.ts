import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { Failure } from '../../domain/failure.ts'
import { sessionToasts } from '../../domain/session/toasts.ts'
import { toastFor } from '../../domain/shell/error-texts.ts'
import { authSetup, otherTabSignsIn } from './auth-setup.ts'
import { continuing, signingIn } from './auth-sign-in.ts'
import { restoring } from './auth-start.ts'

const refreshing = authSetup.createStateConfig({
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
            actions: { type: 'store the refreshed user', params: ({ event }) => event.output },
          },
          { target: '#auth.restoring', actions: 'forget the user' },
        ],
        onError: [
          {
            guard: { type: 'session has ended', params: ({ event }) => ({ error: event.error }) },
            target: '#auth.clearing',
            actions: { type: 'notify', params: sessionToasts.noRefreshToken },
          },
          {
            guard: { type: 'is a refusal', params: ({ event }) => ({ error: event.error }) },
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

/** Transitions that end or change a running session, also during a token refresh. */
const whileSignedIn = {
  'signOut.requested': { target: 'clearing', actions: 'remember the sign-out' },
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
      guard: { type: 'has a session', params: ({ event }: { event: { session: number | null } }) => event },
      target: 'restoring',
      actions: 'forget the user',
    },
    // The other tab signed out or its session expired. That tab has already deleted the stored data as needed.
    { target: 'following' },
  ],
} as const

/**
 * The signed-in person (spec section 4, Auth). The services hold the tokens. The machine knows a session only by its
 * number, so no inspector and no log can show a token.
 */
export const authMachine = authSetup.createMachine({
  id: 'auth',
  context: {
    need: null,
    step: null,
    user: null,
    session: null,
    failure: null,
    email: '',
    wasLeft: false,
    showsSaved: false,
    fault: null,
    attempts: 0,
  },
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
        'signIn.requested': {
          guard: { type: 'can be sent', params: ({ event }) => event },
          target: 'signingIn',
          actions: 'clear the form message',
        },
        'passwordReset.opened': {
          target: 'continuing',
          actions: ['clear the form message', { type: 'keep the need', params: { need: 'reset' } }],
        },
        'tokens.changed': otherTabSignsIn,
      },
    },
    signingIn,
    continuing,
    authenticated: {
      tags: 'signedIn',
      on: { ...whileSignedIn, 'refresh.requested': { target: 'refreshing' } },
    },
    refreshing: { ...refreshing, on: whileSignedIn },
    clearing: {
      tags: 'signedOut',
      entry: 'forget the user',
      invoke: {
        id: 'endSession',
        src: 'endSession',
        input: ({ event }) => ({ why: event.type === 'signOut.requested' ? 'asked' : 'refused' }),
        onDone: 'anonymous',
        onError: 'anonymous',
      },
      on: { 'tokens.changed': otherTabSignsIn },
      after: { signOutTimeout: 'anonymous' },
    },
    following: {
      tags: 'signedOut',
      entry: 'forget the user',
      invoke: {
        id: 'followEnd',
        src: 'endSession',
        input: { why: 'elsewhere' },
        onDone: 'anonymous',
        onError: 'anonymous',
      },
      on: { 'tokens.changed': otherTabSignsIn },
      after: { signOutTimeout: 'anonymous' },
    },
  },
})

export type AuthActor = ActorRefFrom<typeof authMachine>
type AuthSnapshot = SnapshotFrom<typeof authMachine>

export const selectUser = (snapshot: AuthSnapshot) => snapshot.context.user
/** The failure that the login form shows, or null. */
export const selectSignInFailure = (snapshot: AuthSnapshot) => snapshot.context.failure
/** The login form can be submitted, because no sign-in or sign-out is in progress. */
export const selectCanSignIn = (snapshot: AuthSnapshot) => snapshot.matches('anonymous')
/** The view and the machine of the step that the sign-in needs; null if none is needed. */
export const selectStep = (snapshot: AuthSnapshot) => snapshot.context.step
/** The next sign-in starts at the inbox without a selection, not at the previous URL. */
export const selectWasLeft = (snapshot: AuthSnapshot) => snapshot.context.wasLeft
/** The start failed and is retried. `signOut.requested` shows the login form instead. */
export const selectStartIsWaiting = (snapshot: AuthSnapshot) =>
  snapshot.matches('restoring') && snapshot.context.attempts > 0
/** The reason for the retries in the words of spec section 8; null if the section has none. */
export const selectWhyStartIsWaiting = (snapshot: AuthSnapshot): string | null =>
  selectStartIsWaiting(snapshot) ? toastFor(snapshot.context.fault, '') || null : null

/**
 * A promise that resolves after sign-in; null if a person is signed in already. Rejects with a Failure of kind
 * `aborted` when the start ends at the login form.
 */
export function whenSignedIn(actor: AuthActor): Promise<void> | null {
  if (actor.getSnapshot().hasTag('signedIn')) return null
  return new Promise((resolve, reject) => {
    const isSettled = (snapshot: AuthSnapshot): boolean => {
      if (snapshot.hasTag('starting')) return false
      if (snapshot.hasTag('signedIn')) resolve()
      else reject(new Failure({ kind: 'aborted', method: 'GET', path: '/auth/me' }))
      return true
    }
    if (isSettled(actor.getSnapshot())) return
    const subscription = actor.subscribe((snapshot) => {
      if (isSettled(snapshot)) subscription.unsubscribe()
    })
  })
}

/**
 * Refreshes the tokens. Concurrent callers share one refresh (spec section 4). Resolves when the tokens are fresh.
 * Rejects with the failure of this attempt (the machine keeps retrying), or with a Failure of kind `aborted` after a
 * sign-out.
 */
export function requestRefresh(actor: AuthActor): Promise<void> {
  const aborted = () => new Failure({ kind: 'aborted', method: 'POST', path: '/auth/refresh' })
  return new Promise((resolve, reject) => {
    const settle = (snapshot: AuthSnapshot): boolean => {
      if (!snapshot.hasTag('signedIn')) reject(aborted())
      else if (snapshot.matches('authenticated')) resolve()
      else if (snapshot.matches({ refreshing: 'waiting' })) reject(snapshot.context.fault)
      else return false
      return true
    }
    actor.send({ type: 'refresh.requested' })
    if (settle(actor.getSnapshot())) return
    const subscription = actor.subscribe((snapshot) => {
      if (settle(snapshot)) subscription.unsubscribe()
    })
  })
}
