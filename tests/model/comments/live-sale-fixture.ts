import { noSale } from '../../../src/domain/comments/live-sale.ts'
import { liveSale } from '../../../src/machines/comments/live-sale.ts'
import type { LiveSale } from '../../../src/schemas/live-sale.ts'
import { settingsFormModel } from '../settings-form-fixture.ts'

const sale = (change: Partial<LiveSale>): LiveSale => ({ ...noSale, ...change })

export const on = sale({ is_on: true, items: [{ number: 3, name: 'Mug', price: 25_000, stock: 2 }] })
const incomplete = sale({ is_on: true, keyword: '' })
const others = sale({ keyword: 'akin' })

export const saleModel = () =>
  settingsFormModel(liveSale, { facts: { posts: [] }, empty: noSale, changed: on, incomplete, others })
