import { randomBytes } from 'node:crypto'
import type { Transaction } from 'kysely'
import { testEvent } from '../../src/schemas/webhook.ts'
import type { Db } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import { inTransaction } from '../database/transaction.ts'
import { payloadVersion, tellEvents } from './payloads.ts'

/** The due rows that are prepared together. */
const batchSize = 100

const newEventId = (): string => `evt_${randomBytes(16).toString('hex')}`

const bodyOf = (event: { id: string; type: string; createdAt: Date; data: object }): string =>
  JSON.stringify({
    id: event.id,
    type: event.type,
    version: payloadVersion,
    timestamp: event.createdAt.toISOString(),
    data: event.data,
  })

/**
 * Makes events of the oldest due rows, and a delivery for each endpoint that wants them, in the transaction that deletes the
 * rows. False if there are none.
 */
export const prepareNext = (db: Db, parts: { currency: string; now: number }): Promise<boolean> =>
  inTransaction(db, async (trx) => {
    const due = await trx
      .deleteFrom('due_webhook_events')
      .where('id', 'in', (where) =>
        where.selectFrom('due_webhook_events').select('id').orderBy('id').limit(batchSize).forUpdate().skipLocked(),
      )
      .returningAll()
      .execute()
    if (due.length === 0) return false
    // The lock keeps an endpoint from being deleted until its deliveries are stored.
    const endpoints = await trx
      .selectFrom('webhook_endpoints')
      .select(['id', 'events'])
      .where('is_active', '=', true)
      .orderBy('id')
      .forKeyShare()
      .execute()
    const told = await tellEvents(
      trx,
      due.toSorted((one, other) => one.id - other.id),
      parts,
    )
    const events = told
      .filter(({ type }) => endpoints.some((endpoint) => endpoint.events.includes(type)))
      .map((event) => ({ ...event, id: newEventId() }))
    if (events.length === 0) return true
    await trx
      .insertInto('webhook_events')
      .values(
        events.map((event) => ({
          id: event.id,
          type: event.type,
          body: bodyOf(event),
          order_id: event.order_id ?? null,
          message_id: event.message_id ?? null,
          fb_user_id: event.fb_user_id ?? null,
          created_at: new Date(parts.now),
        })),
      )
      .execute()
    const deliveries = events.flatMap(({ id, type }) =>
      endpoints
        .filter((endpoint) => endpoint.events.includes(type))
        .map((endpoint) => deliveryOf(endpoint.id, id, new Date(parts.now))),
    )
    await trx.insertInto('webhook_deliveries').values(deliveries).execute()
    return true
  })

const deliveryOf = (endpointId: string, eventId: string, at: Date) => ({
  endpoint_id: endpointId,
  event_id: eventId,
  due_at: at,
  created_at: at,
})

/** Stores a test event for one endpoint. The caller has locked the endpoint. */
export async function storeTestEvent(trx: Transaction<Tables>, endpointId: string, now: Date): Promise<void> {
  const id = newEventId()
  const data = { text: 'This is a test event.' }
  await trx
    .insertInto('webhook_events')
    .values({
      id,
      type: testEvent,
      body: bodyOf({ id, type: testEvent, createdAt: now, data }),
      order_id: null,
      message_id: null,
      fb_user_id: null,
      created_at: now,
    })
    .execute()
  await trx
    .insertInto('webhook_deliveries')
    .values(deliveryOf(endpointId, id, now))
    .execute()
}
