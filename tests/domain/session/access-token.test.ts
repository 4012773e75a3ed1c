import { describe, expect, it } from 'vitest'
import { claimsOf, needsRefresh, secondsLeft } from '../../../src/domain/session/access-token.ts'
import { can, canAny, mayTry } from '../../../src/domain/session/permissions.ts'

const base64url = (text: string) => Buffer.from(text).toString('base64url')
const encode = (value: unknown) => base64url(JSON.stringify(value))
const tokenOf = (claims: unknown) => `${encode({ alg: 'HS256' })}.${encode(claims)}.signature`

/** Issued at 1,000 s with a lifetime of 15 minutes, by the clock of the issuer. */
const token = tokenOf({ sub: 'u1', iat: 1_000, exp: 1_900 })
const at = (seconds: number) => seconds * 1_000

describe('The claims of a token', () => {
  it.each<[string, string, unknown]>([
    ['with all claims', token, { subject: 'u1', expiresAt: 1_900, issuedAt: 1_000 }],
    ['with a numeric subject', tokenOf({ sub: 7, exp: 5 }), { subject: '7', expiresAt: 5, issuedAt: null }],
    ['with an expiry time only', tokenOf({ exp: 5 }), { subject: null, expiresAt: 5, issuedAt: null }],
    ['with non-ASCII letters', tokenOf({ sub: 'Peña–✓', exp: 5 }), { subject: 'Peña–✓', expiresAt: 5, issuedAt: null }],
    ['without an expiry time', tokenOf({ sub: 'u1' }), null],
    ['with a non-numeric expiry time', tokenOf({ exp: '5' }), null],
    ['with an infinite expiry time', `a.${base64url('{"exp":1e999}')}.c`, null],
    [
      'with an infinite issue time',
      `a.${base64url('{"exp":5,"iat":1e999}')}.c`,
      { subject: null, expiresAt: 5, issuedAt: null },
    ],
    ['with a bad issue time', tokenOf({ exp: 5, iat: '1' }), { subject: null, expiresAt: 5, issuedAt: null }],
    ['of a payload that is no object', tokenOf(null), null],
    ['of a payload that is a string', tokenOf('exp'), null],
    ['of an empty payload', 'a..c', null],
    ['of a payload that is no JSON', 'a.bm90IGpzb24.c', null],
    ['of a payload that is no base64', 'a.*.c', null],
    ['of a text that is no token', 'opaque', null],
    ['of an empty text', '', null],
  ])('%s', (_, text, claims) => expect(claimsOf(text)).toEqual(claims))
})

describe('The remaining lifetime of a token', () => {
  const claims = { subject: 'u1', expiresAt: 1_900, issuedAt: 1_000 }
  it.each<[string, number | null, number, number]>([
    ['is counted from the time of receipt', at(1_000), at(1_600), 300],
    ['is the same on a clock that is an hour ahead', at(4_600), at(4_660), 840],
    ['is the same on a clock that is an hour behind', at(-2_600), at(-2_000), 300],
    ['is taken from the expiry time if the time of receipt is unknown', null, at(1_800), 100],
  ])('%s', (_, obtainedAt, now, left) => expect(secondsLeft(claims, obtainedAt, now)).toBe(left))
})

describe('A token', () => {
  it.each<[string, string, number, boolean]>([
    ['is not refreshed with 300 s left', token, at(1_600), false],
    ['is refreshed with less than 300 s left', token, at(1_601), true],
    ['is refreshed after it expired', token, at(2_000), true],
    ['is refreshed if it cannot be decoded', 'opaque', at(0), true],
    ['with a lifetime of 4 min is kept in its first half', tokenOf({ iat: 1_000, exp: 1_240 }), at(1_120), false],
    ['with a lifetime of 4 min is refreshed later', tokenOf({ iat: 1_000, exp: 1_240 }), at(1_121), true],
    ['without an issue time is refreshed below 300 s', tokenOf({ exp: 400 }), at(101), true],
    ['without an issue time is not refreshed with 300 s left', tokenOf({ exp: 400 }), at(100), false],
  ])('%s', (_, text, now, refreshed) => expect(needsRefresh(text, null, now)).toBe(refreshed))

  it('that cannot be decoded is not refreshed repeatedly', () => {
    expect(needsRefresh('opaque', at(1_000), at(1_299))).toBe(false)
    expect(needsRefresh('opaque', at(1_000), at(1_300))).toBe(true)
  })
})

describe('A token received when issued, with a lifetime of 4 minutes', () => {
  const short = tokenOf({ iat: 1_000, exp: 1_240 })
  it.each([
    ['is not refreshed in its first half', at(1_120), false],
    ['is refreshed in its second half', at(1_121), true],
  ])('%s', (_, now, refreshed) => expect(needsRefresh(short, at(1_000), now)).toBe(refreshed))
})

describe('A token with an expiry time only', () => {
  const ending = tokenOf({ exp: 1_900 })
  it.each([
    ['is refreshed with less than 300 s left', at(1_000), at(1_601), true],
    ['is not refreshed before', at(1_000), at(1_600), false],
    ['is refreshed at once if it arrived with 300 s left', at(1_600), at(1_601), true],
    ['is not refreshed repeatedly by a clock that is an hour ahead', at(4_600), at(4_899), false],
    ['is refreshed after 300 s by a clock that is an hour ahead', at(4_600), at(4_900), true],
  ])('%s', (_, obtainedAt, now, refreshed) => expect(needsRefresh(ending, obtainedAt, now)).toBe(refreshed))
})

describe('The permission check', () => {
  const ana = { permissions: ['messages.send', 'pages.read'] }
  it.each([
    ['allows a granted permission', can(ana, 'pages.read'), true],
    ['denies a missing permission', can(ana, 'pages.write'), false],
    ['denies everything if nobody is signed in', can(null, 'pages.read'), false],
    ['allows a list with one granted permission', canAny(ana, ['pages.write', 'pages.read']), true],
    ['denies a list without a granted permission', canAny(ana, ['pages.write', 'stats.read']), false],
    ['denies an empty list', canAny(ana, []), false],
    ['offers an action to who may take it', mayTry({ permissions: ['conversations.read', 'x'] }, 'x'), true],
    ['offers no action that this server would refuse', mayTry({ permissions: ['conversations.read'] }, 'x'), false],
    ['offers an action of an API with other names', mayTry(ana, 'x'), true],
  ])('%s', (_, has, expected) => expect(has).toBe(expected))
})
