import { sql } from 'kysely'
import { importLimits } from '../../src/schemas/import.ts'
import { cleanText } from '../clean-text.ts'
import type { GivenItem, GivenOrder, Stored, StoredRow } from './batch.ts'
import { findOrders } from './look-ups.ts'
import { noOrder, refusal, type Writing } from './store-each.ts'

export const toItem = ({ name, quantity, unit_price }: GivenOrder['items'][number]) => ({
  name: cleanText(name),
  quantity,
  ...(unit_price == null ? {} : { unit_price }),
})

type StoredItem = ReturnType<typeof toItem> & { external_id?: string }

/** Merges the items into their orders, each once by its external id, sorted by it. Items without one come first. */
export async function storeItems(
  { trx, isDryRun, earlier }: Writing,
  items: readonly GivenItem[],
): Promise<Stored['items']> {
  const orderIdOf = await findOrders(trx, items)
  const ids = [...new Set(items.flatMap((item) => orderIdOf(item) ?? []))]
  const held = new Map(
    ids.length === 0
      ? []
      : (await trx.selectFrom('orders').select(['id', 'items', 'external_id']).where('id', 'in', ids).execute()).map(
          (order) =>
            [order.id, { items: order.items as readonly StoredItem[], isOwn: order.external_id === null }] as const,
        ),
  )
  const before = await earlier?.items(ids)
  const taken = new Set([...(before ?? [])].flatMap(([id, of]) => [...of.ids].map((itemId) => itemKey(id, itemId))))
  const touched = new Set<string>()
  const stored = new Map<string, StoredRow>()
  for (const given of items) {
    const { external_id, order, itemId } = given
    const id = orderIdOf(given)
    const found = held.get(id ?? '')
    if (id === undefined || found === undefined) {
      stored.set(external_id, { external_id, ...noOrder(order) })
      continue
    }
    // The total of an order that was made here is that of its items.
    if (found.isOwn) {
      stored.set(external_id, { external_id, ...refusal('This order was made in the inbox and keeps its items.') })
      continue
    }
    // A file may name an order by its id and by its number.
    if (taken.has(itemKey(id, itemId))) {
      stored.set(external_id, {
        external_id,
        ...refusal('An earlier row of the file has the same item of this order.'),
      })
      continue
    }
    const known = found.items
    const item = { ...toItem(given), external_id: itemId }
    const stands = known.find((one) => one.external_id === itemId)
    const others = known.filter((one) => one !== stands)
    if (stands === undefined && others.length + (before?.get(id)?.created ?? 0) >= importLimits.items) {
      stored.set(external_id, { external_id, ...refusal(`The order has ${importLimits.items} items already.`) })
      continue
    }
    taken.add(itemKey(id, itemId))
    const isSame = stands !== undefined && itemColumns.every((column) => stands[column] === item[column])
    stored.set(external_id, {
      external_id,
      id,
      result: stands === undefined ? 'created' : isSame ? 'unchanged' : 'changed',
    })
    if (isSame) continue
    held.set(id, { ...found, items: [...others, item].sort(byExternalId) })
    touched.add(id)
  }
  if (isDryRun || touched.size === 0) return stored
  const rows = [...touched].sort().map((id) => ({ id, items: held.get(id)?.items }))
  await sql`update orders set items = given.items
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as given (id text, items jsonb)
    where orders.id = given.id`.execute(trx)
  return stored
}

const itemKey = (order: string, itemId: string) => JSON.stringify([order, itemId])

const itemColumns = ['name', 'quantity', 'unit_price'] as const
const collator = new Intl.Collator('en', { numeric: true })
const byExternalId = (a: StoredItem, b: StoredItem): number => {
  const [one = '', other = ''] = [a.external_id, b.external_id]
  return collator.compare(one, other) || (one < other ? -1 : Number(one > other))
}
