import { liveSaleLimits } from '../../schemas/live-sale.ts'

const compared = (text: string) => text.normalize('NFKC').toLowerCase().trim()

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')

/**
 * The number and the quantity that a comment claims, null if none: the keyword, a number, and perhaps a quantity: "mine 3",
 * "Mine #3 po", "mine 3 x2". The keyword begins the comment, so a sentence with the word claims nothing.
 */
export function claimIn(comment: string, keyword: string): { number: number; quantity: number } | null {
  const word = compared(keyword)
  if (word === '') return null
  const found = new RegExp(`^${escaped(word)}\\s*#?\\s*(\\d{1,4})(?!\\d)(?:\\s*[x×*]\\s*(\\d{1,3})(?!\\d))?`).exec(
    compared(comment),
  )
  if (found === null) return null
  const [number, quantity] = [Number(found[1]), Number(found[2] ?? 1)]
  return number >= 1 && quantity >= 1 && quantity <= liveSaleLimits.quantity ? { number, quantity } : null
}
