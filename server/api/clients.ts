import { Hono } from 'hono'
import * as z from 'zod/mini'
import { limits } from '../../src/domain/limits.ts'
import { threadToasts } from '../../src/domain/thread/toasts.ts'
import {
  clientAnswer,
  clientOrdersAnswer,
  createClientBody,
  linkClientAnswer,
  linkClientBody,
  searchClientsAnswer,
  searchClientsQuery,
} from '../../src/schemas/client.ts'
import { clientLanguageBody } from '../../src/schemas/customer-language.ts'
import { orderPaymentsAnswer, ordersAnswer, ordersQuery, userOrdersAnswer } from '../../src/schemas/order.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Clock } from '../clock.ts'
import { keptClientOf } from '../database/client-removals.ts'
import { chooseLanguage, createClient, findClient, searchClients } from '../database/clients.ts'
import type { Db } from '../database/database.ts'
import { linkClient } from '../database/groups.ts'
import { listOrders, listOrdersOfClient, listPayments } from '../database/orders.ts'
import { findClientOfConversation, findPrimaryUserId } from '../database/people.ts'
import { runSearch } from '../database/search-queue.ts'
import { inTransaction } from '../database/transaction.ts'
import { readablePhone, readPhone } from '../phones.ts'
import { described, refuse, valid } from './answers.ts'
import { type Authenticated, requirePermission } from './authentication.ts'
import { refuseGrouping } from './grouping-refusal.ts'

const tag = 'Clients and orders'
const unknownClient = 'Client not found'

const byId = z.object({ id: z.string() })
const byUser = z.object({ primaryUserId: z.string() })

/** A client with a phone number that people can read. `country`: of phone numbers without a country code. */
export const clientToApi =
  (country: string) =>
  <Row extends { created_at: Date; phone: string | null; version: number }>(row: Row) => ({
    ...row,
    version: Number(row.version),
    phone: readablePhone(row.phone, country),
    created_at: row.created_at.toISOString(),
  })

type Parts = { db: Db; clock: Pick<Clock, 'now'>; country: string }

/** Linking chat users to clients (spec section 7), to be mounted at /api/facebook. */
export const createLinkingRoutes = ({ db, clock, country }: Parts) =>
  new Hono<Authenticated>()
    .post(
      '/link-client',
      described({
        tag,
        takesBody: true,
        summary: 'Link a person, with all their identities, to a client; idempotent',
        answer: linkClientAnswer,
        refusals: {
          400: 'The body is not valid',
          409: 'The client or the person is already linked',
          422: 'There is no such client or person',
        },
      }),
      requirePermission('clients.link'),
      valid('json', linkClientBody),
      async (c) => {
        const { fbUserId, clientId } = c.req.valid('json')
        try {
          const primaryUserId = await linkClient(db, fbUserId, clientId, (trx, conversationId) =>
            recordAudit(trx, {
              at: clock.now(),
              by: c.get('actor'),
              action: 'client.linked',
              row: { kind: 'conversation', id: conversationId },
              details: { client: clientId },
            }),
          )
          return c.json({
            success: true,
            data: { primary_user_id: primaryUserId, client_id: clientId },
          } satisfies z.infer<typeof linkClientAnswer>)
        } catch (error) {
          return refuseGrouping(c, error)
        }
      },
    )
    .get(
      '/search-clients',
      described({
        tag,
        summary: 'Clients by name, email, phone or company, at most 50; none for fewer than 2 characters',
        answer: searchClientsAnswer,
        refusals: { 400: 'A parameter is not valid' },
      }),
      requirePermission('clients.read'),
      valid('query', searchClientsQuery),
      async (c) => {
        const found = await runSearch(() => searchClients(db, c.req.valid('query').search, country), c.req.raw.signal)
        return c.json({ success: true, data: found.map(clientToApi(country)) } satisfies z.infer<
          typeof searchClientsAnswer
        >)
      },
    )
    .get(
      '/orders/:primaryUserId',
      described({
        tag,
        summary: "The orders of a person's client, newest first, with payments and items",
        answer: userOrdersAnswer,
        refusals: { 404: 'There is no such chat user', 422: 'The chat user is not linked to a client' },
      }),
      requirePermission('orders.read'),
      valid('param', byUser),
      async (c) => {
        const primaryUserId = await findPrimaryUserId(db, c.req.valid('param').primaryUserId)
        if (primaryUserId === null) return refuse(c, 404, 'User not found')
        const clientId = await findClientOfConversation(db, primaryUserId)
        if (clientId === null) return refuse(c, 422, threadToasts.noClient.text)
        const orders = await listOrdersOfClient(db, clientId)
        return c.json({ success: true, data: { orders } } satisfies z.infer<typeof userOrdersAnswer>)
      },
    )

/** Clients (spec section 7), to be mounted at /api/clients. */
export const createClientRoutes = ({ db, clock, country }: Parts) =>
  new Hono<Authenticated>()
    .post(
      '/',
      described({
        tag,
        takesBody: true,
        summary: 'Create a client',
        answer: clientAnswer,
        refusals: { 400: 'The body is not valid' },
      }),
      requirePermission('clients.create'),
      valid('json', createClientBody),
      async (c) => {
        const { email, phone, company_name, ...names } = c.req.valid('json')
        const created = await inTransaction(db, async (trx) => {
          const id = await createClient(trx, {
            ...names,
            ...readPhone(phone || null, country),
            email: email || null,
            company_name: company_name || null,
          })
          const at = clock.now()
          await recordAudit(trx, { at, by: c.get('actor'), action: 'client.created', row: { kind: 'client', id } })
          return findClient(trx, id)
        })
        if (created === undefined) throw new Error('a client is missing right after its creation')
        return c.json({ success: true, data: clientToApi(country)(created) } satisfies z.infer<typeof clientAnswer>)
      },
    )
    .get(
      '/:id',
      described({
        tag,
        summary: 'A client with its linked person',
        answer: clientAnswer,
        refusals: { 404: 'There is no such client; `details.merged_into` is the client that it was merged into' },
      }),
      requirePermission('clients.read'),
      valid('param', byId),
      async (c) => {
        const { id } = c.req.valid('param')
        const found = await findClient(db, id)
        if (found === undefined) {
          const kept = await keptClientOf(db, id)
          return refuse(c, 404, unknownClient, undefined, kept === null ? undefined : { merged_into: kept })
        }
        return c.json({ success: true, data: clientToApi(country)(found) } satisfies z.infer<typeof clientAnswer>)
      },
    )
    .put(
      '/:id/language',
      described({
        tag,
        takesBody: true,
        summary:
          'Choose the language of the summaries for a client; its other fields are told to whoever may read clients',
        answer: clientAnswer,
        refusals: { 400: 'The body is not valid', 404: 'There is no such client' },
      }),
      requirePermission('conversations.manage'),
      valid('param', byId),
      valid('json', clientLanguageBody),
      async (c) => {
        const { id } = c.req.valid('param')
        const { language } = c.req.valid('json')
        const found = await inTransaction(db, async (trx) => {
          const chosen = await chooseLanguage(trx, id, language)
          if (chosen?.isNew)
            await recordAudit(trx, {
              at: clock.now(),
              by: c.get('actor'),
              action: 'client.language-chosen',
              row: { kind: 'client', id },
              details: { language },
            })
          return chosen === null ? undefined : findClient(trx, id)
        })
        if (found === undefined) return refuse(c, 404, unknownClient)
        const { is_active, ...whole } = clientToApi(country)(found)
        // The permission to choose a language does not include the client's contacts.
        const shown = c.get('staff').permissions.includes('clients.read') ? whole : { id, language }
        return c.json({ success: true, data: { ...shown, is_active } } satisfies z.infer<typeof clientAnswer>)
      },
    )
    .get(
      '/:id/orders',
      described({
        tag,
        summary: `A client's orders, newest first, at most ${limits.clientOrders}, with payments and items`,
        answer: clientOrdersAnswer,
        refusals: { 404: 'There is no such client' },
      }),
      requirePermission('orders.read'),
      valid('param', byId),
      async (c) => {
        const { id } = c.req.valid('param')
        if ((await findClient(db, id)) === undefined) return refuse(c, 404, unknownClient)
        const data = await listOrdersOfClient(db, id)
        return c.json({ success: true, data } satisfies z.infer<typeof clientOrdersAnswer>)
      },
    )

/** Orders and payments (spec section 7), to be mounted at /api/orders. */
export const createOrderRoutes = ({ db }: { db: Db }) =>
  new Hono<Authenticated>()
    .get(
      '/',
      described({
        tag,
        summary: 'Orders of one client or of all; `with` adds payments or items',
        answer: ordersAnswer,
        refusals: { 400: 'A parameter is not valid' },
      }),
      requirePermission('orders.read'),
      valid('query', ordersQuery),
      async (c) => {
        const { with: related = '', ...query } = c.req.valid('query')
        const data = await listOrders(db, {
          ...query,
          withPayments: related.includes('payments'),
          withItems: related.includes('items'),
        })
        return c.json({ success: true, data } satisfies z.infer<typeof ordersAnswer>)
      },
    )
    .get(
      '/:id/payments',
      described({
        tag,
        summary: 'The payments of an order, oldest first',
        answer: orderPaymentsAnswer,
        refusals: { 404: 'There is no such order' },
      }),
      requirePermission('orders.read'),
      valid('param', byId),
      async (c) => {
        const data = await listPayments(db, c.req.valid('param').id)
        if (data === null) return refuse(c, 404, 'Order not found')
        return c.json({ success: true, data } satisfies z.infer<typeof orderPaymentsAnswer>)
      },
    )
