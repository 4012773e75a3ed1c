import { chatOrderLimits, type NewItem } from '../../schemas/chat-order.ts'
import { type Cents, sumOf } from './money.ts'

type Item = Pick<NewItem, 'quantity' | 'unit_price'>
type Amounts = { items: readonly Item[]; discount: Cents; delivery_fee: Cents }

/** Quantity times price in cents, rounded half up. The quantity has at most 3 decimals. */
export const lineTotal = ({ quantity, unit_price }: Item): Cents =>
  Number((BigInt(Math.round(quantity * 1_000)) * BigInt(unit_price) + 500n) / 1_000n)

/** The sum of the items and the total of an order in cents. The server stores the total that it calculates here. */
export function orderAmounts({ items, discount, delivery_fee }: Amounts): { items: Cents; total: Cents } {
  const sum = sumOf(items.map(lineTotal))
  return { items: sum, total: sum - discount + delivery_fee }
}

/** Why an order cannot have these amounts; null if it can. The form and the server refuse by the same rule. */
export function amountsProblem(order: Amounts): 'discountAboveItems' | 'totalTooLarge' | null {
  const { items, total } = orderAmounts(order)
  if (order.discount > items) return 'discountAboveItems'
  return total > chatOrderLimits.total ? 'totalTooLarge' : null
}
