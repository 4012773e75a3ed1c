import { assign, fromPromise, type SnapshotFrom, sendTo, setup } from 'xstate'
import type { MessageChange, UserChange } from '../domain/changes.ts'
import { patchUser, rowIdOf } from '../domain/conversation-list.ts'
import { Failure } from '../domain/failure.ts'
import { recipientOf } from '../domain/outgoing.ts'
import { mayPass, retryDelayAfter } from '../domain/retries.ts'
import { belongsTo } from '../domain/thread-belonging.ts'
import {
  addSent,
  applyChanges,
  emptyThread,
  type FetchedPage,
  firstUnread,
  hasOlder,
  isLoaded,
  markAllRead,
  type ThreadMessages,
} from '../domain/thread-messages.ts'
import { type OlderRequest, olderRequest, withNewest, withOlder } from '../domain/thread-paging.ts'
import { threadToasts } from '../domain/toasts.ts'
import type { Conversation } from '../schemas/conversation.ts'
import type { Message } from '../schemas/message.ts'
import { clientDetailsMachine } from './client-details.ts'
import { mustBeProvided } from './must-be-provided.ts'
import { notifyFailure } from './notify-failure.ts'
import { sendRouteMachine } from './send-route.ts'
import { tellSession } from './session-events.ts'
import { type SummaryKind, summariesMachine } from './summaries.ts'

export type ThreadEvent =
  | { type: 'messages.changed'; changes: readonly MessageChange[] }
  | { type: 'users.changed'; changes: readonly UserChange[] }
  | { type: 'conversation.updated'; conversation: Conversation }
  /** A message of this conversation was sent; `realMessageId` is null where the server did not name it. */
  | { type: 'message.sent'; message: Message; realMessageId?: string | null }
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
  /** Null is All Pages. */
  pageId: string | null
  /** A tab that nobody sees reads nothing. */
  visible: boolean
}

type Context = Input & {
  thread: ThreadMessages
  /** What was heard since the page under way was asked for. */
  heard: readonly MessageChange[]
  newestPage: number
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
  failures: number
  /** Milliseconds from the last failure until it is tried again. */
  retryDelay: number
}

type PageRequest = { conversationId: string; pageId: string | null; page: number }

type Failing = { context: Context; event: { error: unknown } }

/** What became of a read that failed: one that may pass waits, one that was refused is tried again only while it is owed. */
const failing = <Waiting extends string, Refused extends string>(waiting: Waiting, refused: Refused) => {
  const tell = (wasTold: (context: Context) => boolean) => [
    {
      type: 'notifyFailure' as const,
      params: ({ context, event }: Failing) => ({
        error: event.error,
        own: threadToasts.failed,
        quietly: wasTold(context),
      }),
    },
    { type: 'countFailure' as const, params: ({ event }: Failing) => ({ error: event.error }) },
  ]
  return [
    {
      guard: { type: 'mayPass' as const, params: ({ event }: Failing) => ({ error: event.error }) },
      target: waiting,
      actions: tell(({ failures }) => failures > 0),
    },
    { target: refused, actions: tell(({ failures, owesResync }) => owesResync && failures > 0) },
  ]
}

type Fetched = { event: { output: FetchedPage } }

/** A page is worked in, and whoever has a message on its way hears that it is among them. */
const taking = <Merge extends 'mergeNewest' | 'mergeOlder'>(merge: Merge) => [
  { type: merge, params: ({ event }: Fetched) => ({ answer: event.output }) },
  {
    type: 'tellSession' as const,
    params: ({ event }: Fetched) => ({ type: 'messages.fetched' as const, messages: event.output.messages }),
  },
]

/** Nothing is unread here any more, whatever becomes of the call (spec section 4, "Mark as read"). */
const readHere = [
  'readLocally' as const,
  {
    type: 'tellSession' as const,
    params: ({ context }: { context: Context }) => ({
      type: 'conversation.read' as const,
      id: conversationId(context),
    }),
  },
]

/**
 * The open conversation (spec sections 2 and 4): its messages, older ones on demand, and marking it as read while it is
 * looked at. Changes that come while a page is fetched are worked in again after it, so the page cannot undo them.
 */
export const threadMachine = setup({
  types: {
    context: {} as Context,
    events: {} as ThreadEvent,
    input: {} as Input,
    children: {} as { clientDetails: 'clientDetails'; summaries: 'summaries'; sendRoute: 'sendRoute' },
  },
  actors: {
    findConversation: fromPromise<Conversation | null, { id: string }>(mustBeProvided('findConversation')),
    loadMessages: fromPromise<FetchedPage, PageRequest>(mustBeProvided('loadMessages')),
    markRead: fromPromise<void, { conversationId: string; pageId: string | null }>(mustBeProvided('markRead')),
    clientDetails: clientDetailsMachine,
    summaries: summariesMachine,
    sendRoute: sendRouteMachine,
  },
  delays: {
    retryDelay: ({ context }) => context.retryDelay,
    readRetryDelay: 30_000,
    /** A stream of messages that are all seen is marked as read this often. */
    readInterval: 1_000,
  },
  guards: {
    hasConversation: ({ context }) => context.conversation !== null,
    wasFound: (_, { found }: { found: Conversation | null }) => found !== null,
    mayPass: (_, { error }: { error: unknown }) => mayPass(error),
    hasOtherClient: ({ context }) => clientOf(context) !== null && clientOf(context) !== context.clientId,
    hasNoClient: ({ context }) => clientOf(context) === null,
    owesResync: ({ context }) => context.owesResync,
    mayLoadOlder: ({ context }) => context.wantsOlder && hasOlder(context.thread),
    isVisible: ({ context }) => context.visible,
    owesReading: ({ context }) => context.owesReading,
    hasUnreadSeen: ({ context }) =>
      context.visible && context.isEndSeen && isLoaded(context.thread) && unreadIn(context) > 0,
    goesFurtherBack: ({ context }, { answer }: { answer: FetchedPage }) => newest(context, answer).next !== null,
    goesOnOlder: ({ context }, { answer }: { answer: FetchedPage }) => older(context, answer).next !== null,
  },
  actions: {
    tellSession,
    notifyFailure,
    useConversation: assign((_, { conversation }: { conversation: Conversation | null }) =>
      conversation ? { conversation, unreadAtOpening: conversation.unread_messages } : {},
    ),
    updateConversation: assign({ conversation: (_, { conversation }: { conversation: Conversation }) => conversation }),
    patchUser: assign({
      conversation: ({ context }, { changes }: { changes: readonly UserChange[] }) =>
        context.conversation && changes.reduce((row, change) => patchUser(row, change.row), context.conversation),
    }),
    beginNewest: assign({ heard: [], newestPage: 1 }),
    mergeNewest: assign(({ context }, { answer }: { answer: FetchedPage }) => {
      const { thread, next, isExact } = newest(context, answer)
      return { thread, newestPage: next ?? 1, isExact, failures: 0 }
    }),
    wantOlder: assign({ wantsOlder: true }),
    wantNoOlder: assign({ wantsOlder: false }),
    beginOlder: assign({ heard: [], older: ({ context }) => olderRequest(context.thread, context.isExact) }),
    mergeOlder: assign(({ context }, { answer }: { answer: FetchedPage }) => {
      const { thread, next } = older(context, answer)
      return { thread, older: next ?? context.older }
    }),
    apply: assign({
      thread: ({ context }, { changes }: { changes: readonly MessageChange[] }) =>
        applyChanges(context.thread, ours(context, changes)),
    }),
    noteUnread: assign({ unreadFrom: ({ context }) => firstUnread(context.thread) }),
    noteUnseen: assign({
      unreadFrom: ({ context }) =>
        context.visible ? context.unreadFrom : (firstUnread(context.thread) ?? context.unreadFrom),
    }),
    forgetUnread: assign({ unreadFrom: null }),
    remember: assign({
      heard: ({ context }, { changes }: { changes: readonly MessageChange[] }) => [
        ...context.heard,
        ...ours(context, changes),
      ],
    }),
    addSent: assign({
      thread: ({ context }, { message, realMessageId }: { message: Message; realMessageId?: string | null }) =>
        context.pageId === null || context.pageId === message.page_id
          ? addSent(context.thread, message, realMessageId ?? null)
          : context.thread,
    }),
    oweResync: assign({ owesResync: true }),
    oweNothing: assign({ owesResync: false }),
    forgetFailures: assign({ failures: 0 }),
    countFailure: assign(({ context }, { error }: { error: unknown }) => ({
      failures: context.failures + 1,
      retryDelay: retryDelayAfter(context.failures + 1, error),
    })),
    beSeen: assign({ visible: true }),
    beHidden: assign({ visible: false }),
    seeEnd: assign({ isEndSeen: true }),
    leaveEnd: assign({ isEndSeen: false }),
    noteRefusalTold: assign(({ context }, { error }: { error: unknown }) => ({
      wasRefusalTold: context.wasRefusalTold || isDenied(error),
    })),
    oweReading: assign({ owesReading: true }),
    oweNoReading: assign({ owesReading: false }),
    noteAskedToRead: assign({ wasAskedToRead: true }),
    forgetAskedToRead: assign({ wasAskedToRead: false }),
    useNoClient: assign({ clientId: null }),
    useClient: assign({ clientId: ({ context }) => clientOf(context) }),
    askForSummary: sendTo('summaries', ({ context }, { kind }: { kind: SummaryKind }) => ({
      type: 'summary.requested',
      kind,
      userId: conversationId(context),
      clientId: clientOf(context),
      platform: context.conversation?.page_count === 1 ? (context.conversation.platform ?? null) : null,
    })),
    askForRoute: sendTo('sendRoute', ({ context }, { pageId }: { pageId: string | null }) => {
      if (context.conversation === null) throw new Error('a route leads to somebody')
      return { type: 'route.requested', recipient: recipientOf(context.conversation), chosenPageId: pageId }
    }),
    tellRoute: sendTo('sendRoute', ({ context }, { changes }: { changes: readonly MessageChange[] }) => ({
      type: 'messages.changed',
      changes: ours(context, changes),
    })),
    readLocally: assign({
      unreadAtOpening: 0,
      conversation: ({ context: { conversation } }) => conversation && { ...conversation, unread_messages: 0 },
      thread: ({ context }) => markAllRead(context.thread),
    }),
  },
}).createMachine({
  id: 'thread',
  context: ({ input }) => ({
    ...input,
    thread: emptyThread,
    heard: [],
    newestPage: 1,
    isExact: true,
    older: { page: 1, adjoins: true, isLast: false },
    wantsOlder: false,
    owesResync: false,
    unreadAtOpening: input.conversation?.unread_messages ?? 0,
    unreadFrom: null,
    owesReading: false,
    wasAskedToRead: false,
    wasRefusalTold: false,
    isEndSeen: true,
    clientId: null,
    failures: 0,
    retryDelay: 0,
  }),
  type: 'parallel',
  invoke: [
    { src: 'summaries', id: 'summaries' },
    { src: 'sendRoute', id: 'sendRoute' },
  ],
  on: {
    'users.changed': { actions: { type: 'patchUser', params: ({ event }) => event } },
    'conversation.updated': { actions: { type: 'updateConversation', params: ({ event }) => event } },
    'message.sent': { actions: [{ type: 'addSent', params: ({ event }) => event }, 'forgetUnread'] },
    'tab.shown': { actions: 'beSeen' },
    'tab.hidden': { actions: 'beHidden' },
    'end.seen': { actions: 'seeEnd' },
    'end.left': { actions: 'leaveEnd' },
    'route.requested': { guard: 'hasConversation', actions: { type: 'askForRoute', params: ({ event }) => event } },
    'summary.requested': { actions: { type: 'askForSummary', params: ({ event }) => event } },
  },
  states: {
    content: {
      initial: 'opening',
      states: {
        opening: { always: [{ guard: 'hasConversation', target: 'loading' }, { target: 'finding' }] },
        /** A link led here and the list does not hold the row. */
        finding: {
          invoke: {
            id: 'findConversation',
            src: 'findConversation',
            input: ({ context }) => ({ id: context.id }),
            onDone: [
              {
                guard: { type: 'wasFound', params: ({ event }) => ({ found: event.output }) },
                target: 'loading',
                actions: { type: 'useConversation', params: ({ event }) => ({ conversation: event.output }) },
              },
              { target: 'notFound' },
            ],
            onError: failing('failed.waiting', 'failed.refused'),
          },
          on: { 'resync.requested': { target: 'finding', reenter: true, actions: 'oweResync' } },
        },
        notFound: {
          always: {
            guard: 'owesResync',
            actions: ['oweNothing', { type: 'tellSession', params: { type: 'resync.done', from: 'thread' } }],
          },
          on: {
            'thread.reloaded': { target: 'finding', actions: 'forgetFailures' },
            'conversation.updated': {
              target: 'loading',
              actions: { type: 'useConversation', params: ({ event }) => event },
            },
            'resync.requested': { target: 'finding', actions: 'oweResync' },
          },
        },
        loading: {
          entry: 'beginNewest',
          invoke: {
            id: 'loadNewest',
            src: 'loadMessages',
            input: ({ context }) => request(context, 1),
            onDone: {
              target: 'showing',
              actions: [...taking('mergeNewest'), 'noteUnread'],
            },
            onError: failing('failed.waiting', 'failed.refused'),
          },
          on: {
            'messages.changed': { actions: { type: 'remember', params: ({ event }) => event } },
            'resync.requested': { target: 'loading', reenter: true, actions: 'oweResync' },
          },
        },
        failed: {
          initial: 'waiting',
          states: {
            waiting: { after: { retryDelay: '#thread.content.opening' } },
            refused: { after: { retryDelay: { guard: 'owesResync', target: '#thread.content.opening' } } },
          },
          on: {
            'thread.reloaded': { target: 'opening', actions: 'forgetFailures' },
            'resync.requested': { target: 'opening', actions: 'oweResync' },
          },
        },
        showing: {
          initial: 'resting',
          on: {
            'messages.changed': {
              actions: [
                { type: 'apply', params: ({ event }) => event },
                'noteUnseen',
                { type: 'tellRoute', params: ({ event }) => event },
              ],
            },
            'older.requested': { actions: 'wantOlder' },
            'resync.requested': { target: '.resyncing', actions: 'oweResync' },
            'thread.reloaded': { target: '.resyncing', actions: 'forgetFailures' },
          },
          states: {
            resting: {
              always: [
                {
                  guard: 'owesResync',
                  actions: ['oweNothing', { type: 'tellSession', params: { type: 'resync.done', from: 'thread' } }],
                },
                { guard: 'mayLoadOlder', target: 'loadingOlder', actions: 'beginOlder' },
              ],
            },
            loadingOlder: {
              invoke: {
                id: 'loadOlder',
                src: 'loadMessages',
                input: ({ context }) => request(context, context.older.page),
                onDone: [
                  {
                    guard: { type: 'goesOnOlder', params: ({ event }) => ({ answer: event.output }) },
                    target: 'loadingOlder',
                    reenter: true,
                    actions: taking('mergeOlder'),
                  },
                  {
                    target: 'resting',
                    actions: [...taking('mergeOlder'), 'wantNoOlder'],
                  },
                ],
                onError: {
                  target: 'resting',
                  actions: [
                    'wantNoOlder',
                    {
                      type: 'notifyFailure',
                      params: ({ event }) => ({ error: event.error, own: threadToasts.failed }),
                    },
                  ],
                },
              },
              on: {
                'messages.changed': {
                  actions: [
                    { type: 'apply', params: ({ event }) => event },
                    { type: 'remember', params: ({ event }) => event },
                  ],
                },
              },
            },
            /** Something may have been missed: the newest pages are fetched again, back to one that is known. */
            resyncing: {
              entry: 'beginNewest',
              on: {
                'messages.changed': {
                  actions: [
                    { type: 'apply', params: ({ event }) => event },
                    { type: 'remember', params: ({ event }) => event },
                  ],
                },
              },
              initial: 'fetching',
              states: {
                fetching: {
                  invoke: {
                    id: 'refetchNewest',
                    src: 'loadMessages',
                    input: ({ context }) => request(context, context.newestPage),
                    onDone: [
                      {
                        guard: { type: 'goesFurtherBack', params: ({ event }) => ({ answer: event.output }) },
                        target: 'fetching',
                        reenter: true,
                        actions: taking('mergeNewest'),
                      },
                      {
                        target: '#thread.content.showing.resting',
                        actions: taking('mergeNewest'),
                      },
                    ],
                    onError: failing('#thread.content.showing.backingOff', '#thread.content.showing.outdated'),
                  },
                },
              },
            },
            backingOff: { after: { retryDelay: 'resyncing' } },
            /** It was refused and may lack something. The session, which waits for it, has it tried again. */
            outdated: { after: { retryDelay: { guard: 'owesResync', target: 'resyncing' } } },
          },
        },
      },
    },
    reading: {
      initial: 'resting',
      states: {
        resting: {
          always: { guard: 'hasUnreadSeen', target: 'marking' },
          on: { 'read.requested': { guard: 'hasConversation', target: 'marking', actions: 'noteAskedToRead' } },
        },
        marking: {
          entry: ['oweNoReading', ...readHere],
          invoke: {
            id: 'markRead',
            src: 'markRead',
            input: ({ context }) => ({ conversationId: conversationId(context), pageId: context.pageId }),
            onDone: { target: 'cooling', actions: 'forgetAskedToRead' },
            onError: [
              {
                guard: { type: 'mayPass', params: ({ event }) => ({ error: event.error }) },
                target: 'waiting',
                actions: [
                  {
                    type: 'notifyFailure',
                    params: ({ context, event }) => ({
                      error: event.error,
                      quietly: !context.wasAskedToRead,
                    }),
                  },
                  'forgetAskedToRead',
                ],
              },
              {
                target: 'cooling',
                actions: [
                  {
                    type: 'notifyFailure',
                    params: ({ context, event }) => ({
                      error: event.error,
                      quietly: !context.wasAskedToRead && (context.wasRefusalTold || !isDenied(event.error)),
                    }),
                  },
                  { type: 'noteRefusalTold', params: ({ event }) => ({ error: event.error }) },
                  'forgetAskedToRead',
                ],
              },
            ],
          },
          always: { guard: 'hasUnreadSeen', actions: ['oweReading', ...readHere] },
        },
        /** What is seen meanwhile is read here at once, and the server is told of all of it together. */
        cooling: {
          always: { guard: 'hasUnreadSeen', actions: ['oweReading', ...readHere] },
          after: { readInterval: [{ guard: 'owesReading', target: 'marking' }, { target: 'resting' }] },
          on: { 'read.requested': { target: 'marking', actions: 'noteAskedToRead' } },
        },
        /** The server does not know yet that it was read. */
        waiting: {
          always: { guard: 'hasUnreadSeen', target: 'cooling', actions: ['oweReading', ...readHere] },
          after: { readRetryDelay: 'due' },
          on: { 'read.requested': { target: 'marking', actions: 'noteAskedToRead' } },
        },
        due: { always: { guard: 'isVisible', target: 'marking' } },
      },
    },
    /** The details are of the client that the conversation is linked to now. */
    client: {
      initial: 'none',
      states: {
        none: { always: { guard: 'hasOtherClient', target: 'linked' } },
        linked: {
          entry: 'useClient',
          exit: 'useNoClient',
          invoke: {
            src: 'clientDetails',
            id: 'clientDetails',
            systemId: 'clientDetails',
            input: ({ context }) => ({ clientId: context.clientId ?? '' }),
          },
          always: [
            { guard: 'hasNoClient', target: 'none' },
            { guard: 'hasOtherClient', target: 'linked', reenter: true },
          ],
        },
      },
    },
  },
})

const conversationId = ({ conversation, id }: Context): string => (conversation ? rowIdOf(conversation) : id)

const clientOf = ({ conversation }: Context): string | null => conversation?.client_id ?? null

const request = (context: Context, page: number): PageRequest => ({
  conversationId: conversationId(context),
  pageId: context.pageId,
  page,
})

const newest = ({ thread, newestPage, heard }: Context, answer: FetchedPage) =>
  withNewest(thread, newestPage, answer, heard)

const older = ({ thread, older, heard }: Context, answer: FetchedPage) => withOlder(thread, older, answer, heard)

const isDenied = (error: unknown): boolean => error instanceof Failure && error.status === 403

const unreadIn = ({ unreadAtOpening, thread }: Context): number => Math.max(unreadAtOpening, thread.unread)

/** The changes that are this thread's; a delete names no conversation. */
const ours = ({ conversation, pageId }: Context, changes: readonly MessageChange[]): readonly MessageChange[] =>
  conversation === null
    ? []
    : changes.filter((change) => change.type === 'DELETE' || belongsTo(change.record, conversation, pageId))

type Snapshot = SnapshotFrom<typeof threadMachine>

export const selectConversation = (snapshot: Snapshot): Conversation | null => snapshot.context.conversation

/** Oldest first; the same array until one of them changes, and an unchanged message stays the same object. */
export const selectMessages = (snapshot: Snapshot): readonly Message[] => snapshot.context.thread.messages

/** Older messages can be asked for with `older.requested`. */
export const selectHasOlder = (snapshot: Snapshot): boolean =>
  isLoaded(snapshot.context.thread) && hasOlder(snapshot.context.thread)

/** Nothing to show yet. */
export const selectIsLoading = (snapshot: Snapshot): boolean =>
  snapshot.matches({ content: 'finding' }) || snapshot.matches({ content: 'loading' })

export const selectIsLoadingOlder = (snapshot: Snapshot): boolean =>
  snapshot.matches({ content: { showing: 'loadingOlder' } })

/** The messages never came: offer a retry (`thread.reloaded`). */
export const selectHasFailed = (snapshot: Snapshot): boolean => snapshot.matches({ content: 'failed' })

/** What is shown may lack something, and asking for it was refused: say so, and offer a retry (`thread.reloaded`). */
export const selectIsOutdated = (snapshot: Snapshot): boolean => snapshot.matches({ content: { showing: 'outdated' } })

/** No conversation has the id of the link. */
export const selectIsNotFound = (snapshot: Snapshot): boolean => snapshot.matches({ content: 'notFound' })

/** The Mark as Read button is shown while there is something unread, be it only by the row that the server gave again. */
export const selectUnread = ({ context }: Snapshot): number =>
  Math.max(unreadIn(context), context.conversation?.unread_messages ?? 0)

/** The message that what is new begins with; null where nothing is. */
export const selectUnreadFrom = (snapshot: Snapshot): string | null => snapshot.context.unreadFrom

/** The client's details; undefined where the conversation is not linked. */
export const selectClientDetails = (snapshot: Snapshot) => snapshot.children.clientDetails

export const selectSummaries = (snapshot: Snapshot) => snapshot.children.summaries

/** What a message would go out by. */
export const selectSendRoute = (snapshot: Snapshot) => snapshot.children.sendRoute
