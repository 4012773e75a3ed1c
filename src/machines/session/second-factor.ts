import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { assign, fromPromise, setup } from 'xstate'
import { Failure } from '../../domain/failure.ts'
import { accountToasts } from '../../domain/session/dialog-toasts.ts'
import { recoveryCodesText } from '../../domain/session/recovery-codes.ts'
import type { Enrolment, FactorProofs, SecondFactorStatus } from '../../schemas/second-factor.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { notifyFailure } from '../notify-failure.ts'
import { notify } from '../system.ts'
import type { StepEnd } from './auth-setup.ts'

declare module '../shell/dialog.ts' {
  interface DialogLogics {
    secondFactor: typeof secondFactorMachine
  }
}

export type SecondFactorEvent =
  | { type: 'enrolment.requested'; password: string }
  | { type: 'code.submitted'; code: string }
  | { type: 'copy.requested' }
  | { type: 'codes.saved' }
  | ({ type: 'newCodes.submitted' } & FactorProofs)
  | ({ type: 'disabling.submitted' } & FactorProofs)
  | { type: 'refetch.requested' }
  | { type: 'dialog.dismissed' }

/** `signIn`: a setting demands the factor, and the sign-in waits for it. */
type Input = { at: 'menu' | 'signIn' }

type Context = Input & {
  status: SecondFactorStatus | null
  /** The secret, while it is shown. */
  enrolment: Enrolment | null
  recoveryCodes: readonly string[]
  /** The refusal shown at the field that it is about. */
  refused: { at: 'code' | 'password'; text: string } | null
}

const codeOf = (error: unknown) => (error instanceof Failure ? error.code : undefined)

type Failed = { event: { error: unknown } }
const wrongCode = {
  guard: { type: 'is about the code', params: ({ event }: Failed) => ({ error: event.error }) },
  actions: { type: 'show at the field', params: ({ event }: Failed) => ({ at: 'code' as const, error: event.error }) },
} as const
const wrongPassword = {
  guard: { type: 'is about the password', params: ({ event }: Failed) => ({ error: event.error }) },
  actions: {
    type: 'show at the field',
    params: ({ event }: Failed) => ({ at: 'password' as const, error: event.error }),
  },
} as const
const proofsOf = (event: SecondFactorEvent | { type: 'xstate.init' }): FactorProofs =>
  event.type === 'newCodes.submitted' || event.type === 'disabling.submitted'
    ? { password: event.password, code: event.code }
    : { password: '', code: '' }
const failure = (own: (typeof accountToasts)[keyof typeof accountToasts]) =>
  ({ type: 'notify failure', params: ({ event }: Failed) => ({ error: event.error, own }) }) as const

/** A person sets up or removes the own second factor, or gets new recovery codes. Typed codes and passwords are not stored. */
export const secondFactorMachine = setup({
  types: {
    context: {} as Context,
    events: {} as SecondFactorEvent,
    input: {} as Input,
    output: {} as StepEnd,
    tags: {} as 'working',
  },
  actors: {
    loadSecondFactor: fromPromise<SecondFactorStatus>(mustBeProvided('loadSecondFactor')),
    beginEnrolment: fromPromise<Enrolment, { password: string }>(mustBeProvided('beginEnrolment')),
    confirmEnrolment: fromPromise<string[], { code: string }>(mustBeProvided('confirmEnrolment')),
    replaceRecoveryCodes: fromPromise<string[], FactorProofs>(mustBeProvided('replaceRecoveryCodes')),
    disableSecondFactor: fromPromise<void, FactorProofs>(mustBeProvided('disableSecondFactor')),
    copyText: fromPromise<void, { text: string }>(mustBeProvided('copyText')),
  },
  guards: {
    'is at sign-in': ({ context }) => context.at === 'signIn',
    'is on': (_, { isOn }: SecondFactorStatus) => isOn,
    'was on before': ({ context }) => context.status?.isOn === true,
    'has a password': (_, { password }: { password: string }) => password !== '',
    'has a code': (_, { code }: { code: string }) => code.trim() !== '',
    'has password and code': (_, { password, code }: FactorProofs) => password !== '' && code.trim() !== '',
    'is about the code': (_, { error }: { error: unknown }) => codeOf(error) === 'WRONG_CODE',
    'is about the password': (_, { error }: { error: unknown }) => codeOf(error) === 'WRONG_PASSWORD',
  },
  actions: {
    notify,
    'notify failure': notifyFailure,
    'keep the status': assign({ status: (_, status: SecondFactorStatus) => status }),
    'keep the secret': assign({ enrolment: (_, enrolment: Enrolment) => enrolment }),
    'keep the recovery codes': assign({
      enrolment: null,
      recoveryCodes: (_, { codes }: { codes: readonly string[] }) => codes,
    }),
    'show at the field': assign({
      refused: (_, { at, error }: { at: 'code' | 'password'; error: unknown }) => ({
        at,
        text: error instanceof Failure ? (error.error ?? '') : '',
      }),
    }),
    'clear the message': assign({ refused: null }),
  },
}).createMachine({
  id: 'secondFactor',
  context: ({ input }) => ({ ...input, status: null, enrolment: null, recoveryCodes: [], refused: null }),
  initial: 'starting',
  states: {
    starting: { always: [{ guard: 'is at sign-in', target: 'off' }, { target: 'loading' }] },
    loading: {
      tags: 'working',
      invoke: {
        id: 'loadSecondFactor',
        src: 'loadSecondFactor',
        onDone: [
          {
            guard: { type: 'is on', params: ({ event }) => event.output },
            target: 'on',
            actions: { type: 'keep the status', params: ({ event }) => event.output },
          },
          { target: 'off', actions: { type: 'keep the status', params: ({ event }) => event.output } },
        ],
        onError: { target: 'failed', actions: failure(accountToasts.factorNotLoaded) },
      },
      on: { 'dialog.dismissed': 'cancelled' },
    },
    failed: {
      on: {
        'refetch.requested': 'starting',
        'dialog.dismissed': 'cancelled',
      },
    },
    off: {
      on: {
        'enrolment.requested': {
          guard: { type: 'has a password', params: ({ event }) => event },
          target: 'beginning',
          actions: 'clear the message',
        },
        'dialog.dismissed': 'cancelled',
      },
    },
    beginning: {
      tags: 'working',
      invoke: {
        id: 'beginEnrolment',
        src: 'beginEnrolment',
        input: ({ event }) => ({ password: event.type === 'enrolment.requested' ? event.password : '' }),
        onDone: { target: 'showing', actions: { type: 'keep the secret', params: ({ event }) => event.output } },
        onError: [
          { target: 'off', ...wrongPassword },
          { target: 'off', actions: failure(accountToasts.factorNotSetUp) },
        ],
      },
      on: { 'dialog.dismissed': 'cancelled' },
    },
    showing: {
      on: {
        'code.submitted': {
          guard: { type: 'has a code', params: ({ event }) => event },
          target: 'confirming',
          actions: 'clear the message',
        },
        'dialog.dismissed': 'cancelled',
      },
    },
    // The answers of this state and of `replacingCodes` hold the recovery codes, so the dialog stays until they come.
    confirming: {
      tags: 'working',
      invoke: {
        id: 'confirmEnrolment',
        src: 'confirmEnrolment',
        input: ({ event }) => ({ code: event.type === 'code.submitted' ? event.code : '' }),
        onDone: {
          target: 'showingCodes',
          actions: { type: 'keep the recovery codes', params: ({ event }) => ({ codes: event.output }) },
        },
        onError: [
          { target: 'showing', ...wrongCode },
          { target: 'showing', actions: failure(accountToasts.factorNotSetUp) },
        ],
      },
    },
    // Only the button leaves: the codes are shown once.
    showingCodes: {
      initial: 'idle',
      on: {
        'codes.saved': [
          {
            guard: 'was on before',
            target: 'completed',
            actions: { type: 'notify', params: accountToasts.codesReplaced },
          },
          { target: 'completed', actions: { type: 'notify', params: accountToasts.factorSetUp } },
        ],
      },
      states: {
        idle: { on: { 'copy.requested': 'copying' } },
        copying: {
          invoke: {
            id: 'copyText',
            src: 'copyText',
            input: ({ context }) => ({ text: recoveryCodesText(context.recoveryCodes) }),
            onDone: { target: 'idle', actions: { type: 'notify', params: accountToasts.codesCopied } },
            onError: { target: 'idle', actions: { type: 'notify', params: accountToasts.codesNotCopied } },
          },
        },
      },
    },
    on: {
      on: {
        'newCodes.submitted': {
          guard: { type: 'has password and code', params: ({ event }) => event },
          target: 'replacingCodes',
          actions: 'clear the message',
        },
        'disabling.submitted': {
          guard: { type: 'has password and code', params: ({ event }) => event },
          target: 'disabling',
          actions: 'clear the message',
        },
        'dialog.dismissed': 'cancelled',
      },
    },
    replacingCodes: {
      tags: 'working',
      invoke: {
        id: 'replaceRecoveryCodes',
        src: 'replaceRecoveryCodes',
        input: ({ event }) => proofsOf(event),
        onDone: {
          target: 'showingCodes',
          actions: { type: 'keep the recovery codes', params: ({ event }) => ({ codes: event.output }) },
        },
        onError: [
          { target: 'on', ...wrongCode },
          { target: 'on', ...wrongPassword },
          { target: 'on', actions: failure(accountToasts.codesNotReplaced) },
        ],
      },
    },
    disabling: {
      tags: 'working',
      invoke: {
        id: 'disableSecondFactor',
        src: 'disableSecondFactor',
        input: ({ event }) => proofsOf(event),
        onDone: { target: 'completed', actions: { type: 'notify', params: accountToasts.factorRemoved } },
        onError: [
          { target: 'on', ...wrongCode },
          { target: 'on', ...wrongPassword },
          { target: 'on', actions: failure(accountToasts.factorNotRemoved) },
        ],
      },
    },
    completed: { type: 'final', output: 'completed' as const },
    cancelled: { type: 'final', output: 'cancelled' as const },
  },
  output: ({ event }) => event.output as StepEnd,
})

export type SecondFactorActor = ActorRefFrom<typeof secondFactorMachine>
type Snapshot = SnapshotFrom<typeof secondFactorMachine>

export const selectStatus = (snapshot: Snapshot) => snapshot.context.status
export const selectEnrolment = (snapshot: Snapshot) => snapshot.context.enrolment
export const selectRecoveryCodes = (snapshot: Snapshot) => snapshot.context.recoveryCodes
export const selectRefused = (snapshot: Snapshot) => snapshot.context.refused
export const selectIsWorking = (snapshot: Snapshot) => snapshot.hasTag('working')
export const selectFailed = (snapshot: Snapshot) => snapshot.matches('failed')
export const selectAt = (snapshot: Snapshot) => snapshot.context.at
