import type { ActorRefFrom, SnapshotFrom } from 'xstate'
import { assign, fromPromise, raise, sendTo, setup } from 'xstate'
import { noRetries, type Retries } from '../../domain/retries.ts'
import { savedReplyToasts } from '../../domain/send/saved-reply-toasts.ts'
import type { SavedReply } from '../../schemas/saved-reply.ts'
import {
  afterDismissal,
  afterSaving,
  askingToDelete,
  formListGuards,
  type ListEvent,
  listLeadingTo,
} from '../lists-with-forms.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { reportFailure } from '../on-failure.ts'
import { afterFailedRead, failedRead, readingActions, readingDelays, readingGuards } from '../reading.ts'
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
  delays: readingDelays,
  guards: {
    ...readingGuards,
    ...formListGuards,
  },
  actions: {
    notify,
    ...readingActions,
    'keep the replies': assign((_, { replies }: { replies: readonly SavedReply[] }) => ({ replies, ...noRetries })),
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
                onError: afterFailedRead(savedReplyToasts.failed),
              },
            },
            showing: {},
            /** The earlier replies stay. */
            failed: failedRead('#savedReplyManager.open.list.loading'),
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
                onDone: [afterDismissal('#savedReplyManager.dismissed'), ...afterSaving('invalidate the replies')],
              },
              on: { 'dialog.dismissed': { actions: 'request close of the form' } },
            },
            asking: {
              on: askingToDelete('deleting'),
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
