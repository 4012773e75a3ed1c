import { type ActorRefFrom, assign, fromPromise, type SnapshotFrom, setup, stopChild } from 'xstate'
import {
  type AnsweredComment,
  type CommentAnswer,
  isSent,
  nextAnswer,
  restoredAnswer,
  type SentAnswer,
  typedAnswer,
} from '../../domain/comments/answers.ts'
import type { CommentsChanged } from '../../domain/comments/comment-calls.ts'
import { isUnsent, waitsForStaff } from '../../domain/send/outgoing.ts'
import type { CommentThread, ReplyKind } from '../../schemas/comment.ts'
import { mustBeGiven, mustBeProvided } from '../must-be-provided.ts'
import type { AttemptEvent } from '../sending.ts'
import { tellSession } from '../session-events.ts'
import type { LaterPartInput } from '../shell/later-parts.ts'
import { createSendAction, type System } from '../system.ts'
import { type AnswerFlowRef, type AnswerFlowReport, answerFlowMachine } from './answer-flow.ts'

type Answered = { comment: AnsweredComment; kind: ReplyKind; text: string }

export type AnswersEvent =
  /** The whole text that is typed. */
  | ({ type: 'answer.typed' } & Answered)
  | ({ type: 'answer.submitted' } & Answered)
  /** The person cancels what is typed. */
  | { type: 'answer.cancelled'; commentId: string; kind: ReplyKind }
  | { type: 'send.retried'; key: string }
  /** Sends all answers that wait for staff. */
  | { type: 'waiting.retried' }
  /** Checks again whether the answer arrived. */
  | { type: 'check.requested'; key: string }
  /** Discards an answer that is not being sent. */
  | { type: 'send.discarded'; key: string }
  | { type: 'browser.online' }
  | CommentsChanged

type Context = {
  staffId: string
  /** In the order in which they were written. */
  answers: readonly CommentAnswer[]
  flows: Readonly<Record<string, AnswerFlowRef>>
  newKey: () => string
  now: () => number
}

const flowId = (key: string) => `answer:${key}`

type Tell = readonly { key: string; event: AttemptEvent }[]

const tellFlows = createSendAction<{ flows: Context['flows']; tell: Tell }>(({ flows, tell }) =>
  tell.flatMap(({ key, event }) => {
    const to = flows[key]
    return to ? [{ to, event }] : []
  }),
)

const replaced = (all: readonly CommentAnswer[], one: CommentAnswer): readonly CommentAnswer[] =>
  all.some(({ key }) => key === one.key) ? all.map((answer) => (answer.key === one.key ? one : answer)) : [...all, one]

const typedIn = ({ answers }: Context, { comment, kind }: Answered) => typedAnswer(answers, comment.id, kind)

/** The typed answer with another text, under its key. */
const changedTo = (context: Context, { comment, kind, text }: Answered, status: 'typed' | 'queued'): CommentAnswer => ({
  ...(typedIn(context, { comment, kind, text }) ?? {
    key: context.newKey(),
    createdAt: new Date(context.now()).toISOString(),
  }),
  comment,
  kind,
  text: status === 'typed' ? text : text.trim(),
  status,
  failure: null,
})

const settled = (answer: SentAnswer, thread: CommentThread | null) =>
  ({
    type: 'comments.changed',
    thread: { id: answer.comment.threadId, postId: answer.comment.postId },
    ...(thread !== null && { told: thread }),
  }) as const

/**
 * The answers to comments that staff type or asked to send, one `answerFlow` for each that is sent. They belong to the session
 * and are stored in the browser, as the messages of the outbox are: an answer leaves although its dialog is closed, and one
 * that was interrupted is shown among the unsent messages.
 */
export const answersMachine = setup({
  types: {
    context: {} as Context,
    events: {} as AnswersEvent | AnswerFlowReport,
    input: {} as Pick<LaterPartInput, 'userId' | 'newKey' | 'now'>,
  },
  actors: {
    answerFlow: answerFlowMachine,
    /** Loads the answers that an earlier tab stored. */
    loadAnswers: fromPromise<readonly CommentAnswer[], { staffId: string }>(mustBeProvided('loadAnswers')),
  },
  guards: {
    'has a text': (_, { text }: { text: string }) => text.trim() !== '',
    'has an answer to start': ({ context }) => nextAnswer(context.answers) !== undefined,
    'has an answer to resume': ({ context: { answers, flows } }) => {
      const next = nextAnswer(answers)
      return next !== undefined && next.key in flows
    },
    'is not in progress': ({ context }, { key }: { key: string }) =>
      context.answers.some((answer) => answer.key === key && answer.status !== 'pending'),
    'was deleted': (_, { thread }: CommentsChanged) => thread !== null && thread.postId === null,
  },
  actions: {
    tellSession,
    'forward to the flows': tellFlows,
    store: (_, _params: { staffId: string; answers: readonly CommentAnswer[] }) => mustBeGiven('store')(),
    forget: (_, _params: { keys: readonly string[] }) => mustBeGiven('forget')(),
    'keep the typed text': assign({
      answers: ({ context }, answered: Answered) => replaced(context.answers, changedTo(context, answered, 'typed')),
    }),
    'queue the answer': assign({
      answers: ({ context }, answered: Answered) => replaced(context.answers, changedTo(context, answered, 'queued')),
    }),
    'restore the answers': assign({
      answers: ({ context }, { left }: { left: readonly CommentAnswer[] }) => [
        ...left.map(restoredAnswer),
        ...context.answers,
      ],
      flows: ({ context, spawn }, { left }) => ({
        ...context.flows,
        ...Object.fromEntries(
          left
            .map(restoredAnswer)
            .filter(isSent)
            .map((answer) => [answer.key, spawn('answerFlow', { id: flowId(answer.key), input: { answer } })] as const),
        ),
      }),
    }),
    'start the next answer': assign(({ context, spawn }) => {
      const next = nextAnswer(context.answers)
      if (next === undefined) return {}
      const answer: SentAnswer = { ...next, status: 'pending' }
      const flow = spawn('answerFlow', { id: flowId(next.key), input: { answer } })
      return { answers: replaced(context.answers, answer), flows: { ...context.flows, [next.key]: flow } }
    }),
    'queue the waiting answers': assign({
      answers: ({ context }) =>
        context.answers.map((answer) => (isWaiting(answer) ? { ...answer, status: 'queued' as const } : answer)),
    }),
    'mark the next answer as pending': assign({
      answers: ({ context: { answers } }) => {
        const next = nextAnswer(answers)
        return next === undefined ? answers : replaced(answers, { ...next, status: 'pending' })
      },
    }),
    'update the answer': assign({
      answers: ({ context }, { answer }: { answer: SentAnswer }) => replaced(context.answers, answer),
    }),
    'remove the answers': assign({
      answers: ({ context }, { keys }: { keys: readonly string[] }) =>
        context.answers.filter(({ key }) => !keys.includes(key)),
      flows: ({ context }, { keys }) =>
        Object.fromEntries(Object.entries(context.flows).filter(([key]) => !keys.includes(key))),
    }),
    'stop the flow': stopChild((_, { key }: { key: string }) => flowId(key)),
  },
}).createMachine({
  id: 'answers',
  context: ({ input: { userId, newKey, now } }) => ({ staffId: userId, answers: [], flows: {}, newKey, now }),
  initial: 'restoring',
  on: {
    'answer.typed': [
      {
        guard: { type: 'has a text', params: ({ event }) => event },
        actions: [
          { type: 'keep the typed text', params: ({ event }) => event },
          {
            type: 'store',
            params: ({ context, event }) => ({ staffId: context.staffId, answers: one(typedIn(context, event)) }),
          },
        ],
      },
      {
        actions: [
          { type: 'forget', params: ({ context, event }) => ({ keys: keysOf(one(typedIn(context, event))) }) },
          {
            type: 'remove the answers',
            params: ({ context, event }) => ({ keys: keysOf(one(typedIn(context, event))) }),
          },
        ],
      },
    ],
    'answer.submitted': {
      guard: { type: 'has a text', params: ({ event }) => event },
      actions: [
        { type: 'queue the answer', params: ({ event }) => event },
        {
          type: 'store',
          params: ({ context, event }) => ({
            staffId: context.staffId,
            answers: context.answers.filter(
              ({ status, comment, kind }) =>
                status === 'queued' && comment.id === event.comment.id && kind === event.kind,
            ),
          }),
        },
      ],
    },
    'answer.cancelled': {
      actions: [
        { type: 'forget', params: ({ context, event }) => ({ keys: cancelledIn(context, event) }) },
        { type: 'remove the answers', params: ({ context, event }) => ({ keys: cancelledIn(context, event) }) },
      ],
    },
    'send.retried': {
      actions: {
        type: 'forward to the flows',
        params: ({ context: { flows }, event: { key } }) => ({
          flows,
          tell: [{ key, event: { type: 'send.retried' } }],
        }),
      },
    },
    'waiting.retried': { actions: 'queue the waiting answers' },
    'check.requested': {
      actions: {
        type: 'forward to the flows',
        params: ({ context: { flows }, event: { key } }) => ({
          flows,
          tell: [{ key, event: { type: 'check.requested' } }],
        }),
      },
    },
    'browser.online': {
      actions: {
        type: 'forward to the flows',
        params: ({ context: { flows, answers } }) => ({
          flows,
          tell: answers.map(({ key }) => ({ key, event: { type: 'browser.online' } })),
        }),
      },
    },
    'send.discarded': {
      guard: { type: 'is not in progress', params: ({ event }) => event },
      actions: [
        { type: 'stop the flow', params: ({ event }) => event },
        { type: 'remove the answers', params: ({ event }) => ({ keys: [event.key] }) },
        { type: 'forget', params: ({ event }) => ({ keys: [event.key] }) },
      ],
    },
    // What was typed about a person who was erased does not stay in the browser.
    'comments.changed': {
      guard: { type: 'was deleted', params: ({ event }) => event },
      actions: [
        { type: 'forget', params: ({ context, event }) => ({ keys: ofDeleted(context, event) }) },
        { type: 'remove the answers', params: ({ context, event }) => ({ keys: ofDeleted(context, event) }) },
      ],
    },
    'flow.progressed': {
      actions: [
        { type: 'update the answer', params: ({ event }) => event },
        { type: 'store', params: ({ context, event }) => ({ staffId: context.staffId, answers: [event.answer] }) },
      ],
    },
    'flow.settled': {
      actions: [
        { type: 'remove the answers', params: ({ event }) => ({ keys: [event.answer.key] }) },
        { type: 'forget', params: ({ event }) => ({ keys: [event.answer.key] }) },
        { type: 'tellSession', params: ({ event }) => settled(event.answer, event.thread) },
      ],
    },
  },
  states: {
    restoring: {
      invoke: {
        id: 'loadAnswers',
        src: 'loadAnswers',
        input: ({ context: { staffId } }) => ({ staffId }),
        onDone: {
          target: 'ready',
          actions: { type: 'restore the answers', params: ({ event }) => ({ left: event.output }) },
        },
        onError: 'ready',
      },
    },
    ready: {
      always: [
        // The flow of an answer that waited for staff still runs.
        {
          guard: 'has an answer to resume',
          actions: [
            {
              type: 'forward to the flows',
              params: ({ context: { flows, answers } }) => ({
                flows,
                tell: one(nextAnswer(answers)).map(({ key }) => ({ key, event: { type: 'send.retried' } })),
              }),
            },
            'mark the next answer as pending',
          ],
        },
        { guard: 'has an answer to start', actions: 'start the next answer' },
      ],
    },
  },
})

const isWaiting = (answer: CommentAnswer): boolean => isSent(answer) && waitsForStaff(answer)
const one = (answer: CommentAnswer | undefined): readonly CommentAnswer[] => (answer === undefined ? [] : [answer])
const keysOf = (answers: readonly CommentAnswer[]): string[] => answers.map(({ key }) => key)
const cancelledIn = ({ answers }: Context, { commentId, kind }: { commentId: string; kind: ReplyKind }) =>
  keysOf(one(typedAnswer(answers, commentId, kind)))
/** An answer on its way is left to its flow: the server refuses it. */
const ofDeleted = ({ answers }: Context, { thread }: CommentsChanged) =>
  keysOf(answers.filter(({ comment, status }) => comment.threadId === thread?.id && status === 'typed'))

export type AnswersActor = ActorRefFrom<typeof answersMachine>

type Snapshot = SnapshotFrom<typeof answersMachine>

/** Undefined until its code is loaded. */
export const answersIn = (system: System): AnswersActor | undefined => system.get('answers')

/** A selector for some of the answers. The array stays the same until one of its answers changes. */
function selectAnswers<Answer extends CommentAnswer>(choose: (answers: readonly CommentAnswer[]) => readonly Answer[]) {
  let last: readonly Answer[] = []
  return (snapshot: Snapshot | undefined): readonly Answer[] => {
    const next = choose(snapshot?.context.answers ?? [])
    if (next.length !== last.length || next.some((answer, index) => answer !== last[index])) last = next
    return last
  }
}

/** The answers that were not sent, failed or are unconfirmed, oldest first. */
export const selectUnsentAnswers = selectAnswers((answers) => answers.filter(isSent).filter(isUnsent))
/** The answers that were not sent because of the connection or a closed tab, oldest first. */
export const selectWaitingAnswers = selectAnswers((answers) => answers.filter(isSent).filter(waitsForStaff))
/** Returns a selector for the answers to a comment that the person asked to send. */
export const selectAnswersTo = (commentId: string) =>
  selectAnswers((answers) => answers.filter(isSent).filter(({ comment }) => comment.id === commentId))
/** Returns a selector for whether an answer in this thread is typed and not sent. */
export const selectHasTyped =
  (threadId: string) =>
  (snapshot: Snapshot | undefined): boolean =>
    snapshot?.context.answers.some(({ status, comment }) => status === 'typed' && comment.threadId === threadId) ??
    false

/** The text that is typed as an answer to a comment; null if none is. */
export const typedTextIn = (system: System, commentId: string, kind: ReplyKind): string | null =>
  typedAnswer(answersIn(system)?.getSnapshot().context.answers ?? [], commentId, kind)?.text ?? null

/** The kind of the answer to a comment that is typed; null if none is. */
export const typedKindIn = (system: System, commentId: string): ReplyKind | null =>
  answersIn(system)
    ?.getSnapshot()
    .context.answers.find(({ status, comment }) => status === 'typed' && comment.id === commentId)?.kind ?? null
