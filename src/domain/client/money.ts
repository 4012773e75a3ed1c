import type { Business } from '../../schemas/business.ts'

/** Amounts are added in whole cents, so that a sum has no floating-point error. */
export type Cents = number

/**
 * Converts an amount of money to cents, rounded half away from zero. Accepts a number, or numeric text as databases
 * return it. Throws RangeError for any other text.
 */
export function centsOf(amount: number | string): Cents {
  const text = typeof amount === 'number' ? amount.toFixed(6) : amount.trim()
  const parts = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text)
  if (parts === null) throw new RangeError('not an amount of money')
  const [, sign, whole, fraction = ''] = parts
  const cents = Number(`${whole}${fraction.slice(0, 2).padEnd(2, '0')}`) + (fraction.charAt(2) >= '5' ? 1 : 0)
  if (!Number.isSafeInteger(cents)) throw new RangeError('an amount too large to be exact')
  return cents === 0 || sign === '' ? cents : -cents
}

export const sumOf = (amounts: readonly Cents[]): Cents => amounts.reduce((sum, amount) => sum + amount, 0)

const formats = new Map<string, Intl.NumberFormat>()

/** An amount in the currency and the format of the business. A currency without decimals shows those that an amount has. */
export function formatMoney(amount: Cents, { currency, locale }: Pick<Business, 'currency' | 'locale'>): string {
  const key = `${locale} ${currency}`
  let format = formats.get(key)
  if (format === undefined) {
    const { minimumFractionDigits } = new Intl.NumberFormat(locale, { style: 'currency', currency }).resolvedOptions()
    format = new Intl.NumberFormat(locale, {
      style: 'currency',
      currency,
      minimumFractionDigits: minimumFractionDigits ?? 2,
      maximumFractionDigits: 2,
    })
    formats.set(key, format)
  }
  return format.format(amount / 100)
}
