import { sql } from 'kysely'
import type { Clock } from '../../clock.ts'
import type { Logger } from '../../logger.ts'
import { signatureOf } from '../../network/webhooks/signature.ts'
import { readFaults } from './faults.ts'
import type { SandboxDb } from './tables.ts'

const batchSize = 20
/** Longer than posting a delivery takes. */
const leaseDuration = 15_000
const maxBackoff = 30_000

export type Deliveries = ReturnType<typeof createDeliveries>

/** Posts queued webhooks with a signature until the app responds 200. Like the real network, guarantees no order. */
export function createDeliveries({
  db,
  clock,
  appSecret,
  webhookUrl,
  fetch: request = fetch,
  logger,
}: {
  db: SandboxDb
  clock: Clock
  appSecret: string
  webhookUrl: () => string
  fetch?: typeof fetch
  logger: Logger
}) {
  async function claim() {
    const { holdWebhooks, reverseWebhooks } = await readFaults(db)
    if (holdWebhooks) return []
    const now = new Date(clock.now())
    const rows = await db
      .updateTable('sandbox.webhooks')
      .set((row) => ({ due_at: new Date(clock.now() + leaseDuration), attempts: row('attempts', '+', 1) }))
      .where('id', 'in', (due) =>
        due
          .selectFrom('sandbox.webhooks')
          .select('id')
          .where('due_at', '<=', now)
          .orderBy('id', reverseWebhooks ? 'desc' : 'asc')
          .limit(batchSize)
          .forUpdate()
          .skipLocked(),
      )
      .returningAll()
      .execute()
    return rows.sort((one, other) => (reverseWebhooks ? other.id - one.id : one.id - other.id))
  }

  async function post({ id, body, attempts }: { id: number; body: string; attempts: number }): Promise<void> {
    const status = await deliver(body)
    if (status === 200) {
      await db.deleteFrom('sandbox.webhooks').where('id', '=', id).execute()
      return
    }
    logger.debug({ status, attempts }, 'a sandbox webhook was not accepted')
    const backoff = Math.min(500 * 2 ** (attempts - 1), maxBackoff)
    await db
      .updateTable('sandbox.webhooks')
      .set({ due_at: new Date(clock.now() + backoff) })
      .where('id', '=', id)
      .execute()
  }

  async function deliver(body: string): Promise<number | null> {
    const bytes = Buffer.from(escaped(body))
    try {
      const response = await request(webhookUrl(), {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-hub-signature-256': signatureOf(appSecret, bytes) },
        body: bytes,
        signal: AbortSignal.timeout(10_000),
      })
      await response.arrayBuffer()
      return response.status
    } catch {
      return null
    }
  }

  return {
    deliver,

    /** Posts all due webhooks. */
    async work(): Promise<void> {
      for (;;) {
        const rows = await claim()
        const { reverseWebhooks } = await readFaults(db)
        if (reverseWebhooks) for (const row of rows) await post(row)
        else await Promise.all(rows.map(post))
        if (rows.length < batchSize) return
      }
    },

    /** The number of undelivered webhooks. */
    async waiting(): Promise<number> {
      const row = await db
        .selectFrom('sandbox.webhooks')
        .select(sql<number>`count(*)::integer`.as('count'))
        .executeTakeFirstOrThrow()
      return row.count
    },
  }
}

/** The network escapes non-ASCII characters before it signs and sends. */
function escaped(json: string): string {
  return json.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
}
