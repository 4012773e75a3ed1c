import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { assign, fromPromise, setup } from 'xstate'
import { Failure } from '../../domain/failure.ts'
import { accountToasts } from '../../domain/session/dialog-toasts.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { notifyFailure } from '../notify-failure.ts'
import type { StepEnd } from './auth-setup.ts'

export type CodeEntryEvent = { type: 'code.submitted'; code: string } | { type: 'dialog.dismissed' }

/** A person enters a code of the second factor at sign-in. The code is not stored. */
export const codeEntryMachine = setup({
  types: {
    context: {} as { refused: string | null },
    events: {} as CodeEntryEvent,
    output: {} as StepEnd,
  },
  actors: { enterCode: fromPromise<void, { code: string }>(mustBeProvided('enterCode')) },
  guards: {
    'has a code': (_, { code }: { code: string }) => code.trim() !== '',
    'is about the code': (_, { error }: { error: unknown }) => error instanceof Failure && error.code === 'WRONG_CODE',
  },
  actions: {
    'notify failure': notifyFailure,
    'show at the field': assign({
      refused: (_, { error }: { error: unknown }) => (error instanceof Failure ? (error.error ?? '') : ''),
    }),
    'clear the message': assign({ refused: null }),
  },
}).createMachine({
  id: 'codeEntry',
  context: { refused: null },
  initial: 'asking',
  on: { 'dialog.dismissed': '.cancelled' },
  states: {
    asking: {
      on: {
        'code.submitted': {
          guard: { type: 'has a code', params: ({ event }) => event },
          target: 'checking',
          actions: 'clear the message',
        },
      },
    },
    checking: {
      invoke: {
        id: 'enterCode',
        src: 'enterCode',
        input: ({ event }) => ({ code: event.type === 'code.submitted' ? event.code : '' }),
        onDone: 'completed',
        onError: [
          {
            guard: { type: 'is about the code', params: ({ event }) => ({ error: event.error }) },
            target: 'asking',
            actions: { type: 'show at the field', params: ({ event }) => ({ error: event.error }) },
          },
          {
            target: 'asking',
            actions: {
              type: 'notify failure',
              params: ({ event }) => ({ error: event.error, own: accountToasts.codeNotChecked }),
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

export type CodeEntryActor = ActorRefFrom<typeof codeEntryMachine>
type Snapshot = SnapshotFrom<typeof codeEntryMachine>

/** The refusal shown at the field, or null. */
export const selectRefusal = (snapshot: Snapshot) => snapshot.context.refused
export const selectIsChecking = (snapshot: Snapshot) => snapshot.matches('checking')
