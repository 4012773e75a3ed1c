import { describe, expect, it } from 'vitest'
import { Failure, type FailureFacts } from '../../../src/domain/failure.ts'
import { isDisconnected, troubleOf } from '../../../src/domain/pages/page-state.ts'
import { isTokenRefused, type TokenOwner, tokenMismatchOf } from '../../../src/domain/pages/page-token.ts'

const page = { page_id: 'p1' }

describe('a good token', () => {
  it.each<[string, typeof page | null, TokenOwner, string | null]>([
    ['of a new page is added', null, { id: 'p2', name: 'Bakery', is_connected: false }, null],
    [
      'of a page in the list is not added again',
      null,
      { id: 'p2', name: 'Bake\u202ery', is_connected: true },
      'Bakery is already in the list. Edit it to enter a new token.',
    ],
    ['of the page that is edited renews it', page, { id: 'p1', name: 'Bakery', is_connected: true }, null],
    [
      'of another page does not',
      page,
      { id: 'p2', name: 'Bake\u202ery', is_connected: true },
      'This token belongs to another page, Bakery. Enter the token of this page.',
    ],
    ['that tells no page is taken for it', page, { name: 'Bakery' }, null],
  ])('%s', (_, edited, owner, misuse) => expect(tokenMismatchOf(edited, owner)).toBe(misuse))
})

describe('a failed verification', () => {
  const failure = (facts: Partial<FailureFacts>) =>
    new Failure({ method: 'POST', path: '/facebook/pages/verify-token', kind: 'status', error: 'No token', ...facts })
  it.each<[string, unknown, boolean]>([
    ...[400, 409, 410, 422].map((status): [string, unknown, boolean] => [`${status}`, failure({ status }), true]),
    ...[401, 403, 404, 429, 500, 503].map((status): [string, unknown, boolean] => [
      `${status}`,
      failure({ status }),
      false,
    ]),
    ['a refusal with status 200', failure({ kind: 'badAnswer', status: 200 }), true],
    ['an answer that is none', failure({ kind: 'badAnswer', status: 200, error: undefined }), false],
    ['422 without a word', failure({ status: 422, error: undefined }), false],
    ['422 with an empty one', failure({ status: 422, error: '' }), false],
    ['no answer', failure({ kind: 'noAnswer' }), false],
    ['a fault of ours', { kind: 'badAnswer', status: 422, error: 'No token' }, false],
  ])('with %s speaks against the token or does not', (_, error, does) => expect(isTokenRefused(error)).toBe(does))
})

describe('a page', () => {
  it.each([
    ['works', null, true, false, null],
    ['whose token the API does not speak of works', undefined, true, false, null],
    ['is switched off', null, false, false, 'inactive'],
    ['has lost its token', '2026-01-05T12:00:00.000Z', true, true, 'disconnected'],
    ['has lost its token and is switched off', '2026-01-05T12:00:00.000Z', false, true, 'disconnected'],
  ])('%s', (_, token_invalid_since, is_active, disconnected, trouble) => {
    const one = { token_invalid_since, is_active }
    expect([isDisconnected(one), troubleOf(one)]).toEqual([disconnected, trouble])
  })
})
