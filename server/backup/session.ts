import type { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import { withoutTimeouts } from '../database/postgres.ts'

export type Cell = string | null

/** One connection to either kind of database. Values are texts, as PostgreSQL writes them. */
export type SqlSession = {
  /** Runs a script of several statements. */
  run(script: string): Promise<void>
  /** Runs one query and returns its rows as arrays of texts. All columns of the query must be of the type text. */
  rows(query: string, parameters?: (Cell[] | Cell)[]): Promise<Cell[][]>
}

/** Makes the text form of values independent of the server's settings, so that another server reads the same values. */
const textForm = `set timezone = 'UTC'; set datestyle = 'ISO, YMD'; set intervalstyle = 'iso_8601';
  set bytea_output = 'hex'; set extra_float_digits = 3;`

/** Uses an embedded database. The caller opens and closes it. */
export async function embeddedSession(pglite: PGlite): Promise<SqlSession> {
  await pglite.exec(textForm)
  return {
    run: async (script) => void (await pglite.exec(script)),
    rows: async (query, parameters = []) => (await pglite.query<Cell[]>(query, parameters, { rowMode: 'array' })).rows,
  }
}

/** Connects to a PostgreSQL server. Throws the errors of the connection. */
export async function serverSession(connectionString: string): Promise<SqlSession & { close(): Promise<void> }> {
  const client = new pg.Client({ connectionString, keepAlive: true })
  // Without a listener a broken connection would end the process. The running query fails anyway.
  client.on('error', () => undefined)
  await client.connect()
  await client.query(`${withoutTimeouts}; ${textForm}`)
  return {
    run: async (script) => void (await client.query(script)),
    rows: async (text, values = []) => (await client.query<Cell[]>({ text, values, rowMode: 'array' })).rows,
    close: () => client.end(),
  }
}
