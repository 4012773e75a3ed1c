import type { Order } from '../../schemas/order.ts'
import { safeName } from '../shown-text.ts'
import { orderNameOf } from './client-orders.ts'
import { type Cents, centsOf } from './money.ts'
import { newestFirst, paidOf } from './orders.ts'

/** What changed of an order since a summary was made. `order` is its name. */
export type SummaryChange = { order: string } & (
  | { type: 'added'; total: Cents }
  | { type: 'removed' }
  | { type: 'status'; before: string; after: string }
  | { type: 'total' | 'paid'; before: Cents; after: Cents }
)

const statusOf = ({ status }: Order): string => safeName((status ?? '').replaceAll('_', ' ')).toLowerCase()

/** The changes between two answers about the orders of a client, newest order first. Only what a summary tells counts. */
export function changesBetween(before: readonly Order[], after: readonly Order[]): SummaryChange[] {
  const known = new Map(before.map((order) => [order.id, order]))
  const kept = new Set(after.map(({ id }) => id))
  const changed = newestFirst(after).flatMap((order): SummaryChange[] => {
    const name = orderNameOf(order)
    const old = known.get(order.id)
    const total = centsOf(order.total_amount)
    if (old === undefined) return [{ order: name, type: 'added', total }]
    const amounts = [
      { type: 'total', before: centsOf(old.total_amount), after: total },
      { type: 'paid', before: paidOf(old), after: paidOf(order) },
    ] as const
    const [was, is] = [statusOf(old), statusOf(order)]
    return [
      ...(was === is ? [] : [{ order: name, type: 'status' as const, before: was, after: is }]),
      ...amounts.filter((one) => one.before !== one.after).map((one) => ({ order: name, ...one })),
    ]
  })
  const removed = newestFirst(before).filter(({ id }) => !kept.has(id))
  return [...changed, ...removed.map((order) => ({ order: orderNameOf(order), type: 'removed' as const }))]
}
