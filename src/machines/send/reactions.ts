import { assign, fromPromise, type SnapshotFrom, setup } from 'xstate'
import type { Reacted } from '../../domain/thread/reaction-calls.ts'
import { reactionToasts } from '../../domain/thread/reaction-toasts.ts'
import type { Message } from '../../schemas/message.ts'
import { mustBeProvided } from '../must-be-provided.ts'
import { notifyFailure } from '../notify-failure.ts'
import { reportFailure } from '../on-failure.ts'
import { tellSession } from '../session-events.ts'

export type ReactionsEvent = { type: 'reaction.chosen' } & Reacted

type Context = {
  /** What this person wants and the server has not answered yet: one for each message, in the order of the presses. */
  wished: readonly Reacted[]
  /** The wish that is being sent. */
  sent: Reacted | null
}

/**
 * The reactions of the page that this person sets or takes back. A press is shown at once and undone if the call fails.
 * One call at a time; of several presses at one message the last is sent.
 */
export const reactionsMachine = setup({
  types: { context: {} as Context, events: {} as ReactionsEvent },
  actors: { react: fromPromise<Message, Reacted>(mustBeProvided('react')) },
  guards: { 'has a wish': ({ context }) => context.wished.length > 0 },
  actions: {
    tellSession,
    'notify failure': notifyFailure,
    'keep the wish': assign({
      wished: ({ context }, { messageId, emoji }: Reacted) => [
        ...context.wished.filter((wish) => wish.messageId !== messageId),
        { messageId, emoji },
      ],
    }),
    'take the first wish': assign({ sent: ({ context }) => context.wished[0] ?? null }),
    /** A later wish for the same message stays. */
    'forget the sent wish': assign({
      wished: ({ context: { wished, sent } }) => wished.filter((wish) => wish !== sent),
      sent: null,
    }),
  },
}).createMachine({
  id: 'reactions',
  context: { wished: [], sent: null },
  initial: 'idle',
  on: { 'reaction.chosen': { actions: { type: 'keep the wish', params: ({ event }) => event } } },
  states: {
    idle: { always: { guard: 'has a wish', target: 'sending' } },
    sending: {
      entry: 'take the first wish',
      exit: 'forget the sent wish',
      invoke: {
        id: 'react',
        src: 'react',
        input: ({ context: { sent } }) => {
          if (sent === null) throw new Error('a call requires a wish')
          return sent
        },
        onDone: {
          target: 'idle',
          actions: {
            type: 'tellSession',
            params: ({ event }) => ({
              type: 'messages.changed',
              changes: [{ type: 'UPDATE', record: event.output }],
            }),
          },
        },
        onError: { target: 'idle', actions: reportFailure(() => reactionToasts.failed) },
      },
    },
  },
})

/** What this person wants at the message; undefined if nothing is under way. */
export const selectWish =
  (messageId: string) =>
  ({ context }: SnapshotFrom<typeof reactionsMachine>): Reacted | undefined =>
    context.wished.find((wish) => wish.messageId === messageId)
