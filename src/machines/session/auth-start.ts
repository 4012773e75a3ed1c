import type { SignedIn } from '../../domain/session/session-calls.ts'
import { loginFailure, ofStoredSession, restoringFailure } from '../../domain/shell/error-texts.ts'
import { authSetup } from './auth-setup.ts'

type Failed = { event: { error: unknown } }
type Loaded = { event: { output: SignedIn | null } }

const retryLater = {
  target: 'waiting',
  actions: { type: 'count the attempt', params: ({ event }: Failed) => ({ error: event.error }) },
} as const

const clearIfRefused = {
  guard: { type: 'is a refusal', params: ({ event }: Failed) => ({ error: event.error }) },
  target: '#auth.clearing',
  actions: { type: 'show at the form', params: ({ event }: Failed) => ({ failure: restoringFailure(event.error) }) },
} as const

const signedInIfFound = {
  guard: { type: 'has a user', params: ({ event }: Loaded) => ({ found: event.output }) },
  target: '#auth.authenticated',
  actions: { type: 'store who is signed in', params: ({ event }: Loaded) => event.output },
} as const

/** The start: checks whether a person is still signed in. A temporary failure is retried until an answer comes. */
export const restoring = authSetup.createStateConfig({
  tags: 'starting',
  initial: 'lookingForProviderSession',
  on: {
    'tokens.changed': { target: 'restoring', reenter: true, actions: 'mark the saved inbox as not shown' },
    'savedInbox.shown': { actions: 'mark the saved inbox as shown' },
    // Without a saved inbox this is no sign-out: the person skips the wait, signs in with the form and keeps the URL.
    'signOut.requested': [
      { guard: 'shows a saved inbox', target: 'clearing', actions: 'remember the sign-out' },
      { guard: 'is retrying', target: 'clearing' },
    ],
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
        onError: retryLater,
      },
    },
    exchanging: {
      invoke: {
        id: 'exchangeProviderSession',
        src: 'exchangeProviderSession',
        onDone: {
          target: '#auth.authenticated',
          actions: { type: 'store who is signed in', params: ({ event }) => event.output },
        },
        onError: [
          {
            guard: { type: 'is a refusal', params: ({ event }) => ({ error: event.error }) },
            target: '#auth.clearing',
            actions: {
              type: 'show at the form',
              params: ({ event }) => ({ failure: ofStoredSession(loginFailure(event.error)) }),
            },
          },
          retryLater,
        ],
      },
    },
    loadingUser: {
      invoke: {
        id: 'loadUser',
        src: 'loadUser',
        onDone: [signedInIfFound, { target: '#auth.anonymous' }],
        onError: [
          {
            guard: { type: 'is unauthorised', params: ({ event }) => ({ error: event.error }) },
            target: 'refreshing',
          },
          clearIfRefused,
          retryLater,
        ],
      },
    },
    refreshing: {
      invoke: {
        id: 'refreshAtStart',
        src: 'refreshTokens',
        onDone: { target: 'loadingUserAgain' },
        onError: [clearIfRefused, retryLater],
      },
    },
    loadingUserAgain: {
      invoke: {
        id: 'loadUserAgain',
        src: 'loadUser',
        onDone: [signedInIfFound, { target: '#auth.anonymous' }],
        onError: [clearIfRefused, retryLater],
      },
    },
    waiting: {
      on: { 'connection.returned': 'lookingForProviderSession' },
      after: { backoff: 'lookingForProviderSession' },
    },
  },
})
