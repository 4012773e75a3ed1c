import { randomBytes, randomUUID } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import { type ConnectShopBody, type Shop, type ShopPhase, shopLimits } from '../../src/schemas/shop.ts'
import { type AuditActor, recordAudit } from '../audit/audit.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import { inTransaction } from '../database/transaction.ts'
import { seal } from '../sealing.ts'
import type { DerivedKeys } from '../secrets.ts'
import { shopDialects } from './dialects.ts'
import { ShopError } from './shop-error.ts'
import type { ShopCalls } from './shop-http.ts'
import { credentialsOf, type DeliveryUrl, type ShopRow } from './shop-row.ts'
import type { ShopRuns } from './shop-runs.ts'

/** A shop cannot be connected, for a reason that no call of the shop can find. The message is for staff. */
export class ShopRefused extends Error {
  override readonly name = 'ShopRefused'
  readonly status: 409 | 422
  constructor(status: 409 | 422, message: string) {
    super(message)
    this.status = status
  }
}

/** A longer address would make external ids too long. Characters. */
const longestAddress = 100

export type Shops = ReturnType<typeof createShops>

/** Connects and disconnects the shops of the business. Refusals are ShopRefused and ShopError. */
export function createShops({
  db,
  keys,
  call,
  runs,
  deliveryUrl,
  clock,
}: {
  db: Db
  keys: DerivedKeys
  call: ShopCalls
  runs: Pick<ShopRuns, 'queue'>
  deliveryUrl: DeliveryUrl
  clock: Pick<Clock, 'now'>
}) {
  const now = () => new Date(clock.now())

  async function list(ids?: readonly string[]): Promise<Shop[]> {
    let found = db.selectFrom('shops').selectAll()
    if (ids !== undefined) found = found.where('id', 'in', [...ids])
    const shops = await found.orderBy('connected_at').orderBy('id').execute()
    if (shops.length === 0) return []
    const { rows: counts } = await sql<{ shop_id: string; clients: number; orders: number; refused: number }>`
      select shop_id,
        (count(*) filter (where kind = 'client' and reason is null))::integer as clients,
        (count(*) filter (where kind = 'order' and reason is null))::integer as orders,
        (count(*) filter (where reason is not null))::integer as refused
      from shop_rows where shop_id = any(${shops.map(({ id }) => id)}::text[]) group by shop_id`.execute(db)
    const refusals = await Promise.all(
      shops.map(({ id }) =>
        db
          .selectFrom('shop_rows')
          .select(['kind', 'number', sql<string>`reason`.as('reason')])
          .where('shop_id', '=', id)
          .where('reason', 'is not', null)
          .orderBy('version', 'desc')
          .orderBy('external_id')
          .limit(shopLimits.refusals)
          .execute(),
      ),
    )
    return shops.map((shop, index) => {
      const { clients = 0, orders = 0, refused = 0 } = counts.find(({ shop_id }) => shop_id === shop.id) ?? {}
      return { ...toAnswer(shop), clients, orders, refused, refusals: refusals[index] ?? [] }
    })
  }

  const findRow = (trx: Db | Transaction<Tables>, id: string) =>
    trx.selectFrom('shops').selectAll().where('id', '=', id).executeTakeFirst()

  async function find(id: string): Promise<Shop | null> {
    return (await list([id]))[0] ?? null
  }

  return {
    list: () => list(),
    find,

    /** Checks the key with the shop, registers webhooks there, stores the shop and begins its first fill. */
    async connect(body: ConnectShopBody, by: AuditActor): Promise<Shop> {
      const dialect = shopDialects[body.kind]
      const address = dialect.normalizedAddress(body.address)
      if (address === null || address.length > longestAddress)
        throw new ShopRefused(422, body.kind === 'shopify' ? wrongDomain : wrongSite)
      const before = await db
        .selectFrom('shops')
        .selectAll()
        .where('kind', '=', body.kind)
        .where('address', '=', address)
        .executeTakeFirst()
      const id = before?.id ?? randomUUID()
      const deliveries = deliveryUrl({ kind: body.kind, address, id })
      if (deliveries === null) throw new ShopRefused(409, noPublicAddress)
      if (before === undefined && (await countShops(db)) >= shopLimits.shops) throw tooMany()

      // The webhooks that are registered have the secret of the earlier connection.
      const made = before === undefined ? null : earlierSecret(keys, before)
      const credentials = {
        key: body.key,
        secret: body.secret,
        webhookSecret: dialect.webhookSecretOf(body, made ?? randomBytes(32).toString('base64url')),
      }
      const api = dialect.open({ address, credentials }, call, false)
      const name = await api.verify()
      await api.registerWebhooks(deliveries)

      await inTransaction(db, async (trx) => {
        await sql`select pg_advisory_xact_lock(hashtextextended('staff-inbox shops', 0))`.execute(trx)
        if (before === undefined && (await countShops(trx)) >= shopLimits.shops) throw tooMany()
        const values = {
          name,
          credentials_encrypted: seal(keys, JSON.stringify(credentials), { context: id }),
          key_refused_since: null,
          unreachable_since: null,
          updated_at: now(),
        }
        await trx
          .insertInto('shops')
          .values({ ...values, id, kind: body.kind, address, connected_by: by.staffId, connected_at: now() })
          .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
          .execute()
        await runs.queue(trx, id)
        await recordAudit(trx, {
          at: clock.now(),
          by,
          action: 'shop.connected',
          row: { kind: 'shop', id },
          details: { kind: body.kind, address },
        })
      })
      const shop = await find(id)
      if (shop === null) throw new Error('a shop is missing right after it was connected')
      return shop
    },

    /** Begins a run that reads what changed; joins one that is running. Null if there is no such shop. */
    async sync(id: string, by: AuditActor): Promise<Shop | null> {
      await inTransaction(db, async (trx) => {
        if (!(await runs.queue(trx, id))) return
        const row = { kind: 'shop', id } as const
        await recordAudit(trx, { at: clock.now(), by, action: 'shop.sync-started', row })
      })
      return find(id)
    },

    /** Stops the run; what it stored stays. Null if there is no such shop. */
    async cancel(id: string): Promise<Shop | null> {
      await db
        .updateTable('shops')
        .set({ run_state: 'idle', run_id: null, error: null, updated_at: now() })
        .where('id', '=', id)
        .execute()
      return find(id)
    },

    /**
     * Removes the webhooks and the key; clients and orders stay. False if the webhooks could not be removed there. Null if
     * there is no such shop.
     */
    async disconnect(id: string, by: AuditActor): Promise<{ removed: boolean } | null> {
      const shop = await findRow(db, id)
      if (shop === undefined) return null
      const removed = await removeWebhooks(shop)
      await inTransaction(db, async (trx) => {
        const gone = await trx.deleteFrom('shops').where('id', '=', id).returning('id').executeTakeFirst()
        if (gone === undefined) return
        const details = { kind: shop.kind, address: shop.address }
        await recordAudit(trx, {
          at: clock.now(),
          by,
          action: 'shop.disconnected',
          row: { kind: 'shop', id },
          details,
        })
      })
      return { removed }
    },
  }

  async function removeWebhooks(shop: ShopRow): Promise<boolean> {
    const deliveries = deliveryUrl(shop)
    if (deliveries === null) return false
    try {
      const credentials = credentialsOf(keys, shop)
      await shopDialects[shop.kind].open({ address: shop.address, credentials }, call, false).removeWebhooks(deliveries)
      return true
    } catch (error) {
      if (error instanceof ShopError) return false
      throw error
    }
  }
}

const earlierSecret = (keys: DerivedKeys, shop: ShopRow): string | null => {
  try {
    return credentialsOf(keys, shop).webhookSecret
  } catch {
    return null
  }
}

const wrongDomain = 'Enter the domain of the shop as Shopify names it: it ends with .myshopify.com.'
const wrongSite = 'Enter the address of the shop. It must begin with https:// and be reachable from the internet.'
const noPublicAddress =
  'This server has no public address to which the shop could send orders. Ask your operator to set PUBLIC_URL.'
const tooMany = () => new ShopRefused(409, `There are ${shopLimits.shops} shops. Disconnect one first.`)

async function countShops(trx: Db | Transaction<Tables>): Promise<number> {
  const { count } = await trx
    .selectFrom('shops')
    .select(sql<number>`count(*)::integer`.as('count'))
    .executeTakeFirstOrThrow()
  return count
}

function toAnswer(shop: ShopRow): Omit<Shop, 'clients' | 'orders' | 'refused' | 'refusals'> {
  const phase: ShopPhase = shop.phase
  return {
    id: shop.id,
    kind: shop.kind,
    name: shop.name,
    address: shop.address,
    state:
      shop.key_refused_since !== null ? 'key-refused' : shop.unreachable_since !== null ? 'unreachable' : 'connected',
    connected_at: shop.connected_at.toISOString(),
    synced_until: shop.synced_until?.toISOString() ?? null,
    run: shop.run_state === 'idle' ? null : { phase, done: shop.done, total: shop.total },
    error: shop.error,
  }
}
