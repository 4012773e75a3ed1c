import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { assign, fromPromise, setup } from 'xstate'
import { Failure, isRefusal } from '../../domain/failure.ts'
import { migrationTexts } from '../../domain/session/dialog-toasts.ts'
import { isNewPassword, type TypedPassword } from '../../domain/session/password-rules.ts'
import { isUnknownToProvider } from '../../domain/session/provider-refusals.ts'
import {
  isRegisteredAlready,
  isWeakPassword,
  migrationAdvice,
  migrationText,
} from '../../domain/shell/migration-failures.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import type { StepEnd } from './auth-setup.ts'

/** A failure: the place where it is shown (password field or dialog), its text, and advice if there is any. */
export type MigrationFailure = { at: 'password' | 'dialog'; text: string; advice: string | null }

export type MigrationEvent =
  | ({ type: 'migration.submitted' } & TypedPassword)
  /** Resumes a migration that was interrupted after the password was set. */
  | { type: 'migration.resumed' }
  | { type: 'dialog.dismissed' }

type Context = { email: string; failure: MigrationFailure | null }

/**
 * A legacy user sets a new password at the identity provider; then the API completes the migration (spec section 4,
 * Legacy-user migration). An interrupted migration is resumed: a user who is registered already signs in, and then the
 * API completes the migration. The services hold the password until the end; the machine does not store it.
 */
export const migrationMachine = setup({
  types: {
    context: {} as Context,
    events: {} as MigrationEvent,
    input: {} as { email: string },
    output: {} as StepEnd,
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
    'has another password': (_, { error }: { error: unknown }) => isUnknownToProvider(error),
    // 409: there is no migration left to complete, so a retry is useless.
    'cannot be completed': (_, { error }: { error: unknown }) =>
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
  on: { 'dialog.dismissed': '.cancelled' },
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
            guard: { type: 'has another password', params: ({ event }) => ({ error: event.error }) },
            target: 'asking',
            actions: { type: 'show at the password', params: () => ({ text: migrationTexts.newPasswordIsAnother }) },
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
            guard: { type: 'cannot be completed', params: ({ event }) => ({ error: event.error }) },
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
    // The password is set, but the API has not completed the migration.
    interrupted: {
      on: { 'migration.resumed': { target: 'completing', actions: 'clear the message' } },
    },
    completed: { type: 'final', output: 'completed' as const },
    cancelled: { type: 'final', output: 'cancelled' as const },
  },
  output: ({ event }) => event.output as StepEnd,
})

export type MigrationActor = ActorRefFrom<typeof migrationMachine>
type Snapshot = SnapshotFrom<typeof migrationMachine>

export const selectMigrationEmail = (snapshot: Snapshot) => snapshot.context.email
/** The last failure, or null. */
export const selectMigrationFailure = (snapshot: Snapshot) => snapshot.context.failure
export const selectIsMigrating = (snapshot: Snapshot) => snapshot.hasTag('working')
/** The new password is set, but completing the migration must be retried. */
export const selectIsInterrupted = (snapshot: Snapshot) => snapshot.matches('interrupted')
