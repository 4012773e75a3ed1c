import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { assign, fromPromise, raise, sendTo, setup } from 'xstate'
import { noRetries, type Retries, retriesAfter } from '../../domain/retries.ts'
import { savedReplyToasts } from '../../domain/send/saved-reply-toasts.ts'
import type { SavedReply } from '../../schemas/saved-reply.ts'
import { afterDismissal, type ListEvent, listLeadingTo } from '../lists-with-forms.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { notifyFailure } from '../notify-failure.ts'
import { ifTemporary, isTemporary, reportFailure, reportOnce } from '../on-failure.ts'
import { notify } from '../system.ts'
import { savedReplyFormMachine } from './saved-reply-form.ts'

declare module '../shell/dialog.ts' {
  interface DialogLogics {
    savedReplyManager: typeof savedReplyManagerMachine
  }
}

type Context = Retries & {
  /** By name. Null until they are loaded. */
  replies: readonly SavedReply[] | null
  /** The saved reply to edit or delete; null for a new one. */
  item: SavedReply | null
}

export type SavedReplyManagerEvent = { type: 'refetch.requested' } | ListEvent<SavedReply>

/** The dialog of saved replies: the list with the uses of each, and the form. */
export const savedReplyManagerMachine = setup({
  types: {
    context: {} as Context,
    events: {} as SavedReplyManagerEvent | { type: 'replies.invalidated' },
    children: {} as { savedReplyForm: 'savedReplyForm' },
  },
  actors: {
    savedReplyForm: savedReplyFormMachine,
    loadReplies: fromPromise<readonly SavedReply[]>(mustBeProvided('loadReplies')),
    deleteReply: fromPromise<void, { id: string }>(mustBeProvided('deleteReply')),
  },
  delays: { retryDelay: ({ context }) => context.retryDelay },
  guards: {
    'is temporary': isTemporary,
    'was dismissed': (_, { isDismissed }: { isDismissed: boolean }) => isDismissed,
    'may have saved': (_, { mayHaveSaved }: { mayHaveSaved: boolean }) => mayHaveSaved,
  },
  actions: {
    notify,
    'notify failure': notifyFailure,
    'keep the replies': assign((_, { replies }: { replies: readonly SavedReply[] }) => ({ replies, ...noRetries })),
    'count the failure': assign(({ context }, { error }: { error: unknown }) => retriesAfter(context, error)),
    'reset the failure count': assign(noRetries),
    'keep the item': assign({ item: (_, { item }: { item: SavedReply | null }) => item }),
    'remove the reply from the list': assign({
      replies: ({ context }) => context.replies?.filter(({ id }) => id !== context.item?.id) ?? null,
    }),
    'invalidate the replies': raise({ type: 'replies.invalidated' }),
    'request close of the form': sendTo('savedReplyForm', { type: 'dialog.dismissed' }),
  },
}).createMachine({
  id: 'savedReplyManager',
  context: { replies: null, item: null, ...noRetries },
  initial: 'open',
  states: {
    open: {
      type: 'parallel',
      states: {
        list: {
          initial: 'loading',
          on: { 'replies.invalidated': '.loading' },
          states: {
            loading: {
              invoke: {
                id: 'loadReplies',
                src: 'loadReplies',
                onDone: {
                  target: 'showing',
                  actions: { type: 'keep the replies', params: ({ event }) => ({ replies: event.output }) },
                },
                onError: [
                  { guard: ifTemporary, target: 'failed.waiting', actions: reportOnce(savedReplyToasts.failed) },
                  { target: 'failed.refused', actions: reportFailure(savedReplyToasts.failed) },
                ],
              },
            },
            showing: {},
            /** The earlier replies stay. */
            failed: {
              initial: 'waiting',
              states: {
                waiting: { after: { retryDelay: '#savedReplyManager.open.list.loading' } },
                refused: {},
              },
              on: { 'refetch.requested': { target: 'loading', actions: 'reset the failure count' } },
            },
          },
        },
        work: {
          initial: 'list',
          states: {
            list: listLeadingTo('#savedReplyManager.dismissed'),
            form: {
              invoke: {
                id: 'savedReplyForm',
                src: 'savedReplyForm',
                input: ({ context: { item, replies } }) => ({
                  item,
                  others: (replies ?? []).filter(({ id }) => id !== item?.id),
                }),
                onDone: [
                  afterDismissal('#savedReplyManager.dismissed'),
                  {
                    guard: { type: 'may have saved', params: ({ event }) => event.output },
                    target: 'list',
                    actions: 'invalidate the replies',
                  },
                  { target: 'list' },
                ],
              },
              on: { 'dialog.dismissed': { actions: 'request close of the form' } },
            },
            asking: {
              on: { 'deletion.confirmed': 'deleting', 'deletion.cancelled': 'list', 'dialog.dismissed': 'list' },
            },
            deleting: {
              invoke: {
                id: 'deleteReply',
                src: 'deleteReply',
                input: ({ context }) => ({ id: context.item?.id ?? '' }),
                onDone: {
                  target: 'list',
                  actions: [
                    'remove the reply from the list',
                    { type: 'notify', params: savedReplyToasts.deleted },
                    'invalidate the replies',
                  ],
                },
                onError: {
                  target: 'list',
                  // It may have been deleted although the answer was lost.
                  actions: [reportFailure(savedReplyToasts.deleteFailed), 'invalidate the replies'],
                },
              },
            },
          },
        },
      },
    },
    dismissed: { type: 'final' },
  },
})

export type SavedReplyManagerActor = ActorRefFrom<typeof savedReplyManagerMachine>

type Snapshot = SnapshotFrom<typeof savedReplyManagerMachine>

/** The open form; undefined while the list is shown. */
export const selectForm = (snapshot: Snapshot) => snapshot.children.savedReplyForm

/** All saved replies; null until they are loaded. */
export const selectReplies = (snapshot: Snapshot): readonly SavedReply[] | null => snapshot.context.replies

/** The saved reply that the person edited or was asked to delete last; null for a new one. */
export const selectReply = (snapshot: Snapshot): SavedReply | null => snapshot.context.item

export const selectHaveFailed = (snapshot: Snapshot): boolean => snapshot.matches({ open: { list: 'failed' } })

/** The saved reply whose deletion the person is asked to confirm; null if the question is not shown. */
export const selectAskedAbout = (snapshot: Snapshot): SavedReply | null =>
  snapshot.matches({ open: { work: 'asking' } }) || snapshot.matches({ open: { work: 'deleting' } })
    ? snapshot.context.item
    : null
export const selectIsDeleting = (snapshot: Snapshot): boolean => snapshot.matches({ open: { work: 'deleting' } })
