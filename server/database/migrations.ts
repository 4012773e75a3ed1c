import { readdirSync, readFileSync } from 'node:fs'
import { StartupError } from '../startup-error.ts'

const directory = new URL('./migrations/', import.meta.url)

export type Migration = { name: string; script: string }
export type AppliedMigration = { name: string; isContracting: boolean }

/** One connection that runs scripts with several statements. */
export type MigrationConnection = {
  run(script: string): Promise<void>
  /** The rows of `appliedQuery`. */
  applied(): Promise<AppliedMigration[]>
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

/** The first line of a migration that releases without it cannot live with (CONTRIBUTING.md, "A change to the database"). */
const contractingMark = '-- contracting\n'

/** The statements of a migration, and its record in the list. */
export function migrationScript({ name, script }: Migration): string {
  const record = script.startsWith(contractingMark)
    ? `insert into applied_migrations (name, is_contracting) values ('${name}', true)`
    : `insert into applied_migrations (name) values ('${name}')`
  return `${script}\n;${record}`
}

/**
 * Applies the new migrations, each in its own transaction. Every transaction ends with the closing script, so that no
 * table is ever open in between. The script also runs without a new migration, which closes tables that were added by
 * hand. Throws an error that names the failed migration, and StartupError if a newer release made a change that this one
 * cannot live with.
 */
export async function migrate(
  connection: MigrationConnection,
  migrations: readonly Migration[] = readMigrations(),
): Promise<void> {
  const inTransaction = async (script: string, failure: string) => {
    try {
      await connection.run(`begin;\n${script}\n;${closingScript}\n;commit;`)
    } catch (error) {
      await connection.run('rollback')
      throw new Error(failure, { cause: error })
    }
  }
  await inTransaction(preparationScript, 'The database could not be prepared for its migrations')
  const applied = await connection.applied()
  const known = new Set(migrations.map(({ name }) => name))
  const contracting = applied.find(({ name, isContracting }) => isContracting && !known.has(name))
  if (contracting !== undefined) {
    throw new StartupError(
      `This release is too old for the database, which a newer release changed (migration ${contracting.name}); start that release or a newer one.`,
    )
  }
  const appliedNames = new Set(applied.map(({ name }) => name))
  for (const migration of migrations) {
    if (appliedNames.has(migration.name)) continue
    await inTransaction(migrationScript(migration), `Migration ${migration.name} failed`)
  }
}

/** The query for `applied`. The column does not exist before migration 0020. */
export const appliedQuery = `select name, coalesce((to_jsonb(migration) ->> 'is_contracting')::boolean, false) as "isContracting"
  from applied_migrations migration`
