import type { Product } from '../../schemas/product.ts'
import { structuredLimits } from '../../schemas/structured-limits.ts'
import type { StructuredContent } from '../../schemas/structured-message.ts'

export type ProductCard = Extract<StructuredContent, { kind: 'card' }>

/** The card of a product: its name, cut to what the network takes, and its price as it is shown. */
export function cardOf({ name }: Pick<Product, 'name'>, price: string): ProductCard {
  const letters = [...name.replaceAll(/\s+/g, ' ').trim()]
  const most = structuredLimits.cardTitle
  const title = letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : letters.join('')
  return { kind: 'card', title, subtitle: price }
}

/** The text of the message in lists, in the search and where the card itself is not shown. */
export const textOfCard = ({ title, subtitle }: ProductCard): string => `${title}\n${subtitle}`
