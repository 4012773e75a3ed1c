import * as z from 'zod/mini'
import type { MessagePart, TemplateButton, TemplateCard } from '../../../src/schemas/message-part.ts'
import { looseId, looseText, type PartReader } from './part-reader.ts'

const limits = { cards: 10, buttons: 13, items: 20 } as const

const buttonShape = z.object({ type: looseText, title: looseText, url: looseText })
const list = z.catch(z.nullish(z.array(z.unknown())), null)
const cardShape = z.object({
  title: looseText,
  subtitle: looseText,
  image_url: looseText,
  url: looseText,
  media_type: looseText,
  default_action: z.catch(z.nullish(z.object({ url: looseText })), null),
  buttons: list,
})
const amount = z.catch(z.nullish(z.union([z.string(), z.number()])), null)
const itemShape = z.object({ title: looseText, quantity: amount, price: amount })
const templateShape = z.object({
  title: looseText,
  payload: z.object({
    template_type: looseText,
    text: looseText,
    title: looseText,
    buttons: list,
    elements: list,
    generic: z.catch(z.nullish(z.object({ elements: list })), null),
    order_number: looseText,
    currency: looseText,
    summary: z.catch(z.nullish(z.object({ total_cost: amount })), null),
  }),
})

const productShape = z.object({
  id: looseId,
  retailer_id: looseId,
  image_url: looseText,
  title: looseText,
  subtitle: looseText,
  url: looseText,
})
const productsShape = z.object({
  payload: z.object({ product: z.object({ elements: z.array(z.unknown()) }) }),
})

/** The products that a customer shared; empty if the template has none. */
export function productsOf(value: unknown, reader: PartReader): MessagePart[] {
  const read = productsShape.safeParse(value)
  if (!read.success) return []
  return parsed(read.data.payload.product.elements, productShape, limits.cards).map((product) => ({
    kind: 'product',
    file: reader.file('image', product.image_url),
    title: reader.title(product.title),
    price: reader.title(product.subtitle),
    link: reader.link(product.url),
    product_id: product.id ?? null,
    retailer_id: product.retailer_id ?? null,
  }))
}

/** A template as the network's references describe them: generic, button, receipt, media. Null if nothing can be shown. */
export function templateOf(value: unknown, reader: PartReader): MessagePart | null {
  const read = templateShape.safeParse(value)
  if (!read.success) return null
  const { payload } = read.data
  const isReceipt = payload.template_type === 'receipt'
  const elements = payload.elements ?? payload.generic?.elements ?? []
  const cards = isReceipt ? [] : parsed(elements, cardShape, limits.cards).map((one) => cardOf(one, reader))
  const part = {
    kind: 'template',
    template_type: reader.title(payload.template_type ?? (payload.generic ? 'generic' : null)),
    // The title of the attachment is that of its first card.
    text: reader.text(payload.text ?? payload.title ?? (cards.length > 0 ? null : read.data.title)),
    cards,
    buttons: buttonsOf(payload.buttons, reader),
    receipt: isReceipt ? receiptOf(payload, reader) : null,
  } satisfies MessagePart
  const isEmpty = part.text === null && part.cards.length === 0 && part.buttons.length === 0 && part.receipt === null
  return isEmpty ? null : part
}

function cardOf(card: z.infer<typeof cardShape>, reader: PartReader): TemplateCard {
  const media = reader.media(card.url, card.media_type === 'video' ? 'video' : 'image')
  return {
    title: reader.title(card.title),
    text: reader.text(card.subtitle),
    file: media ?? reader.file('image', card.image_url),
    link: reader.link(card.default_action?.url) ?? (media === null ? reader.link(card.url) : null),
    buttons: buttonsOf(card.buttons, reader),
  }
}

function buttonsOf(values: readonly unknown[] | null | undefined, reader: PartReader): TemplateButton[] {
  return parsed(values ?? [], buttonShape, limits.buttons).flatMap(({ title, url, type }) => {
    const name = reader.title(title ?? type)
    return name === null ? [] : [{ title: name, link: reader.link(url) }]
  })
}

function receiptOf(
  { order_number, currency, summary, elements }: z.infer<typeof templateShape>['payload'],
  reader: PartReader,
) {
  const amountOf = (value: string | number | null | undefined) =>
    value == null ? null : reader.title([currency, value].filter(Boolean).join(' '))
  return {
    number: reader.title(order_number),
    total: amountOf(summary?.total_cost),
    items: parsed(elements ?? [], itemShape, limits.items).flatMap(({ title, quantity, price }) => {
      const name = reader.title(title)
      return name === null
        ? []
        : [{ title: name, quantity: reader.title(quantity?.toString()), price: amountOf(price) }]
    }),
  }
}

/** The template of a message from the Graph API. */
const graphTemplate = z.object({
  title: looseText,
  subtitle: looseText,
  media_url: looseText,
  cta: z.catch(z.nullish(z.union([buttonShape, z.array(z.unknown())])), null),
})

export function graphTemplateOf(value: unknown, reader: PartReader): MessagePart | null {
  const read = graphTemplate.safeParse(value)
  if (!read.success) return null
  const { title, subtitle, media_url, cta } = read.data
  const buttons = buttonsOf(Array.isArray(cta) ? cta : cta ? [cta] : [], reader)
  const card = {
    title: reader.title(title),
    text: reader.text(subtitle),
    file: reader.file('image', media_url),
    link: null,
    buttons,
  }
  if (card.title === null && card.text === null && card.file === null && buttons.length === 0) return null
  return { kind: 'template', template_type: 'generic', text: null, cards: [card], buttons: [], receipt: null }
}

function parsed<Schema extends z.ZodMiniType>(
  values: readonly unknown[],
  schema: Schema,
  limit: number,
): z.output<Schema>[] {
  return values.slice(0, limit).flatMap((value) => {
    const read = schema.safeParse(value)
    return read.success ? [read.data] : []
  })
}
