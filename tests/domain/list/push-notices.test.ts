import { describe, expect, it } from 'vitest'
import { commentsPushNotice } from '../../../src/domain/list/push-notices.ts'

const one = { threadId: 't1', name: 'Ana', line: 'Magkano po?' }
const many = Array.from({ length: 9 }, (_, index) => ({ threadId: `t${index}`, name: `Ana ${index}`, line: 'Hello' }))

describe('A push notification about comments', () => {
  it.each([
    [
      'names the person and the text as chosen',
      [one],
      { showsNames: true, showsText: true },
      { title: 'New comment from Ana', body: 'Magkano po?', comments: { threadId: 't1' } },
    ],
    [
      'has the page in place of a text that was not chosen',
      [one],
      { showsNames: true, showsText: false },
      { title: 'New comment from Ana', body: 'Prints', comments: { threadId: 't1' } },
    ],
    [
      'names nobody unless it was chosen',
      [one],
      { showsNames: false, showsText: true },
      { title: 'Prints', body: 'New comment', comments: { threadId: 't1' } },
    ],
    [
      'counts many people, and opens the list',
      many,
      { showsNames: false, showsText: true },
      { title: 'Prints', body: 'New comments from 9 people', comments: { threadId: null } },
    ],
  ])('%s', (_, news, choice, expected) => {
    expect(commentsPushNotice(news, { page: 'Prints', ...choice })).toEqual(expected)
  })

  it('has a title without a page, and does not exist without comments', () => {
    const choice = { page: null, showsNames: false, showsText: false }
    expect([commentsPushNotice([one], choice)?.title, commentsPushNotice([], choice)]).toEqual(['Inbox', null])
  })
})
