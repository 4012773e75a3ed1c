import type { AnyActorLogic } from 'xstate'
import { assign, enqueueActions, fromPromise, sendTo, setup } from 'xstate'
import type { Sender } from '../../domain/list/new-messages.ts'
import { offers } from '../../domain/session/features.ts'
import type { MessageChange, StateReport } from '../../domain/shell/changes.ts'
import type { AuthUser } from '../../schemas/auth.ts'
import type { Message } from '../../schemas/message.ts'
import type { SavedNotificationSettings } from '../../schemas/notification-settings.ts'
import { mustBeProvided } from '../must-be-provided.ts'

/** What the session tells about messages, the open conversation and what is written in it. */
export type TeamworkEvent =
  | { type: 'conversation.opened'; id: string }
  | { type: 'conversation.closed' }
  | { type: 'reply.typed'; text: string }
  | { type: 'messages.changed'; changes: readonly MessageChange[] }
  | { type: 'messages.fetched'; messages: readonly Message[] }
  | { type: 'message.sent'; conversationId: string; message: Message }
  | { type: 'messages.announced'; senders: readonly Sender[] }
  | { type: 'states.changed'; changes: readonly StateReport[] }
  | { type: 'settings.saved'; saved: SavedNotificationSettings }
  | { type: 'refetch.requested' }
  | { type: 'tab.shown' }
  | { type: 'tab.hidden' }

type Context = { user: AuthUser; id: string | null; isHidden: boolean; newKey: () => string; now: () => number }

/** Starts a child with any logic, because XState types `spawnChild` by the logics in `setup`. */
type SpawnAny = (logic: AnyActorLogic, options: { id: string; input: unknown }) => void

/** What `colleagues` is needed for. */
const parts = ['authors', 'presence', 'notes', 'labels', 'saved-replies', 'notifications'] as const

const forwarded = { actions: 'forward' as const }

/** Loads the machine `colleagues` after the first rows, if the API offers one of its parts. */
export const teamworkMachine = setup({
  types: {
    context: {} as Context,
    events: {} as TeamworkEvent | { type: 'user.confirmed'; user: AuthUser },
    input: {} as { user: AuthUser; newKey: () => string; now: () => number },
  },
  actors: { loadColleagues: fromPromise<AnyActorLogic>(mustBeProvided('loadColleagues')) },
  delays: { reloadDelay: 30_000 },
  guards: {
    'is offered': ({ context: { user } }) => parts.some((part) => offers(user, part)),
  },
  actions: {
    forward: sendTo('colleagues', ({ event }) => event),
    'store the confirmed user': assign({ user: (_, { user }: { user: AuthUser }) => user }),
    'keep the conversation': assign({ id: (_, { id }: { id: string | null }) => id }),
    'keep whether the tab is hidden': assign({ isHidden: (_, { isHidden }: { isHidden: boolean }) => isHidden }),
    'start the colleagues': enqueueActions(({ context, enqueue }, { logic }: { logic: AnyActorLogic }) => {
      const spawn = enqueue.spawnChild as unknown as SpawnAny
      spawn(logic, { id: 'colleagues', input: context })
    }),
  },
}).createMachine({
  id: 'teamwork',
  context: ({ input }) => ({ ...input, id: null, isHidden: false }),
  initial: 'notOffered',
  on: {
    'conversation.opened': { actions: { type: 'keep the conversation', params: ({ event }) => event } },
    'conversation.closed': { actions: { type: 'keep the conversation', params: { id: null } } },
    'tab.shown': { actions: { type: 'keep whether the tab is hidden', params: { isHidden: false } } },
    'tab.hidden': { actions: { type: 'keep whether the tab is hidden', params: { isHidden: true } } },
    'user.confirmed': { actions: { type: 'store the confirmed user', params: ({ event }) => event } },
  },
  states: {
    notOffered: { always: { guard: 'is offered', target: 'loading' } },
    loading: {
      invoke: {
        id: 'loadColleagues',
        src: 'loadColleagues',
        onDone: {
          target: 'running',
          actions: { type: 'start the colleagues', params: ({ event }) => ({ logic: event.output }) },
        },
        // The parts of the screen that need the code are not shown.
        onError: 'failed',
      },
    },
    failed: { after: { reloadDelay: 'loading' } },
    running: {
      on: {
        'conversation.opened': forwarded,
        'conversation.closed': forwarded,
        'reply.typed': forwarded,
        'messages.changed': forwarded,
        'messages.fetched': forwarded,
        'message.sent': forwarded,
        'messages.announced': forwarded,
        'states.changed': forwarded,
        'settings.saved': forwarded,
        'refetch.requested': forwarded,
        'tab.shown': forwarded,
        'tab.hidden': forwarded,
      },
    },
  },
})
