import type { SnapshotFrom } from 'xstate'
import { assign, fromPromise, raise, setup } from 'xstate'
import { isSameConversation } from '../../domain/list/records.ts'
import type { PresenceChange, PresenceRequest } from '../../domain/thread/colleague-calls.ts'
import { type Colleague, presenceInterval, presenceLifetime } from '../../schemas/presence.ts'
import { recordsIn } from '../list/records.ts'
import { mustBeGiven, mustBeProvided } from '../must-be-provided.ts'

/** A tab of a colleague that shows the open conversation. It counts until this time, in milliseconds since 1970. */
type Present = { staffId: string; isTyping: boolean; until: number }

type Context = {
  userId: string
  /** The id of this page load. */
  tab: string
  /** The open conversation. */
  id: string | null
  isHidden: boolean
  isTyping: boolean
  /** The server was told something that is no longer true. */
  isOutdated: boolean
  /** By tab. */
  colleagues: Readonly<Record<string, Present>>
  now: () => number
}

export type PresenceEvent =
  | { type: 'conversation.opened'; id: string }
  | { type: 'conversation.closed' }
  /** The text in the composer of the open conversation. */
  | { type: 'reply.typed'; text: string }
  | { type: 'presence.changed'; change: PresenceChange }
  | { type: 'tab.shown' }
  | { type: 'tab.hidden' }
  /** This person began to write, or stopped. Raised by the machine itself. */
  | { type: 'typing.changed' }

const isShownIn = ({ id, isHidden }: Context): boolean => id !== null && !isHidden

const text = { params: ({ event }: { event: { text: string } }) => event }

/**
 * Who is looking at the open conversation. While this tab shows it, the server is told every 3 s and answers with the tabs
 * of colleagues. Realtime tells changes at once. A tab that nothing renews for 8 s is gone, whatever happened to it.
 */
export const presenceMachine = setup({
  types: {
    context: {} as Context,
    events: {} as PresenceEvent,
    input: {} as { userId: string; tab: string; id: string | null; isHidden: boolean; now: () => number },
  },
  actors: { renewPresence: fromPromise<readonly Colleague[], PresenceRequest>(mustBeProvided('renewPresence')) },
  delays: {
    renewalInterval: presenceInterval,
    /** Milliseconds without a key press after which a person counts as no longer writing. */
    typingTimeout: 5_000,
    expiryInterval: 1_000,
  },
  guards: {
    'is shown': ({ context }) => isShownIn(context),
    'is not shown': ({ context }) => !isShownIn(context),
    'is another conversation': ({ context }, { id }: { id: string }) => context.id !== id,
    'is outdated': ({ context }) => context.isOutdated,
    'has text': (_, { text }: { text: string }) => text.trim() !== '',
  },
  actions: {
    'use the conversation': assign({ id: (_, { id }: { id: string }) => id }),
    'forget the conversation': assign({ id: null }),
    'remember that the tab is hidden': assign({ isHidden: true }),
    'remember that the tab is visible': assign({ isHidden: false }),
    'begin typing': assign({ isTyping: true }),
    'end typing': assign({ isTyping: false }),
    'tell that typing changed': raise({ type: 'typing.changed' }),
    'mark as outdated': assign({ isOutdated: true }),
    'mark as told': assign({ isOutdated: false }),
    'forget the colleagues': assign({ colleagues: {} }),
    'keep the colleagues': assign({
      colleagues: ({ context }, { colleagues }: { colleagues: readonly Colleague[] }) =>
        Object.fromEntries(
          colleagues.map(({ id, staff_id: staffId, is_typing: isTyping, remaining }) => [
            id,
            { staffId, isTyping, until: context.now() + remaining },
          ]),
        ),
    }),
    'apply the change': assign({
      colleagues: ({ context, system }, { change }: { change: PresenceChange }) => {
        const others = Object.entries(context.colleagues).filter(([tab]) => tab !== change.id)
        const records = recordsIn(system)
        const isHere =
          change.type !== 'DELETE' &&
          change.staffId !== context.userId &&
          isSameConversation(records, context.id, change.conversationId)
        if (!isHere) return Object.fromEntries(others)
        const { id, staffId, isTyping } = change
        return Object.fromEntries([...others, [id, { staffId, isTyping, until: context.now() + presenceLifetime }]])
      },
    }),
    'forget the expired': assign({
      colleagues: ({ context: { colleagues, now } }) => {
        const left = Object.entries(colleagues).filter(([, { until }]) => until > now())
        return left.length === Object.keys(colleagues).length ? colleagues : Object.fromEntries(left)
      },
    }),
    /** Best effort: without this the server forgets the tab by itself. */
    'tell that this tab left': mustBeGiven('tell that this tab left') as (_: unknown, params: { tab: string }) => void,
  },
}).createMachine({
  id: 'presence',
  context: ({ input }) => ({ ...input, isTyping: false, isOutdated: false, colleagues: {} }),
  initial: 'away',
  on: {
    'tab.hidden': { actions: 'remember that the tab is hidden' },
    'tab.shown': { actions: 'remember that the tab is visible' },
    'conversation.closed': { actions: 'forget the conversation' },
  },
  states: {
    away: {
      always: { guard: 'is shown', target: 'here' },
      on: { 'conversation.opened': { actions: { type: 'use the conversation', params: ({ event }) => event } } },
    },
    here: {
      type: 'parallel',
      always: {
        guard: 'is not shown',
        target: 'away',
        actions: { type: 'tell that this tab left', params: ({ context }) => ({ tab: context.tab }) },
      },
      exit: ['end typing', 'forget the colleagues'],
      on: {
        // The next renewal moves this tab, so nobody is told that it left.
        'conversation.opened': {
          guard: { type: 'is another conversation', params: ({ event }) => event },
          target: 'here',
          reenter: true,
          actions: { type: 'use the conversation', params: ({ event }) => event },
        },
        'presence.changed': { actions: { type: 'apply the change', params: ({ event }) => event } },
      },
      states: {
        renewal: {
          initial: 'renewing',
          states: {
            renewing: {
              entry: 'mark as told',
              invoke: {
                id: 'renewPresence',
                src: 'renewPresence',
                input: ({ context: { id, tab, isTyping } }) => ({ id: id ?? '', tab, isTyping }),
                onDone: {
                  target: 'waiting',
                  actions: { type: 'keep the colleagues', params: ({ event }) => ({ colleagues: event.output }) },
                },
                onError: 'waiting',
              },
              on: { 'typing.changed': { actions: 'mark as outdated' } },
            },
            waiting: {
              always: { guard: 'is outdated', target: 'renewing' },
              after: { renewalInterval: 'renewing' },
              on: { 'typing.changed': 'renewing' },
            },
          },
        },
        typing: {
          initial: 'idle',
          states: {
            idle: {
              on: {
                'reply.typed': {
                  guard: { type: 'has text', ...text },
                  target: 'writing',
                  actions: ['begin typing', 'tell that typing changed'],
                },
              },
            },
            writing: {
              after: { typingTimeout: { target: 'idle', actions: ['end typing', 'tell that typing changed'] } },
              on: {
                'reply.typed': [
                  { guard: { type: 'has text', ...text }, target: 'writing', reenter: true },
                  { target: 'idle', actions: ['end typing', 'tell that typing changed'] },
                ],
              },
            },
          },
        },
        expiry: {
          initial: 'watching',
          states: {
            watching: {
              after: { expiryInterval: { target: 'watching', reenter: true, actions: 'forget the expired' } },
            },
          },
        },
      },
    },
  },
})

type Snapshot = SnapshotFrom<typeof presenceMachine>

/** The colleagues who look at the open conversation, by staff id, each once. */
export function selectPresent({ context: { colleagues } }: Snapshot): readonly Omit<Present, 'until'>[] {
  const typing = new Map<string, boolean>()
  for (const { staffId, isTyping } of Object.values(colleagues))
    typing.set(staffId, isTyping || typing.get(staffId) === true)
  return [...typing]
    .map(([staffId, isTyping]) => ({ staffId, isTyping }))
    .sort((one, other) => (one.staffId < other.staffId ? -1 : 1))
}
