import * as z from 'zod/mini'
import { clientLimits, createClientBody } from './client.ts'
import { answerOf, id } from './primitives.ts'
import { productLimits } from './product.ts'
import { storableMoment } from './storable-moment.ts'

/** The maximum number of rows of a bulk import, of items of an order, and of characters. */
export const importLimits = { rows: 1_000, items: 500, id: 200, text: 200, status: 50 } as const

/** The id of a row in the other program. */
export const externalId = z.string().check(z.minLength(1), z.maxLength(importLimits.id), z.regex(/^\P{Cc}*$/u))

const text = z.string().check(z.trim(), z.minLength(1), z.maxLength(importLimits.text))
const status = z.string().check(z.trim(), z.minLength(1), z.maxLength(importLimits.status))

/** The largest amount that the database stores, in the currency's unit. */
export const maxAmount = 999_999_999_999.99

/** A number, or numeric text, with at most two decimals. Never negative. */
const amount = z.pipe(
  z.union([z.number(), z.string().check(z.regex(/^\d{1,12}(\.\d{1,2})?$/))]),
  z.pipe(
    z.transform(Number),
    z.number().check(
      z.minimum(0),
      z.maximum(maxAmount),
      z.refine((value) => Math.abs(value * 100 - Math.round(value * 100)) < 1e-4, 'has more than two decimals'),
    ),
  ),
)

const itemFields = {
  name: text,
  quantity: z.number().check(z.minimum(0), z.maximum(1e9)),
  unit_price: z.nullish(amount),
}

/** An item of an order that is a row of its own. */
export const importedItem = z.object({ order: externalId, ...itemFields })

/** A row replaces the stored row with its external id: a field that is left out becomes empty. */
export const importedClient = z.extend(createClientBody, {
  classification: z._default(z.string().check(z.trim(), z.minLength(1), z.maxLength(clientLimits.text)), 'new'),
})

export const importedOrder = z.object({
  /** The external id of its client. */
  client: externalId,
  order_number: text,
  status,
  total_amount: amount,
  created_at: storableMoment,
  items: z._default(z.array(z.object(itemFields)).check(z.maxLength(importLimits.items)), []),
})

export const importedPayment = z.object({
  /** The external id of its order. */
  order: externalId,
  amount,
  /** Approved and completed payments count (spec section 4). */
  status,
  created_at: storableMoment,
})

/** A product by its code. */
export const importedProduct = z.object({
  name: text,
  unit_price: amount.check(z.refine((value) => Number(value) * 100 <= productLimits.price)),
})

/** Each row has an `external_id` besides its fields. Rows are checked one by one, so a wrong row refuses only itself. */
export const importBody = z
  .object({
    clients: z._default(z.array(z.unknown()), []),
    orders: z._default(z.array(z.unknown()), []),
    payments: z._default(z.array(z.unknown()), []),
  })
  .check(
    z.refine(
      ({ clients, orders, payments }) => clients.length + orders.length + payments.length <= importLimits.rows,
      `more than ${importLimits.rows} rows`,
    ),
  )

const storedResult = z.enum(['created', 'changed', 'unchanged'])

/** The row of an import after the call, by its id in this inbox. */
export const importedAnswer = answerOf(z.object({ id, result: storedResult }))

/** What became of a row of a bulk import. */
const importedRow = z.union([
  z.object({ external_id: z.string(), id, result: storedResult }),
  z.object({ external_id: z.nullable(z.string()), result: z.literal('refused'), reason: z.string() }),
])
export type ImportedRow = z.infer<typeof importedRow>

/** The rows in the order of the request. */
export const importAnswer = answerOf(
  z.object({ clients: z.array(importedRow), orders: z.array(importedRow), payments: z.array(importedRow) }),
)
