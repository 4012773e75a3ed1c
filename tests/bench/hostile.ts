import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { WebSocket } from 'ws'
import type { DatabasePlace } from '../../server/database/open-database.ts'
import { signatureOf } from '../../server/network/webhooks/signature.ts'
import { type Spread, spreadOf } from './figures.ts'
import type { Fill } from './fill.ts'
import { appSecret, person, prepareDatabase, signInStaff, startEmptyNetwork, startServer } from './server.ts'

/** Milliseconds, of one kind of call while one kind of load runs. */
export type HostileFigures = { kind: string; load: string; acknowledgement: Spread; list: Spread; sync: Spread }

export type Effort = Fill & { seconds: number }
export const fullEffort: Effort = { conversations: 20_000, messages: 100_000, seconds: 10 }
export const quickEffort: Effort = { conversations: 2_000, messages: 10_000, seconds: 3 }

/**
 * Measures calls of the product while one client behaves badly, against a server in a process of its own: with the embedded
 * database, and with PostgreSQL if `postgresUrl` names an empty database.
 */
export async function measureHostile(effort: Effort, postgresUrl: string | undefined): Promise<HostileFigures[]> {
  const directory = await mkdtemp(join(tmpdir(), 'staff-inbox-hostile-'))
  const network = await startEmptyNetwork()
  const figures: HostileFigures[] = []
  try {
    figures.push(...(await measureOn({ dataDir: directory }, effort, network.url)))
    if (postgresUrl !== undefined) figures.push(...(await measureOn({ databaseUrl: postgresUrl }, effort, network.url)))
  } finally {
    network.stop()
    await rm(directory, { recursive: true, force: true })
  }
  return figures
}

async function measureOn(place: DatabasePlace, effort: Effort, graphUrl: string): Promise<HostileFigures[]> {
  const kind = await prepareDatabase(place, effort)
  const server = await startServer(place, graphUrl)
  try {
    const client = await signIn(server.url)
    const figures: HostileFigures[] = []
    for (const [load, begin] of Object.entries(loads)) {
      const stopping = new AbortController()
      const ended = begin(client, stopping.signal)
      await delay(1_000)
      const measured = await measureCalls(client, effort.seconds)
      stopping.abort()
      await ended
      figures.push({ kind, load, ...measured })
      await delay(1_000)
    }
    return figures
  } finally {
    await server.stop()
  }
}

type Client = Awaited<ReturnType<typeof signIn>>

async function signIn(url: string) {
  const { supabaseToken, headers } = await signInStaff(url)
  const post = async (path: string, body: unknown, headers: Record<string, string> = {}, signal?: AbortSignal) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      ...(signal === undefined ? {} : { signal }),
    })
  let messages = 0
  return {
    url,
    supabaseToken,
    post,
    get: async (path: string) => (await fetch(`${url}/api${path}`, { headers })).text(),
    syncConversation: async (signal?: AbortSignal) => {
      const path = '/api/facebook/pages/page-1/sync-conversation'
      const answer = await post(path, { userPsid: 'psid-1', platform: 'messenger' }, headers, signal)
      await answer.text()
      return answer.status
    },
    /** Delivers a message of 2 kB of a customer. */
    deliver: async () => {
      messages += 1
      const now = Date.now()
      const message = { mid: `hostile-${now}-${messages}`, text: 'x'.repeat(2_000) }
      const messaging = [{ sender: { id: 'psid-0' }, recipient: { id: 'page-0' }, timestamp: now, message }]
      const body = JSON.stringify({ object: 'page', entry: [{ id: 'page-0', time: now, messaging }] })
      const signature = signatureOf(appSecret, Buffer.from(body))
      const answer = await fetch(`${url}/webhooks/meta`, {
        method: 'POST',
        headers: { 'x-hub-signature-256': signature },
        body,
      })
      if ((await answer.text()) !== 'EVENT_RECEIVED') throw new Error('a delivery was not acknowledged')
    },
  }
}

/** Calls of each kind, one after the other, with pauses. */
async function measureCalls({ deliver, get, syncConversation }: Client, seconds: number) {
  const end = performance.now() + seconds * 1_000
  const series = async (pause: number, call: () => Promise<unknown>): Promise<Spread> => {
    const durations: number[] = []
    do {
      const start = performance.now()
      await call()
      durations.push(performance.now() - start)
      await delay(pause)
    } while (performance.now() < end)
    return spreadOf(durations)
  }
  const [acknowledgement, list, sync] = await Promise.all([
    series(50, deliver),
    series(100, () => get('/facebook/conversations?page=1&limit=20')),
    series(1_000, async () => {
      // Refused while many wait: a person presses the button again.
      while ((await syncConversation()) !== 200) await delay(500)
    }),
  ])
  return { acknowledgement, list, sync }
}

type Load = (client: Client, signal: AbortSignal) => Promise<unknown>

/** Repeats a call in `lanes` at once until the signal. */
const flood = (lanes: number, signal: AbortSignal, call: (lane: number) => Promise<unknown>) =>
  Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      while (!signal.aborted) await call(lane).catch(() => delay(10))
    }),
  )

let attempts = 0

const loads: Record<string, Load> = {
  nothing: async () => undefined,
  'the same again': async () => undefined,
  '60 aborted syncs, again and again': async ({ syncConversation }, signal) => {
    while (!signal.aborted) {
      const leaving = new AbortController()
      const calls = Array.from({ length: 60 }, () => syncConversation(leaving.signal).catch(() => undefined))
      await delay(200)
      leaving.abort()
      await Promise.all(calls)
      await delay(800)
    }
  },
  '20 searches of a common word': ({ get }, signal) =>
    flood(20, signal, () => get('/facebook/conversations?page=1&limit=20&search=an')),
  '50 browsers that ask for the counts': ({ get }, signal) => flood(50, signal, () => get('/facebook/stats')),
  'a password flood from many addresses': ({ post }, signal) =>
    flood(50, signal, async () => {
      attempts += 1
      const from = { 'x-forwarded-for': `10.${(attempts >> 16) & 255}.${(attempts >> 8) & 255}.${attempts & 255}` }
      const guess = { email: `nobody-${attempts}@example.com`, password: 'a guess' }
      await (await post('/auth/v1/token?grant_type=password', guess, from)).text()
    }),
  'a password flood from one address': ({ post }, signal) =>
    flood(50, signal, async () => {
      const from = { 'x-forwarded-for': '203.0.113.9' }
      const guess = { email: person.email, password: 'a guess' }
      await (await post('/auth/v1/token?grant_type=password', guess, from)).text()
    }),
  '20 readers that stop reading': async ({ url, supabaseToken }, signal) => {
    const sockets = Array.from(
      { length: 20 },
      () => new WebSocket(`${url.replace('http', 'ws')}/realtime/v1/websocket`),
    )
    const config = { postgres_changes: [{ event: '*', schema: 'public' }] }
    for (const socket of sockets) {
      socket.on('error', () => undefined)
      if (socket.readyState === WebSocket.CONNECTING) await once(socket, 'open')
      socket.send(JSON.stringify(['1', '1', 'realtime:all', 'phx_join', { config, access_token: supabaseToken }]))
      await once(socket, 'message')
      socket.pause()
    }
    if (!signal.aborted) await once(signal, 'abort')
    for (const socket of sockets) socket.terminate()
  },
}
