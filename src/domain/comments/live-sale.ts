import { type LiveSale, liveSaleLimits, type SaleItem } from '../../schemas/live-sale.ts'
import { t } from '../../texts/comments-on-demand.ts'
import { toastsIn } from '../toast.ts'

const { success, error } = toastsIn(t)

export const saleToasts = {
  saved: success('comments.saleSaved'),
  failed: error('comments.saleFailed'),
  saveFailed: error('comments.saleSaveFailed'),
} as const

export const noSale: LiveSale = { is_on: false, post_id: null, keyword: 'mine', items: [] }

export const isSameSale = (one: LiveSale, other: LiveSale): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Why a sale cannot be saved; null if it can. */
export function saleBlockedReason(sale: LiveSale | null): string | null {
  if (sale === null) return t('comments.saleUnchanged')
  const numbers = sale.items.map(({ number }) => number)
  if (numbers.some((number) => !(number >= 1 && number <= liveSaleLimits.number))) return t('comments.saleNumber')
  if (new Set(numbers).size < numbers.length) return t('comments.saleNumberTwice')
  if (sale.items.some(({ name }) => name.trim() === '')) return t('comments.saleName')
  if (sale.items.some(({ price }) => Number.isNaN(price))) return t('comments.salePrice')
  if (!sale.is_on) return null
  if (sale.keyword.trim() === '') return t('comments.saleKeywordMissing')
  return sale.items.length === 0 ? t('comments.saleItemsMissing') : null
}

/** A new line, with the next number. */
export const newSaleItem = ({ items }: LiveSale): SaleItem => ({
  number: Math.max(0, ...items.map(({ number }) => number || 0)) + 1,
  name: '',
  price: Number.NaN,
  stock: null,
})

/** The sale with changes to the item at an index. */
export const withSaleItem = (sale: LiveSale, at: number, change: Partial<SaleItem>): LiveSale => ({
  ...sale,
  items: sale.items.map((item, index) => (index === at ? { ...item, ...change } : item)),
})
