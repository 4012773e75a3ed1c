import { describe, expect, it } from 'vitest'
import { Failure, type FailureFacts } from '../../../src/domain/failure.ts'
import { passwordRules, strengthOf } from '../../../src/domain/session/new-password.ts'
import {
  isRegisteredAlready,
  isUnknownToProvider,
  isWeakPassword,
} from '../../../src/domain/session/provider-refusals.ts'

const email = 'ana.reyes@example.com'
const met = (password: string, repeatedPassword = password) =>
  passwordRules({ password, repeatedPassword, email }).map(({ isMet }) => isMet)

describe('the rules for a new password: long enough, not the e-mail, the same twice', () => {
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
  ])('%j', (password, expected) => expect(met(password)).toEqual(expected))

  it('two that differ in one letter are not the same', () =>
    expect(met('12345678', '12345679')).toEqual([true, true, false]))
})

describe('the strength', () => {
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

  it('leaves out a name of three letters, but not one of two', () => {
    expect([strengthOf('bentrucky', 'ben@example.com'), strengthOf('bentrucky', 'be@example.com')]).toEqual([
      'Weak',
      'Fair',
    ])
  })

  it('is measured though the e-mail names nobody', () => expect(strengthOf('mangoes and', '')).toBe('Fair'))
})

describe('refusals of the provider are told apart', () => {
  const refused = (facts: Partial<FailureFacts>) =>
    new Failure({ kind: 'status', method: 'POST', path: '/token', status: 400, ...facts })
  const judge = (failure: unknown) => ({
    unknown: isUnknownToProvider(failure),
    registered: isRegisteredAlready(failure),
    weak: isWeakPassword(failure),
  })
  const nothing = { unknown: false, registered: false, weak: false }

  it.each<[string, unknown, Partial<typeof nothing>]>([
    ['unknown, by its code', refused({ code: 'invalid_credentials' }), { unknown: true }],
    ['unknown, by its message', refused({ error: 'Invalid login credentials' }), { unknown: true }],
    ['nobody of that name', refused({ code: 'user_not_found' }), { unknown: true }],
    ['registered, by its code', refused({ code: 'user_already_exists' }), { registered: true }],
    ['registered with that e-mail', refused({ code: 'email_exists' }), { registered: true }],
    ['registered, by its message', refused({ error: 'User already registered' }), { registered: true }],
    ['weak', refused({ code: 'weak_password' }), { weak: true }],
    ['not confirmed', refused({ code: 'email_not_confirmed', error: 'Email not confirmed' }), {}],
    ['too often', refused({ status: 429 }), {}],
    ['no answer', refused({ kind: 'noAnswer', code: 'invalid_credentials' }), {}],
    ['a fault of ours', new TypeError('Invalid login credentials'), {}],
  ])('%s', (_, failure, expected) => expect(judge(failure)).toEqual({ ...nothing, ...expected }))
})
