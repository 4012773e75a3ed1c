import { loginFailure, ofKeptSession, restoringFailure } from '../domain/error-texts.ts'
import { authSetup } from './auth-setup.ts'

/** The start: whether somebody is signed in still. What may pass is tried until it did. */
export const restoring = authSetup.createStateConfig({
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
