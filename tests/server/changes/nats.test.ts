import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { jetstream } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { sql } from 'kysely'
import pg from 'pg'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { wholeShare } from '../../../server/changes/delivery-shares.ts'
import { createNatsTransport } from '../../../server/changes/nats.ts'
import { readNatsAddress } from '../../../server/changes/nats-address.ts'
import { systemClock } from '../../../server/clock.ts'
import type { Db } from '../../../server/database/database.ts'
import { openDatabase } from '../../../server/database/open-database.ts'
import { endPresence, renewPresence } from '../../../server/database/presence.ts'
import { streamName, sweepQueue } from '../../../server/database/realtime-queue.ts'
import { createLogger } from '../../../server/logger.ts'
import { readSettings } from '../../../server/settings.ts'
import { startServer } from '../../../server/start-server.ts'
import { withMigratedServerDatabase } from '../databases.ts'
import { manualClock } from '../manual-clock.ts'
import { startNats, type TestNats, whyNoNats } from '../nats.ts'
import { addIdentity, addMessage, addPage } from '../people.ts'
import { addStaffAccount, password, serveSupabase } from '../supabase-server.ts'

const closings: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closings.splice(0).reverse()) await close()
})

const addressOf = (nats: TestNats) => {
  const address = readNatsAddress(nats.url)
  if (address === null) throw new Error('not an address')
  return address
}

/** A process with realtime on NATS, or on NOTIFY. */
async function startProcess(databaseUrl: string, nats: TestNats | null) {
  const database = await openDatabase({ databaseUrl })
  const logger = createLogger('silent')
  const transport =
    nats === null
      ? null
      : createNatsTransport({ database, address: addressOf(nats), replicas: 1, clock: systemClock, logger })
  transport?.start()
  const clock = manualClock()
  const server = await serveSupabase(database, clock, undefined, transport ?? undefined)
  let isOpen = true
  const close = async () => {
    if (!isOpen) return
    isOpen = false
    await server.close()
    await transport?.stop()
    await database.close()
  }
  closings.push(close)
  return { db: database.db, server, clock, shares: transport?.shares ?? wholeShare, close }
}
type Process = Awaited<ReturnType<typeof startProcess>>

/** Waits until the process hears changes again. */
const isListening = ({ server, clock }: Process) =>
  expect
    .poll(
      () => {
        clock.advance(5_000)
        return server.realtime.isListening()
      },
      { timeout: 10_000, interval: 200 },
    )
    .toBe(true)

async function openSocket({ server, db }: Process) {
  const { email, staffId } = await addStaffAccount(db)
  const answer = await fetch(`${server.url}/auth/v1/token?grant_type=password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  })
  const { access_token } = (await answer.json()) as { access_token: string }
  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/realtime/v1/websocket?apikey=embedded`)
  closings.push(() => socket.terminate())
  /** `INSERT m1`: the rows that the socket was told of. */
  const heard: string[] = []
  const subscribed = Promise.withResolvers<void>()
  socket.on('message', (data) => {
    const [, , , event, payload] = JSON.parse(String(data))
    if (event === 'system') subscribed.resolve()
    if (event !== 'postgres_changes') return
    const { type, record, old_record } = payload.data
    heard.push(`${type} ${record.message_id ?? record.id ?? old_record.message_id ?? old_record.id}`)
  })
  const closed = once(socket, 'close').then(([code]) => Number(code))
  await once(socket, 'open')
  const config = {
    postgres_changes: ['messages', 'presence'].map((table) => ({ event: '*', schema: 'public', table })),
  }
  socket.send(JSON.stringify(['1', '1', 'realtime:inbox', 'phx_join', { config, access_token }]))
  await subscribed.promise
  return { heard, closed, staffId }
}

const place = (run: (place: { databaseUrl: string; nats: TestNats }) => Promise<void>) =>
  withMigratedServerDatabase(async (databaseUrl) => {
    const nats = await startNats()
    try {
      await run({ databaseUrl, nats })
    } finally {
      for (const close of closings.splice(0).reverse()) await close()
      await nats.dispose()
    }
  })

async function fill(db: Db) {
  await addPage(db, 'p')
  await addIdentity(db, 'u', { page: 'p' })
}

/** Whether the triggers announce by NOTIFY, by the queue, and what waits in the queue. */
async function transportOf(db: Db) {
  const { rows } = await sql<{ notifies: boolean; queues: boolean; waiting: number }>`
    select notifies, queues, (select count(*) from realtime_queue) as waiting from realtime_transport`.execute(db)
  return rows[0]
}

const names = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => `INSERT m${String(from + index).padStart(3, '0')}`)
const insertOf = (id: string) =>
  `insert into messages (message_id, fb_user_id, message_text, direction) values ('${id}', 'u', 'text', 'incoming')`
const addMessages = async (db: Db, from: number, to: number) => {
  for (const name of names(from, to)) await addMessage(db, name.slice('INSERT '.length), 'u', from)
}

const suite = `Changes through NATS${whyNoNats === null ? '' : ` (skipped: ${whyNoNats})`}`

describe.skipIf(whyNoNats !== null)(suite, () => {
  it('are heard once and in order by the sockets of each process, whichever wrote them', () =>
    place(async ({ databaseUrl, nats }) => {
      const [one, two] = [await startProcess(databaseUrl, nats), await startProcess(databaseUrl, nats)]
      await fill(one.db)
      const sockets = [await openSocket(one), await openSocket(two)]
      // Each waits for the other, because each message changes the same conversation.
      await Promise.all([addMessages(one.db, 0, 40), addMessages(two.db, 40, 80)])
      // Too large for a notification.
      await addMessage(two.db, 'm080', 'u', 80, { message_text: 'long '.repeat(4_000) })
      await one.db.updateTable('messages').set({ is_read: true }).where('message_id', '=', 'm000').execute()
      for (const { heard } of sockets) {
        await expect.poll(() => heard.at(-1), { timeout: 10_000 }).toBe('UPDATE m000')
        expect(heard.toSorted()).toEqual([...names(0, 81), 'UPDATE m000'].toSorted())
        expect(heard.filter((name) => Number(name.slice(-3)) < 40)).toEqual([...names(0, 40), 'UPDATE m000'])
      }
      expect(await transportOf(one.db)).toMatchObject({ queues: true, waiting: 0 })
    }))

  it('that a killed process committed, or published without deleting them, are heard once, and one that was committed since', () =>
    place(async ({ databaseUrl, nats }) => {
      const process = await startProcess(databaseUrl, nats)
      await fill(process.db)
      const { heard } = await openSocket(process)
      const killed = new pg.Client({ connectionString: databaseUrl })
      await killed.connect()
      const insert = (id: string) => killed.query(insertOf(id))
      await insert('m000')
      await expect.poll(() => heard, { timeout: 5_000 }).toEqual(names(0, 1))

      // Publishes as a process does, and does not delete.
      await killed.query('begin; select pg_advisory_xact_lock(74112012)')
      await insert('m001')
      await insert('m002')
      await insert('m003')
      await insert('m004')
      const { rows } = await killed.query('select id, payload from realtime_queue order by id')
      // Its transaction had its id first and ended last.
      const [late] = rows.splice(2, 1)
      expect(late.payload).toContain('"m003"')
      const connection = await connect({ ...addressOf(nats).credentials, servers: addressOf(nats).servers })
      const subject = `inbox-${await streamName(process.db)}.realtime.kept`
      for (const { id, payload } of rows) await jetstream(connection).publish(subject, payload, { msgID: String(id) })
      await killed.query('commit')
      await killed.end()
      await connection.close()
      const once = [...names(0, 3), 'INSERT m004', 'INSERT m003']
      await expect.poll(() => heard, { timeout: 5_000 }).toEqual(once)
      await expect.poll(() => transportOf(process.db)).toMatchObject({ waiting: 0 })
      expect(heard).toEqual(once)
    }))

  it('are not lost when NATS goes and comes back, and no socket is open meanwhile', () =>
    place(async ({ databaseUrl, nats }) => {
      const [one, two] = [await startProcess(databaseUrl, nats), await startProcess(databaseUrl, nats)]
      await fill(one.db)
      const before = [await openSocket(one), await openSocket(two)]
      await expect.poll(() => transportOf(one.db)).toMatchObject({ waiting: 0 })
      await nats.kill()
      expect(await Promise.all(before.map(({ closed }) => closed))).toEqual([1012, 1012])
      for (const { server } of [one, two]) {
        expect(server.realtime.isListening()).toBe(false)
        const refused = new WebSocket(`${server.url.replace('http', 'ws')}/realtime/v1/websocket`)
        const [{ message }] = await once(refused, 'error')
        expect(message).toMatch(/503/)
      }
      await addMessages(one.db, 0, 3)
      // Three messages, and the wait of the customer that begins with them.
      expect(await transportOf(one.db)).toMatchObject({ waiting: 4 })

      await nats.start()
      for (const process of [one, two]) await isListening(process)
      await expect.poll(() => transportOf(one.db)).toMatchObject({ waiting: 0 })
      const after = [await openSocket(one), await openSocket(two)]
      await addMessages(two.db, 3, 5)
      for (const { heard } of after) await expect.poll(() => heard, { timeout: 5_000 }).toEqual(names(3, 5))
      expect(before.flatMap(({ heard }) => heard)).toEqual([])
    }))

  it('are published by the process that wrote them, after the commit', () =>
    place(async ({ databaseUrl, nats }) => {
      const { db } = await startProcess(databaseUrl, nats)
      await fill(db)
      const writer = await openDatabase({ databaseUrl })
      let wakes = 0
      writer.watchQueue(() => {
        wakes += 1
      })
      await writer.db.transaction().execute(async (trx) => {
        for (const name of ['m000', 'm001']) {
          await trx
            .insertInto('messages')
            .values({ message_id: name, fb_user_id: 'u', direction: 'incoming' })
            .execute()
        }
        expect(wakes).toBe(0)
      })
      expect(wakes).toBe(1)
      await transportOf(writer.db)
      expect(wakes).toBe(1)
      await writer.close()
    }))

  it('stay apart from those of another database on the same NATS server', () =>
    place(async ({ databaseUrl, nats }) =>
      withMigratedServerDatabase(async (otherUrl) => {
        const [own, other] = [await startProcess(databaseUrl, nats), await startProcess(otherUrl, nats)]
        await fill(own.db)
        await fill(other.db)
        const sockets = [await openSocket(own), await openSocket(other)]
        await addMessages(own.db, 0, 2)
        await addMessages(other.db, 2, 4)
        await expect.poll(() => sockets.map(({ heard }) => heard)).toEqual([names(0, 2), names(2, 4)])
        for (const close of closings.splice(0).reverse()) await close()
      }),
    ))

  it('make a server ready, which it is not while NATS is away', () =>
    place(async ({ databaseUrl, nats }) => {
      const directory = mkdtempSync(join(tmpdir(), 'staff-inbox-nats-'))
      const settings = readSettings({
        PORT: '0',
        DATA_DIR: directory,
        SECRET_KEY: 'a key that is long enough for this test',
        DATABASE_URL: databaseUrl,
        NATS_URL: nats.url,
        GRAPH_API_URL: 'http://127.0.0.1:1',
        META_APP_ID: '1',
        META_APP_SECRET: 'a',
        META_VERIFY_TOKEN: 'v',
      })
      const server = await startServer(settings, { logger: createLogger('silent') })
      closings.push(async () => {
        await server.close()
        rmSync(directory, { recursive: true })
      })
      const ready = async () => (await fetch(`${server.address}/api/ready`)).json()
      const isUp = async () =>
        /^staff_inbox_nats_up \d$/m.exec(await (await fetch(`${server.address}/metrics`)).text())?.[0]
      expect(await ready()).toMatchObject({ success: true, data: { listener: 'ok' } })
      expect(await isUp()).toBe('staff_inbox_nats_up 1')
      await nats.kill()
      await expect.poll(ready).toMatchObject({ success: false, data: { database: 'ok', listener: 'failed' } })
      expect(await isUp()).toBe('staff_inbox_nats_up 0')
    }))

  it('make every socket catch up when they waited for longer than five minutes', () =>
    place(async ({ databaseUrl, nats }) => {
      const process = await startProcess(databaseUrl, nats)
      const { closed } = await openSocket(process)
      // No process publishes while another one holds the lock.
      await process.db.transaction().execute(async (trx) => {
        await sql`select pg_advisory_xact_lock(74112012)`.execute(trx)
        await sql`insert into realtime_queue (payload, is_kept, created_at)
          select '{}', true, now() - interval '6 minutes' from generate_series(1, 3)`.execute(trx)
        await sweepQueue(trx, 300)
        const { rows } = await sql`select payload from realtime_queue`.execute(trx)
        expect(rows).toEqual([{ payload: '{"gap":true}' }])
      })
      expect(await closed).toBe(1012)
      await isListening(process)
    }))

  it('close the sockets when they are no longer published', () =>
    place(async ({ databaseUrl, nats }) => {
      const process = await startProcess(databaseUrl, nats)
      const { closed } = await openSocket(process)
      const lock = new pg.Client({ connectionString: databaseUrl })
      await lock.connect()
      await lock.query('select pg_advisory_lock(74112012)')
      process.clock.advance(10_000)
      await expect.poll(() => transportOf(process.db)).toMatchObject({ waiting: 1 })
      process.clock.advance(10_000)
      expect(await closed).toBe(1012)
      await lock.end()
      await isListening(process)
    }))

  it('are announced by NOTIFY too while a process without NATS listens, and each process hears both', () =>
    place(async ({ databaseUrl, nats }) => {
      const withNats = await startProcess(databaseUrl, nats)
      await fill(withNats.db)
      const stopNotify = () =>
        sql`update realtime_transport set notifies = false, notify_needed_at = '-infinity'`.execute(withNats.db)
      await stopNotify()
      // It writes as a process of the previous release does while the other one starts.
      const writer = new pg.Client({ connectionString: databaseUrl })
      await writer.connect()
      await writer.query(`begin; ${insertOf('m000')}`)
      const starting = startProcess(databaseUrl, null)
      await expect.poll(() => transportOf(withNats.db)).toMatchObject({ notifies: true })
      await writer.query('commit')
      await writer.end()
      const without = await starting
      const sockets = [await openSocket(withNats), await openSocket(without)]
      await addMessages(without.db, 1, 3)
      await addMessages(withNats.db, 3, 5)
      for (const { heard } of sockets)
        await expect.poll(() => heard.filter((name) => name !== 'INSERT m000'), { timeout: 5_000 }).toEqual(names(1, 5))

      // The lease has run out, and its listener is seen.
      await stopNotify()
      withNats.clock.advance(10_000)
      await expect.poll(() => transportOf(withNats.db)).toMatchObject({ notifies: true, queues: true })
      await without.close()
      await sql`update realtime_transport set notify_needed_at = '-infinity'`.execute(withNats.db)
      await expect
        .poll(async () => {
          withNats.clock.advance(10_000)
          return transportOf(withNats.db)
        })
        .toMatchObject({ notifies: false, queues: true })
    }))

  it('are heard by no process before the transactions that did not queue have ended, and a backup is not waited for', () =>
    place(async ({ databaseUrl, nats }) => {
      const { db, close } = await openDatabase({ databaseUrl })
      closings.push(close)
      await fill(db)
      const [writer, backup] = [new pg.Client(databaseUrl), new pg.Client(databaseUrl)]
      for (const client of [writer, backup]) {
        await client.connect()
        closings.push(() => client.end())
      }
      await backup.query('begin isolation level repeatable read; select * from realtime_transport')
      await writer.query(`begin; ${insertOf('m000')}`)
      const one = startProcess(databaseUrl, nats)
      await expect.poll(() => transportOf(db)).toMatchObject({ queues: true })
      const two = startProcess(databaseUrl, nats)
      const first = Promise.race([one, two]).then(() => 'a process')
      expect(await Promise.race([first, setTimeout(2_000, 'nobody')])).toBe('nobody')
      await writer.query('commit')
      await Promise.all([one, two])
    }))

  it('are queued no longer when no process has needed it for two minutes', () =>
    place(async ({ databaseUrl, nats }) => {
      const process = await startProcess(databaseUrl, nats)
      await sql`update realtime_transport set notifies = false`.execute(process.db)
      await process.close()
      const { db, close } = await openDatabase({ databaseUrl })
      await sweepQueue(db, 300)
      expect(await transportOf(db)).toMatchObject({ queues: true })
      await sql`update realtime_transport set queue_needed_at = now() - interval '121 seconds'`.execute(db)
      await sweepQueue(db, 300)
      await fill(db)
      expect(await transportOf(db)).toEqual({ notifies: true, queues: false, waiting: 0 })
      await close()
    }))

  it('divide the deliveries of webhooks by person among the processes that are connected', () =>
    place(async ({ databaseUrl, nats }) => {
      const processes = [await startProcess(databaseUrl, nats), await startProcess(databaseUrl, nats)]
      const shares = () => processes.map((process) => process.shares.own())
      await expect
        .poll(() => shares().toSorted((a, b) => (a?.index ?? 0) - (b?.index ?? 0)))
        .toEqual([
          { index: 0, count: 2 },
          { index: 1, count: 2 },
        ])
      const woken: string[] = []
      for (const [at, { shares }] of processes.entries()) shares.onWake(() => woken.push(`${at} by the other`))
      const owner = shares().findIndex((share) => share?.index === 0)
      // An even lane belongs to the first share.
      for (const [at, { shares }] of processes.entries()) shares.wakeFor([2, -4], () => woken.push(`${at} itself`))
      await expect.poll(() => woken.toSorted()).toEqual([`${owner} by the other`, `${owner} itself`])
      await processes[owner]?.close()
      await expect.poll(() => shares()[1 - owner]).toBe(null)
    }))

  it('tell the other processes of presence at once, without being kept', () =>
    place(async ({ databaseUrl, nats }) => {
      const [one, two] = [await startProcess(databaseUrl, nats), await startProcess(databaseUrl, nats)]
      await fill(one.db)
      const { staffId } = await openSocket(one)
      const { heard } = await openSocket(two)
      const { primary_user_id: primaryUserId } = await one.db
        .selectFrom('fb_users')
        .select('primary_user_id')
        .executeTakeFirstOrThrow()
      await renewPresence(one.db, { tab: 'tab', staffId, primaryUserId, isTyping: false })
      await renewPresence(one.db, { tab: 'tab', staffId, primaryUserId, isTyping: true })
      await endPresence(one.db, 'tab', staffId)
      await expect.poll(() => heard, { timeout: 10_000 }).toEqual(['INSERT tab', 'UPDATE tab', 'DELETE tab'])
      const connection = await connect({ ...addressOf(nats).credentials, servers: addressOf(nats).servers })
      closings.push(() => connection.close())
      const { state } = await (await jetstream(connection).jetstreamManager()).streams.info(
        `inbox-${await streamName(one.db)}`,
      )
      expect(state.messages).toBe(1)
    }))
})
