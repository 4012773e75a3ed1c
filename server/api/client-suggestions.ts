import { Hono } from 'hono'
import * as z from 'zod/mini'
import {
  clientSuggestionsAnswer,
  dismissSuggestionBody,
  suggestionLimits,
} from '../../src/schemas/client-suggestion.ts'
import { successAnswer } from '../../src/schemas/primitives.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Clock } from '../clock.ts'
import { dismissSuggestion, suggestClients } from '../database/client-suggestions.ts'
import type { Db } from '../database/database.ts'
import { findPrimaryUserId } from '../database/people.ts'
import { runSearch } from '../database/search-queue.ts'
import { inTransaction } from '../database/transaction.ts'
import { described, refuse, valid } from './answers.ts'
import { type Authenticated, requirePermission } from './authentication.ts'
import { clientToApi } from './clients.ts'

const tag = 'Clients and orders'
const byId = z.object({ id: z.string().check(z.maxLength(200)) })
const unknownConversation = 'Conversation not found'

/** Clients that a conversation may belong to (feature 'client-suggestions'), to be mounted at /api/facebook. */
export const createClientSuggestionRoutes = ({
  db,
  clock,
  country,
}: {
  db: Db
  clock: Pick<Clock, 'now'>
  country: string
}) =>
  new Hono<Authenticated>()
    .get(
      '/client-suggestions/:id',
      described({
        tag,
        summary: `Clients that a conversation without a client may belong to, with the reasons, at most ${suggestionLimits.suggestions}`,
        answer: clientSuggestionsAnswer,
        refusals: { 404: unknownConversation },
      }),
      requirePermission('clients.link'),
      valid('param', byId),
      async (c) => {
        const primaryUserId = await findPrimaryUserId(db, c.req.valid('param').id)
        if (primaryUserId === null) return refuse(c, 404, unknownConversation)
        const found = await runSearch(() => suggestClients(db, primaryUserId, country), c.req.raw.signal)
        const data = found.map(({ client, reasons }) => ({ client: clientToApi(country)(client), reasons }))
        return c.json({ success: true, data } satisfies z.infer<typeof clientSuggestionsAnswer>)
      },
    )
    .post(
      '/client-suggestions/:id/dismiss',
      described({
        tag,
        takesBody: true,
        summary: 'Never suggest the client for the conversation again; idempotent',
        answer: successAnswer,
        refusals: { 404: 'There is no such conversation or client' },
      }),
      requirePermission('clients.link'),
      valid('param', byId),
      valid('json', dismissSuggestionBody),
      async (c) => {
        const { clientId } = c.req.valid('json')
        const isDismissed = await inTransaction(db, async (trx) => {
          const primaryUserId = await findPrimaryUserId(trx, c.req.valid('param').id)
          if (primaryUserId === null || !(await dismissSuggestion(trx, primaryUserId, clientId))) return false
          await recordAudit(trx, {
            at: clock.now(),
            by: c.get('actor'),
            action: 'suggestion.dismissed',
            row: { kind: 'conversation', id: primaryUserId },
            details: { client: clientId },
          })
          return true
        })
        if (!isDismissed) return refuse(c, 404, unknownConversation)
        return c.json({ success: true } satisfies z.infer<typeof successAnswer>)
      },
    )
