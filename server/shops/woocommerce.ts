import * as z from 'zod/mini'
import { centsOf } from '../../src/domain/client/money.ts'
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
import { mayCall, type ShopRequest } from './shop-http.ts'
import { decimal } from './shopify.ts'

/** The REST API v3 (woocommerce.github.io/woocommerce-rest-api-docs). */
const apiPath = '/wp-json/wc/v3'
/** The largest page that the API allows. */
const pageSize = 100
const topics = ['order.created', 'order.updated', 'customer.created', 'customer.updated']

const text = z.nullish(z.string())
const amount = z.string().check(z.regex(/^-?\d+(\.\d+)?$/))
/** Times in GMT have no time zone: `2026-01-05T12:00:00`. */
const moment = z.pipe(
  z.string().check(z.refine((value) => !Number.isNaN(Date.parse(`${value}Z`)))),
  z.transform((value: string) => `${value}Z`),
)
const billing = z.nullish(z.object({ first_name: text, last_name: text, company: text, email: text, phone: text }))
const customer = z.object({
  id: z.number(),
  first_name: text,
  last_name: text,
  email: text,
  date_created_gmt: moment,
  date_modified_gmt: z.nullish(moment),
  billing,
})
const order = z.object({
  id: z.number(),
  number: z.string(),
  status: z.string(),
  currency: z.string(),
  total: amount,
  refunds: z._default(z.array(z.object({ total: amount })), []),
  date_created_gmt: moment,
  date_modified_gmt: moment,
  date_paid_gmt: z.nullish(moment),
  customer_id: z._default(z.number(), 0),
  billing,
  line_items: z.array(
    z.object({ name: z.string(), quantity: z.number(), price: z.nullish(z.union([z.number(), z.string()])) }),
  ),
})

export const woocommerce: ShopDialect = {
  normalizedAddress(typed) {
    const url = URL.parse(/^[a-z]+:\/\//i.test(typed.trim()) ? typed.trim() : `https://${typed.trim()}`)
    if (url === null || !mayCall(url)) return null
    return `${url.origin}${url.pathname.replace(/\/+$/, '')}`
  },
  prefixOf: (site) => site.replace(/^https:\/\/(www\.)?/, ''),
  webhookSecretOf: (_, made) => made,
  signatureHeader: 'x-wc-webhook-signature',
  topicHeader: 'x-wc-webhook-topic',
  phaseOfTopic: (topic) => (!topics.includes(topic) ? null : topic.startsWith('order.') ? 'orders' : 'customers'),
  readCustomer,
  readOrder,

  open({ address, credentials }, call, isPatient) {
    const authorization = `Basic ${Buffer.from(`${credentials.key}:${credentials.secret}`).toString('base64')}`
    const ask = (method: ShopRequest['method'], path: string, query: Record<string, string> = {}, body?: unknown) => {
      const url = new URL(`${address}${apiPath}${path}`)
      for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
      const headers = { authorization, ...(body === undefined ? {} : { 'content-type': 'application/json' }) }
      const request = { method, url, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
      return call(request, { pauseOf: () => 0, isPatient })
    }

    const ownWebhooks = async (deliveryUrl: string) => {
      const found: z.infer<typeof webhooksAnswer> = []
      for (let page = 1, pages = 1; page <= pages; page++) {
        const response = await ask('GET', '/webhooks', { per_page: String(pageSize), page: String(page) })
        found.push(...answerIn(response, webhooksAnswer))
        pages = Math.min(Number(response.header('x-wp-totalpages') ?? 1), maxWebhookPages)
      }
      return found.filter(({ delivery_url }) => delivery_url === deliveryUrl)
    }

    return {
      async verify() {
        for (const path of ['/orders', '/customers'])
          answerIn(await ask('GET', path, { per_page: '1' }), z.array(z.unknown()))
        return new URL(address).host
      },

      async registerWebhooks(deliveryUrl) {
        const known = await ownWebhooks(deliveryUrl)
        for (const topic of topics) {
          const own = known.find((hook) => hook.topic === topic)
          // The shop disables a webhook after five deliveries that failed.
          if (own?.status === 'active') continue
          const secret = credentials.webhookSecret
          const response =
            own === undefined
              ? await ask('POST', '/webhooks', {}, { name: 'Staff Inbox', topic, delivery_url: deliveryUrl, secret })
              : await ask('PUT', `/webhooks/${own.id}`, {}, { status: 'active', secret })
          answerIn(response, z.object({ id: z.number() }))
        }
      },

      async removeWebhooks(deliveryUrl) {
        for (const { id } of await ownWebhooks(deliveryUrl)) {
          const response = await ask('DELETE', `/webhooks/${id}`, { force: 'true' })
          if (response.status !== 404) answerIn(response, z.unknown())
        }
      },

      async page(phase, { cursor, since }) {
        // The API cannot list changed customers. Webhooks and orders bring them.
        if (phase === 'customers' && since !== null) return { rows: [], next: null, total: 0 }
        const { offset, lastId } = readCursor(cursor)
        // Begins with the last row that was read. Another first row shows that rows were deleted and later ones moved up.
        const from = Math.max(offset - 1, 0)
        const response = await ask('GET', `/${phase}`, {
          per_page: String(pageSize),
          offset: String(from),
          orderby: 'id',
          order: 'asc',
          ...(phase === 'customers' ? { role: 'all' } : { status: 'any' }),
          ...(since === null ? {} : { modified_after: since.toISOString().slice(0, 19), dates_are_gmt: 'true' }),
        })
        const found = answerIn(response, z.array(z.unknown()))
        const total = Number(response.header('x-wp-total') ?? found.length)
        const first = found.map(idOf).find((id) => id !== null)
        if (from > 0 && !(first != null && first <= lastId))
          return { rows: [], next: `${Math.max(from - pageSize + 1, 0)}-${lastId}`, total }
        const rows = found.filter((row) => (idOf(row) ?? Number.POSITIVE_INFINITY) > lastId)
        const last = Math.max(lastId, ...found.map((row) => idOf(row) ?? 0))
        return { rows, next: found.length < pageSize ? null : `${from + found.length}-${last}`, total }
      },
    }
  },
}

const maxWebhookPages = 20
const webhooksAnswer = z.array(
  z.object({ id: z.number(), topic: z.string(), status: z.string(), delivery_url: z.string() }),
)

const rowWithId = z.object({ id: z.number() })
const idOf = (row: unknown): number | null => rowWithId.safeParse(row).data?.id ?? null

/** The number of rows before the next page, and the highest id that was read. Another cursor starts again. */
function readCursor(cursor: string | null): { offset: number; lastId: number } {
  const [, offset = '0', lastId = '0'] = /^(\d+)-(\d+)$/.exec(cursor ?? '') ?? []
  return { offset: Number(offset), lastId: Number(lastId) }
}

function readCustomer(raw: unknown): ReadRow<ShopCustomer> | null {
  const read = customer.safeParse(raw)
  if (!read.success) return unreadable(raw)
  const { id, billing: bill, ...given } = read.data
  return {
    row: {
      id: String(id),
      first_name: textOrNull(given.first_name) ?? textOrNull(bill?.first_name) ?? '',
      last_name: textOrNull(given.last_name) ?? textOrNull(bill?.last_name) ?? '',
      company_name: textOrNull(bill?.company),
      email: textOrNull(given.email) ?? textOrNull(bill?.email),
      phone: textOrNull(bill?.phone),
      updatedAt: given.date_modified_gmt ?? given.date_created_gmt,
    },
  }
}

/** The table of docs/decisions.md, "Shops". A status of an extension stays as it is. */
const statuses: Readonly<Record<string, string>> = {
  pending: 'pending',
  'on-hold': 'pending',
  processing: 'processing',
  completed: 'completed',
  cancelled: 'cancelled',
  refunded: 'cancelled',
  failed: 'rejected',
  trash: 'cancelled',
}
/** An order that the customer has not placed yet. */
const unplaced = new Set(['checkout-draft', 'auto-draft'])

function readOrder(raw: unknown): ReadRow<ShopOrder> | null {
  const read = order.safeParse(raw)
  if (!read.success) return unreadable(raw)
  const { data } = read
  if (unplaced.has(data.status)) return null
  // Refunds have negative totals.
  const refunded = data.refunds.reduce((sum, { total }) => sum + Math.abs(centsOf(total)), 0)
  const total = Math.max(centsOf(data.total) - refunded, 0)
  return {
    row: {
      id: String(data.id),
      number: `#${data.number}`,
      status: statuses[data.status] ?? data.status,
      currency: data.currency,
      total: decimal(total),
      ...paymentOf(data, total),
      items: data.line_items.map(({ name, quantity, price }) => ({
        name: withoutEntities(name),
        quantity,
        unit_price: price == null ? null : decimal(Math.round(Number(price) * 100)),
      })),
      createdAt: data.date_created_gmt,
      updatedAt: data.date_modified_gmt,
      customer: buyerOf(data),
    },
  }
}

/** WordPress writes some characters of names as HTML. */
const entities: Readonly<Record<string, string>> = { amp: '&', quot: '"', lt: '<', gt: '>', ndash: '–', mdash: '—' }
const withoutEntities = (text: string): string =>
  text.replace(/&(?:#(\d{1,6})|(\w{2,6}));/g, (whole, code?: string, name = '') =>
    code === undefined ? (entities[name] ?? whole) : String.fromCodePoint(Number(code)),
  )

type Order = z.infer<typeof order>

function buyerOf({ customer_id, billing: bill, date_modified_gmt }: Order): ShopCustomer | null {
  const [email, phone] = [textOrNull(bill?.email), textOrNull(bill?.phone)]
  const contact = email ?? phone
  if (customer_id === 0 && contact === null) return null
  return {
    id: customer_id === 0 ? guestId(contact ?? '') : String(customer_id),
    first_name: textOrNull(bill?.first_name) ?? '',
    last_name: textOrNull(bill?.last_name) ?? '',
    company_name: textOrNull(bill?.company),
    email,
    phone,
    updatedAt: date_modified_gmt,
  }
}

/** An order with a date of payment is paid in full, less its refunds. */
function paymentOf(data: Order, total: number): Pick<ShopOrder, 'paid' | 'payment'> {
  if (data.date_paid_gmt == null) {
    const isOver = ['cancelled', 'failed', 'trash', 'refunded'].includes(data.status)
    return { paid: decimal(total), payment: isOver ? 'rejected' : 'pending' }
  }
  return total > 0 && data.status !== 'refunded'
    ? { paid: decimal(total), payment: 'approved' }
    : { paid: data.total, payment: 'refunded' }
}
