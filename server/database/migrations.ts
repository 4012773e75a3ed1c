import { readdirSync, readFileSync } from 'node:fs'

const directory = new URL('./migrations/', import.meta.url)

export type Migration = { name: string; script: string }

/** What a migration needs of a database: one connection, scripts of many statements. */
export type MigrationConnection = {
  run(script: string): Promise<void>
  appliedNames(): Promise<string[]>
}

/** The migrations in the order in which they are applied. */
export function readMigrations(): Migration[] {
  return readdirSync(directory)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => ({ name: file.slice(0, -'.sql'.length), script: readFileSync(new URL(file, directory), 'utf8') }))
}

/** The script that closes the schema to the roles of a Supabase project's API; its own comment says how. */
export const closingScript = readFileSync(new URL('./close-to-other-roles.sql', import.meta.url), 'utf8')

/**
 * Brings the schema up to date: each migration once, in a transaction of its own. Every transaction ends with the closing
 * script, so that no table is open between two of them, and a start without a new migration closes what was added
 * meanwhile. Throws an error that names the migration that failed.
 */
export async function migrate(connection: MigrationConnection): Promise<void> {
  const inTransaction = async (script: string, failure: string) => {
    try {
      await connection.run(`begin;\n${script}\n;${closingScript}\n;commit;`)
    } catch (error) {
      await connection.run('rollback')
      throw new Error(failure, { cause: error })
    }
  }
  await inTransaction(
    'create table if not exists applied_migrations (name text primary key, applied_at timestamptz not null default now())',
    'The database could not be prepared for its migrations',
  )
  const applied = new Set(await connection.appliedNames())
  for (const { name, script } of readMigrations()) {
    if (applied.has(name)) continue
    const record = `insert into applied_migrations (name) values ('${name}')`
    await inTransaction(`${script}\n;${record}`, `Migration ${name} failed`)
  }
}

/** The one query of `appliedNames`, the same on every database. */
export const appliedNamesQuery = 'select name from applied_migrations'
