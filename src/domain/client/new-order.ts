import { chatOrderLimits, type NewOrderBody } from '../../schemas/chat-order.ts'
import { t } from '../../texts/orders-on-demand.ts'
import type { Cents } from './money.ts'
import { amountsProblem, lineTotal, orderAmounts } from './order-amounts.ts'
import { typedCents, typedQuantity } from './typed-amounts.ts'

/** A typed item. `key` tells it from the others while it is edited. */
export type ItemFields = { key: number; name: string; quantity: string; price: string }

/** The values of the form of a new order. `messageId`: the message that it comes from; `attachment`: the one of its files. */
export type OrderFields = {
  items: readonly ItemFields[]
  discount: string
  deliveryFee: string
  messageId: string | null
  attachment: number | null
}

/**
 * A message that an order may come from: its first words, or null for a picture without text. `pictures`: the places of its
 * pictures among the attachments.
 */
export type OrderSource = { id: string; text: string | null; sentAt: string; pictures: readonly number[] }

/** What the form offers as the source of an order: each message, and each picture of a message that has several. */
export type OfferedSource = { source: OrderSource; attachment: number | null }

export const offeredSources = (sources: readonly OrderSource[]): OfferedSource[] =>
  sources.flatMap((source) => [
    { source, attachment: null },
    ...(source.pictures.length > 1 ? source.pictures.map((attachment) => ({ source, attachment })) : []),
  ])

const emptyItem = (key: number): ItemFields => ({ key, name: '', quantity: '1', price: '' })

export const emptyOrder = (messageId: string | null): OrderFields => ({
  items: [emptyItem(0)],
  discount: '',
  deliveryFee: '',
  messageId,
  attachment: null,
})

export const withNewItem = (items: readonly ItemFields[]): readonly ItemFields[] => [
  ...items,
  emptyItem(Math.max(-1, ...items.map(({ key }) => key)) + 1),
]

/** The form always has an item to type into. */
export const withoutItem = (items: readonly ItemFields[], key: number): readonly ItemFields[] => {
  const others = items.filter((item) => item.key !== key)
  return others.length === 0 ? withNewItem([]) : others
}

/** The problem of each field of an item; null for none. */
const itemProblems = ({ name, quantity, price }: ItemFields) => ({
  name: name.trim() === '' ? t('orders.itemNameMissing') : null,
  quantity: typedQuantity(quantity) === null ? t('orders.quantityWrong') : null,
  price: price.trim() === '' ? t('orders.priceMissing') : typedCents(price) === null ? t('orders.amountWrong') : null,
})

/** What an item costs; null while its fields are not valid. */
export function lineTotalOf({ quantity, price }: ItemFields): Cents | null {
  const [count, cents] = [typedQuantity(quantity), price.trim() === '' ? null : typedCents(price)]
  return count === null || cents === null ? null : lineTotal({ quantity: count, unit_price: cents })
}

type Values = Pick<NewOrderBody, 'items' | 'discount' | 'delivery_fee'>

/** The values that the fields stand for; null if one is not valid. */
function valuesOf({ items, discount, deliveryFee }: OrderFields): Values | null {
  const [less, fee] = [typedCents(discount), typedCents(deliveryFee)]
  const read = items.flatMap((item) => {
    const [quantity, unit_price] = [typedQuantity(item.quantity), typedCents(item.price)]
    const isWrong = Object.values(itemProblems(item)).some((problem) => problem !== null)
    return isWrong || quantity === null || unit_price === null ? [] : [{ name: item.name.trim(), quantity, unit_price }]
  })
  return less === null || fee === null || read.length < items.length
    ? null
    : { items: read, discount: less, delivery_fee: fee }
}

/** The sum of the items and the total; null while a field is not valid. */
export function amountsOf(fields: OrderFields): { items: Cents; total: Cents } | null {
  const values = valuesOf(fields)
  return values === null ? null : orderAmounts(values)
}

/** The first problem that prevents saving; null if there is none. */
export function orderBlockedReason(fields: OrderFields): string | null {
  if (fields.items.length > chatOrderLimits.items) return t('orders.tooManyItems', { most: chatOrderLimits.items })
  const problem = fields.items.flatMap((item) => Object.values(itemProblems(item))).find((one) => one !== null)
  if (problem !== undefined) return problem
  const values = valuesOf(fields)
  if (values === null) return t('orders.amountWrong')
  switch (amountsProblem(values)) {
    case 'discountAboveItems':
      return t('orders.discountTooHigh')
    case 'totalTooLarge':
      return t('orders.totalTooLarge')
    case null:
      return null
  }
}

/** The request for the order. Only valid fields have one. */
export const orderToMake = (fields: OrderFields, { id, clientId }: { id: string; clientId: string }): NewOrderBody => ({
  id,
  client_id: clientId,
  message_id: fields.messageId,
  attachment: fields.attachment,
  ...(valuesOf(fields) ?? { items: [], discount: 0, delivery_fee: 0 }),
})
