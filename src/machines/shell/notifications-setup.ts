import { assign, type EventObject, fromCallback, fromPromise, raise, sendTo, setup, stateIn } from 'xstate'
import type { CommentsChanged } from '../../domain/comments/comment-calls.ts'
import type { Sender } from '../../domain/list/new-messages.ts'
import type { Notice } from '../../domain/list/notices.ts'
import { noRetries, type Retries, retriesAfter } from '../../domain/retries.ts'
import type { MessageChange, StateReport } from '../../domain/shell/changes.ts'
import type { NotificationPermissionState, NotificationReport } from '../../domain/shell/notification-calls.ts'
import type { NoteChange } from '../../domain/thread/colleague-calls.ts'
import type { AuthUser } from '../../schemas/auth.ts'
import type { SavedNotificationSettings } from '../../schemas/notification-settings.ts'
import { mustBeGiven, mustBeProvided } from '../must-be-provided.ts'
import { isTemporary } from '../on-failure.ts'
import { tellSession } from '../session-events.ts'
import { type PushChanged, pushMachine } from './push.ts'
import {
  type AnnouncedComments,
  type CommentsParams,
  gatheredThreads,
  isOfOpen,
  type NoteParams,
  type NoticeContext,
  noticesOfComments,
  noticesOfMessages,
  noticesOfNote,
  noticesOfSnoozes,
  rememberedSnoozes,
  type StatesParams,
  sendersOfOpen,
  settingsOf,
} from './raised-notices.ts'

type Context = Retries &
  NoticeContext & {
    isHidden: boolean
    /** Whether the API offers Web Push. */
    hasPush: boolean
    /** The service worker notifies this browser while its tabs are hidden. */
    isPushed: boolean
    /** The threads of the last notification about many comments that still wait for an answer. */
    gathered: readonly string[]
  }

export type CommentsAnnounced = { type: 'comments.announced'; news: AnnouncedComments }

export type NotificationsEvent =
  | NotificationReport
  | PushChanged
  | { type: 'conversation.opened'; id: string }
  | { type: 'conversation.closed' }
  | { type: 'tab.shown' }
  | { type: 'tab.hidden' }
  /** The session has announced messages that the open thread does not show. The ids of the senders are conversations. */
  | { type: 'messages.announced'; senders: readonly Sender[] }
  | { type: 'messages.changed'; changes: readonly MessageChange[] }
  | { type: 'states.changed'; changes: readonly StateReport[] }
  | { type: 'note.changed'; change: NoteChange }
  | CommentsAnnounced
  | CommentsChanged
  | { type: 'refetch.requested' }
  /** The dialog has saved or received settings. */
  | { type: 'settings.saved'; saved: SavedNotificationSettings }
  | { type: 'permission.requested' }
  | { type: 'sound.tested' }
  | { type: 'notice.tested' }
  /** Raised by the machine itself. */
  | { type: 'notices.due'; notices: readonly Notice[] }

type Due = { notices: readonly Notice[] }

const due = (notices: readonly Notice[]) => ({ type: 'notices.due' as const, notices })

export const notificationsSetup = setup({
  types: {
    context: {} as Context,
    events: {} as NotificationsEvent,
    input: {} as { user: AuthUser; userId: string; id: string | null; isHidden: boolean; now: () => number },
  },
  actors: {
    loadSettings: fromPromise<SavedNotificationSettings>(mustBeProvided('loadSettings')),
    requestPermission: fromPromise<NotificationPermissionState>(mustBeProvided('requestPermission')),
    /** Sends `NotificationReport`s. */
    push: pushMachine,
    watchBrowser: fromCallback<EventObject, { userId: string }>(mustBeGiven('watchBrowser')),
  },
  delays: { retryDelay: ({ context }) => context.retryDelay },
  guards: {
    'is temporary': isTemporary,
    is: (_, { is, permission }: { is: NotificationPermissionState; permission: NotificationPermissionState }) =>
      is === permission,
    'needs no answer': (_, { thread }: CommentsChanged) => thread?.isWaiting === false,
    'is the last gathered one without an answer': ({ context: { gathered } }, { thread }: CommentsChanged) =>
      thread?.isWaiting === false && gathered.length > 0 && gathered.every((id) => id === thread.id),
    'is visible': ({ context }) => !context.isHidden,
    'wants a sound': ({ context }, { notices }: Due) => notices.length > 0 && settingsOf(context)?.sound === true,
    'wants a desktop notification': ({ context }, { notices }: Due) =>
      notices.length > 0 && settingsOf(context)?.desktop === true && !(context.isPushed && context.isHidden),
    'has push': ({ context }) => context.hasPush,
    'the person looks here': stateIn({ attention: 'here' }),
    'the person looks elsewhere': stateIn({ attention: 'away' }),
  },
  actions: {
    tellSession,
    'keep the settings': assign({
      saved: (_, { saved }: { saved: SavedNotificationSettings }) => saved,
      ...noRetries,
    }),
    'count the failure': assign(({ context }, { error }: { error: unknown }) => retriesAfter(context, error)),
    'keep the conversation': assign({ id: (_, { id }: { id: string | null }) => id }),
    'keep whether push is on': assign({ isPushed: (_, { isOn }: { isOn: boolean }) => isOn }),
    'tell push': sendTo('push', ({ event }) => event),
    'remember that the tab is hidden': assign({ isHidden: true }),
    'remember that the tab is visible': assign({ isHidden: false }),
    // While the tab is visible, the messages of the open conversation are raised as they arrive, or not at all.
    'raise for messages elsewhere': raise(({ context, system }, { senders }: { senders: readonly Sender[] }) => {
      const elsewhere = senders.filter(({ id }) => context.isHidden || !isOfOpen(system, context, id))
      return due(noticesOfMessages(system, context, elsewhere))
    }),
    'raise for messages of the open conversation': raise(
      ({ context, system }, { changes }: { changes: readonly MessageChange[] }) =>
        due(noticesOfMessages(system, context, sendersOfOpen(system, context, changes))),
    ),
    'raise for ended snoozes': raise(({ context, system }, params: StatesParams) =>
      due(noticesOfSnoozes(system, context, params)),
    ),
    'remember the ended snoozes': assign({
      returned: ({ context }, { changes }: { changes: readonly StateReport[] }) => rememberedSnoozes(context, changes),
    }),
    'raise for a mention': raise(({ context, system }, params: NoteParams) =>
      due(noticesOfNote(system, context, params)),
    ),
    'raise for comments': raise(({ context }, params: CommentsParams) => due(noticesOfComments(context, params))),
    'remember the gathered threads': assign({
      gathered: ({ context }, params: CommentsParams) => gatheredThreads(context, params) ?? context.gathered,
    }),
    'play the sound': mustBeGiven('play the sound') as () => void,
    'show the notices': mustBeGiven('show the notices') as (_: unknown, params: Due) => void,
    'close the notice': mustBeGiven('close the notice') as (_: unknown, params: { tag: string }) => void,
    'forget the gathered thread': assign({
      gathered: ({ context }, { thread }: CommentsChanged) => context.gathered.filter((id) => id !== thread?.id),
    }),
  },
})
