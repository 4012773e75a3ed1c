import { totalOf } from './records.ts'
import type { StandInCustomer, StandInOrder, StandInRow } from './tables.ts'

/** Rows in the form of each API, as its documentation shows them. */

const money = (cents: number) => (cents / 100).toFixed(2)

const shopifyCustomerId = 207_119_550_000
const shopifyOrderId = 450_789_460_000
/** The Customer resource of the Admin REST API. */
export function shopifyCustomer({ id, data, updated_at }: StandInRow<StandInCustomer>) {
  const at = withOffset(updated_at)
  return {
    id: shopifyCustomerId + id,
    email: data.email,
    created_at: at,
    updated_at: at,
    first_name: data.firstName,
    last_name: data.lastName,
    state: 'disabled',
    note: null,
    verified_email: true,
    tags: '',
    currency: 'PHP',
    phone: data.phone || null,
    admin_graphql_api_id: `gid://shopify/Customer/${shopifyCustomerId + id}`,
    default_address: shopifyAddress(data),
  }
}

const shopifyAddress = (data: StandInCustomer) => ({
  first_name: data.firstName,
  last_name: data.lastName,
  company: data.company || null,
  address1: '12 Rizal Street',
  city: 'Quezon City',
  country: 'Philippines',
  phone: data.phone || null,
})

/** The Order resource of the Admin REST API, which its webhooks have too. */
export function shopifyOrder({ id, data, updated_at }: StandInRow<StandInOrder>) {
  const total = totalOf(data)
  const isCancelled = data.state === 'cancelled'
  const isPaid = data.state === 'paid' || data.state === 'fulfilled'
  const current = isCancelled ? 0 : total - data.refunded
  const at = withOffset(updated_at)
  return {
    id: shopifyOrderId + id,
    admin_graphql_api_id: `gid://shopify/Order/${shopifyOrderId + id}`,
    name: `#${id}`,
    order_number: id,
    currency: data.currency,
    total_price: money(total),
    current_total_price: money(current),
    total_outstanding: money(isPaid || isCancelled ? 0 : current),
    financial_status: isCancelled
      ? 'voided'
      : !isPaid
        ? 'pending'
        : data.refunded === 0
          ? 'paid'
          : data.refunded < total
            ? 'partially_refunded'
            : 'refunded',
    fulfillment_status: data.state === 'fulfilled' ? 'fulfilled' : null,
    cancelled_at: isCancelled ? at : null,
    closed_at: null,
    created_at: withOffset(new Date(data.createdAt)),
    updated_at: at,
    email: data.buyer?.email ?? '',
    phone: data.buyer?.phone || null,
    customer:
      data.customer === null || data.buyer === null
        ? null
        : shopifyCustomer({ id: data.customer, data: data.buyer, updated_at }),
    billing_address: data.buyer === null ? null : shopifyAddress(data.buyer),
    line_items: data.items.map(({ name, quantity, price }, index) => ({
      id: shopifyOrderId + id * 10 + index,
      title: name,
      variant_title: null,
      name,
      quantity,
      current_quantity: quantity,
      price: money(price),
      sku: '',
    })),
    refunds:
      data.refunded === 0
        ? []
        : [{ id, transactions: [{ kind: 'refund', status: 'success', amount: money(data.refunded) }] }],
  }
}

/** Shopify gives times in the time zone of the shop. */
const withOffset = (at: Date) => `${new Date(at.getTime() + 8 * 60 * 60_000).toISOString().slice(0, 19)}+08:00`

const gmt = (at: Date) => at.toISOString().slice(0, 19)

/** The customer of the REST API v3. */
export function wooCustomer({ id, data, updated_at }: StandInRow<StandInCustomer>) {
  return {
    id,
    date_created: gmt(updated_at),
    date_created_gmt: gmt(updated_at),
    date_modified: gmt(updated_at),
    date_modified_gmt: gmt(updated_at),
    email: data.email,
    first_name: data.firstName,
    last_name: data.lastName,
    role: 'customer',
    username: data.email,
    billing: wooBilling(data),
    is_paying_customer: false,
    meta_data: [],
  }
}

const wooBilling = (data: StandInCustomer) => ({
  first_name: data.firstName,
  last_name: data.lastName,
  company: data.company,
  address_1: '12 Rizal Street',
  address_2: '',
  city: 'Quezon City',
  state: '',
  postcode: '1100',
  country: 'PH',
  email: data.email,
  phone: data.phone,
})

const noBilling = wooBilling({ firstName: '', lastName: '', email: '', phone: '', company: '' })

const wooStatuses = { open: 'pending', paid: 'processing', fulfilled: 'completed', cancelled: 'cancelled' } as const

/** The order of the REST API v3, which its webhooks have too. */
export function wooOrder({ id, data, updated_at }: StandInRow<StandInOrder>) {
  const isPaid = data.state === 'paid' || data.state === 'fulfilled'
  const total = totalOf(data)
  const created = gmt(new Date(data.createdAt))
  return {
    id,
    parent_id: 0,
    number: String(id),
    order_key: `wc_order_${id}`,
    created_via: 'checkout',
    version: '9.8.0',
    status: isPaid && data.refunded >= total ? 'refunded' : wooStatuses[data.state],
    currency: data.currency,
    date_created: created,
    date_created_gmt: created,
    date_modified: gmt(updated_at),
    date_modified_gmt: gmt(updated_at),
    discount_total: '0.00',
    shipping_total: '0.00',
    total: money(total),
    prices_include_tax: false,
    customer_id: data.customer ?? 0,
    billing: data.buyer === null ? noBilling : wooBilling(data.buyer),
    payment_method: 'bacs',
    date_paid: isPaid ? created : null,
    date_paid_gmt: isPaid ? created : null,
    line_items: data.items.map(({ name, quantity, price }, index) => ({
      id: id * 10 + index,
      name,
      product_id: 93,
      variation_id: 0,
      quantity,
      subtotal: money(price * quantity),
      total: money(price * quantity),
      sku: '',
      price: price / 100,
    })),
    refunds: data.refunded === 0 ? [] : [{ id: id * 10, reason: '', total: `-${money(data.refunded)}` }],
  }
}
