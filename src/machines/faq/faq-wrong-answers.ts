import { assign, fromPromise, type SnapshotFrom, setup } from 'xstate'
import { faqToasts } from '../../domain/faq/dialog-toasts.ts'
import { noRetries, type Retries } from '../../domain/retries.ts'
import type { FaqWrongAnswers } from '../../schemas/faq.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { reportFailure } from '../on-failure.ts'
import { afterFailedRead, failedRead, readingActions, readingDelays, readingGuards } from '../reading.ts'
import { notify } from '../system.ts'

type Context = Retries & {
  /** Null until they are loaded. */
  found: FaqWrongAnswers | null
  /** The answer that is being resolved. */
  messageId: string | null
}

export type FaqWrongAnswersEvent = { type: 'answer.resolved'; messageId: string } | { type: 'refetch.requested' }

const resolved = {
  'answer.resolved': {
    target: 'resolving',
    actions: { type: 'keep the answer', params: ({ event }: { event: { messageId: string } }) => event },
  },
} as const

/**
 * The automatic answers that staff marked wrong, for the editor of the FAQ. They are read again while they are shown,
 * because colleagues mark and resolve answers meanwhile.
 */
export const faqWrongAnswersMachine = setup({
  types: { context: {} as Context, events: {} as FaqWrongAnswersEvent },
  actors: {
    loadWrongAnswers: fromPromise<FaqWrongAnswers>(mustBeProvided('loadWrongAnswers')),
    resolveWrongAnswer: fromPromise<void, { messageId: string }>(mustBeProvided('resolveWrongAnswer')),
  },
  delays: { ...readingDelays, pollDelay: 10_000 },
  guards: readingGuards,
  actions: {
    notify,
    ...readingActions,
    'keep the answers': assign((_, { found }: { found: FaqWrongAnswers }) => ({ found, ...noRetries })),
    'keep the answer': assign({ messageId: (_, { messageId }: { messageId: string }) => messageId }),
    'remove the answer': assign(({ context: { found, messageId } }) => ({
      messageId: null,
      found: found && {
        answers: found.answers.filter((answer) => answer.message_id !== messageId),
        total: found.total - 1,
      },
    })),
    'forget the answer': assign({ messageId: null }),
  },
}).createMachine({
  id: 'faqWrongAnswers',
  context: { found: null, messageId: null, ...noRetries },
  initial: 'loading',
  states: {
    loading: {
      invoke: {
        id: 'loadWrongAnswers',
        src: 'loadWrongAnswers',
        onDone: {
          target: 'showing',
          actions: { type: 'keep the answers', params: ({ event }) => ({ found: event.output }) },
        },
        onError: afterFailedRead(faqToasts.wrongAnswersFailed),
      },
      // A press during a later read is not lost.
      on: resolved,
    },
    failed: failedRead('#faqWrongAnswers.loading'),
    showing: {
      after: { pollDelay: 'loading' },
      on: { 'refetch.requested': 'loading', ...resolved },
    },
    resolving: {
      invoke: {
        id: 'resolveWrongAnswer',
        src: 'resolveWrongAnswer',
        input: ({ context }) => ({ messageId: context.messageId ?? '' }),
        onDone: {
          target: 'showing',
          actions: ['remove the answer', { type: 'notify', params: faqToasts.resolved }],
        },
        onError: { target: 'showing', actions: ['forget the answer', reportFailure(faqToasts.resolveFailed)] },
      },
    },
  },
})

type Snapshot = SnapshotFrom<typeof faqWrongAnswersMachine>

export const selectWrongAnswers = (snapshot: Snapshot): FaqWrongAnswers | null => snapshot.context.found
export const selectHasFailed = (snapshot: Snapshot): boolean => snapshot.matches('failed')
export const selectIsLoading = (snapshot: Snapshot): boolean => snapshot.matches('loading')
/** The answer that is being resolved; null if there is none. */
export const selectResolving = (snapshot: Snapshot): string | null => snapshot.context.messageId
