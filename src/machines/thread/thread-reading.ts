import { and } from 'xstate'
import { threadToasts } from '../../domain/thread/toasts.ts'
import { ifTemporary, reportFailure } from '../on-failure.ts'
import { type Context, conversationId, isDenied, threadSetup } from './thread-setup.ts'

/** Nothing is unread here any more, whatever becomes of the call (spec section 4, "Mark as read"). */
const readHere = [
  'mark read locally' as const,
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
  initial: 'idle',
  states: {
    idle: {
      always: { guard: 'has unread messages in view', target: 'marking' },
      on: { 'read.requested': { guard: 'has a conversation', target: 'marking', actions: 'mark as requested' } },
    },
    marking: {
      entry: ['clear the required marking as read', ...readHere],
      invoke: {
        id: 'markRead',
        src: 'markRead',
        input: ({ context }) => ({ conversationId: conversationId(context), pageId: context.pageId }),
        onDone: { target: 'throttled', actions: 'clear the requested mark' },
        onError: [
          {
            guard: ifTemporary,
            target: 'waiting',
            actions: [
              reportFailure(threadToasts.readFailed, { isSilent: ({ wasAskedToRead }: Context) => !wasAskedToRead }),
              'clear the requested mark',
            ],
          },
          {
            target: 'throttled',
            actions: [
              reportFailure(threadToasts.readFailed, {
                isSilent: ({ wasAskedToRead, wasRefusalShown }: Context, error) =>
                  !wasAskedToRead && (wasRefusalShown || !isDenied(error)),
              }),
              { type: 'remember that the refusal was shown', params: ({ event }) => ({ error: event.error }) },
              'clear the requested mark',
            ],
          },
        ],
      },
      always: { guard: 'has unread messages in view', actions: ['require marking as read', ...readHere] },
      // What the row says again may have come after the call left: another one tells of it.
      on: { 'read.requested': { target: 'marking', reenter: true, actions: 'mark as requested' } },
    },
    /** What is seen meanwhile is read here at once, and the server is told of all of it together. */
    throttled: {
      always: { guard: 'has unread messages in view', actions: ['require marking as read', ...readHere] },
      after: {
        readInterval: [
          { guard: and(['requires marking as read', 'has nothing unread out of view']), target: 'marking' },
          { guard: 'requires marking as read', target: 'due' },
          { target: 'idle' },
        ],
      },
      on: { 'read.requested': { target: 'marking', actions: 'mark as requested' } },
    },
    /** The server does not know yet that it was read. */
    waiting: {
      always: {
        guard: 'has unread messages in view',
        target: 'throttled',
        actions: ['require marking as read', ...readHere],
      },
      after: { readRetryDelay: 'due' },
      on: { 'read.requested': { target: 'marking', actions: 'mark as requested' } },
    },
    /** The server is told once everything that it would take as read is seen. */
    due: {
      always: { guard: 'may mark as read now', target: 'marking' },
      on: { 'read.requested': { target: 'marking', actions: 'mark as requested' } },
    },
  },
})
