import { randomBytes } from 'node:crypto'
import type { Db } from './database/database.ts'
import type { Row } from './database/tables.ts'
import { seal, unseal } from './sealing.ts'
import { deriveKeys, type Keyring } from './secrets.ts'
import { StartupError } from './startup-error.ts'

type StoredKey = Row<'stored_keys'>

const sealingKeys = (keyring: Keyring) => deriveKeys(keyring, 'stored keys')
const read = (keyring: Keyring, { purpose, sealed_key: sealed }: StoredKey) =>
  unseal(sealingKeys(keyring), sealed, { context: purpose })
const sealed = (keyring: Keyring, purpose: string, key: string) => seal(sealingKeys(keyring), key, { context: purpose })

/** The 32 bytes of a stored key. Null if no key of the ring reads it. */
export function readStoredKey(keyring: Keyring, stored: StoredKey): Uint8Array | null {
  const key = read(keyring, stored)
  return key === null ? null : Buffer.from(key, 'base64url')
}

/**
 * The random key of a purpose. The first process creates it; all processes then have the same key. Throws StartupError if
 * no key of the ring reads it.
 */
export async function openStoredKey(db: Db, keyring: Keyring, purpose: string): Promise<Uint8Array> {
  const newKey = sealed(keyring, purpose, randomBytes(32).toString('base64url'))
  await db
    .insertInto('stored_keys')
    .values({ purpose, sealed_key: newKey })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  const stored = await db.selectFrom('stored_keys').selectAll().where('purpose', '=', purpose).executeTakeFirstOrThrow()
  const key = readStoredKey(keyring, stored)
  if (key !== null) return key
  throw new StartupError(
    `The stored key "${purpose}" cannot be read with the secret keys of this server: add the missing key to SECRET_KEYS, or, if it is lost, run "npm run rekey -- --discard-unreadable".`,
  )
}

/** Encrypts the stored keys with the newest key of the ring. */
export async function resealStoredKeys(db: Db, keyring: Keyring): Promise<{ renewed: number; unreadable: number }> {
  const [{ id: newest }] = sealingKeys(keyring).all
  const result = { renewed: 0, unreadable: 0 }
  for (const stored of await db.selectFrom('stored_keys').selectAll().execute()) {
    if (stored.sealed_key.startsWith(`${newest}.`)) continue
    const key = read(keyring, stored)
    if (key === null) {
      result.unreadable += 1
      continue
    }
    const { numUpdatedRows } = await db
      .updateTable('stored_keys')
      .set({ sealed_key: sealed(keyring, stored.purpose, key) })
      .where('purpose', '=', stored.purpose)
      .where('sealed_key', '=', stored.sealed_key)
      .executeTakeFirstOrThrow()
    result.renewed += Number(numUpdatedRows)
  }
  return result
}

/** Deletes the stored keys that no key of the ring reads, and returns their number. The next start creates new ones. */
export async function discardUnreadableKeys(db: Db, keyring: Keyring): Promise<number> {
  const unreadable = (await db.selectFrom('stored_keys').selectAll().execute()).filter(
    (stored) => read(keyring, stored) === null,
  )
  for (const { purpose, sealed_key } of unreadable) {
    await db.deleteFrom('stored_keys').where('purpose', '=', purpose).where('sealed_key', '=', sealed_key).execute()
  }
  return unreadable.length
}
