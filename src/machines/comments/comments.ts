import { type ActorRefFrom, assign, fromPromise, type SnapshotFrom, sendTo, setup } from 'xstate'
import type { CommentsChanged, ThreadFilter, ThreadsRequest } from '../../domain/comments/comment-calls.ts'
import { commentToasts } from '../../domain/comments/toasts.ts'
import { noRetries, type Retries } from '../../domain/retries.ts'
import { type CommentList, type CommentView, commentLimits, type ThreadRow } from '../../schemas/comment.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { reportFailure } from '../on-failure.ts'
import { afterFailedRead, failedRead, readingActions, readingDelays, readingGuards } from '../reading.ts'
import { commentThreadMachine } from './comment-thread.ts'

declare module '../shell/dialog.ts' {
  interface DialogLogics {
    comments: typeof commentsMachine
  }
}

/** With a `conversationId` the dialog shows the comments of its person, and closes when another conversation opens. */
export type CommentsInput = {
  conversationId?: string
  /** The thread that is open at first. */
  threadId?: string
  now?: () => number
}

type Context = Retries & {
  filter: ThreadFilter
  conversationId: string | null
  now: () => number
  view: CommentView
  /** Newest first. Null until the first page is loaded. */
  threads: readonly ThreadRow[] | null
  next: string | null
  /** Something changed since the list was asked for. */
  isOld: boolean
  /** The chosen thread; null if none is. */
  threadId: string | null
}

export type CommentsEvent =
  | CommentsChanged
  | { type: 'view.chosen'; view: CommentView }
  | { type: 'search.typed'; search: string }
  /** Null shows all. */
  | { type: 'page.chosen'; pageId: string | null }
  | { type: 'post.chosen'; postId: string | null }
  | { type: 'thread.chosen'; id: string }
  /** On narrow screens: back to the list. */
  | { type: 'thread.left' }
  | { type: 'more.requested' }
  | { type: 'refetch.requested' }
  | { type: 'dialog.dismissed' }

/** Milliseconds after which a list that changed is read again, so that a live sale does not read it for each comment. */
const listPause = 1_000
/** Milliseconds after the last key before the search is sent (spec section 9: modal search debounce). */
const searchPause = 300

/**
 * As many rows as are shown, so that a person who scrolls loses none; with more than `mostThreads`, those below are removed and
 * can be loaded again.
 */
const rowsToRead = ({ threads }: Context): number =>
  Math.min(Math.max(commentLimits.threads, threads?.length ?? 0), commentLimits.mostThreads)

const requestOf = (
  { view, conversationId, filter }: Context,
  part: Pick<ThreadsRequest, 'after' | 'limit'>,
): ThreadsRequest => ({ ...filter, view, conversationId, ...part })

const noThreads = { threads: null, next: null }

/** The dialog of comments: the list of threads, and the open one. */
export const commentsMachine = setup({
  types: {
    context: {} as Context,
    events: {} as CommentsEvent,
    input: {} as CommentsInput,
    children: {} as { commentThread: 'commentThread' },
  },
  actors: {
    commentThread: commentThreadMachine,
    loadThreads: fromPromise<CommentList, ThreadsRequest>(mustBeProvided('loadThreads')),
  },
  delays: { ...readingDelays, listPause, searchPause },
  guards: {
    ...readingGuards,
    'has more': ({ context }) => context.next !== null,
    'is old': ({ context }) => context.isOld,
    'has a thread': ({ context }) => context.threadId !== null,
  },
  actions: {
    ...readingActions,
    'keep the list': assign((_, { list }: { list: CommentList }) => ({ ...list, ...noRetries })),
    'add the page': assign(({ context }, { list }: { list: CommentList }) => {
      const known = new Set((context.threads ?? []).map(({ id }) => id))
      const added = list.threads.filter(({ id }) => !known.has(id))
      return { threads: [...(context.threads ?? []), ...added], next: list.next }
    }),
    'mark as old': assign({ isOld: true }),
    'expect a new list': assign({ isOld: false }),
    'show the view': assign((_, { view }: { view: CommentView }) => ({ view, ...noThreads })),
    'change the filter': assign(({ context }, change: Partial<ThreadFilter>) => ({
      filter: { ...context.filter, ...change },
      ...noThreads,
    })),
    'choose the thread': assign({ threadId: (_, { id }: { id: string | null }) => id }),
    'tell the thread': sendTo('commentThread', (_, changed: CommentsChanged) => changed),
  },
}).createMachine({
  id: 'comments',
  context: ({ input }) => ({
    filter: { search: '', pageId: null, postId: null },
    conversationId: input.conversationId ?? null,
    now: input.now ?? Date.now,
    // All comments of one person, those that wait of everybody.
    view: input.conversationId === undefined ? 'waiting' : 'all',
    ...noThreads,
    isOld: false,
    threadId: input.threadId ?? null,
    ...noRetries,
  }),
  initial: 'open',
  states: {
    open: {
      type: 'parallel',
      on: { 'dialog.dismissed': 'closed' },
      states: {
        list: {
          initial: 'loading',
          on: {
            'comments.changed': { actions: 'mark as old' },
            'view.chosen': { target: '.loading', actions: { type: 'show the view', params: ({ event }) => event } },
            'search.typed': {
              target: '.typing',
              actions: { type: 'change the filter', params: ({ event }) => ({ search: event.search.trim() }) },
            },
            'page.chosen': {
              target: '.loading',
              actions: { type: 'change the filter', params: ({ event }) => ({ pageId: event.pageId }) },
            },
            'post.chosen': {
              target: '.loading',
              actions: { type: 'change the filter', params: ({ event }) => ({ postId: event.postId }) },
            },
          },
          states: {
            typing: { after: { searchPause: 'loading' } },
            loading: {
              entry: 'expect a new list',
              invoke: {
                id: 'loadThreads',
                src: 'loadThreads',
                input: ({ context }) => requestOf(context, { after: null, limit: rowsToRead(context) }),
                onDone: {
                  target: 'showing',
                  actions: { type: 'keep the list', params: ({ event }) => ({ list: event.output }) },
                },
                onError: afterFailedRead(commentToasts.listFailed),
              },
              // Only a list that is read again has more. A live sale would otherwise never let the next page load.
              on: { 'more.requested': { guard: 'has more', target: 'showing.loadingMore', actions: 'mark as old' } },
            },
            /** An earlier list stays. */
            failed: failedRead('#comments.open.list.loading'),
            showing: {
              initial: 'idle',
              states: {
                idle: {
                  always: { guard: 'is old', target: 'old' },
                  on: { 'more.requested': { guard: 'has more', target: 'loadingMore' } },
                },
                old: {
                  after: { listPause: '#comments.open.list.loading' },
                  on: { 'more.requested': { guard: 'has more', target: 'loadingMore' } },
                },
                loadingMore: {
                  invoke: {
                    id: 'loadMore',
                    src: 'loadThreads',
                    input: ({ context }) => requestOf(context, { after: context.next, limit: commentLimits.threads }),
                    onDone: {
                      target: 'idle',
                      actions: { type: 'add the page', params: ({ event }) => ({ list: event.output }) },
                    },
                    onError: { target: 'idle', actions: reportFailure(commentToasts.listFailed) },
                  },
                },
              },
            },
          },
        },
        thread: {
          initial: 'none',
          states: {
            none: {
              always: { guard: 'has a thread', target: 'chosen' },
              on: {
                'thread.chosen': {
                  target: 'chosen',
                  actions: { type: 'choose the thread', params: ({ event }) => event },
                },
              },
            },
            chosen: {
              invoke: {
                id: 'commentThread',
                src: 'commentThread',
                input: ({ context: { threadId, now } }) => ({ threadId: threadId ?? '', now }),
              },
              on: {
                // Only this state re-enters. If the region did, the list would be read again.
                'thread.chosen': {
                  target: 'chosen',
                  reenter: true,
                  actions: { type: 'choose the thread', params: ({ event }) => event },
                },
                'comments.changed': { actions: { type: 'tell the thread', params: ({ event }) => event } },
                'thread.left': { target: 'none', actions: { type: 'choose the thread', params: { id: null } } },
              },
            },
          },
        },
      },
    },
    closed: { type: 'final' },
  },
})

export type CommentsActor = ActorRefFrom<typeof commentsMachine>

type Snapshot = SnapshotFrom<typeof commentsMachine>

export const selectView = (snapshot: Snapshot): CommentView => snapshot.context.view
export const selectFilter = (snapshot: Snapshot): ThreadFilter => snapshot.context.filter
/** All comments of one person are shown. */
export const selectIsOfPerson = (snapshot: Snapshot): boolean => snapshot.context.conversationId !== null
/** Null until the first page is loaded. */
export const selectThreads = (snapshot: Snapshot): readonly ThreadRow[] | null => snapshot.context.threads
export const selectListHasFailed = (snapshot: Snapshot): boolean => snapshot.matches({ open: { list: 'failed' } })
export const selectHasMore = (snapshot: Snapshot): boolean =>
  snapshot.context.next !== null && !selectListHasFailed(snapshot)
export const selectIsLoadingMore = (snapshot: Snapshot): boolean =>
  snapshot.matches({ open: { list: { showing: 'loadingMore' } } })
export const selectThreadId = (snapshot: Snapshot): string | null => snapshot.context.threadId
export const selectOpenThread = (snapshot: Snapshot) => snapshot.children.commentThread
