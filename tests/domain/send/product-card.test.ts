import { expect, it } from 'vitest'
import { cardOf, linkTitleOf, textOfCard } from '../../../src/domain/send/product-card.ts'

it.each([
  ['Mug', 'Mug'],
  ['  Rice \n cake ', 'Rice cake'],
  ['a'.repeat(80), 'a'.repeat(80)],
  ['😀'.repeat(81), `${'😀'.repeat(79)}…`],
])('the card of the product %j has the title %j, and its text has the price', (name, title) => {
  const card = cardOf({ name }, '₱125.50')
  expect([card, textOfCard(card)]).toEqual([{ kind: 'card', title, subtitle: '₱125.50' }, `${title}\n₱125.50`])
})

it('the card of a product has its picture and its link, and names where the link leads', () => {
  const [picture_url, link_url] = ['https://cdn.example/mug.jpg', 'https://www.shop.example/mug']
  const card = cardOf({ name: 'Mug', picture_url, link_url }, '₱125.50')
  expect([card, textOfCard(card)]).toEqual([
    { kind: 'card', title: 'Mug', subtitle: '₱125.50', picture: picture_url, link: link_url },
    'Mug\n₱125.50',
  ])
  expect([link_url, 'https://a-shop-with-a-long-name.example/'].map(linkTitleOf)).toEqual([
    'shop.example',
    'a-shop-with-a-long-…',
  ])
})
