import { type ActorRefFrom, assign, fromPromise, type SnapshotFrom, setup } from 'xstate'
import type { CommentsChanged, DoneRequest } from '../../domain/comments/comment-calls.ts'
import { commentToasts } from '../../domain/comments/toasts.ts'
import { noRetries, type Retries } from '../../domain/retries.ts'
import type { CommentThread } from '../../schemas/comment.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { reportFailure } from '../on-failure.ts'
import { afterFailedRead, failedRead, readingActions, readingDelays, readingGuards } from '../reading.ts'
import { createSendAction } from '../system.ts'
import { type CommentActor, type CommentActorReport, commentMachine } from './comment.ts'

type Input = { threadId: string; now: () => number }

type Context = Retries &
  Input & {
    /** Null until it is loaded. */
    thread: CommentThread | null
    /** Something changed since the thread was asked for. */
    isOld: boolean
    /** A machine for each comment of the thread, in its order. */
    comments: readonly CommentActor[]
  }

export type CommentThreadEvent =
  | CommentsChanged
  | CommentActorReport
  /** The thread needs no answer. */
  | { type: 'done.requested' }
  | { type: 'refetch.requested' }

/** Milliseconds after which a thread that changed is read again. */
const pause = 300

const idOf = (actor: CommentActor): string => actor.getSnapshot().context.comment.id

type Told = { comments: readonly CommentActor[]; thread: CommentThread }

/** New comments have no machine yet, and learn the same at their start. */
const tellComments = createSendAction<Told>(({ comments, thread }) =>
  comments.flatMap((to) => {
    const comment = thread.comments.find(({ id }) => id === idOf(to))
    return comment === undefined ? [] : [{ to, event: { type: 'comment.told', comment, post: thread.post } }]
  }),
)

const keepAnswer = [
  {
    type: 'tell the comments' as const,
    params: ({ context, event }: { context: Context; event: { output: CommentThread } }) => ({
      comments: context.comments,
      thread: event.output,
    }),
  },
  {
    type: 'keep the thread' as const,
    params: ({ event }: { event: { output: CommentThread } }) => ({ thread: event.output }),
  },
]

function toldIn({ told }: CommentsChanged): CommentThread {
  if (told === undefined) throw new Error('the guard has seen the thread')
  return told
}

const watching = {
  'comments.changed': {
    guard: { type: 'is about the thread' as const, params: ({ event }: { event: CommentsChanged }) => event },
    actions: 'mark as old' as const,
  },
}

/** The open thread of comments, with a machine for each comment. */
export const commentThreadMachine = setup({
  types: { context: {} as Context, events: {} as CommentThreadEvent, input: {} as Input },
  actors: {
    comment: commentMachine,
    loadThread: fromPromise<CommentThread, { threadId: string }>(mustBeProvided('loadThread')),
    finishThread: fromPromise<CommentThread, DoneRequest>(mustBeProvided('finishThread')),
  },
  delays: { ...readingDelays, pause },
  guards: {
    ...readingGuards,
    'is old': ({ context }) => context.isOld,
    'is about the thread': ({ context }, { thread }: CommentsChanged) =>
      thread === null || thread.id === context.threadId || thread.postId === context.thread?.post.id,
    'tells the thread': ({ context }, { told }: CommentsChanged) => told?.id === context.threadId,
    waits: ({ context }) => context.thread !== null && context.thread.waiting_since !== null,
  },
  actions: {
    ...readingActions,
    'tell the comments': tellComments,
    'mark as old': assign({ isOld: true }),
    'expect a new answer': assign({ isOld: false }),
    'keep the thread': assign(({ context, spawn }, { thread }: { thread: CommentThread }) => {
      const known = new Map(context.comments.map((actor) => [idOf(actor), actor]))
      const actorOf = (comment: CommentThread['comments'][number]) =>
        known.get(comment.id) ??
        spawn('comment', { input: { comment, post: thread.post, threadId: context.threadId, now: context.now } })
      return { thread, comments: thread.comments.map(actorOf), ...noRetries }
    }),
  },
}).createMachine({
  id: 'commentThread',
  context: ({ input }) => ({ ...input, thread: null, isOld: false, comments: [], ...noRetries }),
  initial: 'loading',
  states: {
    loading: {
      entry: 'expect a new answer',
      on: watching,
      invoke: {
        id: 'loadThread',
        src: 'loadThread',
        input: ({ context: { threadId } }) => ({ threadId }),
        onDone: { target: 'showing', actions: keepAnswer },
        onError: afterFailedRead(commentToasts.threadFailed),
      },
    },
    /** An earlier answer stays. */
    failed: failedRead('#commentThread.loading'),
    showing: {
      initial: 'idle',
      on: {
        'comments.changed': [
          {
            guard: { type: 'tells the thread', params: ({ event }) => event },
            actions: [
              {
                type: 'tell the comments',
                params: ({ context, event }) => ({ comments: context.comments, thread: toldIn(event) }),
              },
              { type: 'keep the thread', params: ({ event }) => ({ thread: toldIn(event) }) },
            ],
          },
          watching['comments.changed'],
        ],
        'thread.told': {
          actions: [
            {
              type: 'tell the comments',
              params: ({ context, event }) => ({ comments: context.comments, thread: event.thread }),
            },
            { type: 'keep the thread', params: ({ event }) => event },
          ],
        },
        'thread.invalidated': { actions: 'mark as old' },
      },
      states: {
        idle: {
          always: { guard: 'is old', target: 'old' },
          on: { 'done.requested': { guard: 'waits', target: 'finishing' } },
        },
        old: { after: { pause: '#commentThread.loading' } },
        finishing: {
          invoke: {
            id: 'finishThread',
            src: 'finishThread',
            input: ({ context: { threadId, thread } }) => ({ threadId, upTo: thread?.last_at ?? '' }),
            onDone: { target: 'idle', actions: keepAnswer },
            onError: { target: 'idle', actions: reportFailure(commentToasts.doneFailed) },
          },
        },
      },
    },
  },
})

export type CommentThreadActor = ActorRefFrom<typeof commentThreadMachine>

type Snapshot = SnapshotFrom<typeof commentThreadMachine>

/** Null until it is loaded. */
export const selectThread = (snapshot: Snapshot): CommentThread | null => snapshot.context.thread
export const selectThreadHasFailed = (snapshot: Snapshot): boolean => snapshot.matches('failed')
export const selectComments = (snapshot: Snapshot): readonly CommentActor[] => snapshot.context.comments
export const selectIsFinishing = (snapshot: Snapshot): boolean => snapshot.matches({ showing: 'finishing' })
