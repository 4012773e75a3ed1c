import { describe, expect, it } from 'vitest'
import { addressSearchOf, isSameQuery, type ListQuery, queryIn } from '../../../src/domain/list/list-query.ts'

const all: ListQuery = { search: '', pageId: null, unreadOnly: false }

describe('The address of a list query', () => {
  it.each<[string, ListQuery]>([
    ['', all],
    ['?q=ana', { ...all, search: 'ana' }],
    ['?page=p1', { ...all, pageId: 'p1' }],
    ['?unread=1', { ...all, unreadOnly: true }],
    ['?view=done', { ...all, view: 'done' }],
    ['?order=urgent', { ...all, order: 'urgent' }],
    ['?label=l1&assigned=nobody', { ...all, labelId: 'l1', assignedTo: 'nobody' }],
    ['?q=Ni%C3%B1o+%26+co%3F&page=p%2F1&unread=1', { search: 'Niño & co?', pageId: 'p/1', unreadOnly: true }],
  ])('%s is written from and read back as its query', (address, query) => {
    expect([addressSearchOf(query), queryIn(address)]).toEqual([address, query])
  })

  it.each<[string, ListQuery]>([
    ['?q=++ana+', { ...all, search: 'ana' }],
    ['?page=&unread=0&other=1', all],
    ['?unread=true', all],
    ['?view=other', all],
    ['?order=longest', all],
    [`?q=${'a'.repeat(300)}`, { ...all, search: 'a'.repeat(200) }],
  ])('%s is read as a valid query', (address, query) => expect(queryIn(address)).toEqual(query))

  it('names no view for the first one', () =>
    expect([addressSearchOf({ ...all, view: 'waiting' }), isSameQuery({ ...all, view: 'waiting' }, all)]).toEqual([
      '',
      true,
    ]))

  it('ignores a trailing space in the search text', () => {
    expect([
      isSameQuery({ ...all, search: 'ana ' }, { ...all, search: 'ana' }),
      isSameQuery(all, queryIn('?q=a')),
    ]).toEqual([true, false])
  })
})
