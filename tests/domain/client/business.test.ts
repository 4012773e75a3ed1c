import { describe, expect, it } from 'vitest'
import { businessFeature, businessOf, defaultBusiness, isCurrency } from '../../../src/schemas/business.ts'

const lisbon = { currency: 'EUR', locale: 'pt-PT', time_zone: 'Europe/Lisbon', country: 'PT' }

describe('How the business writes amounts and dates', () => {
  it('is what the API tells with the user', () =>
    expect(businessOf({ features: ['notes', businessFeature(lisbon)] })).toEqual(lisbon))

  it.each([
    ['tells nothing', undefined],
    ['tells other features', ['notes']],
    ['tells no JSON', ['business:EUR']],
    ['tells an unknown currency', [businessFeature({ ...lisbon, currency: 'euro' })]],
    ['tells a currency with three decimals', [businessFeature({ ...lisbon, currency: 'KWD' })]],
    ['tells an unknown time zone', [businessFeature({ ...lisbon, time_zone: 'Mars/Olympus' })]],
    ['tells an unknown language', [businessFeature({ ...lisbon, locale: 'x' })]],
  ])('is that of the specification if the API %s', (_, features) =>
    expect(businessOf({ features })).toEqual(defaultBusiness),
  )

  it.each([
    ['PHP', true],
    ['JPY', true],
    ['KWD', false],
    ['peso', false],
    ['', false],
  ])('has the currency %j: %s', (code, can) => expect(isCurrency(code)).toBe(can))
})
