import { sql } from 'kysely'
import { announceChanges } from '../database/announcements.ts'
import { batchSize } from '../database/batches.ts'
import { mergedInto } from '../database/client-removals.ts'
import type { Db } from '../database/database.ts'
import { lockImports } from '../database/import-lock.ts'
import { inTransaction } from '../database/transaction.ts'
import { forgetFiles } from '../files/reserved-files.ts'
import { type ErasedPeople, rememberErasedClient } from './erased-people.ts'
import { changeNames } from './large-changes.ts'
import { forgetShopRowsOf, forgetStagedRowsOf } from './staged-rows.ts'

/** The steps of an erasure that delete rows, in batches. Each can be repeated. `renew` runs between two batches. */

type Parts = { db: Db; erasedPeople: ErasedPeople }

/** Not announced: the deletion of the identities is. */
export async function deleteMessagesOf(db: Db, fbUserIds: string[], renew: () => Promise<void>): Promise<void> {
  for (;;) {
    const deleted = await inTransaction(db, async (trx) => {
      await announceChanges(trx, false)
      return trx
        .deleteFrom('messages')
        .where('message_id', 'in', (some) =>
          some.selectFrom('messages').select('message_id').where('fb_user_id', 'in', fbUserIds).limit(batchSize),
        )
        .executeTakeFirst()
    })
    if (deleted.numDeletedRows < batchSize) return
    await renew()
  }
}

/**
 * Also deletes files that were not sent. `psid` null: of all people of the page. Keys and message ids stay, but for
 * keys that contain a psid.
 */
export async function removeTextsOfSends(
  { db, erasedPeople }: Parts,
  pageId: string,
  psid: string | null,
  renew: () => Promise<void>,
): Promise<void> {
  for (;;) {
    const sends = await db
      .selectFrom('sends')
      .select(['idempotency_key', 'psid', 'file_id'])
      .where('page_id', '=', pageId)
      .where('psid', psid === null ? '<>' : '=', psid ?? '')
      .limit(batchSize)
      .execute()
    if (sends.length === 0) return
    await inTransaction(db, async (trx) => {
      const removed = { message_text: null, file_id: null, structured: null, psid: '', error: null }
      await forgetFiles(
        trx,
        sends.flatMap(({ file_id }) => file_id ?? []),
      )
      const [naming, others] = [
        sends.filter((send) => send.idempotency_key.includes(send.psid)),
        sends.filter((send) => !send.idempotency_key.includes(send.psid)),
      ]
      for (const { idempotency_key: key } of naming) {
        await trx
          .updateTable('sends')
          .set({ ...removed, idempotency_key: erasedPeople.hashedKey(key) })
          .where('idempotency_key', '=', key)
          .execute()
      }
      if (others.length === 0) return
      const keys = others.map((send) => send.idempotency_key)
      await trx.updateTable('sends').set(removed).where('idempotency_key', 'in', keys).execute()
    })
    await renew()
  }
}

/** `psid` null: of all people of the page. */
export async function deleteEarlyEdits(db: Db, pageId: string, psid: string | null): Promise<void> {
  await db
    .deleteFrom('early_edits')
    .where('page_id', '=', pageId)
    .$if(psid !== null, (edits) => edits.where('psid', '=', psid))
    .execute()
}

/** A page is known to webhooks by its own id and by the id of its Instagram account. */
export async function accountIdsOf(db: Db, pageId: string): Promise<string[]> {
  const page = await db.selectFrom('pages').select('instagram_id').where('page_id', '=', pageId).executeTakeFirst()
  return page?.instagram_id ? [pageId, page.instagram_id] : [pageId]
}

/** Listeners that have not read them yet reconnect and fetch everything. */
export async function deleteLargeChanges(db: Db, texts: string[]): Promise<void> {
  await db.deleteFrom('realtime_outbox').where(changeNames(texts)).execute()
}

/** Deletes a client with orders and payments, and those that were merged into it. An import does not store them again. */
export async function deleteClient({ db, erasedPeople }: Parts, id: string, now: Date): Promise<void> {
  await inTransaction(db, async (trx) => {
    await lockImports(trx)
    const ids = [id, ...(await mergedInto(trx, id))]
    const clients = await trx
      .selectFrom('clients')
      .leftJoin('client_removals', 'client_id', 'clients.id')
      .select(['clients.id', 'external_id', 'email', 'phone', 'record'])
      .where('clients.id', 'in', ids)
      .orderBy('clients.id')
      .forUpdate('clients')
      .execute()
    const aliases = await trx.selectFrom('client_aliases').select('external_id').where('client_id', 'in', ids).execute()
    for (const { record, ...client } of clients) {
      const names = { ...client, external_id: client.external_id ?? record?.merge?.external_id ?? null }
      await rememberErasedClient(trx, erasedPeople, names, now)
      await forgetStagedRowsOf(trx, names, erasedPeople.country)
      await forgetShopRowsOf(trx, names)
    }
    for (const alias of aliases) {
      await rememberErasedClient(trx, erasedPeople, alias, now)
      await forgetStagedRowsOf(trx, { id, ...alias, email: null, phone: null }, erasedPeople.country)
      await forgetShopRowsOf(trx, { id, ...alias })
    }
    await trx.deleteFrom('clients').where('id', 'in', ids).execute()
    // The rows tell open panes to fetch again, without the ids.
    await sql`update client_changes set client_ids = null where client_ids && ${ids}::text[]`.execute(trx)
  })
}
