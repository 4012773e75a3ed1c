import { describe, expect, it } from 'vitest'
import type { ListQuery } from '../../../src/domain/list/list-query.ts'
import {
  deletedPart,
  type Existing,
  filterShown,
  isSaveable,
  queryOf,
  valuesOf,
} from '../../../src/domain/list/saved-filters.ts'
import { nobody } from '../../../src/schemas/conversation.ts'
import type { SavedFilter } from '../../../src/schemas/saved-filter.ts'

const all: ListQuery = { search: '', pageId: null, unreadOnly: false, view: 'waiting' }
const whole: ListQuery = {
  search: '',
  pageId: 'p1',
  unreadOnly: true,
  view: 'done',
  labelId: 'l1',
  assignedTo: nobody,
}
const filterOf = (query: ListQuery, id = 'f1'): SavedFilter => ({ id, name: id, ...valuesOf(query) })

describe('A saved filter', () => {
  it.each([all, whole, { ...all, assignedTo: 's2' }])(
    'keeps the whole query without its search, and leaves the order: %j',
    (query) => {
      expect(queryOf(valuesOf({ ...query, search: 'ana' }), { order: 'urgent' })).toEqual({
        labelId: undefined,
        assignedTo: undefined,
        ...query,
        order: 'urgent',
      })
    },
  )

  it('keeps the view All for an API without views', () =>
    expect(valuesOf({ ...all, view: undefined }).view).toBe('all'))

  it('is the one that the list shows only if all parts are the same and nothing is searched', () => {
    const filters = [filterOf(whole, 'f1'), filterOf({ ...all, pageId: 'p1' }, 'f2')]
    const shown = [
      whole,
      { ...all, pageId: 'p1' },
      { ...whole, order: 'urgent' as const },
      { ...whole, search: 'ana' },
      { ...whole, view: 'all' as const },
      all,
    ]
    expect(shown.map((query) => filterShown(filters, query)?.id)).toEqual([
      'f1',
      'f2',
      'f1',
      undefined,
      undefined,
      undefined,
    ])
  })

  it('can be made of a filtered query that is not searched and not saved yet', () => {
    const queries = [all, whole, { ...whole, search: 'ana' }, { ...all, search: 'ana' }, { ...all, unreadOnly: true }]
    expect(queries.map((query) => isSaveable([filterOf(whole)], query))).toEqual([false, false, false, false, true])
    expect(isSaveable([], whole)).toBe(true)
  })

  it('names what was deleted, and nothing that is not known yet', () => {
    const ids = (...known: string[]) => new Set(known)
    const cases: [Existing, ReturnType<typeof deletedPart>][] = [
      [{ pages: ids('p1'), labels: ids('l1'), members: ids('s1') }, null],
      [{ pages: ids(), labels: ids('l1'), members: ids('s1') }, 'page'],
      [{ pages: ids('p1'), labels: ids('l2'), members: ids('s1') }, 'label'],
      [{ pages: ids('p1'), labels: ids('l1'), members: ids() }, 'member'],
      [{ pages: null, labels: null, members: null }, null],
    ]
    const values = valuesOf({ ...whole, assignedTo: 's1' })
    expect(cases.map(([existing]) => deletedPart(values, existing))).toEqual(cases.map(([, part]) => part))
    expect(deletedPart(valuesOf(all), { pages: ids(), labels: ids(), members: ids() })).toBeNull()
  })
})
