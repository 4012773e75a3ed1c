import { type ActorRefFrom, assign, fromPromise, raise, setup } from 'xstate'
import { idsOfConversation, rowIdOf } from '../../domain/list/conversation-row.ts'
import { type Records, rowById, rowIdIn, rowIn } from '../../domain/list/records.ts'
import type { MessageChange, UserChange } from '../../domain/shell/changes.ts'
import type { PrefetchRequested } from '../../domain/thread/prefetch-requested.ts'
import { changesIn, pageShown } from '../../domain/thread/thread-belonging.ts'
import type { MessagesRequest } from '../../domain/thread/thread-calls.ts'
import type { FetchedPage } from '../../domain/thread/thread-messages.ts'
import { recordsIn } from '../list/records.ts'
import { mustBeProvided } from '../must-be-provided.ts'

/** A thread that needs a page. */
type Taker = {
  /** Null: there is no such page, and the thread has to load it. */
  reply: (page: FetchedPage | null) => void
  fail: (error: unknown) => void
}

type Prefetch = {
  request: MessagesRequest
  /** All ids of the conversation. */
  ids: readonly string[]
}

type Context = {
  prefetch: Prefetch | null
  answer: FetchedPage | null
  /** The realtime changes of the conversation from the request until a thread took the page. */
  changes: readonly MessageChange[]
  taker: Taker | null
}

export type MessagePrefetchEvent =
  | PrefetchRequested
  /** The thread asks for this page. */
  | ({ type: 'page.requested'; request: MessagesRequest } & Taker)
  | { type: 'messages.changed'; changes: readonly MessageChange[] }
  | { type: 'users.changed'; changes: readonly UserChange[] }
  | { type: 'conversation.gone'; id: string }
  | { type: 'resync.requested' }
  | { type: 'refetch.requested' }

const nothing: Context = { prefetch: null, answer: null, changes: [], taker: null }

/** Null for the open conversation, and for one that the records do not hold. */
function prefetchOf(records: Records, { id, pageId, openId }: PrefetchRequested): Prefetch | null {
  const row = rowIn(records, [id])
  if (row === null || rowIdOf(row) === (openId && rowIdIn(records, [openId]))) return null
  return {
    request: { conversationId: rowIdOf(row), pageId: pageShown(row, pageId), page: 1 },
    ids: idsOfConversation(row),
  }
}

const isSame = (one: MessagesRequest, other: MessagesRequest): boolean =>
  one.conversationId === other.conversationId && one.pageId === other.pageId && one.page === other.page

/**
 * Loads the newest messages of a conversation when the mouse is pressed on its row, so that they arrive while the button is
 * released. A thread takes them at most once. A failure that comes before is not reported, and the thread loads by itself.
 */
export const messagePrefetchMachine = setup({
  types: {
    context: {} as Context,
    /** The request is resolved separately: guards cannot read the records. */
    events: {} as MessagePrefetchEvent | { type: 'prefetch.resolved'; prefetch: Prefetch | null },
  },
  actors: { loadMessages: fromPromise<FetchedPage, MessagesRequest>(mustBeProvided('loadMessages')) },
  delays: {
    /** Milliseconds. After a longer press the thread loads by itself. */
    untakenLimit: 1_000,
  },
  guards: {
    'can be requested': (_, { prefetch }: { prefetch: Prefetch | null }) => prefetch !== null,
    'is this page': ({ context }, { request }: { request: MessagesRequest }) =>
      context.prefetch !== null && isSame(context.prefetch.request, request),
    'is this page and has arrived': ({ context }, { request }: { request: MessagesRequest }) =>
      context.prefetch !== null && context.answer !== null && isSame(context.prefetch.request, request),
    'was taken': ({ context }) => context.taker !== null,
    'concerns the conversation': (
      { context: { prefetch } },
      { ids }: { ids: readonly (string | null | undefined)[] },
    ) => ids.some((id) => id != null && prefetch?.ids.includes(id)),
  },
  actions: {
    'resolve the request': raise(({ system }, requested: PrefetchRequested) => ({
      type: 'prefetch.resolved' as const,
      prefetch: prefetchOf(recordsIn(system), requested),
    })),
    'store the request': assign((_, { prefetch }: { prefetch: Prefetch | null }) => ({ ...nothing, prefetch })),
    'store the answer': assign((_, { answer }: { answer: FetchedPage }) => ({ answer })),
    'store the taker': assign((_, { reply, fail }: Taker) => ({ taker: { reply, fail } })),
    'remember the changes': assign({
      changes: ({ context: { prefetch, changes }, system }, told: { changes: readonly MessageChange[] }) => {
        const row = prefetch && rowById(recordsIn(system), prefetch.request.conversationId)
        return row ? [...changes, ...changesIn(told.changes, row, prefetch.request.pageId)] : changes
      },
    }),
    'give the stored page': ({ context: { answer, changes } }, { reply }: Taker) =>
      reply(answer && { ...answer, changes }),
    'give the page': ({ context: { taker, changes } }, { answer }: { answer: FetchedPage }) =>
      taker?.reply({ ...answer, changes }),
    'give nothing': (_, { reply }: Taker) => reply(null),
    'let the taker load by itself': ({ context }) => context.taker?.reply(null),
    'pass on the failure': ({ context }, { error }: { error: unknown }) => context.taker?.fail(error),
    clear: assign(nothing),
  },
}).createMachine({
  id: 'messagePrefetch',
  context: nothing,
  initial: 'idle',
  on: {
    'prefetch.requested': { actions: { type: 'resolve the request', params: ({ event }) => event } },
    'prefetch.resolved': {
      guard: { type: 'can be requested', params: ({ event }) => event },
      target: '.requested',
      reenter: true,
      actions: ['let the taker load by itself', { type: 'store the request', params: ({ event }) => event }],
    },
    'page.requested': { actions: { type: 'give nothing', params: ({ event }) => event } },
  },
  states: {
    idle: { entry: 'clear' },
    requested: {
      invoke: {
        id: 'loadMessages',
        src: 'loadMessages',
        input: ({ context }) => context.prefetch?.request ?? { conversationId: '', pageId: null, page: 1 },
        onDone: [
          {
            guard: 'was taken',
            target: 'idle',
            actions: { type: 'give the page', params: ({ event }) => ({ answer: event.output }) },
          },
          { actions: { type: 'store the answer', params: ({ event }) => ({ answer: event.output }) } },
        ],
        onError: [
          {
            guard: 'was taken',
            target: 'idle',
            actions: { type: 'pass on the failure', params: ({ event }) => ({ error: event.error }) },
          },
          'idle',
        ],
      },
      initial: 'untaken',
      states: {
        untaken: {
          after: { untakenLimit: '#messagePrefetch.idle' },
          on: {
            'page.requested': [
              {
                guard: { type: 'is this page and has arrived', params: ({ event }) => event },
                target: '#messagePrefetch.idle',
                actions: { type: 'give the stored page', params: ({ event }) => event },
              },
              {
                guard: { type: 'is this page', params: ({ event }) => event },
                target: 'taken',
                actions: { type: 'store the taker', params: ({ event }) => event },
              },
              { actions: { type: 'give nothing', params: ({ event }) => event } },
            ],
            'messages.changed': { actions: { type: 'remember the changes', params: ({ event }) => event } },
            // The page may lack messages, or have those of a chat that left.
            'users.changed': {
              guard: {
                type: 'concerns the conversation',
                params: ({ event }) => ({ ids: event.changes.flatMap(({ row }) => [row.id, row.primary_user_id]) }),
              },
              target: '#messagePrefetch.idle',
            },
            'conversation.gone': {
              guard: { type: 'concerns the conversation', params: ({ event }) => ({ ids: [event.id] }) },
              target: '#messagePrefetch.idle',
            },
            'resync.requested': '#messagePrefetch.idle',
            'refetch.requested': '#messagePrefetch.idle',
          },
        },
        /** The thread hears of changes and gaps by itself from now on. */
        taken: {},
      },
    },
  },
})

export type MessagePrefetchActor = ActorRefFrom<typeof messagePrefetchMachine>
