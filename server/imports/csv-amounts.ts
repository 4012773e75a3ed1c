import type { AmountFormat } from '../../src/schemas/csv-import.ts'
import { maxAmount } from '../../src/schemas/import.ts'

/** What people write besides the code and the symbols of a currency. */
const colloquial: Readonly<Record<string, string>> = { PHP: 'P' }

const marks = new Map<string, RegExp>()

/** The marks of a currency at the beginning or the end of an amount. */
function marksOf(currency: string): RegExp {
  const known = marks.get(currency)
  if (known !== undefined) return known
  const symbols = (['symbol', 'narrowSymbol'] as const).map(
    (currencyDisplay) =>
      new Intl.NumberFormat('en', { style: 'currency', currency, currencyDisplay })
        .formatToParts(0)
        .find(({ type }) => type === 'currency')?.value ?? '',
  )
  const all = [currency, ...symbols, colloquial[currency] ?? '']
    .filter((mark) => mark !== '')
    .map(escaped)
    .join('|')
  const pattern = new RegExp(`^(?:${all})?\\s*|\\s*(?:${all})?$`, 'gi')
  marks.set(currency, pattern)
  return pattern
}

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

const patterns: Record<AmountFormat, RegExp> = {
  point: /^(\d{1,3}(?:,\d{3})+|\d+)(?:\.(\d{1,2}|\d{2}0{2,}))?$/,
  comma: /^(\d{1,3}(?:\.\d{3})+|\d+)(?:,(\d{1,2}|\d{2}0{2,}))?$/,
  cents: /^(\d+)$/,
}

/** Why a text is not an amount, for staff: the end of a sentence that begins with the name of the column. */
export const amountFaults = {
  negative: 'is negative.',
  decimals: 'has more than two decimals.',
  large: `is larger than ${maxAmount.toLocaleString('en')}.`,
  text: 'is not a number, or is in another currency.',
  format: 'is not an amount in the chosen format.',
} as const
export type AmountFault = keyof typeof amountFaults

const maxCents = BigInt(Math.round(maxAmount * 100))

/** The amount as decimal text like 1234.50, or why the text is none in this format and currency. Never negative. */
export function readAmount(text: string, format: AmountFormat, currency: string): string | { fault: AmountFault } {
  const bare = text.trim().replaceAll(marksOf(currency), '').replaceAll(/[\s']/g, '')
  const parts = patterns[format].exec(bare)
  if (parts === null) return { fault: amountFaultOf(bare, format) }
  const [, whole = '', fraction = ''] = parts
  const digits = whole.replaceAll(/\D/g, '')
  const cents = BigInt(format === 'cents' ? digits : digits + fraction.slice(0, 2).padEnd(2, '0'))
  if (cents > maxCents) return { fault: 'large' }
  const padded = String(cents).padStart(3, '0')
  return `${padded.slice(0, -2)}.${padded.slice(-2)}`
}

/** Accountants write a negative amount in parentheses or with the sign at the end. */
const negative = /^[-\u2212(]|-$/

const moreDecimals: Partial<Record<AmountFormat, RegExp>> = { point: /^[\d,]*\d\.\d{3,}$/, comma: /^[\d.]*\d,\d{3,}$/ }

function amountFaultOf(bare: string, format: AmountFormat): AmountFault {
  if (negative.test(bare)) return 'negative'
  if (/[^\d.,]/.test(bare)) return 'text'
  return moreDecimals[format]?.test(bare) ? 'decimals' : 'format'
}
