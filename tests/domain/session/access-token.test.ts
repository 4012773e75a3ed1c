import { describe, expect, it } from 'vitest'
import { claimsOf, needsRefresh, secondsLeft } from '../../../src/domain/session/access-token.ts'
import { can, canAny } from '../../../src/domain/session/permissions.ts'

const base64url = (text: string) => Buffer.from(text).toString('base64url')
const encode = (value: unknown) => base64url(JSON.stringify(value))
const tokenOf = (claims: unknown) => `${encode({ alg: 'HS256' })}.${encode(claims)}.signature`

/** Issued at 1,000 s for 15 minutes, by the issuer's clock. */
const token = tokenOf({ sub: 'u1', iat: 1_000, exp: 1_900 })
const at = (seconds: number) => seconds * 1_000

describe('the claims of a token', () => {
  it.each<[string, string, unknown]>([
    ['all', token, { subject: 'u1', expiresAt: 1_900, issuedAt: 1_000 }],
    ['a number for a subject', tokenOf({ sub: 7, exp: 5 }), { subject: '7', expiresAt: 5, issuedAt: null }],
    ['the end alone', tokenOf({ exp: 5 }), { subject: null, expiresAt: 5, issuedAt: null }],
    ['letters beyond ASCII', tokenOf({ sub: 'Peña–✓', exp: 5 }), { subject: 'Peña–✓', expiresAt: 5, issuedAt: null }],
    ['no end', tokenOf({ sub: 'u1' }), null],
    ['an end that is no number', tokenOf({ exp: '5' }), null],
    ['an end beyond all numbers', `a.${base64url('{"exp":1e999}')}.c`, null],
    [
      'a beginning beyond all numbers',
      `a.${base64url('{"exp":5,"iat":1e999}')}.c`,
      { subject: null, expiresAt: 5, issuedAt: null },
    ],
    ['a beginning that is no number', tokenOf({ exp: 5, iat: '1' }), { subject: null, expiresAt: 5, issuedAt: null }],
    ['no object', tokenOf(null), null],
    ['a text', tokenOf('exp'), null],
    ['an empty payload', 'a..c', null],
    ['no JSON', 'a.bm90IGpzb24.c', null],
    ['no base64', 'a.*.c', null],
    ['no token', 'opaque', null],
    ['nothing', '', null],
  ])('%s', (_, text, claims) => expect(claimsOf(text)).toEqual(claims))
})

describe('the time that is left', () => {
  const claims = { subject: 'u1', expiresAt: 1_900, issuedAt: 1_000 }
  it.each<[string, number | null, number, number]>([
    ['is counted from the moment it came', at(1_000), at(1_600), 300],
    ['on a clock an hour ahead, too', at(4_600), at(4_660), 840],
    ['and on one an hour behind', at(-2_600), at(-2_000), 300],
    ['by the end alone where that moment is not known', null, at(1_800), 100],
  ])('%s', (_, obtainedAt, now, left) => expect(secondsLeft(claims, obtainedAt, now)).toBe(left))
})

describe('a token', () => {
  it.each<[string, string, number, boolean]>([
    ['is left alone with 300 s to go', token, at(1_600), false],
    ['is refreshed with fewer', token, at(1_601), true],
    ['is refreshed when it is expired', token, at(2_000), true],
    ['is refreshed when it cannot be decoded', 'opaque', at(0), true],
    ['that lives for 4 minutes is left alone at first', tokenOf({ iat: 1_000, exp: 1_240 }), at(1_120), false],
    ['that lives for 4 minutes is refreshed in its second half', tokenOf({ iat: 1_000, exp: 1_240 }), at(1_121), true],
    ['that does not say when it was issued goes by 300 s, too', tokenOf({ exp: 400 }), at(101), true],
    ['that does not say when it was issued is left alone before', tokenOf({ exp: 400 }), at(100), false],
  ])('%s', (_, text, now, refreshed) => expect(needsRefresh(text, null, now)).toBe(refreshed))

  it('that cannot be decoded is not refreshed again and again', () => {
    expect(needsRefresh('opaque', at(1_000), at(1_299))).toBe(false)
    expect(needsRefresh('opaque', at(1_000), at(1_300))).toBe(true)
  })
})

describe('a token that came fresh and lives for 4 minutes', () => {
  const short = tokenOf({ iat: 1_000, exp: 1_240 })
  it.each([
    ['is left alone in its first half', at(1_120), false],
    ['is refreshed in its second half', at(1_121), true],
  ])('%s', (_, now, refreshed) => expect(needsRefresh(short, at(1_000), now)).toBe(refreshed))
})

describe('a token that only says when it ends', () => {
  const ending = tokenOf({ exp: 1_900 })
  it.each([
    ['is refreshed when fewer than 300 s remain', at(1_000), at(1_601), true],
    ['is left alone before', at(1_000), at(1_600), false],
    ['is refreshed at once where 300 s remained when it came', at(1_600), at(1_601), true],
    ['is not refreshed again and again by a clock that is an hour ahead', at(4_600), at(4_899), false],
    ['but after 300 s', at(4_600), at(4_900), true],
  ])('%s', (_, obtainedAt, now, refreshed) => expect(needsRefresh(ending, obtainedAt, now)).toBe(refreshed))
})

describe('permissions', () => {
  const ana = { permissions: ['messages.send', 'pages.read'] }
  it.each([
    ['one that is held', can(ana, 'pages.read'), true],
    ['one that is not', can(ana, 'pages.write'), false],
    ['nobody has any', can(null, 'pages.read'), false],
    ['any of a list', canAny(ana, ['pages.write', 'pages.read']), true],
    ['none of a list', canAny(ana, ['pages.write', 'stats.read']), false],
    ['an empty list', canAny(ana, []), false],
  ])('%s', (_, has, expected) => expect(has).toBe(expected))
})
