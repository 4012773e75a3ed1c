import fc from 'fast-check'
import { expect, it } from 'vitest'
import { shopDialects } from '../../../server/shops/dialects.ts'
import { guestId, isSigned, signatureOf } from '../../../server/shops/shop.ts'
import { createShopFetch, mayCall } from '../../../server/shops/shop-http.ts'
import { shopifyCustomerAnswer, shopifyOrderAnswer, wooCustomerAnswer, wooOrderAnswer } from './recorded-answers.ts'

const { shopify, woocommerce } = shopDialects

it('accepts the signature that openssl computes, and no other', () => {
  const body = Buffer.from('{"id":820982911946154508,"email":"jon@example.com"}')
  const signature = 'qN7kf+FRPcDcf/CjWQ17Zloxq+wn7PWuOSUzrEHKNFI='
  expect(signatureOf('shpss_vector', body)).toBe(signature)
  const given = [signature, signature.toLowerCase(), `${signature} `, '', undefined]
  expect(given.map((header) => isSigned('shpss_vector', body, header))).toEqual([true, false, false, false, false])
  expect(isSigned('another', body, signature)).toBe(false)
})

it('reads the documented order and customer of Shopify', () => {
  expect(shopify.readOrder(shopifyOrderAnswer)).toEqual({
    row: {
      id: '450789469',
      number: '#1001',
      status: 'confirmed',
      currency: 'USD',
      total: '199.65',
      paid: '199.65',
      payment: 'approved',
      items: [{ name: 'IPod Nano - 8gb – red', quantity: 1, unit_price: '199.00' }],
      createdAt: '2008-01-10T11:00:00-05:00',
      updatedAt: '2008-01-10T11:00:00-05:00',
      customer: {
        id: '207119551',
        first_name: 'Bob',
        last_name: 'Norman',
        company_name: null,
        email: 'bob.norman@mail.example.com',
        phone: '+16136120707',
        updatedAt: '2008-01-10T11:00:00-05:00',
      },
    },
  })
  expect(shopify.readCustomer(shopifyCustomerAnswer)).toEqual({
    row: {
      id: '207119551',
      first_name: 'Bob',
      last_name: 'Norman',
      company_name: 'Norman Ltd',
      email: 'bob.norman@mail.example.com',
      phone: '+16136120707',
      updatedAt: '2023-10-03T13:24:47-04:00',
    },
  })
})

it('reads the documented order and customer of WooCommerce', () => {
  const guest = {
    first_name: 'John',
    last_name: 'Doe',
    company_name: null,
    email: 'john.doe@example.com',
    phone: '(555) 555-5555',
  }
  expect(woocommerce.readOrder(wooOrderAnswer)).toEqual({
    row: {
      id: '727',
      number: '#727',
      status: 'processing',
      currency: 'USD',
      total: '29.35',
      paid: '29.35',
      payment: 'approved',
      items: [
        { name: 'Woo Single #1', quantity: 2, unit_price: '3.00' },
        { name: 'Ship Your Idea – Color: Black, Size: M Test', quantity: 1, unit_price: '12.00' },
      ],
      createdAt: '2017-03-22T19:28:02Z',
      updatedAt: '2017-03-22T19:28:08Z',
      customer: { ...guest, id: guestId('john.doe@example.com'), updatedAt: '2017-03-22T19:28:08Z' },
    },
  })
  expect(woocommerce.readCustomer(wooCustomerAnswer)).toEqual({
    row: { ...guest, id: '25', updatedAt: '2017-03-21T19:09:30Z' },
  })
})

it.each([
  [{ cancelled_at: '2008-01-11T11:00:00-05:00', fulfillment_status: 'fulfilled' }, 'cancelled'],
  [{ fulfillment_status: 'fulfilled' }, 'shipped'],
  [{ fulfillment_status: 'fulfilled', closed_at: '2008-01-11T11:00:00-05:00' }, 'completed'],
  [{ financial_status: 'refunded' }, 'cancelled'],
  [{ financial_status: 'refunded', fulfillment_status: 'fulfilled' }, 'shipped'],
  [{ financial_status: 'voided' }, 'cancelled'],
  [{ fulfillment_status: 'restocked' }, 'cancelled'],
  [{ fulfillment_status: 'partial' }, 'processing'],
  [{ closed_at: '2008-01-11T11:00:00-05:00' }, 'completed'],
  [{ financial_status: 'pending' }, 'pending'],
  [{ financial_status: 'authorized' }, 'pending'],
  [{ financial_status: 'paid' }, 'confirmed'],
  [{ financial_status: 'partially_paid' }, 'confirmed'],
])('an order of Shopify with %o is %s', (change, status) => {
  expect(shopify.readOrder({ ...shopifyOrderAnswer, ...change })).toMatchObject({ row: { status } })
})

it.each([
  ['pending', 'pending'],
  ['on-hold', 'pending'],
  ['processing', 'processing'],
  ['completed', 'completed'],
  ['cancelled', 'cancelled'],
  ['refunded', 'cancelled'],
  ['failed', 'rejected'],
  ['trash', 'cancelled'],
  ['wc-packed', 'wc-packed'],
])('an order of WooCommerce with the status %s is %s', (given, status) => {
  expect(woocommerce.readOrder({ ...wooOrderAnswer, status: given })).toMatchObject({ row: { status } })
})

it.each([
  ['shopify', { financial_status: 'pending', total_outstanding: '199.65' }, '199.65', '199.65', 'pending'],
  ['shopify', { financial_status: 'partially_paid', total_outstanding: '99.65' }, '199.65', '100.00', 'approved'],
  [
    'shopify',
    { financial_status: 'refunded', current_total_price: '0.00', total_outstanding: '0.00' },
    '0.00',
    '598.94',
    'refunded',
  ],
  [
    'shopify',
    { financial_status: 'voided', current_total_price: '0.00', total_outstanding: '0.00' },
    '0.00',
    '598.94',
    'rejected',
  ],
  ['woocommerce', { date_paid_gmt: null }, '29.35', '29.35', 'pending'],
  ['woocommerce', { date_paid_gmt: null, status: 'failed' }, '29.35', '29.35', 'rejected'],
  ['woocommerce', { refunds: [{ id: 1, reason: '', total: '-9.35' }] }, '20.00', '20.00', 'approved'],
  ['woocommerce', { status: 'refunded', refunds: [{ id: 1, total: '-29.35' }] }, '0.00', '29.35', 'refunded'],
] as const)(
  'of an order of %s with %o the total is %s and the payment %s, %s',
  (kind, change, total, paid, payment) => {
    const order = kind === 'shopify' ? shopifyOrderAnswer : wooOrderAnswer
    expect(shopDialects[kind].readOrder({ ...order, ...change })).toMatchObject({ row: { total, paid, payment } })
  },
)

it('tells the number of a row that it cannot read, and ignores what has none or is not placed', () => {
  for (const dialect of [shopify, woocommerce]) {
    const unreadable = { unreadable: { id: '7', updatedAt: '1970-01-01T00:00:00.000Z' } }
    expect([dialect.readOrder({ id: 7 }), dialect.readCustomer({ id: 7, email: 5 })]).toEqual([unreadable, unreadable])
    expect([dialect.readOrder('x'), dialect.readCustomer({})]).toEqual([null, null])
  }
  expect(woocommerce.readOrder({ ...wooOrderAnswer, status: 'checkout-draft' })).toBeNull()
})

it('an order without any contact names nobody', () => {
  const woo = { ...wooOrderAnswer, billing: { first_name: '', last_name: '', email: '', phone: '' } }
  const till = { ...shopifyOrderAnswer, customer: null, email: '', phone: null, billing_address: null }
  expect([woocommerce.readOrder(woo), shopify.readOrder(till)]).toMatchObject([
    { row: { customer: null } },
    { row: { customer: null } },
  ])
})

it.each([
  ['balay.myshopify.com', 'balay.myshopify.com'],
  [' https://Balay.myshopify.com/admin ', 'balay.myshopify.com'],
  ['balay.example.com', null],
  ['a.myshopify.com.evil.example', null],
  ['evil.example/a.myshopify.com', null],
])('the domain %s of Shopify is stored as %s', (typed, stored) => {
  expect(shopify.normalizedAddress(typed)).toBe(stored)
})

it.each([
  ['tinda.example', 'https://tinda.example'],
  ['https://www.tinda.example/shop/', 'https://www.tinda.example/shop'],
  ['http://tinda.example', null],
  ['https://user:password@tinda.example', null],
  ['https://localhost', null],
  ['https://127.0.0.1', null],
  ['https://192.168.1.7', null],
  ['https://169.254.169.254', null],
  ['https://[::1]', null],
  ['ftp://tinda.example', null],
])('the address %s of WooCommerce is stored as %s', (typed, stored) => {
  expect(woocommerce.normalizedAddress(typed)).toBe(stored)
})

it('does not connect to a host name that points to a private address', async () => {
  const tried: string[] = []
  const fetch = createShopFetch({
    lookup: (hostname, _, callback) => {
      tried.push(hostname)
      callback(null, [{ address: '10.0.0.7', family: 4 }])
    },
  })
  const ask = (address: string) => fetch({ method: 'GET', url: new URL(address), headers: {} })
  await expect(ask('https://tinda.example/wp-json')).rejects.toMatchObject({ code: 'unreachable' })
  await expect(ask('https://10.0.0.7/wp-json')).rejects.toMatchObject({ code: 'address' })
  expect([tried, mayCall(new URL('https://[fd00::1]/'))]).toEqual([['tinda.example'], false])
})

it('reads every row of WooCommerce that is not deleted once, while rows are deleted and added between two pages', async () => {
  const credentials = { key: 'k', secret: 's', webhookSecret: 'w' }
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 350 }),
      fc.array(fc.tuple(fc.nat({ max: 400 }), fc.nat({ max: 150 }), fc.nat({ max: 20 })), { maxLength: 6 }),
      async (count, changes) => {
        let rows = Array.from({ length: count }, (_, index) => ({ id: index + 1 }))
        let added = count
        const deleted = new Set<number>()
        const call: Parameters<typeof woocommerce.open>[1] = async ({ url }) => {
          const [offset, limit] = ['offset', 'per_page'].map((name) => Number(url.searchParams.get(name)))
          const text = JSON.stringify(rows.slice(offset, Number(offset) + Number(limit)))
          return { status: 200, text, header: (name) => (name === 'x-wp-total' ? String(rows.length) : null) }
        }
        const api = woocommerce.open({ address: 'https://tinda.example', credentials }, call, true)
        const read: unknown[] = []
        const pending = [...changes]
        let cursor: string | null = null
        do {
          const page = await api.page('orders', { cursor, since: null })
          read.push(...page.rows.map((row) => (row as { id: number }).id))
          cursor = page.next
          const [from, length, more] = pending.shift() ?? [0, 0, 0]
          for (const { id } of rows.splice(from, length)) deleted.add(id)
          rows = [...rows, ...Array.from({ length: more }, () => ({ id: ++added }))]
        } while (cursor !== null)
        const missed = rows.filter(({ id }) => id <= Math.max(0, ...(read as number[])) && !read.includes(id))
        expect([missed, read.length]).toEqual([[], new Set(read).size])
        if (changes.length === 0) expect(read).toEqual(rows.map(({ id }) => id))
      },
    ),
  )
})
