import type { AuditAction } from '../../src/schemas/audit.ts'
import { commandLineActor } from '../audit/audit.ts'
import {
  closingScript,
  type Migration,
  migrationScript,
  preparationScript,
  readMigrations,
} from '../database/migrations.ts'
import type { FileStore } from '../files/file-store.ts'
import type { Keyring } from '../secrets.ts'
import { StartupError } from '../startup-error.ts'
import { type BackupHeader, type BackupLine, checkBackup, readBackup } from './backup-file.ts'
import { allKeys, removeOtherFiles, storeFile } from './backup-files.ts'
import { quoted } from './dump.ts'
import { eraseAgain, type ReplacedErasures, readErasures } from './replaced-erasures.ts'
import type { Cell, SqlSession } from './session.ts'

const batchSize = 500

/** A backup that this release can restore, with the migrations that its database had and those after. */
export type RestorableBackup = { file: string; created: string; earlier: Migration[]; later: Migration[] }

/**
 * What became of the people who were erased after the backup, as far as the replaced database knew them. `unknown`: there
 * was no such database. `nobody`: nobody was erased. `kept erased`: the server erases those again who are in the backup.
 * `back`: they are in the restored database.
 */
export type ErasedAfterBackup =
  | { outcome: 'unknown' | 'nobody' }
  | { outcome: 'kept erased' | 'back on request' | 'back without key'; people: number }

/** Reads the whole file. Throws StartupError for a damaged backup and one of a newer release. */
export async function openBackup(file: string): Promise<RestorableBackup> {
  const header = await checkBackup(file)
  return { file, created: header.created, ...splitMigrations(header, readMigrations()) }
}

type RestoreOptions = {
  replace: boolean
  bringBackErased: boolean
  keyring: () => Keyring
  store: FileStore
}

/**
 * Restores a backup in one transaction: it is restored whole or nothing changes. The tables are created as the release of
 * the backup had them, filled, and then migrated, so that migrations change the restored rows too. Throws StartupError
 * for a database with content if `replace` is false. Files of customers are written to `store`; after a failure they stay
 * there unused. Files that only the replaced database knew are deleted by the server. `keyring` is asked only when the replaced database knows erased people.
 */
export async function restore(
  session: SqlSession,
  { file, created, earlier, later }: RestorableBackup,
  { replace, bringBackErased, keyring, store }: RestoreOptions,
): Promise<ErasedAfterBackup> {
  await session.run('begin')
  try {
    const [[isFilled] = []] = await session.rows(`select to_regclass('public.applied_migrations')::text`)
    if (isFilled && !replace) {
      throw new StartupError('The database has content already; to replace it by the backup, add --replace.')
    }
    const replaced = isFilled ? await readErasures(session, created) : null
    const replacedFiles = isFilled ? await allKeys(session) : '[]'
    await session.run([dropOwnObjects, preparationScript, ...earlier.map(migrationScript)].join('\n;'))
    await load(session, readBackup(file), store)
    await session.run([...later.map(migrationScript), closingScript, afterRestore].join('\n;'))
    await removeOtherFiles(session, replacedFiles)
    const erased = await keepErased(session, replaced, { bringBackErased, keyring })
    await recordRestore(session, created, erased)
    await session.run('commit')
    return erased
  } catch (error) {
    await session.run('rollback')
    throw error
  }
}

async function keepErased(
  session: SqlSession,
  replaced: ReplacedErasures | null,
  { bringBackErased, keyring }: { bringBackErased: boolean; keyring: () => Keyring },
): Promise<ErasedAfterBackup> {
  if (replaced === null) return { outcome: 'unknown' }
  const { later } = replaced
  if (bringBackErased) return later === 0 ? { outcome: 'nobody' } : { outcome: 'back on request', people: later }
  const people = await eraseAgain(session, replaced, keyring)
  if (people === null && later > 0) return { outcome: 'back without key', people: later }
  return people === null || people === 0 ? { outcome: 'nobody' } : { outcome: 'kept erased', people }
}

/** Like `recordAudit`, which needs another kind of connection. */
async function recordRestore(session: SqlSession, created: string, erased: ErasedAfterBackup): Promise<void> {
  await session.rows(
    `insert into audit_entries (created_at, staff_name, action, details) values (now(), $1, $2, $3::jsonb)`,
    [
      commandLineActor.name,
      'backup.restored' satisfies AuditAction,
      JSON.stringify({ backup: created, erased: erased.outcome, people: 'people' in erased ? erased.people : 0 }),
    ],
  )
}

/** The known migrations: those that the backup's database had, and those after. */
function splitMigrations(
  { migrations }: BackupHeader,
  known: Migration[],
): { earlier: Migration[]; later: Migration[] } {
  const names = new Set(migrations)
  const earlier = known.filter(({ name }) => names.has(name))
  if (earlier.length < names.size) {
    throw new StartupError('The backup was made by a newer release; restore it with that release.')
  }
  return { earlier, later: known.filter(({ name }) => !names.has(name)) }
}

/** Inserts the rows as they are: triggers and foreign keys, which only the owner needs to switch off, are off meanwhile. */
async function load(session: SqlSession, content: AsyncGenerator<BackupLine>, store: FileStore): Promise<void> {
  const foreignKeys = await session.rows(`
    select format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)),
      format('alter table %s drop constraint %I', conrelid::regclass, conname)
    from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`)
  const tables = await session.rows(`
    select relname::text from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
      and relname <> 'applied_migrations'
      and not exists (select from pg_depend where classid = 'pg_class'::regclass and objid = pg_class.oid and deptype = 'e')`)
  const forAll = (action: string) => tables.map(([table]) => `alter table ${quoted(table ?? '')} ${action};`).join('\n')
  await session.run(foreignKeys.map(([, drop]) => `${drop};`).join('\n'))
  // Migrations insert rows of their own, such as categories; the backup has these too.
  await session.run(
    `${forAll('disable trigger user')} truncate ${tables.map(([name]) => quoted(name ?? '')).join(', ')}`,
  )

  let insert: ((rows: Cell[][]) => Promise<void>) | undefined
  let batch: Cell[][] = []
  const flush = async () => {
    if (batch.length > 0) await insert?.(batch)
    batch = []
  }
  const next = async () => {
    const { done, value } = await content.next()
    return done ? undefined : value
  }
  for (let line = await next(); line !== undefined; ) {
    if (Array.isArray(line)) {
      if (batch.push(line) >= batchSize) await flush()
      line = await next()
      continue
    }
    await flush()
    if ('file' in line) {
      line = await storeFile(store, line.file, content)
      continue
    }
    if ('table' in line) insert = await insertInto(session, line)
    else if ('sequence' in line)
      await session.rows('select setval($1::regclass, $2::bigint)::text', [
        `public.${quoted(line.sequence)}`,
        line.value,
      ])
    line = await next()
  }
  await flush()
  await session.run([forAll('enable trigger user'), ...foreignKeys.map(([add]) => `${add};`)].join('\n'))
}

async function insertInto(session: SqlSession, { table, columns }: { table: string; columns: string[] }) {
  const types = new Map(
    await session
      .rows(
        `select attname::text, format_type(atttypid, atttypmod) from pg_attribute
       where attrelid = $1::regclass and attnum > 0 and not attisdropped`,
        [`public.${quoted(table)}`],
      )
      .then((rows) => rows.map(([name, type]) => [name, type] as const)),
  )
  const names = columns.map(quoted)
  const values = columns.map((column) => `${quoted(column)}::${types.get(column)}`)
  const arrays = columns.map((_, index) => `$${index + 1}::text[]`)
  const statement = `insert into ${quoted(table)} (${names.join(', ')}) overriding system value
    select ${values.join(', ')} from unnest(${arrays.join(', ')}) as source (${names.join(', ')})`
  return async (rows: Cell[][]) => {
    await session.rows(
      statement,
      columns.map((_, index) => rows.map((row) => row[index] ?? null)),
    )
  }
}

/**
 * Jobs are not in the backup, so a sync that was waiting for a job would wait forever. What the backup had to announce is
 * known to nobody's browser, and the database of the backup may go on beside the restored one, with the same NATS.
 */
const afterRestore = `
  insert into restores default values;
  truncate realtime_queue;
  update realtime_transport set id = gen_random_uuid()::text, notifies = true, queues = false;
  update history_syncs set state = 'failed', error = 'The sync was interrupted by a restore.', code = 'INTERNAL', finished_at = now()
    where state in ('queued', 'running')`

/**
 * Drops what the server created: the content of `public` except extensions, the job queue and the sandbox. The names are
 * collected first, because a cascade may drop an object before its turn.
 */
const dropOwnObjects = `do $$
begin
  execute (
    select coalesce(string_agg(
      format('drop %s if exists %s cascade', case relkind when 'v' then 'view' when 'S' then 'sequence' else 'table' end,
        oid::regclass), ';'), '')
    from pg_class
    where relnamespace = 'public'::regnamespace and relkind in ('r', 'v', 'S') and pg_has_role(relowner, 'usage')
      -- The sequences of columns go with their tables.
      and not exists (
        select from pg_depend
        where classid = 'pg_class'::regclass and objid = pg_class.oid
          and (deptype = 'e' or relkind = 'S' and deptype in ('a', 'i'))
      )
  );
  execute (
    select coalesce(string_agg(format('drop routine if exists %s cascade', oid::regprocedure), ';'), '')
    from pg_proc
    where pronamespace = 'public'::regnamespace and pg_has_role(proowner, 'usage')
      and not exists (select from pg_depend where classid = 'pg_proc'::regclass and objid = pg_proc.oid and deptype = 'e')
  );
  drop schema if exists jobs cascade;
  drop schema if exists sandbox cascade;
end $$`
