import { describe, expect, it } from 'vitest'
import type { OrderChange } from '../../../src/domain/client/chat-order-calls.ts'
import {
  amountsOf,
  emptyOrder,
  type OrderFields,
  offeredSources,
  orderToMake,
  withNewItem,
  withoutItem,
} from '../../../src/domain/client/new-order.ts'
import {
  emptyPayment,
  excessOf,
  offeredAmount,
  offeredOrders,
  paymentToRecord,
} from '../../../src/domain/client/new-payment.ts'
import { amountsProblem, lineTotal, orderAmounts } from '../../../src/domain/client/order-amounts.ts'
import {
  isAllowedChange,
  needsQuestion,
  nextOrderStatuses,
  nextPaymentStatuses,
  orderSteps,
  paymentSteps,
} from '../../../src/domain/client/order-steps.ts'
import { accountOf } from '../../../src/domain/client/orders.ts'
import { amountText, typedCents, typedQuantity } from '../../../src/domain/client/typed-amounts.ts'
import { receiptsIn, sourcesIn } from '../../../src/domain/thread/order-sources.ts'
import { newOrderBody, orderStatuses, paymentStatuses } from '../../../src/schemas/chat-order.ts'
import { detailsOf } from '../../model/client/chat-orders-fixture.ts'
import { orderOf } from '../../model/client/clients-fixture.ts'
import { messageOf } from '../message-fixture.ts'

/** Random numbers that are the same in each run. */
function numbers(seed: number) {
  let state = seed
  return (most: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0
    return state % (most + 1)
  }
}

describe('The total of an order', () => {
  it.each([
    [1, 5, 5],
    [0.5, 5, 3],
    [0.333, 10_005, 3_332],
    [0.001, 499, 0],
    [0.001, 500, 1],
    [10_000, 1_000_000_000, 10_000_000_000_000],
    [1.005, 1_000, 1_005],
  ])('%d at %d cents costs %d cents', (quantity, unit_price, total) =>
    expect(lineTotal({ quantity, unit_price })).toBe(total),
  )

  it('is exact for generated orders: items − discount + delivery fee, whatever the order of the items', () => {
    const random = numbers(7)
    for (let round = 0; round < 300; round += 1) {
      const items = Array.from({ length: random(6) + 1 }, () => ({
        quantity: (random(9_999_999) + 1) / 1_000,
        unit_price: random(1_000_000),
      }))
      const sum = items.reduce(
        (all, { quantity, unit_price }) =>
          all + (BigInt(Math.round(quantity * 1_000)) * BigInt(unit_price) + 500n) / 1_000n,
        0n,
      )
      const [discount, delivery_fee] = [random(Number(sum)), random(100_000)]
      const amounts = { items: Number(sum), total: Number(sum) - discount + delivery_fee }
      expect(orderAmounts({ items, discount, delivery_fee })).toEqual(amounts)
      expect(orderAmounts({ items: items.toReversed(), discount, delivery_fee })).toEqual(amounts)
      expect(Number.isSafeInteger(amounts.total)).toBe(true)
    }
  })

  it('refuses a discount above the items, and a total that the database cannot hold', () => {
    const items = [{ quantity: 1, unit_price: 100 }]
    expect(amountsProblem({ items, discount: 100, delivery_fee: 0 })).toBeNull()
    expect(amountsProblem({ items, discount: 101, delivery_fee: 500 })).toBe('discountAboveItems')
    const many = [{ quantity: 101, unit_price: 1_000_000_000 }]
    expect(amountsProblem({ items: many, discount: 0, delivery_fee: 0 })).toBe('totalTooLarge')
  })
})

describe('The steps', () => {
  it('lead only to statuses that exist, and never to the status itself', () => {
    for (const status of orderStatuses) {
      expect(orderSteps[status]).not.toContain(status)
      expect(orderStatuses).toEqual(expect.arrayContaining([...orderSteps[status]]))
    }
    for (const status of paymentStatuses) expect(paymentSteps[status]).not.toContain(status)
  })

  it('reach every status of an order from pending, and completed is the only end', () => {
    const reached = new Set<string>(['pending'])
    for (let size = 0; size < reached.size; ) {
      size = reached.size
      for (const status of orderStatuses)
        if (reached.has(status)) for (const next of orderSteps[status]) reached.add(next)
    }
    expect([...reached].toSorted()).toEqual([...orderStatuses].toSorted())
    expect(orderStatuses.filter((status) => orderSteps[status].length === 0)).toEqual(['completed'])
  })

  it.each([
    [{ status: ' Ready ', is_imported: false }, ['shipped', 'completed', 'cancelled']],
    [{ status: 'ready', is_imported: true }, []],
    [{ status: 'to_be_packed', is_imported: false }, []],
    [{ status: null, is_imported: false }, []],
    [{ status: 'toString', is_imported: false }, []],
  ])('of an order with %j are %j', (order, steps) => expect(nextOrderStatuses(order)).toEqual(steps))

  it('that cancel or reject are asked about first', () => {
    const asked = (kind: OrderChange['kind'], steps: Readonly<Record<string, readonly string[]>>) =>
      Object.values(steps)
        .flat()
        .filter((to) => needsQuestion({ kind, to } as OrderChange))
    expect(new Set(asked('order', orderSteps))).toEqual(new Set(['rejected', 'cancelled']))
    expect(new Set(asked('payment', paymentSteps))).toEqual(new Set(['rejected']))
  })

  it('decide a payment once, and take a decision back first', () => {
    const next = (status: string) => nextPaymentStatuses({ status, is_imported: false })
    expect(['pending', 'approved', 'rejected', 'completed'].map(next)).toEqual([
      ['approved', 'rejected'],
      ['pending'],
      ['pending'],
      [],
    ])
  })
})

describe('A payment that is not approved', () => {
  it('counts in no summary: neither as paid nor as overpaid', () => {
    const order = orderOf('o1', {
      payments: [
        { amount: 30, status: 'approved' },
        { amount: 100, status: 'pending' },
        { amount: 70, status: 'rejected' },
      ],
    })
    expect(accountOf([order])).toMatchObject({ total: 10_000, paid: 3_000, overpaid: 0, balance: 7_000 })
  })
})

describe('Typed amounts', () => {
  it.each([
    ['', 0],
    ['0', 0],
    ['5', 500],
    ['5.', null],
    ['5.5', 550],
    ['1,250.05', 125_005],
    ['1,2505', null],
    ['1 250', 125_000],
    ['10000000', 1_000_000_000],
    ['10000000.01', null],
    ['-5', null],
    ['1e3', null],
    ['₱5', null],
    ['5.005', null],
  ])('%j are %j cents', (text, cents) => expect(typedCents(text)).toBe(cents))

  it('are read again as they are written', () => {
    const random = numbers(11)
    for (let round = 0; round < 500; round += 1) {
      const cents = random(1_000_000_000)
      expect(typedCents(amountText(cents))).toBe(cents)
    }
  })

  it.each([
    ['2', 2],
    [' 0.125 ', 0.125],
    ['0', null],
    ['0.000', null],
    ['10000', 10_000],
    ['10000.001', null],
    ['1.0001', null],
    ['', null],
    ['-1', null],
  ])('the quantity %j is %j', (text, quantity) => expect(typedQuantity(text)).toBe(quantity))
})

describe('The fields of a new order', () => {
  const fields: OrderFields = {
    items: [{ key: 0, name: ' Mug ', quantity: '2', price: '1,250.50' }],
    discount: '',
    deliveryFee: '60',
    messageId: 'm1',
    attachment: 1,
  }

  it('become a body that the server accepts', () => {
    const body = orderToMake(fields, { id: '6a2f3ec8-6f0d-4c3e-9a53-3c7e0d7ac001', clientId: 'k1' })
    expect(newOrderBody.parse(body)).toEqual({
      id: '6a2f3ec8-6f0d-4c3e-9a53-3c7e0d7ac001',
      client_id: 'k1',
      message_id: 'm1',
      attachment: 1,
      items: [{ name: 'Mug', quantity: 2, unit_price: 125_050 }],
      discount: 0,
      delivery_fee: 6_000,
    })
    expect(amountsOf(fields)).toEqual({ items: 250_100, total: 256_100 })
  })

  it('always have an item, each with a key of its own', () => {
    const [first] = emptyOrder(null).items
    const two = withNewItem(emptyOrder(null).items)
    expect(two.map(({ key }) => key)).toEqual([0, 1])
    expect(withNewItem(withoutItem(two, 0)).map(({ key }) => key)).toEqual([1, 2])
    expect(withoutItem([first ?? fail()], 0)).toEqual([first])
  })
})

const fail = (): never => {
  throw new Error('the form has no item')
}

describe('The messages that an order may come from', () => {
  const picture = { name: 'a.jpg', image_data: { url: 'https://cdn.example/a.jpg' } }

  it('are the last 20 of the customer, newest first, and always the chosen one', () => {
    const image = messageOf('picture', 0, { message_text: null, attachments: { data: [picture] } })
    const messages = [
      image,
      messageOf('ours', 1, { direction: 'outgoing' }),
      messageOf('empty', 2, { message_text: ' ' }),
      ...Array.from({ length: 20 }, (_, index) => messageOf(`m${index}`, 3 + index, { message_text: `Text ${index}` })),
      messageOf('long', 30, { message_text: 'a'.repeat(100) }),
    ]
    const idsOf = (sources: ReturnType<typeof sourcesIn>) => sources.map(({ id }) => id)
    const newest = ['long', ...Array.from({ length: 19 }, (_, index) => `m${19 - index}`)]
    expect(idsOf(sourcesIn(messages, null))).toEqual(newest)
    expect(idsOf(sourcesIn(messages, messages.at(-1) ?? null))).toEqual(newest)
    expect(idsOf(sourcesIn(messages, image))).toEqual([...newest, 'picture'])
    // The thread has not loaded this message.
    expect(idsOf(sourcesIn(messages.slice(1), image))).toEqual([...newest, 'picture'])
    expect(sourcesIn(messages, image).at(-1)?.text).toBeNull()
    expect(sourcesIn(messages, null)[0]?.text).toBe(`${'a'.repeat(60)}…`)
    const album = messageOf('album', 31, {
      attachments: { data: [{ file_data: { url: '/a.pdf' } }, picture, picture] },
    })
    const offered = offeredSources(sourcesIn([album, image], null))
    expect(offered.map(({ source, attachment }) => [source.id, attachment])).toEqual([
      ['picture', null],
      ['album', null],
      ['album', 1],
      ['album', 2],
    ])
  })
})

describe('A step', () => {
  const order = detailsOf({ status: 'pending' })
  it.each([
    ['of an order begins at the shown status', { kind: 'order', from: 'pending', to: 'confirmed' }, true],
    ['of an order that has moved is refused', { kind: 'order', from: 'confirmed', to: 'processing' }, false],
    ['of an order leads where the rules say', { kind: 'order', from: 'pending', to: 'shipped' }, false],
  ] as const)('%s', (_, change, isAllowed) => {
    expect(isAllowedChange(order, change)).toBe(isAllowed)
  })
})

const receipts = [
  { messageId: 'm1', url: 'https://cdn.example/1.jpg', name: '1.jpg', place: 2 },
  { messageId: 'm2', url: 'https://cdn.example/2.jpg', name: '2.jpg', place: 0 },
]

describe('The request for a payment', () => {
  it.each([
    [' 0917-1 ', '0917-1'],
    [' ', null],
  ])('has the reference %j as %j', (reference, stored) => {
    const begun = emptyPayment([orderOf('o1')], { orderId: null, pictures: receipts })
    const fields = { ...begun, amount: '1,250.50', reference }
    expect(paymentToRecord(fields, { id: 'p1', pictures: receipts })).toEqual({
      orderId: 'o1',
      body: {
        id: 'p1',
        amount: 125_050,
        method: fields.method,
        reference: stored,
        message_id: 'm1',
        attachment: 2,
        accepts_double: false,
      },
    })
  })
})

describe('The receipt of a payment', () => {
  it('is the first picture of a message, and none for an order', () => {
    const from = (orderId: string | null, pictures = receipts) =>
      emptyPayment([orderOf('o1')], { orderId, pictures }).receipt
    expect([from(null), from(null, []), from('o1'), from('o1', [])]).toEqual([0, null, null, null])
  })

  it.each([
    [null, { message_id: null, attachment: null }],
    [1, { message_id: 'm2', attachment: 0 }],
  ])('at place %j of the offered pictures names %j in the request', (receipt, named) => {
    const fields = { ...emptyPayment([orderOf('o1')], { orderId: 'o1', pictures: receipts }), receipt }
    expect(paymentToRecord(fields, { id: 'p1', pictures: receipts }).body).toMatchObject(named)
  })

  it('is offered among the last six pictures of the customer, the newest first', () => {
    const attachments = {
      data: ['file', 'a', 'b'].map((name) =>
        name === 'file'
          ? { name, file_data: { url: 'https://cdn.example/list.pdf' } }
          : { name, image_data: { url: `https://cdn.example/${name}.jpg`, preview_url: null } },
      ),
    }
    const messages = [1, 2, 3, 4].map((number) =>
      messageOf(`m${number}`, number, { attachments, direction: number === 4 ? 'outgoing' : 'incoming' }),
    )
    expect(receiptsIn(messages).map(({ messageId, place }) => `${messageId} ${place}`)).toEqual([
      'm3 2',
      'm3 1',
      'm2 2',
      'm2 1',
      'm1 2',
      'm1 1',
    ])
    const more = [...messages, messageOf('m5', 5, { attachments })]
    expect(receiptsIn(more).map(({ messageId }) => messageId)).toEqual(['m5', 'm5', 'm3', 'm3', 'm2', 'm2'])
    expect(receiptsIn(more)[0]).toEqual({ messageId: 'm5', place: 2, name: 'b', url: 'https://cdn.example/b.jpg' })
  })
})

describe('The orders that a payment may be for', () => {
  it('begin with those that have a balance, the newest first, and end with the cancelled ones', () => {
    const orders = [
      orderOf('o1'),
      orderOf('o5', { status: 'cancelled' }),
      orderOf('o4', { payments: [{ amount: 100, status: 'approved' }] }),
      orderOf('o2', { payments: [{ amount: 100, status: 'pending' }] }),
    ]
    expect(offeredOrders(orders).map(({ id }) => id)).toEqual(['o2', 'o1', 'o4', 'o5'])
    const begun = [orders, []].map((all) => emptyPayment(all, { orderId: null, pictures: [] }))
    expect(begun.map(({ orderId }) => orderId)).toEqual(['o2', null])
  })
})

describe('The typed amount of a payment', () => {
  it.each([
    ['60', null],
    ['60.01', 1],
    ['100', 4_000],
    ['', null],
    ['much', null],
  ])('of %j is more than is to pay by %j', (amount, excess) => {
    const orders = [orderOf('o1', { payments: [{ amount: 40, status: 'approved' }] })]
    const fields = { ...emptyPayment(orders, { orderId: 'o1', pictures: [] }), amount }
    expect([excessOf(fields, orders), excessOf(fields, [])]).toEqual([excess, null])
  })
})

describe('The amount that the form of a payment offers', () => {
  it.each([
    ['that is not paid', {}, '', 10_000],
    ['that is paid in part', { payments: [{ amount: 40, status: 'approved' }] }, '', 6_000],
    ['with another amount typed', {}, '99', 10_000],
    ['with its balance typed', {}, '100.00', null],
    ['that is paid', { payments: [{ amount: 100, status: 'approved' }] }, '', null],
    ['that is cancelled', { status: 'cancelled' }, '', null],
  ])('is the balance of the order, or none: an order %s', (_, rest, amount, offered) => {
    const orders = [orderOf('o2', { total_amount: 7 }), orderOf('o1', rest)]
    const fields = { ...emptyPayment(orders, { orderId: 'o1', pictures: [] }), orderId: 'o1', amount }
    expect(offeredAmount(fields, orders)).toBe(offered)
  })
})
