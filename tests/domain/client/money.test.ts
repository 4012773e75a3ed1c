import { describe, expect, it } from 'vitest'
import { centsOf, formatMoney, sumOf } from '../../../src/domain/client/money.ts'
import { defaultBusiness } from '../../../src/schemas/business.ts'

describe('Money', () => {
  it.each<[number | string, number]>([
    [0, 0],
    [0.1, 10],
    [0.1 + 0.2, 30],
    [1.15, 115],
    [1.005, 101],
    [-1.005, -101],
    [-0.001, 0],
    [8.165, 817],
    [4.35, 435],
    [1234567.89, 123_456_789],
    [999_999_999_999.99, 99_999_999_999_999],
    ['0.10', 10],
    ['12', 1200],
    ['12.5', 1250],
    [' 12.345 ', 1235],
    ['-3.20', -320],
    ['999999999999.99', 99_999_999_999_999],
  ])('parses %s pesos as %i cents', (amount, cents) => {
    expect(centsOf(amount)).toBe(cents)
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY, 1e21, '', '1,000', '12.', 'ten', '1e3', '99999999999999999'])(
    'refuses the amount %s',
    (amount) => {
      expect(() => centsOf(amount)).toThrow(RangeError)
    },
  )

  it('adds amounts in whole cents without a rounding error', () => {
    const amounts = Array.from({ length: 1000 }, () => 0.1)
    expect(amounts.reduce((sum, amount) => sum + amount, 0)).not.toBe(100)
    expect(sumOf(amounts.map(centsOf))).toBe(10_000)
    expect(sumOf([centsOf(0.1), centsOf(0.2)])).toBe(centsOf(0.3))
  })

  it.each([
    [0, '₱0.00'],
    [5, '₱0.05'],
    [123_450, '₱1,234.50'],
    [99_999_999_999_999, '₱999,999,999,999.99'],
    [-320, '-₱3.20'],
  ])('shows %i cents as %s', (cents, text) => {
    expect(formatMoney(cents, defaultBusiness)).toBe(text)
  })

  it.each([
    ['EUR', 'de-DE', 123_450, '1.234,50\u00a0€'],
    ['USD', 'en-US', 5, '$0.05'],
    ['JPY', 'en-US', 123_400, '¥1,234'],
    ['JPY', 'en-US', 123_450, '¥1,234.5'],
  ])('shows %s in %s: %i hundredths as %s', (currency, locale, cents, text) => {
    expect(formatMoney(cents, { currency, locale })).toBe(text)
  })
})
