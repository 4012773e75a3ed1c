import { expect, it } from 'vitest'
import { isEmailAddress } from '../../src/domain/email-address.ts'

it.each([
  ['ana@example.com', true],
  [' ana@example.com ', true],
  ['ana@localhost', true],
  ["o'hara+inbox@example.co.uk", true],
  ['', false],
  ['ana', false],
  ['ana@', false],
  ['@example.com', false],
  ['ana@example..com', false],
  ['ana cruz@example.com', false],
])('isEmailAddress accepts %j: %s', (text, expected) => expect(isEmailAddress(text)).toBe(expected))
