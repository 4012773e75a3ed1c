import { createHmac } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { Db } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import { deriveKeys, type Keyring } from '../secrets.ts'

/** The keys of the hashes, the newest first. */
export function erasedPeopleKeys(keyring: Keyring): [Uint8Array, ...Uint8Array[]] {
  const [newest, ...older] = deriveKeys(keyring, 'erased people').all
  return [newest.key, ...older.map(({ key }) => key)]
}

export type ErasedPeople = ReturnType<typeof createErasedPeople>

/** Events up to `erasedAt` are dropped. Until `isCompleted`, no event is stored: it would be deleted with the others. */
export type Erased = { erasedAt: Date; isCompleted: boolean }

/**
 * Remembers erased people without naming them: by an HMAC of page id and psid. `keys`: the newest first; a new hash uses
 * the first, a lookup all of them, so that erased people are recognized after a change of the server's secret.
 */
export function createErasedPeople(keys: readonly [Uint8Array, ...Uint8Array[]]) {
  const hashWith = (key: Uint8Array, text: string) => createHmac('sha256', key).update(text).digest('hex')
  // A psid is valid on its own page only, so two people may have the same psid on two pages.
  const textOf = (pageId: string, psid: string) => JSON.stringify([pageId, psid])

  return {
    hashOf: (pageId: string, psid: string): string => hashWith(keys[0], textOf(pageId, psid)),

    /** All hashes under which the person may be stored. */
    hashesOf: (pageId: string, psid: string): string[] => keys.map((key) => hashWith(key, textOf(pageId, psid))),

    /** Replaces an idempotency key that contains a psid. */
    hashedKey: (key: string): string => `erased:${hashWith(keys[0], key)}`,
  }
}

/** Null if the person was never erased. */
export async function findErased(
  db: Db | Transaction<Tables>,
  erasedPeople: Pick<ErasedPeople, 'hashesOf'>,
  { pageId, psid }: { pageId: string; psid: string },
): Promise<Erased | null> {
  const rows = await db
    .selectFrom('erased_people')
    .select(['erased_at', 'completed_at'])
    .where('person_hash', 'in', erasedPeople.hashesOf(pageId, psid))
    .orderBy('erased_at', 'desc')
    .execute()
  const [latest] = rows
  if (latest === undefined) return null
  return { erasedAt: latest.erased_at, isCompleted: rows.every((row) => row.completed_at !== null) }
}
