import { createHash, randomBytes } from 'node:crypto'
import { type ApiKey, type ApiScope, apiKeyLimits, type CreateApiKeyBody } from '../../src/schemas/api-key.ts'
import { type AuditActor, recordAudit } from '../audit/audit.ts'
import { cleanText } from '../clean-text.ts'
import type { Db } from '../database/database.ts'
import { inTransaction } from '../database/transaction.ts'

/** Tells a key of this server from other tokens, for people and for scanners of leaked secrets. */
const prefix = 'sik_'
const endingLength = 4
/** The time of the last use is stored at most this often. Milliseconds. */
const useIsStoredEvery = 60_000

/** The secret has 256 random bits, so a fast hash is enough. */
const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex')

const shown = ['id', 'name', 'ending', 'scopes', 'created_by', 'created_at', 'last_used_at'] as const

const toApi = <Row extends { created_at: Date; last_used_at: Date | null }>(row: Row) => ({
  ...row,
  created_at: row.created_at.toISOString(),
  last_used_at: row.last_used_at?.toISOString() ?? null,
})

/** The keys that are not revoked, newest first. */
export async function listApiKeys(db: Db): Promise<ApiKey[]> {
  const rows = await db
    .selectFrom('api_keys')
    .select(shown)
    .where('revoked_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(toApi)
}

/** Returns the key with its secret, which is not stored; null if there are too many keys. */
export async function createApiKey(
  db: Db,
  { name, scopes }: CreateApiKeyBody,
  { by, now }: { by: AuditActor; now: Date },
): Promise<{ key: ApiKey; secret: string } | null> {
  const secret = prefix + randomBytes(32).toString('base64url')
  return inTransaction(db, async (trx) => {
    if ((await listApiKeys(trx)).length >= apiKeyLimits.keys) return null
    const created = await trx
      .insertInto('api_keys')
      .values({
        name: cleanText(name),
        secret_hash: hashOf(secret),
        ending: secret.slice(-endingLength),
        scopes: JSON.stringify([...new Set(scopes)].sort()),
        created_by: by.name ?? '',
        created_at: now,
      })
      .returning(shown)
      .executeTakeFirstOrThrow()
    await recordAudit(trx, {
      at: now.getTime(),
      by,
      action: 'api-key.created',
      row: { kind: 'api-key', id: created.id },
      details: { name: created.name, scopes: created.scopes },
    })
    return { key: toApi(created), secret }
  })
}

/** Idempotent: a key that is revoked or unknown changes nothing. */
export const revokeApiKey = (db: Db, id: string, { by, now }: { by: AuditActor; now: Date }): Promise<void> =>
  inTransaction(db, async (trx) => {
    const revoked = await trx
      .updateTable('api_keys')
      .set({ revoked_at: now })
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .returning('name')
      .executeTakeFirst()
    if (revoked === undefined) return
    await recordAudit(trx, {
      at: now.getTime(),
      by,
      action: 'api-key.revoked',
      row: { kind: 'api-key', id },
      details: { name: revoked.name },
    })
  })

export type KeyHolder = { id: string; name: string; scopes: readonly string[] }

/** The key with this secret, or null. Stores that the key was used. */
export async function authenticateKey(db: Db, secret: string, now: Date): Promise<KeyHolder | null> {
  if (!secret.startsWith(prefix)) return null
  const key = await db
    .selectFrom('api_keys')
    .select(['id', 'name', 'scopes', 'last_used_at'])
    .where('secret_hash', '=', hashOf(secret))
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  if (key === undefined) return null
  const { last_used_at: last, ...holder } = key
  if (last === null || now.getTime() - last.getTime() >= useIsStoredEvery) {
    await db.updateTable('api_keys').set({ last_used_at: now }).where('id', '=', key.id).execute()
  }
  return holder
}

export const mayImport = ({ scopes }: KeyHolder, scope: ApiScope): boolean => scopes.includes(scope)
