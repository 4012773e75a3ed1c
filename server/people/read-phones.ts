import { sql, type Transaction } from 'kysely'
import { announceChanges } from '../database/announcements.ts'
import { batchSize } from '../database/batches.ts'
import type { Db } from '../database/database.ts'
import { type MaintenanceParts, repeat } from '../database/maintenance.ts'
import type { Tables } from '../database/tables.ts'
import { inTransaction } from '../database/transaction.ts'
import { retryRowsThatWait } from '../database/waiting-rows.ts'
import { lastDigits, phoneKey, phoneNumberOf } from '../phones.ts'

type PhonesParts = MaintenanceParts & { country: string }

/** Milliseconds. */
const interval = 10_000

/**
 * Brings the phone numbers of clients into one form: those of an earlier release, of imports, and, after the start, all that
 * were read for another country. Returns a stop function, which waits for the current batch.
 */
export function startReadingPhones({ country, ...parts }: PhonesParts) {
  let isFirst = true
  return repeat(parts, interval, async (isRunning) => {
    await readPhones(parts.db, country, { all: isFirst, isRunning })
    isFirst = false
  })
}

/** Reads phone numbers in batches until none is left. `all`: also those that were read for another country. */
export async function readPhones(
  db: Db,
  country: string,
  { all, isRunning = () => true }: { all: boolean; isRunning?: () => boolean },
): Promise<void> {
  let after = ''
  while (isRunning()) {
    const last = await inTransaction(db, (trx) => readBatch(trx, country, { all, after }))
    if (last === null) return
    after = last
  }
}

/** Returns the id of the last client of the batch; null if none was left. */
async function readBatch(trx: Transaction<Tables>, country: string, { all, after }: { all: boolean; after: string }) {
  const isUnread = all
    ? sql`(phone is distinct from phone_read or (phone is not null and phone_country is distinct from ${country}))`
    : sql`phone is distinct from phone_read`
  const { rows } = await sql<{ id: string; phone: string | null; external_id: string | null }>`
    select id, phone, external_id from clients where ${isUnread} and id > ${after} order by id limit ${batchSize}
    for update skip locked`.execute(trx)
  const keys = new Set<string>()
  const read = rows.map(({ id, phone, external_id }) => {
    // An import that knew the client by phone alone derived the id from the number as it was written.
    const key = external_id === `phone:${lastDigits(phone)}` ? `phone:${phoneKey(phone, country)}` : external_id
    const isTaken = key !== null && keys.has(key)
    if (key !== null) keys.add(key)
    return { id, phone, phone_e164: phoneNumberOf(phone, country), external_id: isTaken ? external_id : key }
  })
  if (read.length > 0) {
    // Screens show a number by its text, so nothing changes for them.
    await announceChanges(trx, false)
    await sql`
      update clients set phone_e164 = given.phone_e164, phone_read = given.phone, phone_country = ${country}, external_id =
        case when exists (select from clients other where other.external_id = given.external_id)
          or exists (select from client_aliases alias where alias.external_id = given.external_id) then clients.external_id
          else given.external_id end
      from jsonb_to_recordset(${JSON.stringify(read)}::jsonb)
        as given (id text, phone text, phone_e164 text, external_id text)
      where clients.id = given.id`.execute(trx)
    await announceChanges(trx, true)
    // Rows that name a client by phone alone find the number from now on.
    await retryRowsThatWait(trx, ['orders'])
  }
  return rows.at(-1)?.id ?? null
}
