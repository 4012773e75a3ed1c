import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { nationalDigits, phoneKey, phoneNumberOf, phoneSearchDigits, readablePhone } from '../../server/phones.ts'

describe('A phone number', () => {
  it.each([
    ['0956 123 4567', '+639561234567', '0956 123 4567'],
    ['+63956 123 4567', '+639561234567', '0956 123 4567'],
    ['639561234567', '+639561234567', '0956 123 4567'],
    ['0063-956-123-4567', '+639561234567', '0956 123 4567'],
    ['956.123.4567', '+639561234567', '0956 123 4567'],
    ['+63 (0) 956 123 4567', '+639561234567', '0956 123 4567'],
    ['(02) 8123 4567', '+63281234567', '(02) 8123 4567'],
    ['+1 (415) 555-2671', '+14155552671', '+1 415 555 2671'],
    ['415 555 2671', null, '415 555 2671'],
    ['0956 12', null, '0956 12'],
    ['ask Nena', null, 'ask Nena'],
    ['0956 123 4567 / 0917 123 4567', null, '0956 123 4567 / 0917 123 4567'],
    ['', null, ''],
  ])('%j has the form %j and is shown as %j', (text, number, shown) => {
    expect([phoneNumberOf(text, 'PH'), readablePhone(text, 'PH')]).toEqual([number, shown])
  })

  it('without a country code is one of the country of the business', () => {
    expect([phoneNumberOf('(415) 555-2671', 'US'), readablePhone('+63 956 123 4567', 'US')]).toEqual([
      '+14155552671',
      '+63 956 123 4567',
    ])
  })

  const mobile = fc.integer({ min: 0, max: 9_999_999 }).map((rest) => `917${String(rest).padStart(7, '0')}`)
  const notations = [
    (digits: string) => `0${digits}`,
    (digits: string) => `+63${digits}`,
    (digits: string) => `63 ${digits.slice(0, 3)} ${digits.slice(3, 6)} ${digits.slice(6)}`,
    (digits: string) => `(0${digits.slice(0, 3)}) ${digits.slice(3, 6)}-${digits.slice(6)}`,
    (digits: string) => `+63.${digits.slice(0, 3)}.${digits.slice(3)}`,
  ]

  it('has one form, one key and one search in every notation', () => {
    fc.assert(
      fc.property(mobile, (digits) => {
        const forms = notations.map((notation) => {
          const text = notation(digits)
          const keys = [phoneNumberOf(text, 'PH'), phoneKey(text, 'PH'), nationalDigits(text, 'PH')]
          return [...keys, phoneSearchDigits(text, 'PH')]
        })
        expect(forms).toEqual(notations.map(() => [`+63${digits}`, digits, digits, digits]))
      }),
      { seed: 18, numRuns: 200 },
    )
  })

  it.each([
    ['0956', '956'],
    ['0956 12', '95612'],
    ['+63 956', '956'],
    ['4567', '4567'],
    ['(02) 8123', '28123'],
    ['956', null],
    ['Nena 0956', null],
    ['1234567890123456', null],
  ])('that is typed as far as %j is searched by %j', (term, digits) => {
    expect(phoneSearchDigits(term, 'PH')).toBe(digits)
  })
})
