import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import * as z from 'zod/mini'
import type { ShopPhase } from '../../src/schemas/shop.ts'
import { ShopError } from './shop-error.ts'
import type { ShopCalls, ShopResponse } from './shop-http.ts'

/** What the server keeps sealed of a shop. `webhookSecret` signs the deliveries of its webhooks. */
export const shopCredentials = z.object({ key: z.string(), secret: z.string(), webhookSecret: z.string() })
export type ShopCredentials = z.infer<typeof shopCredentials>

/** A customer in the one form that the answers of all shops are read into. `id` is unique in the shop. */
export type ShopCustomer = {
  id: string
  first_name: string
  last_name: string
  company_name: string | null
  email: string | null
  phone: string | null
  /** ISO 8601. */
  updatedAt: string
}

/**
 * An order in the one form that the answers of all shops are read into. Amounts are decimal texts of `currency`. `paid` is what the shop has received and not
 * given back. `customer` is null for an order without any contact.
 */
export type ShopOrder = {
  id: string
  number: string
  status: string
  currency: string
  total: string
  paid: string
  /** Of the payment. */
  payment: 'pending' | 'approved' | 'refunded' | 'rejected'
  items: { name: string; quantity: number; unit_price: string | null }[]
  createdAt: string
  updatedAt: string
  customer: ShopCustomer | null
}

/** A row that was read, or the number and the version of one that has no known form. */
export type ReadRow<Row> = { row: Row } | { unreadable: { id: string; updatedAt: string } }

export type ShopPage = { rows: unknown[]; next: string | null; total: number | null }

/** The calls of one shop. All throw ShopError. */
type ShopApi = {
  /** Checks address, key and permissions. Returns the name of the shop. */
  verify(): Promise<string>
  /** Registers the webhooks that are missing. */
  registerWebhooks(deliveryUrl: string): Promise<void>
  removeWebhooks(deliveryUrl: string): Promise<void>
  /** A page of customers or orders; `since`: only those that changed since then. */
  page(phase: ShopPhase, from: { cursor: string | null; since: Date | null }): Promise<ShopPage>
}

export type ShopDialect = {
  /** The address as it is stored; null if it cannot be the address of such a shop. */
  normalizedAddress(typed: string): string | null
  /** The name of the shop before its order numbers. */
  prefixOf(address: string): string
  /** The secret that signs webhooks; `made` is a new random one. */
  webhookSecretOf(given: { secret: string }, made: string): string
  open(shop: { address: string; credentials: ShopCredentials }, call: ShopCalls, isPatient: boolean): ShopApi
  readCustomer(raw: unknown): ReadRow<ShopCustomer> | null
  /** Null for an order that is not placed yet, and for a value without an id. */
  readOrder(raw: unknown): ReadRow<ShopOrder> | null
  signatureHeader: string
  topicHeader: string
  /** What a delivery of the topic contains; null for others. */
  phaseOfTopic(topic: string): ShopPhase | null
}

/** The signature of a delivery in both shops: HMAC-SHA256 of the body, in base64. */
export const signatureOf = (secret: string, body: Uint8Array): string =>
  createHmac('sha256', secret).update(body).digest('base64')

/** Constant time. */
export function isSigned(secret: string, body: Uint8Array, given: string | undefined): boolean {
  const expected = Buffer.from(signatureOf(secret, body))
  const header = Buffer.from(given ?? '')
  return expected.length === header.length && timingSafeEqual(expected, header)
}

/** The JSON of an answer in a known form. Throws ShopError for every refusal. */
export function answerIn<Schema extends z.ZodMiniType>(response: ShopResponse, schema: Schema): z.output<Schema> {
  const { status, text } = response
  if (status === 401) throw new ShopError('key')
  if (status === 403) throw new ShopError('scope')
  if (status === 404 || (status >= 300 && status < 400)) throw new ShopError('address')
  if (status >= 500 || status === 408) throw new ShopError('unreachable')
  if (status >= 400) throw new ShopError('answer')
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new ShopError('address')
  }
  const read = schema.safeParse(json)
  if (!read.success) throw new ShopError('answer')
  return read.data
}

export const textOrNull = (text: string | null | undefined): string | null => text?.trim() || null

/** The id of a buyer without an account: a hash, so that ids do not show addresses. */
export const guestId = (contact: string): string =>
  `guest:${createHash('sha256').update(contact.toLowerCase()).digest('base64url').slice(0, 22)}`

const identified = z.object({ id: z.union([z.number(), z.string()]) })
/** The id of a row of unknown form; null if it has none. */
const idOf = (raw: unknown): string | null => {
  const read = identified.safeParse(raw)
  return read.success ? String(read.data.id) : null
}

/** A row that cannot be read. Its version is the oldest, so that a readable one replaces it. */
export const unreadable = (raw: unknown): { unreadable: { id: string; updatedAt: string } } | null => {
  const id = idOf(raw)
  return id === null ? null : { unreadable: { id, updatedAt: new Date(0).toISOString() } }
}
