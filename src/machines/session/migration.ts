import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { assign, fromPromise, setup } from 'xstate'
import { Failure, isRefusal } from '../../domain/failure.ts'
import { isNewPassword, type TypedPassword } from '../../domain/session/password-rules.ts'
import { isRegisteredAlready, isUnknownToProvider, isWeakPassword } from '../../domain/session/provider-refusals.ts'
import { signInTexts } from '../../domain/session/toasts.ts'
import { migrationAdvice, migrationText } from '../../domain/shell/error-texts.ts'
import { mustBeProvided } from '../must-be-provided.ts'

/** What went wrong, whether it is the password's fault or belongs to the whole, and what can be done where that is known. */
export type MigrationFailure = { at: 'password' | 'dialog'; text: string; advice: string | null }

export type MigrationEvent =
  | ({ type: 'migration.submitted' } & TypedPassword)
  /** Take up what was cut off after the password was set. */
  | { type: 'migration.resumed' }
  | { type: 'migration.cancelled' }

type Context = { email: string; failure: MigrationFailure | null }

export type MigrationEnd = 'completed' | 'cancelled'

/**
 * A legacy user sets a new password with the identity provider, and the product is told (spec section 4, Legacy-user
 * migration). Whatever was cut off is taken up again: who is registered already signs in, and then it is completed. The
 * password passes by here; the services hold it until the end.
 */
export const migrationMachine = setup({
  types: {
    context: {} as Context,
    events: {} as MigrationEvent,
    input: {} as { email: string },
    output: {} as MigrationEnd,
    tags: {} as 'working',
  },
  actors: {
    signUp: fromPromise<void, { password: string }>(mustBeProvided('signUp')),
    signInAsRegistered: fromPromise<void>(mustBeProvided('signInAsRegistered')),
    completeMigration: fromPromise<void>(mustBeProvided('completeMigration')),
  },
  guards: {
    'meets the rules': ({ context: { email } }, typed: TypedPassword) => isNewPassword({ ...typed, email }),
    'is already registered': (_, { error }: { error: unknown }) => isRegisteredAlready(error),
    'is weak': (_, { error }: { error: unknown }) => isWeakPassword(error),
    'is another password': (_, { error }: { error: unknown }) => isUnknownToProvider(error),
    // 409: nothing is to be completed any more, and asking again changes nothing.
    'is final': (_, { error }: { error: unknown }) =>
      isRefusal(error) || (error instanceof Failure && error.status === 409),
  },
  actions: {
    'show at the password': assign({
      failure: (_, { text }: { text: string }) => ({ at: 'password' as const, text, advice: null }),
    }),
    'show in the dialog': assign({
      failure: (_, { error }: { error: unknown }) => ({
        at: 'dialog' as const,
        text: migrationText(error),
        advice: migrationAdvice(error),
      }),
    }),
    'clear the message': assign({ failure: null }),
  },
}).createMachine({
  id: 'migration',
  context: ({ input }) => ({ email: input.email, failure: null }),
  initial: 'asking',
  on: { 'migration.cancelled': '.cancelled' },
  states: {
    asking: {
      on: {
        'migration.submitted': {
          guard: { type: 'meets the rules', params: ({ event }) => event },
          target: 'signingUp',
          actions: 'clear the message',
        },
      },
    },
    signingUp: {
      tags: 'working',
      invoke: {
        id: 'signUp',
        src: 'signUp',
        input: ({ event }) => ({ password: event.type === 'migration.submitted' ? event.password : '' }),
        onDone: 'completing',
        onError: [
          {
            guard: { type: 'is already registered', params: ({ event }) => ({ error: event.error }) },
            target: 'signingIn',
          },
          {
            guard: { type: 'is weak', params: ({ event }) => ({ error: event.error }) },
            target: 'asking',
            actions: { type: 'show at the password', params: ({ event }) => ({ text: migrationText(event.error) }) },
          },
          {
            target: 'asking',
            actions: { type: 'show in the dialog', params: ({ event }) => ({ error: event.error }) },
          },
        ],
      },
    },
    signingIn: {
      tags: 'working',
      invoke: {
        id: 'signInAsRegistered',
        src: 'signInAsRegistered',
        onDone: 'completing',
        onError: [
          {
            guard: { type: 'is another password', params: ({ event }) => ({ error: event.error }) },
            target: 'asking',
            actions: { type: 'show at the password', params: () => ({ text: signInTexts.newPasswordIsAnother }) },
          },
          {
            target: 'asking',
            actions: { type: 'show in the dialog', params: ({ event }) => ({ error: event.error }) },
          },
        ],
      },
    },
    completing: {
      tags: 'working',
      invoke: {
        id: 'completeMigration',
        src: 'completeMigration',
        onDone: 'completed',
        onError: [
          {
            guard: { type: 'is final', params: ({ event }) => ({ error: event.error }) },
            target: 'asking',
            actions: { type: 'show in the dialog', params: ({ event }) => ({ error: event.error }) },
          },
          {
            target: 'interrupted',
            actions: { type: 'show in the dialog', params: ({ event }) => ({ error: event.error }) },
          },
        ],
      },
    },
    // The password is set; only the product does not know it yet.
    interrupted: {
      on: { 'migration.resumed': { target: 'completing', actions: 'clear the message' } },
    },
    completed: { type: 'final', output: 'completed' as const },
    cancelled: { type: 'final', output: 'cancelled' as const },
  },
  output: ({ event }) => event.output as MigrationEnd,
})

export type MigrationActor = ActorRefFrom<typeof migrationMachine>
type Snapshot = SnapshotFrom<typeof migrationMachine>

export const selectMigrationEmail = (snapshot: Snapshot) => snapshot.context.email
/** What went wrong last, or null. */
export const selectMigrationFailure = (snapshot: Snapshot) => snapshot.context.failure
export const selectIsMigrating = (snapshot: Snapshot) => snapshot.hasTag('working')
/** The new password is set and needs no second try; completing does. */
export const selectIsInterrupted = (snapshot: Snapshot) => snapshot.matches('interrupted')
