import { sql } from 'kysely'
import { commandLineActor, recordAudit } from './audit/audit.ts'
import { secondFactorPurpose } from './auth/second-factors.ts'
import type { Db } from './database/database.ts'
import { inTransaction } from './database/transaction.ts'
import { createPageTokens } from './network/graph/page-tokens.ts'
import { createPictureAddresses, picturesPath } from './pictures/picture-addresses.ts'
import { seal, unseal } from './sealing.ts'
import { deriveKeys, type Keyring } from './secrets.ts'
import { shopsPurpose } from './shops/shop-row.ts'
import { StartupError } from './startup-error.ts'
import { discardUnreadableKeys, resealStoredKeys } from './stored-keys.ts'
import { webhookSecretPurpose } from './webhooks-out/endpoints.ts'

const batchSize = 200
const pictureAddress = new RegExp(`"(${picturesPath}/[\\w.-]+)"`, 'g')

/** The number of values of a kind that were re-encrypted, and of those that no key of the ring can read; they stay. */
type Rekeyed = { renewed: number; unreadable: number }

/** The token of a page whose token was discarded: staff are asked to connect the page again. */
const discardedToken = ''

const tokensOf = (keyring: Keyring) => createPageTokens(deriveKeys(keyring, 'page tokens'))

function readToken(keyring: Keyring, pageId: string, stored: string): string | null {
  try {
    return tokensOf(keyring).decrypt(pageId, stored)
  } catch {
    return null
  }
}

async function unreadablePages(db: Db, keyring: Keyring): Promise<string[]> {
  const pages = await db
    .selectFrom('pages')
    .select(['page_id', 'page_access_token_encrypted as stored'])
    .where('page_access_token_encrypted', '!=', discardedToken)
    .orderBy('page_id')
    .execute()
  return pages.filter(({ page_id, stored }) => readToken(keyring, page_id, stored) === null).map((page) => page.page_id)
}

/** Throws StartupError if a stored page token cannot be read with any key of the ring. */
export async function assertTokensReadable(db: Db, keyring: Keyring): Promise<void> {
  const pages = await unreadablePages(db, keyring)
  if (pages.length === 0) return
  throw new StartupError(
    `The stored token of ${pages.length === 1 ? '1 page' : `${pages.length} pages`} cannot be read with the secret keys of this server: add the missing key to SECRET_KEYS, or, if it is lost, run "npm run rekey -- --discard-unreadable" and connect these pages again.`,
  )
}

/** The number of second factors that no key of the ring reads: these people need a recovery code, or a removal of theirs. */
export async function countUnreadableFactors(db: Db, keyring: Keyring): Promise<number> {
  const keys = deriveKeys(keyring, secondFactorPurpose)
  const factors = await db.selectFrom('second_factors').select(['staff_id', 'secret_encrypted as stored']).execute()
  return factors.filter(({ staff_id, stored }) => unseal(keys, stored, { context: staff_id }) === null).length
}

/** The number of webhook secrets that no key of the ring reads: nothing is sent to these endpoints until it is replaced. */
export async function countUnreadableWebhooks(db: Db, keyring: Keyring): Promise<number> {
  const keys = deriveKeys(keyring, webhookSecretPurpose)
  const endpoints = await db.selectFrom('webhook_endpoints').select(['id', 'secret_encrypted as stored']).execute()
  return endpoints.filter(({ id, stored }) => unseal(keys, stored, { context: id }) === null).length
}

/**
 * Discards what no key of the ring reads: page tokens, whose pages show that they must be connected again, and stored
 * keys. Without its stored key a hash of an erased person matches nobody. Returns the numbers.
 */
export async function discardUnreadable(db: Db, keyring: Keyring): Promise<{ tokens: number; keys: number }> {
  const pages = await unreadablePages(db, keyring)
  for (const pageId of pages) {
    await inTransaction(db, async (trx) => {
      await trx
        .updateTable('pages')
        .set({ page_access_token_encrypted: discardedToken, token_invalid_since: sql<Date>`now()` })
        .where('page_id', '=', pageId)
        .execute()
      const row = { kind: 'page', id: pageId } as const
      await recordAudit(trx, { at: Date.now(), by: commandLineActor, action: 'token.invalid', row })
    })
  }
  return { tokens: pages.length, keys: await discardUnreadableKeys(db, keyring) }
}

/** How many values of each kind were re-encrypted. */
type RekeyedByKind = Record<'keys' | 'tokens' | 'pictures' | 'factors' | 'webhooks' | 'shops', Rekeyed>

const added = (one: Rekeyed, other: Rekeyed): Rekeyed => ({
  renewed: one.renewed + other.renewed,
  unreadable: one.unreadable + other.unreadable,
})

/**
 * Encrypts all stored secrets with the newest key: first all but the picture addresses, together or not at all, then the
 * picture addresses of people, pages and messages, one by one. Another run continues where this one stopped.
 * Servers may run meanwhile; a value that they change is skipped, because they write with their own newest key.
 */
export async function rekey(db: Db, keyring: Keyring): Promise<RekeyedByKind> {
  const pageTokens = tokensOf(keyring)
  const addresses = createPictureAddresses({ keyring, trustedOrigins: [] })
  const [{ id: newest }] = deriveKeys(keyring, 'page tokens').all
  const pictures: Rekeyed = { renewed: 0, unreadable: 0 }

  /** Reads rows in the order of a column, in batches, and changes them one by one. */
  async function inBatches<Row, At>(
    read: (after: At | null) => Promise<Row[]>,
    at: (row: Row) => At,
    change: (row: Row) => Promise<void>,
  ) {
    for (let after: At | null = null; ; ) {
      const rows = await read(after)
      for (const row of rows) await change(row)
      const last = rows.at(-1)
      if (last === undefined || rows.length < batchSize) return
      after = at(last)
    }
  }
  const count = (kind: Rekeyed, isReadable: boolean, changed: readonly unknown[]) => {
    if (!isReadable) kind.unreadable += 1
    else if (changed.length > 0) kind.renewed += 1
  }
  const ofAnotherKey = `${picturesPath}/(?!${newest}[.])`

  async function resealTokens(trx: Db): Promise<Rekeyed> {
    const tokens: Rekeyed = { renewed: 0, unreadable: 0 }
    const pages = await trx
      .selectFrom('pages')
      .select(['page_id', 'page_access_token_encrypted as stored'])
      .where('page_access_token_encrypted', '!=', discardedToken)
      .where('page_access_token_encrypted', 'not like', `v2.${newest}.%`)
      .orderBy('page_id')
      .execute()
    for (const { page_id, stored } of pages) {
      const token = readToken(keyring, page_id, stored)
      const changed =
        token === null
          ? []
          : await trx
              .updateTable('pages')
              .set({ page_access_token_encrypted: pageTokens.encrypt(page_id, token) })
              .where('page_id', '=', page_id)
              .where('page_access_token_encrypted', '=', stored)
              .returning('page_id')
              .execute()
      count(tokens, token !== null, changed)
    }
    return tokens
  }

  /** Seals a column again, whose values are sealed with the id of their row. */
  async function resealColumn(
    trx: Db,
    { table, id, column, purpose }: { table: string; id: string; column: string; purpose: string },
  ): Promise<Rekeyed> {
    const sealKeys = deriveKeys(keyring, purpose)
    const counted: Rekeyed = { renewed: 0, unreadable: 0 }
    const { rows } = await sql<{ id: string; stored: string }>`
      select ${sql.ref(id)} as id, ${sql.ref(column)} as stored from ${sql.table(table)}
      where ${sql.ref(column)} not like ${`${newest}.%`} order by ${sql.ref(id)}`.execute(trx)
    for (const row of rows) {
      const value = unseal(sealKeys, row.stored, { context: row.id })
      const changed =
        value === null
          ? []
          : (
              await sql`
                update ${sql.table(table)} set ${sql.ref(column)} = ${seal(sealKeys, value, { context: row.id })}
                where ${sql.ref(id)} = ${row.id} and ${sql.ref(column)} = ${row.stored} returning 1`.execute(trx)
            ).rows
      count(counted, value !== null, changed)
    }
    return counted
  }

  const endpoint = { table: 'webhook_endpoints', id: 'id', purpose: webhookSecretPurpose }
  // One transaction: after an interruption the old key is needed for all of them or, but for pictures, for none.
  const { keys, tokens, factors, webhooks, shops } = await inTransaction(db, async (trx) => ({
    keys: await resealStoredKeys(trx, keyring),
    tokens: await resealTokens(trx),
    factors: await resealColumn(trx, {
      table: 'second_factors',
      id: 'staff_id',
      column: 'secret_encrypted',
      purpose: secondFactorPurpose,
    }),
    webhooks: added(
      await resealColumn(trx, { ...endpoint, column: 'secret_encrypted' }),
      await resealColumn(trx, { ...endpoint, column: 'previous_encrypted' }),
    ),
    shops: await resealColumn(trx, {
      table: 'shops',
      id: 'id',
      column: 'credentials_encrypted',
      purpose: shopsPurpose,
    }),
  }))

  for (const { table, column, key } of [
    { table: 'pages', column: 'page_profile_pic_url', key: 'page_id' },
    { table: 'fb_users', column: 'profile_pic', key: 'id' },
  ] as const) {
    await inBatches(
      async (after: string | null) =>
        (
          await sql<{ key: string; address: string }>`
            select ${sql.ref(key)} as key, ${sql.ref(column)} as address from ${sql.table(table)}
            where ${sql.ref(column)} ~ ${`^${ofAnotherKey}`} and (${after}::text is null or ${sql.ref(key)} > ${after})
            order by ${sql.ref(key)} limit ${batchSize}`.execute(db)
        ).rows,
      (row) => row.key,
      async (row) => {
        const renewed = addresses.renewed(row.address)
        const changed =
          renewed === null
            ? []
            : (
                await sql`
                  update ${sql.table(table)} set ${sql.ref(column)} = ${renewed}
                  where ${sql.ref(key)} = ${row.key} and ${sql.ref(column)} = ${row.address}
                  returning 1`.execute(db)
              ).rows
        count(pictures, renewed !== null, changed)
      },
    )
  }

  await inBatches(
    async (after: number | null) =>
      (
        await sql<{ id: number; attachments: string }>`
          select id, attachments::text from messages
          where attachments::text ~ ${`"${ofAnotherKey}`} and (${after}::bigint is null or id > ${after})
          order by id limit ${batchSize}`.execute(db)
      ).rows,
    ({ id }) => id,
    async ({ id, attachments }) => {
      let isReadable = true
      const renewed = attachments.replaceAll(pictureAddress, (whole, address: string) => {
        const next = addresses.renewed(address)
        if (next === null) isReadable = false
        return next === null ? whole : JSON.stringify(next)
      })
      const { rows } =
        renewed === attachments
          ? { rows: [] }
          : await inTransaction(db, (trx) =>
              sql`
                update messages set attachments = ${renewed}::jsonb
                where id = ${id} and attachments = ${attachments}::jsonb
                returning 1`.execute(trx),
            )
      count(pictures, isReadable, rows)
    },
  )
  const details = {
    keys: keys.renewed,
    tokens: tokens.renewed,
    pictures: pictures.renewed,
    factors: factors.renewed,
    webhooks: webhooks.renewed,
    shops: shops.renewed,
    newest,
  }
  await recordAudit(db, { at: Date.now(), by: commandLineActor, action: 'keys.rotated', details })
  return { keys, tokens, pictures, factors, webhooks, shops }
}
