import { describe, expect, it } from 'vitest'
import { claimIn } from '../../../src/domain/comments/claims.ts'
import { newSaleItem, noSale, saleBlockedReason, withSaleItem } from '../../../src/domain/comments/live-sale.ts'
import type { LiveSale } from '../../../src/schemas/live-sale.ts'

describe('A comment', () => {
  it.each([
    ['mine 3', { number: 3, quantity: 1 }],
    ['Mine #3 po', { number: 3, quantity: 1 }],
    ['MINE3', { number: 3, quantity: 1 }],
    ['mine 3 x2', { number: 3, quantity: 2 }],
    ['mine 3 × 12 please', { number: 3, quantity: 12 }],
    ['ｍｉｎｅ ３', { number: 3, quantity: 1 }],
    ['mine', null],
    ['mine 0', null],
    ['mine 3 x0', null],
    ['mine 12345', null],
    ['is it mine 3?', null],
    ['mines 3', null],
    ['', null],
  ])('"%s" claims %j', (text, claim) => {
    expect(claimIn(text, 'Mine')).toEqual(claim)
  })

  it('claims nothing by an empty keyword, and a keyword is no pattern', () => {
    expect([claimIn('3', ' '), claimIn('mine 3', 'm.ne'), claimIn('m.ne 3', 'm.ne')]).toEqual([
      null,
      null,
      { number: 3, quantity: 1 },
    ])
  })
})

const sale = (change: Partial<LiveSale> = {}): LiveSale => ({
  is_on: true,
  post_id: null,
  keyword: 'mine',
  items: [{ number: 1, name: 'Mug', price: 100, stock: null }],
  ...change,
})
const withItem = (change: object) => withSaleItem(sale(), 0, change)

it.each([
  ['nothing that was not changed', null, 'You have not changed anything'],
  ['no number that is missing', withItem({ number: Number.NaN }), 'Use numbers from 1 to 9999.'],
  ['no number above the limit', withItem({ number: 10_000 }), 'Use numbers from 1 to 9999.'],
  ['the greatest number', withItem({ number: 9_999 }), null],
  ['no number twice', sale({ items: [...sale().items, ...sale().items] }), 'Two products have the same number.'],
  ['no product without a name', withItem({ name: ' ' }), 'Type the name of each product.'],
  ['no price that is no amount', withItem({ price: Number.NaN }), 'Enter each price as an amount like 1,250 or 99.50.'],
  ['no sale without a keyword', sale({ keyword: ' ' }), 'Type the keyword.'],
  ['no sale without products', sale({ items: [] }), 'Add a product.'],
  ['an empty sale that is off', noSale, null],
  ['a complete sale', sale(), null],
])('a live sale saves %s', (_, settings, reason) => {
  expect(saleBlockedReason(settings)).toBe(reason)
})

it('a new product gets the next number', () => {
  expect([newSaleItem(noSale).number, newSaleItem(withItem({ number: 7 })).number]).toEqual([1, 8])
})
