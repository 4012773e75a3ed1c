import { expect, test } from 'vitest'
import { createPasswordAttempts, type PasswordAttempts } from '../../../server/auth/password-attempts.ts'
import { manualClock } from '../manual-clock.ts'

const minutes = 60_000
const email = 'agent@example.com'

/** Tries wrong passwords and counts the allowed attempts; without an address each comes from a new one. */
const looked = (
  attempts: PasswordAttempts,
  times: number,
  from: (at: number) => { address: string; email: string },
): number =>
  Array.from({ length: times }, (_, at) => attempts.begin(from(at))).filter((attempt) => attempt !== null).length

const fromEverywhere = (at: number) => ({ address: `203.0.113.${at}`, email })

test('ten wrong passwords for one e-mail from one address in five minutes, whatever the case it is written in', () => {
  const clock = manualClock()
  const attempts = createPasswordAttempts(clock)
  const spelled = (at: number) => ({ address: '10.0.0.1', email: at % 2 === 0 ? email : email.toUpperCase() })
  expect(looked(attempts, 20, spelled)).toBe(10)
  expect(attempts.begin({ address: '10.0.0.2', email })).not.toBeNull()
  clock.advance(5 * minutes)
  expect(looked(attempts, 20, spelled)).toBe(10)
})

test('two hundred from one address, for whatever e-mails', () => {
  const attempts = createPasswordAttempts(manualClock())
  expect(looked(attempts, 300, (at) => ({ address: '10.0.0.1', email: `${at}@example.com` }))).toBe(200)
})

test('fifty for one e-mail from many addresses; others are not held by that', () => {
  const clock = manualClock()
  const attempts = createPasswordAttempts(clock)
  expect(looked(attempts, 100, fromEverywhere)).toBe(50)
  expect(attempts.begin({ address: '10.0.0.1', email })).toBeNull()
  expect(attempts.begin({ address: '203.0.113.0', email: 'admin@example.com' })).not.toBeNull()
  clock.advance(5 * minutes)
  expect(attempts.begin({ address: '10.0.0.1', email })).not.toBeNull()
})

test('a person cannot be locked out of a known address by attempts from elsewhere', () => {
  const attempts = createPasswordAttempts(manualClock())
  const own = { address: '10.0.0.1', email }
  attempts.begin(own)?.forgive()
  expect(looked(attempts, 100, fromEverywhere)).toBe(50)
  expect(looked(attempts, 20, () => own)).toBe(10)
  expect(attempts.begin({ ...own, email: 'admin@example.com' })).not.toBeNull()
})

test('a right password does not count', () => {
  const attempts = createPasswordAttempts(manualClock())
  for (let times = 0; times < 300; times++) attempts.begin(fromEverywhere(times % 5))?.forgive()
  expect(looked(attempts, 5, fromEverywhere)).toBe(5)
})

test('the ten thousand latest sign-ins are remembered', () => {
  const attempts = createPasswordAttempts(manualClock())
  const first = { address: '10.0.0.1', email }
  attempts.begin(first)?.forgive()
  for (let at = 0; at < 10_000; at++)
    attempts.begin({ address: `2001:db8::${at}`, email: `${at}@example.com` })?.forgive()
  looked(attempts, 100, fromEverywhere)
  expect(attempts.begin(first)).toBeNull()
})
