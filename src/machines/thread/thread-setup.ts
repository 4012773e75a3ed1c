import type { AnyActorRef, EventObject } from 'xstate'
import { assign, fromCallback, fromPromise, sendTo, setup } from 'xstate'
import type { SummaryKind } from '../../domain/client/client-calls.ts'
import { clientById } from '../../domain/client/clients.ts'
import { Failure } from '../../domain/failure.ts'
import { rowIdOf } from '../../domain/list/conversation-row.ts'
import { rowById, rowIdIn, rowIn } from '../../domain/list/records.ts'
import type { Retries } from '../../domain/retries.ts'
import { type Recipient, recipientOf } from '../../domain/send/outgoing.ts'
import { marksReadByItself } from '../../domain/session/permissions.ts'
import type { MessageChange } from '../../domain/shell/changes.ts'
import type { SavedThread } from '../../domain/thread/saved-inbox.ts'
import { changesIn, pageShown } from '../../domain/thread/thread-belonging.ts'
import type { MessagesRequest, ThreadRequest } from '../../domain/thread/thread-calls.ts'
import {
  addSent,
  applyChanges,
  type FetchedPage,
  firstUnread,
  hasOlder,
  isLoaded,
  markAllRead,
  type ThreadMessages,
} from '../../domain/thread/thread-messages.ts'
import { type OlderRequest, olderRequest, withNewest, withOlder } from '../../domain/thread/thread-paging.ts'
import type { AuthUser } from '../../schemas/auth.ts'
import type { Conversation } from '../../schemas/conversation.ts'
import type { Message } from '../../schemas/message.ts'
import { clientDetailsMachine } from '../client/client-details.ts'
import { clientsIn, holdClients } from '../client/clients.ts'
import { summariesMachine } from '../client/summaries.ts'
import { recordsIn, tellRecords } from '../list/records.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { readingActions, readingDelays, readingGuards } from '../reading.ts'
import { sendRouteMachine } from '../send/send-route.ts'
import { tellSession } from '../session-events.ts'
import type { System } from '../system.ts'
import { replyDecisionMachine } from './reply-decision.ts'

export type ThreadEvent =
  | { type: 'messages.changed'; changes: readonly MessageChange[] }
  /** The conversation's row in the records appeared or changed. */
  | ConversationChanged
  /** A message of this conversation was sent. `realMessageId` is null if the server did not return the id. */
  | { type: 'message.sent'; conversationId: string; message: Message; realMessageId?: string | null }
  | { type: 'resync.requested' }
  | { type: 'older.requested' }
  | { type: 'read.requested' }
  /** The newest message came into view or left it. Messages that arrive out of view stay unread. */
  | { type: 'end.seen' }
  | { type: 'end.left' }
  | { type: 'refetch.requested' }
  | { type: 'summary.requested'; kind: SummaryKind }
  /** Requests the send route. A null `pageId` means Auto-select. */
  | { type: 'route.requested'; pageId: string | null }
  /** The permissions may have changed. */
  | { type: 'user.confirmed'; user: AuthUser }
  | { type: 'tab.shown' }
  | { type: 'tab.hidden' }

type ConversationChanged = {
  type: 'conversation.changed'
  /** The client that the conversation is linked to. */
  clientId: string | null
}

/** The fields of the row that a thread needs at its start. */
type InitialData = {
  /** The row id; null until the conversation is found. */
  conversationId: string | null
  /** Only messages of this page are shown; null shows all. */
  pageId: string | null
  /** The number of unread messages when the conversation was opened; 0 once it is marked as read. */
  unreadAtOpening: number
}

type Input = InitialData & {
  /** A primary user id or a fb user id. */
  id: string
  /** Whether the tab is visible. A hidden tab marks nothing as read. */
  visible: boolean
  /** The copy of this conversation from an earlier page load. */
  saved?: SavedThread | null
  user: AuthUser
}

export type Context = Omit<Input, 'saved' | 'user'> &
  Retries & {
    /** Messages in view are marked as read without a press. */
    marksRead: boolean
    business: AuthUser['business']
    thread: ThreadMessages
    /** The messages come from an earlier page load, and the server has not answered yet. */
    isSaved: boolean
    /** The realtime changes since the pending page was requested. */
    receivedMeanwhile: readonly MessageChange[]
    newestPage: number
    /** The thread before a gap in realtime, until a resync has closed the gap. */
    beforeGap: ThreadMessages | null
    /** All held messages were compared with the server's pages since the last gap. */
    isExact: boolean
    older: OlderRequest
    isOlderRequested: boolean
    /** The session waits for `resync.done`. */
    needsResync: boolean
    /** The first message that was unread at opening, or that arrived in a hidden tab. */
    unreadFrom: string | null
    /** Messages were read after the last mark-as-read call. */
    needsMarkingAsRead: boolean
    /** A person pressed Mark as Read, so a failure is shown. */
    wasAskedToRead: boolean
    /** The toast that this conversation may not be marked as read was shown. */
    wasRefusalShown: boolean
    isEndSeen: boolean
    /** The client that the conversation is linked to. */
    linkedTo: string | null
    /** The client whose details are shown. */
    clientId: string | null
    /** The number of the last change in the records when the conversation was looked up. */
    lookedUpAsOf: number
    /** The messages did not exist, so the conversation itself was looked up. */
    wasLookedUp: boolean
  }

/** The initial data of a thread, from its row. `pageId` is the page filter; null is All Pages. */
export const initialDataOf = (row: Conversation | null, pageId: string | null): InitialData => ({
  conversationId: row && rowIdOf(row),
  pageId: pageShown(row, pageId),
  unreadAtOpening: row?.unread_messages ?? 0,
})

/** What a thread needs to know about the user. */
export const ofUser = (user: AuthUser): Pick<Context, 'marksRead' | 'business'> => ({
  marksRead: marksReadByItself(user),
  business: user.business,
})

/** Reports when the row with the id appears, and on every change of the row. */
const watchConversation = fromCallback<EventObject, { id: string }>(({ input, system, sendBack }) => {
  let last: Conversation | null = null
  const look = () => {
    const row = rowIn(recordsIn(system), [input.id])
    if (row === null || row === last) return
    last = row
    sendBack({ type: 'conversation.changed', clientId: row.client_id ?? null } satisfies ConversationChanged)
  }
  const records: AnyActorRef | undefined = system.get('records')
  const subscription = records?.subscribe(look)
  look()
  return () => subscription?.unsubscribe()
})

/** The context, events, guards and actions of the thread's states. */
export const threadSetup = setup({
  types: {
    context: {} as Context,
    events: {} as ThreadEvent,
    input: {} as Input,
    children: {} as {
      clientProfile: 'clientProfile'
      clientOrders: 'clientOrders'
      summaries: 'summaries'
      sendRoute: 'sendRoute'
      replyDecision: 'replyDecision'
    },
  },
  actors: {
    watchConversation,
    findConversation: fromPromise<Conversation | null, { id: string }>(mustBeProvided('findConversation')),
    loadMessages: fromPromise<FetchedPage, MessagesRequest>(mustBeProvided('loadMessages')),
    markRead: fromPromise<void, ThreadRequest>(mustBeProvided('markRead')),
    clientProfile: clientDetailsMachine,
    clientOrders: clientDetailsMachine,
    holdClients,
    summaries: summariesMachine,
    sendRoute: sendRouteMachine,
    replyDecision: replyDecisionMachine,
  },
  delays: {
    ...readingDelays,
    readRetryDelay: 30_000,
    /** The shortest time between two mark-as-read calls, in milliseconds. */
    readInterval: 1_000,
  },
  guards: {
    'is of this conversation': ({ context }, params: { conversationId: string }) =>
      params.conversationId === conversationId(context),
    'has a conversation': ({ context }) => context.conversationId !== null,
    'shows a saved thread': ({ context }) => context.isSaved && context.conversationId !== null,
    'was found': (_, { found }: { found: Conversation | null }) => found !== null,
    ...readingGuards,
    'may have been deleted': ({ context }, { error }: { error: unknown }) =>
      !context.wasLookedUp && error instanceof Failure && error.status === 404,
    'has another client': ({ context }) => context.linkedTo !== null && context.linkedTo !== context.clientId,
    'has no client': ({ context }) => context.linkedTo === null,
    /** Not if only the look-up found nothing: other APIs may not search for ids. */
    'had no messages': ({ context }) => context.wasLookedUp,
    'requires a resync': ({ context }) => context.needsResync,
    'has older messages to load': ({ context }) => context.isOlderRequested && hasOlder(context.thread),
    'requires marking as read': ({ context }) => context.needsMarkingAsRead,
    /** The server marks the whole conversation as read, so no message out of view may be unread. */
    'has nothing unread out of view': ({ context }) => unreadIn(context) === 0,
    'may mark as read now': ({ context }) => context.visible && (context.isEndSeen || unreadIn(context) === 0),
    'has unread messages in view': ({ context }) =>
      context.marksRead && context.visible && context.isEndSeen && isCurrent(context) && unreadIn(context) > 0,
    'has further pages to catch up': ({ context }, { answer }: { answer: FetchedPage }) =>
      newest(context, answer).next !== null,
    'needs a further older page': ({ context }, { answer }: { answer: FetchedPage }) =>
      older(context, answer).next !== null,
  },
  actions: {
    tellSession,
    ...readingActions,
    tellRecords,
    'start the look-up': assign({ lookedUpAsOf: ({ system }) => recordsIn(system).sequence }),
    'use the conversation': assign(({ context }, { found }: { found: Conversation | null }) =>
      found ? initialDataOf(found, context.pageId) : {},
    ),
    'use the row': assign(({ context, system }) =>
      initialDataOf(rowIn(recordsIn(system), [context.id]), context.pageId),
    ),
    'follow the row': assign({
      conversationId: ({ context, system }) => rowIdIn(recordsIn(system), [context.id]) ?? context.conversationId,
      linkedTo: (_, { clientId }: { clientId: string | null }) => clientId,
    }),
    'start loading the newest messages': assign({
      receivedMeanwhile: [],
      newestPage: 1,
      beforeGap: ({ context }) => context.beforeGap ?? context.thread,
    }),
    'merge the newest': assign(({ context }, { answer }: { answer: FetchedPage }) => {
      const { thread, next, isExact } = newest(context, answer)
      const isClosed = next === null
      return {
        thread,
        newestPage: next ?? 1,
        beforeGap: isClosed ? null : context.beforeGap,
        isSaved: false,
        isExact,
        wasLookedUp: !isClosed && context.wasLookedUp,
        failures: 0,
      }
    }),
    'request older messages': assign({ isOlderRequested: true }),
    'clear the request for older messages': assign({ isOlderRequested: false }),
    'start loading older messages': assign({
      receivedMeanwhile: [],
      older: ({ context }) => olderRequest(context.thread, context.isExact),
    }),
    'merge older messages': assign(({ context }, { answer }: { answer: FetchedPage }) => {
      const { thread, next } = older(context, answer)
      return { thread, older: next ?? context.older, receivedMeanwhile: [] }
    }),
    'apply the changes': assign({
      thread: ({ context, system }, { changes }: { changes: readonly MessageChange[] }) =>
        applyChanges(context.thread, ours(context, system, changes)),
    }),
    'store the first unread message': assign({ unreadFrom: ({ context }) => firstUnread(context.thread) }),
    'store the first unseen message': assign({
      unreadFrom: ({ context }) =>
        context.visible ? context.unreadFrom : (firstUnread(context.thread) ?? context.unreadFrom),
    }),
    'clear the unread mark': assign({ unreadFrom: null }),
    'remember the changes': assign({
      receivedMeanwhile: ({ context, system }, { changes }: { changes: readonly MessageChange[] }) => [
        ...context.receivedMeanwhile,
        ...ours(context, system, changes),
      ],
    }),
    'add the sent message': assign({
      thread: ({ context }, { message, realMessageId }: { message: Message; realMessageId?: string | null }) =>
        addSent(context.thread, message, realMessageId ?? null),
    }),
    'require a resync': assign({ needsResync: true }),
    'clear the required resync': assign({ needsResync: false }),
    'remember the look-up': assign({ wasLookedUp: true }),
    'reset the failure count': assign({ failures: 0 }),
    'use the permissions': assign((_, { user }: { user: AuthUser }) => ofUser(user)),
    'remember that the tab is visible': assign({ visible: true }),
    'remember that the tab is hidden': assign({ visible: false }),
    'remember that the end is in view': assign({ isEndSeen: true }),
    'remember that the end is out of view': assign({ isEndSeen: false }),
    'remember that the refusal was shown': assign(({ context }, { error }: { error: unknown }) => ({
      wasRefusalShown: context.wasRefusalShown || isDenied(error),
    })),
    'require marking as read': assign({ needsMarkingAsRead: true }),
    'clear the required marking as read': assign({ needsMarkingAsRead: false }),
    'mark as requested': assign({ wasAskedToRead: true }),
    'clear the requested mark': assign({ wasAskedToRead: false }),
    'clear the client': assign({ clientId: null }),
    'use the client': assign({ clientId: ({ context }) => context.linkedTo }),
    'request a summary': sendTo('summaries', ({ context, system }, { kind }: { kind: SummaryKind }) => {
      const row = rowOf(context, system)
      const clientId = row?.client_id ?? null
      return {
        type: 'summary.requested',
        kind,
        userId: conversationId(context),
        clientId,
        platform: row?.page_count === 1 ? (row.platform ?? null) : null,
        language: clientById(clientsIn(system), clientId ?? '')?.language ?? null,
        business: context.business,
      }
    }),
    'request the route': sendTo('sendRoute', ({ context, system }, { pageId }: { pageId: string | null }) => ({
      type: 'route.requested',
      recipient: recipientIn(context, system),
      chosenPageId: pageId,
    })),
    'send the recipient to the send route': sendTo('sendRoute', ({ context, system }) => ({
      type: 'recipient.changed',
      recipient: recipientIn(context, system),
    })),
    'forward to the send route': sendTo(
      'sendRoute',
      ({ context, system }, { changes }: { changes: readonly MessageChange[] }) => ({
        type: 'messages.changed',
        // A page filter hides messages that the route depends on.
        changes: ours({ ...context, pageId: null }, system, changes),
      }),
    ),
    'invalidate the send route': sendTo('sendRoute', { type: 'route.invalidated' }),
    'mark read locally': assign({
      unreadAtOpening: 0,
      thread: ({ context }) => markAllRead(context.thread),
    }),
  },
})

/** The conversation's id for API calls. */
export const conversationId = ({ conversationId, id }: Context): string => conversationId ?? id

/** The row of the open conversation; null until it is found. */
const rowOf = ({ conversationId }: Context, system: System): Conversation | null =>
  conversationId === null ? null : (rowById(recordsIn(system), conversationId) ?? null)

const recipientIn = (context: Context, system: System): Recipient => {
  const row = rowOf(context, system)
  if (row === null) throw new Error('a send route requires a known conversation')
  return recipientOf(row)
}

/** A page of the thread, counted from the newest. */
export const request = (context: Context, page: number): MessagesRequest => ({
  conversationId: conversationId(context),
  pageId: context.pageId,
  page,
})

/** Merges a page of newest messages into the thread, and returns the next page to fetch. */
const newest = ({ thread, newestPage, beforeGap, receivedMeanwhile }: Context, answer: FetchedPage) =>
  withNewest(thread, { page: newestPage, before: beforeGap ?? thread }, answer, [
    ...(answer.changes ?? []),
    ...receivedMeanwhile,
  ])

/** Merges a page of older messages into the thread. */
const older = ({ thread, older, receivedMeanwhile }: Context, answer: FetchedPage) =>
  withOlder(thread, older, answer, receivedMeanwhile)

/** The server has answered. Saved messages are not marked as read, because newer ones may not be shown yet. */
const isCurrent = ({ thread, isSaved }: Context): boolean => isLoaded(thread) && !isSaved

/** The server refused the call because a permission is missing (403). */
export const isDenied = (error: unknown): boolean => error instanceof Failure && error.status === 403

/** The number of unread messages: the larger of the row's count at opening and the thread's count. */
export const unreadIn = ({ unreadAtOpening, thread }: Context): number => Math.max(unreadAtOpening, thread.unread)

function ours(context: Context, system: System, changes: readonly MessageChange[]): readonly MessageChange[] {
  const row = rowOf(context, system)
  return row === null ? [] : changesIn(changes, row, context.pageId)
}
