import type { SnapshotFrom } from 'xstate'
import { assign, fromPromise, setup } from 'xstate'
import { faqToasts } from '../../domain/faq/dialog-toasts.ts'
import type { TestedMessage } from '../../domain/faq/faq-calls.ts'
import { isTestable } from '../../domain/faq/faq-fields.ts'
import type { FaqTestResult } from '../../schemas/faq.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { notifyFailure } from '../notify-failure.ts'
import { reportFailure } from '../on-failure.ts'

type Context = {
  message: string
  /** The page that the message comes from; null for any page. */
  pageId: string | null
  /** The result of the last tested message; null before the first test, and after the entries changed. */
  result: FaqTestResult | null
}

export type FaqTestEvent =
  | { type: 'message.typed'; message: string }
  | { type: 'page.chosen'; pageId: string | null }
  | { type: 'test.requested' }
  /** The FAQ entries have changed. */
  | { type: 'result.invalidated' }

const keepPage = {
  type: 'keep the page' as const,
  params: ({ event }: { event: { pageId: string | null } }) => event,
}

/** The box 'Test FAQ Matching' (spec sections 2 and 5): which entries a message matches. */
export const faqTestMachine = setup({
  types: { context: {} as Context, events: {} as FaqTestEvent },
  actors: {
    testMatch: fromPromise<FaqTestResult, TestedMessage>(mustBeProvided('testMatch')),
  },
  guards: { 'has a message': ({ context }) => isTestable(context.message) },
  actions: {
    'notify failure': notifyFailure,
    'keep the message': assign({ message: (_, { message }: { message: string }) => message }),
    'keep the page': assign({ pageId: (_, { pageId }: { pageId: string | null }) => pageId }),
    'show the result': assign({ result: (_, { result }: { result: FaqTestResult }) => result }),
    'forget the result': assign({ result: null }),
  },
}).createMachine({
  id: 'faqTest',
  context: { message: '', pageId: null, result: null },
  on: { 'message.typed': { actions: { type: 'keep the message', params: ({ event }) => event } } },
  initial: 'idle',
  states: {
    idle: {
      on: {
        'test.requested': { guard: 'has a message', target: 'testing' },
        'result.invalidated': { actions: 'forget the result' },
        'page.chosen': { actions: [keepPage, 'forget the result'] },
      },
    },
    testing: {
      entry: 'forget the result',
      invoke: {
        id: 'testMatch',
        src: 'testMatch',
        input: ({ context: { message, pageId } }) => ({ message: message.trim(), pageId }),
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
      on: {
        'result.invalidated': { target: 'testing', reenter: true },
        'page.chosen': { target: 'testing', reenter: true, actions: keepPage },
      },
    },
  },
})

type Snapshot = SnapshotFrom<typeof faqTestMachine>

export const selectMessage = (snapshot: Snapshot): string => snapshot.context.message
export const selectTestedPage = (snapshot: Snapshot): string | null => snapshot.context.pageId
export const selectResult = (snapshot: Snapshot): FaqTestResult | null => snapshot.context.result
export const selectIsTesting = (snapshot: Snapshot): boolean => snapshot.matches('testing')
export const selectMayTest = (snapshot: Snapshot): boolean => snapshot.can({ type: 'test.requested' })
