import type { SnapshotFrom } from 'xstate'
import { assign, fromPromise, setup } from 'xstate'
import type { SummaryKind } from '../../domain/client/client-calls.ts'
import type { SummaryChange } from '../../domain/client/summary-changes.ts'
import type { SummaryBasis, SummaryOrder } from '../../schemas/draft.ts'
import { mustBeProvided } from '../must-be-provided.ts'

export type SummaryCheck = { changes: readonly SummaryChange[]; orders: SummaryOrder[] }

/** A message that is to be sent. */
type Held = { draftId: string; text: string; summary: SummaryBasis }

type Context = {
  /** The open conversation. */
  id: string | null
  /** The message that is to be sent. */
  held: Held | null
  /** What the person has seen of the orders before the draft was not accepted. */
  seen: { draftId: string; orders: SummaryOrder[] } | null
  /** The answer of the last check. */
  found: SummaryCheck | null
}

export type SummaryCheckEvent =
  | { type: 'conversation.opened'; id: string }
  | { type: 'conversation.closed' }
  /** The composer inserted a summary into its draft. */
  | { type: 'summary.inserted' }
  /** The text of the draft in the composer. */
  | { type: 'draft.changed'; draftId: string; text: string }
  /**
   * A message is to be sent. The composer waits while the machine is `checking`. `summary`: what the summary in the draft was
   * made from; null if there is none.
   */
  | { type: 'send.held'; draftId: string; text: string; summary: SummaryBasis | null }
  /** The composer sends the message now, after a check without changes. */
  | { type: 'send.released' }
  /** The person has seen the changes, or that the check failed, and sends the message. */
  | { type: 'send.confirmed' }
  | { type: 'check.retried' }

/**
 * Checks a message with a summary before the message is sent: asks once if orders or payments changed since the summary was
 * made, or if that cannot be found out.
 */
export const summaryCheckMachine = setup({
  types: {
    context: {} as Context,
    events: {} as SummaryCheckEvent,
    input: {} as { id: string | null },
  },
  actors: { checkSummary: fromPromise<SummaryCheck, SummaryBasis>(mustBeProvided('checkSummary')) },
  delays: {
    /** The longest time that a message waits for its check, in milliseconds. */
    checkLimit: 5_000,
  },
  guards: {
    'has a summary': (_, { summary }: { summary: SummaryBasis | null }) => summary !== null,
    'is another conversation': ({ context }, { id }: { id: string }) => context.id !== id,
    'is another text': ({ context: { held } }, { draftId, text }: { draftId: string; text: string }) =>
      draftId !== held?.draftId || text !== held.text,
    'is empty': (_, { text }: { text: string }) => text.trim() === '',
    'is another draft': ({ context: { held } }, { draftId }: { draftId: string }) => draftId !== held?.draftId,
    'has changes': (_, { changes }: SummaryCheck) => changes.length > 0,
  },
  actions: {
    'use the conversation': assign({ id: (_, { id }: { id: string | null }) => id, held: null, found: null }),
    'hold the message': assign({
      held: (
        { context: { seen } },
        { draftId, text, summary }: Omit<Held, 'summary'> & { summary: SummaryBasis | null },
      ) =>
        summary && {
          draftId,
          text,
          summary: seen?.draftId === draftId ? { ...summary, orders: seen.orders } : summary,
        },
    }),
    'keep the answer': assign({ found: (_, found: SummaryCheck) => found }),
    /** The person has seen these orders, so only later changes are shown, if the message was not accepted. */
    'compare with the shown orders later': assign({
      seen: ({ context: { held, found } }) => held && found && { draftId: held.draftId, orders: found.orders },
    }),
    'compare with the new summary': assign({ seen: null }),
    'let the message go': assign({ held: null, found: null }),
  },
}).createMachine({
  id: 'summaryCheck',
  context: ({ input: { id } }) => ({ id, held: null, seen: null, found: null }),
  initial: 'idle',
  on: {
    'conversation.opened': {
      guard: { type: 'is another conversation', params: ({ event }) => event },
      target: '.idle',
      actions: { type: 'use the conversation', params: ({ event }) => event },
    },
    'conversation.closed': { target: '.idle', actions: { type: 'use the conversation', params: { id: null } } },
    'summary.inserted': { target: '.idle', actions: ['compare with the new summary', 'let the message go'] },
  },
  states: {
    idle: {
      on: {
        'send.held': {
          guard: { type: 'has a summary', params: ({ event }) => event },
          target: 'checking',
          actions: { type: 'hold the message', params: ({ event }) => event },
        },
      },
    },
    checking: {
      invoke: {
        id: 'checkSummary',
        src: 'checkSummary',
        input: ({ context }) => {
          if (context.held === null) throw new Error('a message is checked because it is held')
          return context.held.summary
        },
        onDone: [
          {
            guard: { type: 'has changes', params: ({ event }) => event.output },
            target: 'changed',
            actions: { type: 'keep the answer', params: ({ event }) => event.output },
          },
          { target: 'unchanged' },
        ],
        onError: 'unchecked',
      },
      after: { checkLimit: 'unchecked' },
      // The person goes on writing, so the message is not ready.
      on: {
        'draft.changed': {
          guard: { type: 'is another text', params: ({ event }) => event },
          target: 'idle',
          actions: 'let the message go',
        },
      },
    },
    /** The composer sends the message as soon as it sees this state. */
    unchanged: {
      on: {
        'send.released': { target: 'idle', actions: 'let the message go' },
        'draft.changed': {
          guard: { type: 'is another text', params: ({ event }) => event },
          target: 'idle',
          actions: 'let the message go',
        },
      },
    },
    changed: {
      on: {
        'send.confirmed': { target: 'idle', actions: ['compare with the shown orders later', 'let the message go'] },
        'draft.changed': [
          {
            guard: { type: 'is another draft', params: ({ event }) => event },
            target: 'idle',
            actions: 'let the message go',
          },
          {
            guard: { type: 'is empty', params: ({ event }) => event },
            target: 'idle',
            actions: 'let the message go',
          },
        ],
      },
    },
    unchecked: {
      on: {
        'send.confirmed': { target: 'idle', actions: 'let the message go' },
        'check.retried': 'checking',
        'draft.changed': {
          guard: { type: 'is another text', params: ({ event }) => event },
          target: 'idle',
          actions: 'let the message go',
        },
      },
    },
  },
})

type Snapshot = SnapshotFrom<typeof summaryCheckMachine>

/** What changed since the summary was made; null if the person is not asked. */
export const selectChanges = (snapshot: Snapshot): readonly SummaryChange[] | null =>
  snapshot.matches('changed') ? (snapshot.context.found?.changes ?? null) : null
/** The kind of the summary in the held message; null if no message is held. */
export const selectKind = ({ context }: Snapshot): SummaryKind | null => context.held?.summary.kind ?? null
