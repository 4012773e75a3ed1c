import type { SnapshotFrom } from 'xstate'
import { threadOf } from '../../domain/thread/saved-inbox.ts'
import { emptyThread, hasOlder, isLoaded } from '../../domain/thread/thread-messages.ts'
import { threadToasts } from '../../domain/thread/toasts.ts'
import type { ConversationStart, Message } from '../../schemas/message.ts'
import { content, following } from './thread-content.ts'
import { reading } from './thread-reading.ts'
import { ofUser, threadSetup, unreadIn } from './thread-setup.ts'

/**
 * The open conversation (spec sections 2 and 4). Loads the newest messages, loads older messages on demand, and marks
 * visible messages as read. Changes that arrive during a fetch are applied again after the fetched page, so the page
 * cannot undo them.
 */
export const threadMachine = threadSetup.createMachine({
  id: 'thread',
  context: ({ input: { saved, user, ...input } }) => ({
    ...input,
    ...ofUser(user),
    thread: saved ? threadOf(saved) : emptyThread,
    isSaved: saved != null,
    receivedMeanwhile: [],
    newestPage: 1,
    beforeGap: null,
    isExact: true,
    older: { page: 1, adjoins: true, isLast: false, before: null },
    isOlderRequested: false,
    needsResync: false,
    unreadFrom: null,
    needsMarkingAsRead: false,
    wasAskedToRead: false,
    wasRefusalShown: false,
    isEndSeen: true,
    linkedTo: null,
    clientId: null,
    lookedUpAsOf: 0,
    wasLookedUp: false,
    failures: 0,
    retryDelay: 0,
  }),
  type: 'parallel',
  invoke: [
    { src: 'watchConversation', id: 'watchConversation', input: ({ context }) => ({ id: context.id }) },
    { src: 'summaries', id: 'summaries' },
    { src: 'sendRoute', id: 'sendRoute', systemId: 'sendRoute' },
    { src: 'replyDecision', id: 'replyDecision' },
  ],
  on: {
    'conversation.changed': { actions: following },
    'message.sent': {
      guard: { type: 'is of this conversation', params: ({ event }) => event },
      actions: [{ type: 'add the sent message', params: ({ event }) => event }, 'clear the unread mark'],
    },
    'user.confirmed': { actions: { type: 'use the permissions', params: ({ event }) => event } },
    'tab.shown': { actions: 'remember that the tab is visible' },
    'tab.hidden': { actions: 'remember that the tab is hidden' },
    'end.seen': { actions: 'remember that the end is in view' },
    'end.left': { actions: 'remember that the end is out of view' },
    'route.requested': {
      guard: 'has a conversation',
      actions: { type: 'request the route', params: ({ event }) => event },
    },
    'summary.requested': { actions: { type: 'request a summary', params: ({ event }) => event } },
  },
  states: {
    content,
    reading,
    /** Handles events that may change the send route. Runs in parallel to the other states. */
    route: {
      on: {
        'messages.changed': {
          actions: { type: 'forward to the send route', params: ({ event }) => ({ changes: event.changes }) },
        },
        'resync.requested': { actions: 'invalidate the send route' },
      },
    },
    /** Loads the profile and the orders of the linked client, independently of each other. */
    client: {
      initial: 'none',
      states: {
        none: { always: { guard: 'has another client', target: 'linked' } },
        linked: {
          entry: 'use the client',
          exit: 'clear the client',
          invoke: [
            { src: 'holdClients', id: 'holdClients', input: ({ context }) => ({ ids: [context.clientId ?? ''] }) },
            {
              src: 'clientProfile',
              id: 'clientProfile',
              systemId: 'clientProfile',
              input: ({ context }) => ({ clientId: context.clientId ?? '' }),
            },
            {
              src: 'clientOrders',
              id: 'clientOrders',
              systemId: 'clientOrders',
              input: ({ context }) => ({ clientId: context.clientId ?? '', own: threadToasts.ordersFailed }),
            },
          ],
          always: [
            { guard: 'has no client', target: 'none' },
            { guard: 'has another client', target: 'linked', reenter: true },
          ],
        },
      },
    },
  },
})

type Snapshot = SnapshotFrom<typeof threadMachine>

/** The row id of the conversation; null until the conversation is found, and after it is gone. */
export const selectConversationId = (snapshot: Snapshot): string | null =>
  selectIsNotFound(snapshot) ? null : snapshot.context.conversationId

/** Oldest first. The array stays the same until a message changes; an unchanged message stays the same object. */
export const selectMessages = (snapshot: Snapshot): readonly Message[] => snapshot.context.thread.messages

/** The server has older messages, which `older.requested` loads. */
export const selectHasOlder = (snapshot: Snapshot): boolean =>
  isLoaded(snapshot.context.thread) && hasOlder(snapshot.context.thread)

/** Whether the server has the conversation from its start; undefined if the API does not say. */
export const selectStart = (snapshot: Snapshot): ConversationStart | undefined => snapshot.context.thread.start

/** Messages saved by an earlier page load are shown until the server answers. */
export const selectIsSaved = (snapshot: Snapshot): boolean => snapshot.context.isSaved

/** No messages can be shown yet. */
export const selectIsLoading = (snapshot: Snapshot): boolean =>
  snapshot.matches({ content: 'finding' }) || snapshot.matches({ content: 'loading' })

export const selectIsLoadingOlder = (snapshot: Snapshot): boolean =>
  snapshot.matches({ content: { showing: 'loadingOlder' } })

/** Loading the messages failed; `refetch.requested` retries. */
export const selectHasFailed = (snapshot: Snapshot): boolean => snapshot.matches({ content: 'failed' })

/** Messages may be missing because the server refused the resync; `refetch.requested` retries. */
export const selectIsInvalidated = (snapshot: Snapshot): boolean =>
  snapshot.matches({ content: { showing: 'invalidated' } }) ||
  (snapshot.matches({ content: { failed: 'refused' } }) && isLoaded(snapshot.context.thread))

/** No conversation has the id in the URL. */
export const selectIsNotFound = (snapshot: Snapshot): boolean => snapshot.matches({ content: 'notFound' })

/** The number of unread messages in the thread. The row in the records may count more. */
export const selectUnread = ({ context }: Snapshot): number => unreadIn(context)

/** The first new message; null if there is none. */
export const selectUnreadFrom = (snapshot: Snapshot): string | null => snapshot.context.unreadFrom

/** The newest message is in view. */
export const selectIsEndSeen = (snapshot: Snapshot): boolean => snapshot.context.isEndSeen

/** Loads the profile of the linked client; undefined if the conversation is not linked. */
export const selectClientProfile = (snapshot: Snapshot) => snapshot.children.clientProfile

/** The linked client's orders with their payments; undefined if the conversation is not linked. */
export const selectClientOrders = (snapshot: Snapshot) => snapshot.children.clientOrders

export const selectSummaries = (snapshot: Snapshot) => snapshot.children.summaries

/** The decision about an unconfirmed automatic reply. */
export const selectReplyDecision = (snapshot: Snapshot) => snapshot.children.replyDecision

/** The send route of the next message. */
export const selectSendRoute = (snapshot: Snapshot) => snapshot.children.sendRoute
