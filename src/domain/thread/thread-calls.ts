import type * as z from 'zod/mini'
import type { ReplyDecision, replyDecisionAnswer } from '../../schemas/message.ts'

/** A null page is All Pages. */
export type ThreadRequest = { conversationId: string; pageId: string | null }

/** A page of messages, counted from 1, which is the newest. */
export type MessagesRequest = ThreadRequest & { page: number }

/** A person's decision on the unconfirmed answer to `questionId`; `tries` is the number of attempts they saw. */
export type DecidedReply = { questionId: string; decision: ReplyDecision; tries: number }

export type ReplyOutcome = z.infer<typeof replyDecisionAnswer>['data']
