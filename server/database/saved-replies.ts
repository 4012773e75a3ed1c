import { sql, type Transaction } from 'kysely'
import { comparableName, type SavedReplyBody, savedReplyLimits } from '../../src/schemas/saved-reply.ts'
import type { Db } from './database.ts'
import type { Tables } from './tables.ts'

const shown = (db: Db) =>
  db
    .selectFrom('saved_replies as reply')
    .leftJoin('staff as creator', 'creator.id', 'reply.created_by')
    .leftJoin('staff as editor', 'editor.id', 'reply.updated_by')
    .select([
      'reply.id',
      'reply.name',
      'reply.text',
      'reply.page_ids',
      'reply.structure',
      'reply.uses',
      'creator.name as created_by_name',
      'reply.created_at',
      'editor.name as updated_by_name',
      'reply.updated_at',
    ])

/** All saved replies, by name. */
export const listSavedReplies = (db: Db) => shown(db).orderBy('reply.name_key').orderBy('reply.id').execute()

export const findSavedReply = (db: Db, id: string) => shown(db).where('reply.id', '=', id).executeTakeFirst()

/** 'taken': another saved reply has the name. 'noPage': one of the pages does not exist. 'full': there are too many. */
export type SavedReplyProblem = 'taken' | 'noPage' | 'full'

export type Write = { values: SavedReplyBody; staffId: string; now: Date }

/** Locks the pages, so that a page that is deleted at the same time leaves the saved reply too. */
async function pagesExist(trx: Transaction<Tables>, pageIds: readonly string[] | null): Promise<boolean> {
  if (pageIds === null) return true
  const { rows } = await sql`
    select from pages where page_id = any(${[...pageIds]}::text[]) order by page_id for key share`.execute(trx)
  return rows.length === pageIds.length
}

/** One write at a time: two could pass the limit together, or take the same name. */
const lockNames = (trx: Transaction<Tables>) =>
  sql`select pg_advisory_xact_lock(hashtext('saved_replies'))`.execute(trx)

/** Whether a saved reply other than `id` has the name. */
async function isTaken(trx: Transaction<Tables>, nameKey: string, id = ''): Promise<boolean> {
  const other = await trx
    .selectFrom('saved_replies')
    .select('id')
    .where('name_key', '=', nameKey)
    .where('id', '<>', id)
    .executeTakeFirst()
  return other !== undefined
}

const columnsOf = ({ values: { pictures: _, structure, ...values }, staffId, now }: Write) => ({
  ...values,
  structure: structure === null ? null : JSON.stringify(structure),
  name_key: comparableName(values.name),
  updated_by: staffId,
  updated_at: now,
})

/** Returns the id of the new saved reply, or why it was not created. */
export async function createSavedReply(
  trx: Transaction<Tables>,
  write: Write,
): Promise<{ id: string } | SavedReplyProblem> {
  if (!(await pagesExist(trx, write.values.page_ids))) return 'noPage'
  await lockNames(trx)
  const { count } = await trx
    .selectFrom('saved_replies')
    .select((select) => select.fn.countAll().as('count'))
    .executeTakeFirstOrThrow()
  if (Number(count) >= savedReplyLimits.replies) return 'full'
  const columns = columnsOf(write)
  if (await isTaken(trx, columns.name_key)) return 'taken'
  return trx
    .insertInto('saved_replies')
    .values({ ...columns, created_by: write.staffId, created_at: write.now })
    .returning('id')
    .executeTakeFirstOrThrow()
}

/** Returns why the saved reply was not changed; null if it was changed, undefined if there is none. */
export async function updateSavedReply(
  trx: Transaction<Tables>,
  id: string,
  write: Write,
): Promise<Exclude<SavedReplyProblem, 'full'> | null | undefined> {
  if (!(await pagesExist(trx, write.values.page_ids))) return 'noPage'
  await lockNames(trx)
  const columns = columnsOf(write)
  if (await isTaken(trx, columns.name_key, id)) return 'taken'
  const changed = await trx
    .updateTable('saved_replies')
    .set(columns)
    .where('id', '=', id)
    .returning('id')
    .executeTakeFirst()
  return changed && null
}

/** Idempotent. Returns the name of the deleted saved reply; undefined if there was none. */
export const deleteSavedReply = (db: Db, id: string) =>
  db.deleteFrom('saved_replies').where('id', '=', id).returning('name').executeTakeFirst()

/**
 * Counts a use in a message that this staff member has sent. Each message counts once. False if there is no such saved
 * reply or sent message.
 */
export async function countUse(
  trx: Transaction<Tables>,
  { id, key, staffId }: { id: string; key: string; staffId: string },
): Promise<boolean> {
  const reply = await trx
    .selectFrom('saved_replies')
    .select('id')
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  const send = await trx
    .selectFrom('sends')
    .select('idempotency_key')
    .where('idempotency_key', '=', key)
    .where('staff_id', '=', staffId)
    .where('state', '=', 'sent')
    .executeTakeFirst()
  if (reply === undefined || send === undefined) return false
  const counted = await trx
    .insertInto('saved_reply_uses')
    .values({ reply_id: id, idempotency_key: key })
    .onConflict((conflict) => conflict.doNothing())
    .returning('reply_id')
    .executeTakeFirst()
  if (counted !== undefined) {
    await trx
      .updateTable('saved_replies')
      .set((update) => ({ uses: update('uses', '+', 1) }))
      .where('id', '=', id)
      .execute()
  }
  return true
}
