import type { AnyActorRef, EventObject } from 'xstate'
import { assign, fromCallback, fromPromise, sendTo, setup } from 'xstate'
import { Failure } from '../../domain/failure.ts'
import { rowIdOf } from '../../domain/list/conversation-row.ts'
import { rowById, rowIdIn, rowIn } from '../../domain/list/records.ts'
import { type Retries, retriesAfter } from '../../domain/retries.ts'
import { type Recipient, recipientOf } from '../../domain/send/outgoing.ts'
import type { MessageChange } from '../../domain/shell/changes.ts'
import type { SavedThread } from '../../domain/thread/saved-inbox.ts'
import { belongsTo, pageShown } from '../../domain/thread/thread-belonging.ts'
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
import type { Conversation } from '../../schemas/conversation.ts'
import type { Message } from '../../schemas/message.ts'
import { clientDetailsMachine } from '../client/client-details.ts'
import { type SummaryKind, summariesMachine } from '../client/summaries.ts'
import { recordsIn, tellRecords } from '../list/records.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { notifyFailure } from '../notify-failure.ts'
import { isTemporary } from '../on-failure.ts'
import { sendRouteMachine } from '../send/send-route.ts'
import { tellSession } from '../session-events.ts'
import type { System } from '../system.ts'
import { replyDecisionMachine } from './reply-decision.ts'

export type ThreadEvent =
  | { type: 'messages.changed'; changes: readonly MessageChange[] }
  /** The row of the conversation in the records is there, or is another than before. */
  | ConversationChanged
  /** A message of this conversation was sent; `realMessageId` is null where the server did not name it. */
  | { type: 'message.sent'; conversationId: string; message: Message; realMessageId?: string | null }
  | { type: 'resync.requested' }
  | { type: 'older.requested' }
  | { type: 'read.requested' }
  /** The newest message is in sight, or no longer: what comes in out of sight stays unread. */
  | { type: 'end.seen' }
  | { type: 'end.left' }
  | { type: 'refetch.requested' }
  | { type: 'summary.requested'; kind: SummaryKind }
  /** Which page and identity would a message go out by? Null is Auto-select. */
  | { type: 'route.requested'; pageId: string | null }
  | { type: 'tab.shown' }
  | { type: 'tab.hidden' }

type ConversationChanged = {
  type: 'conversation.changed'
  /** Whom the conversation is linked to. */
  clientId: string | null
}

/** What a thread needs of its row when it starts to show it. */
type Known = {
  /** The row id; null until the conversation is found. */
  conversationId: string | null
  /** The page whose messages alone are shown; null shows all. */
  pageId: string | null
  /** Unread when it was opened, until it is marked as read. */
  unreadAtOpening: number
}

type Input = Known & {
  /** A primary user id or a fb user id. */
  id: string
  /** A tab that nobody sees reads nothing. */
  visible: boolean
  /** What an earlier start saved of this conversation. */
  saved?: SavedThread | null
}

export type Context = Omit<Input, 'saved'> &
  Retries & {
    thread: ThreadMessages
    /** The messages were saved by an earlier start, and the server has not answered yet. */
    isSaved: boolean
    /** What was heard since the page under way was asked for. */
    heard: readonly MessageChange[]
    newestPage: number
    /** The thread as it was before something may have been missed, until a catch-up has closed that gap. */
    beforeGap: ThreadMessages | null
    /** All that is held was compared with the server's pages since the last gap. */
    isExact: boolean
    older: OlderRequest
    wantsOlder: boolean
    /** The session waits for `resync.done`. */
    needsResync: boolean
    /** The first message that was unread when the thread was opened, or when somebody looked at it again. */
    unreadFrom: string | null
    /** Something was read here after the call that tells the server. */
    needsMarkingAsRead: boolean
    /** A person pressed Mark as Read, and is told if it fails. */
    wasAskedToRead: boolean
    /** That this conversation may not be marked as read was said. */
    wasRefusalShown: boolean
    isEndSeen: boolean
    /** Whom the conversation is linked to, and whose details are shown. */
    linkedTo: string | null
    clientId: string | null
    /** The number of the last change in the records when the conversation was looked for. */
    soughtAsOf: number
    /** Its messages were not there, and whether it is there itself was looked up. */
    wasSought: boolean
  }

/** What a thread of that row starts with; `pageId` is the page filter, null is All Pages. */
export const knownOf = (row: Conversation | null, pageId: string | null): Known => ({
  conversationId: row && rowIdOf(row),
  pageId: pageShown(row, pageId),
  unreadAtOpening: row?.unread_messages ?? 0,
})

/** Reports when the row that the id names is there, and whenever it is another than before. */
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

/** What the thread knows, hears and can do; its states are made of it. */
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
    summaries: summariesMachine,
    sendRoute: sendRouteMachine,
    replyDecision: replyDecisionMachine,
  },
  delays: {
    retryDelay: ({ context }) => context.retryDelay,
    readRetryDelay: 30_000,
    /** A stream of messages that are all seen is marked as read this often. */
    readInterval: 1_000,
  },
  guards: {
    'is of this conversation': ({ context }, params: { conversationId: string }) =>
      params.conversationId === conversationId(context),
    'has a conversation': ({ context }) => context.conversationId !== null,
    'shows a saved thread': ({ context }) => context.isSaved && context.conversationId !== null,
    'was found': (_, { found }: { found: Conversation | null }) => found !== null,
    'is temporary': isTemporary,
    'may have been deleted': ({ context }, { error }: { error: unknown }) =>
      !context.wasSought && error instanceof Failure && error.status === 404,
    'has another client': ({ context }) => context.linkedTo !== null && context.linkedTo !== context.clientId,
    'has no client': ({ context }) => context.linkedTo === null,
    'requires a resync': ({ context }) => context.needsResync,
    'has older messages to load': ({ context }) => context.wantsOlder && hasOlder(context.thread),
    'requires marking as read': ({ context }) => context.needsMarkingAsRead,
    /** Nothing here is unread but what was not in sight: the server would be told of that too. */
    'has nothing unread out of view': ({ context }) => unreadIn(context) === 0,
    'may mark as read now': ({ context }) => context.visible && (context.isEndSeen || unreadIn(context) === 0),
    'has unread messages in view': ({ context }) =>
      context.visible && context.isEndSeen && isCurrent(context) && unreadIn(context) > 0,
    'has further pages to catch up': ({ context }, { answer }: { answer: FetchedPage }) =>
      newest(context, answer).next !== null,
    'needs a further older page': ({ context }, { answer }: { answer: FetchedPage }) =>
      older(context, answer).next !== null,
  },
  actions: {
    tellSession,
    'notify failure': notifyFailure,
    tellRecords,
    'start looking for the conversation': assign({ soughtAsOf: ({ system }) => recordsIn(system).sequence }),
    'use the conversation': assign(({ context }, { found }: { found: Conversation | null }) =>
      found ? knownOf(found, context.pageId) : {},
    ),
    'use the row': assign(({ context, system }) => knownOf(rowIn(recordsIn(system), [context.id]), context.pageId)),
    'follow the row': assign({
      conversationId: ({ context, system }) => rowIdIn(recordsIn(system), [context.id]) ?? context.conversationId,
      linkedTo: (_, { clientId }: { clientId: string | null }) => clientId,
    }),
    'start loading the newest messages': assign({
      heard: [],
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
        wasSought: !isClosed && context.wasSought,
        failures: 0,
      }
    }),
    'request older messages': assign({ wantsOlder: true }),
    'clear older request': assign({ wantsOlder: false }),
    'start loading older messages': assign({
      heard: [],
      older: ({ context }) => olderRequest(context.thread, context.isExact),
    }),
    'merge older ones': assign(({ context }, { answer }: { answer: FetchedPage }) => {
      const { thread, next } = older(context, answer)
      return { thread, older: next ?? context.older, heard: [] }
    }),
    apply: assign({
      thread: ({ context, system }, { changes }: { changes: readonly MessageChange[] }) =>
        applyChanges(context.thread, ours(context, system, changes)),
    }),
    'store the first unread message': assign({ unreadFrom: ({ context }) => firstUnread(context.thread) }),
    'store the first unseen message': assign({
      unreadFrom: ({ context }) =>
        context.visible ? context.unreadFrom : (firstUnread(context.thread) ?? context.unreadFrom),
    }),
    'clear the unread mark': assign({ unreadFrom: null }),
    remember: assign({
      heard: ({ context, system }, { changes }: { changes: readonly MessageChange[] }) => [
        ...context.heard,
        ...ours(context, system, changes),
      ],
    }),
    'add the sent message': assign({
      thread: ({ context }, { message, realMessageId }: { message: Message; realMessageId?: string | null }) =>
        addSent(context.thread, message, realMessageId ?? null),
    }),
    'require a resync': assign({ needsResync: true }),
    'clear the required resync': assign({ needsResync: false }),
    'remember the lookup': assign({ wasSought: true }),
    'reset the failure count': assign({ failures: 0 }),
    'count the failure': assign(({ context }, { error }: { error: unknown }) => retriesAfter(context, error)),
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
    'use no client': assign({ clientId: null }),
    'use the client': assign({ clientId: ({ context }) => context.linkedTo }),
    'ask for a summary': sendTo('summaries', ({ context, system }, { kind }: { kind: SummaryKind }) => {
      const row = rowOf(context, system)
      return {
        type: 'summary.requested',
        kind,
        userId: conversationId(context),
        clientId: row?.client_id ?? null,
        platform: row?.page_count === 1 ? (row.platform ?? null) : null,
      }
    }),
    'ask for the route': sendTo('sendRoute', ({ context, system }, { pageId }: { pageId: string | null }) => ({
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

/** What the API knows the conversation by. */
export const conversationId = ({ conversationId, id }: Context): string => conversationId ?? id

/** The row of the open conversation; null until it is found. */
const rowOf = ({ conversationId }: Context, system: System): Conversation | null =>
  conversationId === null ? null : (rowById(recordsIn(system), conversationId) ?? null)

const recipientIn = (context: Context, system: System): Recipient => {
  const row = rowOf(context, system)
  if (row === null) throw new Error('a route leads to a conversation that is known')
  return recipientOf(row)
}

/** A page of the thread, counted from the newest. */
export const request = (context: Context, page: number): MessagesRequest => ({
  conversationId: conversationId(context),
  pageId: context.pageId,
  page,
})

/** The thread with a page of its newest messages in it, and which page is to follow. */
const newest = ({ thread, newestPage, beforeGap, heard }: Context, answer: FetchedPage) =>
  withNewest(thread, { page: newestPage, before: beforeGap ?? thread }, answer, heard)

/** The same with a page of older ones. */
const older = ({ thread, older, heard }: Context, answer: FetchedPage) => withOlder(thread, older, answer, heard)

/** The server has answered. Saved messages are not marked as read, because newer ones may not be shown yet. */
const isCurrent = ({ thread, isSaved }: Context): boolean => isLoaded(thread) && !isSaved

/** It was refused for want of a permission. */
export const isDenied = (error: unknown): boolean => error instanceof Failure && error.status === 403

/** How much is unread here, be it only by the row that it was opened from. */
export const unreadIn = ({ unreadAtOpening, thread }: Context): number => Math.max(unreadAtOpening, thread.unread)

/** The changes that are this thread's; a delete names no conversation. */
function ours(context: Context, system: System, changes: readonly MessageChange[]): readonly MessageChange[] {
  const row = rowOf(context, system)
  if (row === null) return []
  return changes.filter((change) => change.type === 'DELETE' || belongsTo(change.record, row, context.pageId))
}
