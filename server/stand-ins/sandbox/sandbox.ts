import { Hono } from 'hono'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/database.ts'
import type { Logger } from '../../logger.ts'
import { createGraphApp } from './app.ts'
import { createControl } from './control.ts'
import { createDeliveries } from './deliveries.ts'
import { createLife, type Liveliness } from './life.ts'
import { createMedia } from './media.ts'
import { createSandboxNetwork } from './network.ts'
import { openSandboxTables } from './tables.ts'
import { sandboxToken, seededPages, seedWorld } from './world.ts'

export type { Liveliness } from './life.ts'

export type Sandbox = {
  /** To be mounted at /sandbox: the network's calls, its files, and the control calls. */
  app: Hono
  /** The access tokens of its pages, as a business would paste them. */
  tokens: string[]
  /** Runs the first fill of the inbox, unless it was done; one that was cut off is run again. */
  fillOnce(fill: () => Promise<void>): Promise<void>
  /** Begins to post webhooks and to live. */
  start(): void
  /** Posts what is due and waits for it; for tests, which have no timers running. */
  settle(): Promise<void>
  stop(): Promise<void>
}

const pause = 500

/**
 * A stand-in for the social network, for machines without one: the same calls over HTTP, signed webhooks, and a world
 * of pages and people. Its state is in the database, schema `sandbox`: it survives restarts and is shared by processes.
 */
export async function createSandbox({
  db: whole,
  clock,
  address,
  webhookUrl,
  appId,
  appSecret,
  tokenKey,
  liveliness,
  logger,
}: {
  db: Db
  clock: Clock
  /** Where this app is reached, without a slash at the end. */
  address: () => string
  webhookUrl: () => string
  appId: string
  appSecret: string
  /** The pages' access tokens are derived from it. */
  tokenKey: Uint8Array
  liveliness: Liveliness
  logger: Logger
}): Promise<Sandbox> {
  const db = await openSandboxTables(whole)
  await seedWorld(db, tokenKey, clock.now())

  const network = createSandboxNetwork({ db, clock, appId, address, onQueued: () => wake() })
  const deliveries = createDeliveries({ db, clock, appSecret, webhookUrl, logger })
  const life = createLife({ db, network, clock, liveliness, seed: clock.now() })
  const graph = createGraphApp({ db, network, clock, appId, appSecret, onSent: life.heard })
  const app = new Hono()
  app.route('/media', createMedia())
  app.route('/control', createControl({ db, network, deliveries, clock, wake: () => wake() }))
  app.route('/', graph)

  let running = false
  let wanted = false
  let current: Promise<void> | null = null
  let callOff: () => void = () => undefined

  async function work(): Promise<void> {
    while (wanted && running) {
      wanted = false
      try {
        await life.work()
        await deliveries.work()
      } catch (error) {
        logger.error(
          { code: error instanceof Error && 'code' in error ? error.code : 'unknown' },
          'the sandbox stumbled',
        )
      }
    }
    current = null
    if (running) callOff = clock.after(pause, wake)
  }

  function wake(): void {
    wanted = true
    if (!running || current) return
    callOff()
    current = work()
  }

  return {
    app,
    tokens: seededPages.map(({ page_id }) => sandboxToken(tokenKey, page_id)),
    async fillOnce(fill) {
      const state = await db.selectFrom('sandbox.state').select('filled_at').executeTakeFirstOrThrow()
      if (state.filled_at !== null) return
      await fill()
      await db
        .updateTable('sandbox.state')
        .set({ filled_at: new Date(clock.now()) })
        .execute()
    },
    start() {
      running = true
      wake()
    },
    async settle() {
      await life.work()
      await deliveries.work()
    },
    async stop() {
      running = false
      callOff()
      await current
    },
  }
}
