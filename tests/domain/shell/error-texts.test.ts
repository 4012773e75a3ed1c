import { describe, expect, it } from 'vitest'
import { Failure, type FailureFacts, isRefusal, SessionLost } from '../../../src/domain/failure.ts'
import {
  loginFailure,
  migrationCheckFailure,
  ofStoredSession,
  providerSignInFailure,
  restoringFailure,
  toastFor,
  toastWithReason,
} from '../../../src/domain/shell/error-texts.ts'
import { migrationAdvice, migrationText } from '../../../src/domain/shell/migration-failures.ts'

const failure = (facts: Partial<FailureFacts>) =>
  new Failure({ kind: 'status', method: 'GET', path: '/facebook/conversations', ...facts })
const own = 'Failed to load conversations'
const network = 'Network error. Please check your connection.'
const serverError = 'Server error. Please try again later.'

describe('The toast for a failed call (spec section 8)', () => {
  it.each<[string, unknown, string | null]>([
    ['no answer', failure({ kind: 'noAnswer' }), 'Network error. Please check your connection.'],
    ['a timeout', failure({ kind: 'timeout' }), 'Network error. Please check your connection.'],
    ['an aborted call', failure({ kind: 'aborted' }), null],
    ['401, which ends the session', failure({ status: 401, error: 'Token expired' }), null],
    [
      '403',
      failure({ status: 403, error: 'Forbidden' }),
      'Access denied. You do not have permission to perform this action.',
    ],
    [
      '403 with one required permission',
      failure({ status: 403, details: { requiredPermission: 'pages.write' } }),
      'Access denied. Missing permission: pages.write',
    ],
    [
      '403 with permissions of which any is enough',
      failure({ status: 403, details: { missingPermissions: ['a', 'b'], requiresAny: true } }),
      'Access denied. You need at least one of these permissions: a, b',
    ],
    [
      '403 with permissions that are all needed',
      failure({ status: 403, details: { missingPermissions: ['a', 'b'], requireAll: true } }),
      'Access denied. Missing required permissions: a, b',
    ],
    [
      '403 with the missing permissions',
      failure({ status: 403, details: { missingPermissions: ['a', 'b'] } }),
      'Access denied. Missing permissions: a, b',
    ],
    [
      '403 with a name that is no string',
      failure({ status: 403, details: { missingPermissions: ['a', 7, null, 'b'] } }),
      'Access denied. Missing permissions: a, b',
    ],
    [
      '403 with the required permissions',
      failure({ status: 403, details: { requiredPermissions: ['a', 'b'] } }),
      'Access denied. Required permissions: a, b',
    ],
    [
      '403 with empty details',
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
    ['an unreadable answer', failure({ kind: 'badAnswer', status: 200 }), own],
    [
      'a refusal with status 200',
      failure({ kind: 'badAnswer', status: 200, error: 'Token is for another page' }),
      'Token is for another page',
    ],
    ['an internal error', new TypeError('x is undefined'), own],
  ])('%s', (_, error, text) => expect(toastFor(error, own)).toBe(text))
})

describe('A toast with a reason', () => {
  const refused = (reason: string) => ({ kind: 'error', text: `Failed to add page: ${reason}` }) as const
  it.each<[string, unknown, string | null]>([
    ['has the server’s reason', failure({ status: 422, error: 'No such page' }), 'Failed to add page: No such page'],
    [
      'has the reason of a refusal with status 200',
      failure({ kind: 'badAnswer', status: 200, error: 'No such page' }),
      'Failed to add page: No such page',
    ],
    ['is the own text without a reason from the server', failure({ status: 422 }), own],
    ['is the own text with an empty reason from the server', failure({ status: 422, error: '' }), own],
    ['is the general text if one exists', failure({ status: 500, error: 'Stack trace' }), serverError],
    ['is the general text without an answer', failure({ kind: 'noAnswer' }), network],
    ['is not shown for an aborted call', failure({ kind: 'aborted', error: 'Gone' }), null],
    ['is the own text for an internal error', new TypeError('x is undefined'), own],
    ['is the own text for an object that looks like a failure', { error: own }, own],
  ])('%s', (_, error, text) => expect(toastWithReason(error, refused, own)).toBe(text))
})

const serverTrouble = 'Internal server error. Please try again later.'
const refused = 'Invalid email or password. Please try again.'

describe('The text for a sign-in that the identity provider refuses', () => {
  it.each<[string, unknown, string]>([
    [
      'an unconfirmed email',
      failure({ status: 400, error: 'Email not confirmed' }),
      'Please check your email to confirm your account before logging in.',
    ],
    ['a wrong password', failure({ status: 400, error: 'Invalid login credentials' }), refused],
    ['another reason of the provider', failure({ status: 422, error: 'Signups not allowed' }), refused],
    ['no answer', failure({ kind: 'noAnswer' }), network],
    ['too many attempts', failure({ status: 429 }), 'Too many requests. Please try again later.'],
    ['a server error of the provider', failure({ status: 503 }), serverTrouble],
    ['an internal error', new TypeError('x is undefined'), refused],
    ['an undefined error', undefined, refused],
  ])('%s', (_, error, text) => expect(providerSignInFailure(error).text).toBe(text))
})

describe('The text for a sign-in that the API refuses', () => {
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
    ['a reason of the server', failure({ status: 401, error: 'Unknown person' }), 'Unknown person'],
    ['a refusal without a reason', failure({ status: 401 }), 'Invalid email or password'],
    ['an answer without tokens', failure({ kind: 'badAnswer', status: 200 }), 'Invalid token response'],
    ['no answer', failure({ kind: 'noAnswer' }), network],
    ['a timeout', failure({ kind: 'timeout' }), network],
    ['too many attempts', failure({ status: 429 }), 'Too many requests. Please try again later.'],
    ['a lost session', new SessionLost('No refresh token available'), 'No refresh token available'],
    ['an internal error', new TypeError('x is undefined'), 'Invalid credentials'],
  ])('%s', (_, error, text) => expect(loginFailure(error).text).toBe(text))
})

describe('The text for a failed migration check', () => {
  it.each<[string, unknown, string]>([
    ['a refusal with a reason', failure({ status: 401, error: 'Invalid email or password' }), refused],
    ['a refusal with a code only', failure({ status: 403, code: 'SOME_CODE' }), refused],
    ['a refusal without a reason', failure({ status: 403 }), serverTrouble],
    ['an unreadable answer', failure({ kind: 'badAnswer', status: 200 }), serverTrouble],
    [
      'a missing endpoint',
      failure({ status: 404, method: 'POST', path: '/auth/check-migration', error: 'Not found' }),
      'API endpoint not found: POST /auth/check-migration',
    ],
    ['500 with a reason', failure({ status: 500, error: 'Stack trace' }), serverTrouble],
    ['no answer', failure({ kind: 'noAnswer' }), network],
    ['too many attempts', failure({ status: 429 }), 'Too many requests. Please try again later.'],
    ['an internal error', new TypeError('x is undefined'), refused],
  ])('%s', (_, error, text) => expect(migrationCheckFailure(error).text).toBe(text))
})

describe('The text for a stored session that the server refuses', () => {
  it.each<[string, unknown, string | undefined]>([
    ['an expired session', failure({ status: 401, error: 'Token expired' }), undefined],
    [
      'an inactive account',
      failure({ status: 401, code: 'INACTIVE_ACCOUNT', error: 'inactive' }),
      'Your account is inactive. Please contact an administrator.',
    ],
    [
      'a session of the old login',
      failure({ status: 400, code: 'USE_NEW_LOGIN', error: 'new' }),
      "Please use the new login system. If you haven't received a confirmation email, try resetting your password.",
    ],
    [
      '403',
      failure({ status: 403, error: 'Forbidden' }),
      'Access denied. You do not have permission to perform this action.',
    ],
    ['a reason of the server', failure({ status: 422, error: 'Unknown person' }), 'Unknown person'],
    ['a refusal without a reason', failure({ status: 422 }), 'Session expired. Please log in again.'],
    ['a missing refresh token', new SessionLost('No refresh token available'), 'No refresh token available'],
    ['an internal error', new TypeError('x is undefined'), 'Session expired. Please log in again.'],
    ['an object that looks like a failure', { code: 'INACTIVE_ACCOUNT' }, 'Session expired. Please log in again.'],
  ])('%s', (_, error, text) => expect(restoringFailure(error)?.text).toBe(text))
})

describe('The text for a failed migration', () => {
  it.each<[string, unknown, string]>([
    [
      'an unconfirmed email',
      failure({ status: 400, error: 'Email not confirmed' }),
      'Please check your email to confirm your account before logging in.',
    ],
    [
      'INACTIVE_ACCOUNT',
      failure({ status: 403, code: 'INACTIVE_ACCOUNT', error: 'inactive' }),
      'Your account is inactive. Please contact an administrator.',
    ],
    ['no started migration', new SessionLost('No migration in progress'), 'No migration in progress'],
    ['a reason of the server', failure({ status: 409, error: 'No migration in progress' }), 'No migration in progress'],
    ['a refusal without a reason', failure({ status: 400 }), 'Migration failed'],
    ['an unreadable answer', failure({ kind: 'badAnswer', status: 200 }), 'Migration failed'],
    ['500', failure({ status: 500, error: 'Stack trace' }), serverTrouble],
    ['no answer', failure({ kind: 'noAnswer' }), network],
    ['too many attempts', failure({ status: 429 }), 'Too many requests. Please try again later.'],
    ['an internal error', new TypeError('x is undefined'), 'Migration failed'],
    ['an undefined error', undefined, 'Migration failed'],
  ])('%s', (_, error, text) => expect(migrationText(error)).toBe(text))

  it.each<[string, unknown, string | null]>([
    [
      'WRONG_PASSWORD',
      failure({ status: 401, code: 'WRONG_PASSWORD' }),
      'Your old password was not correct. Press Cancel and sign in again.',
    ],
    ['another code', failure({ status: 403, code: 'INACTIVE_ACCOUNT' }), null],
    ['no code', failure({ status: 401 }), null],
    ['an internal error', new TypeError('WRONG_PASSWORD'), null],
  ])('gives advice only for a wrong password: %s', (_, error, advice) => expect(migrationAdvice(error)).toBe(advice))
})

describe('The source of the failure in the login form', () => {
  const wrong = failure({ status: 401, error: 'Invalid email or password' })
  const inactive = failure({ status: 403, code: 'INACTIVE_ACCOUNT' })
  const unreadable = failure({ kind: 'badAnswer', status: 200 })
  it.each([
    ['a password that the provider refuses', providerSignInFailure(wrong), 'typed'],
    ['a server error of the provider', providerSignInFailure(failure({ status: 503 })), 'other'],
    ['no answer from the provider', providerSignInFailure(failure({ kind: 'noAnswer' })), 'other'],
    ['a password that the legacy login refuses', loginFailure(wrong), 'typed'],
    ['an inactive account', loginFailure(inactive), 'typed'],
    ['too many attempts', loginFailure(failure({ status: 429 })), 'other'],
    ['an answer without tokens', loginFailure(unreadable), 'other'],
    ['a missing login endpoint', loginFailure(failure({ status: 404, error: 'Not found' })), 'other'],
    ['a refused migration check', migrationCheckFailure(wrong), 'typed'],
    ['a missing endpoint of the migration check', migrationCheckFailure(failure({ status: 404 })), 'other'],
    ['a migration check refused without a reason', migrationCheckFailure(failure({ status: 403 })), 'other'],
    ['a refused stored session', restoringFailure(failure({ status: 403 })), 'stored'],
    ['a stored session of an inactive account', restoringFailure(inactive), 'stored'],
    ["the provider's, that the product refuses", ofStoredSession(loginFailure(wrong)), 'stored'],
    ['an expired stored session', restoringFailure(failure({ status: 401 })), undefined],
  ] as const)('of %s is about what it is', (_, said, about) => expect(said?.about).toBe(about))
})

describe('Direction characters in a reason of the server are removed', () => {
  const error = 'No such\u202e page\u2069\u0007'
  const reason = (text: string) => ({ kind: 'error', text: `Failed to add page: ${text}` }) as const
  it.each<[string, string | null]>([
    ['from the text of a call', toastFor(failure({ status: 422, error }), own)],
    ['from the text of a sign-in', loginFailure(failure({ status: 422, error })).text],
    ['from the text of a migration', migrationText(failure({ status: 422, error }))],
  ])('%s', (_, text) => expect(text).toBe('No such page '))

  it('from a toast with a reason', () =>
    expect(toastWithReason(failure({ status: 422, error }), reason, own)).toBe('Failed to add page: No such page '))
  it('from the name of a permission', () =>
    expect(
      [{ requiredPermission: '\u202epages.write' }, { missingPermissions: ['pages\u2066.write'] }].map((details) =>
        toastFor(failure({ status: 403, details }), own),
      ),
    ).toEqual(['Access denied. Missing permission: pages.write', 'Access denied. Missing permissions: pages.write']))
  it('even if no text remains', () => expect(toastFor(failure({ status: 422, error: '\u202e\u2066' }), own)).toBe(own))
})

describe('Only a refusal ends a session', () => {
  it.each<[string, unknown, boolean]>([
    ['no answer', failure({ kind: 'noAnswer' }), false],
    ['a timeout', failure({ kind: 'timeout' }), false],
    ['an unreadable answer', failure({ kind: 'badAnswer', status: 200 }), false],
    ...[404, 408, 429, 500, 502, 503, 504].map((status): [string, unknown, boolean] => [
      String(status),
      failure({ status }),
      false,
    ]),
    ...[400, 401, 403, 422].map((status): [string, unknown, boolean] => [String(status), failure({ status }), true]),
    ['a missing refresh token', new SessionLost('No refresh token available'), true],
    ['an internal error', new TypeError('x is undefined'), false],
  ])('%s', (_, error, ends) => expect(isRefusal(error)).toBe(ends))
})

describe('A failure', () => {
  it('names only the failed call in its message', () => {
    const all = failure({ status: 400, error: 'Maria Santos is unknown', details: { name: 'Maria' } })
    expect(all.message).toBe('GET /facebook/conversations: 400')
    expect(failure({ kind: 'noAnswer' }).message).toBe('GET /facebook/conversations: noAnswer')
  })
})
