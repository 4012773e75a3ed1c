import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { assign, fromPromise, setup } from 'xstate'
import { Failure } from '../../domain/failure.ts'
import { accountToasts } from '../../domain/session/dialog-toasts.ts'
import { isNewPassword, type TypedPassword } from '../../domain/session/password-rules.ts'
import type { ChangeOfPassword } from '../../domain/session/session-calls.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { notifyFailure } from '../notify-failure.ts'
import { notify } from '../system.ts'
import type { StepEnd } from './auth-setup.ts'

declare module '../shell/dialog.ts' {
  interface DialogLogics {
    changePassword: typeof newPasswordMachine
  }
}

export type NewPasswordEvent =
  | ({ type: 'password.submitted'; currentPassword: string } & TypedPassword)
  | { type: 'dialog.dismissed' }

/** A refusal that is shown at the field that it is about. */
export type RefusedField = { at: 'current' | 'password'; text: string }

type Input = {
  email: string
  /** `own`: a change in the account menu. `oneTime`: an administrator set the current password. */
  purpose: 'own' | 'oneTime'
}

const codeOf = (error: unknown) => (error instanceof Failure ? error.code : undefined)

/**
 * A person changes the own password. The passwords pass through events to the service; the machine does not store them.
 */
export const newPasswordMachine = setup({
  types: {
    context: {} as Input & { refused: RefusedField | null },
    events: {} as NewPasswordEvent,
    input: {} as Input,
    output: {} as StepEnd,
  },
  actors: { savePassword: fromPromise<void, ChangeOfPassword>(mustBeProvided('savePassword')) },
  guards: {
    'can be sent': ({ context: { email } }, typed: ChangeOfPassword & TypedPassword) =>
      typed.currentPassword !== '' && isNewPassword({ ...typed, email }),
    'is about the current password': (_, { error }: { error: unknown }) => codeOf(error) === 'WRONG_PASSWORD',
    'is about the new password': (_, { error }: { error: unknown }) => codeOf(error) === 'WEAK_PASSWORD',
  },
  actions: {
    notify,
    'notify failure': notifyFailure,
    'show at the field': assign({
      refused: (_, { at, error }: { at: RefusedField['at']; error: unknown }) => ({
        at,
        text: error instanceof Failure ? (error.error ?? '') : '',
      }),
    }),
    'clear the message': assign({ refused: null }),
  },
}).createMachine({
  id: 'newPassword',
  context: ({ input }) => ({ ...input, refused: null }),
  initial: 'asking',
  states: {
    asking: {
      on: {
        'password.submitted': {
          guard: { type: 'can be sent', params: ({ event }) => event },
          target: 'saving',
          actions: 'clear the message',
        },
        'dialog.dismissed': 'cancelled',
      },
    },
    // A change that is under way cannot be taken back, so the dialog stays until the answer.
    saving: {
      invoke: {
        id: 'savePassword',
        src: 'savePassword',
        input: ({ event }) =>
          event.type === 'password.submitted'
            ? { currentPassword: event.currentPassword, password: event.password }
            : { currentPassword: '', password: '' },
        onDone: { target: 'completed', actions: { type: 'notify', params: accountToasts.passwordChanged } },
        onError: [
          {
            guard: { type: 'is about the current password', params: ({ event }) => ({ error: event.error }) },
            target: 'asking',
            actions: { type: 'show at the field', params: ({ event }) => ({ at: 'current', error: event.error }) },
          },
          {
            guard: { type: 'is about the new password', params: ({ event }) => ({ error: event.error }) },
            target: 'asking',
            actions: { type: 'show at the field', params: ({ event }) => ({ at: 'password', error: event.error }) },
          },
          {
            target: 'asking',
            actions: {
              type: 'notify failure',
              params: ({ event }) => ({ error: event.error, own: accountToasts.passwordNotChanged }),
            },
          },
        ],
      },
    },
    completed: { type: 'final', output: 'completed' as const },
    cancelled: { type: 'final', output: 'cancelled' as const },
  },
  output: ({ event }) => event.output as StepEnd,
})

export type NewPasswordActor = ActorRefFrom<typeof newPasswordMachine>
type Snapshot = SnapshotFrom<typeof newPasswordMachine>

export const selectEmail = (snapshot: Snapshot) => snapshot.context.email
export const selectPurpose = (snapshot: Snapshot) => snapshot.context.purpose
export const selectRefused = (snapshot: Snapshot) => snapshot.context.refused
export const selectIsSaving = (snapshot: Snapshot) => snapshot.matches('saving')
