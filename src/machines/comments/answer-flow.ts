import { type ActorRefFrom, type AnyActorRef, assign, fromPromise, not, sendTo, setup } from 'xstate'
import type { AnswerPlace, AnswerState, SentAnswer } from '../../domain/comments/answers.ts'
import type { ReplyRequest } from '../../domain/comments/comment-calls.ts'
import { commentToasts } from '../../domain/comments/toasts.ts'
import { limits } from '../../domain/limits.ts'
import type { OutgoingStatus } from '../../domain/send/outgoing.ts'
import { wasRefused } from '../../domain/send/send-outcome.ts'
import { generalToasts } from '../../domain/toasts.ts'
import type { CommentThread } from '../../schemas/comment.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { failureText, notifyFailure } from '../notify-failure.ts'
import { notify } from '../system.ts'

/** The reports of a flow to the machine that spawned it. */
export type AnswerFlowReport =
  | { type: 'flow.progressed'; answer: SentAnswer }
  /** The answer has arrived, or the server keeps it for a decision. `thread`: as the server told it; null if it did not. */
  | { type: 'flow.settled'; answer: SentAnswer; thread: CommentThread | null }

export type AnswerFlowEvent = { type: 'send.retried' } | { type: 'check.requested' } | { type: 'browser.online' }

type Input = { answer: SentAnswer }
type Context = Input & {
  checks: number
  /** An earlier attempt was sent, and its result is unknown. */
  hasUnknownResult: boolean
  thread: CommentThread | null
}

const checksBeforeStop = 4

/** Without a parent the flow sends events to itself and ignores them. */
const owner = ({ self }: { self: AnyActorRef }): AnyActorRef => self._parent ?? self

/** Retries with the same key. Offline, only shows a toast. */
const retrying = [
  { guard: 'isOnline' as const, target: 'sending' as const },
  { actions: { type: 'notify' as const, params: generalToasts.network } },
]

const unconfirmedNow = [
  'mark the result unknown' as const,
  { type: 'set the status' as const, params: { status: 'unconfirmed' as const } },
  'report the progress' as const,
]

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
  types: { context: {} as Context, input: {} as Input, events: {} as AnswerFlowEvent },
  actors: {
    sendReply: fromPromise<CommentThread, ReplyRequest>(mustBeProvided('sendReply')),
    findAnswer: fromPromise<AnswerState, AnswerPlace>(mustBeProvided('findAnswer')),
  },
  delays: {
    /** Milliseconds. Longer than the client's own timeout. */
    sendTimeout: limits.apiTimeout + 5_000,
    lookupTimeout: limits.apiTimeout,
    checkDelay: ({ context }) => 2_000 * 2 ** context.checks,
  },
  guards: {
    isOnline: () => true,
    'is offline': not('isOnline'),
    'has status': ({ context }, { status }: { status: OutgoingStatus }) => context.answer.status === status,
    'has an unknown result': ({ context }) => context.hasUnknownResult,
    'was refused': (_, { error }: { error: unknown }) => wasRefused(error),
    'is settled': (_, { state }: { state: AnswerState }) => state !== 'unknown',
    'has checks left': ({ context }) => context.checks < checksBeforeStop,
  },
  actions: {
    notify,
    'notify failure': notifyFailure,
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
    'mark the result unknown': assign({ hasUnknownResult: true, checks: 0 }),
    'reset the checks': assign({ checks: 0 }),
    'count the check': assign({ checks: ({ context }) => context.checks + 1 }),
    'keep the thread': assign({ thread: (_, { thread }: { thread: CommentThread }) => thread }),
  },
}).createMachine({
  id: 'answerFlow',
  context: ({ input }) => ({ ...input, checks: 0, hasUnknownResult: false, thread: null }),
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
    /** A refusal does not prove that an earlier attempt with an unknown result failed. */
    refused: { always: [{ guard: 'has an unknown result', target: 'unconfirmed' }, { target: 'failed' }] },
    unconfirmed: {
      entry: unconfirmedNow,
      initial: 'pausing',
      states: {
        pausing: { after: { checkDelay: 'checking' } },
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
        checked: {
          entry: 'count the check',
          always: [{ guard: 'has checks left', target: 'pausing' }, { target: '#answerFlow.notFound' }],
        },
      },
      on: {
        'check.requested': { target: '.checking', actions: 'reset the checks' },
        'send.retried': retrying,
      },
    },
    /** Left only by the person. */
    notFound: {
      entry: [{ type: 'set the status', params: { status: 'notFound' } }, 'report the progress'],
      on: { 'check.requested': 'unconfirmed.checking', 'send.retried': retrying },
    },
    offline: {
      entry: [{ type: 'set the status', params: { status: 'offline' } }, 'report the progress'],
      on: { 'browser.online': 'waiting', 'send.retried': 'sending' },
    },
    waiting: {
      entry: [{ type: 'set the status', params: { status: 'waiting' } }, 'report the progress'],
      on: { 'send.retried': 'sending' },
    },
    failed: {
      entry: [{ type: 'set the status', params: { status: 'failed' } }, 'report the progress'],
      on: { 'send.retried': 'sending' },
    },
    sent: {
      type: 'final',
      entry: ['report the end', { type: 'notify', params: ({ context }) => commentToasts.sent[context.answer.kind] }],
    },
    settled: { type: 'final', entry: 'report the end' },
  },
})

export type AnswerFlowRef = ActorRefFrom<typeof answerFlowMachine>
