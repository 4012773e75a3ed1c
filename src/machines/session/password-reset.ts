import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { assign, fromPromise, setup } from 'xstate'
import { isEmailAddress } from '../../domain/email-address.ts'
import { Failure } from '../../domain/failure.ts'
import { accountToasts } from '../../domain/session/dialog-toasts.ts'
import { isNewPassword, type TypedPassword } from '../../domain/session/password-rules.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { notifyFailure } from '../notify-failure.ts'

export type PasswordResetEvent =
  | { type: 'email.submitted'; email: string }
  | ({ type: 'password.submitted' } & TypedPassword)
  | { type: 'refetch.requested' }
  | { type: 'link.requested' }
  | { type: 'dialog.dismissed' }

type Failed = { event: { error: unknown } }
const codeOf = (error: unknown) => (error instanceof Failure ? error.code : undefined)
const failure = (own: (typeof accountToasts)[keyof typeof accountToasts]) =>
  ({ type: 'notify failure', params: ({ event }: Failed) => ({ error: event.error, own }) }) as const

/**
 * A person who forgot the password asks for a link by email, or chooses a new password after a link. The service holds
 * the link's token, and the typed passwords only pass through.
 */
export const passwordResetMachine = setup({
  types: {
    context: {} as { refused: string | null },
    events: {} as PasswordResetEvent,
    output: {} as 'cancelled',
    tags: {} as 'working',
  },
  actors: {
    lookUp: fromPromise<{ isOffered: boolean; hasLink: boolean }>(mustBeProvided('lookUp')),
    requestLink: fromPromise<void, { email: string }>(mustBeProvided('requestLink')),
    useLink: fromPromise<void, { password: string }>(mustBeProvided('useLink')),
  },
  guards: {
    'has a link': (_, { hasLink }: { hasLink: boolean }) => hasLink,
    'is offered': (_, { isOffered }: { isOffered: boolean }) => isOffered,
    'is an email': (_, { email }: { email: string }) => isEmailAddress(email),
    // The server checks that the password differs from the email, which is not known here.
    'is a new password': (_, typed: TypedPassword) => isNewPassword({ ...typed, email: '' }),
    'link has ended': (_, { error }: { error: unknown }) => codeOf(error) === 'LINK_ENDED',
    'is weak': (_, { error }: { error: unknown }) => codeOf(error) === 'WEAK_PASSWORD',
  },
  actions: {
    'notify failure': notifyFailure,
    'show at the field': assign({
      refused: (_, { error }: { error: unknown }) => (error instanceof Failure ? (error.error ?? '') : ''),
    }),
    'clear the message': assign({ refused: null }),
  },
}).createMachine({
  id: 'passwordReset',
  context: { refused: null },
  initial: 'looking',
  states: {
    looking: {
      tags: 'working',
      invoke: {
        id: 'lookUp',
        src: 'lookUp',
        onDone: [
          { guard: { type: 'has a link', params: ({ event }) => event.output }, target: 'choosing' },
          { guard: { type: 'is offered', params: ({ event }) => event.output }, target: 'asking' },
          { target: 'unavailable' },
        ],
        onError: { target: 'failed', actions: failure(accountToasts.linkNotSent) },
      },
      on: { 'dialog.dismissed': 'closed' },
    },
    failed: { on: { 'refetch.requested': 'looking', 'dialog.dismissed': 'closed' } },
    unavailable: { on: { 'dialog.dismissed': 'closed' } },
    asking: {
      on: {
        'email.submitted': {
          guard: { type: 'is an email', params: ({ event }) => event },
          target: 'requesting',
        },
        'dialog.dismissed': 'closed',
      },
    },
    requesting: {
      tags: 'working',
      invoke: {
        id: 'requestLink',
        src: 'requestLink',
        input: ({ event }) => ({ email: event.type === 'email.submitted' ? event.email : '' }),
        onDone: 'sent',
        onError: { target: 'asking', actions: failure(accountToasts.linkNotSent) },
      },
      on: { 'dialog.dismissed': 'closed' },
    },
    sent: { on: { 'dialog.dismissed': 'closed' } },
    choosing: {
      on: {
        'password.submitted': {
          guard: { type: 'is a new password', params: ({ event }) => event },
          target: 'saving',
          actions: 'clear the message',
        },
        'dialog.dismissed': 'closed',
      },
    },
    // A change that is under way cannot be taken back, so the dialog stays until the answer.
    saving: {
      tags: 'working',
      invoke: {
        id: 'useLink',
        src: 'useLink',
        input: ({ event }) => ({ password: event.type === 'password.submitted' ? event.password : '' }),
        onDone: 'saved',
        onError: [
          { guard: { type: 'link has ended', params: ({ event }) => ({ error: event.error }) }, target: 'ended' },
          {
            guard: { type: 'is weak', params: ({ event }) => ({ error: event.error }) },
            target: 'choosing',
            actions: { type: 'show at the field', params: ({ event }) => ({ error: event.error }) },
          },
          { target: 'choosing', actions: failure(accountToasts.passwordNotChanged) },
        ],
      },
    },
    ended: { on: { 'link.requested': 'asking', 'dialog.dismissed': 'closed' } },
    saved: { on: { 'dialog.dismissed': 'closed' } },
    closed: { type: 'final' },
  },
  output: 'cancelled' as const,
})

export type PasswordResetActor = ActorRefFrom<typeof passwordResetMachine>
type Snapshot = SnapshotFrom<typeof passwordResetMachine>

export type ResetPart = 'looking' | 'failed' | 'unavailable' | 'asking' | 'sent' | 'choosing' | 'ended' | 'saved'
/** The part of the dialog to show. */
export const selectPart = ({ value }: Snapshot): ResetPart => {
  if (value === 'requesting') return 'asking'
  if (value === 'saving') return 'choosing'
  return value === 'closed' ? 'looking' : value
}
export const selectIsBusy = (snapshot: Snapshot) => snapshot.hasTag('working')
/** The refusal shown at the new password, or null. */
export const selectRefusedPassword = (snapshot: Snapshot) => snapshot.context.refused
