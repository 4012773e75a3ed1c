import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { SummaryForm } from '../../../src/domain/client/client-calls.ts'
import { orderNameOf } from '../../../src/domain/client/client-orders.ts'
import {
  balanceOf,
  hasPendingPayment,
  isPending,
  newestFirst,
  type PaymentStatus,
  paidOf,
  paymentStatusOf,
  recentOrders,
  totalsOf,
} from '../../../src/domain/client/orders.ts'
import { ordersSummary, paymentsSummary } from '../../../src/domain/client/summaries.ts'
import { fitsInMessage } from '../../../src/domain/send/text-limit.ts'
import type { Platform } from '../../../src/schemas/conversation.ts'
import { type Order, order } from '../../../src/schemas/order.ts'

const form: SummaryForm = { platform: null, language: 'en', business: undefined }

type Paid = [amount: number | string, status: string]

const made = (number: number, total: number | string, status: string, payments: Paid[] = []): Order =>
  order.parse({
    id: `o${String(number).padStart(3, '0')}`,
    order_number: `SO-${String(number).padStart(5, '0')}`,
    status,
    total_amount: total,
    created_at: new Date(Date.UTC(2026, 9, number, 4)).toISOString(),
    payments: payments.map(([amount, state], index) => ({
      amount,
      status: state,
      created_at: new Date(Date.UTC(2026, 9, number + index, 17)).toISOString(),
    })),
  })

describe('A payment that waits for approval', () => {
  it.each([
    [' Pending ', true],
    ['approved', false],
    ['rejected', false],
  ])('is one with the status "%s": %s', (status, waits) => {
    expect(
      hasPendingPayment(
        made(1, 100, 'ready', [
          [40, 'approved'],
          [60, status],
        ]),
      ),
    ).toBe(waits)
  })
})

it('A payment of another program waits for no approval here', () => {
  const pending = { amount: 5, status: 'pending' }
  expect([false, true].map((is_imported) => hasPendingPayment({ payments: [{ ...pending, is_imported }] }))).toEqual([
    true,
    false,
  ])
})

describe('The payment status and balance of orders', () => {
  it.each<[string, number | string, Paid[], PaymentStatus, number]>([
    ['nothing paid', 100, [], 'unpaid', 0],
    [
      'only with payments that do not count',
      100,
      [
        [100, 'pending'],
        [50, 'rejected'],
      ],
      'unpaid',
      0,
    ],
    ['in half', '100.00', [['50.00', 'approved']], 'partial', 5000],
    [
      'one cent too little',
      0.3,
      [
        [0.1, 'approved'],
        [0.19, 'completed'],
      ],
      'partial',
      29,
    ],
    [
      'exactly, in several payments',
      0.3,
      [
        [0.1, 'approved'],
        [0.2, 'completed'],
      ],
      'paid',
      30,
    ],
    ['with more than the total', 100, [[120, 'completed']], 'paid', 12_000],
    ['with a capitalised payment status', 100, [[100, 'Approved']], 'paid', 10_000],
    ['with spaces around the payment status', 100, [[100, ' approved ']], 'paid', 10_000],
    ['with nothing, for a total of zero', 0, [], 'unpaid', 0],
  ])('derive the payment status of an order paid %s', (_, total, payments, status, cents) => {
    const one = made(1, total, 'ready', payments)
    expect({ status: paymentStatusOf(one), paid: paidOf(one) }).toEqual({ status, paid: cents })
  })

  it('treat an order as unpaid if its payments are unknown', () => {
    expect(paymentStatusOf({ ...made(1, 100, 'ready'), payments: null })).toBe('unpaid')
  })

  it('treat an order or a payment without a status as pending and do not count the payment', () => {
    const one = { ...made(1, 100, 'ready'), status: null, payments: [{ amount: 100, status: null }] }
    expect({ pending: isPending(one), paid: paidOf(one) }).toEqual({ pending: true, paid: 0 })
  })

  it.each([
    ['pending', true],
    ['processing', true],
    ['something new', true],
    ['', true],
    ['completed', false],
    ['cancelled', false],
    ['Rejected', false],
  ])('treat an order with the status "%s" as pending: %s', (status, pending) => {
    expect(isPending(made(1, 100, status))).toBe(pending)
  })

  it.each<[string, Order, number]>([
    ['open', made(1, 100, 'ready', [[30, 'approved']]), 7000],
    ['completed and unpaid', made(1, 100, 'completed'), 10_000],
    ['cancelled', made(1, 100, 'cancelled', [[30, 'approved']]), 0],
    ['rejected', made(1, 100, 'rejected'), 0],
    ['overpaid', made(1, 100, 'ready', [[130, 'approved']]), 0],
  ])('compute the balance of an order that is %s', (_, one, balance) => {
    expect(balanceOf(one)).toBe(balance)
  })

  it('count the payments of every order but no balance for cancelled orders', () => {
    expect(
      totalsOf([
        made(1, 0.3, 'pending', [
          [0.1, 'approved'],
          [0.1, 'completed'],
        ]),
        made(2, 100.2, 'completed', [[100.2, 'completed']]),
        made(3, 80, 'cancelled', [[20.05, 'approved']]),
        made(4, 60, 'processing', [[90, 'approved']]),
        made(5, 10.1, 'ready', [[10.1, 'rejected']]),
      ]),
    ).toEqual({ orders: 5, pending: 3, spent: 21_045, outstanding: 1020 })
    expect(totalsOf([])).toEqual({ orders: 0, pending: 0, spent: 0, outstanding: 0 })
  })

  it('sort newest first, then by id, and keep five as recent', () => {
    const orders = [3, 7, 1, 5, 2, 6, 4].map((number) => made(number, 10, 'ready'))
    const twin = { ...made(7, 10, 'ready'), id: 'o008' }
    const newest = ['o008', 'o007', 'o006', 'o005', 'o004', 'o003', 'o002', 'o001']
    for (const all of [
      [...orders, twin],
      [twin, ...orders],
    ])
      expect(newestFirst(all).map(({ id }) => id)).toEqual(newest)
    expect(recentOrders(orders).map(({ id }) => id)).toEqual(['o007', 'o006', 'o005', 'o004', 'o003'])
  })
})

describe('The order and payment summaries for a customer', () => {
  const few = [
    made(1, 80, 'cancelled', [[20, 'approved']]),
    made(2, '1234.50', 'completed', [
      ['1000.00', 'approved'],
      ['234.50', 'completed'],
      [9, 'rejected'],
    ]),
    made(3, 500.1, 'in_progress', [[100.05, 'approved']]),
    made(4, 60, ''),
  ]

  it('list orders with number, date, status, amount and balance', () => {
    expect(ordersSummary(few, form)).toBe(`Hello! Here is a summary of your orders with us:

Order SO-00004 (Oct 4, 2026): Received
Total ₱60.00, balance ₱60.00

Order SO-00003 (Oct 3, 2026): In progress
Total ₱500.10, paid ₱100.05, balance ₱400.05

Order SO-00002 (Oct 2, 2026): Completed
Total ₱1,234.50, fully paid

Order SO-00001 (Oct 1, 2026): Cancelled
Total ₱80.00, paid ₱20.00

In all: 3 orders, 2 in progress.
Total of your orders: ₱1,794.60.
Paid in all: ₱1,334.55.
Balance to pay: ₱460.05.
Not included: 1 cancelled or rejected order, with ₱20.00 paid.
Thank you!`)
  })

  it('state an overpaid order by itself and never take its surplus from another balance', () => {
    const two = [made(1, 100, 'ready'), made(2, 60, 'ready', [[90, 'approved']])]
    const account = [
      'Total of your orders: ₱160.00.',
      'Paid in all: ₱90.00.',
      'Paid too much: ₱30.00.',
      'Balance to pay: ₱100.00.',
    ].join('\n')
    expect(ordersSummary(two, form)).toContain(account)
    expect(ordersSummary(two, form)).toContain('Total ₱60.00, paid ₱90.00, overpaid ₱30.00\n')
    expect(paymentsSummary(two, form)).toContain(account)
    expect(paymentsSummary(two, form)).toContain('- ₱90.00 received on Oct 3, 2026\nOverpaid ₱30.00\n')
  })

  it('are written in Filipino for a customer who reads Filipino', () => {
    expect(
      ordersSummary(few.slice(0, 3), { ...form, language: 'fil' }),
    ).toBe(`Kumusta po! Narito po ang buod ng mga order ninyo sa amin:

Order SO-00003 (Okt 3, 2026): Ginagawa
Kabuuan ₱500.10, bayad na ₱100.05, balanse ₱400.05

Order SO-00002 (Okt 2, 2026): Tapos na
Kabuuan ₱1,234.50, bayad na lahat

Order SO-00001 (Okt 1, 2026): Kinansela
Kabuuan ₱80.00, bayad na ₱20.00

Lahat-lahat: 2 order, 1 ang ginagawa pa.
Kabuuan ng mga order ninyo: ₱1,734.60.
Nabayaran na lahat-lahat: ₱1,334.55.
Babayaran pa: ₱400.05.
Hindi kasama: 1 kinansela o tinanggihang order, na may ₱20.00 na bayad.
Salamat po!`)
  })

  it('use the currency and the time zone of the business', () => {
    const business = { currency: 'EUR', locale: 'de-DE', time_zone: 'America/New_York', country: 'DE' }
    const late = { ...made(1, 1234.5, 'ready'), created_at: '2026-10-02T03:00:00Z' }
    expect(ordersSummary([late], { ...form, business })).toContain(
      'Order SO-00001 (1 Oct 2026): Ready\nTotal 1.234,50\u00a0€, balance 1.234,50\u00a0€\n',
    )
  })

  it('strip direction characters from the number and the status of an order', () => {
    const turned = { ...made(1, 80, '\u202ein_\u2066progress\u0007'), order_number: 'SO\u202e-1' }
    expect([
      ordersSummary([turned], form).split('\n')[2],
      orderNameOf(turned),
      orderNameOf({ ...turned, order_number: '\u202e' }),
    ]).toEqual(['Order SO-1 (Oct 1, 2026): In progress', '#SO-1', '#o001'])
  })

  it('list the counted payments by order, with unpaid orders first', () => {
    expect(paymentsSummary(few, form)).toBe(`Hello! Here is a summary of your payments:

Order SO-00004 (Oct 4, 2026): ₱60.00
- No payment received yet
Balance ₱60.00

Order SO-00003 (Oct 3, 2026): ₱500.10
- ₱100.05 received on Oct 4, 2026
Balance ₱400.05

Order SO-00002 (Oct 2, 2026): ₱1,234.50
- ₱1,000.00 received on Oct 3, 2026
- ₱234.50 received on Oct 4, 2026
Fully paid

Order SO-00001 (Oct 1, 2026): ₱80.00, cancelled
- ₱20.00 received on Oct 2, 2026

Total of your orders: ₱1,794.60.
Paid in all: ₱1,334.55.
Balance to pay: ₱460.05.
Not included: 1 cancelled or rejected order, with ₱20.00 paid.
Thank you!`)
  })

  it('say so if a customer has no orders or no payments', () => {
    expect(ordersSummary([], form)).toBe(
      'Hello! We have no orders on record for you yet. Please tell us if we can help.',
    )
    expect(paymentsSummary([made(1, 80, 'rejected')], form)).toBe(
      'Hello! We have no payments on record for you yet, and there is nothing to pay.',
    )
  })

  it.each([
    ['_in__progress ', 'In progress'],
    ['to be \t packed', 'To be packed'],
    [' _ ', 'Received'],
  ])('show the status %j as %s', (status, words) => {
    expect(ordersSummary([made(4, 60, status)], form)).toContain(
      `\n\nOrder SO-00004 (Oct 4, 2026): ${words}\nTotal ₱60.00`,
    )
  })

  it('say that nothing is left to pay if the balance is zero', () => {
    const text = ordersSummary([made(2, 10, 'completed', [[10, 'approved']])], form)
    expect(text).toContain(
      'In all: 1 order, 0 in progress.\nTotal of your orders: ₱10.00.\nPaid in all: ₱10.00.\nThere is nothing left to pay.\nThank you!',
    )
  })

  const many = Array.from({ length: 300 }, (_, index) => made(index + 1, 1000 + index, 'processing', [[1, 'approved']]))

  it.each([
    ['messenger', ordersSummary],
    ['instagram', ordersSummary],
    [null, ordersSummary],
    ['messenger', paymentsSummary],
    ['instagram', paymentsSummary],
    [null, paymentsSummary],
  ] as const)('300 orders fit in one message (%s), the newest kept and the rest counted', (platform, summary) => {
    const text = summary(many, { ...form, platform })
    const told = text.match(/^Order SO-/gm)?.length ?? 0
    expect(fitsInMessage(text, platform)).toBe(true)
    expect(told).toBeGreaterThan(3)
    expect(text).toContain('Order SO-00300')
    expect(text).toMatch(new RegExp(`… and ${300 - told} (earlier|more) orders\\.`))
    expect(text).toContain('Balance to pay: ₱344,550.00.')
  })

  it('are longer on Messenger, which has the higher length limit', () => {
    const lengthOn = (platform: Platform) => ordersSummary(many, { ...form, platform }).length
    expect(lengthOn('messenger')).toBeGreaterThan(lengthOn('instagram'))
  })

  it.each([
    ['messenger', 'x'.repeat(1999), true],
    ['messenger', 'x'.repeat(2000), false],
    ['messenger', '😀'.repeat(1999), true],
    ['instagram', 'x'.repeat(1000), true],
    ['instagram', '₱'.repeat(334), false],
    [null, 'x'.repeat(1000), true],
    [null, 'x'.repeat(1001), false],
  ] as const)('on %s a text is held or not', (platform, text, fits) => {
    expect(fitsInMessage(text, platform)).toBe(fits)
  })
})

const amount = fc.integer({ min: 0, max: 500_000 }).map((cents) => cents / 100)
const paymentOf = fc.record({
  amount,
  status: fc.constantFrom('approved', 'completed', 'pending', 'rejected', null),
  created_at: fc.constant('2026-10-05T04:00:00Z'),
})
const generated = fc.array(
  fc.record({
    id: fc.uuid(),
    order_number: fc.constant('SO-1'),
    status: fc.constantFrom('pending', 'ready', 'completed', 'cancelled', 'Rejected', null),
    total_amount: amount,
    created_at: fc.constant('2026-10-01T04:00:00Z'),
    payments: fc.array(paymentOf, { maxLength: 3 }),
    items: fc.constant(null),
  }),
  { maxLength: 12 },
)

describe('The amounts of a summary', () => {
  const labels = {
    en: ['Total of your orders: ', 'Paid in all: ', 'Paid too much: ', 'Balance to pay: ', 'with '],
    fil: ['Kabuuan ng mga order ninyo: ', 'Nabayaran na lahat-lahat: ', 'Sobra sa bayad: ', 'Babayaran pa: ', 'may '],
  } as const

  /** The amount in cents that follows the label in the text; 0 without the label. */
  const amountAfter = (text: string, label: string): number => {
    const at = text.indexOf(label)
    return at < 0
      ? 0
      : Math.round(Number(/[\d,.]+\d/.exec(text.slice(at + label.length))?.[0].replaceAll(',', '')) * 100)
  }

  it.each(['en', 'fil'] as const)('reconcile in every summary: total − paid + overpaid = balance (%s)', (language) => {
    fc.assert(
      fc.property(generated, (orders) => {
        const [total, paid, overpaid, balance, calledOff] = labels[language]
        const counted = orders.filter(({ status }) => !['cancelled', 'Rejected'].includes(status ?? ''))
        const centsPaid = (some: typeof orders) =>
          some
            .flatMap(({ payments }) => payments)
            .filter(({ status }) => status === 'approved' || status === 'completed')
            .reduce((sum, one) => sum + Math.round(one.amount * 100), 0)
        const outstanding = counted
          .map((one) => Math.max(0, Math.round(one.total_amount * 100) - centsPaid([one])))
          .reduce((sum, one) => sum + one, 0)
        for (const summary of [ordersSummary, paymentsSummary]) {
          const text = summary(orders, { ...form, language })
          if (!text.includes(total)) continue
          const told = [total, paid, overpaid, balance].map((label) => amountAfter(text, label))
          const [t = 0, p = 0, o = 0, b = 0] = told
          expect(t - p + o).toBe(b)
          expect([p, b]).toEqual([centsPaid(counted), outstanding])
          const others = orders.filter((one) => !counted.includes(one))
          expect(amountAfter(text.slice(text.indexOf(total)), calledOff)).toBe(centsPaid(others))
        }
        expect(totalsOf(orders)).toMatchObject({ spent: centsPaid(orders), outstanding })
      }),
      { seed: 18, numRuns: 300 },
    )
  })
})
