import { assign, fromPromise, sendTo, setup } from 'xstate'
import { Failure } from '../../domain/failure.ts'
import { patchUser, rowIdOf } from '../../domain/list/conversation-list.ts'
import { mayPass, retryDelayAfter } from '../../domain/retries.ts'
import { recipientOf } from '../../domain/send/outgoing.ts'
import type { MessageChange, UserChange } from '../../domain/shell/changes.ts'
import { belongsTo, pageShown } from '../../domain/thread/thread-belonging.ts'
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
import { mustBeProvided } from '../must-be-provided.ts'
import { notifyFailure } from '../notify-failure.ts'
import { sendRouteMachine } from '../send/send-route.ts'
import { tellSession } from '../session-events.ts'
import { telling } from '../system.ts'
import { replyDecisionMachine } from './reply-decision.ts'

export type ThreadEvent =
  | { type: 'messages.changed'; changes: readonly MessageChange[] }
  | { type: 'users.changed'; changes: readonly UserChange[] }
  | { type: 'conversation.updated'; conversation: Conversation }
  /** A message of this conversation was sent; `realMessageId` is null where the server did not name it. */
  | { type: 'message.sent'; conversationId: string; message: Message; realMessageId?: string | null }
  | { type: 'resync.requested' }
  | { type: 'older.requested' }
  | { type: 'read.requested' }
  /** The newest message is in sight, or no longer: what comes in out of sight stays unread. */
  | { type: 'end.seen' }
  | { type: 'end.left' }
  | { type: 'thread.reloaded' }
  | { type: 'summary.requested'; kind: SummaryKind }
  /** Which page and identity would a message go out by? Null is Auto-select. */
  | { type: 'route.requested'; pageId: string | null }
  | { type: 'tab.shown' }
  | { type: 'tab.hidden' }

type Input = {
  /** A primary user id or a fb user id. */
  id: string
  /** Its row, where the list has it; else the thread looks for it. */
  conversation: Conversation | null
  /** The page filter; null is All Pages. The thread follows it where the person wrote to that page. */
  pageId: string | null
  /** A tab that nobody sees reads nothing. */
  visible: boolean
}

export type Context = Input & {
  thread: ThreadMessages
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
  owesResync: boolean
  /** Unread when it was opened, until it is marked as read. */
  unreadAtOpening: number
  /** The first message that was unread when the thread was opened, or when somebody looked at it again. */
  unreadFrom: string | null
  /** Something was read here after the call that tells the server. */
  owesReading: boolean
  /** A person pressed Mark as Read, and is told if it fails. */
  wasAskedToRead: boolean
  /** That this conversation may not be marked as read was said. */
  wasRefusalTold: boolean
  isEndSeen: boolean
  /** The client whose details are shown. */
  clientId: string | null
  /** Its messages were not there, and whether it is there itself was looked up. */
  wasSought: boolean
  failures: number
  /** Milliseconds from the last failure until it is tried again. */
  retryDelay: number
}

type PageRequest = { conversationId: string; pageId: string | null; page: number }

const tellFound = telling<{ found: Conversation | null }>(({ found }, { system, self }) =>
  found ? [{ to: system.get('session') ?? self, event: { type: 'conversation.found', conversation: found } }] : [],
)

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
    findConversation: fromPromise<Conversation | null, { id: string }>(mustBeProvided('findConversation')),
    loadMessages: fromPromise<FetchedPage, PageRequest>(mustBeProvided('loadMessages')),
    markRead: fromPromise<void, { conversationId: string; pageId: string | null }>(mustBeProvided('markRead')),
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
    'has a conversation': ({ context }) => context.conversation !== null,
    'was found': (_, { found }: { found: Conversation | null }) => found !== null,
    'may pass by itself': (_, { error }: { error: unknown }) => mayPass(error),
    'may be gone': ({ context }, { error }: { error: unknown }) =>
      !context.wasSought && error instanceof Failure && error.status === 404,
    'has another client': ({ context }) => clientOf(context) !== null && clientOf(context) !== context.clientId,
    'has no client': ({ context }) => clientOf(context) === null,
    'owes a resync': ({ context }) => context.owesResync,
    'has older messages to load': ({ context }) => context.wantsOlder && hasOlder(context.thread),
    'owes a reading': ({ context }) => context.owesReading,
    /** Nothing here is unread but what was not in sight: the server would be told of that too. */
    'has nothing unseen': ({ context }) => unreadIn(context) === 0,
    'may tell again': ({ context }) => context.visible && (context.isEndSeen || unreadIn(context) === 0),
    'has something unread in sight': ({ context }) =>
      context.visible && context.isEndSeen && isLoaded(context.thread) && unreadIn(context) > 0,
    'goes further back': ({ context }, { answer }: { answer: FetchedPage }) => newest(context, answer).next !== null,
    'goes on to older ones': ({ context }, { answer }: { answer: FetchedPage }) => older(context, answer).next !== null,
  },
  actions: {
    tellSession,
    'notify failure': notifyFailure,
    'use the conversation': assign(({ context }, { conversation }: { conversation: Conversation | null }) =>
      conversation
        ? {
            conversation,
            pageId: pageShown(conversation, context.pageId),
            unreadAtOpening: conversation.unread_messages,
          }
        : {},
    ),
    'update the conversation': assign({
      conversation: (_, { conversation }: { conversation: Conversation }) => conversation,
    }),
    'patch the user': assign({
      conversation: ({ context }, { changes }: { changes: readonly UserChange[] }) =>
        context.conversation && changes.reduce((row, change) => patchUser(row, change.row), context.conversation),
    }),
    'begin the newest': assign({
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
        isExact,
        wasSought: !isClosed && context.wasSought,
        failures: 0,
      }
    }),
    'tell what was found': tellFound,
    'want older ones': assign({ wantsOlder: true }),
    'want no older ones': assign({ wantsOlder: false }),
    'begin older ones': assign({ heard: [], older: ({ context }) => olderRequest(context.thread, context.isExact) }),
    'merge older ones': assign(({ context }, { answer }: { answer: FetchedPage }) => {
      const { thread, next } = older(context, answer)
      return { thread, older: next ?? context.older, heard: [] }
    }),
    apply: assign({
      thread: ({ context }, { changes }: { changes: readonly MessageChange[] }) =>
        applyChanges(context.thread, ours(context, changes)),
    }),
    'note what is unread': assign({ unreadFrom: ({ context }) => firstUnread(context.thread) }),
    'note what is unseen': assign({
      unreadFrom: ({ context }) =>
        context.visible ? context.unreadFrom : (firstUnread(context.thread) ?? context.unreadFrom),
    }),
    'forget what is unread': assign({ unreadFrom: null }),
    remember: assign({
      heard: ({ context }, { changes }: { changes: readonly MessageChange[] }) => [
        ...context.heard,
        ...ours(context, changes),
      ],
    }),
    'add what was sent': assign({
      thread: ({ context }, { message, realMessageId }: { message: Message; realMessageId?: string | null }) =>
        addSent(context.thread, message, realMessageId ?? null),
    }),
    'owe a resync': assign({ owesResync: true }),
    'owe nothing': assign({ owesResync: false }),
    'note that it was sought': assign({ wasSought: true }),
    'forget the failures': assign({ failures: 0 }),
    'count the failure': assign(({ context }, { error }: { error: unknown }) => ({
      failures: context.failures + 1,
      retryDelay: retryDelayAfter(context.failures + 1, error),
    })),
    'note that the tab is shown': assign({ visible: true }),
    'note that the tab is hidden': assign({ visible: false }),
    'note that the end is seen': assign({ isEndSeen: true }),
    'note that the end is left': assign({ isEndSeen: false }),
    'note that the refusal was told': assign(({ context }, { error }: { error: unknown }) => ({
      wasRefusalTold: context.wasRefusalTold || isDenied(error),
    })),
    'owe a reading': assign({ owesReading: true }),
    'owe no reading': assign({ owesReading: false }),
    'note the asking': assign({ wasAskedToRead: true }),
    'forget the asking': assign({ wasAskedToRead: false }),
    'use no client': assign({ clientId: null }),
    'use the client': assign({ clientId: ({ context }) => clientOf(context) }),
    'ask for a summary': sendTo('summaries', ({ context }, { kind }: { kind: SummaryKind }) => ({
      type: 'summary.requested',
      kind,
      userId: conversationId(context),
      clientId: clientOf(context),
      platform: context.conversation?.page_count === 1 ? (context.conversation.platform ?? null) : null,
    })),
    'ask for the route': sendTo('sendRoute', ({ context }, { pageId }: { pageId: string | null }) => {
      if (context.conversation === null) throw new Error('a route leads to somebody')
      return { type: 'route.requested', recipient: recipientOf(context.conversation), chosenPageId: pageId }
    }),
    'tell the route of the recipient': sendTo('sendRoute', (_, { conversation }: { conversation: Conversation }) => ({
      type: 'recipient.changed',
      recipient: recipientOf(conversation),
    })),
    'tell the route': sendTo('sendRoute', ({ context }, { changes }: { changes: readonly MessageChange[] }) => ({
      type: 'messages.changed',
      changes: ours(context, changes),
    })),
    'mark read here': assign({
      unreadAtOpening: 0,
      conversation: ({ context: { conversation } }) => conversation && { ...conversation, unread_messages: 0 },
      thread: ({ context }) => markAllRead(context.thread),
    }),
  },
})

/** What the API knows the conversation by. */
export const conversationId = ({ conversation, id }: Context): string => (conversation ? rowIdOf(conversation) : id)

const clientOf = ({ conversation }: Context): string | null => conversation?.client_id ?? null

/** A page of the thread, counted from the newest. */
export const request = (context: Context, page: number): PageRequest => ({
  conversationId: conversationId(context),
  pageId: context.pageId,
  page,
})

/** The thread with a page of its newest messages in it, and which page is to follow. */
const newest = ({ thread, newestPage, beforeGap, heard }: Context, answer: FetchedPage) =>
  withNewest(thread, { page: newestPage, before: beforeGap ?? thread }, answer, heard)

/** The same with a page of older ones. */
const older = ({ thread, older, heard }: Context, answer: FetchedPage) => withOlder(thread, older, answer, heard)

/** It was refused for want of a permission. */
export const isDenied = (error: unknown): boolean => error instanceof Failure && error.status === 403

/** How much is unread here, be it only by the row that it was opened from. */
export const unreadIn = ({ unreadAtOpening, thread }: Context): number => Math.max(unreadAtOpening, thread.unread)

/** The changes that are this thread's; a delete names no conversation. */
const ours = ({ conversation, pageId }: Context, changes: readonly MessageChange[]): readonly MessageChange[] =>
  conversation === null
    ? []
    : changes.filter((change) => change.type === 'DELETE' || belongsTo(change.record, conversation, pageId))
