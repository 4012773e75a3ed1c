import { sql, type Transaction } from 'kysely'
import { maxDrafts, type SaveDraftBody } from '../../src/schemas/draft.ts'
import type { Db } from './database.ts'
import { writeToConversation } from './people.ts'
import type { Row, Tables } from './tables.ts'

type StoredDraft = Row<'drafts'>

/** The drafts of a staff member, newest first. */
export const listDrafts = (db: Db, staffId: string): Promise<StoredDraft[]> =>
  db.selectFrom('drafts').selectAll().where('staff_id', '=', staffId).orderBy('updated_at', 'desc').execute()

type Save = SaveDraftBody & { staffId: string; conversationId: string; now: Date }

/**
 * Stores or removes the draft of a staff member for a conversation, if the stored version is the one that it replaces.
 * Takes a primary or fb user id. A repeated write is saved again without effect. Returns the draft after the call.
 */
export async function saveDraft(
  db: Db,
  { conversationId, text, ...save }: Save,
): Promise<{ isSaved: boolean; draft: StoredDraft | null } | 'unknown' | 'too many'> {
  const saved = await writeToConversation(db, conversationId, async (trx, primaryUserId) => {
    const draft = await write(trx, { ...save, primaryUserId, text })
    if (draft !== undefined) return { isSaved: true, draft: draft.text === '' ? null : draft }
    const stored = await trx
      .selectFrom('drafts')
      .selectAll()
      .where('staff_id', '=', save.staffId)
      .where('primary_user_id', '=', primaryUserId)
      .executeTakeFirst()
    if (stored !== undefined) return { isSaved: stored.version === save.version, draft: stored }
    if (text !== '' && save.replaces === null) return 'too many'
    return { isSaved: text === '', draft: null }
  })
  return saved ?? 'unknown'
}

/** The written row, or the removed row with an empty text; undefined if the stored version is another one. */
async function write(
  trx: Transaction<Tables>,
  {
    staffId,
    primaryUserId,
    text,
    extras,
    version,
    replaces,
    now,
  }: Omit<Save, 'conversationId'> & {
    primaryUserId: string
  },
): Promise<StoredDraft | undefined> {
  const row = { staff_id: staffId, primary_user_id: primaryUserId, text, version, updated_at: now }
  const json = extras && JSON.stringify(extras)
  if (replaces === null) {
    if (text === '') return undefined
    const { rows } = await sql<StoredDraft>`
      insert into drafts (staff_id, primary_user_id, text, extras, version, updated_at)
      select ${staffId}, ${primaryUserId}, ${text}, ${json ?? null}::jsonb, ${version}, ${now}
      where (select count(*) from drafts where staff_id = ${staffId}) < ${maxDrafts}
      on conflict do nothing returning *`.execute(trx)
    return rows[0]
  }
  if (text === '') {
    const removed = await trx
      .deleteFrom('drafts')
      .where('staff_id', '=', staffId)
      .where('primary_user_id', '=', primaryUserId)
      .where('version', '=', replaces)
      .executeTakeFirst()
    return removed.numDeletedRows > 0n ? { ...row, extras: null } : undefined
  }
  return trx
    .updateTable('drafts')
    .set(json === undefined ? row : { ...row, extras: json })
    .where('staff_id', '=', staffId)
    .where('primary_user_id', '=', primaryUserId)
    .where('version', '=', replaces)
    .returningAll()
    .executeTakeFirst()
}
