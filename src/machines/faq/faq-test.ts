import type { SnapshotFrom } from 'xstate'
import { assign, fromPromise, setup } from 'xstate'
import { faqToasts } from '../../domain/faq/dialog-toasts.ts'
import { isTestable } from '../../domain/faq/faq-fields.ts'
import type { FaqTestResult } from '../../schemas/faq.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { notifyFailure } from '../notify-failure.ts'
import { reportFailure } from '../on-failure.ts'

type Context = {
  message: string
  /** The result of the last tested message; null before the first test, and after the entries changed. */
  result: FaqTestResult | null
}

export type FaqTestEvent =
  | { type: 'message.typed'; message: string }
  | { type: 'test.requested' }
  /** The FAQ entries have changed. */
  | { type: 'result.invalidated' }

/** The box 'Test FAQ Matching' (spec sections 2 and 5): which entries a message matches. */
export const faqTestMachine = setup({
  types: { context: {} as Context, events: {} as FaqTestEvent },
  actors: {
    testMatch: fromPromise<FaqTestResult, { message: string }>(mustBeProvided('testMatch')),
  },
  guards: { 'has a message': ({ context }) => isTestable(context.message) },
  actions: {
    'notify failure': notifyFailure,
    'keep the message': assign({ message: (_, { message }: { message: string }) => message }),
    'show the result': assign({ result: (_, { result }: { result: FaqTestResult }) => result }),
    'forget the result': assign({ result: null }),
  },
}).createMachine({
  id: 'faqTest',
  context: { message: '', result: null },
  on: { 'message.typed': { actions: { type: 'keep the message', params: ({ event }) => event } } },
  initial: 'idle',
  states: {
    idle: {
      on: {
        'test.requested': { guard: 'has a message', target: 'testing' },
        'result.invalidated': { actions: 'forget the result' },
      },
    },
    testing: {
      entry: 'forget the result',
      invoke: {
        id: 'testMatch',
        src: 'testMatch',
        input: ({ context }) => ({ message: context.message.trim() }),
        onDone: {
          target: 'idle',
          actions: { type: 'show the result', params: ({ event }) => ({ result: event.output }) },
        },
        onError: {
          target: 'idle',
          actions: reportFailure(faqToasts.testFailed),
        },
      },
      // The pending answer may come from the old entries, so the test starts again.
      on: { 'result.invalidated': { target: 'testing', reenter: true } },
    },
  },
})

type Snapshot = SnapshotFrom<typeof faqTestMachine>

export const selectMessage = (snapshot: Snapshot): string => snapshot.context.message
export const selectResult = (snapshot: Snapshot): FaqTestResult | null => snapshot.context.result
export const selectIsTesting = (snapshot: Snapshot): boolean => snapshot.matches('testing')
export const selectMayTest = (snapshot: Snapshot): boolean => snapshot.can({ type: 'test.requested' })
