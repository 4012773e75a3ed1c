import { Hono } from 'hono'
import * as z from 'zod/mini'
import { reactAnswer, reactBody } from '../../src/schemas/reaction.ts'
import type { Db } from '../database/database.ts'
import { findMessages } from '../database/thread.ts'
import type { Reacting } from '../network/send/reacting.ts'
import { SendRefused } from '../network/send/send-refusals.ts'
import { described, refuse, valid } from './answers.ts'
import { toApiMessage } from './api-message.ts'
import { type Authenticated, requirePermission } from './authentication.ts'

const ofMessage = z.object({ messageId: z.string().check(z.maxLength(500)) })
const unknown = 'This message no longer exists'

/** The reaction of a page to a message (feature 'reactions'), to be mounted at /api/facebook. */
export const createReactionRoutes = ({ db, reacting }: { db: Db; reacting: Reacting }) =>
  new Hono<Authenticated>().put(
    '/messages/:messageId/reaction',
    described({
      tag: 'Conversations and messages',
      takesBody: true,
      summary: 'React to a message for its page, or take the reaction back with `null`; idempotent',
      answer: reactAnswer,
      refusals: {
        400: 'The body is not valid',
        404: 'There is no such message',
        422: 'The network or the page refuses the reaction; the reason is in `error` and `code`',
        429: 'The network limits the rate of calls',
        504: 'The network did not respond, and may have taken the reaction',
      },
    }),
    requirePermission('messages.send'),
    valid('param', ofMessage),
    valid('json', reactBody),
    async (c) => {
      const { messageId } = c.req.valid('param')
      try {
        const isKnown = await reacting.react(messageId, c.req.valid('json').emoji)
        const [row] = isKnown ? await findMessages(db, [messageId]) : []
        if (row === undefined) return refuse(c, 404, unknown)
        return c.json({ success: true, data: { message: toApiMessage(row) } } satisfies z.infer<typeof reactAnswer>)
      } catch (error) {
        if (error instanceof SendRefused) return refuse(c, error.status, error.message, error.code)
        throw error
      }
    },
  )
