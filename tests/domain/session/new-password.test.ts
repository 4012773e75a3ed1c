import { describe, expect, it } from 'vitest'
import { Failure, type FailureFacts } from '../../../src/domain/failure.ts'
import { passwordRules, strengthOf } from '../../../src/domain/session/new-password.ts'
import { isUnknownToProvider } from '../../../src/domain/session/provider-refusals.ts'
import { isRegisteredAlready, isWeakPassword } from '../../../src/domain/shell/migration-failures.ts'

const email = 'ana.reyes@example.com'
const met = (password: string, repeatedPassword = password) =>
  passwordRules({ password, repeatedPassword, email }).map(({ isMet }) => isMet)

describe('The rules for a new password: long enough, not the email, entered twice', () => {
  it.each<[string, boolean[]]>([
    ['', [false, false, false]],
    ['1234567', [false, true, true]],
    ['12345678', [true, true, true]],
    ['😀😀😀😀', [false, true, true]],
    ['        ', [true, true, true]],
    ['a'.repeat(256), [true, true, true]],
    ['a'.repeat(257), [false, true, true]],
    [email, [true, false, true]],
    [email.toUpperCase(), [true, false, true]],
  ])('apply to %j', (password, expected) => expect(met(password)).toEqual(expected))

  it('reject two entries that differ in one letter', () =>
    expect(met('12345678', '12345679')).toEqual([true, true, false]))
})

describe('The password strength', () => {
  it.each([
    ['', 'Weak'],
    ['aaaaaaaaaaaa', 'Weak'],
    ['abcdefghijkl', 'Weak'],
    ['abababababab', 'Weak'],
    ['axaxaxaxaxax', 'Weak'],
    ['hoohoohoohoo', 'Weak'],
    ['Xy7!', 'Weak'],
    ['ana.reyesana.reyes', 'Weak'],
    ['ANA.REYES2026', 'Weak'],
    ['mangorice', 'Fair'],
    ['mangoes and', 'Fair'],
    ['mangoes and rice', 'Good'],
    ['Tricycle 7 mangoes', 'Strong'],
    ['correct horse battery staple', 'Strong'],
  ])('of %j is %s', (password, strength) => expect(strengthOf(password, email)).toBe(strength))

  it('ignores a name of three letters in the password, but not one of two', () => {
    expect([strengthOf('bentrucky', 'ben@example.com'), strengthOf('bentrucky', 'be@example.com')]).toEqual([
      'Weak',
      'Fair',
    ])
  })

  it('is computed without an email', () => expect(strengthOf('mangoes and', '')).toBe('Fair'))
})

describe('The classification of refusals by the identity provider', () => {
  const refused = (facts: Partial<FailureFacts>) =>
    new Failure({ kind: 'status', method: 'POST', path: '/token', status: 400, ...facts })
  const judge = (failure: unknown) => ({
    unknown: isUnknownToProvider(failure),
    registered: isRegisteredAlready(failure),
    weak: isWeakPassword(failure),
  })
  const nothing = { unknown: false, registered: false, weak: false }

  it.each<[string, unknown, Partial<typeof nothing>]>([
    ['unknown credentials, by code', refused({ code: 'invalid_credentials' }), { unknown: true }],
    ['unknown credentials, by message', refused({ error: 'Invalid login credentials' }), { unknown: true }],
    ['an unknown user', refused({ code: 'user_not_found' }), { unknown: true }],
    ['a registered user, by code', refused({ code: 'user_already_exists' }), { registered: true }],
    ['a registered email', refused({ code: 'email_exists' }), { registered: true }],
    ['a registered user, by message', refused({ error: 'User already registered' }), { registered: true }],
    ['a weak password', refused({ code: 'weak_password' }), { weak: true }],
    ['an unconfirmed email', refused({ code: 'email_not_confirmed', error: 'Email not confirmed' }), {}],
    ['too many attempts', refused({ status: 429 }), {}],
    ['no answer', refused({ kind: 'noAnswer', code: 'invalid_credentials' }), {}],
    ['an internal error', new TypeError('Invalid login credentials'), {}],
  ])('%s', (_, failure, expected) => expect(judge(failure)).toEqual({ ...nothing, ...expected }))
})
