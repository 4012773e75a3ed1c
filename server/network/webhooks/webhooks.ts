import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { createAttempts } from '../../auth/attempts.ts'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/database.ts'
import type { Logger } from '../../logger.ts'
import { isSigned, sameSecret } from './signature.ts'

const largestBody = 5 * 1024 * 1024
/** Anybody may knock: so many refusals a minute are told to the log. */
const mostTold = 10

/**
 * The address to which the network posts (mounted at /webhooks/meta): the handshake, and deliveries, which are
 * checked, stored as they came and answered at once. `onDelivery` wakes the worker.
 */
export function createWebhooks({
  db,
  appSecret,
  verifyToken,
  clock,
  logger,
  onDelivery,
}: {
  db: Db
  /** Without it no delivery is believed. */
  appSecret?: string | undefined
  verifyToken?: string | undefined
  clock: Clock
  logger: Pick<Logger, 'warn'>
  onDelivery: () => void
}): Hono {
  const app = new Hono()
  const told = createAttempts({ limit: mostTold, window: 60_000, clock })
  const tell = (what: string) => {
    if (!told.allowed('')) return
    told.count('')
    logger.warn(what)
  }

  app.get('/', (c) => {
    const given = c.req.query('hub.verify_token')
    const challenge = c.req.query('hub.challenge')
    const agreed = verifyToken !== undefined && given !== undefined && sameSecret(given, verifyToken)
    if (c.req.query('hub.mode') !== 'subscribe' || challenge === undefined || !agreed) {
      tell('A subscription to the webhook was refused: its verify token is not META_VERIFY_TOKEN')
      return c.json({ success: false, error: 'The verify token does not match' }, 403)
    }
    return c.text(challenge)
  })

  const tooLarge = bodyLimit({
    maxSize: largestBody,
    onError: (c) => c.json({ success: false, error: 'The delivery is too large' }, 413),
  })

  app.post('/', tooLarge, async (c) => {
    const bytes = new Uint8Array(await c.req.arrayBuffer())
    if (appSecret === undefined || !isSigned(appSecret, bytes, c.req.header('x-hub-signature-256'))) {
      tell('A webhook delivery was refused: it is not signed with META_APP_SECRET')
      return c.json({ success: false, error: 'The signature does not match' }, 401)
    }
    const body = readJsonText(bytes)
    if (body === null) return c.json({ success: false, error: 'The delivery is not JSON' }, 400)
    await db
      .insertInto('webhook_inbox')
      .values({ body, due_at: new Date(clock.now()) })
      .execute()
    onDelivery()
    return c.text('EVENT_RECEIVED')
  })

  return app
}

/** The text of a JSON body, or null. Raw null characters are not JSON, so what passes fits the database. */
function readJsonText(bytes: Uint8Array): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    JSON.parse(text)
    return text
  } catch {
    return null
  }
}
