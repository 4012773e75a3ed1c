import { readdirSync, readFileSync } from 'node:fs'

const directory = new URL('./migrations/', import.meta.url)

export type Migration = { name: string; script: string }

/** One connection that runs scripts with several statements. */
export type MigrationConnection = {
  run(script: string): Promise<void>
  appliedNames(): Promise<string[]>
}

/** The migrations in their order. */
export function readMigrations(): Migration[] {
  return readdirSync(directory)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => ({ name: file.slice(0, -'.sql'.length), script: readFileSync(new URL(file, directory), 'utf8') }))
}

/** Revokes access for the API roles of a Supabase project; see the comment in the script. */
export const closingScript = readFileSync(new URL('./close-to-other-roles.sql', import.meta.url), 'utf8')

/** Creates the list of applied migrations. */
export const preparationScript =
  'create table if not exists applied_migrations (name text primary key, applied_at timestamptz not null default now())'

/** The statements of a migration, and its record in the list. */
export const migrationScript = ({ name, script }: Migration) =>
  `${script}\n;insert into applied_migrations (name) values ('${name}')`

/**
 * Applies the new migrations, each in its own transaction. Every transaction ends with the closing script, so that no
 * table is ever open in between. The script also runs without a new migration, which closes tables that were added by
 * hand. Throws an error that names the failed migration.
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
  await inTransaction(preparationScript, 'The database could not be prepared for its migrations')
  const applied = new Set(await connection.appliedNames())
  for (const migration of readMigrations()) {
    if (applied.has(migration.name)) continue
    await inTransaction(migrationScript(migration), `Migration ${migration.name} failed`)
  }
}

/** The query for `appliedNames`. */
export const appliedNamesQuery = 'select name from applied_migrations'
