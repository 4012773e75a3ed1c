import type { SnapshotFrom } from 'xstate'
import { assign, setup } from 'xstate'
import { lastMessageAt } from '../../domain/list/conversation-row.ts'
import { idsOfMessage, type Records, rowIdIn, rowIn } from '../../domain/list/records.ts'
import { sentAt } from '../../domain/message-order.ts'
import type { MessageChange } from '../../domain/shell/changes.ts'
import { isOthersAnswer, withAnswers } from '../../domain/thread/overtaken.ts'
import type { Message } from '../../schemas/message.ts'
import { recordsIn } from '../list/records.ts'

type Context = {
  userId: string
  /** The open conversation. */
  id: string | null
  /** The time of the last message when this person began to write, or read the answers of others. Milliseconds. */
  after: number
  /** What others have answered since, oldest first. */
  answers: readonly Message[]
}

export type CollisionEvent =
  | { type: 'conversation.opened'; id: string }
  | { type: 'conversation.closed' }
  /** The text in the composer of the open conversation. */
  | { type: 'reply.typed'; text: string }
  | { type: 'messages.changed'; changes: readonly MessageChange[] }
  | { type: 'messages.fetched'; messages: readonly Message[] }
  /** The person wanted to send, and the answers of others are shown first. */
  | { type: 'send.held' }
  /** The person has read the answers and goes on writing. */
  | { type: 'edit.chosen' }

const writes = { params: ({ event }: { event: { text: string } }) => event }

const answersIn = (records: Records, { id, after, userId }: Context, messages: readonly Message[]): Message[] => {
  const open = rowIdIn(records, [id])
  return messages.filter(
    (message) =>
      open !== null && rowIdIn(records, idsOfMessage(message)) === open && isOthersAnswer(message, after, userId),
  )
}

/** Whether somebody else answered after this person began to write. Then the first press on Send shows the answer. */
export const collisionMachine = setup({
  types: {
    context: {} as Context,
    events: {} as CollisionEvent,
    input: {} as { userId: string; id: string | null },
  },
  guards: {
    'has text': (_, { text }: { text: string }) => text.trim() !== '',
    'has answers': ({ context }) => context.answers.length > 0,
    'is another conversation': ({ context }, { id }: { id: string }) => context.id !== id,
  },
  actions: {
    'use the conversation': assign({ id: (_, { id }: { id: string }) => id, answers: [] }),
    'forget the conversation': assign({ id: null, answers: [] }),
    'begin after the last message': assign({
      after: ({ context, system }) => {
        const row = rowIn(recordsIn(system), [context.id])
        return row === null ? Number.POSITIVE_INFINITY : lastMessageAt(row)
      },
      answers: [],
    }),
    'add the answers': assign({
      answers: ({ context, system }, { messages }: { messages: readonly Message[] }) =>
        withAnswers(context.answers, answersIn(recordsIn(system), context, messages)),
    }),
    'begin after the answers': assign({
      after: ({ context }) => Math.max(context.after, ...context.answers.map(sentAt)),
      answers: [],
    }),
    'forget the answers': assign({ answers: [] }),
  },
}).createMachine({
  id: 'collision',
  context: ({ input }) => ({ ...input, after: Number.POSITIVE_INFINITY, answers: [] }),
  initial: 'idle',
  on: {
    'conversation.opened': {
      guard: { type: 'is another conversation', params: ({ event }) => event },
      target: '.idle',
      actions: { type: 'use the conversation', params: ({ event }) => event },
    },
    'conversation.closed': { target: '.idle', actions: 'forget the conversation' },
  },
  states: {
    idle: {
      on: {
        'reply.typed': {
          guard: { type: 'has text', ...writes },
          target: 'writing',
          actions: 'begin after the last message',
        },
      },
    },
    writing: {
      initial: 'undisturbed',
      on: {
        'reply.typed': [{ guard: { type: 'has text', ...writes } }, { target: 'idle', actions: 'forget the answers' }],
        'messages.changed': {
          actions: {
            type: 'add the answers',
            params: ({ event }) => ({
              messages: event.changes.flatMap((change) => (change.type === 'DELETE' ? [] : [change.record])),
            }),
          },
        },
        'messages.fetched': { actions: { type: 'add the answers', params: ({ event }) => event } },
      },
      states: {
        undisturbed: { always: { guard: 'has answers', target: 'overtaken' } },
        overtaken: { on: { 'send.held': 'asking' } },
        asking: { on: { 'edit.chosen': { target: 'undisturbed', actions: 'begin after the answers' } } },
      },
    },
  },
})

type Snapshot = SnapshotFrom<typeof collisionMachine>

/** The answers to show before the message is sent; null if nothing is asked. */
export const selectAskedAbout = (snapshot: Snapshot): readonly Message[] | null =>
  snapshot.matches({ writing: 'asking' }) ? snapshot.context.answers : null
