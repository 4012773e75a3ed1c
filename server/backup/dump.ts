import type { FileStore } from '../files/file-store.ts'
import { StartupError } from '../startup-error.ts'
import { type BackupHeader, type BackupLine, newHeader } from './backup-file.ts'
import { linesOfFile, storedKeys } from './backup-files.ts'
import type { SqlSession } from './session.ts'

const batchSize = 2_000

/** The files of customers in a backup, and those that a row names but the folder lacks. */
export type FileCount = { found: number; missing: number }

/**
 * Reads all tables of the schema `public` from one snapshot: writes of a running server that commit meanwhile are left
 * out. Then reads the files of customers that these rows name from `store`, if there is one; files that were deleted
 * meanwhile are left out. The job queue and the sandbox have schemas of their own and are not part of a backup. `content`
 * must be read to its end, which ends the transaction; then `files` has the number of files.
 */
export async function dump(
  session: SqlSession,
  { now, store }: { now: number; store: FileStore | null },
): Promise<{ header: BackupHeader; content: AsyncGenerator<BackupLine>; files: FileCount }> {
  await session.run('begin transaction isolation level repeatable read, read only')
  const [[tables] = []] = await session.rows(`select to_regclass('public.applied_migrations')::text`)
  if (tables == null) {
    throw new StartupError('This database is empty. Set DATA_DIR or DATABASE_URL to the database of the server.')
  }
  const names = await session.rows('select name from applied_migrations order by name')
  const files: FileCount = { found: 0, missing: 0 }
  return {
    files,
    header: newHeader(
      names.map(([name]) => name ?? ''),
      now,
    ),
    content: contentOf(session, store, files),
  }
}

async function* contentOf(session: SqlSession, store: FileStore | null, files: FileCount): AsyncGenerator<BackupLine> {
  for (const { table, columns } of await storedTables(session)) {
    yield { table, columns }
    const texts = columns.map((column) => `${quoted(column)}::text`).join(', ')
    await session.run(`declare backup_rows no scroll cursor for select ${texts} from ${quoted(table)}`)
    for (;;) {
      const rows = await session.rows(`fetch ${batchSize} from backup_rows`)
      yield* rows
      if (rows.length < batchSize) break
    }
    await session.run('close backup_rows')
  }
  const sequences = await session.rows(`
    select sequencename::text, last_value::text from pg_sequences
    where schemaname = 'public' and last_value is not null order by 1`)
  for (const [sequence, value] of sequences) yield { sequence: sequence ?? '', value: value ?? '' }
  const keys = store === null ? [] : await storedKeys(session)
  await session.run('commit')
  for (const key of keys) {
    if (store !== null && (yield* linesOfFile(store, key))) files.found += 1
    else files.missing += 1
  }
}

/**
 * The tables of the schema `public` with the columns that are stored. Left out: generated columns, tables of extensions,
 * and the list of migrations, which is in the header.
 */
async function storedTables(session: SqlSession): Promise<{ table: string; columns: string[] }[]> {
  const rows = await session.rows(`
    select relname::text, attname::text
    from pg_class join pg_attribute on attrelid = pg_class.oid
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'applied_migrations'
      and attnum > 0 and not attisdropped and attgenerated = ''
      and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')
    order by relname, attnum`)
  const columnsOf = new Map<string, string[]>()
  for (const [table, column] of rows) {
    columnsOf.set(table ?? '', [...(columnsOf.get(table ?? '') ?? []), column ?? ''])
  }
  return [...columnsOf].map(([table, columns]) => ({ table, columns }))
}

export const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`
