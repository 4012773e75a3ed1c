import { createHmac } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import type { Db } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import { lastDigits, phoneNumberOf } from '../phones.ts'
import type { Keyring } from '../secrets.ts'
import { openStoredKey } from '../stored-keys.ts'

/** The purpose of the stored key. */
export const erasedPeopleKey = 'erased people'

/** Throws StartupError if the stored key cannot be read. */
export async function openErasedPeople(db: Db, keyring: Keyring, country: string): Promise<ErasedPeople> {
  return createErasedPeople(await openStoredKey(db, keyring, erasedPeopleKey), country)
}

export type ErasedPeople = ReturnType<typeof createErasedPeople>

/** Events up to `erasedAt` are dropped. Until `isCompleted`, no event is stored: it would be deleted with the others. */
export type Erased = { erasedAt: Date; isCompleted: boolean }

/** The names by which an import can recognize a client. */
export type ClientNames = {
  external_id?: string | null | undefined
  email?: string | null | undefined
  phone?: string | null | undefined
}

const hmacOf = (key: Uint8Array) => (text: string) => createHmac('sha256', key).update(text).digest('hex')

/** The hash of a person. A psid is valid on its own page only, so two people may have the same psid on two pages. */
export const hashPeople =
  (key: Uint8Array) =>
  (pageId: string, psid: string): string =>
    hmacOf(key)(JSON.stringify([pageId, psid]))

/**
 * Remembers erased people without naming them: by an HMAC of page id and psid. `country`: of phone numbers without a country
 * code.
 */
export function createErasedPeople(key: Uint8Array, country: string) {
  const hmac = hmacOf(key)

  return {
    country,
    hashOf: hashPeople(key),

    /** The hash of each name of a client. */
    hashesOfClient: ({ external_id, email, phone }: ClientNames): string[] => {
      const number = phoneNumberOf(phone, country)
      // Rows of an earlier release have the hash of the digits alone.
      const digits = lastDigits(phone)
      const names = [
        ...(external_id ? [['external id', external_id]] : []),
        ...(email?.trim() ? [['email', email.trim().toLowerCase()]] : []),
        ...(digits === null ? [] : [['phone', digits]]),
        ...(number === null ? [] : [['phone', number]]),
      ]
      return names.map((name) => hmac(JSON.stringify(['client', ...name])))
    },

    /** Replaces an idempotency key that contains a psid. */
    hashedKey: (idempotencyKey: string): string => `erased:${hmac(idempotencyKey)}`,
  }
}

/** Null if the person was never erased. */
export async function findErased(
  db: Db | Transaction<Tables>,
  erasedPeople: Pick<ErasedPeople, 'hashOf'>,
  { pageId, psid }: { pageId: string; psid: string },
): Promise<Erased | null> {
  const row = await db
    .selectFrom('erased_people')
    .select(['erased_at', 'completed_at'])
    .where('person_hash', '=', erasedPeople.hashOf(pageId, psid))
    .executeTakeFirst()
  return row === undefined ? null : { erasedAt: row.erased_at, isCompleted: row.completed_at !== null }
}

/** Remembers that this client was erased, so that no import stores the client again. */
export async function rememberErasedClient(
  trx: Transaction<Tables>,
  erasedPeople: Pick<ErasedPeople, 'hashesOfClient'>,
  names: ClientNames,
  erasedAt: Date,
): Promise<void> {
  const hashes = erasedPeople.hashesOfClient(names)
  if (hashes.length === 0) return
  await trx
    .insertInto('erased_clients')
    .values(hashes.map((client_hash) => ({ client_hash, erased_at: erasedAt })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Tells whether one of the names is that of an erased client. Reads the hashes of all clients with one query. */
export async function erasedAmong(
  db: Db,
  erasedPeople: Pick<ErasedPeople, 'hashesOfClient'>,
  clients: readonly ClientNames[],
): Promise<(client: ClientNames) => boolean> {
  const { hashesOfClient } = erasedPeople
  const { rows } = await sql<{ client_hash: string }>`select client_hash from erased_clients
    where client_hash = any(${clients.flatMap(hashesOfClient)}::text[])`.execute(db)
  const erased = new Set(rows.map(({ client_hash }) => client_hash))
  return (client) => erased.size > 0 && hashesOfClient(client).some((hash) => erased.has(hash))
}
