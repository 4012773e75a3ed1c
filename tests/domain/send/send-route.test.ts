import { describe, expect, it } from 'vitest'
import { pageInUse, routeReason, routeWarning, type SendRoute } from '../../../src/domain/send/send-route.ts'

const routeOf = (rest: Partial<SendRoute>): SendRoute => ({
  pageId: 'p1',
  reason: 'chosen',
  identity: 'found',
  platform: 'messenger',
  ...rest,
})

describe('The page that a message goes out from', () => {
  it.each([
    [routeOf({ pageId: 'p2' }), ['p1', 'p2'], 'p2'],
    [routeOf({ pageId: 'p2' }), ['p1'], 'p2'],
    [null, ['p1'], 'p1'],
    [null, ['p1', 'p2'], null],
    [null, [], null],
  ])('for the route %j and the pages %j is %s', (route, pageIds, used) => expect(pageInUse(route, pageIds)).toBe(used))
})

describe('The reason for the page of a message', () => {
  it.each<[SendRoute['reason'], string]>([
    ['last_incoming', 'where Ana wrote last'],
    ['last_message', 'where the last message was sent'],
    ['only_page', 'the only active page that Ana has written to'],
    ['first_page', 'the first page, because there are no messages yet'],
    ['fallback', 'the first page, because we could not check which page is best'],
    [null, 'the best page for Ana'],
    ['chosen', ''],
  ])('for the reason %s reads %j', (reason, text) => expect(routeReason(routeOf({ reason }), 'Ana')).toBe(text))
})

describe('The warning about the recipient', () => {
  it.each<[SendRoute['identity'], string | null]>([
    ['found', null],
    [
      'own',
      'We could not check the account of Ana on this page. Your message goes to the account of this conversation.',
    ],
    ['none', 'Ana has not written to this page. Choose another page.'],
    ['unchecked', 'We could not check the account of Ana on this page. Check your connection, or choose another page.'],
  ])('for an identity that is %s reads %j', (identity, text) =>
    expect(routeWarning(routeOf({ identity }), 'Ana')).toBe(text),
  )
})
