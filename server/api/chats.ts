import { type Context, Hono } from 'hono'
import * as z from 'zod/mini'
import type { AuditAction, AuditDetails } from '../../src/schemas/audit.ts'
import {
  chatsAnswer,
  joinChatsBody,
  movedChatsAnswer,
  splitChatBody,
  unlinkClientBody,
} from '../../src/schemas/chats.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Clock } from '../clock.ts'
import { listChats } from '../database/chats.ts'
import type { Db } from '../database/database.ts'
import { type MovedIdentity, mergeConversations, splitConversation, unlinkClient } from '../database/groups.ts'
import { described, refuse, valid } from './answers.ts'
import { type Authenticated, requirePermission } from './authentication.ts'
import { refuseGrouping } from './grouping-refusal.ts'

const tag = 'Clients and orders'
const byId = z.object({ id: z.string().check(z.maxLength(200)) })
const unknownConversation = 'Conversation not found'

/** Corrections of links and merges, to be mounted at /api/facebook. */
export function createChatRoutes({ db, clock }: { db: Db; clock: Pick<Clock, 'now'> }) {
  type Caller = Context<Authenticated>

  const audited =
    (c: Caller, action: AuditAction, details: AuditDetails) =>
    (trx: Db, conversationId: string): Promise<void> =>
      recordAudit(trx, {
        at: clock.now(),
        by: c.get('actor'),
        action,
        row: { kind: 'conversation', id: conversationId },
        details,
      })

  const answered = async (c: Caller, change: Promise<MovedIdentity[]>) => {
    try {
      return c.json({ success: true, data: await change } satisfies z.infer<typeof movedChatsAnswer>)
    } catch (error) {
      return refuseGrouping(c, error)
    }
  }

  return new Hono<Authenticated>()
    .get(
      '/chats/:id',
      described({
        tag,
        summary: 'The chats of a conversation and the linked client',
        answer: chatsAnswer,
        refusals: { 404: unknownConversation },
      }),
      requirePermission('clients.link'),
      valid('param', byId),
      async (c) => {
        const data = await listChats(db, c.req.valid('param').id)
        if (data === null) return refuse(c, 404, unknownConversation)
        return c.json({ success: true, data } satisfies z.infer<typeof chatsAnswer>)
      },
    )
    .post(
      '/unlink-client',
      described({
        tag,
        takesBody: true,
        summary: 'Remove the link of a person, with all their identities, to a client; idempotent',
        answer: movedChatsAnswer,
        refusals: {
          400: 'The body is not valid',
          409: 'The person is linked to another client',
          422: 'There is no such person',
        },
      }),
      requirePermission('clients.link'),
      valid('json', unlinkClientBody),
      (c) => {
        const { fbUserId, clientId } = c.req.valid('json')
        return answered(c, unlinkClient(db, fbUserId, clientId, audited(c, 'client.unlinked', { client: clientId })))
      },
    )
    .post(
      '/join-chats',
      described({
        tag,
        takesBody: true,
        summary: 'Merge the conversation `otherId` into that of `fbUserId`; idempotent',
        answer: movedChatsAnswer,
        refusals: {
          400: 'The body is not valid',
          409: 'The conversations are linked to different clients',
          422: 'There is no such conversation',
        },
      }),
      requirePermission('clients.link'),
      valid('json', joinChatsBody),
      (c) => {
        const { fbUserId, otherId } = c.req.valid('json')
        return answered(c, mergeConversations(db, fbUserId, otherId, audited(c, 'chats.joined', { other: otherId })))
      },
    )
    .post(
      '/split-chat',
      described({
        tag,
        takesBody: true,
        summary: 'Move one identity with its messages to a conversation of its own; idempotent',
        answer: movedChatsAnswer,
        refusals: {
          400: 'The body is not valid',
          409: 'The identity is the first of its conversation',
          422: 'There is no such identity',
        },
      }),
      requirePermission('clients.link'),
      valid('json', splitChatBody),
      (c) => {
        const { fbUserId } = c.req.valid('json')
        return answered(c, splitConversation(db, fbUserId, audited(c, 'chat.split', { chat: fbUserId })))
      },
    )
}
