import { describe, expect, it } from 'vitest'
import { pageInUse, routeReason, routeWarning, type SendRoute } from '../../../src/domain/send/send-route.ts'

const routeOf = (rest: Partial<SendRoute>): SendRoute => ({
  pageId: 'p1',
  reason: 'chosen',
  identity: 'found',
  platform: 'messenger',
  ...rest,
})

describe('the page that a message will go out from', () => {
  it.each([
    [routeOf({ pageId: 'p2' }), ['p1', 'p2'], 'p2'],
    [routeOf({ pageId: 'p2' }), ['p1'], 'p2'],
    [null, ['p1'], 'p1'],
    [null, ['p1', 'p2'], null],
    [null, [], null],
  ])('%j with the pages %j is %s', (route, pageIds, used) => expect(pageInUse(route, pageIds)).toBe(used))
})

describe('why a message goes out from a page', () => {
  it.each<[SendRoute['reason'], string]>([
    ['last_incoming', 'where Ana wrote last'],
    ['last_message', 'where the last message was sent'],
    ['only_page', 'the only active page that Ana has written to'],
    ['first_page', 'the first page, because there are no messages yet'],
    ['unasked', 'the first page, because we could not check which page is best'],
    [null, 'the best page for Ana'],
    ['chosen', ''],
  ])('%s is said as %j', (reason, text) => expect(routeReason(routeOf({ reason }), 'Ana')).toBe(text))
})

describe('what is wrong with whom a message goes to', () => {
  it.each<[SendRoute['identity'], string | null]>([
    ['found', null],
    [
      'own',
      'We could not check the account of Ana on this page. Your message goes to the account of this conversation.',
    ],
    ['none', 'Ana has not written to this page. Choose another page.'],
  ])('an identity that is %s is told as %j', (identity, text) =>
    expect(routeWarning(routeOf({ identity }), 'Ana')).toBe(text),
  )
})
