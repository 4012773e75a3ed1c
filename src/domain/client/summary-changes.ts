import type { SummaryOrder } from '../../schemas/draft.ts'
import type { Cents } from './money.ts'
import { newestFirst } from './orders.ts'

/** What changed of an order since a summary was made. `order` is its name. */
export type SummaryChange = { order: string } & (
  | { type: 'added'; total: Cents }
  | { type: 'removed' }
  | { type: 'status'; before: string; after: string }
  | { type: 'total' | 'paid'; before: Cents; after: Cents }
)

/** The changes between two answers about the orders of a client, newest order first. */
export function changesBetween(before: readonly SummaryOrder[], after: readonly SummaryOrder[]): SummaryChange[] {
  const known = new Map(before.map((order) => [order.id, order]))
  const kept = new Set(after.map(({ id }) => id))
  const changed = newestFirst(after).flatMap(({ id, name, status, total, paid }): SummaryChange[] => {
    const old = known.get(id)
    if (old === undefined) return [{ order: name, type: 'added', total }]
    const amounts = [
      { type: 'total', before: old.total, after: total },
      { type: 'paid', before: old.paid, after: paid },
    ] as const
    return [
      ...(old.status === status ? [] : [{ order: name, type: 'status' as const, before: old.status, after: status }]),
      ...amounts.filter((one) => one.before !== one.after).map((one) => ({ order: name, ...one })),
    ]
  })
  const removed = newestFirst(before).filter(({ id }) => !kept.has(id))
  return [...changed, ...removed.map(({ name }) => ({ order: name, type: 'removed' as const }))]
}
