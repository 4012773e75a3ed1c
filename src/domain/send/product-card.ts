import type { Product } from '../../schemas/product.ts'
import { structuredLimits } from '../../schemas/structured-limits.ts'
import type { StructuredContent } from '../../schemas/structured-message.ts'

export type ProductCard = Extract<StructuredContent, { kind: 'card' }>

function cutTo(most: number, text: string): string {
  const letters = [...text]
  return letters.length > most ? `${letters.slice(0, most - 1).join('')}…` : text
}

/** The card of a product: its name, cut to what the network takes, its price as it is shown, its picture and its link. */
export const cardOf = (
  { name, picture_url, link_url }: Pick<Product, 'name' | 'picture_url' | 'link_url'>,
  price: string,
): ProductCard => ({
  kind: 'card',
  title: cutTo(structuredLimits.cardTitle, name.replaceAll(/\s+/g, ' ').trim()),
  subtitle: price,
  ...(picture_url == null ? {} : { picture: picture_url }),
  ...(link_url == null ? {} : { link: link_url }),
})

/** The title of the button that opens the link: where it leads, which needs no language. */
export const linkTitleOf = (link: string): string =>
  cutTo(structuredLimits.title, (URL.parse(link)?.hostname ?? link).replace(/^www\./, ''))

/** The text of the message in lists, in the search and where the card itself is not shown. */
export const textOfCard = ({ title, subtitle }: ProductCard): string => `${title}\n${subtitle}`
