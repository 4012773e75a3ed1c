import { describe, expect, it } from 'vitest'
import { readRow } from '../../../server/imports/csv-values.ts'
import type { Business } from '../../../src/schemas/business.ts'
import { type CsvKind, type CsvMapping, csvFields, csvLimits } from '../../../src/schemas/csv-import.ts'

const business: Business = { locale: 'en-PH', currency: 'PHP', time_zone: 'Asia/Manila', country: 'PH' }

/** Reads a row with a column for each field of the kind, in the order of the schema. */
const read = (kind: CsvKind, given: Record<string, string>) => {
  const columns = csvFields[kind]
  const fields = Object.fromEntries(columns.map((field, index) => [field, index])) as CsvMapping['fields']
  const mapping: CsvMapping = { fields, amounts: 'point', dates: 'mdy' }
  const cells = columns.map((field) => given[field] ?? '')
  return readRow(kind, cells, { mapping, columns: columns.length, business })
}

/** A row of each kind that can be stored. */
const whole: Record<CsvKind, Record<string, string>> = {
  clients: { id: 'C-1', name: 'Ana Reyes' },
  orders: { order_number: 'SO-1', client: 'C-1', status: 'paid', total_amount: '5', created_at: '2026-01-02' },
  items: { order: 'SO-1', name: 'Mug', quantity: '1' },
  payments: { order: 'SO-1', amount: '5', status: 'paid', created_at: '2026-01-02' },
  products: { id: 'P-1', name: 'Mug', unit_price: '5' },
}

describe('A row of a CSV file', () => {
  it.each<[CsvKind, string, string, string]>([
    ['clients', 'name', '', 'A client needs a first and a last name.'],
    ['clients', 'name', 'Ana', 'A client needs a first and a last name.'],
    ['clients', 'id', '', 'There is no id, email address or phone number.'],
    ['clients', 'id', 'x'.repeat(csvLimits.cell), 'The id is not valid or too long.'],
    ['clients', 'company_name', 'x'.repeat(csvLimits.cell + 1), 'A cell is too long.'],
    ['orders', 'order_number', '', 'There is no order number.'],
    ['orders', 'client', '', 'The row names no client.'],
    ['orders', 'status', '', 'There is no status.'],
    ['orders', 'total_amount', '', 'There is no total.'],
    ['orders', 'total_amount', '-5', 'The total is negative.'],
    ['orders', 'created_at', '', 'There is no date.'],
    ['orders', 'created_at', '31/01/2026', 'The date cannot be read in the chosen format.'],
    ['items', 'order', '', 'There is no order.'],
    ['items', 'name', '', 'There is no name.'],
    ['items', 'quantity', '', 'There is no quantity.'],
    ['items', 'quantity', '1.2345', 'The quantity is not valid or too long.'],
    ['items', 'unit_price', '5.123', 'The price has more than two decimals.'],
    ['payments', 'order', '', 'There is no order.'],
    ['payments', 'amount', '', 'There is no amount.'],
    ['payments', 'amount', 'five', 'The amount is not a number, or is in another currency.'],
    ['payments', 'status', '', 'There is no status.'],
    ['payments', 'created_at', '', 'There is no date.'],
    ['payments', 'created_at', 'yesterday', 'The date cannot be read in the chosen format.'],
    ['products', 'id', '', 'There is no id.'],
    ['products', 'name', '', 'There is no name.'],
    ['products', 'unit_price', '', 'There is no price.'],
    ['products', 'unit_price', '-5', 'The price is negative.'],
  ])('of %s whose %s is %j is refused: %s', (kind, field, value, reason) => {
    expect(read(kind, whole[kind])).toBeTypeOf('object')
    expect(read(kind, { ...whole[kind], [field]: value })).toBe(reason)
  })

  it('with more cells than the header is refused', () => {
    const mapping: CsvMapping = { fields: { id: 0, name: 1 }, amounts: 'point', dates: 'mdy' }
    const cells = ['C-1', 'Ana Reyes', '']
    expect(readRow('clients', cells, { mapping, columns: 2, business })).toBe('The row has more cells than the header.')
    expect(readRow('clients', cells, { mapping, columns: 3, business })).toBeTypeOf('object')
  })

  it.each([
    ['5', { itemId: '["Mug","5.00"]', unit_price: 5 }],
    ['', { itemId: '["Mug",null]' }],
  ])('of an item with the price %j and no id has an id of its name and its price', (unit_price, value) => {
    expect(read('items', { ...whole.items, unit_price })).toEqual({
      key: JSON.stringify(['SO-1', value.itemId]),
      keyOf: 'id',
      isDerived: true,
      value: { order: 'SO-1', name: 'Mug', quantity: 1, orderNumber: 'SO-1', ...value },
    })
  })
})
