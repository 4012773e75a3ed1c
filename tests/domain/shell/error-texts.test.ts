import { describe, expect, it } from 'vitest'
import { Failure, type FailureFacts, isRefusal, SessionLost } from '../../../src/domain/failure.ts'
import {
  loginFailure,
  migrationAdvice,
  migrationCheckFailure,
  migrationText,
  ofKeptSession,
  providerSignInFailure,
  restoringFailure,
  toastFor,
  toastWithReason,
} from '../../../src/domain/shell/error-texts.ts'

const failure = (facts: Partial<FailureFacts>) =>
  new Failure({ kind: 'status', method: 'GET', path: '/facebook/conversations', ...facts })
const own = 'Failed to load conversations'
const network = 'Network error. Please check your connection.'
const serverError = 'Server error. Please try again later.'

describe('a failed call is told as spec section 8 says', () => {
  it.each<[string, unknown, string | null]>([
    ['no answer', failure({ kind: 'noAnswer' }), 'Network error. Please check your connection.'],
    ['none in time', failure({ kind: 'timeout' }), 'Network error. Please check your connection.'],
    ['aborted: nobody asks any more', failure({ kind: 'aborted' }), null],
    ['401: the sign-in answers', failure({ status: 401, error: 'Token expired' }), null],
    [
      '403',
      failure({ status: 403, error: 'Forbidden' }),
      'Access denied. You do not have permission to perform this action.',
    ],
    [
      '403 with the one permission',
      failure({ status: 403, details: { requiredPermission: 'pages.write' } }),
      'Access denied. Missing permission: pages.write',
    ],
    [
      '403 where any would do',
      failure({ status: 403, details: { missingPermissions: ['a', 'b'], requiresAny: true } }),
      'Access denied. You need at least one of these permissions: a, b',
    ],
    [
      '403 where all are needed',
      failure({ status: 403, details: { missingPermissions: ['a', 'b'], requireAll: true } }),
      'Access denied. Missing required permissions: a, b',
    ],
    [
      '403 with what is missing',
      failure({ status: 403, details: { missingPermissions: ['a', 'b'] } }),
      'Access denied. Missing permissions: a, b',
    ],
    [
      '403 with something else among the names',
      failure({ status: 403, details: { missingPermissions: ['a', 7, null, 'b'] } }),
      'Access denied. Missing permissions: a, b',
    ],
    [
      '403 with what is required',
      failure({ status: 403, details: { requiredPermissions: ['a', 'b'] } }),
      'Access denied. Required permissions: a, b',
    ],
    [
      '403 with details that say nothing',
      failure({ status: 403, details: { requiredPermission: '', missingPermissions: [], requiredPermissions: 7 } }),
      'Access denied. You do not have permission to perform this action.',
    ],
    [
      '404',
      failure({ status: 404, method: 'POST', path: '/facebook/send', error: 'Not found' }),
      'API endpoint not found: POST /facebook/send',
    ],
    ['429', failure({ status: 429, error: 'Slow' }), 'Too many requests. Please try again later.'],
    ['500', failure({ status: 500, error: 'Stack trace' }), 'Server error. Please try again later.'],
    ...[400, 409, 422, 502, 503, 504].flatMap((status): [string, unknown, string][] => [
      [`${status} with an error`, failure({ status, error: 'The page is inactive' }), 'The page is inactive'],
      [`${status} without one`, failure({ status }), own],
      [`${status} with an empty one`, failure({ status, error: '' }), own],
    ]),
    ['an answer that is none', failure({ kind: 'badAnswer', status: 200 }), own],
    [
      'a refusal with status 200',
      failure({ kind: 'badAnswer', status: 200, error: 'Token is for another page' }),
      'Token is for another page',
    ],
    ['a fault of ours', new TypeError('x is undefined'), own],
  ])('%s', (_, error, text) => expect(toastFor(error, own)).toBe(text))
})

describe('a text that ends in a reason', () => {
  const refused = (reason: string) => ({ kind: 'error', text: `Failed to add page: ${reason}` }) as const
  it.each<[string, unknown, string | null]>([
    ['has the one of the server', failure({ status: 422, error: 'No such page' }), 'Failed to add page: No such page'],
    [
      'has the one of a refusal with status 200',
      failure({ kind: 'badAnswer', status: 200, error: 'No such page' }),
      'Failed to add page: No such page',
    ],
    ['is the own one where the server gives none', failure({ status: 422 }), own],
    ['is the own one where the server gives an empty one', failure({ status: 422, error: '' }), own],
    ['is the general one where there is one', failure({ status: 500, error: 'Stack trace' }), serverError],
    ['is the general one where nobody answered', failure({ kind: 'noAnswer' }), network],
    ['is none where nobody asks any more', failure({ kind: 'aborted', error: 'Gone' }), null],
    ['is the own one for a fault of ours', new TypeError('x is undefined'), own],
    ['is the own one for a fault of ours that looks like a reason', { error: own }, own],
  ])('%s', (_, error, text) => expect(toastWithReason(error, refused, own)).toBe(text))
})

const serverTrouble = 'Internal server error. Please try again later.'
const refused = 'Invalid email or password. Please try again.'

describe('the provider did not sign the person in', () => {
  it.each<[string, unknown, string]>([
    [
      'never confirmed',
      failure({ status: 400, error: 'Email not confirmed' }),
      'Please check your email to confirm your account before logging in.',
    ],
    ['wrong password', failure({ status: 400, error: 'Invalid login credentials' }), refused],
    ['anything else it says', failure({ status: 422, error: 'Signups not allowed' }), refused],
    ['no answer', failure({ kind: 'noAnswer' }), network],
    ['too many attempts', failure({ status: 429 }), 'Too many requests. Please try again later.'],
    ['a provider in trouble', failure({ status: 503 }), serverTrouble],
    ['a fault of ours', new TypeError('x is undefined'), refused],
    ['a fault that says nothing', undefined, refused],
  ])('%s', (_, error, text) => expect(providerSignInFailure(error).text).toBe(text))
})

describe("the product did not take the provider's token", () => {
  it.each<[string, unknown, string]>([
    [
      'INACTIVE_ACCOUNT',
      failure({ status: 403, code: 'INACTIVE_ACCOUNT', error: 'inactive' }),
      'Your account is inactive. Please contact an administrator.',
    ],
    [
      'USE_NEW_LOGIN',
      failure({ status: 400, code: 'USE_NEW_LOGIN', error: 'new' }),
      "Please use the new login system. If you haven't received a confirmation email, try resetting your password.",
    ],
    ['500', failure({ status: 500, error: 'Stack trace' }), serverTrouble],
    ['what the server says', failure({ status: 401, error: 'Unknown person' }), 'Unknown person'],
    ['a server that says nothing', failure({ status: 401 }), 'Invalid email or password'],
    ['an answer without tokens', failure({ kind: 'badAnswer', status: 200 }), 'Invalid token response'],
    ['no answer', failure({ kind: 'noAnswer' }), network],
    ['none in time', failure({ kind: 'timeout' }), network],
    ['too many attempts', failure({ status: 429 }), 'Too many requests. Please try again later.'],
    ['a session that is lost', new SessionLost('No refresh token available'), 'No refresh token available'],
    ['a fault of ours', new TypeError('x is undefined'), 'Invalid credentials'],
  ])('%s', (_, error, text) => expect(loginFailure(error).text).toBe(text))
})

describe('it could not be found out whether somebody is to migrate', () => {
  it.each<[string, unknown, string]>([
    ['refused in words', failure({ status: 401, error: 'Invalid email or password' }), refused],
    ['refused with a code alone', failure({ status: 403, code: 'SOME_CODE' }), refused],
    ['refused without a word', failure({ status: 403 }), serverTrouble],
    ['an answer that is none', failure({ kind: 'badAnswer', status: 200 }), serverTrouble],
    [
      'a call that is not there',
      failure({ status: 404, method: 'POST', path: '/auth/check-migration', error: 'Not found' }),
      'API endpoint not found: POST /auth/check-migration',
    ],
    ['500 in words', failure({ status: 500, error: 'Stack trace' }), serverTrouble],
    ['no answer', failure({ kind: 'noAnswer' }), network],
    ['too many attempts', failure({ status: 429 }), 'Too many requests. Please try again later.'],
    ['a fault of ours', new TypeError('x is undefined'), refused],
  ])('%s', (_, error, text) => expect(migrationCheckFailure(error).text).toBe(text))
})

describe('the server refused the session that the browser had kept', () => {
  it.each<[string, unknown, string | undefined]>([
    ['it is over', failure({ status: 401, error: 'Token expired' }), undefined],
    [
      'its account is inactive',
      failure({ status: 401, code: 'INACTIVE_ACCOUNT', error: 'inactive' }),
      'Your account is inactive. Please contact an administrator.',
    ],
    [
      'it is of the old login',
      failure({ status: 400, code: 'USE_NEW_LOGIN', error: 'new' }),
      "Please use the new login system. If you haven't received a confirmation email, try resetting your password.",
    ],
    [
      '403',
      failure({ status: 403, error: 'Forbidden' }),
      'Access denied. You do not have permission to perform this action.',
    ],
    ['what the server says', failure({ status: 422, error: 'Unknown person' }), 'Unknown person'],
    ['a server that says nothing', failure({ status: 422 }), 'Session expired. Please log in again.'],
    ['nothing left to ask with', new SessionLost('No refresh token available'), 'No refresh token available'],
    ['a fault of ours', new TypeError('x is undefined'), 'Session expired. Please log in again.'],
    ['a fault of ours that looks like a code', { code: 'INACTIVE_ACCOUNT' }, 'Session expired. Please log in again.'],
  ])('%s', (_, error, text) => expect(restoringFailure(error)?.text).toBe(text))
})

describe('a step towards a new password failed', () => {
  it.each<[string, unknown, string]>([
    [
      'an e-mail to confirm',
      failure({ status: 400, error: 'Email not confirmed' }),
      'Please check your email to confirm your account before logging in.',
    ],
    [
      'INACTIVE_ACCOUNT',
      failure({ status: 403, code: 'INACTIVE_ACCOUNT', error: 'inactive' }),
      'Your account is inactive. Please contact an administrator.',
    ],
    ['nothing under way', new SessionLost('No migration in progress'), 'No migration in progress'],
    ['what the server says', failure({ status: 409, error: 'No migration in progress' }), 'No migration in progress'],
    ['a server that says nothing', failure({ status: 400 }), 'Migration failed'],
    ['an answer that is none', failure({ kind: 'badAnswer', status: 200 }), 'Migration failed'],
    ['500', failure({ status: 500, error: 'Stack trace' }), serverTrouble],
    ['no answer', failure({ kind: 'noAnswer' }), network],
    ['too many attempts', failure({ status: 429 }), 'Too many requests. Please try again later.'],
    ['a fault of ours', new TypeError('x is undefined'), 'Migration failed'],
    ['a fault that says nothing', undefined, 'Migration failed'],
  ])('%s', (_, error, text) => expect(migrationText(error)).toBe(text))

  it.each<[string, unknown, string | null]>([
    [
      'WRONG_PASSWORD',
      failure({ status: 401, code: 'WRONG_PASSWORD' }),
      'Your old password was not correct. Press Cancel and sign in again.',
    ],
    ['another code', failure({ status: 403, code: 'INACTIVE_ACCOUNT' }), null],
    ['no code', failure({ status: 401 }), null],
    ['a fault of ours', new TypeError('WRONG_PASSWORD'), null],
  ])('what can be done about it: %s', (_, error, advice) => expect(migrationAdvice(error)).toBe(advice))
})

describe('what the login form says', () => {
  const wrong = failure({ status: 401, error: 'Invalid email or password' })
  const inactive = failure({ status: 403, code: 'INACTIVE_ACCOUNT' })
  const unreadable = failure({ kind: 'badAnswer', status: 200 })
  it.each([
    ['a password that the provider refuses', providerSignInFailure(wrong), 'typed'],
    ['a provider in trouble', providerSignInFailure(failure({ status: 503 })), 'other'],
    ['no answer of the provider', providerSignInFailure(failure({ kind: 'noAnswer' })), 'other'],
    ['a password that the legacy login refuses', loginFailure(wrong), 'typed'],
    ['an account that is inactive', loginFailure(inactive), 'typed'],
    ['too many attempts', loginFailure(failure({ status: 429 })), 'other'],
    ['an answer without tokens', loginFailure(unreadable), 'other'],
    ['a login that is not there', loginFailure(failure({ status: 404, error: 'Not found' })), 'other'],
    ['a question about migrating that is refused', migrationCheckFailure(wrong), 'typed'],
    ['one that is not there', migrationCheckFailure(failure({ status: 404 })), 'other'],
    ['one that is refused without a word', migrationCheckFailure(failure({ status: 403 })), 'other'],
    ['a kept session that is refused', restoringFailure(failure({ status: 403 })), 'kept'],
    ['one whose account is inactive', restoringFailure(inactive), 'kept'],
    ["the provider's, that the product refuses", ofKeptSession(loginFailure(wrong)), 'kept'],
    ['a kept session that is over', restoringFailure(failure({ status: 401 })), undefined],
  ] as const)('of %s is about what it is', (_, said, about) => expect(said?.about).toBe(about))
})

describe('what the server says cannot turn the sentence it stands in', () => {
  const error = 'No such\u202e page\u2069\u0007'
  const reason = (text: string) => ({ kind: 'error', text: `Failed to add page: ${text}` }) as const
  it.each<[string, string | null]>([
    ['of a call', toastFor(failure({ status: 422, error }), own)],
    ['of a sign-in', loginFailure(failure({ status: 422, error })).text],
    ['of a new password', migrationText(failure({ status: 422, error }))],
  ])('%s', (_, text) => expect(text).toBe('No such page '))

  it('as a reason', () =>
    expect(toastWithReason(failure({ status: 422, error }), reason, own)).toBe('Failed to add page: No such page '))
  it('as the name of a permission', () =>
    expect(
      [{ requiredPermission: '\u202epages.write' }, { missingPermissions: ['pages\u2066.write'] }].map((details) =>
        toastFor(failure({ status: 403, details }), own),
      ),
    ).toEqual(['Access denied. Missing permission: pages.write', 'Access denied. Missing permissions: pages.write']))
  it('nor is it all there is', () => expect(toastFor(failure({ status: 422, error: '\u202e\u2066' }), own)).toBe(own))
})

describe('only a refusal ends a session', () => {
  it.each<[string, unknown, boolean]>([
    ['no answer', failure({ kind: 'noAnswer' }), false],
    ['none in time', failure({ kind: 'timeout' }), false],
    ['an answer that is none', failure({ kind: 'badAnswer', status: 200 }), false],
    ...[404, 408, 429, 500, 502, 503, 504].map((status): [string, unknown, boolean] => [
      String(status),
      failure({ status }),
      false,
    ]),
    ...[400, 401, 403, 422].map((status): [string, unknown, boolean] => [String(status), failure({ status }), true]),
    ['nothing left to ask with', new SessionLost('No refresh token available'), true],
    ['a fault of ours', new TypeError('x is undefined'), false],
  ])('%s', (_, error, ends) => expect(isRefusal(error)).toBe(ends))
})

describe('a failure', () => {
  it('says in its message what failed and no more', () => {
    const all = failure({ status: 400, error: 'Maria Santos is unknown', details: { name: 'Maria' } })
    expect(all.message).toBe('GET /facebook/conversations: 400')
    expect(failure({ kind: 'noAnswer' }).message).toBe('GET /facebook/conversations: noAnswer')
  })
})
