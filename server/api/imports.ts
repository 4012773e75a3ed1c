import type { Context } from 'hono'
import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import * as z from 'zod/mini'
import type { ApiScope } from '../../src/schemas/api-key.ts'
import {
  externalId,
  type ImportedRow,
  importAnswer,
  importBody,
  importedAnswer,
  importedClient,
  importedOrder,
  importedPayment,
} from '../../src/schemas/import.ts'
import { type AuditActor, recordAudit } from '../audit/audit.ts'
import { createAttempts } from '../auth/attempts.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import { authenticateKey, type KeyHolder, mayImport } from '../imports/api-keys.ts'
import { type Batch, emptyBatch, type Stored, type StoredRow } from '../imports/batch.ts'
import { storeImports } from '../imports/store-imports.ts'
import type { ErasedPeople } from '../people/erased-people.ts'
import { described, refuse, refuseTooMany, valid } from './answers.ts'
import { bearerToken, sourceOf } from './authentication.ts'

type WithKey = { Variables: { key: KeyHolder; actor: AuditActor } }

const tag = 'Import'
/** Requests of one key within `window`, in milliseconds. */
const maxRequests = 600
const window = 60_000

const byExternalId = z.object({ external_id: externalId })
const withExternalId = z.looseObject({ external_id: externalId })

const kinds = {
  clients: { schema: importedClient, scope: 'clients.import' },
  orders: { schema: importedOrder, scope: 'orders.import' },
  payments: { schema: importedPayment, scope: 'orders.import' },
} as const satisfies Record<Exclude<keyof Batch, 'items' | 'products'>, { schema: z.ZodMiniType; scope: ApiScope }>
type Kind = keyof typeof kinds

/**
 * Clients, orders and payments of other programs, to be mounted at /api/import. The bearer token is an API key. Every call
 * is idempotent: a row is stored once by its external id.
 */
export function createImportRoutes({
  db,
  erasedPeople,
  clock,
  addressOf,
}: {
  db: Db
  erasedPeople: Pick<ErasedPeople, 'hashesOfClient'>
  clock: Clock
  addressOf: (c: Context) => string
}) {
  const attempts = createAttempts({ db, clock })

  const authenticated = createMiddleware<WithKey>(async (c, next) => {
    const secret = bearerToken(c.req.header('authorization'))
    const key = secret === null ? null : await authenticateKey(db, secret, new Date(clock.now()))
    if (key === null) return refuse(c, 401, 'The API key is missing, unknown or revoked')
    const taken = await attempts.take([{ key: `api-key ${key.id}`, max: maxRequests, window }])
    if (taken === null) {
      c.header('retry-after', String(window / 1000))
      return refuseTooMany(c)
    }
    c.set('key', key)
    c.set('actor', { ...sourceOf(c, addressOf), staffId: null, name: `API key ${key.name}` })
    return next()
  })

  const store = (c: Context<WithKey>, batch: Batch): Promise<Stored> =>
    storeImports(db, batch, { erasedPeople }, async (trx, stored) => {
      const details = Object.fromEntries(
        Object.entries(stored).flatMap(([kind, rows]) =>
          (['created', 'changed'] as const).flatMap((result) => {
            const count = [...rows.values()].filter((row) => row.result === result).length
            return count === 0 ? [] : [[`${kind}_${result}`, count]]
          }),
        ),
      )
      if (Object.keys(details).length === 0) return
      const row = { kind: 'api-key', id: c.get('key').id } as const
      await recordAudit(trx, { at: clock.now(), by: c.get('actor'), action: 'import.stored', row, details })
    })

  const app = new Hono<WithKey>().use(authenticated)
  for (const kind of ['clients', 'orders', 'payments'] as const) {
    const { schema, scope } = kinds[kind]
    app.put(
      `/${kind}/:external_id`,
      described({
        tag,
        guard: 'token',
        takesBody: true,
        summary: summaries[kind],
        answer: importedAnswer,
        refusals: {
          403: 'The key lacks the scope',
          422: 'The row names a row that does not exist, an erased client, or an order number that is taken',
          429: tooMany,
        },
      }),
      valid('param', byExternalId),
      valid('json', schema),
      async (c) => {
        if (!mayImport(c.get('key'), scope)) return refuse(c, 403, `This key lacks the scope ${scope}`)
        const { external_id } = c.req.valid('param')
        const row = { external_id, ...c.req.valid('json') }
        const stored = (await store(c, { ...emptyBatch, [kind]: [row] }))[kind].get(external_id)
        if (stored === undefined) throw new Error('an imported row is missing right after the import')
        if ('reason' in stored) return refuse(c, 422, stored.reason)
        const { id, result } = stored
        return c.json({ success: true, data: { id, result } } satisfies z.infer<typeof importedAnswer>)
      },
    )
  }
  return app.post(
    '/',
    described({
      tag,
      guard: 'token',
      takesBody: true,
      summary: 'Store up to 1,000 clients, orders and payments; a wrong row refuses only itself',
      answer: importAnswer,
      refusals: { 429: tooMany },
    }),
    valid('json', importBody),
    async (c) => {
      const body = c.req.valid('json')
      const checked = {
        clients: checkedRows(c.get('key'), 'clients', body.clients),
        orders: checkedRows(c.get('key'), 'orders', body.orders),
        payments: checkedRows(c.get('key'), 'payments', body.payments),
      }
      const stored = await store(c, {
        ...emptyBatch,
        clients: valuesIn(checked.clients),
        orders: valuesIn(checked.orders),
        payments: valuesIn(checked.payments),
      })
      const data = {
        clients: resultsOf(checked.clients, stored.clients),
        orders: resultsOf(checked.orders, stored.orders),
        payments: resultsOf(checked.payments, stored.payments),
      }
      return c.json({ success: true, data } satisfies z.infer<typeof importAnswer>)
    },
  )
}

const tooMany = `More than ${maxRequests} requests in a minute`

const summaries: Record<Kind, string> = {
  clients: 'Store a client by its id in another program',
  orders: 'Store an order of a client by its id in another program',
  payments: 'Store a payment of an order by its id in another program',
}

type Checked<Value> = { value: Value } | { refused: ImportedRow }

/** Checks each row alone: its external id, its fields, the scope of the key, and that no earlier row has the same id. */
function checkedRows<K extends Kind>(key: KeyHolder, kind: K, rows: readonly unknown[]): Checked<Batch[K][number]>[] {
  const { schema, scope } = kinds[kind]
  const seen = new Set<string>()
  return rows.map((row) => {
    const identified = withExternalId.safeParse(row)
    const refused = (external_id: string | null, reason: string) =>
      ({ refused: { external_id, result: 'refused', reason } }) as const
    if (!identified.success) return refused(null, 'external_id is not valid')
    const { external_id } = identified.data
    if (!mayImport(key, scope)) return refused(external_id, `This key lacks the scope ${scope}`)
    if (seen.has(external_id)) return refused(external_id, 'An earlier row has the same external_id')
    seen.add(external_id)
    const parsed = schema.safeParse(row)
    if (!parsed.success) {
      const path = parsed.error.issues[0]?.path.join('.')
      return refused(external_id, path ? `${path} is not valid` : 'The row is not valid')
    }
    return { value: { external_id, ...parsed.data } as Batch[K][number] }
  })
}

const valuesIn = <Value>(checked: readonly Checked<Value>[]): Value[] =>
  checked.flatMap((row) => ('value' in row ? [row.value] : []))

function resultsOf<Value extends { external_id: string }>(
  checked: readonly Checked<Value>[],
  stored: ReadonlyMap<string, StoredRow>,
): ImportedRow[] {
  return checked.map((row) => {
    if ('refused' in row) return row.refused
    const result = stored.get(row.value.external_id)
    if (result === undefined) throw new Error('an imported row is missing right after the import')
    return 'reason' in result ? { ...result, result: 'refused' } : result
  })
}
