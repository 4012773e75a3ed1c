import { isHttpsAddress } from '../../schemas/https-address.ts'
import { type Product, type ProductBody, productLimits } from '../../schemas/product.ts'
import { t } from '../../texts/orders-on-demand.ts'
import { comparable } from '../comparable.ts'
import { amountText, typedCents } from './typed-amounts.ts'

/** The values of the form of a product. */
export type ProductFields = {
  name: string
  code: string
  price: string
  picture: string
  link: string
  isActive: boolean
}

/** The form values for a new product, or for an existing one. */
export const fieldsOf = (product: Product | null): ProductFields => ({
  name: product?.name ?? '',
  code: product?.code ?? '',
  price: product === null ? '' : amountText(product.price),
  picture: product?.picture_url ?? '',
  link: product?.link_url ?? '',
  isActive: product?.is_active ?? true,
})

/** The problem of the typed code; null if it is free or empty. `others` are the other products. */
export const codeProblem = ({ code }: ProductFields, others: readonly Product[]): string | null =>
  code.trim() !== '' && others.some((other) => other.code === code.trim()) ? t('orders.codeTaken') : null

/** The problem of the typed price; null if it is valid or empty. */
export const priceProblem = ({ price }: ProductFields): string | null =>
  typedCents(price) === null ? t('orders.amountWrong') : null

/** The problem of a typed address; null if it can be saved or is empty. */
export const addressProblem = (address: string): string | null =>
  address.trim() === '' || isHttpsAddress(address.trim()) ? null : t('orders.addressWrong')

/** The first problem that prevents saving; null if there is none. */
export function blockedReasonOf(fields: ProductFields, others: readonly Product[]): string | null {
  if (fields.name.trim() === '') return t('orders.nameMissing')
  if (fields.price.trim() === '') return t('orders.priceMissing')
  return (
    priceProblem(fields) ?? codeProblem(fields, others) ?? addressProblem(fields.picture) ?? addressProblem(fields.link)
  )
}

/** The request body for saving. Only valid fields have one. */
export const bodyOf = ({ name, code, price, picture, link, isActive }: ProductFields): ProductBody => ({
  name: name.trim(),
  code: code.trim() || null,
  price: typedCents(price) ?? 0,
  is_active: isActive,
  picture_url: picture.trim() || null,
  link_url: link.trim() || null,
})

/** The products whose name or code contains every typed word, those that begin with the text first. */
export function matchingProducts(products: readonly Product[], typed: string): Product[] {
  const term = comparable(typed)
  const words = term.split(' ').filter(Boolean)
  const found = products.flatMap((product) => {
    const text = comparable(`${product.name} ${product.code ?? ''}`)
    return words.every((word) => text.includes(word)) ? [{ product, isFirst: text.startsWith(term) }] : []
  })
  return found.toSorted((a, b) => Number(b.isFirst) - Number(a.isFirst)).map(({ product }) => product)
}

export const maxLengths = {
  name: productLimits.name,
  code: productLimits.code,
  address: productLimits.address,
} as const
