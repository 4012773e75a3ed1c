import { createHmac } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { Db } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import type { Keyring } from '../secrets.ts'
import { openStoredKey } from '../stored-keys.ts'

/** The purpose of the stored key. */
export const erasedPeopleKey = 'erased people'

/** Throws StartupError if the stored key cannot be read. */
export async function openErasedPeople(db: Db, keyring: Keyring): Promise<ErasedPeople> {
  return createErasedPeople(await openStoredKey(db, keyring, erasedPeopleKey))
}

export type ErasedPeople = ReturnType<typeof createErasedPeople>

/** Events up to `erasedAt` are dropped. Until `isCompleted`, no event is stored: it would be deleted with the others. */
export type Erased = { erasedAt: Date; isCompleted: boolean }

/** Remembers erased people without naming them: by an HMAC of page id and psid. */
export function createErasedPeople(key: Uint8Array) {
  const hmac = (text: string) => createHmac('sha256', key).update(text).digest('hex')

  return {
    // A psid is valid on its own page only, so two people may have the same psid on two pages.
    hashOf: (pageId: string, psid: string): string => hmac(JSON.stringify([pageId, psid])),

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
