import { Hono } from 'hono'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/database.ts'
import type { Logger } from '../../logger.ts'
import { createGraphApp } from './app.ts'
import { createCommentLife } from './comment-life.ts'
import { createSandboxComments, seedPosts } from './comments.ts'
import { createControl } from './control.ts'
import { createDeliveries } from './deliveries.ts'
import { createLife, type Liveliness } from './life.ts'
import { createMedia } from './media.ts'
import { createSandboxNetwork } from './network.ts'
import { createSentFiles } from './sent-files.ts'
import { openSandboxTables } from './tables.ts'
import { sandboxToken, seededPages, seedWorld } from './world.ts'

export type { Liveliness } from './life.ts'

export type Sandbox = {
  /** To be mounted at /sandbox: the Graph API, its files, and the control calls. */
  app: Hono
  /** The access tokens of its pages. */
  tokens: string[]
  /** Runs the first fill of the inbox unless it has completed before. */
  fillOnce(fill: () => Promise<void>): Promise<void>
  /** Starts to post webhooks and to simulate people. */
  start(): void
  /** Posts all due webhooks, for tests without timers. */
  settle(): Promise<void>
  stop(): Promise<void>
}

const pollInterval = 500

/**
 * A stand-in for the social network: the same HTTP calls, signed webhooks, and generated pages and people. Its state is
 * in the database schema `sandbox`, so that it survives restarts and is shared by all processes.
 */
export async function createSandbox({
  db: inboxDb,
  clock,
  address,
  filesOrigin = () => new URL(address()).origin,
  webhookUrl,
  appId,
  appSecret,
  tokenKey,
  liveliness,
  people,
  logger,
}: {
  db: Db
  clock: Clock
  /** The base URL of this app, without a trailing slash. */
  address: () => string
  /** Files that the app sends are fetched from this origin alone: that of the sandbox, unless the app is elsewhere. */
  filesOrigin?: () => string
  webhookUrl: () => string
  appId: string
  appSecret: string
  /** The pages' access tokens are derived from it. */
  tokenKey: Uint8Array
  liveliness: Liveliness
  /** The number of people of a new sandbox. */
  people?: number | undefined
  logger: Logger
}): Promise<Sandbox> {
  const db = await openSandboxTables(inboxDb)
  await seedWorld(db, tokenKey, clock.now(), people)
  await seedPosts(db, clock.now())

  const network = createSandboxNetwork({ db, clock, appId, address, onQueued: () => wake() })
  const deliveries = createDeliveries({ db, clock, appSecret, webhookUrl, logger })
  const life = createLife({ db, network, clock, liveliness, seed: clock.now() })
  const sentFiles = createSentFiles({ db, origin: filesOrigin })
  const onSent = life.onMessageSent
  const comments = createSandboxComments({ db, network, clock })
  const comment = createCommentLife({ db, comments, clock, liveliness, seed: clock.now() })
  const graph = createGraphApp({ db, network, clock, appId, appSecret, tokenKey, sentFiles, comments, onSent })
  const app = new Hono()
  app.route('/media/sent', sentFiles.routes)
  app.route('/media', createMedia())
  app.route('/control', createControl({ db, network, comments, deliveries, clock, wake: () => wake() }))
  app.route('/', graph)

  let running = false
  let wakeRequested = false
  let current: Promise<void> | null = null
  let cancelTimer: () => void = () => undefined

  async function work(): Promise<void> {
    while (wakeRequested && running) {
      wakeRequested = false
      try {
        await life.work()
        await comment()
        await deliveries.work()
      } catch (error) {
        logger.error({ code: error instanceof Error && 'code' in error ? error.code : 'unknown' }, 'the sandbox failed')
      }
    }
    current = null
    if (running) cancelTimer = clock.after(pollInterval, wake)
  }

  function wake(): void {
    wakeRequested = true
    if (!running || current) return
    cancelTimer()
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
      cancelTimer()
      await current
    },
  }
}
