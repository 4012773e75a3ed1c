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

/** Brings the schema up to date: each migration once, in a transaction of its own. */
export async function migrate(connection: MigrationConnection): Promise<void> {
  await connection.run(
    'create table if not exists applied_migrations (name text primary key, applied_at timestamptz not null default now())',
  )
  const applied = new Set(await connection.appliedNames())
  for (const { name, script } of readMigrations()) {
    if (applied.has(name)) continue
    try {
      await connection.run(`begin;\n${script}\n;insert into applied_migrations (name) values ('${name}');\ncommit;`)
    } catch (error) {
      await connection.run('rollback')
      throw new Error(`Migration ${name} failed`, { cause: error })
    }
  }
}

/** The one query of `appliedNames`, the same on every database. */
export const appliedNamesQuery = 'select name from applied_migrations'
