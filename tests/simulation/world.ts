import type { Db } from '../../server/database/database.ts'
import { startEmbedded } from '../../server/database/embedded.ts'
import { migratedImage } from '../migrated-image.ts'
import { createSimulatedBrowser } from './browser.ts'
import { createSimulatedClient, type SimulatedClient } from './client.ts'
import { createSimulatedDatabase } from './database.ts'
import { embeddedBackend } from './embedded.ts'
import { answerFile, createSimulatedFiles } from './files.ts'
import { replaceGlobals } from './globals.ts'
import { createKernel, type Machine } from './kernel.ts'
import { createSimulatedNetwork, type Exchange, type Fate } from './network.ts'
import { createReceiver, receiverOrigin, shopsOrigin, startShops } from './other-programs.ts'
import { postgresBackend } from './postgres.ts'
import { connectPages, fillWorld, startSandbox } from './sandbox.ts'
import { createSimulatedServer, inboxOrigin, networkOrigin } from './server.ts'

/** More than the connections that a fault cuts at once. */
const signInAttempts = 5

/** Monday, 9:00 UTC. */
const startTime = Date.UTC(2026, 2, 2, 9)

const machineNamed = (name: string): Machine => ({ name, clockOffset: 0, sleepsUntil: 0 })

/** A fault of the network between processes. It ends when it was used `times` times. */
export type Rule = { matches: (exchange: Exchange) => boolean; fate: Partial<Fate>; times: number }

/** A person whom staff asked to erase. */
type RequestedErasure = {
  psids: string[]
  /** The ids of the person's conversation and identities. */
  ids: string[]
  /** When staff asked. Milliseconds. */
  at: number
  /** The server has accepted the request. */
  isCertain: boolean
}

/** What a customer did that the network keeps no message of, and the inbox does. */
type SentEvent = { psid: string; kind: string }

/** An order that another program sent. */
type SentOrder = { id: string; total: number; isCertain: boolean }

export type World = Awaited<ReturnType<typeof openWorld>>

/**
 * Everything that one simulation consists of, set up and running: the database, the social network, the servers and the
 * browsers (not opened yet).
 */
export async function openWorld({
  seed,
  servers: serverCount,
  clients: clientCount,
  browsers: browserCount = clientCount,
  keepLog,
  postgres,
}: {
  seed: number
  servers: number
  /** Tabs. */
  clients: number
  /** The tabs are spread over so many; one for each tab if it is not given. */
  browsers?: number | undefined
  keepLog: boolean
  /** The URL of a PostgreSQL server; without it the database is the embedded one. */
  postgres?: string | undefined
}) {
  const image = await migratedImage()
  const kernel = createKernel({ seed, start: startTime, keepLog })
  const network = createSimulatedNetwork({ kernel, seed })
  const restoreGlobals = replaceGlobals(kernel, network)
  const faults: string[] = []
  const erasures: RequestedErasure[] = []
  const imports: SentOrder[] = []
  const events: SentEvent[] = []
  /** Clients before a merge and after its undo. */
  const undone: { before: string; after: string }[] = []
  const logged: string[] = []
  const onRejection = (error: unknown) =>
    void faults.push(`no unhandled error: ${error instanceof Error ? error.stack : String(error)}`)
  process.on('unhandledRejection', onRejection)
  process.on('uncaughtException', onRejection)

  const databaseProcess = kernel.start(machineNamed('database'), 'database')
  const backend = await kernel.perform(databaseProcess, 'starts', async () =>
    postgres === undefined
      ? embeddedBackend(await startEmbedded({ image }))
      : postgresBackend({ url: postgres, seed, now: kernel.now }),
  )
  const database = createSimulatedDatabase({ kernel, seed, backend, server: databaseProcess })
  await kernel.perform(databaseProcess, 'listens', () => database.announce('realtime'))

  const networkProcess = kernel.start(machineNamed('network'), 'network')
  const networkDatabase = database.openFor(networkProcess)
  await kernel.complete(networkProcess, 'is filled', () => fillWorld(networkDatabase))
  const sandbox = await kernel.complete(networkProcess, 'starts', () => startSandbox(networkDatabase))
  network.listen(networkOrigin, {
    process: networkProcess,
    // The sandbox reads some of its files from the disk, which would take real time.
    handle: async (request, socket) => answerFile(request) ?? sandbox.fetch(request, { incoming: { socket } }),
    upgrade: (_, socket) => void socket.destroy(),
  })
  const operator = kernel.start(machineNamed('operator'), 'operator')
  const operatorDatabase = database.openFor(operator)
  await kernel.complete(operator, 'connects pages', () => connectPages(operatorDatabase))

  const receiver = createReceiver(kernel.start(machineNamed('receiver'), 'receiver'))
  network.listen(receiverOrigin, receiver.listener)
  const shopProcess = kernel.start(machineNamed('shops'), 'shops')
  const shopDatabase = database.openFor(shopProcess)
  const shops = await kernel.complete(shopProcess, 'starts', () => startShops(shopDatabase))
  network.listen(shopsOrigin, {
    process: shopProcess,
    handle: async (request) => shops.app.fetch(request),
    upgrade: (_, socket) => void socket.destroy(),
  })

  const files = createSimulatedFiles({ kernel, seed, server: kernel.start(machineNamed('files'), 'files') })
  const servers = Array.from({ length: serverCount }, (_, index) =>
    createSimulatedServer({
      kernel,
      network,
      database,
      files,
      machine: machineNamed(`server-${index + 1}`),
      logged: (line) => {
        logged.push(line)
        // A stack differs with the caller of the simulation.
        kernel.log(`logged ${/"msg":"([^"]*)"/.exec(line)?.[1] ?? line}`)
      },
    }),
  )
  const browsers = Array.from({ length: Math.min(browserCount, clientCount) }, (_, index) =>
    createSimulatedBrowser({ kernel, seed, machine: machineNamed(`computer-${index + 1}`) }),
  )
  const clients = Array.from({ length: clientCount }, (_, index) => {
    const browser = browsers[index % browsers.length]
    if (browser === undefined) throw new Error('a simulation has a browser')
    return createSimulatedClient({ kernel, browser, name: `client-${index + 1}` })
  })
  let rules: Rule[] = []
  network.rules.fateOf = (exchange) => {
    const rule = rules.find(({ matches }) => matches(exchange))
    if (rule === undefined) return {}
    rule.times -= 1
    if (rule.times <= 0) rules = rules.filter((other) => other !== rule)
    return rule.fate
  }
  const clientOf = (name: string): SimulatedClient | undefined => clients.find((client) => client.name === name)
  network.rules.isReachable = (from) => clientOf(from)?.browser.isOnline() !== false

  for (const server of servers) server.start()
  await kernel.runUntil(kernel.now() + 60_000, () => servers.every((server) => server.isReady()))
  if (!servers.every((server) => server.isReady())) throw new Error(`the servers do not start: ${logged.join('\n')}`)

  return {
    kernel,
    network,
    database,
    files,
    servers,
    clients,
    browsers,
    /** What must never happen and did. */
    faults,
    erasures,
    imports,
    events,
    undone,
    receiver,
    /** What the servers logged: warnings and errors. */
    logged,
    startTime: kernel.now(),

    addRule: (rule: Rule) => void rules.push(rule),
    clearRules: () => {
      rules = []
    },

    /** Calls a control route of the social network. Takes no simulated network, so no fault meets it. */
    control: <Data = unknown>(method: string, path: string, body?: unknown): Promise<Data> =>
      kernel.complete(networkProcess, `${method} ${path}`, async () => {
        const response = await sandbox.request(`/control${path}`, {
          method,
          ...(body === undefined
            ? {}
            : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
        })
        const answer: { success: boolean; data: Data } = await response.json()
        if (!answer.success) throw new Error(`${method} ${path} was refused`)
        return answer.data
      }),

    /** Works in the shops, as their people do. */
    onShops: <Result>(label: string, work: (stand: typeof shops) => Promise<Result>): Promise<Result> =>
      kernel.complete(shopProcess, label, () => work(shops)),

    /** Reads from the product's API as a member of staff, on a machine without faults. */
    ask: <Data = unknown>(token: string, path: string): Promise<Data> =>
      kernel.complete(operator, `asks ${path}`, async () => {
        const answer = await fetch(`${inboxOrigin}/api${path}`, { headers: { authorization: `Bearer ${token}` } })
        return answer.json()
      }),

    /** Changes something as a member of staff, on a machine of its own. Null where nobody answered or it was refused. */
    change: <Data = unknown>(token: string, method: string, path: string, body: unknown): Promise<Data | null> =>
      kernel.complete(operator, `${method} ${path}`, async () => {
        const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
        const signal = AbortSignal.timeout(30_000)
        const sent = fetch(`${inboxOrigin}/api${path}`, {
          method,
          headers,
          signal,
          body: body === undefined ? null : JSON.stringify(body),
        })
        const answer = await sent.then((response) => response.json()).catch(() => null)
        return answer?.data ?? null
      }),

    /** Works on the database as an operator does. */
    onOperator: <Result>(label: string, work: (db: Db) => Promise<Result>): Promise<Result> =>
      kernel.complete(operator, label, () => work(operatorDatabase.db)),

    /** Signs in as a member of staff, on a machine without faults. Returns the access token. */
    signIn: (email: string, password: string): Promise<string> =>
      kernel.complete(operator, 'signs in', async () => {
        const post = async (path: string, body: object) =>
          (
            await fetch(`${inboxOrigin}${path}`, {
              method: 'POST',
              headers: { 'content-type': 'application/json', apikey: 'embedded' },
              body: JSON.stringify(body),
            })
          ).json()
        // A connection to the database that was cut makes the first request on it fail.
        for (let attempt = 1; ; attempt += 1) {
          const session = await post('/auth/v1/token?grant_type=password', { email, password })
          const login = await post('/api/auth/supabase-login', { supabaseToken: session.access_token })
          if (login.data) return login.data.token
          if (attempt === signInAttempts) throw new Error(`cannot sign in: ${JSON.stringify(login)}`)
        }
      }),

    /** Releases the memory and gives the real globals back. */
    async close(): Promise<void> {
      restoreGlobals()
      process.off('unhandledRejection', onRejection)
      process.off('uncaughtException', onRejection)
      await backend.close().finally(kernel.clear)
    },
  }
}
