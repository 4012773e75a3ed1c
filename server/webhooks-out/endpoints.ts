import { randomUUID } from 'node:crypto'
import type { Transaction } from 'kysely'
import { type WebhookBody, type WebhookEndpoint, webhookLimits } from '../../src/schemas/webhook.ts'
import { type AuditActor, recordAudit, serverActor } from '../audit/audit.ts'
import { cleanText } from '../clean-text.ts'
import type { Db } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import { inTransaction } from '../database/transaction.ts'
import { seal, unseal } from '../sealing.ts'
import type { DerivedKeys } from '../secrets.ts'
import { hostOf, isAllowedAddress } from './addresses.ts'
import { storeTestEvent } from './events.ts'
import { newWebhookSecret } from './signatures.ts'

/** The purpose of the keys that seal the secrets of endpoints. A sealed secret belongs to the id of its endpoint. */
export const webhookSecretPurpose = 'webhook secrets'

/** Milliseconds that a replaced secret signs beside the new one, so that receivers can change over. */
const changeover = 24 * 60 * 60_000

const shown = [
  'id',
  'url',
  'description',
  'events',
  'is_active',
  'disabled_reason',
  'disabled_at',
  'failing_since',
  'created_by',
  'created_at',
] as const

const toApi = <Row extends { disabled_at: Date | null; failing_since: Date | null; created_at: Date }>(row: Row) => ({
  ...row,
  disabled_at: row.disabled_at?.toISOString() ?? null,
  failing_since: row.failing_since?.toISOString() ?? null,
  created_at: row.created_at.toISOString(),
})

const lockEndpoint = (trx: Transaction<Tables>, id: string) =>
  trx.selectFrom('webhook_endpoints').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

type By = { by: AuditActor; now: Date }

/** Stops what waits for the endpoint: it can be sent again by hand. */
const failWaiting = (trx: Transaction<Tables>, id: string) =>
  trx
    .updateTable('webhook_deliveries')
    .set({ state: 'failed', error: 'endpoint_off', is_running: false })
    .where('endpoint_id', '=', id)
    .where('state', '=', 'waiting')
    .execute()

export type WebhookEndpoints = ReturnType<typeof createWebhookEndpoints>

/** The endpoints, for administrators. `origins`: those that may also be http or private. */
export function createWebhookEndpoints({
  db,
  keys,
  origins,
}: {
  db: Db
  keys: DerivedKeys
  origins: readonly string[]
}) {
  const eventsOf = ({ events }: WebhookBody) => [...new Set(events)].sort()
  const valuesOf = (body: WebhookBody) => ({
    url: new URL(body.url).href,
    description: cleanText(body.description),
    events: JSON.stringify(eventsOf(body)),
    is_active: body.is_active,
  })

  async function list(): Promise<WebhookEndpoint[]> {
    const rows = await db
      .selectFrom('webhook_endpoints')
      .select(shown)
      .orderBy('created_at', 'desc')
      .orderBy('id')
      .execute()
    return rows.map(toApi)
  }

  return {
    /** Newest first. */
    list,

    /** Returns the endpoint with its secret, which is only stored sealed. */
    async create(
      body: WebhookBody,
      { by, now }: By,
    ): Promise<{ endpoint: WebhookEndpoint; secret: string } | 'notAllowed' | 'tooMany'> {
      if (!isAllowedAddress(body.url, origins)) return 'notAllowed'
      const id = randomUUID()
      const secret = newWebhookSecret()
      return inTransaction(db, async (trx) => {
        const { count } = await trx
          .selectFrom('webhook_endpoints')
          .select((rows) => rows.fn.countAll().as('count'))
          .executeTakeFirstOrThrow()
        if (Number(count) >= webhookLimits.endpoints) return 'tooMany'
        const created = await trx
          .insertInto('webhook_endpoints')
          .values({
            id,
            ...valuesOf(body),
            secret_encrypted: seal(keys, secret, { context: id }),
            created_by: by.name ?? '',
            created_at: now,
          })
          .returning(shown)
          .executeTakeFirstOrThrow()
        await recordAudit(trx, {
          at: now.getTime(),
          by,
          action: 'webhook.created',
          row: { kind: 'webhook', id },
          details: { host: hostOf(created.url), events: created.events, active: created.is_active },
        })
        return { endpoint: toApi(created), secret }
      })
    },

    /** Switching an endpoint on forgets why it was off; switching it off fails what waits. */
    async change(id: string, body: WebhookBody, { by, now }: By): Promise<'changed' | 'missing' | 'notAllowed'> {
      if (!isAllowedAddress(body.url, origins)) return 'notAllowed'
      return inTransaction(db, async (trx) => {
        const before = await lockEndpoint(trx, id)
        if (before === undefined) return 'missing'
        const values = valuesOf(body)
        const isSwitchedOn = body.is_active && !before.is_active
        const isElsewhere = values.url !== before.url
        await trx
          .updateTable('webhook_endpoints')
          .set({
            ...values,
            ...(isSwitchedOn ? { disabled_reason: null, disabled_at: null } : {}),
            ...(isSwitchedOn || isElsewhere ? { failing_since: null } : {}),
          })
          .where('id', '=', id)
          .execute()
        if (!body.is_active) await failWaiting(trx, id)
        await recordAudit(trx, {
          at: now.getTime(),
          by,
          action: 'webhook.changed',
          row: { kind: 'webhook', id },
          details: { host: hostOf(values.url), events: eventsOf(body), active: body.is_active },
        })
        return 'changed'
      })
    },

    /** Deletes an endpoint with its log. Idempotent. */
    delete: (id: string, { by, now }: By): Promise<void> =>
      inTransaction(db, async (trx) => {
        const deleted = await trx
          .deleteFrom('webhook_endpoints')
          .where('id', '=', id)
          .returning('url')
          .executeTakeFirst()
        if (deleted === undefined) return
        await recordAudit(trx, {
          at: now.getTime(),
          by,
          action: 'webhook.deleted',
          row: { kind: 'webhook', id },
          details: { host: hostOf(deleted.url) },
        })
      }),

    /** Returns the new secret; null if the endpoint is unknown. The earlier one also signs for `changeover`. */
    replaceSecret: (id: string, { by, now }: By): Promise<string | null> =>
      inTransaction(db, async (trx) => {
        const before = await lockEndpoint(trx, id)
        if (before === undefined) return null
        const secret = newWebhookSecret()
        await trx
          .updateTable('webhook_endpoints')
          .set({
            secret_encrypted: seal(keys, secret, { context: id }),
            previous_encrypted: before.secret_encrypted,
            previous_until: new Date(now.getTime() + changeover),
          })
          .where('id', '=', id)
          .execute()
        await recordAudit(trx, {
          at: now.getTime(),
          by,
          action: 'webhook.secret-replaced',
          row: { kind: 'webhook', id },
          details: { host: hostOf(before.url) },
        })
        return secret
      }),

    /** Stores a test event for the endpoint. */
    test: (id: string, now: Date): Promise<'stored' | 'missing' | 'off'> =>
      inTransaction(db, async (trx) => {
        const endpoint = await lockEndpoint(trx, id)
        if (endpoint === undefined) return 'missing'
        if (!endpoint.is_active) return 'off'
        await storeTestEvent(trx, id, now)
        return 'stored'
      }),
  }
}

/** Switches an endpoint off that does not work, and fails what waits for it. */
export const switchOff = (db: Db, id: string, reason: 'failures' | 'gone', now: Date): Promise<void> =>
  inTransaction(db, async (trx) => {
    const before = await lockEndpoint(trx, id)
    if (before === undefined || !before.is_active) return
    await trx
      .updateTable('webhook_endpoints')
      .set({ is_active: false, disabled_reason: reason, disabled_at: now })
      .where('id', '=', id)
      .execute()
    await failWaiting(trx, id)
    await recordAudit(trx, {
      at: now.getTime(),
      by: serverActor,
      action: 'webhook.disabled',
      row: { kind: 'webhook', id },
      details: { host: hostOf(before.url), cause: reason },
    })
  })

/** The secrets that sign at `now`, newest first; null if the newest cannot be read with the keys. */
export function secretsOf(
  keys: DerivedKeys,
  endpoint: { id: string; secret_encrypted: string; previous_encrypted: string | null; previous_until: Date | null },
  now: number,
): string[] | null {
  const context = endpoint.id
  const secret = unseal(keys, endpoint.secret_encrypted, { context })
  if (secret === null) return null
  const { previous_encrypted: previous, previous_until: until } = endpoint
  const earlier =
    previous === null || until === null || until.getTime() <= now ? null : unseal(keys, previous, { context })
  return earlier === null ? [secret] : [secret, earlier]
}
