import type { ActorRef, ActorRefFrom, AnyActorRef, MachineSnapshot, MetaObject, StateSchema, StateValue } from 'xstate'
import { assign, fromPromise, setup } from 'xstate'
import { rowIdOf } from '../../domain/list/conversation-row.ts'
import { type Records, rowById, rowIdIn, rowIn } from '../../domain/list/records.ts'
import type { MessageChange } from '../../domain/shell/changes.ts'
import { changesIn, pageShown } from '../../domain/thread/thread-belonging.ts'
import type { ConversationPressed, MessagesRequest } from '../../domain/thread/thread-calls.ts'
import type { FetchedPage } from '../../domain/thread/thread-messages.ts'
import { recordsIn } from '../list/records.ts'
import { mustBeProvided } from '../must-be-provided.ts'

type Prefetched = {
  /** The newest page of the pressed conversation; null if none is prefetched. */
  request: MessagesRequest | null
  answer: FetchedPage | null
  /** The realtime changes of the conversation from the request until the thread took it. */
  changes: readonly MessageChange[]
}

type Context = Prefetched & {
  /**
   * Takes the page that is prefetched for this request, and waits for the answer. Null if there is none, if the page was
   * taken before, or if no answer comes because the prefetch failed or another took its place. A function in the context,
   * so that its code is not part of the first load.
   */
  take: (request: MessagesRequest, signal: AbortSignal) => Promise<FetchedPage | null>
}

export type MessagePrefetchEvent =
  | ConversationPressed
  | { type: 'messages.changed'; changes: readonly MessageChange[] }
  /** The opened thread uses the answer, which may not have come yet. */
  | { type: 'prefetch.taken' }
  /** What was read may lack something. */
  | { type: 'resync.requested' }
  | { type: 'refetch.requested' }
  | { type: 'users.changed' }
  | { type: 'conversation.gone' }

const nothing: Prefetched = { request: null, answer: null, changes: [] }

/** Null for the open conversation, and for one that the records do not hold. */
function requestOf(records: Records, { id, pageId, openId }: ConversationPressed): MessagesRequest | null {
  const row = rowIn(records, [id])
  if (row === null || rowIdOf(row) === (openId && rowIdIn(records, [openId]))) return null
  return { conversationId: rowIdOf(row), pageId: pageShown(row, pageId), page: 1 }
}

/** This machine's actor. Written out, because a type that is derived from the machine would refer to itself. */
type Running = ActorRef<
  MachineSnapshot<
    Context,
    MessagePrefetchEvent,
    Record<string, AnyActorRef | undefined>,
    StateValue,
    string,
    unknown,
    MetaObject,
    StateSchema
  >,
  MessagePrefetchEvent
>

async function take(
  prefetch: Running,
  { conversationId, pageId, page }: MessagesRequest,
  signal: AbortSignal,
): Promise<FetchedPage | null> {
  const offered = prefetch.getSnapshot()
  const { request } = offered.context
  if (request === null || !offered.matches({ requested: 'untaken' })) return null
  if (request.conversationId !== conversationId || request.pageId !== pageId || request.page !== page) return null
  prefetch.send({ type: 'prefetch.taken' })
  // Not `waitFor` of XState, whose code would join the first load with the rest of the package.
  return new Promise((resolve, reject) => {
    const look = ({ context: { request: current, answer, changes } }: typeof offered) => {
      if (current === request && answer === null) return
      subscription.unsubscribe()
      resolve(current === request && answer !== null ? { ...answer, changes } : null)
    }
    const subscription = prefetch.subscribe(look)
    signal.addEventListener('abort', () => {
      subscription.unsubscribe()
      reject(signal.reason)
    })
    look(prefetch.getSnapshot())
  })
}

/**
 * Loads the newest messages of a conversation when the mouse is pressed on its row, so that they arrive while the button is
 * released. The thread takes them at most once. A failure is not reported: the thread loads by itself.
 */
export const messagePrefetchMachine = setup({
  types: { context: {} as Context, events: {} as MessagePrefetchEvent },
  actors: { loadMessages: fromPromise<FetchedPage, MessagesRequest>(mustBeProvided('loadMessages')) },
  delays: {
    /** Milliseconds. A press that lasts longer opens no conversation, or one that is loaded by the thread. */
    untakenLimit: 1_000,
  },
  guards: { 'has a request': ({ context }) => context.request !== null },
  actions: {
    'store the request': assign(({ system }, pressed: ConversationPressed) => ({
      ...nothing,
      request: requestOf(recordsIn(system), pressed),
    })),
    'store the answer': assign((_, { answer }: { answer: FetchedPage }) => ({ answer })),
    'remember the changes': assign({
      changes: ({ context: { request, changes }, system }, told: { changes: readonly MessageChange[] }) => {
        const row = request && rowById(recordsIn(system), request.conversationId)
        return row ? [...changes, ...changesIn(told.changes, row, request.pageId)] : changes
      },
    }),
    clear: assign(nothing),
  },
}).createMachine({
  id: 'messagePrefetch',
  context: ({ self }) => ({
    ...nothing,
    take: (request, signal) => take(self as Running, request, signal),
  }),
  initial: 'idle',
  on: {
    'conversation.pressed': {
      target: '.pressed',
      actions: { type: 'store the request', params: ({ event }) => event },
    },
  },
  states: {
    idle: { entry: 'clear' },
    pressed: { always: [{ guard: 'has a request', target: 'requested' }, { target: 'idle' }] },
    requested: {
      invoke: {
        id: 'loadMessages',
        src: 'loadMessages',
        input: ({ context }) => context.request ?? { conversationId: '', pageId: null, page: 1 },
        onDone: { actions: { type: 'store the answer', params: ({ event }) => ({ answer: event.output }) } },
        onError: 'idle',
      },
      initial: 'untaken',
      states: {
        untaken: {
          after: { untakenLimit: '#messagePrefetch.idle' },
          on: {
            'prefetch.taken': 'taken',
            'messages.changed': { actions: { type: 'remember the changes', params: ({ event }) => event } },
            'resync.requested': '#messagePrefetch.idle',
            'refetch.requested': '#messagePrefetch.idle',
            'users.changed': '#messagePrefetch.idle',
            'conversation.gone': '#messagePrefetch.idle',
          },
        },
        /** The thread hears of changes and gaps by itself from now on. */
        taken: {},
      },
    },
  },
})

export type MessagePrefetchActor = ActorRefFrom<typeof messagePrefetchMachine>
