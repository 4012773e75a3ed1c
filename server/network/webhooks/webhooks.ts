import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/database.ts'
import { createLogLimit } from '../../log-limit.ts'
import type { Logger } from '../../logger.ts'
import { createDeliveryInbox } from './delivery-inbox.ts'
import { isSigned, sameSecret } from './signature.ts'

const maxBodyBytes = 5 * 1024 * 1024
/** Per minute: the endpoint is public, so anyone could fill the log. */
const maxLoggedRejections = 10

/**
 * The webhook endpoint (mounted at /webhooks/meta). GET answers the subscription handshake. POST checks the signature,
 * stores the raw delivery and answers at once; the worker processes it later. `onDelivery` wakes the workers
 * of the lanes.
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
  /** Without it every delivery is rejected. */
  appSecret?: string | undefined
  verifyToken?: string | undefined
  clock: Clock
  logger: Pick<Logger, 'warn'>
  onDelivery: (lanes: readonly (number | null)[]) => void
}): Hono {
  const app = new Hono()
  const storeDelivery = createDeliveryInbox({ db, clock })
  const mayLog = createLogLimit({ max: maxLoggedRejections, window: 60_000, clock })
  const logRejection = (message: string) => {
    if (mayLog()) logger.warn(message)
  }

  app.get('/', (c) => {
    const given = c.req.query('hub.verify_token')
    const challenge = c.req.query('hub.challenge')
    const matches = verifyToken !== undefined && given !== undefined && sameSecret(given, verifyToken)
    if (c.req.query('hub.mode') !== 'subscribe' || challenge === undefined || !matches) {
      logRejection('webhook subscription rejected: the verify token is not META_VERIFY_TOKEN')
      return c.json({ success: false, error: 'The verify token does not match' }, 403)
    }
    return c.text(challenge)
  })

  const tooLarge = bodyLimit({
    maxSize: maxBodyBytes,
    onError: (c) => c.json({ success: false, error: 'The delivery is too large' }, 413),
  })

  app.post('/', tooLarge, async (c) => {
    const bytes = new Uint8Array(await c.req.arrayBuffer())
    if (appSecret === undefined || !isSigned(appSecret, bytes, c.req.header('x-hub-signature-256'))) {
      logRejection('webhook delivery rejected: it is not signed with META_APP_SECRET')
      return c.json({ success: false, error: 'The signature does not match' }, 401)
    }
    const read = readJson(bytes)
    if (read === null) return c.json({ success: false, error: 'The delivery is not JSON' }, 400)
    onDelivery(await storeDelivery(read.text, read.value))
    return c.text('EVENT_RECEIVED')
  })

  return app
}

/** A JSON body, null if it is not JSON. JSON has no raw null characters, so the database accepts the text. */
function readJson(bytes: Uint8Array): { text: string; value: unknown } | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    return { text, value: JSON.parse(text) }
  } catch {
    return null
  }
}
