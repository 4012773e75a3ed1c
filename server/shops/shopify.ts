import * as z from 'zod/mini'
import { centsOf } from '../../src/domain/client/money.ts'
import type { ShopPhase } from '../../src/schemas/shop.ts'
import {
  answerIn,
  guestId,
  type ReadRow,
  type ShopCustomer,
  type ShopDialect,
  type ShopOrder,
  textOrNull,
  unreadable,
} from './shop.ts'
import { ShopError } from './shop-error.ts'
import type { ShopResponse } from './shop-http.ts'

/**
 * The Admin REST API of a pinned version: its orders and customers have the same form as the webhooks
 * (shopify.dev/docs/api/admin-rest, shopify.dev/docs/api/webhooks).
 */
const shopifyVersion = '2026-04'
/** The largest page that the API allows. */
const pageSize = 250
const topics = [
  'orders/create',
  'orders/updated',
  'orders/paid',
  'orders/cancelled',
  'customers/create',
  'customers/update',
]
const neededScopes = ['read_orders', 'read_customers']

const text = z.nullish(z.string())
const amount = z.string().check(z.regex(/^-?\d+(\.\d+)?$/))
const moment = z.string().check(z.refine((value) => !Number.isNaN(Date.parse(value))))
const address = z.nullish(z.object({ first_name: text, last_name: text, company: text, phone: text }))
const customer = z.object({
  id: z.number(),
  first_name: text,
  last_name: text,
  email: text,
  phone: text,
  updated_at: z.nullish(moment),
  default_address: address,
})
const order = z.object({
  id: z.number(),
  name: z.string(),
  currency: z.string(),
  current_total_price: amount,
  total_price: amount,
  total_outstanding: amount,
  financial_status: text,
  fulfillment_status: text,
  cancelled_at: text,
  closed_at: text,
  created_at: moment,
  updated_at: moment,
  email: text,
  phone: text,
  customer: z.nullish(customer),
  billing_address: address,
  line_items: z.array(
    z.object({
      title: z.string(),
      variant_title: text,
      quantity: z.number(),
      current_quantity: z.nullish(z.number()),
      price: amount,
    }),
  ),
})

export const shopify: ShopDialect = {
  normalizedAddress(typed) {
    const host = typed
      .trim()
      .toLowerCase()
      .replace(/^https?:\/\//, '')
      .replace(/\/.*$/, '')
    return /^[a-z0-9][a-z0-9-]*\.myshopify\.com$/.test(host) ? host : null
  },
  prefixOf: (host) => host.replace(/\.myshopify\.com$/, ''),
  webhookSecretOf: ({ secret }) => secret,
  signatureHeader: 'x-shopify-hmac-sha256',
  topicHeader: 'x-shopify-topic',
  phaseOfTopic: (topic) => (!topics.includes(topic) ? null : topic.startsWith('orders/') ? 'orders' : 'customers'),
  readCustomer,
  readOrder,

  open({ address: host, credentials }, call, isPatient) {
    const base = `https://${host}/admin`
    const ask = (
      method: 'GET' | 'POST' | 'DELETE',
      path: string,
      query: Record<string, string> = {},
      body?: unknown,
    ) => {
      const url = new URL(`${base}${path}`)
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
      const headers = {
        'x-shopify-access-token': credentials.key,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      }
      const request = { method, url, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
      return call(request, { pauseOf, isPatient })
    }
    const versioned = (path: string) => `/api/${shopifyVersion}${path}`

    /** The webhooks of this app that deliver to the address. */
    const ownWebhooks = async (deliveryUrl: string) => {
      const query = { address: deliveryUrl, limit: String(pageSize) }
      const found = answerIn(await ask('GET', versioned('/webhooks.json'), query), webhooksAnswer)
      return found.webhooks.filter((hook) => hook.address === deliveryUrl)
    }

    return {
      async verify() {
        const { shop } = answerIn(await ask('GET', versioned('/shop.json')), shopAnswer)
        const { access_scopes } = answerIn(await ask('GET', '/oauth/access_scopes.json'), scopesAnswer)
        // A scope to write includes the one to read.
        const held = new Set(access_scopes.flatMap(({ handle }) => [handle, handle.replace(/^write_/, 'read_')]))
        const missing = neededScopes.filter((scope) => !held.has(scope))
        if (missing.length > 0) throw new ShopError('scope', missing)
        return shop.name
      },

      async registerWebhooks(deliveryUrl) {
        const known = new Set((await ownWebhooks(deliveryUrl)).map(({ topic }) => topic))
        for (const topic of topics.filter((one) => !known.has(one))) {
          const body = { webhook: { topic, address: deliveryUrl, format: 'json' } }
          answerIn(await ask('POST', versioned('/webhooks.json'), {}, body), webhookAnswer)
        }
      },

      async removeWebhooks(deliveryUrl) {
        for (const { id } of await ownWebhooks(deliveryUrl)) {
          const response = await ask('DELETE', versioned(`/webhooks/${id}.json`))
          if (response.status !== 404) answerIn(response, z.unknown())
        }
      },

      async page(phase, { cursor, since }) {
        const filter = {
          ...(phase === 'orders' ? { status: 'any' } : {}),
          ...(since === null ? {} : { updated_at_min: since.toISOString() }),
        }
        // With a cursor the API accepts no other parameter but the limit.
        const query = { limit: String(pageSize), ...(cursor === null ? filter : { page_info: cursor }) }
        const response = await ask('GET', versioned(`/${phase}.json`), query)
        if (cursor !== null && response.status === 400) throw new ShopError('cursor')
        const rows = answerIn(response, rowsAnswer[phase])[phase] ?? []
        if (cursor !== null) return { rows, next: nextCursor(response), total: null }
        const { count } = answerIn(await ask('GET', versioned(`/${phase}/count.json`), filter), countAnswer)
        return { rows, next: nextCursor(response), total: count }
      },
    }
  },
}

const webhooksAnswer = z.object({
  webhooks: z.array(z.object({ id: z.number(), topic: z.string(), address: z.string() })),
})
const webhookAnswer = z.object({ webhook: z.object({ id: z.number() }) })
const shopAnswer = z.object({ shop: z.object({ name: z.string() }) })
const scopesAnswer = z.object({ access_scopes: z.array(z.object({ handle: z.string() })) })
const countAnswer = z.object({ count: z.number() })
const rowsAnswer: Record<ShopPhase, z.ZodMiniType<Partial<Record<ShopPhase, unknown[]>>>> = {
  customers: z.object({ customers: z.array(z.unknown()) }),
  orders: z.object({ orders: z.array(z.unknown()) }),
}

/** `<https://…?limit=250&page_info=abc>; rel="next"`: the cursor alone, because the rest of the address is ours. */
function nextCursor(response: ShopResponse): string | null {
  const link = /<([^>]+)>;\s*rel="?next"?/.exec(response.header('link') ?? '')?.[1]
  return URL.parse(link ?? '')?.searchParams.get('page_info') ?? null
}

/**
 * The bucket of calls leaks two a second. From four fifths on, the next call waits until a tenth has leaked.
 * Milliseconds.
 */
function pauseOf(response: ShopResponse): number {
  const [used = 0, size = 0] = (response.header('x-shopify-shop-api-call-limit') ?? '').split('/').map(Number)
  return size > 0 && used >= size * 0.8 ? (size / 10 / 2) * 1_000 : 0
}

function readCustomer(raw: unknown): ReadRow<ShopCustomer> | null {
  const read = customer.safeParse(raw)
  return read.success ? { row: customerOf(read.data, new Date(0).toISOString()) } : unreadable(raw)
}

function customerOf(given: z.infer<typeof customer>, updatedAt: string): ShopCustomer {
  const home = given.default_address
  return {
    id: String(given.id),
    first_name: textOrNull(given.first_name) ?? textOrNull(home?.first_name) ?? '',
    last_name: textOrNull(given.last_name) ?? textOrNull(home?.last_name) ?? '',
    company_name: textOrNull(home?.company),
    email: textOrNull(given.email),
    phone: textOrNull(given.phone) ?? textOrNull(home?.phone),
    updatedAt: given.updated_at ?? updatedAt,
  }
}

function readOrder(raw: unknown): ReadRow<ShopOrder> | null {
  const read = order.safeParse(raw)
  if (!read.success) return unreadable(raw)
  const { data } = read
  const paid = centsOf(data.current_total_price) - centsOf(data.total_outstanding)
  return {
    row: {
      id: String(data.id),
      number: data.name,
      status: statusOf(data),
      currency: data.currency,
      total: data.current_total_price,
      ...paymentOf(data, Math.max(paid, 0)),
      items: data.line_items
        .map(({ title, variant_title, quantity, current_quantity, price }) => ({
          name: variant_title ? `${title} – ${variant_title}` : title,
          quantity: current_quantity ?? quantity,
          unit_price: price,
        }))
        // Removed from the order.
        .filter(({ quantity }) => quantity > 0),
      createdAt: data.created_at,
      updatedAt: data.updated_at,
      customer: buyerOf(data),
    },
  }
}

type Order = z.infer<typeof order>

function buyerOf({ customer: known, email, phone, billing_address: bill, updated_at }: Order): ShopCustomer | null {
  // The record of the customer has a version of its own; the copy in the order is as new as the order.
  if (known != null) {
    const contact = { ...known, email: known.email ?? email, phone: known.phone ?? phone }
    return { ...customerOf(contact, updated_at), updatedAt: updated_at }
  }
  const contact = textOrNull(email) ?? textOrNull(phone) ?? textOrNull(bill?.phone)
  if (contact === null) return null
  return {
    id: guestId(contact),
    first_name: textOrNull(bill?.first_name) ?? '',
    last_name: textOrNull(bill?.last_name) ?? '',
    company_name: textOrNull(bill?.company),
    email: textOrNull(email),
    phone: textOrNull(phone) ?? textOrNull(bill?.phone),
    updatedAt: updated_at,
  }
}

/** The table of docs/decisions.md, "Shops". The first line that applies counts. */
function statusOf({ cancelled_at, closed_at, fulfillment_status, financial_status }: Order): string {
  if (cancelled_at) return 'cancelled'
  if (fulfillment_status === 'fulfilled') return closed_at ? 'completed' : 'shipped'
  if (financial_status === 'refunded' || financial_status === 'voided' || fulfillment_status === 'restocked')
    return 'cancelled'
  if (fulfillment_status === 'partial') return 'processing'
  if (closed_at) return 'completed'
  return financial_status === 'pending' || financial_status === 'authorized' ? 'pending' : 'confirmed'
}

/** What counts as paid is what the shop has received less what it gave back, so the balance is the outstanding amount. */
function paymentOf(data: Order, cents: number): Pick<ShopOrder, 'paid' | 'payment'> {
  if (cents > 0) return { paid: decimal(cents), payment: 'approved' }
  if (data.financial_status === 'refunded') return { paid: data.total_price, payment: 'refunded' }
  if (data.financial_status === 'voided' || data.cancelled_at) return { paid: data.total_price, payment: 'rejected' }
  return { paid: data.total_outstanding, payment: 'pending' }
}

export const decimal = (cents: number): string => (cents / 100).toFixed(2)
