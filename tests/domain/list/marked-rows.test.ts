import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Choice,
  emptyChoice,
  toggled,
  withAll,
  withoutOthers,
  withRange,
} from '../../../src/domain/list/marked-rows.ts'
import { maxStateChanges } from '../../../src/schemas/conversation-state.ts'

const rows = ['a', 'b', 'c', 'd', 'e']
const many = Array.from({ length: 150 }, (_, index) => `r${index}`)

/** One step: a row, a range from one row to another, or all rows (`*`). */
const step = (choice: Choice, word: string): Choice => {
  if (word === '*') return withAll(choice, rows)
  const [from, id] = word.split('-')
  return id === undefined ? toggled(choice, word) : withRange(choice, rows, from ?? '', id)
}

describe('A range of chosen rows', () => {
  it.each([
    ['from the row that was chosen last', ['b', 'a-d'], 'bcd'],
    ['upwards', ['d', 'a-b'], 'dcb'],
    ['from the active row, if none was chosen', ['b-d'], 'bcd'],
    ['from the active row, if the last one was taken out of the choice', ['a', 'e', 'e', 'c-d'], 'acd'],
    ['replaces the last range from the same row', ['c', 'a-e', 'a-d', 'a-a'], 'cba'],
    ['keeps what was chosen before', ['a', 'e', 'a-c', 'a-d'], 'aed'],
    ['begins again at a row that was chosen after it', ['a', 'a-b', 'd', 'a-e'], 'abde'],
    ['to a row that cannot be chosen changes nothing', ['a', 'a-x'], 'a'],
    ['after all rows stays within them', ['b', '*', 'a-c'], 'bacde'],
  ] as const)('%s', (_, steps, expected) => {
    expect(steps.reduce(step, emptyChoice).marked.join('')).toBe(expected)
  })

  it('stops at the number that one request may change, next to where it began', () => {
    expect(withRange(toggled(emptyChoice, 'r120'), many, '', 'r0').marked).toEqual(
      many.slice(121 - maxStateChanges, 121).reverse(),
    )
    expect(withAll(toggled(emptyChoice, 'r120'), many).marked).toEqual(['r120', ...many.slice(0, maxStateChanges - 1)])
  })
})

it('whatever is chosen, no row is chosen twice, and no more than one request may change', () => {
  const index = fc.nat({ max: many.length - 1 })
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.constantFrom('row', 'range', 'all', 'left'), index, index)), (steps) => {
      let choice = emptyChoice
      for (const [kind, from, to] of steps) {
        const [start = '', id = ''] = [many[from], many[to]]
        if (kind === 'row') choice = toggled(choice, id)
        else if (kind === 'range') choice = withRange(choice, many, start, id)
        else if (kind === 'all') choice = withAll(choice, many)
        else choice = withoutOthers(choice, new Set(many.slice(from)))
        expect(new Set(choice.marked).size).toBe(choice.marked.length)
        expect(choice.marked.length).toBeLessThanOrEqual(maxStateChanges)
        expect(choice.marked).toEqual(expect.arrayContaining([...choice.ranged]))
      }
    }),
  )
})
