import { Hono } from 'hono'
import * as z from 'zod/mini'
import { replyDecisionAnswer, replyDecisionBody } from '../../src/schemas/message.ts'
import type { Db } from '../database/database.ts'
import { findMessages } from '../database/thread.ts'
import type { UnconfirmedReplies } from '../network/faq/unconfirmed-replies.ts'
import { SendRefused } from '../network/send/send-refusals.ts'
import { described, refuse, valid } from './answers.ts'
import { toApiMessage } from './api-message.ts'
import { type Authenticated, requirePermission } from './authentication.ts'

const ofMessage = z.object({ messageId: z.string() })

/** Decisions about unconfirmed automatic replies, to be mounted at /api/facebook. Not in the specification. */
export const createUnconfirmedReplyRoutes = ({
  db,
  unconfirmedReplies,
}: {
  db: Db
  unconfirmedReplies: UnconfirmedReplies
}) =>
  new Hono<Authenticated>().post(
    '/messages/:messageId/unconfirmed-reply',
    described({
      tag: 'Conversations and messages',
      takesBody: true,
      summary: 'Look for, retry or discard the unconfirmed automatic reply to a message',
      answer: replyDecisionAnswer,
      done: 'The current state; a decision after another decision changes nothing',
      refusals: {
        404: 'There is no automatic reply to that message',
        422: 'The network or the page refuses the retry; the reason is in `error` and `code`',
        429: 'The network limits the rate of calls',
        504: 'Another lookup or retry is still running',
      },
    }),
    requirePermission('messages.send'),
    valid('param', ofMessage),
    valid('json', replyDecisionBody),
    async (c) => {
      const { messageId } = c.req.valid('param')
      const { decision, tries } = c.req.valid('json')
      try {
        const decided = await unconfirmedReplies.decide(messageId, decision, tries)
        if (decided === null) return refuse(c, 404, 'There is no unconfirmed automatic reply to this message')
        const replyId = decided.state === 'sent' ? decided.messageId : null
        const rows = await findMessages(db, replyId === null ? [messageId] : [messageId, replyId])
        const rowOf = (id: string | null) => rows.map(toApiMessage).find(({ message_id }) => message_id === id) ?? null
        return c.json({
          success: true,
          data: { state: decided.state, question: rowOf(messageId), reply: rowOf(replyId) },
        } satisfies z.infer<typeof replyDecisionAnswer>)
      } catch (error) {
        if (error instanceof SendRefused) return refuse(c, error.status, error.message, error.code)
        throw error
      }
    },
  )
