import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fuzzyMatches, fuzzyRank } from '../../../src/domain/shell/fuzzy.ts'

it.each([
  ['', 'Manage pages', 0],
  ['  ', 'Manage pages', 0],
  ['manage', 'Manage pages', 0],
  ['MAN', 'Manage pages', 0],
  ['pag', 'Manage pages', 1],
  ['pages manage', 'Manage pages', 1],
  ['man pag', 'Manage pages', 1],
  ['mp', 'Manage pages', 2],
  ['mfp', 'Manage Facebook Pages', 2],
  ['fp', 'Manage Facebook Pages', 2],
  ['snz', 'Snooze', 3],
  ['mngpg', 'Manage pages', 3],
  ['pgs', 'Manage pages', 3],
  // A word matches from its beginning only: otherwise a name such as Ana finds commands.
  ['ana', 'Manage pages', null],
  ['anage', 'Manage pages', null],
  ['m', 'Manage pages', 0],
  ['x', 'Manage pages', null],
  ['manage x', 'Manage pages', null],
  ['sgp', 'Manage pages', null],
  ['pena', 'Peña, José', 0],
  ['JOSÉ', 'Peña, José', 1],
  ['two step', 'Two-step sign-in', 1],
  ['dark', 'Appearance: Dark', 1],
  ['a', '', null],
])('%j matches %j with the rank %j', (typed, name, rank) => expect(fuzzyRank(typed, name)).toBe(rank))

it('lists the best match first and keeps the order of equal ones', () => {
  const names = ['Mark as unread', 'Unassigned', 'Undo the last change', 'Assign', 'Sync']
  expect([fuzzyMatches('un', names, String), fuzzyMatches('', names, String)]).toEqual([
    ['Unassigned', 'Undo the last change', 'Mark as unread'],
    names,
  ])
})

it('finds every name by the beginning of any of its words, and never invents or repeats an item', () => {
  const word = fc.stringMatching(/^[a-zñé]{1,8}$/)
  const names = fc.array(fc.array(word, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 8 })
  fc.assert(
    fc.property(names, fc.nat(), fc.nat(), fc.integer({ min: 1, max: 8 }), (all, which, at, length) => {
      const items = all.map((words, id) => ({ id, name: words.join(' ') }))
      const wanted = all[which % all.length] ?? []
      const typed = (wanted[at % wanted.length] ?? '').slice(0, length)
      const found = fuzzyMatches(typed, items, ({ name }) => name)
      expect(found.map(({ name }) => name)).toContain(wanted.join(' '))
      expect(new Set(found).size).toBe(found.length)
      expect(items).toEqual(expect.arrayContaining(found))
    }),
    { seed: 17, numRuns: 200 },
  )
})
