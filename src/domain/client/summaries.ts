import { businessOf } from '../../schemas/business.ts'
import { languageOf } from '../../schemas/customer-language.ts'
import { type SummaryOrder, summaryWordLength } from '../../schemas/draft.ts'
import type { Order } from '../../schemas/order.ts'
import { type CustomerText, customerTexts } from '../../texts/customers.ts'
import { fitsInMessage } from '../send/text-limit.ts'
import { safeName } from '../shown-text.ts'
import { businessDay } from './business-day.ts'
import type { SummaryForm } from './client-calls.ts'
import { orderNameOf } from './client-orders.ts'
import { type Cents, centsOf, formatMoney } from './money.ts'
import {
  type Account,
  accountOf,
  balanceOf,
  countedPaymentsOf,
  isCancelled,
  newestFirst,
  overpaidOf,
  paidOf,
} from './orders.ts'

type Writer = {
  t: ReturnType<typeof customerTexts>
  money: (amount: Cents) => string
  day: (moment: string) => string
}

/** Dates are in the language of the customer, in the country of the business. */
function writerOf({ language: chosen, business: told }: SummaryForm): Writer {
  const language = languageOf(chosen)
  const business = businessOf({ business: told })
  const { region } = new Intl.Locale(business.locale)
  const locale = region === undefined ? language : `${language}-${region}`
  return {
    t: customerTexts(language),
    money: (amount) => formatMoney(amount, business),
    day: (moment) => businessDay(moment, business, locale),
  }
}

const statuses: ReadonlyMap<string, CustomerText> = new Map([
  ['', 'customers.status.received'],
  ['pending', 'customers.status.pending'],
  ['processing', 'customers.status.processing'],
  ['in progress', 'customers.status.in_progress'],
  ['confirmed', 'customers.status.confirmed'],
  ['ready', 'customers.status.ready'],
  ['shipped', 'customers.status.shipped'],
  ['completed', 'customers.status.completed'],
  ['cancelled', 'customers.status.cancelled'],
  ['rejected', 'customers.status.rejected'],
])

const wordsOf = (status: string | null | undefined): string => safeName((status ?? '').replaceAll('_', ' '))

const cut = (text: string): string => text.slice(0, summaryWordLength)

/** What a summary tells of an order. */
export const summaryOrderOf = (order: Order): SummaryOrder => ({
  id: order.id,
  name: cut(orderNameOf(order)),
  status: cut(wordsOf(order.status).toLowerCase()),
  total: centsOf(order.total_amount),
  paid: paidOf(order),
  created_at: order.created_at,
})

/** A status as shown to customers. One without a text of its own is shown as words: `to_be_packed` becomes 'To be packed'. */
const statusText = ({ t }: Writer, { status }: Order): string => {
  const words = wordsOf(status)
  const text = statuses.get(words.toLowerCase())
  return text === undefined ? words.charAt(0).toUpperCase() + words.slice(1) : t(text)
}

const orderLine = ({ t, day }: Writer, order: Order, text: string): string =>
  t('customers.order', { number: safeName(order.order_number ?? '') || order.id, date: day(order.created_at), text })

/**
 * The text that the composer's Orders button inserts, for staff to review and send (spec section 2): the newest orders
 * with date, status and amounts, as many as fit in one message. Without a platform, the text fits the limits of all
 * platforms.
 */
export function ordersSummary(orders: readonly Order[], form: SummaryForm): string {
  const writer = writerOf(form)
  const { t } = writer
  if (orders.length === 0) return t('customers.noOrders')
  const account = accountOf(orders)
  return composed({
    opening: t('customers.ordersOpening'),
    blocks: newestFirst(orders).map((order) => orderBlock(writer, order)),
    leftOut: (count) => t('customers.earlierOrders', { count }),
    closing: [
      t('customers.inAll', { count: account.orders, pending: account.pending }),
      ...accountLines(writer, account),
      t('customers.thanks'),
    ],
    platform: form.platform,
  })
}

function orderBlock(writer: Writer, order: Order): string {
  const { t, money } = writer
  const [paid, overpaid, balance] = [paidOf(order), overpaidOf(order), balanceOf(order)]
  const amounts = [
    t('customers.orderTotal', { amount: money(centsOf(order.total_amount)) }),
    ...(paid !== 0 && (balance > 0 || overpaid > 0 || isCancelled(order))
      ? [t('customers.orderPaid', { amount: money(paid) })]
      : []),
    ...(overpaid > 0 ? [t('customers.orderOverpaid', { amount: money(overpaid) })] : []),
    ...(balance > 0 ? [t('customers.orderBalance', { amount: money(balance) })] : []),
    ...(balance === 0 && overpaid === 0 && !isCancelled(order) ? [t('customers.orderFullyPaid')] : []),
  ]
  return [orderLine(writer, order, statusText(writer, order)), amounts.join(', ')].join('\n')
}

/**
 * The text that the composer's Payments button inserts (spec section 2): the paid amount and the balance of each order,
 * as many orders as fit in one message, orders with a balance first. Payments that do not count are omitted.
 */
export function paymentsSummary(orders: readonly Order[], form: SummaryForm): string {
  const writer = writerOf(form)
  const { t } = writer
  const listed = newestFirst(orders).filter((order) => balanceOf(order) > 0 || countedPaymentsOf(order).length > 0)
  if (listed.length === 0) return t('customers.noPayments')
  return composed({
    opening: t('customers.paymentsOpening'),
    blocks: [
      ...listed.filter((order) => balanceOf(order) > 0),
      ...listed.filter((order) => balanceOf(order) === 0),
    ].map((order) => paymentBlock(writer, order)),
    leftOut: (count) => t('customers.moreOrders', { count }),
    closing: [...accountLines(writer, accountOf(orders)), t('customers.thanks')],
    platform: form.platform,
  })
}

function paymentBlock(writer: Writer, order: Order): string {
  const { t, money, day } = writer
  const [overpaid, balance] = [overpaidOf(order), balanceOf(order)]
  const total = money(centsOf(order.total_amount))
  const payments = countedPaymentsOf(order).map(({ amount, created_at }) =>
    created_at == null
      ? t('customers.received', { amount: money(centsOf(amount)) })
      : t('customers.receivedOn', { amount: money(centsOf(amount)), date: day(created_at) }),
  )
  return [
    orderLine(writer, order, isCancelled(order) ? `${total}, ${statusText(writer, order).toLowerCase()}` : total),
    ...(payments.length === 0 ? [t('customers.nothingReceived')] : payments),
    ...(isCancelled(order) ? [] : [stateLine()]),
  ].join('\n')

  function stateLine(): string {
    if (overpaid > 0) return t('customers.overpaidBy', { amount: money(overpaid) })
    return balance === 0 ? t('customers.fullyPaid') : t('customers.balanceOf', { amount: money(balance) })
  }
}

/** Total, paid and overpaid amounts and the balance, such that total − paid + overpaid = balance, and what is not included. */
function accountLines({ t, money }: Writer, { total, paid, overpaid, balance, calledOff }: Account): string[] {
  const count = calledOff.orders
  return [
    t('customers.total', { amount: money(total) }),
    t('customers.paid', { amount: money(paid) }),
    ...(overpaid > 0 ? [t('customers.overpaid', { amount: money(overpaid) })] : []),
    balance === 0 ? t('customers.nothingToPay') : t('customers.balance', { amount: money(balance) }),
    ...(count === 0
      ? []
      : [
          calledOff.paid === 0
            ? t('customers.calledOff', { count })
            : t('customers.calledOffPaid', { count, amount: money(calledOff.paid) }),
        ]),
  ]
}

/** Adds blocks in order while they fit, and states how many were omitted. */
function composed({
  opening,
  blocks,
  leftOut,
  closing,
  platform,
}: {
  opening: string
  blocks: string[]
  leftOut: (count: number) => string
  closing: string[]
  platform: SummaryForm['platform']
}): string {
  const textWith = (count: number): string => {
    const missing = blocks.length - count
    const parts = [opening, ...blocks.slice(0, count), ...(missing > 0 ? [leftOut(missing)] : []), closing.join('\n')]
    return parts.join('\n\n')
  }
  let count = 0
  while (count < blocks.length && fitsInMessage(textWith(count + 1), platform)) count += 1
  return textWith(count)
}
