import { describe, expect, it } from 'vitest'
import { Failure, type FailureFacts } from '../../../src/domain/failure.ts'
import { isDisconnected, troubleOf } from '../../../src/domain/pages/page-state.ts'
import { isTokenRefused, type TokenOwner, tokenMismatchOf } from '../../../src/domain/pages/page-token.ts'

const page = { page_id: 'p1' }

describe('A valid token', () => {
  it.each<[string, typeof page | null, TokenOwner, string | null]>([
    ['of a new page is added', null, { id: 'p2', name: 'Bakery', is_connected: false }, null],
    [
      'of a listed page is not added again',
      null,
      { id: 'p2', name: 'Bake\u202ery', is_connected: true },
      'Bakery is already in the list. Edit it to enter a new token.',
    ],
    ['of the edited page is saved', page, { id: 'p1', name: 'Bakery', is_connected: true }, null],
    [
      'of another page is rejected',
      page,
      { id: 'p2', name: 'Bake\u202ery', is_connected: true },
      'This token belongs to another page, Bakery. Enter the token of this page.',
    ],
    ['that names no page is saved', page, { name: 'Bakery' }, null],
  ])('%s', (_, edited, owner, misuse) => expect(tokenMismatchOf(edited, owner)).toBe(misuse))
})

describe('A failed verification', () => {
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
    ['an unreadable answer', failure({ kind: 'badAnswer', status: 200, error: undefined }), false],
    ['422 without a message', failure({ status: 422, error: undefined }), false],
    ['422 with an empty message', failure({ status: 422, error: '' }), false],
    ['no answer', failure({ kind: 'noAnswer' }), false],
    ['an object that is no Failure', { kind: 'badAnswer', status: 422, error: 'No token' }, false],
  ])('with %s counts as a refused token or not', (_, error, does) => expect(isTokenRefused(error)).toBe(does))
})

describe('A page', () => {
  it.each([
    ['works', null, true, false, null],
    ['works if the API omits the token state', undefined, true, false, null],
    ['is switched off', null, false, false, 'inactive'],
    ['has lost its token', '2026-01-05T12:00:00.000Z', true, true, 'disconnected'],
    ['has lost its token and is switched off', '2026-01-05T12:00:00.000Z', false, true, 'disconnected'],
  ])('%s', (_, token_invalid_since, is_active, disconnected, trouble) => {
    const one = { token_invalid_since, is_active }
    expect([isDisconnected(one), troubleOf(one)]).toEqual([disconnected, trouble])
  })
})
