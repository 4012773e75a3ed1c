import type { ColumnType } from 'kysely'

/** Written as JSON text. */
type Json<T> = ColumnType<T, string, never>

type NotesTable = {
  id: string
  primary_user_id: string
  staff_id: string | null
  text: string
  mentions: Json<string[]>
  created_at: ColumnType<Date, Date, never>
}

/** The type `Tables` of all other queries does not have this table, so that none of them can read a note. */
export type NoteTables = { notes: NotesTable }
