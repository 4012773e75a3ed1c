import type { AnyActorRef, SnapshotFrom } from 'xstate'
import { assign, fromPromise, setup } from 'xstate'
import { Failure } from '../../domain/failure.ts'
import { rowIn } from '../../domain/list/records.ts'
import { momentOf } from '../../domain/message-order.ts'
import type { MessageChange } from '../../domain/shell/changes.ts'
import {
  aroundOf,
  hasOlderMessages,
  type MessagesAround,
  refetched,
  withChanges,
  withNewerPage,
  withOlderPage,
} from '../../domain/thread/messages-around.ts'
import { belongsTo } from '../../domain/thread/thread-belonging.ts'
import type { AroundAnswer, AroundRequest } from '../../domain/thread/thread-calls.ts'
import { threadToasts } from '../../domain/thread/toasts.ts'
import type { Message } from '../../schemas/message.ts'
import { recordsIn } from '../list/records.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { notifyFailure } from '../notify-failure.ts'
import { reportFailure } from '../on-failure.ts'
import type { System } from '../system.ts'

export type MessagesAroundEvent =
  /** A person opens a conversation at a message. The conversation is open already, or is opened next. */
  | { type: 'message.requested'; conversationId: string; messageId: string }
  | { type: 'older.requested' }
  | { type: 'newer.requested' }
  /** Back to the thread itself, which shows the newest messages. */
  | { type: 'newest.requested' }
  /** The view shows the messages in place of this thread. A thread that starts anew may have other messages. */
  | { type: 'thread.shown'; conversationId: string; threadId: string }
  | { type: 'refetch.requested' }
  | { type: 'resync.requested' }
  | { type: 'messages.changed'; changes: readonly MessageChange[] }
  | { type: 'conversation.opened'; id: string }
  | { type: 'conversation.closed' }

type Context = {
  /** The conversation that is shown around a message; null if none is. */
  conversationId: string | null
  messageId: string
  /** The thread in whose place the messages are shown; null until the view says so. */
  threadId: string | null
  around: MessagesAround | null
  /** The changes since the pending page was asked for; empty if none is. */
  receivedMeanwhile: readonly MessageChange[]
  /** The pages of a refetch under way. */
  pages: readonly (readonly Message[])[]
}

const initialContext = {
  conversationId: null,
  messageId: '',
  threadId: null,
  around: null,
  receivedMeanwhile: [],
  pages: [],
} as const

/**
 * Tells the thread that its newest message is out of view, so nothing there counts as seen. Deferred, because the
 * session starts the thread of a conversation right after it says that the conversation is opened, and no answer
 * arrives before.
 */
const tellThread = ({ system }: { system: System }, { conversationId }: { conversationId: string | null }) =>
  queueMicrotask(() => {
    const thread: AnyActorRef | undefined = system.get('thread')
    const shown = thread?.getSnapshot().context
    if (shown?.id === conversationId || shown?.conversationId === conversationId) thread?.send({ type: 'end.left' })
  })

/** The changes of the conversation on all its pages. A delete names no conversation, so every delete is included. */
function ours({ conversationId }: Context, system: System, changes: readonly MessageChange[]) {
  const row = rowIn(recordsIn(system), [conversationId ?? ''])
  return changes.filter((change) => change.type === 'DELETE' || (row !== null && belongsTo(change.record, row, null)))
}

const request = (
  { conversationId }: Context,
  side: AroundRequest['side'],
  message: Message | undefined,
): AroundRequest => ({
  conversationId: conversationId ?? '',
  messageId: message?.message_id ?? '',
  at: message ? momentOf(message) : null,
  side,
})

const firstOf = ({ around }: Context) => around?.thread.messages[0]
const lastOf = ({ around }: Context) => around?.thread.messages.at(-1)

type Answered = { event: { output: AroundAnswer } }
const answerOf = ({ event }: Answered) => ({ answer: event.output })

const afterFailedPage = { target: 'idle' as const, actions: reportFailure(threadToasts.failed) }

/**
 * A conversation that is shown around a message that was searched, beside the thread with its newest messages. The
 * thread keeps what arrives; here it appears when the newest page is reached, so that no gap is shown as if there were
 * none.
 */
export const messagesAroundMachine = setup({
  types: { context: {} as Context, events: {} as MessagesAroundEvent },
  actors: { loadAround: fromPromise<AroundAnswer, AroundRequest>(mustBeProvided('loadAround')) },
  guards: {
    'is another conversation': ({ context }, { id }: { id: string }) => id !== context.conversationId,
    'is of another thread': ({ context }, shown: { conversationId: string; threadId: string }) =>
      shown.conversationId === context.conversationId &&
      context.threadId !== null &&
      context.threadId !== shown.threadId,
    'is of the conversation': ({ context }, shown: { conversationId: string; threadId: string }) =>
      shown.conversationId === context.conversationId && context.threadId === null,
    'has older messages': ({ context: { around } }) => around !== null && hasOlderMessages(around),
    'has newer messages': ({ context: { around } }) => around?.hasNewer === true,
    'has no messages': ({ context: { around } }) => around?.thread.messages.length === 0,
    'is missing': (_, { error }: { error: unknown }) => error instanceof Failure && error.status === 404,
    'is fetched again': ({ context: { around, pages } }, { answer }: { answer: AroundAnswer }) =>
      around === null || refetched(around, pages, answer).isDone,
  },
  actions: {
    tellThread,
    'notify failure': notifyFailure,
    'keep the message': assign(({ context }, asked: { conversationId: string; messageId: string }) => ({
      ...initialContext,
      ...asked,
      threadId: asked.conversationId === context.conversationId ? context.threadId : null,
    })),
    'keep the thread': assign((_, { threadId }: { threadId: string }) => ({ threadId })),
    'forget everything': assign(initialContext),
    'await a page': assign({ receivedMeanwhile: [] }),
    'await all pages': assign({ receivedMeanwhile: [], pages: [] }),
    'remember the changes': assign({
      receivedMeanwhile: ({ context, system }, { changes }: { changes: readonly MessageChange[] }) => [
        ...context.receivedMeanwhile,
        ...ours(context, system, changes),
      ],
    }),
    'apply the changes': assign({
      around: ({ context, system }, { changes }: { changes: readonly MessageChange[] }) =>
        context.around && withChanges(context.around, ours(context, system, changes)),
    }),
    'keep the messages': assign({
      around: ({ context }, { answer }: { answer: AroundAnswer }) => aroundOf(answer, context.receivedMeanwhile),
    }),
    'add older messages': assign({
      around: ({ context: { around, receivedMeanwhile } }, { answer }: { answer: AroundAnswer }) =>
        around && withOlderPage(around, answer, receivedMeanwhile),
    }),
    'add newer messages': assign({
      around: ({ context: { around, receivedMeanwhile } }, { answer }: { answer: AroundAnswer }) =>
        around && withNewerPage(around, answer, receivedMeanwhile),
    }),
    'keep the page': assign({
      pages: ({ context: { around, pages } }, { answer }: { answer: AroundAnswer }) =>
        around ? refetched(around, pages, answer).pages : pages,
    }),
    'replace the messages': assign({
      around: ({ context: { pages, receivedMeanwhile } }, { answer }: { answer: AroundAnswer }) =>
        aroundOf(
          { messages: [...pages.flat(), ...answer.messages], hasOlder: true, hasNewer: answer.hasNewer },
          receivedMeanwhile,
        ),
    }),
  },
}).createMachine({
  id: 'messagesAround',
  context: initialContext,
  initial: 'none',
  on: {
    'message.requested': {
      target: '.loading',
      reenter: true,
      actions: [
        {
          type: 'keep the message',
          params: ({ event: { conversationId, messageId } }) => ({ conversationId, messageId }),
        },
        { type: 'tellThread', params: ({ event }) => event },
      ],
    },
    'newest.requested': '.none',
    'conversation.closed': '.none',
    'conversation.opened': [
      { guard: { type: 'is another conversation', params: ({ event }) => event }, target: '.none' },
      { actions: { type: 'tellThread', params: ({ context }) => context } },
    ],
    'thread.shown': [
      { guard: { type: 'is of another thread', params: ({ event }) => event }, target: '.none' },
      {
        guard: { type: 'is of the conversation', params: ({ event }) => event },
        actions: { type: 'keep the thread', params: ({ event }) => event },
      },
    ],
  },
  states: {
    none: { entry: 'forget everything' },
    loading: {
      entry: 'await a page',
      invoke: {
        id: 'loadAround',
        src: 'loadAround',
        input: ({ context }) => ({ ...request(context, 'both', undefined), messageId: context.messageId }),
        onDone: { target: 'showing', actions: { type: 'keep the messages', params: answerOf } },
        onError: [
          { guard: { type: 'is missing', params: ({ event }) => ({ error: event.error }) }, target: 'missing' },
          { target: 'failed', actions: reportFailure(threadToasts.failed) },
        ],
      },
      on: { 'messages.changed': { actions: { type: 'remember the changes', params: ({ event }) => event } } },
    },
    /** The message was deleted, or is of another conversation by now. */
    missing: {},
    failed: { on: { 'refetch.requested': 'loading', 'resync.requested': 'loading' } },
    showing: {
      initial: 'idle',
      always: { guard: 'has no messages', target: 'missing' },
      on: {
        'messages.changed': {
          actions: [
            { type: 'apply the changes', params: ({ event }) => event },
            { type: 'remember the changes', params: ({ event }) => event },
          ],
        },
        'refetch.requested': '.refetching',
        'resync.requested': '.refetching',
      },
      states: {
        idle: {
          entry: 'await a page',
          on: {
            'older.requested': { guard: 'has older messages', target: 'loadingOlder' },
            'newer.requested': { guard: 'has newer messages', target: 'loadingNewer' },
            'messages.changed': { actions: { type: 'apply the changes', params: ({ event }) => event } },
          },
        },
        loadingOlder: {
          entry: 'await a page',
          invoke: {
            id: 'loadOlderAround',
            src: 'loadAround',
            input: ({ context }) => request(context, 'older', firstOf(context)),
            onDone: { target: 'idle', actions: { type: 'add older messages', params: answerOf } },
            onError: afterFailedPage,
          },
        },
        loadingNewer: {
          entry: 'await a page',
          invoke: {
            id: 'loadNewerAround',
            src: 'loadAround',
            input: ({ context }) => request(context, 'newer', lastOf(context)),
            onDone: { target: 'idle', actions: { type: 'add newer messages', params: answerOf } },
            onError: afterFailedPage,
          },
        },
        /** Changes may have been missed: the range is fetched again from its first message on. */
        refetching: {
          entry: 'await all pages',
          initial: 'fetching',
          states: {
            fetching: {
              invoke: {
                id: 'refetchAround',
                src: 'loadAround',
                input: ({ context }) => {
                  const last = context.pages.at(-1)?.at(-1)
                  return last ? request(context, 'newer', last) : request(context, 'from', firstOf(context))
                },
                onDone: [
                  {
                    guard: { type: 'is fetched again', params: answerOf },
                    target: '#messagesAround.showing.idle',
                    actions: { type: 'replace the messages', params: answerOf },
                  },
                  { target: 'fetching', reenter: true, actions: { type: 'keep the page', params: answerOf } },
                ],
                // A resync follows each gap, so the next one tries again. Until then a person can.
                onError: { target: '#messagesAround.showing.outdated', actions: reportFailure(threadToasts.failed) },
              },
            },
          },
        },
        /** Changes may be missing. No page is added, because it might not adjoin. */
        outdated: {
          entry: 'await a page',
          on: { 'messages.changed': { actions: { type: 'apply the changes', params: ({ event }) => event } } },
        },
      },
    },
  },
})

type Snapshot = SnapshotFrom<typeof messagesAroundMachine>

/** The conversation that is shown around a message; null if none is. */
export const selectConversation = (snapshot: Snapshot): string | null => snapshot.context.conversationId
export const selectFoundMessage = (snapshot: Snapshot): string => snapshot.context.messageId
const noMessages: readonly Message[] = []
/** Oldest first. The array stays the same until a message changes. */
export const selectMessages = (snapshot: Snapshot): readonly Message[] =>
  snapshot.context.around?.thread.messages ?? noMessages
export const selectHasOlder = ({ context: { around } }: Snapshot): boolean =>
  around !== null && hasOlderMessages(around)
export const selectHasNewer = ({ context: { around } }: Snapshot): boolean => around?.hasNewer === true
export const selectIsLoading = (snapshot: Snapshot): boolean => snapshot.matches('loading')
export const selectIsLoadingOlder = (snapshot: Snapshot): boolean => snapshot.matches({ showing: 'loadingOlder' })
export const selectIsLoadingNewer = (snapshot: Snapshot): boolean => snapshot.matches({ showing: 'loadingNewer' })
export const selectHasFailed = (snapshot: Snapshot): boolean => snapshot.matches('failed')
export const selectIsMissing = (snapshot: Snapshot): boolean => snapshot.matches('missing')
/** Messages may be missing; `refetch.requested` retries. */
export const selectIsOutdated = (snapshot: Snapshot): boolean => snapshot.matches({ showing: 'outdated' })
