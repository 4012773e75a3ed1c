import type { Hono } from 'hono'
import type { Clock } from './clock.ts'
import type { Db } from './database/database.ts'
import type { Logger } from './logger.ts'
import { createGraph } from './network/graph.ts'
import { createIngest } from './network/ingest.ts'
import { createPageTokens } from './network/page-tokens.ts'
import { createSending, type Sending } from './network/sending.ts'
import { createWebhookWorker } from './network/webhook-worker.ts'
import { createWebhooks } from './network/webhooks.ts'
import { deriveKey } from './secrets.ts'
import type { Settings } from './settings.ts'

export type Network = {
  /** To be mounted at /webhooks/meta. */
  webhooks: Hono
  sending: Sending
  /** To be mounted at /sandbox; absent when the real network is used. */
  sandbox: Hono | undefined
  /** Begins to work, once the server answers: the network is called over HTTP, the stand-in too. */
  start(): Promise<void>
  stop(): Promise<void>
}

/** Puts the network's parts together: for the real one, or for the sandbox when no address of a real one is set. */
export async function createNetwork({
  db,
  settings,
  secretKey,
  address,
  clock,
  logger,
}: {
  db: Db
  settings: Settings
  secretKey: string
  /** Of this server, for the sandbox lives on it. */
  address: string
  clock: Clock
  logger: Logger
}): Promise<Network> {
  const account = settings.graph ?? {
    url: `${address}/sandbox`,
    appId: 'sandbox',
    appSecret: Buffer.from(deriveKey(secretKey, 'sandbox app secret')).toString('hex'),
    verifyToken: Buffer.from(deriveKey(secretKey, 'sandbox verify token')).toString('hex'),
  }
  const graph = createGraph({ baseUrl: account.url, version: settings.graphApiVersion, appSecret: account.appSecret })
  const pageTokens = createPageTokens(deriveKey(secretKey, 'page tokens'))
  const ingest = createIngest({ db, graph, pageTokens, appId: account.appId, clock, logger })
  const worker = createWebhookWorker({ db, ingest, clock, logger })
  return {
    webhooks: createWebhooks({
      db,
      appSecret: account.appSecret,
      verifyToken: account.verifyToken,
      onDelivery: worker.wake,
    }),
    sending: createSending({ db, graph, pageTokens, clock, logger }),
    sandbox: undefined,
    async start() {
      worker.start()
    },
    async stop() {
      await worker.stop()
    },
  }
}
