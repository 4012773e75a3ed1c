import type * as z from 'zod/mini'
import type { ReplyDecision, replyDecisionAnswer } from '../../schemas/message.ts'

/** A null page id means All Pages. */
export type ThreadRequest = { conversationId: string; pageId: string | null }

/** A result page of messages, counted from 1 for the newest. */
export type MessagesRequest = ThreadRequest & { page: number }

/** A decision by staff on the unconfirmed answer to `questionId`. `tries` is the number of attempts that was shown. */
export type DecidedReply = { questionId: string; decision: ReplyDecision; tries: number }

export type ReplyOutcome = z.infer<typeof replyDecisionAnswer>['data']
