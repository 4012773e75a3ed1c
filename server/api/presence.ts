import { Hono } from 'hono'
import * as z from 'zod/mini'
import { ofTab, presenceAnswer, presenceBody } from '../../src/schemas/presence.ts'
import { successAnswer } from '../../src/schemas/primitives.ts'
import type { Db } from '../database/database.ts'
import { writeToConversation } from '../database/people.ts'
import { endPresence, findColleagues, renewPresence } from '../database/presence.ts'
import type { SenderActions } from '../network/send/sender-actions.ts'
import { described, refuse, valid } from './answers.ts'
import { type Authenticated, requirePermission } from './authentication.ts'

const tag = 'Presence'
const ofConversation = z.object({ id: z.string() })

/** Who is looking at a conversation (feature 'presence'), to be mounted at /api/facebook. */
export const createPresenceRoutes = ({
  db,
  senderActions,
}: {
  db: Db
  senderActions: Pick<SenderActions, 'typing' | 'left'>
}) =>
  new Hono<Authenticated>()
    .post(
      '/conversations/:id/presence',
      described({
        tag,
        takesBody: true,
        summary: 'Say that a tab shows the conversation, and read which colleagues look at it',
        answer: presenceAnswer,
        refusals: {
          404: 'There is no such conversation',
          409: 'Another person has a tab with this id, or too many tabs are open',
        },
      }),
      requirePermission('conversations.read'),
      valid('param', ofConversation),
      valid('json', presenceBody),
      async (c) => {
        const { id: staffId, permissions } = c.get('staff')
        const body = c.req.valid('json')
        const present = await writeToConversation(db, c.req.valid('param').id, async (trx, primaryUserId) =>
          (await renewPresence(trx, { ...body, staffId, primaryUserId }))
            ? { primaryUserId, colleagues: await findColleagues(trx, primaryUserId, staffId) }
            : 'too many tabs',
        )
        if (present === null) return refuse(c, 404, 'Conversation not found')
        if (present === 'too many tabs') return refuse(c, 409, 'Too many tabs are open')
        const { primaryUserId, colleagues } = present
        senderActions.typing(body.tab, primaryUserId, body.isTyping && permissions.includes('messages.send'))
        return c.json({ success: true, data: { colleagues } } satisfies z.infer<typeof presenceAnswer>)
      },
    )
    .delete(
      '/presence/:tab',
      described({ tag, summary: 'Say that a tab shows no conversation; idempotent', answer: successAnswer }),
      requirePermission('conversations.read'),
      valid('param', ofTab),
      async (c) => {
        const { tab } = c.req.valid('param')
        await endPresence(db, tab, c.get('staff').id)
        senderActions.left(tab)
        return c.json({ success: true } satisfies z.infer<typeof successAnswer>)
      },
    )
