import { EventEmitter } from 'node:events'
import { readFileSync } from 'node:fs'
import type { OpenDatabase } from '../../server/database/database.ts'
import {
  type AppliedMigration,
  appliedQuery,
  type Migration,
  migrate,
  readMigrations,
} from '../../server/database/migrations.ts'
import { createLogger } from '../../server/logger.ts'
import type { Settings } from '../../server/settings.ts'
import { startServer } from '../../server/start-server.ts'
import { defaultBusiness } from '../../src/schemas/business.ts'
import type { SimulatedDatabase } from './database.ts'
import { openSource, type SimulatedFiles } from './files.ts'
import type { Kernel, Machine, Process } from './kernel.ts'
import type { Network } from './network.ts'
import { postWebhook, shopFetch } from './other-programs.ts'

/** The address of the product, where a load balancer chooses a server. */
export const inboxOrigin = 'http://inbox'
/** The address of the social network. */
export const networkOrigin = 'http://network'

export const account = { appId: '104200000000001', appSecret: 'app secret', verifyToken: 'verify token' }
export const secretKey = 'a secret key that is long enough for the simulation'

const settings: Settings = {
  port: 80,
  host: '127.0.0.1',
  dataDir: '/nowhere',
  databaseUrl: undefined,
  databaseDirectUrl: undefined,
  nats: undefined,
  secretKey,
  secretKeys: undefined,
  supabase: undefined,
  graph: { url: networkOrigin, ...account },
  facebookLogin: undefined,
  graphApiVersion: 'v26.0',
  business: defaultBusiness,
  sandboxAppSecret: undefined,
  sandboxVerifyToken: undefined,
  sandboxLiveliness: 'still',
  sandboxPeople: undefined,
  sandboxIsPublic: false,
  sourceMaps: false,
  logLevel: 'error',
  allowedOrigins: [],
  retention: { messages: null, bodies: 7, events: null },
  deviceCache: true,
  requireSecondFactor: undefined,
  publicUrl: inboxOrigin,
  trustedProxies: 0,
  socketLimits: { inAll: 1_000, perAddress: 1_000 },
  files: { maxBytes: 1_000, s3: undefined },
  push: { showsNames: false, origins: [] },
  webhookOrigins: [],
  metricsToken: undefined,
  mail: undefined,
  alarms: { emails: [], webhook: undefined },
}

const migrations = readMigrations()
/** The next release has one more. */
const nextMigrations: Migration[] = [
  ...migrations,
  {
    name: '9999_simulated',
    script: readFileSync(new URL('next-migration.sql', import.meta.url), 'utf8'),
  },
]

/** Migrates the database as a server does when it starts. */
async function migrated(database: OpenDatabase, to: readonly Migration[]): Promise<OpenDatabase> {
  const { db } = database.forJobs as { db: { executeSql(text: string): Promise<{ rows: object[] }> } }
  await migrate(
    {
      run: async (script) => void (await db.executeSql(script)),
      applied: async () => (await db.executeSql(appliedQuery)).rows as AppliedMigration[],
    },
    to,
  )
  return database
}

/** One instance of the product's server: its real composition on simulated parts. It can be ended and started again. */
export function createSimulatedServer({
  kernel,
  network,
  database,
  files,
  machine,
  logged,
}: {
  kernel: Kernel
  network: Network
  database: SimulatedDatabase
  files: SimulatedFiles
  machine: Machine
  /** Gets every line that the server logs. */
  logged: (line: string) => void
}) {
  let lives = 0
  let process: Process | undefined
  let isReady = false
  let isUpgraded = false

  function start(): void {
    lives += 1
    isReady = false
    const started = kernel.start(machine, machine.name, lives)
    process = started
    started.onEnd.add(() => {
      isReady = false
    })
    const logger = createLogger('warn', { write: (line: string) => void (started.isAlive && logged(line)) })
    kernel.schedule(started, 0, 'starts', () => {
      startServer(settings, {
        logger,
        openDatabase: async () => migrated(database.openFor(started), isUpgraded ? nextMigrations : migrations),
        listen: async () => listenOn(started),
        openSource,
        postWebhook,
        shopFetch,
        fileStore: files.openFor(started),
        readDisk: async () => [],
      }).then(
        () => {
          isReady = true
        },
        (error: unknown) => {
          // As an operator's supervisor would: the process exits and is started again.
          if (!started.isAlive) return
          logged(`could not start: ${String(error)}`)
          kernel.end(started)
          kernel.schedule(watchdog, 1_000, `restarts ${machine.name}`, () => void (process === started && start()))
        },
      )
    })
  }

  /** Restarts what ended by itself; it runs on no machine that could fail. */
  const watchdog = kernel.start({ name: 'watchdog', clockOffset: 0, sleepsUntil: 0 }, 'watchdog')

  function listenOn(owner: Process) {
    const upgrades = new EventEmitter()
    let serve: ((request: Request, env: object) => Response | Promise<Response>) | undefined
    network.listen(inboxOrigin, {
      process: owner,
      handle: async (request, { destroy, remoteAddress }) => {
        if (serve === undefined) return new Response('Starting', { status: 503, headers: { 'retry-after': '1' } })
        return serve(request, { incoming: { socket: { destroy, remoteAddress } } })
      },
      upgrade: (request, socket) => void upgrades.emit('upgrade', request, socket, Buffer.alloc(0)),
    })
    return {
      server: upgrades,
      address: inboxOrigin,
      serve: (app: { fetch: (request: Request, env: object) => Response | Promise<Response> }) => {
        serve = app.fetch
      },
      close: async () => network.unlisten(inboxOrigin, owner),
    } as unknown as Awaited<ReturnType<typeof import('../../server/http-server.ts').listen>>
  }

  return {
    machine,
    start,
    process: () => process,
    isUp: () => process?.isAlive === true,
    isReady: () => isReady && process?.isAlive === true,
    /** The next release takes the place of this one with the next start. */
    upgrade: () => {
      isUpgraded = true
    },
    /** Ends the process without a word. */
    kill(): void {
      if (process !== undefined) kernel.end(process)
    },
  }
}
