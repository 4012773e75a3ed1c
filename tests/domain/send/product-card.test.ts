import { expect, it } from 'vitest'
import { cardOf, textOfCard } from '../../../src/domain/send/product-card.ts'

it.each([
  ['Mug', 'Mug'],
  ['  Rice \n cake ', 'Rice cake'],
  ['a'.repeat(80), 'a'.repeat(80)],
  ['😀'.repeat(81), `${'😀'.repeat(79)}…`],
])('the card of the product %j has the title %j, and its text has the price', (name, title) => {
  const card = cardOf({ name }, '₱125.50')
  expect([card, textOfCard(card)]).toEqual([{ kind: 'card', title, subtitle: '₱125.50' }, `${title}\n₱125.50`])
})
