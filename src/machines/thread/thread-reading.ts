import { and } from 'xstate'
import { threadToasts } from '../../domain/thread/toasts.ts'
import { type Context, conversationId, isDenied, threadSetup } from './thread-setup.ts'

/** Nothing is unread here any more, whatever becomes of the call (spec section 4, "Mark as read"). */
const readHere = [
  'mark read here' as const,
  {
    type: 'tellSession' as const,
    params: ({ context }: { context: Context }) => ({
      type: 'conversation.read' as const,
      id: conversationId(context),
    }),
  },
]

/** Marking as read what is looked at (spec section 4, "Mark as read"). */
export const reading = threadSetup.createStateConfig({
  initial: 'resting',
  states: {
    resting: {
      always: { guard: 'has something unread in sight', target: 'marking' },
      on: { 'read.requested': { guard: 'has a conversation', target: 'marking', actions: 'note the asking' } },
    },
    marking: {
      entry: ['owe no reading', ...readHere],
      invoke: {
        id: 'markRead',
        src: 'markRead',
        input: ({ context }) => ({ conversationId: conversationId(context), pageId: context.pageId }),
        onDone: { target: 'cooling', actions: 'forget the asking' },
        onError: [
          {
            guard: { type: 'may pass by itself', params: ({ event }) => ({ error: event.error }) },
            target: 'waiting',
            actions: [
              {
                type: 'notify failure',
                params: ({ context, event }) => ({
                  error: event.error,
                  own: threadToasts.readFailed,
                  quietly: !context.wasAskedToRead,
                }),
              },
              'forget the asking',
            ],
          },
          {
            target: 'cooling',
            actions: [
              {
                type: 'notify failure',
                params: ({ context, event }) => ({
                  error: event.error,
                  own: threadToasts.readFailed,
                  quietly: !context.wasAskedToRead && (context.wasRefusalTold || !isDenied(event.error)),
                }),
              },
              { type: 'note that the refusal was told', params: ({ event }) => ({ error: event.error }) },
              'forget the asking',
            ],
          },
        ],
      },
      always: { guard: 'has something unread in sight', actions: ['owe a reading', ...readHere] },
      // What the row says again may have come after the call left: another one tells of it.
      on: { 'read.requested': { target: 'marking', reenter: true, actions: 'note the asking' } },
    },
    /** What is seen meanwhile is read here at once, and the server is told of all of it together. */
    cooling: {
      always: { guard: 'has something unread in sight', actions: ['owe a reading', ...readHere] },
      after: {
        readInterval: [
          { guard: and(['owes a reading', 'has nothing unseen']), target: 'marking' },
          { guard: 'owes a reading', target: 'due' },
          { target: 'resting' },
        ],
      },
      on: { 'read.requested': { target: 'marking', actions: 'note the asking' } },
    },
    /** The server does not know yet that it was read. */
    waiting: {
      always: { guard: 'has something unread in sight', target: 'cooling', actions: ['owe a reading', ...readHere] },
      after: { readRetryDelay: 'due' },
      on: { 'read.requested': { target: 'marking', actions: 'note the asking' } },
    },
    /** The server is told once everything that it would take as read is seen. */
    due: {
      always: { guard: 'may tell again', target: 'marking' },
      on: { 'read.requested': { target: 'marking', actions: 'note the asking' } },
    },
  },
})
