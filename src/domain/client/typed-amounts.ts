import { chatOrderLimits } from '../../schemas/chat-order.ts'
import type { Cents } from './money.ts'

const amountForm = /^(\d{1,3}(?:,\d{3})+|\d{1,12})(?:\.(\d{1,2}))?$/

/** The cents of a typed amount such as 1,250.5; 0 for an empty text, null for a text that is no amount or too large. */
export function typedCents(text: string): Cents | null {
  const typed = text.replaceAll(/\s/g, '')
  if (typed === '') return 0
  const parts = amountForm.exec(typed)
  if (parts === null) return null
  const [, whole = '', fraction = ''] = parts
  const cents = Number(whole.replaceAll(',', '') + fraction.padEnd(2, '0'))
  return cents > chatOrderLimits.amount ? null : cents
}

/** The text of an amount for a field: 1250.50, or 1250 without cents. */
export const amountText = (cents: Cents): string => (cents % 100 === 0 ? String(cents / 100) : (cents / 100).toFixed(2))

/** A typed quantity with at most 3 decimals; null for a text that is none, 0 or too large. */
export function typedQuantity(text: string): number | null {
  const typed = text.trim()
  if (!/^\d{1,6}(\.\d{1,3})?$/.test(typed)) return null
  const quantity = Number(typed)
  return quantity === 0 || quantity > chatOrderLimits.quantity ? null : quantity
}
