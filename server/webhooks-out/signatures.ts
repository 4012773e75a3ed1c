import { createHmac, randomBytes } from 'node:crypto'

/** The prefix of Standard Webhooks (https://www.standardwebhooks.com); the key in base64 follows. */
const prefix = 'whsec_'

/** A new secret with a key of 32 bytes. */
export const newWebhookSecret = (): string => prefix + randomBytes(32).toString('base64')

/**
 * The headers of Standard Webhooks for a body. `secrets`: all that sign; a receiver accepts any of the signatures.
 * `now` in milliseconds.
 */
export function signedHeaders({
  id,
  body,
  secrets,
  now,
}: {
  id: string
  body: string
  secrets: readonly string[]
  now: number
}): Record<string, string> {
  const timestamp = Math.floor(now / 1_000)
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(prefix.length), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
  })
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  }
}
