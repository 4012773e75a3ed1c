import { loginFailure, migrationCheckFailure, providerSignInFailure } from '../../domain/shell/error-texts.ts'
import { generalToasts } from '../../domain/toasts.ts'
import { authSetup, otherTabSignsIn, stepAfter } from './auth-setup.ts'

/** The sign-in with the form: by the provider, or by the legacy login for a person that the provider does not know. */
export const signingIn = authSetup.createStateConfig({
  tags: 'signedOut',
  initial: 'askingProvider',
  on: { 'tokens.changed': otherTabSignsIn },
  states: {
    askingProvider: {
      invoke: {
        id: 'askProvider',
        src: 'askProvider',
        // The password is passed on and never stored in the context.
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
              type: 'show at the form',
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
            guard: { type: 'needs migration', params: ({ event }) => event.output },
            target: '#auth.continuing',
            actions: { type: 'ask for a migration', params: ({ event }) => event.output },
          },
          { target: 'signingInLegacy' },
        ],
        onError: {
          target: '#auth.anonymous',
          actions: {
            type: 'show at the form',
            params: ({ event }) => ({ failure: migrationCheckFailure(event.error) }),
          },
        },
      },
    },
    signingInLegacy: {
      invoke: {
        id: 'signInLegacy',
        src: 'signInLegacy',
        onDone: {
          target: '#auth.authenticated',
          actions: { type: 'store who is signed in', params: ({ event }) => event.output },
        },
        onError: {
          target: '#auth.anonymous',
          actions: { type: 'show at the form', params: ({ event }) => ({ failure: loginFailure(event.error) }) },
        },
      },
    },
    exchanging: {
      invoke: {
        id: 'exchangeAtSignIn',
        src: 'exchangeProviderSession',
        onDone: {
          target: '#auth.authenticated',
          actions: { type: 'store who is signed in', params: ({ event }) => event.output },
        },
        onError: [
          {
            guard: { type: 'needs another step', params: ({ event }) => ({ error: event.error }) },
            target: '#auth.continuing',
            actions: { type: 'keep the need', params: ({ event }) => ({ need: stepAfter(event.error) }) },
          },
          {
            target: '#auth.clearing',
            actions: { type: 'show at the form', params: ({ event }) => ({ failure: loginFailure(event.error) }) },
          },
        ],
      },
    },
  },
})

/**
 * Another step is needed: a migration, the reset of a forgotten password, or, after the right password, a code, the setup
 * of a second factor, or a new password in place of a one-time password.
 */
export const continuing = authSetup.createStateConfig({
  tags: 'signedOut',
  initial: 'loading',
  exit: ['stop the step', 'forget the step', 'forgetPasswords'],
  on: { 'tokens.changed': otherTabSignsIn },
  states: {
    loading: {
      invoke: {
        id: 'loadStep',
        src: 'loadStep',
        input: ({ context }) => ({ step: context.need ?? 'reset' }),
        onDone: { target: 'asking', actions: { type: 'start the step', params: ({ event }) => event.output } },
        onError: {
          target: '#auth.clearing',
          actions: {
            type: 'show at the form',
            params: () => ({ failure: { text: generalToasts.network.text, about: 'other' } }),
          },
        },
      },
    },
    asking: {
      on: {
        'xstate.done.actor.step': [
          {
            guard: { type: 'is completed', params: ({ event }) => ({ end: event.output }) },
            target: '#auth.signingIn.exchanging',
            actions: 'clear the form message',
          },
          // The provider may have started a session already, so the session is cleared.
          { target: '#auth.clearing' },
        ],
      },
    },
  },
})
