import { and } from 'xstate'
import { threadToasts } from '../domain/toasts.ts'
import { type Context, conversationId, isDenied, threadSetup } from './thread-setup.ts'

/** Nothing is unread here any more, whatever becomes of the call (spec section 4, "Mark as read"). */
const readHere = [
  'readLocally' as const,
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
      always: { guard: 'hasUnreadSeen', target: 'marking' },
      on: { 'read.requested': { guard: 'hasConversation', target: 'marking', actions: 'noteAskedToRead' } },
    },
    marking: {
      entry: ['oweNoReading', ...readHere],
      invoke: {
        id: 'markRead',
        src: 'markRead',
        input: ({ context }) => ({ conversationId: conversationId(context), pageId: context.pageId }),
        onDone: { target: 'cooling', actions: 'forgetAskedToRead' },
        onError: [
          {
            guard: { type: 'mayPass', params: ({ event }) => ({ error: event.error }) },
            target: 'waiting',
            actions: [
              {
                type: 'notifyFailure',
                params: ({ context, event }) => ({
                  error: event.error,
                  own: threadToasts.readFailed,
                  quietly: !context.wasAskedToRead,
                }),
              },
              'forgetAskedToRead',
            ],
          },
          {
            target: 'cooling',
            actions: [
              {
                type: 'notifyFailure',
                params: ({ context, event }) => ({
                  error: event.error,
                  own: threadToasts.readFailed,
                  quietly: !context.wasAskedToRead && (context.wasRefusalTold || !isDenied(event.error)),
                }),
              },
              { type: 'noteRefusalTold', params: ({ event }) => ({ error: event.error }) },
              'forgetAskedToRead',
            ],
          },
        ],
      },
      always: { guard: 'hasUnreadSeen', actions: ['oweReading', ...readHere] },
      // What the row says again may have come after the call left: another one tells of it.
      on: { 'read.requested': { target: 'marking', reenter: true, actions: 'noteAskedToRead' } },
    },
    /** What is seen meanwhile is read here at once, and the server is told of all of it together. */
    cooling: {
      always: { guard: 'hasUnreadSeen', actions: ['oweReading', ...readHere] },
      after: {
        readInterval: [
          { guard: and(['owesReading', 'hasNothingUnseen']), target: 'marking' },
          { guard: 'owesReading', target: 'due' },
          { target: 'resting' },
        ],
      },
      on: { 'read.requested': { target: 'marking', actions: 'noteAskedToRead' } },
    },
    /** The server does not know yet that it was read. */
    waiting: {
      always: { guard: 'hasUnreadSeen', target: 'cooling', actions: ['oweReading', ...readHere] },
      after: { readRetryDelay: 'due' },
      on: { 'read.requested': { target: 'marking', actions: 'noteAskedToRead' } },
    },
    /** The server is told once everything that it would take as read is seen. */
    due: {
      always: { guard: 'mayTellAgain', target: 'marking' },
      on: { 'read.requested': { target: 'marking', actions: 'noteAskedToRead' } },
    },
  },
})
