import { type ActorRefFrom, type AnyActorRef, assign, fromPromise, not, sendTo, setup } from 'xstate'
import type { AnswerPlace, AnswerState, SentAnswer } from '../../domain/comments/answers.ts'
import type { ReplyRequest } from '../../domain/comments/comment-calls.ts'
import { commentToasts } from '../../domain/comments/toasts.ts'
import type { OutgoingStatus } from '../../domain/send/outgoing.ts'
import type { CommentThread } from '../../schemas/comment.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { failureText } from '../notify-failure.ts'
import {
  type AttemptEvent,
  type Attempts,
  heldStates,
  noAttempts,
  refused,
  sendingActions,
  sendingDelays,
  sendingGuards,
  unconfirmed,
} from '../sending.ts'

/** The reports of a flow to the machine that spawned it. */
export type AnswerFlowReport =
  | { type: 'flow.progressed'; answer: SentAnswer }
  /** The answer has arrived, or the server keeps it for a decision. `thread`: as the server told it; null if it did not. */
  | { type: 'flow.settled'; answer: SentAnswer; thread: CommentThread | null }

type Input = { answer: SentAnswer }
type Context = Input & Attempts & { thread: CommentThread | null }

/** Without a parent the flow sends events to itself and ignores them. */
const owner = ({ self }: { self: AnyActorRef }): AnyActorRef => self._parent ?? self

type Failed = { event: { error: unknown } }

const keepAndTellFailure = [
  { type: 'store the error' as const, params: ({ event }: Failed) => ({ error: event.error }) },
  {
    type: 'notify failure' as const,
    params: ({ event }: Failed) => ({ error: event.error, own: commentToasts.notSent }),
  },
]

/**
 * One answer to a comment on its way, as `sendFlow` is for a message. The server sends the answer at most once for its key,
 * so a retry is safe. An answer with an unknown result is looked for in its thread.
 */
export const answerFlowMachine = setup({
  types: { context: {} as Context, input: {} as Input, events: {} as AttemptEvent },
  actors: {
    sendReply: fromPromise<CommentThread, ReplyRequest>(mustBeProvided('sendReply')),
    findAnswer: fromPromise<AnswerState, AnswerPlace>(mustBeProvided('findAnswer')),
  },
  delays: sendingDelays,
  guards: {
    ...sendingGuards,
    'is offline': not('isOnline'),
    'has status': ({ context }, { status }: { status: OutgoingStatus }) => context.answer.status === status,
    'is settled': (_, { state }: { state: AnswerState }) => state !== 'unknown',
  },
  actions: {
    ...sendingActions,
    'report the progress': sendTo(
      owner,
      ({ context }): AnswerFlowReport => ({ type: 'flow.progressed', answer: context.answer }),
    ),
    'report the end': sendTo(
      owner,
      ({ context: { answer, thread } }): AnswerFlowReport => ({ type: 'flow.settled', answer, thread }),
    ),
    'set the status': assign({
      answer: ({ context }, { status }: { status: OutgoingStatus }) => ({ ...context.answer, status }),
    }),
    'mark the answer as pending': assign({
      answer: ({ context: { answer } }) => ({ ...answer, status: 'pending' as const, failure: null }),
    }),
    'store the error': assign({
      answer: ({ context: { answer } }, { error }: { error: unknown }) => ({
        ...answer,
        failure: failureText({ error, own: commentToasts.notSent }) ?? commentToasts.notSent.text,
      }),
    }),
    'keep the thread': assign({ thread: (_, { thread }: { thread: CommentThread }) => thread }),
  },
}).createMachine({
  id: 'answerFlow',
  context: ({ input }) => ({ ...input, ...noAttempts, thread: null }),
  initial: 'resuming',
  states: {
    resuming: {
      always: [
        { guard: { type: 'has status', params: { status: 'waiting' } }, target: 'waiting' },
        { guard: { type: 'has status', params: { status: 'failed' } }, target: 'failed' },
        { guard: { type: 'has status', params: { status: 'unconfirmed' } }, target: 'unconfirmed' },
        { target: 'sending' },
      ],
    },
    sending: {
      initial: 'leaving',
      states: {
        leaving: {
          always: [{ guard: 'is offline', target: '#answerFlow.offline' }, { target: 'requesting' }],
        },
        requesting: {
          entry: ['mark the answer as pending', 'report the progress'],
          invoke: {
            id: 'sendReply',
            src: 'sendReply',
            input: ({ context: { answer } }) => ({
              commentId: answer.comment.id,
              kind: answer.kind,
              message: answer.text,
              key: answer.key,
            }),
            onDone: {
              target: '#answerFlow.sent',
              actions: { type: 'keep the thread', params: ({ event }) => ({ thread: event.output }) },
            },
            onError: [
              {
                guard: { type: 'was refused', params: ({ event }) => ({ error: event.error }) },
                target: '#answerFlow.refused',
                actions: keepAndTellFailure,
              },
              {
                target: '#answerFlow.unconfirmed',
                actions: keepAndTellFailure,
              },
            ],
          },
          after: { sendTimeout: '#answerFlow.unconfirmed' },
        },
      },
    },
    refused,
    unconfirmed: {
      entry: unconfirmed.entry,
      initial: unconfirmed.initial,
      states: {
        pausing: unconfirmed.pausing,
        checking: {
          invoke: {
            id: 'findAnswer',
            src: 'findAnswer',
            input: ({ context: { answer } }) => ({
              threadId: answer.comment.threadId,
              commentId: answer.comment.id,
              key: answer.key,
            }),
            onDone: [
              {
                guard: { type: 'is settled', params: ({ event }) => ({ state: event.output }) },
                target: '#answerFlow.settled',
              },
              { target: 'checked' },
            ],
            onError: 'checked',
          },
          after: { lookupTimeout: 'checked' },
        },
        checked: unconfirmed.checked('#answerFlow.notFound'),
      },
      on: unconfirmed.on,
    },
    ...heldStates('sending'),
    sent: {
      type: 'final',
      entry: ['report the end', { type: 'notify', params: ({ context }) => commentToasts.sent[context.answer.kind] }],
    },
    settled: { type: 'final', entry: 'report the end' },
  },
})

export type AnswerFlowRef = ActorRefFrom<typeof answerFlowMachine>
