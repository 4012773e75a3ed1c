import { Hono } from 'hono'
import * as z from 'zod/mini'
import { conversationsAnswer, conversationsQuery } from '../../src/schemas/conversation.ts'
import { changeStatesAnswer, changeStatesBody, teamAnswer } from '../../src/schemas/conversation-state.ts'
import {
  bestPageAnswer,
  identityAnswer,
  markReadAnswer,
  markReadBody,
  messagesAnswer,
  messagesAroundAnswer,
  messagesAroundQuery,
  messagesQuery,
} from '../../src/schemas/message.ts'
import { mayAnswer } from '../auth/roles.ts'
import type { Clock } from '../clock.ts'
import { listConversations } from '../database/conversation-list.ts'
import { changeStates } from '../database/conversation-states.ts'
import type { Db } from '../database/database.ts'
import { findBestPage, findIdentity, findPrimaryUserId } from '../database/people.ts'
import { runSearch } from '../database/search-queue.ts'
import { findStart, listMessages, listMessagesAround, markRead } from '../database/thread.ts'
import type { SenderActions } from '../network/send/sender-actions.ts'
import { described, refuse, valid } from './answers.ts'
import { toApiMessage } from './api-message.ts'
import { type Authenticated, requirePermission } from './authentication.ts'

const tag = 'Conversations and messages'
const unknown = 'Conversation not found'

/** Ids in paths are primary or fb user ids. */
const ofConversation = z.object({ id: z.string() })
const ofUser = z.object({ userId: z.string() })
const ofUserOnPage = z.object({ userId: z.string(), pageId: z.string() })

/** Conversations, their messages and the people behind them (spec section 7), to be mounted at /api/facebook. */
export const createConversationRoutes = ({
  db,
  senderActions,
  clock,
  country,
}: {
  db: Db
  senderActions: Pick<SenderActions, 'seen'>
  clock: Clock
  country: string
}) =>
  new Hono<Authenticated>()
    .get(
      '/conversations',
      described({
        tag,
        summary:
          'The inbox, newest first or a view in its own order; the search also finds an exact primary or fb user id',
        answer: conversationsAnswer,
        refusals: { 400: 'A parameter is not valid', 403: 'The order `urgent` without the permission `orders.read`' },
      }),
      requirePermission('conversations.read'),
      valid('query', conversationsQuery),
      (c, next) => (c.req.valid('query').order === 'urgent' ? requirePermission('orders.read')(c, next) : next()),
      async (c) => {
        const query = c.req.valid('query')
        const { id: staffId, permissions } = c.get('staff')
        const seesAmounts = permissions.includes('orders.read')
        const list = () => listConversations(db, query, { staffId, now: clock.now(), country, seesAmounts })
        const { rows, total } = await (query.search === undefined ? list() : runSearch(list, c.req.raw.signal))
        const { page, limit } = query
        const totalPages = Math.ceil(total / limit)
        return c.json({
          success: true,
          data: rows.map((row) => ({
            ...row,
            last_message_at: row.last_message_at?.toISOString() ?? null,
            last_incoming_at: row.last_incoming_at?.toISOString() ?? null,
          })),
          pagination: { page, limit, total, totalPages, hasNext: page < totalPages, hasPrev: page > 1 },
        } satisfies z.infer<typeof conversationsAnswer>)
      },
    )
    .get(
      '/conversations/:id/messages',
      described({
        tag,
        summary: 'A result page of messages: page 1 has the newest, sorted oldest first',
        answer: messagesAnswer,
        refusals: { 400: 'A parameter is not valid', 404: 'There is no such conversation' },
      }),
      requirePermission('conversations.read'),
      valid('param', ofConversation),
      valid('query', messagesQuery),
      async (c) => {
        const primaryUserId = await findPrimaryUserId(db, c.req.valid('param').id)
        if (primaryUserId === null) return refuse(c, 404, unknown)
        const query = c.req.valid('query')
        const { messages, hasMore } = await listMessages(db, primaryUserId, query)
        return c.json({
          success: true,
          data: {
            messages: messages.map(toApiMessage),
            hasMore,
            start: await findStart(db, primaryUserId, query.pageId),
          },
        } satisfies z.infer<typeof messagesAnswer>)
      },
    )
    .get(
      '/conversations/:id/messages-around',
      described({
        tag,
        summary: 'The messages before or after a message, or around it, oldest first',
        answer: messagesAroundAnswer,
        refusals: { 400: 'A parameter is not valid', 404: 'There is no such conversation or message' },
      }),
      requirePermission('conversations.read'),
      valid('param', ofConversation),
      valid('query', messagesAroundQuery),
      async (c) => {
        const primaryUserId = await findPrimaryUserId(db, c.req.valid('param').id)
        if (primaryUserId === null) return refuse(c, 404, unknown)
        const found = await listMessagesAround(db, primaryUserId, c.req.valid('query'))
        if (found === null) return refuse(c, 404, 'Message not found')
        const { messages, hasOlder, hasNewer } = found
        return c.json({
          success: true,
          data: { messages: messages.map(toApiMessage), has_older: hasOlder, has_newer: hasNewer },
        } satisfies z.infer<typeof messagesAroundAnswer>)
      },
    )
    .post(
      '/conversations/:id/mark-read',
      described({
        tag,
        takesBody: true,
        summary: 'Mark what the person wrote as read, on one page or on all',
        answer: markReadAnswer,
        refusals: { 400: 'The body is not valid', 404: 'There is no such conversation' },
      }),
      requirePermission('conversations.mark_read'),
      valid('param', ofConversation),
      valid('json', markReadBody),
      async (c) => {
        const primaryUserId = await findPrimaryUserId(db, c.req.valid('param').id)
        if (primaryUserId === null) return refuse(c, 404, unknown)
        const pageId = c.req.valid('json').pageId ?? null
        const updated = await markRead(db, primaryUserId, pageId)
        if (updated > 0) senderActions.seen(primaryUserId, pageId)
        return c.json({ success: true, data: { updated } } satisfies z.infer<typeof markReadAnswer>)
      },
    )
    .post(
      '/conversations/state',
      described({
        tag,
        takesBody: true,
        summary: 'Close, snooze, assign or mute conversations; each change has its own result',
        answer: changeStatesAnswer,
        refusals: { 400: 'The body is not valid' },
      }),
      requirePermission('conversations.manage'),
      valid('json', changeStatesBody),
      async (c) => {
        const { changes } = c.req.valid('json')
        const results = await changeStates(db, { changes, staffId: c.get('staff').id, now: clock.now(), mayAnswer })
        return c.json({ success: true, data: { results } } satisfies z.infer<typeof changeStatesAnswer>)
      },
    )
    .get(
      '/team',
      described({ tag, summary: 'The names of the staff', answer: teamAnswer }),
      requirePermission('conversations.read'),
      async (c) => {
        const staff = await db
          .selectFrom('staff')
          .select(['id', 'name', 'email', 'is_active', 'role', 'permissions'])
          .orderBy('id')
          .execute()
        const data = staff.map((member) => ({
          id: member.id,
          name: member.name ?? member.email,
          is_active: member.is_active,
          may_answer: mayAnswer(member),
        }))
        return c.json({ success: true, data } satisfies z.infer<typeof teamAnswer>)
      },
    )
    .get(
      '/users/:userId/best-page',
      described({
        tag,
        summary: 'The active page on which the person wrote last',
        answer: bestPageAnswer,
        refusals: { 404: 'There is no such person, or no active page knows them' },
      }),
      requirePermission('conversations.read'),
      valid('param', ofUser),
      async (c) => {
        const primaryUserId = await findPrimaryUserId(db, c.req.valid('param').userId)
        if (primaryUserId === null) return refuse(c, 404, 'User not found')
        const best = await findBestPage(db, primaryUserId)
        if (best === null) return refuse(c, 404, 'No active page knows this user')
        return c.json({
          success: true,
          data: { page_id: best.pageId, psid: best.psid, reason: best.reason },
        } satisfies z.infer<typeof bestPageAnswer>)
      },
    )
    .get(
      '/users/:userId/identity/:pageId',
      described({
        tag,
        summary: "The person's identity on a social page",
        answer: identityAnswer,
        refusals: { 404: 'There is no such person, or the page does not know them' },
      }),
      requirePermission('conversations.read'),
      valid('param', ofUserOnPage),
      async (c) => {
        const { userId, pageId } = c.req.valid('param')
        const primaryUserId = await findPrimaryUserId(db, userId)
        if (primaryUserId === null) return refuse(c, 404, 'User not found')
        const identity = await findIdentity(db, primaryUserId, pageId)
        if (identity === null) return refuse(c, 404, 'This page does not know this user')
        return c.json({ success: true, data: identity } satisfies z.infer<typeof identityAnswer>)
      },
    )
