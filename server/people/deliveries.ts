import { sql } from 'kysely'
import type { Db } from '../database/database.ts'
import { inTransaction } from '../database/transaction.ts'

/** Replaces the body of a stored delivery. The ingest reads no event from it. */
export const removedBody = '{}'

/** Selects events: of one person with one page, or of all people with a page. */
export type Party = {
  /** The page's id, and the id of its Instagram account. */
  accountIds: readonly string[]
  /** Null: all people who wrote to the page. */
  psid: string | null
  /** Later events are not selected. */
  until: Date | null
}

/** Stored deliveries that are read at once. */
const window = 500

/**
 * The stored deliveries that may contain events of the party, oldest first. Reads `window` deliveries at a time, so no
 * query lasts long, and calls `afterWindow` after each.
 */
export async function* eachDeliveryOf(
  db: Db,
  party: Party,
  afterWindow: () => Promise<void> = async () => undefined,
): AsyncGenerator<{ id: number; body: string; receivedAt: Date }> {
  const texts = party.psid === null ? party.accountIds : [party.psid]
  let last = 0
  for (;;) {
    const end = await db
      .selectFrom((ids) =>
        ids.selectFrom('webhook_inbox').select('id').where('id', '>', last).orderBy('id').limit(window).as('next'),
      )
      .select((next) => next.fn.max('id').as('id'))
      .executeTakeFirst()
    if (end?.id == null) return
    const rows = await db
      .selectFrom('webhook_inbox')
      .select(['id', 'body', 'received_at'])
      .where('id', '>', last)
      .where('id', '<=', end.id)
      .where(sql<boolean>`body like any(array[${sql.join(texts.map((text) => `%${likeEscaped(text)}%`))}]::text[])`)
      .orderBy('id')
      .execute()
    for (const { id, body, received_at } of rows) yield { id, body, receivedAt: received_at }
    last = end.id
    await afterWindow()
  }
}

const likeEscaped = (text: string) => text.replace(/[\\%_]/g, '\\$&')

/**
 * Removes the party's events from the stored deliveries. A delivery that was stored in the inbox loses its whole body,
 * because no code reads it again; a delivery that was not stored yet keeps the events of other people.
 */
export async function forgetDeliveriesOf(db: Db, party: Party, afterWindow: () => Promise<void>): Promise<void> {
  for await (const { id } of eachDeliveryOf(db, party, afterWindow)) {
    await inTransaction(db, async (trx) => {
      // Read again under a lock: another erasure may remove events of the same delivery.
      const delivery = await trx
        .selectFrom('webhook_inbox')
        .select(['body', 'processed_at'])
        .where('id', '=', id)
        .forUpdate()
        .executeTakeFirst()
      if (delivery === undefined) return
      const body = delivery.processed_at === null ? splitDelivery(delivery.body, party).rest : removedBody
      await trx.updateTable('webhook_inbox').set({ body }).where('id', '=', id).execute()
    })
  }
}

/** The events of the party in the body of a delivery, and the body without them. A body of unknown form has none. */
export function splitDelivery(body: string, party: Party): { own: unknown[]; rest: string } {
  const delivery: unknown = JSON.parse(body)
  const own: unknown[] = []
  const keep = (event: unknown): boolean => {
    if (!isOf(event, party)) return true
    own.push(event)
    return false
  }
  if (!isRecord(delivery) || !Array.isArray(delivery['entry'])) return { own, rest: body }
  const entry = delivery['entry'].map((value: unknown) => {
    if (!isRecord(value) || !party.accountIds.includes(String(value['id']))) return value
    const lists = Object.entries(value).map(([name, list]) => [name, Array.isArray(list) ? list.filter(keep) : list])
    return Object.fromEntries(lists)
  })
  return { own, rest: JSON.stringify({ ...delivery, entry }) }
}

function isOf(event: unknown, { psid, until }: Party): boolean {
  const at = isRecord(event) ? event['timestamp'] : null
  if (until !== null && typeof at === 'number' && at > until.getTime()) return false
  return psid === null || names(event, psid)
}

/** Whether the id is anywhere in a value: as sender, as recipient, or where an event of unknown form has it. */
function names(value: unknown, id: string): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).some((part) => names(part, id))
  return String(value) === id
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
