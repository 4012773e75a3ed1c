import { loginFailure, migrationCheckFailure, providerSignInFailure } from '../../domain/shell/error-texts.ts'
import { authSetup, otherTabSignsIn } from './auth-setup.ts'

/** From the form to the session: by the provider, or by the legacy login for whom the provider does not know. */
export const signingIn = authSetup.createStateConfig({
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
            target: '#auth.migrating',
            actions: { type: 'start the migration', params: ({ event }) => event.output },
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
          actions: { type: 'store the identity', params: ({ event }) => event.output },
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
          actions: { type: 'store the identity', params: ({ event }) => event.output },
        },
        onError: {
          target: '#auth.clearing',
          actions: { type: 'show at the form', params: ({ event }) => ({ failure: loginFailure(event.error) }) },
        },
      },
    },
  },
})

/** A new password is asked for, after which the sign-in goes on. */
export const migrating = authSetup.createStateConfig({
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
        actions: 'clear the form message',
      },
      // The provider may know them by now: what it gave is cleared.
      { target: 'clearing' },
    ],
  },
  on: { 'tokens.changed': otherTabSignsIn },
})
