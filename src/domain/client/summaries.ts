import type { Platform } from '../../schemas/conversation.ts'
import type { Order } from '../../schemas/order.ts'
import { fitsInMessage } from '../send/text-limit.ts'
import { safeName } from '../shown-text.ts'
import { centsOf, formatMoney } from './money.ts'
import { balanceOf, countedPaymentsOf, isCancelled, newestFirst, paidOf, totalsOf } from './orders.ts'

type Block = { lines: string[] }

/** Dates use the time zone of the business, not that of the browser. */
const dates = new Intl.DateTimeFormat('en-PH', { dateStyle: 'medium', timeZone: 'Asia/Manila' })
const dateOf = (moment: string): string => dates.format(Date.parse(moment))

const numberOf = (order: Order): string => `Order ${safeName(order.order_number ?? '') || order.id}`

/** A status as shown to customers: `in_progress` becomes 'In progress'. */
const statusText = (status: string | null | undefined): string => {
  const words = safeName((status ?? '').replaceAll('_', ' '))
  return words === '' ? 'Received' : words.charAt(0).toUpperCase() + words.slice(1)
}

const counted = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`

/**
 * The text that the composer's Orders button inserts, for staff to review and send (spec section 2): the newest orders
 * with date, status, amount and balance, as many as fit in one message. Without a platform, the text fits the limits of
 * all platforms.
 */
export function ordersSummary(orders: readonly Order[], platform: Platform | null = null): string {
  if (orders.length === 0) return 'Hello! We have no orders on record for you yet. Please tell us if we can help.'
  const { pending, outstanding } = totalsOf(orders)
  return composed({
    opening: 'Hello! Here is a summary of your orders with us:',
    blocks: newestFirst(orders).map((order) => ({ lines: orderLines(order) })),
    leftOut: (count) => `… and ${counted(count, 'earlier order', 'earlier orders')}.`,
    closing: [
      `In all: ${counted(orders.length, 'order', 'orders')}, ${pending} in progress.`,
      balanceLine(outstanding),
      'Thank you!',
    ],
    platform,
  })
}

function orderLines(order: Order): string[] {
  const balance = balanceOf(order)
  const parts = [`Total ${formatMoney(centsOf(order.total_amount))}`]
  if (!isCancelled(order)) parts.push(balance === 0 ? 'fully paid' : `balance ${formatMoney(balance)}`)
  return [`${numberOf(order)} (${dateOf(order.created_at)}): ${statusText(order.status)}`, parts.join(', ')]
}

/**
 * The text that the composer's Payments button inserts (spec section 2): the paid amount and the balance of each order,
 * as many orders as fit in one message, orders with a balance first. Payments that do not count are omitted.
 */
export function paymentsSummary(orders: readonly Order[], platform: Platform | null = null): string {
  const listed = newestFirst(orders).filter((order) => balanceOf(order) > 0 || paidOf(order) > 0)
  if (listed.length === 0) return 'Hello! We have no payments on record for you yet, and there is nothing to pay.'
  const { spent, outstanding } = totalsOf(orders)
  return composed({
    opening: 'Hello! Here is a summary of your payments:',
    blocks: [
      ...listed.filter((order) => balanceOf(order) > 0),
      ...listed.filter((order) => balanceOf(order) === 0),
    ].map((order) => ({ lines: paymentLines(order) })),
    leftOut: (count) => `… and ${counted(count, 'more order', 'more orders')}.`,
    closing: [`Paid in all: ${formatMoney(spent)}.`, balanceLine(outstanding), 'Thank you!'],
    platform,
  })
}

function paymentLines(order: Order): string[] {
  const balance = balanceOf(order)
  const payments = countedPaymentsOf(order).map(({ amount, created_at }) => {
    const day = created_at == null ? '' : ` on ${dateOf(created_at)}`
    return `- ${formatMoney(centsOf(amount))} received${day}`
  })
  return [
    `${numberOf(order)} (${dateOf(order.created_at)}): ${formatMoney(centsOf(order.total_amount))}${isCancelled(order) ? `, ${statusText(order.status).toLowerCase()}` : ''}`,
    ...(payments.length === 0 ? ['- No payment received yet'] : payments),
    ...(isCancelled(order) ? [] : [balance === 0 ? 'Fully paid' : `Balance ${formatMoney(balance)}`]),
  ]
}

const balanceLine = (outstanding: number): string =>
  outstanding === 0 ? 'There is nothing left to pay.' : `Balance to pay: ${formatMoney(outstanding)}.`

/** Adds blocks in order while they fit, and states how many were omitted. */
function composed({
  opening,
  blocks,
  leftOut,
  closing,
  platform,
}: {
  opening: string
  blocks: Block[]
  leftOut: (count: number) => string
  closing: string[]
  platform: Platform | null
}): string {
  const textWith = (count: number): string => {
    const missing = blocks.length - count
    const shown = blocks.slice(0, count).map(({ lines }) => lines.join('\n'))
    const parts = [opening, ...shown, ...(missing > 0 ? [leftOut(missing)] : []), closing.join('\n')]
    return parts.join('\n\n')
  }
  let count = 0
  while (count < blocks.length && fitsInMessage(textWith(count + 1), platform)) count += 1
  return textWith(count)
}
