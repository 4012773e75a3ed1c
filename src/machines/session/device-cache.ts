import type { AnyActorRef, EventObject } from 'xstate'
import { assign, fromCallback, fromPromise, setup } from 'xstate'
import { type SavedThread, savedInboxOf, savedThreadOf } from '../../domain/thread/saved-inbox.ts'
import type { AuthUser } from '../../schemas/auth.ts'
import type { SavedInbox } from '../../schemas/saved-inbox.ts'
import { selectListToSave } from '../list/conversations.ts'
import { recordsIn } from '../list/records.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import type { System } from '../system.ts'
import { selectIsNotFound } from '../thread/thread.ts'

export type DeviceCacheEvent =
  /** The list, a row or the open thread has changed. */
  | { type: 'screen.changed' }
  /** The server has confirmed who is signed in. */
  | { type: 'user.confirmed'; user: AuthUser }
  /** The person stated whether other people use this computer. */
  | { type: 'sharedComputer.changed' }

type Context = {
  user: AuthUser
  /** The server has confirmed who is signed in. */
  isConfirmed: boolean
  /** The last open thread. */
  thread: SavedThread | null
}

/** The messages of the open thread; null if the thread shows the messages of one page only. */
function threadIn(system: System): SavedThread | null {
  const thread = system.get('thread')?.getSnapshot()
  if (!thread || thread.context.pageId !== null || thread.context.conversationId === null) return null
  return savedThreadOf(thread.context.conversationId, thread.context.thread)
}

/** The conversation of the open thread does not exist, or not any more. */
function isGoneIn(system: System): boolean {
  const thread = system.get('thread')?.getSnapshot()
  return thread !== undefined && selectIsNotFound(thread)
}

/** The inbox to save; null if the list is searched or filtered. */
function inboxIn({ user, thread }: Context, system: System): SavedInbox | null {
  const conversations = system.get('conversations')?.getSnapshot()
  const list = conversations ? selectListToSave(conversations) : null
  return list && savedInboxOf(user, recordsIn(system), list, thread)
}

/** Reports every change of rows, list or open thread. */
const watchScreen = fromCallback<EventObject>(({ system, sendBack }) => {
  const shown = () => [
    system.get('records')?.getSnapshot().context.records.conversations,
    system.get('conversations')?.getSnapshot().context.order,
    system.get('thread')?.getSnapshot().context.thread.messages,
    isGoneIn(system),
  ]
  let last: readonly unknown[] = []
  const look = () => {
    const now = shown()
    if (now.every((part, index) => part === last[index])) return
    last = now
    sendBack({ type: 'screen.changed' } satisfies DeviceCacheEvent)
  }
  const watched: (AnyActorRef | undefined)[] = [system.get('records'), system.get('conversations')]
  const subscriptions = watched.map((actor) => actor?.subscribe(look))
  // A thread starts and stops with the selection, so the session is watched too.
  const session: AnyActorRef | undefined = system.get('session')
  let thread: AnyActorRef | undefined
  let following: { unsubscribe: () => void } | undefined
  const follow = () => {
    const open: AnyActorRef | undefined = system.get('thread')
    if (open === thread) return
    following?.unsubscribe()
    thread = open
    following = open?.subscribe(look)
  }
  subscriptions.push(session?.subscribe(follow))
  follow()
  look()
  return () => {
    for (const subscription of subscriptions) subscription?.unsubscribe()
    following?.unsubscribe()
  }
})

/**
 * Saves the first rows of the list and the last open thread in this browser, for the next start. A save follows the
 * first change after `saveDelay`. A failure is silent, because the next change saves again.
 */
export const deviceCacheMachine = setup({
  types: {
    context: {} as Context,
    events: {} as DeviceCacheEvent,
    input: {} as { user: AuthUser; isConfirmed: boolean; thread: SavedThread | null },
  },
  actors: {
    watchScreen,
    /** Saves the inbox. With null (the list is searched or filtered) the earlier copy stays. */
    saveInbox: fromPromise<void, { inbox: SavedInbox | null }>(mustBeProvided('saveInbox')),
    clearDevice: fromPromise<void>(mustBeProvided('clearDevice')),
  },
  delays: {
    /** Milliseconds. Changes within this time are saved together. */
    saveDelay: 2_000,
  },
  guards: {
    'is confirmed': ({ context }) => context.isConfirmed,
    /** An API without the field `deviceCache` does not allow a copy. */
    'may keep conversations': ({ context }) => context.isConfirmed && context.user.deviceCache === true,
    /** The person stated that other people use this computer. */
    'is a shared computer': () => false,
  },
  actions: {
    'store the confirmed user': assign({ isConfirmed: true, user: (_, { user }: { user: AuthUser }) => user }),
    'store the open thread': assign({
      thread: ({ context, system }) => (isGoneIn(system) ? null : (threadIn(system) ?? context.thread)),
    }),
  },
}).createMachine({
  id: 'deviceCache',
  context: ({ input }) => ({
    user: input.user,
    isConfirmed: input.isConfirmed,
    thread: input.thread,
  }),
  initial: 'unconfirmed',
  on: { 'sharedComputer.changed': '.unconfirmed' },
  states: {
    /** Nothing is saved before the server has confirmed who is signed in. */
    unconfirmed: {
      always: [
        { guard: 'is a shared computer', target: 'clearing' },
        { guard: 'may keep conversations', target: 'keeping' },
        { guard: 'is confirmed', target: 'clearing' },
      ],
      on: {
        'user.confirmed': {
          actions: { type: 'store the confirmed user', params: ({ event }) => ({ user: event.user }) },
        },
      },
    },
    keeping: {
      invoke: { id: 'watchScreen', src: 'watchScreen' },
      initial: 'saved',
      on: { 'screen.changed': '.changed' },
      states: {
        saved: {},
        changed: { on: { 'screen.changed': {} }, after: { saveDelay: 'saving' } },
        saving: {
          entry: 'store the open thread',
          invoke: {
            id: 'saveInbox',
            src: 'saveInbox',
            input: ({ context, self }) => ({ inbox: inboxIn(context, self.system) }),
            onDone: 'saved',
            onError: 'saved',
          },
        },
      },
    },
    clearing: {
      invoke: { id: 'clearDevice', src: 'clearDevice', onDone: 'off', onError: 'off' },
    },
    off: {},
  },
})
