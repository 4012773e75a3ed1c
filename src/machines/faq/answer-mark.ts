import { assign, fromPromise, type SnapshotFrom, setup } from 'xstate'
import type { AnswerMark } from '../../domain/faq/faq-calls.ts'
import { markToasts } from '../../domain/faq/mark-toasts.ts'
import type { Message } from '../../schemas/message.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { notifyFailure } from '../notify-failure.ts'
import { reportFailure } from '../on-failure.ts'
import { tellSession } from '../session-events.ts'

export type AnswerMarkEvent = { type: 'answer.marked' } & AnswerMark

type Context = { mark: AnswerMark | null }

/** Marks an automatic answer of a thread wrong, or takes the mark back. One mark at a time. */
export const answerMarkMachine = setup({
  types: { context: {} as Context, events: {} as AnswerMarkEvent },
  actors: { markAnswer: fromPromise<Message, AnswerMark>(mustBeProvided('markAnswer')) },
  actions: {
    tellSession,
    'notify failure': notifyFailure,
    'keep the mark': assign((_, { messageId, isWrong }: AnswerMark) => ({ mark: { messageId, isWrong } })),
    'forget the mark': assign({ mark: null }),
  },
}).createMachine({
  id: 'answerMark',
  context: { mark: null },
  initial: 'idle',
  states: {
    idle: {
      entry: 'forget the mark',
      on: { 'answer.marked': { target: 'marking', actions: { type: 'keep the mark', params: ({ event }) => event } } },
    },
    marking: {
      invoke: {
        id: 'markAnswer',
        src: 'markAnswer',
        input: ({ context }) => known(context),
        onDone: {
          target: 'idle',
          actions: {
            type: 'tellSession',
            params: ({ event }) => ({
              type: 'messages.changed',
              changes: [{ type: 'UPDATE', record: event.output }],
            }),
          },
        },
        onError: {
          target: 'idle',
          actions: reportFailure((context: Context) =>
            known(context).isWrong ? markToasts.markFailed : markToasts.unmarkFailed,
          ),
        },
      },
    },
  },
})

const known = ({ mark }: Context): AnswerMark => {
  if (mark === null) throw new Error('a call requires a mark')
  return mark
}

/** The mark that is being sent; null if there is none. */
export const selectMark = ({ context }: SnapshotFrom<typeof answerMarkMachine>): AnswerMark | null => context.mark
