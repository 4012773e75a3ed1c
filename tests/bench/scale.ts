import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { sql } from 'kysely'
import { WebSocket } from 'ws'
import { type DatabasePlace, openDatabase } from '../../server/database/open-database.ts'
import { signatureOf } from '../../server/network/webhooks/signature.ts'
import { natsBinary, startNats } from '../server/nats.ts'
import { pgBouncerBinary, startPgBouncer } from '../server/pgbouncer.ts'
import { round, type Spread, spreadOf } from './figures.ts'
import type { Fill } from './fill.ts'
import { appSecret, prepareDatabase, signInStaff, startEmptyNetwork, startServer } from './server.ts'

export type ScaleEffort = Fill & {
  sockets: number
  /** Messages a second, each for `seconds`. */
  rates: readonly number[]
  seconds: number
  /** Messages of the burst. They are posted in `burstSeconds`. */
  burst: number
  burstSeconds: number
  /** Many sockets, and the messages a second that they hear. */
  crowd: { sockets: number; rates: readonly number[] }
}

const people: Fill = { conversations: 2_000, messages: 20_000 }
export const fullScale: ScaleEffort = {
  ...people,
  sockets: 40,
  rates: [10, 50, 100, 200],
  seconds: 20,
  burst: 10_000,
  burstSeconds: 10,
  crowd: { sockets: 1_000, rates: [5, 20] },
}
export const quickScale: ScaleEffort = {
  ...people,
  sockets: 40,
  rates: [10, 100],
  seconds: 6,
  burst: 2_000,
  burstSeconds: 2,
  crowd: { sockets: 200, rates: [5] },
}

/** How long messages may take to arrive at all sockets after the last one was posted. Milliseconds. */
const patience = 120_000
/** Deliveries that are posted at once at full load. */
const lanes = 64

/** What one load did. Times in milliseconds. CPU in milliseconds a message, null where it cannot be read. */
export type ScaleFigures = {
  kind: string
  processes: number
  load: string
  /** Messages a second, from the first posted to the last heard by all sockets. */
  perSecond: number
  acknowledgement: Spread
  toSocket: Spread
  nodeCpu: number
  databaseCpu: number | null
  /** The first page of the list, asked for every 100 ms meanwhile. */
  list: Spread
  /** Milliseconds from the last posted message until all sockets have heard all. */
  drained: number
  lost: number
  doubled: number
  /** Updates of conversations, and how many of these were HOT; null on the embedded database. */
  updates: { all: number; hot: number } | null
}

/**
 * Measures how fast signed webhooks of known people are stored and heard by open sockets: one process on the embedded
 * database; one and two processes on PostgreSQL if `postgresUrl` names an empty database, one with many sockets, and two with
 * NATS and behind PgBouncer where these are installed.
 */
export async function measureScale(effort: ScaleEffort, postgresUrl: string | undefined): Promise<ScaleFigures[]> {
  const directory = await mkdtemp(join(tmpdir(), 'staff-inbox-scale-'))
  const network = await startEmptyNetwork()
  const figures: ScaleFigures[] = []
  try {
    const embedded = { dataDir: directory }
    await prepareDatabase(embedded, effort)
    figures.push(...(await measureOn(embedded, 1, effort, network.url)))
    if (postgresUrl !== undefined) {
      const postgres = { databaseUrl: postgresUrl }
      await prepareDatabase(postgres, effort)
      for (const processes of [1, 2]) figures.push(...(await measureOn(postgres, processes, effort, network.url)))
      const crowd = { ...effort, ...effort.crowd, burst: 0 }
      figures.push(
        ...(await measureOn(postgres, 1, crowd, network.url, { kind: `postgres, ${crowd.sockets} sockets` })),
      )
      if (natsBinary !== undefined) {
        const nats = await startNats()
        try {
          const settings = { NATS_URL: nats.url }
          figures.push(...(await measureOn(postgres, 2, effort, network.url, { kind: 'postgres, NATS', settings })))
        } finally {
          await nats.dispose()
        }
      }
      if (pgBouncerBinary !== undefined) {
        const pooler = await startPgBouncer(postgresUrl)
        try {
          const pooled = { databaseUrl: pooler.url, directUrl: postgresUrl }
          figures.push(...(await measureOn(pooled, 2, effort, network.url, { kind: 'postgres, PgBouncer' })))
        } finally {
          await pooler.stop()
        }
      }
    }
  } finally {
    network.stop()
    await rm(directory, { recursive: true, force: true })
  }
  return figures
}

async function measureOn(
  place: DatabasePlace,
  processes: number,
  effort: ScaleEffort,
  graphUrl: string,
  {
    kind = 'databaseUrl' in place ? 'postgres' : 'pglite',
    settings = {},
  }: { kind?: string; settings?: Record<string, string> } = {},
): Promise<ScaleFigures[]> {
  const servers: Awaited<ReturnType<typeof startServer>>[] = []
  for (let count = 0; count < processes; count++)
    servers.push(await startServer(place, graphUrl, { MAX_SOCKETS_PER_ADDRESS: '2000', ...settings }))
  const database = 'databaseUrl' in place ? await openDatabase(place) : null
  try {
    const [first] = servers
    if (first === undefined) throw new Error('no process was started')
    const { supabaseToken, headers } = await signInStaff(first.url)
    const hearing = createHearing()
    const sockets = await Promise.all(
      Array.from({ length: effort.sockets }, (_, index) =>
        openSocket(servers[index % processes]?.url ?? first.url, supabaseToken, hearing.listener()),
      ),
    )
    const agent = new Agent({ keepAlive: true, maxSockets: 2 * lanes })
    const databasePid = database === null ? null : await postmasterOf(database.db)
    const cpu = () => ({
      node: servers.reduce((sum, { pid }) => sum + cpuOf(pid), 0),
      database: databasePid === null ? null : cpuOfTree(databasePid),
    })
    const conversationUpdates = async () => {
      if (database === null) return null
      await delay(1_200)
      const { rows } = await sql<{ all: number; hot: number }>`
        select n_tup_upd as all, n_tup_hot_upd as hot from pg_stat_user_tables where relname = 'conversations'`.execute(
        database.db,
      )
      return rows[0] ?? null
    }

    const measure = async (load: string, post: (deliver: () => Promise<void>) => Promise<void>) => {
      hearing.begin()
      const acknowledgements: number[] = []
      let posted = 0
      const deliver = async () => {
        const server = servers[posted % processes]?.url ?? first.url
        posted += 1
        const { body, signature } = hearing.message(effort)
        const start = performance.now()
        await postTo(agent, `${server}/webhooks/meta`, body, signature)
        acknowledgements.push(performance.now() - start)
      }
      const ending = new AbortController()
      const listing = listEvery(100, first.url, headers, ending.signal)
      const updatesBefore = await conversationUpdates()
      const before = cpu()
      const start = performance.now()
      await post(deliver)
      const end = performance.now()
      while (!hearing.isComplete() && performance.now() - end < patience) await delay(5)
      const heard = performance.now()
      const after = cpu()
      ending.abort()
      const updatesAfter = await conversationUpdates()
      const figures: ScaleFigures = {
        kind,
        processes,
        load,
        perSecond: round(posted / ((heard - start) / 1_000)),
        acknowledgement: spreadOf(acknowledgements),
        toSocket: spreadOf(hearing.latencies()),
        nodeCpu: round((after.node - before.node) / posted),
        databaseCpu:
          before.database === null || after.database === null
            ? null
            : round((after.database - before.database) / posted),
        list: spreadOf(await listing),
        drained: Math.round(heard - end),
        ...hearing.faults(),
        updates:
          updatesBefore === null || updatesAfter === null
            ? null
            : { all: updatesAfter.all - updatesBefore.all, hot: updatesAfter.hot - updatesBefore.hot },
      }
      console.log(JSON.stringify(figures))
      return figures
    }

    await measure('warm-up', (deliver) => atRate(20, 3, deliver))
    const figures: ScaleFigures[] = []
    for (const rate of effort.rates) {
      const measured = await measure(`${rate}/s`, (deliver) => atRate(rate, effort.seconds, deliver))
      figures.push(measured)
      // The queue grows: a higher rate shows the same.
      if (measured.drained > 2_000) break
    }
    if (effort.burst > 0) {
      figures.push(await measure('full load', (deliver) => atOnce(effort.burst, deliver)))
      figures.push(
        await measure(`burst of ${effort.burst} in ${effort.burstSeconds} s`, (deliver) =>
          atRate(effort.burst / effort.burstSeconds, effort.burstSeconds, deliver),
        ),
      )
    }
    for (const socket of sockets) socket.terminate()
    agent.destroy()
    return figures
  } finally {
    await database?.close()
    for (const server of servers) await server.stop()
  }
}

/** Calls `deliver` at a rate, whether or not earlier calls have ended. Resolves when all have. */
async function atRate(rate: number, seconds: number, deliver: () => Promise<void>): Promise<void> {
  const calls: Promise<void>[] = []
  const start = performance.now()
  for (let count = 0; count < rate * seconds; ) {
    const due = Math.min(rate * seconds, Math.floor(((performance.now() - start) / 1_000) * rate) + 1)
    for (; count < due; count++) calls.push(deliver())
    await delay(1)
  }
  await Promise.all(calls)
}

/** Posts as fast as the answers come, `lanes` at once. */
async function atOnce(messages: number, deliver: () => Promise<void>): Promise<void> {
  let left = messages
  await Promise.all(
    Array.from({ length: lanes }, async () => {
      while (left > 0) {
        left -= 1
        await deliver()
      }
    }),
  )
}

let loads = 0

/** Counts which socket has heard which message. */
function createHearing() {
  const listeners: { heard: Uint8Array; latencies: number[] }[] = []
  let load = ''
  let postedAt: number[] = []
  let missing = 0
  return {
    begin(): void {
      loads += 1
      load = `scale-${loads}-`
      postedAt = []
      missing = 0
      for (const one of listeners) {
        one.heard = new Uint8Array(0)
        one.latencies = []
      }
    },
    /** The next message: of a known person, signed. */
    message({ conversations, pages = 4 }: Fill): { body: string; signature: string } {
      const index = postedAt.length
      const person = (index * 7919) % conversations
      const now = Date.now()
      const page = `page-${person % pages}`
      const message = { mid: `${load}${index}`, text: 'Good day, is this item still available? Thank you.' }
      const messaging = [{ sender: { id: `psid-${person}` }, recipient: { id: page }, timestamp: now, message }]
      const body = JSON.stringify({ object: 'page', entry: [{ id: page, time: now, messaging }] })
      postedAt.push(performance.now())
      missing += listeners.length
      return { body, signature: signatureOf(appSecret, Buffer.from(body)) }
    },
    listener(): (frame: string) => void {
      const one = { heard: new Uint8Array(0), latencies: [] as number[] }
      listeners.push(one)
      return (frame) => {
        const at = frame.indexOf(load)
        if (at < 0 || !frame.includes('"INSERT"')) return
        const index = Number.parseInt(frame.slice(at + load.length, at + load.length + 8), 10)
        if (one.heard.length <= index) {
          const longer = new Uint8Array(2 * index + 1_024)
          longer.set(one.heard)
          one.heard = longer
        }
        if (one.heard[index] === 0) {
          missing -= 1
          one.latencies.push(performance.now() - (postedAt[index] ?? 0))
        }
        one.heard[index] = Math.min(255, (one.heard[index] ?? 0) + 1)
      }
    },
    isComplete: () => missing === 0,
    latencies: () => listeners.flatMap((one) => one.latencies),
    faults: () => ({
      lost: missing,
      doubled: listeners.reduce((sum, { heard }) => sum + heard.filter((times) => times > 1).length, 0),
    }),
  }
}

/** Opens a socket with the subscriptions of a browser. */
async function openSocket(url: string, token: string, listener: (frame: string) => void): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/realtime/v1/websocket`, { perMessageDeflate: false })
  await once(socket, 'open')
  const join = async (channel: string, bindings: object[]) => {
    const payload = { config: { postgres_changes: bindings }, access_token: token }
    socket.send(JSON.stringify(['1', '1', `realtime:inbox-${channel}-1`, 'phx_join', payload]))
    await once(socket, 'message')
  }
  await join('messages', [
    { event: '*', schema: 'public', table: 'messages' },
    { event: 'INSERT', schema: 'public', table: 'conversation_events' },
  ])
  await join('users', [{ event: '*', schema: 'public', table: 'fb_users' }])
  socket.on('message', (data: Buffer) => listener(data.toString('latin1')))
  return socket
}

function postTo(agent: Agent, url: string, body: string, signature: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', 'x-hub-signature-256': signature }
    const call = request(url, { method: 'POST', agent, headers }, (response) => {
      response.resume()
      response.on('end', () => (response.statusCode === 200 ? resolve() : reject(new Error('not acknowledged'))))
    })
    call.on('error', reject)
    call.end(body)
  })
}

async function listEvery(
  pause: number,
  url: string,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<number[]> {
  const durations: number[] = []
  do {
    const start = performance.now()
    await (await fetch(`${url}/api/facebook/conversations?page=1&limit=20`, { headers })).text()
    durations.push(performance.now() - start)
    await delay(pause)
  } while (!signal.aborted)
  return durations
}

/** Milliseconds of a jiffy, the unit of CPU times in /proc. */
const jiffy = 10

function statOf(pid: number | string): string[] {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return text.slice(text.lastIndexOf(')') + 2).split(' ')
}

/** CPU time of a process, in milliseconds. 0 where there is no /proc. */
function cpuOf(pid: number | string, withEnded = false): number {
  try {
    const stat = statOf(pid)
    return (withEnded ? [11, 12, 13, 14] : [11, 12]).reduce((sum, at) => sum + Number(stat[at]) * jiffy, 0)
  } catch {
    return 0
  }
}

/** CPU time of a process and its children, also of those that ended. */
function cpuOfTree(pid: number): number {
  const children = readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && Number(statOf(name)[1]) === pid
    } catch {
      return false
    }
  })
  return children.reduce((sum, child) => sum + cpuOf(child), cpuOf(pid, true))
}

/** The process that started this connection's; null if the database is on another machine. */
async function postmasterOf(db: Awaited<ReturnType<typeof openDatabase>>['db']): Promise<number | null> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
  try {
    return Number(statOf(rows[0]?.pid ?? 0)[1])
  } catch {
    return null
  }
}
