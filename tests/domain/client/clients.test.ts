import { describe, expect, it } from 'vitest'
import { businessDay } from '../../../src/domain/client/business-day.ts'
import { clientNameOf, isLinked, isSearchable, prefilledFrom } from '../../../src/domain/client/client-linking.ts'
import { isCounted, orderNameOf, paymentsOf } from '../../../src/domain/client/client-orders.ts'
import { newClientOf } from '../../../src/domain/client/new-client.ts'
import { dateOf, relativeTime } from '../../../src/domain/moments.ts'
import { withSummary } from '../../../src/domain/send/draft-text.ts'
import { defaultBusiness } from '../../../src/schemas/business.ts'
import { clientOf, filled, orderOf } from '../../model/client/clients-fixture.ts'
import { conversationOf } from '../message-fixture.ts'

describe('The form for a new client', () => {
  it.each([
    ['Ana', 'Ana', ''],
    ['Ana Cruz', 'Ana', 'Cruz'],
    ['  Ana  Maria   de la Cruz ', 'Ana', 'Maria de la Cruz'],
    ['', '', ''],
    ['\u202eAna Cruz', 'Ana', 'Cruz'],
  ])('splits the name %j into a first and a last name', (unified_name, firstName, lastName) => {
    expect(prefilledFrom(conversationOf({ unified_name }))).toEqual({
      firstName,
      lastName,
      email: '',
      phone: '',
      company: '',
    })
  })

  it('is empty if the identity has no name', () => {
    const { firstName, lastName } = prefilledFrom(conversationOf({ unified_name: null }))
    expect([firstName, lastName]).toEqual(['', ''])
  })

  it('yields trimmed names, and null if either name is missing', () => {
    expect([
      newClientOf({ ...filled, firstName: ' Ana ', phone: ' 0917 ' }),
      newClientOf({ ...filled, firstName: ' ' }),
      newClientOf({ ...filled, lastName: '' }),
    ]).toEqual([{ ...filled, phone: '0917' }, null, null])
  })
})

describe('A client', () => {
  it.each([
    ['m', false],
    [' m ', false],
    ['ma', true],
    [' ma ', true],
  ])('can be searched for with the term %j: %s', (term, isLongEnough) => expect(isSearchable(term)).toBe(isLongEnough))

  it('counts as linked if it has a Facebook user', () =>
    expect([
      isLinked(clientOf('k1')),
      isLinked(clientOf('k1', { fb_user_id: null })),
      isLinked(clientOf('k1', { fb_user_id: 'u1' })),
    ]).toEqual([false, false, true]))

  it('is labelled with the known parts of its name', () =>
    expect([
      clientNameOf(clientOf('k1')),
      clientNameOf({ first_name: 'Ana', last_name: null }),
      clientNameOf({ first_name: null, last_name: null }),
    ]).toEqual(['Maria Santos k1', 'Ana', '']))
})

describe('The display of orders and payments', () => {
  it('labels an order with its number, or with its id if it has no number', () =>
    expect([
      orderNameOf(orderOf('o1')),
      orderNameOf(orderOf('o1', { order_number: null })),
      orderNameOf(orderOf('o1', { order_number: 'balay #1001' })),
    ]).toEqual(['#101', '#o1', 'balay #1001']))

  it('formats a day like every other date', () => {
    const noon = '2026-03-01T04:00:00Z'
    const later = Date.parse(noon) + 30 * 24 * 3_600_000
    expect([businessDay(noon, defaultBusiness), dateOf(noon), relativeTime(noon, later)]).toEqual(
      Array(3).fill('Mar 1, 2026'),
    )
  })

  it('shows the day in the time zone of the business', () =>
    expect(
      ['2026-03-01T15:59:00Z', '2026-03-01T16:00:00Z'].flatMap((moment) => [
        businessDay(moment, defaultBusiness),
        businessDay(moment, { time_zone: 'America/New_York' }),
      ]),
    ).toEqual(['Mar 1, 2026', 'Mar 1, 2026', 'Mar 2, 2026', 'Mar 1, 2026']))

  it.each([
    ['approved', true],
    ['Completed', true],
    ['pending', false],
    [null, false],
  ])('counts a payment that is %s: %s', (status, counts) => expect(isCounted({ amount: 1, status })).toBe(counts))

  it('lists payments newest first and those without a date last', () => {
    const payment = (id: string | null, created_at: string | null) => ({
      id,
      amount: 1,
      status: 'approved',
      created_at,
    })
    const first = orderOf('o1', { payments: [payment('p1', '2026-03-01T00:00:00Z'), payment(null, null)] })
    const second = orderOf('o2', { payments: [payment('p2', '2026-03-05T00:00:00Z')] })
    expect(paymentsOf([first, second, orderOf('o3', { payments: null })]).map(({ key }) => key)).toEqual([
      'o2:p2',
      'o1:p1',
      'o1:1',
    ])
  })
})

describe('Inserting a summary into a draft', () => {
  it.each([
    ['', 'Summary'],
    [' \n', 'Summary'],
    ['Hello po', 'Hello po\n\nSummary'],
    ['Hello po\n', 'Hello po\n\nSummary'],
  ])('appends the summary to the draft %j', (draft, text) => expect(withSummary(draft, 'Summary')).toBe(text))

  it('appends the summary if no earlier summary was inserted', () => {
    expect(withSummary('It says null', 'Summary')).toBe('It says null\n\nSummary')
  })

  it.each([
    ['Hello po\n\nBefore $& it\n\nSalamat', 'Hello po\n\nSummary $&\n\nSalamat'],
    ['Hello po\n\nBefore it', 'Hello po\n\nBefore it\n\nSummary $&'],
    ['', 'Summary $&'],
  ])('replaces the earlier summary if staff left it unchanged: %j', (draft, text) =>
    expect(withSummary(draft, 'Summary $&', 'Before $& it')).toBe(text),
  )
})
