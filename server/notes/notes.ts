import { sql, type Transaction } from 'kysely'
import { noteLimits } from '../../src/schemas/note.ts'
import { cleanText } from '../clean-text.ts'
import type { Db } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import type { NoteTables } from './tables.ts'

const notesIn = (db: Db) => db.withTables<NoteTables>()

/** All notes of a conversation, oldest first. */
export const listNotes = (db: Db, primaryUserId: string) =>
  notesIn(db)
    .selectFrom('notes')
    .selectAll()
    .where('primary_user_id', '=', primaryUserId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()

/** A query for the notes of all conversations after an id, in the order of the ids, for an export. */
export const notesAfter = (id: string, limit: number) => sql<{ key: string }>`
  select n.id as key, n.id, n.primary_user_id as conversation_id, n.text, coalesce(s.name, s.email) as written_by, n.created_at
  from notes n left join staff s on s.id = n.staff_id where n.id > ${id} order by n.id limit ${limit}`

export type StoredNote = Awaited<ReturnType<typeof listNotes>>[number]

export type NewNote = {
  id: string
  primaryUserId: string
  staffId: string
  text: string
  mentions: readonly string[]
  at: Date
}

/**
 * Stores a note once by its id and returns the stored one. Mentions of unknown or inactive staff are dropped. 'full' if the
 * conversation has no place for another note, 'taken' if somebody else has a note with this id.
 */
export async function addNote(
  trx: Transaction<Tables>,
  { id, primaryUserId, staffId, text, mentions, at }: NewNote,
): Promise<StoredNote | 'full' | 'taken'> {
  // Two notes at the same time count one after the other.
  await trx
    .selectFrom('conversations')
    .select('primary_user_id')
    .where('primary_user_id', '=', primaryUserId)
    .forNoKeyUpdate()
    .execute()
  const stored = await findNote(trx, id)
  if (stored !== undefined)
    return stored.staff_id === staffId && stored.primary_user_id === primaryUserId ? stored : 'taken'
  const { count } = await notesIn(trx)
    .selectFrom('notes')
    .select(sql<number>`count(*)::integer`.as('count'))
    .where('primary_user_id', '=', primaryUserId)
    .executeTakeFirstOrThrow()
  if (count >= noteLimits.notes) return 'full'
  const known = await trx
    .selectFrom('staff')
    .select('id')
    .where('id', 'in', ['', ...mentions])
    .where('is_active', '=', true)
    .orderBy('id')
    .execute()
  return notesIn(trx)
    .insertInto('notes')
    .values({
      id,
      primary_user_id: primaryUserId,
      staff_id: staffId,
      text: cleanText(text),
      mentions: JSON.stringify(known.map((member) => member.id)),
      created_at: at,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

const findNote = (db: Db, id: string): Promise<StoredNote | undefined> =>
  notesIn(db).selectFrom('notes').selectAll().where('id', '=', id).executeTakeFirst()

/** Deletes a note that this person wrote. Returns the conversation; undefined if there is no such note. */
export const deleteOwnNote = (db: Db, id: string, staffId: string): Promise<string | undefined> =>
  notesIn(db)
    .deleteFrom('notes')
    .where('id', '=', id)
    .where('staff_id', '=', staffId)
    .returning('primary_user_id')
    .executeTakeFirst()
    .then((deleted) => deleted?.primary_user_id)

/** Retention. Returns the number of deleted notes, at most `limit`. */
export async function removeOldNotes(db: Db, before: Date, limit: number): Promise<number> {
  const { numDeletedRows } = await notesIn(db)
    .deleteFrom('notes')
    .where('id', 'in', (some) => some.selectFrom('notes').select('id').where('created_at', '<', before).limit(limit))
    .executeTakeFirst()
  return Number(numDeletedRows)
}
