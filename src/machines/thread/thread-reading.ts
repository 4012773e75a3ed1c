import { and } from 'xstate'
import { threadToasts } from '../../domain/thread/toasts.ts'
import { ifTemporary, reportFailure } from '../on-failure.ts'
import { type Context, conversationId, isDenied, threadSetup } from './thread-setup.ts'

/** Marks all messages as read locally, whether or not the call succeeds (spec section 4, "Mark as read"). */
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

/** Marks visible messages as read (spec section 4, "Mark as read"). */
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
      // A message may have arrived after the call was sent, so another call marks it as read.
      on: { 'read.requested': { target: 'marking', reenter: true, actions: 'mark as requested' } },
    },
    /** Messages seen during the interval are marked locally at once, and on the server with one call afterwards. */
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
    /** The messages are marked as read locally, but not yet on the server. */
    waiting: {
      always: {
        guard: 'has unread messages in view',
        target: 'throttled',
        actions: ['require marking as read', ...readHere],
      },
      after: { readRetryDelay: 'due' },
      on: { 'read.requested': { target: 'marking', actions: 'mark as requested' } },
    },
    /** Calls the server once all messages that the call marks as read were seen. */
    due: {
      always: { guard: 'may mark as read now', target: 'marking' },
      on: { 'read.requested': { target: 'marking', actions: 'mark as requested' } },
    },
  },
})
