import { type ActorRefFrom, type AnyActorRef, assign, fromPromise, type SnapshotFrom, sendTo, setup } from 'xstate'
import { answeredComment } from '../../domain/comments/answers.ts'
import type { ChangeRequest, CommentChange, DecisionRequest } from '../../domain/comments/comment-calls.ts'
import {
  factsOf,
  isReply,
  offersLikes,
  type PrivateReply,
  type PublicReply,
  privateReplyEnd,
  privateReplyOf,
  publicReplyOf,
  type Visibility,
  visibilityOf,
} from '../../domain/comments/comment-rules.ts'
import { commentToasts } from '../../domain/comments/toasts.ts'
import type { CommentThread, Post, PostComment, ReplyKind } from '../../schemas/comment.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { notifyFailure } from '../notify-failure.ts'
import { reportFailure } from '../on-failure.ts'
import { createSendAction, notify } from '../system.ts'
import { type AnswersEvent, answersIn, typedKindIn } from './answers.ts'

type Told = { comment: PostComment; post: Post }

type Placed = { threadId: string; now: () => number }

type Context = Told &
  Placed & {
    /** The seven days of the private reply have passed. */
    isExpired: boolean
    kind: ReplyKind
    /** An answer was typed before the thread was opened. */
    hasTyped: boolean
    /** `answers` is there to keep the submitted answer. */
    isKept: boolean
    change: CommentChange | null
    decided: DecisionRequest | null
  }

export type CommentActorEvent =
  | ({ type: 'comment.told' } & Told)
  | { type: 'reply.begun'; kind: ReplyKind }
  /** The whole text of the field. */
  | { type: 'reply.typed'; message: string }
  | { type: 'reply.cancelled' }
  | { type: 'reply.submitted'; message: string }
  | { type: 'change.requested'; change: Exclude<CommentChange, { kind: 'delete' }> }
  | { type: 'deletion.requested' }
  | { type: 'deletion.confirmed' }
  | { type: 'deletion.cancelled' }
  /** A decision about an unconfirmed answer. */
  | { type: 'send.decided'; decided: DecisionRequest }

/** The reports of a comment to the dialog that spawned it. */
export type CommentActorReport =
  | { type: 'thread.told'; thread: CommentThread }
  /** A call has failed: the server may know more than the screen shows. */
  | { type: 'thread.invalidated' }

/** Without a parent the machine sends events to itself and ignores them. */
const owner = ({ self }: { self: AnyActorRef }): AnyActorRef => self._parent ?? self

const privateStateOf = ({ comment, post, now, isExpired }: Context): PrivateReply =>
  privateReplyOf(factsOf(comment), post, isExpired ? privateReplyEnd(comment) : now())
const publicStateOf = ({ comment, post }: Context): PublicReply => publicReplyOf(comment, post)

const mayReply = (context: Context, kind: ReplyKind): boolean =>
  (kind === 'private' ? privateStateOf(context) : publicStateOf(context)) === 'possible'

/** Sends `answers` an event. Until it is loaded, the text is in the form only. */
const tellAnswers = createSendAction<AnswersEvent>((event, { system }) => {
  const to = answersIn(system)
  return to === undefined ? [] : [{ to, event }]
})

const answerEvent = (type: 'answer.typed' | 'answer.submitted', context: Context, text: string): AnswersEvent => ({
  type,
  comment: answeredComment(context.comment, context.post, context.threadId),
  kind: context.kind,
  text,
})

const isPrivately = (state: PrivateReply) => ({ type: 'private reply is' as const, params: { state } })
const isPublicly = (state: PublicReply) => ({ type: 'public reply is' as const, params: { state } })
const isSeen = (state: Visibility) => ({ type: 'visibility is' as const, params: { state } })

const reportThread = {
  type: 'report the thread' as const,
  params: ({ event }: { event: { output: CommentThread } }) => ({ thread: event.output }),
}

/**
 * A comment and what the network allows with it now: one private reply within seven days, a public answer, hiding. The rules
 * are states, so what is not allowed is shown before anybody tries it.
 */
export const commentMachine = setup({
  types: {
    context: {} as Context,
    events: {} as CommentActorEvent,
    input: {} as Told & Placed,
  },
  actors: {
    changeComment: fromPromise<CommentThread, ChangeRequest>(mustBeProvided('changeComment')),
    decideSend: fromPromise<CommentThread, DecisionRequest>(mustBeProvided('decideSend')),
  },
  delays: {
    privateReplyLeft: ({ context: { comment, now } }) => Math.max(0, privateReplyEnd(comment) - now()),
  },
  guards: {
    'private reply is': ({ context }, { state }: { state: PrivateReply }) => privateStateOf(context) === state,
    'public reply is': ({ context }, { state }: { state: PublicReply }) => publicStateOf(context) === state,
    'visibility is': ({ context }, { state }: { state: Visibility }) => visibilityOf(context.comment) === state,
    'is allowed': ({ context }, { kind }: { kind: ReplyKind }) => mayReply(context, kind),
    'can be sent': ({ context }, { message }: { message: string }) =>
      mayReply(context, context.kind) && isReply(message, context.kind, context.post.platform),
    'has a typed answer': ({ context }) => context.hasTyped,
    'is kept': ({ context }) => context.isKept,
    'can be changed': ({ context }, { change }: { change: CommentChange }) =>
      context.comment.removed_by === null && (change.kind !== 'like' || offersLikes(context.post.platform)),
    'is not removed': ({ context }) => context.comment.removed_by === null,
    'is open': ({ context }, { decided }: { decided: DecisionRequest }) =>
      context.comment.sends.some(({ key, tries }) => key === decided.key && tries === decided.tries),
  },
  actions: {
    notify,
    'notify failure': notifyFailure,
    'keep the comment': assign((_, { comment, post }: Told) => ({ comment, post })),
    'keep the kind': assign({ kind: (_, { kind }: { kind: ReplyKind }) => kind }),
    'tell the answers': tellAnswers,
    'look for a typed answer': assign(({ context, system }) => {
      const kind = typedKindIn(system, context.comment.id)
      return kind === null ? {} : { kind, hasTyped: true }
    }),
    'look whether the answer is kept': assign({ isKept: ({ system }) => answersIn(system) !== undefined }),
    'remember that it is too late': assign({ isExpired: true }),
    'keep the change': assign({ change: (_, { change }: { change: CommentChange }) => change }),
    'keep the decision': assign({ decided: (_, { decided }: { decided: DecisionRequest }) => decided }),
    'report the thread': sendTo(
      owner,
      (_, { thread }: { thread: CommentThread }): CommentActorReport => ({ type: 'thread.told', thread }),
    ),
    'report the failure': sendTo(owner, { type: 'thread.invalidated' } satisfies CommentActorReport),
  },
}).createMachine({
  id: 'comment',
  context: ({ input }) => ({
    ...input,
    isExpired: false,
    kind: 'public',
    hasTyped: false,
    isKept: false,
    change: null,
    decided: null,
  }),
  type: 'parallel',
  states: {
    privately: {
      initial: 'deciding',
      on: {
        'comment.told': {
          target: '.deciding',
          actions: { type: 'keep the comment', params: ({ event }) => event },
        },
      },
      states: {
        deciding: {
          always: [
            { guard: isPrivately('used'), target: 'used' },
            { guard: isPrivately('unconfirmed'), target: 'unconfirmed' },
            { guard: isPrivately('removed'), target: 'removed' },
            { guard: isPrivately('expired'), target: 'expired' },
            { guard: isPrivately('liveEnded'), target: 'liveEnded' },
            { guard: isPrivately('notOffered'), target: 'notOffered' },
            { target: 'possible' },
          ],
        },
        possible: {
          after: { privateReplyLeft: { target: 'expired', actions: 'remember that it is too late' } },
        },
        used: {},
        unconfirmed: {},
        expired: {},
        liveEnded: {},
        removed: {},
        notOffered: {},
      },
    },
    publicly: {
      initial: 'deciding',
      on: { 'comment.told': '.deciding' },
      states: {
        deciding: {
          always: [
            { guard: isPublicly('removed'), target: 'removed' },
            { guard: isPublicly('liveVideo'), target: 'liveVideo' },
            { guard: isPublicly('hidden'), target: 'hidden' },
            { guard: isPublicly('notOffered'), target: 'notOffered' },
            { target: 'possible' },
          ],
        },
        possible: {},
        liveVideo: {},
        hidden: {},
        removed: {},
        notOffered: {},
      },
    },
    visibility: {
      initial: 'deciding',
      on: { 'comment.told': '.deciding' },
      states: {
        deciding: {
          always: [
            { guard: isSeen('removedByPerson'), target: 'removedByPerson' },
            { guard: isSeen('removedByStaff'), target: 'removedByStaff' },
            { guard: isSeen('hidden'), target: 'hidden' },
            { target: 'shown' },
          ],
        },
        shown: {},
        hidden: {},
        removedByPerson: {},
        removedByStaff: {},
      },
    },
    work: {
      initial: 'restoring',
      states: {
        restoring: {
          entry: 'look for a typed answer',
          always: [{ guard: 'has a typed answer', target: 'writing' }, { target: 'idle' }],
        },
        idle: {
          on: {
            'reply.begun': {
              guard: { type: 'is allowed', params: ({ event }) => event },
              target: 'writing',
              actions: { type: 'keep the kind', params: ({ event }) => event },
            },
            'change.requested': {
              guard: { type: 'can be changed', params: ({ event }) => event },
              target: 'changing',
              actions: { type: 'keep the change', params: ({ event }) => event },
            },
            'deletion.requested': { guard: 'is not removed', target: 'asking' },
            'send.decided': {
              guard: { type: 'is open', params: ({ event }) => event },
              target: 'deciding',
              actions: { type: 'keep the decision', params: ({ event }) => event },
            },
          },
        },
        /** What is typed stays until it is sent, whatever becomes of the comment. `answers` keeps it. */
        writing: {
          on: {
            'reply.typed': {
              actions: {
                type: 'tell the answers',
                params: ({ context, event }) => answerEvent('answer.typed', context, event.message),
              },
            },
            'reply.submitted': {
              guard: { type: 'can be sent', params: ({ event }) => event },
              target: 'handing',
              actions: {
                type: 'tell the answers',
                params: ({ context, event }) => answerEvent('answer.submitted', context, event.message),
              },
            },
            'reply.cancelled': {
              target: 'idle',
              actions: {
                type: 'tell the answers',
                params: ({ context: { comment, kind } }) => ({
                  type: 'answer.cancelled',
                  commentId: comment.id,
                  kind,
                }),
              },
            },
          },
        },
        /** Without `answers` nothing keeps the answer, so it stays in the form. */
        handing: {
          entry: 'look whether the answer is kept',
          always: [{ guard: 'is kept', target: 'idle' }, { target: 'writing' }],
        },
        changing: {
          invoke: {
            id: 'changeComment',
            src: 'changeComment',
            input: ({ context: { comment, change } }) => ({ commentId: comment.id, change: known(change) }),
            onDone: { target: 'idle', actions: reportThread },
            onError: { target: 'idle', actions: [reportFailure(commentToasts.changeFailed), 'report the failure'] },
          },
        },
        asking: {
          on: {
            'deletion.confirmed': {
              target: 'changing',
              actions: { type: 'keep the change', params: { change: { kind: 'delete' } } },
            },
            'deletion.cancelled': 'idle',
          },
        },
        deciding: {
          invoke: {
            id: 'decideSend',
            src: 'decideSend',
            input: ({ context: { decided } }) => known(decided),
            onDone: {
              target: 'idle',
              actions: [
                { type: 'notify', params: ({ context }) => commentToasts.decided[known(context.decided).decision] },
                reportThread,
              ],
            },
            onError: { target: 'idle', actions: [reportFailure(commentToasts.decisionFailed), 'report the failure'] },
          },
        },
      },
    },
  },
})

function known<Value>(value: Value | null): Value {
  if (value === null) throw new Error('a call is made because it was asked for')
  return value
}

export type CommentActor = ActorRefFrom<typeof commentMachine>

type Snapshot = SnapshotFrom<typeof commentMachine>

export const selectComment = (snapshot: Snapshot): PostComment => snapshot.context.comment
export const selectPost = (snapshot: Snapshot): Post => snapshot.context.post
export const selectPrivately = (snapshot: Snapshot): PrivateReply => snapshot.value.privately as PrivateReply
export const selectPublicly = (snapshot: Snapshot): PublicReply => snapshot.value.publicly as PublicReply
export const selectVisibility = (snapshot: Snapshot): Visibility => snapshot.value.visibility as Visibility
/** The kind of the answer that is written; null if none is. */
export const selectReplyKind = (snapshot: Snapshot): ReplyKind | null =>
  snapshot.matches({ work: 'writing' }) ? snapshot.context.kind : null
/** The person is asked whether to delete the comment, or it is being deleted. */
export const selectIsAskedToDelete = (snapshot: Snapshot): boolean => snapshot.matches({ work: 'asking' })
/** A call other than an answer runs. */
export const selectIsBusy = (snapshot: Snapshot): boolean =>
  snapshot.matches({ work: 'changing' }) || snapshot.matches({ work: 'deciding' })
