import { assign, fromPromise, setup } from 'xstate'
import { type Draft, isBlank } from '../../domain/send/draft.ts'
import type { Outgoing } from '../../domain/send/outgoing.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { tellSession } from '../session-events.ts'
import { receivesAllIn } from '../shell/realtime.ts'
import type { System } from '../system.ts'

type Context = {
  /** The conversations to check. The check of the first is pending. */
  waiting: readonly string[]
}

type GoneConversationsEvent = { type: 'resync.done' }

/** The conversations with a draft or an unsent message that are not in the loaded list. */
function storedIn(system: System): string[] {
  const listed: readonly string[] = system.get('conversations')?.getSnapshot().context.order ?? []
  const outgoing: readonly Outgoing[] = system.get('outbox')?.getSnapshot().context.outgoing ?? []
  const drafts: ReadonlyMap<string, Draft> = system.get('drafts')?.getSnapshot().context.drafts ?? new Map()
  const stored = new Set(outgoing.map(({ recipient }) => recipient.conversationId))
  for (const [id, draft] of drafts) if (!isBlank(draft)) stored.add(id)
  return [...stored].filter((id) => !listed.includes(id))
}

/**
 * Finds conversations that the server no longer knows although this browser stores a draft or an unsent message for
 * them: the person was erased, or the page was deleted. It checks after each resync, and at its start if that of the start
 * is over. A failure is silent; the next resync checks again.
 */
export const goneConversationsMachine = setup({
  types: { context: {} as Context, events: {} as GoneConversationsEvent },
  actors: {
    /** True only if the server certainly does not know the conversation. */
    isGone: fromPromise<boolean, { id: string }>(mustBeProvided('isGone')),
  },
  guards: {
    'has one to check': ({ context }) => context.waiting.length > 0,
    'is gone': (_, { isGone }: { isGone: boolean }) => isGone,
  },
  actions: {
    tellSession,
    'queue the stored conversations': assign({
      waiting: ({ context, system }) => [...new Set([...context.waiting, ...storedIn(system)])],
    }),
    'queue the stored conversations if the resync is over': assign({
      waiting: ({ system }) => (receivesAllIn(system) ? storedIn(system) : []),
    }),
    'remove the first': assign({ waiting: ({ context }) => context.waiting.slice(1) }),
    'clear the queue': assign({ waiting: [] }),
  },
}).createMachine({
  id: 'goneConversations',
  context: { waiting: [] },
  initial: 'idle',
  entry: 'queue the stored conversations if the resync is over',
  on: { 'resync.done': { actions: 'queue the stored conversations' } },
  states: {
    idle: { always: { guard: 'has one to check', target: 'checking' } },
    checking: {
      invoke: {
        id: 'isGone',
        src: 'isGone',
        input: ({ context }) => ({ id: context.waiting[0] ?? '' }),
        onDone: [
          {
            guard: { type: 'is gone', params: ({ event }) => ({ isGone: event.output }) },
            target: 'idle',
            actions: [
              {
                type: 'tellSession',
                params: ({ context }) => ({ type: 'conversation.gone', id: context.waiting[0] ?? '' }),
              },
              'remove the first',
            ],
          },
          { target: 'idle', actions: 'remove the first' },
        ],
        onError: { target: 'idle', actions: 'clear the queue' },
      },
    },
  },
})
