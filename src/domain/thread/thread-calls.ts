import type * as z from 'zod/mini'
import type { Message, ReplyDecision, replyDecisionAnswer } from '../../schemas/message.ts'

/** A null page id means All Pages. */
export type ThreadRequest = { conversationId: string; pageId: string | null }

/** A result page of messages, counted from 1 for the newest. */
export type MessagesRequest = ThreadRequest & { page: number }

/**
 * A result page of messages around, before or after a message. `from`: the message and those after it. `at`: its message time,
 * for a message that may have been deleted.
 */
export type AroundRequest = {
  conversationId: string
  messageId: string
  at: string | null
  side: 'both' | 'older' | 'newer' | 'from'
}

/** Oldest first. What is said of the side that was not asked for has no meaning. */
export type AroundAnswer = { messages: readonly Message[]; hasOlder: boolean; hasNewer: boolean }

/** A decision by staff on the unconfirmed answer to `questionId`. `tries` is the number of attempts that was shown. */
export type DecidedReply = { questionId: string; decision: ReplyDecision; tries: number }

export type ReplyOutcome = z.infer<typeof replyDecisionAnswer>['data']
