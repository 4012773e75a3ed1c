import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { type AppliedMigration, appliedQuery, migrate } from '../../server/database/migrations.ts'
import { types } from '../../server/database/postgres.ts'
import type { Answer, Backend, Result, Row } from './database.ts'

/** Real milliseconds after which PostgreSQL looks, once, whether a waiting transaction is in a deadlock. */
const deadlockTimeout = 5
/** A statement waits for so long before the next is started: then the last one of a deadlock finds it, in every run. */
const waitsBeforeNext = 40
/** Real milliseconds between two looks whether the started statements have ended. */
const lookInterval = 1

/**
 * What differs from run to run gets a function in the schema `public`, which the search path names before `pg_catalog`:
 * the time and new ids.
 */
const functions = `
  create sequence simulated_ids;
  create function now() returns timestamptz language sql stable
    as $$ select to_timestamp(current_setting('simulation.transaction')::double precision / 1000) $$;
  create function transaction_timestamp() returns timestamptz language sql stable as $$ select public.now() $$;
  create function clock_timestamp() returns timestamptz language sql stable
    as $$ select to_timestamp(current_setting('simulation.clock')::double precision / 1000) $$;
  create function gen_random_uuid() returns uuid language sql volatile
    as $$ select md5(current_setting('simulation.seed') || nextval('public.simulated_ids'))::uuid $$;`

type Session = {
  client: pg.Client
  pid: number
  transactionTime: number | null
  hasFailed: boolean
  /** It is known to wait for a lock, and has looked for a deadlock. */
  hasWaited: boolean
  answer: Promise<void> | null
  result: Result | null
}

let worlds = 0
let template: Promise<string> | undefined

const connect = async (url: string, database: string, seed: number): Promise<pg.Client> => {
  const settings = {
    search_path: 'public,pg_catalog',
    deadlock_timeout: `${deadlockTimeout}ms`,
    'simulation.seed': seed,
    'simulation.clock': 0,
    'simulation.transaction': 0,
  }
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`)
  const address = new URL(url)
  address.pathname = `/${database}`
  const client = new pg.Client({ connectionString: address.href, types, options: options.join(' ') })
  client.on('error', () => undefined)
  await client.connect()
  return client
}

/** A migrated, empty database, which is copied for each simulation of this process. */
async function createTemplate(url: string): Promise<string> {
  const name = `simulation_template_${process.pid}`
  const outside = new pg.Client({ connectionString: url })
  await outside.connect()
  await outside.query(`create database ${name}`)
  await outside.end()
  const client = await connect(url, name, 0)
  await client.query(functions)
  await migrate({
    run: async (script) => void (await client.query(script)),
    applied: async () => (await client.query<AppliedMigration>(appliedQuery)).rows,
  })
  await client.end()
  return name
}

/** Deletes what the simulations of this process have in common. */
export async function dropTemplate(url: string): Promise<void> {
  if (template === undefined) return
  const outside = new pg.Client({ connectionString: url })
  await outside.connect()
  await outside.query(`drop database ${await template}`)
  await outside.end()
}

/** A PostgreSQL server, with a database of its own. `now` is the simulated time in milliseconds. */
export async function postgresBackend({
  url,
  seed,
  now,
}: {
  url: string
  seed: number
  now: () => number
}): Promise<Backend> {
  template ??= createTemplate(url)
  worlds += 1
  const name = `simulation_${process.pid}_${worlds}`
  const outside = new pg.Client({ connectionString: url })
  await outside.connect()
  await outside.query(`create database ${name} template ${await template}`)
  const monitor = await connect(url, name, seed)
  const listener = await connect(url, name, seed)
  const sessions = new Map<object, Session>()
  const opening = new Map<object, Promise<Session>>()
  const idle: Session[] = []
  /** Whether something may have been committed since the last look for notifications. */
  let mayNotify = false
  const payloads: (() => void)[] = []

  async function open(): Promise<Session> {
    const known = idle.pop()
    if (known !== undefined) return known
    const client = await connect(url, name, seed)
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    return {
      client,
      pid: rows[0]?.pid ?? 0,
      transactionTime: null,
      hasFailed: false,
      hasWaited: false,
      answer: null,
      result: null,
    }
  }

  const setTime = (client: pg.Client, clock: number, transaction: number) =>
    client.query(`select set_config('simulation.clock', $1, false), set_config('simulation.transaction', $2, false)`, [
      String(clock),
      String(transaction),
    ])

  async function execute(session: Session, statement: string, values: readonly unknown[]): Promise<Answer> {
    // The job queue names the schema of the real time.
    const text = statement.replaceAll('pg_catalog.now()', 'public.now()')
    // In a failed transaction only its end is accepted, which needs no time.
    if (!session.hasFailed) void setTime(session.client, now(), session.transactionTime ?? now()).catch(() => undefined)
    const command = text.trimStart().slice(0, 8).toLowerCase()
    if (!command.startsWith('select')) mayNotify = true
    try {
      const answered: pg.QueryResult<Row> | pg.QueryResult<Row>[] = await session.client.query(text, [...values])
      if (command.startsWith('begin') && !Array.isArray(answered)) session.transactionTime = now()
      if (command.startsWith('commit') || command === 'rollback')
        [session.transactionTime, session.hasFailed] = [null, false]
      if (Array.isArray(answered)) return { rows: answered.flatMap(({ rows }) => rows), affectedRows: undefined }
      // As kysely's own dialect counts them.
      const changes = ['INSERT', 'UPDATE', 'DELETE', 'MERGE'].includes(answered.command)
      return { rows: answered.rows, affectedRows: changes ? (answered.rowCount ?? 0) : undefined }
    } catch (error) {
      if (session.transactionTime !== null) session.hasFailed = true
      // Of several statements in one, the first may have begun a transaction.
      else if (values.length === 0) await session.client.query('rollback').catch(() => undefined)
      throw error
    }
  }

  /** The sessions that wait for a lock of another one. Empty while one of them waits in a deadlock, which the server ends. */
  async function blocked(pids: readonly number[]): Promise<Set<number>> {
    const { rows } = await monitor.query<{ pid: number; by: number[] }>(
      'select pid, pg_blocking_pids(pid) as by from unnest($1::integer[]) as pid',
      [pids],
    )
    const waitsFor = new Map(rows.map(({ pid, by }) => [pid, by]))
    const reaches = (from: number, to: number, seen = new Set<number>()): boolean =>
      (waitsFor.get(from) ?? []).some((next) => {
        if (next === to) return true
        if (seen.has(next)) return false
        seen.add(next)
        return reaches(next, to, seen)
      })
    if (pids.some((pid) => reaches(pid, pid))) return new Set()
    return new Set(rows.filter(({ by }) => by.length > 0).map(({ pid }) => pid))
  }

  return {
    kind: 'postgres',
    hasOneSession: false,

    start(key, text, values) {
      const known = sessions.get(key)
      const session = known === undefined ? open() : Promise.resolve(known)
      opening.set(
        key,
        session.then((opened) => {
          sessions.set(key, opened)
          opened.result = null
          opened.hasWaited = false
          opened.answer = execute(opened, text, values).then(
            (answer) => {
              opened.result = { answer }
            },
            (error: unknown) => {
              opened.result = { error }
            },
          )
          return opened
        }),
      )
    },

    async ended() {
      await Promise.all(opening.values())
      opening.clear()
      for (;;) {
        const running = [...sessions].filter(([, { answer, result }]) => answer !== null && result === null)
        if (running.length === 0) break
        await Promise.race([...running.map(([, { answer }]) => answer), delay(lookInterval)])
        const left = running.filter(([, { result }]) => result === null).map(([, { pid }]) => pid)
        if (left.length < running.length) continue
        const waiting = await blocked(left)
        if (!running.every(([, { pid, result }]) => result === null && waiting.has(pid))) continue
        if (running.every(([, { hasWaited }]) => hasWaited)) break
        await delay(waitsBeforeNext)
        for (const [, session] of running) session.hasWaited = true
      }
      const finished = [...sessions].filter(([, { result }]) => result !== null)
      if (mayNotify && finished.some(([, { transactionTime }]) => transactionTime === null)) {
        // Its answer comes after the notifications of what was committed before.
        await listener.query('select')
        mayNotify = false
      }
      for (const deliver of payloads.splice(0)) deliver()
      return finished.flatMap(([session, state]) => {
        const { result } = state
        state.answer = null
        state.result = null
        return result === null ? [] : [{ session, result }]
      })
    },

    async drop(key) {
      const session = sessions.get(key)
      sessions.delete(key)
      if (session === undefined) return
      await monitor.query('select pg_terminate_backend($1)', [session.pid])
      for (;;) {
        const { rows } = await monitor.query('select from pg_stat_activity where pid = $1', [session.pid])
        if (rows.length === 0) break
        await delay(lookInterval)
      }
      void session.client.end().catch(() => undefined)
    },

    release(key) {
      const session = sessions.get(key)
      sessions.delete(key)
      if (session !== undefined) idle.push(session)
    },

    async listen(channel, onPayload) {
      listener.on('notification', ({ channel: notified, payload }) => {
        if (notified === channel) payloads.push(() => onPayload(payload ?? ''))
      })
      await listener.query(`listen ${pg.escapeIdentifier(channel)}`)
    },

    async read<R>(text: string, values: unknown[]) {
      await setTime(monitor, now(), now())
      return (await monitor.query(text, values)).rows as R[]
    },

    async close() {
      const all = [monitor, listener, ...idle.map(({ client }) => client)]
      for (const { client } of sessions.values()) all.push(client)
      await Promise.all(all.map((client) => client.end().catch(() => undefined)))
      await outside.query(`drop database ${name} with (force)`)
      await outside.end()
    },
  }
}
