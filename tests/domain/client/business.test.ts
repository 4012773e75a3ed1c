import { describe, expect, it } from 'vitest'
import { businessOf, defaultBusiness, isCurrency } from '../../../src/schemas/business.ts'

const lisbon = { currency: 'EUR', locale: 'pt-PT', time_zone: 'Europe/Lisbon', country: 'PT' }

describe('How the business writes amounts and dates', () => {
  it('is what the API tells with the user', () => expect(businessOf({ business: lisbon })).toEqual(lisbon))

  it.each([
    ['tells nothing', undefined],
    ['tells a part', { currency: 'EUR' }],
    ['tells an unknown currency', { ...lisbon, currency: 'euro' }],
    ['tells a currency with three decimals', { ...lisbon, currency: 'KWD' }],
    ['tells an unknown time zone', { ...lisbon, time_zone: 'Mars/Olympus' }],
    ['tells an unknown language', { ...lisbon, locale: 'x' }],
  ])('is that of the specification if the API %s', (_, business) =>
    expect(businessOf({ business })).toEqual(defaultBusiness),
  )

  it.each([
    ['PHP', true],
    ['JPY', true],
    ['KWD', false],
    ['peso', false],
    ['', false],
  ])('has the currency %j: %s', (code, can) => expect(isCurrency(code)).toBe(can))
})
