import { describe, expect, it } from 'vitest'
import { guessMapping } from '../../../server/imports/guess-mapping.ts'
import type { SavedCsvMapping } from '../../../src/schemas/csv-import.ts'

const formatsOf = (rows: [amount: string, date: string][], saved: SavedCsvMapping | null = null) => {
  const { amounts, dates } = guessMapping('orders', ['Total', 'Date'], rows, saved, { currency: 'PHP' })
  return [amounts, dates]
}

describe('The formats that the dialog proposes', () => {
  it.each<[string, [string, string][], string[]]>([
    ['those that read all values', [['1.234,50', '31/12/2026']], ['comma', 'dmy']],
    ['the first ones, if several read all values', [['99', '01/02/2026']], ['point', 'mdy']],
    [
      'those that read most values, if none reads all',
      [
        ['1.234,50', '31/12/2026'],
        ['12,5', '30/12/2026'],
        ['not yet', 'tomorrow'],
      ],
      ['comma', 'dmy'],
    ],
    ['the first ones for an empty file', [], ['point', 'mdy']],
  ])('are %s', (_, rows, formats) => expect(formatsOf(rows)).toEqual(formats))

  it('are the last choice of staff only if that choice reads all values', () => {
    const saved: SavedCsvMapping = { fields: {}, amounts: 'cents', dates: 'dmy' }
    expect([formatsOf([['123450', '01/02/2026']], saved), formatsOf([['1,234.50', '12/31/2026']], saved)]).toEqual([
      ['cents', 'dmy'],
      ['point', 'mdy'],
    ])
  })
})
