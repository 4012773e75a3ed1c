import type { Hono } from 'hono'
import type { Clock } from './clock.ts'
import type { OpenDatabase } from './database/database.ts'
import type { Logger } from './logger.ts'
import { createKeepAddress } from './network/addresses.ts'
import { fillFromNetwork } from './network/fill.ts'
import { createGraph } from './network/graph.ts'
import { createIngest } from './network/ingest.ts'
import { createPageTokens } from './network/page-tokens.ts'
import { createPictures, type Pictures } from './network/pictures.ts'
import { createProfiles } from './network/profiles.ts'
import { createSending, type Sending } from './network/sending.ts'
import { createSync } from './network/sync.ts'
import { createWebhookWorker } from './network/webhook-worker.ts'
import { createWebhooks } from './network/webhooks.ts'
import { createFetchPicture } from './pictures/fetch-picture.ts'
import { createPictureAddresses } from './pictures/picture-addresses.ts'
import { createPictureRoutes } from './pictures/routes.ts'
import { seedBusiness } from './sandbox/business.ts'
import { createSandbox, type Sandbox } from './sandbox/sandbox.ts'
import { deriveKey } from './secrets.ts'
import type { Settings } from './settings.ts'

export type Network = {
  /** To be mounted at /webhooks/meta. */
  webhooks: Hono
  sending: Sending
  pictures: Pictures
  /** To be mounted at /pictures. */
  pictureFiles: Hono
  /** To be mounted at /sandbox; absent when the real network is used. */
  sandbox: Hono | undefined
  /** Begins to work, once the server answers: the network is called over HTTP, the stand-in too. */
  start(): Promise<void>
  stop(): Promise<void>
}

/** Puts the network's parts together: for the real one, or for the sandbox when no address of a real one is set. */
export async function createNetwork({
  database,
  settings,
  secretKey,
  address,
  clock,
  logger,
}: {
  database: OpenDatabase
  settings: Settings
  secretKey: string
  /** Of this server, for the sandbox lives on it. */
  address: string
  clock: Clock
  logger: Logger
}): Promise<Network> {
  const { db } = database
  const account = settings.graph ?? {
    url: `${address}/sandbox`,
    appId: sandboxAppId,
    appSecret: settings.sandboxAppSecret ?? hex(deriveKey(secretKey, 'sandbox app secret')),
    verifyToken: settings.sandboxVerifyToken ?? hex(deriveKey(secretKey, 'sandbox verify token')),
  }
  const graph = createGraph({ baseUrl: account.url, version: settings.graphApiVersion, appSecret: account.appSecret })
  const pageTokens = createPageTokens(deriveKey(secretKey, 'page tokens'))
  // A stand-in network on another server keeps its pictures there.
  const trustedOrigins = settings.graph === undefined ? [] : [new URL(settings.graph.url).origin]
  const pictureAddresses = createPictureAddresses({ secretKey, trustedOrigins })
  const keep = createKeepAddress(address, pictureAddresses.addressOf)
  const pictures = createPictures({ db, graph, pageTokens, keep, clock, logger })
  const profiles = createProfiles({ graph, keep, clock, logger })
  const ingest = createIngest({ db, profiles, pageTokens, keep, appId: account.appId })
  const worker = createWebhookWorker({ db, ingest, clock, logger })
  const sync = createSync({ db, graph, profiles, pageTokens, keep, logger })

  let sandbox: Sandbox | undefined
  if (settings.graph === undefined) {
    sandbox = await createSandbox({
      db,
      clock,
      address: () => account.url,
      webhookUrl: () => `${address}/webhooks/meta`,
      appId: account.appId,
      appSecret: account.appSecret,
      tokenKey: deriveKey(secretKey, 'sandbox page tokens'),
      liveliness: settings.sandboxLiveliness,
      logger,
    })
  }

  return {
    webhooks: createWebhooks({
      db,
      appSecret: account.appSecret,
      verifyToken: account.verifyToken,
      clock,
      onDelivery: worker.wake,
    }),
    sending: createSending({ db, graph, pageTokens, clock, logger }),
    pictures,
    pictureFiles: createPictureRoutes({
      addresses: pictureAddresses,
      fetchPicture: createFetchPicture({ trustedOrigins }),
      renew: pictures.renewAddress,
      clock,
      logger,
    }),
    sandbox: sandbox?.app,
    async start() {
      worker.start()
      if (sandbox === undefined) return
      const { tokens, fillOnce } = sandbox
      await database.exclusively('first fill', () =>
        fillOnce(async () => {
          await fillFromNetwork({ db, graph, pageTokens, keep, sync, tokens, logger })
          await seedBusiness(db, clock.now())
        }),
      )
      sandbox.start()
    },
    async stop() {
      await sandbox?.stop()
      await worker.stop()
    },
  }
}

const sandboxAppId = '104200000000001'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')
