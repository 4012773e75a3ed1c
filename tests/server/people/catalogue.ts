import { sql } from 'kysely'
import type { Db } from '../../../server/database/database.ts'

/** The columns of the whole database that contain a text, as `table.column`. Without the sandbox, which is the network. */
export async function columnsWith(db: Db, text: string): Promise<string[]> {
  const { rows: columns } = await sql<{ schema: string; table: string; column: string }>`
    select table_schema as schema, table_name as table, column_name as column
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema', 'sandbox')
      and udt_name in ('text', 'varchar', 'bpchar', 'json', 'jsonb', 'bytea', '_text')
    order by 1, 2, 3`.execute(db)
  const found: string[] = []
  for (const { schema, table, column } of columns) {
    const { rows } = await sql`
      select from ${sql.table(`${schema}.${table}`)} where strpos(${sql.ref(column)}::text, ${text}) > 0 limit 1`.execute(
      db,
    )
    if (rows.length > 0) found.push(`${table}.${column}`)
  }
  return found
}
