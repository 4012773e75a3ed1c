import { expect, test } from 'vitest'
import { createPasswordAttempts, type PasswordAttempts } from '../../../server/auth/password-attempts.ts'
import { manualClock } from '../manual-clock.ts'

const minutes = 60_000
const email = 'agent@example.com'

/** Makes attempts with wrong passwords and returns the number of allowed ones. */
const allowedAttempts = (
  attempts: PasswordAttempts,
  times: number,
  from: (at: number) => { address: string; email: string },
): number =>
  Array.from({ length: times }, (_, at) => attempts.begin(from(at))).filter((attempt) => attempt !== null).length

const fromNewAddress = (at: number) => ({ address: `203.0.113.${at}`, email })

test('allows ten wrong passwords in five minutes for one e-mail from one address, ignoring case', () => {
  const clock = manualClock()
  const attempts = createPasswordAttempts(clock)
  const inEitherCase = (at: number) => ({ address: '10.0.0.1', email: at % 2 === 0 ? email : email.toUpperCase() })
  expect(allowedAttempts(attempts, 20, inEitherCase)).toBe(10)
  expect(attempts.begin({ address: '10.0.0.2', email })).not.toBeNull()
  clock.advance(5 * minutes)
  expect(allowedAttempts(attempts, 20, inEitherCase)).toBe(10)
})

test('allows 200 wrong passwords from one address for different e-mails', () => {
  const attempts = createPasswordAttempts(manualClock())
  expect(allowedAttempts(attempts, 300, (at) => ({ address: '10.0.0.1', email: `${at}@example.com` }))).toBe(200)
})

test('allows 50 wrong passwords for one e-mail from many addresses, and does not limit other e-mails', () => {
  const clock = manualClock()
  const attempts = createPasswordAttempts(clock)
  expect(allowedAttempts(attempts, 100, fromNewAddress)).toBe(50)
  expect(attempts.begin({ address: '10.0.0.1', email })).toBeNull()
  expect(attempts.begin({ address: '203.0.113.0', email: 'admin@example.com' })).not.toBeNull()
  clock.advance(5 * minutes)
  expect(attempts.begin({ address: '10.0.0.1', email })).not.toBeNull()
})

test('does not lock out a known address because of attempts from other addresses', () => {
  const attempts = createPasswordAttempts(manualClock())
  const own = { address: '10.0.0.1', email }
  attempts.begin(own)?.forgive()
  expect(allowedAttempts(attempts, 100, fromNewAddress)).toBe(50)
  expect(allowedAttempts(attempts, 20, () => own)).toBe(10)
  expect(attempts.begin({ ...own, email: 'admin@example.com' })).not.toBeNull()
})

test('does not count a correct password', () => {
  const attempts = createPasswordAttempts(manualClock())
  for (let times = 0; times < 300; times++) attempts.begin(fromNewAddress(times % 5))?.forgive()
  expect(allowedAttempts(attempts, 5, fromNewAddress)).toBe(5)
})

test('remembers the latest 10,000 sign-ins', () => {
  const attempts = createPasswordAttempts(manualClock())
  const first = { address: '10.0.0.1', email }
  attempts.begin(first)?.forgive()
  for (let at = 0; at < 10_000; at++)
    attempts.begin({ address: `2001:db8::${at}`, email: `${at}@example.com` })?.forgive()
  allowedAttempts(attempts, 100, fromNewAddress)
  expect(attempts.begin(first)).toBeNull()
})
