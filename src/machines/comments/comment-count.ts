import { assign, fromPromise, setup } from 'xstate'
import type { CommentsChanged } from '../../domain/comments/comment-calls.ts'
import { noRetries, type Retries } from '../../domain/retries.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { ifTemporary, reportOnce } from '../on-failure.ts'
import { readingActions, readingDelays, readingGuards, waitingOrRefused } from '../reading.ts'

type Context = Retries & {
  /** Threads without an answer; null until it is loaded. */
  waiting: number | null
  /** Something changed since the number was asked for. */
  isOld: boolean
}

export type CommentCountEvent = CommentsChanged | { type: 'refetch.requested' }

/** Milliseconds. During a live sale the number is read at most once in this time. */
const pause = 1_000

/** The number of threads without an answer, for the column of the views (feature 'comments'). */
export const commentCountMachine = setup({
  types: { context: {} as Context, events: {} as CommentCountEvent },
  actors: { loadCount: fromPromise<number>(mustBeProvided('loadCount')) },
  delays: { ...readingDelays, pause },
  guards: { ...readingGuards, 'is old': ({ context }) => context.isOld },
  actions: {
    ...readingActions,
    'mark as old': assign({ isOld: true }),
    'expect a new count': assign({ isOld: false }),
    'keep the count': assign((_, { waiting }: { waiting: number }) => ({ waiting, ...noRetries })),
  },
}).createMachine({
  id: 'commentCount',
  context: { waiting: null, isOld: false, ...noRetries },
  initial: 'loading',
  states: {
    loading: {
      entry: 'expect a new count',
      invoke: {
        id: 'loadCount',
        src: 'loadCount',
        onDone: {
          target: 'known',
          actions: { type: 'keep the count', params: ({ event }) => ({ waiting: event.output }) },
        },
        onError: [
          { guard: ifTemporary, target: 'failed.waiting', actions: reportOnce() },
          { target: 'failed.refused', actions: reportOnce() },
        ],
      },
      // The answer on its way may be older.
      on: { 'comments.changed': { actions: 'mark as old' } },
    },
    known: {
      always: { guard: 'is old', target: 'old' },
      on: { 'comments.changed': 'old', 'refetch.requested': 'loading' },
    },
    old: { after: { pause: 'loading' }, on: { 'refetch.requested': 'loading' } },
    failed: {
      ...waitingOrRefused('#commentCount.loading'),
      on: { 'comments.changed': 'old', 'refetch.requested': 'loading' },
    },
  },
})
