import { expect, test } from 'vitest'
import {
  createPasswordAttempts,
  knownSourceLifetime,
  type PasswordAttempts,
} from '../../../server/auth/password-attempts.ts'
import { startSweepingAttempts } from '../../../server/database/maintenance.ts'
import { createLogger } from '../../../server/logger.ts'
import { describeOnDatabase } from '../databases.ts'
import { manualClock } from '../manual-clock.ts'

const minutes = 60_000
const email = 'agent@example.com'

/** Makes attempts with wrong passwords, one after the other, and returns the number of allowed ones. */
async function allowedAttempts(
  attempts: PasswordAttempts,
  times: number,
  from: (at: number) => { address: string; email: string },
): Promise<number> {
  let allowed = 0
  for (let at = 0; at < times; at++) if ((await attempts.begin(from(at))) !== null) allowed += 1
  return allowed
}

const fromNewAddress = (at: number) => ({ address: `203.0.113.${at}`, email })

describeOnDatabase('Password attempts', (open) => {
  /** A server process; a second one shares the database and the clock. */
  const startProcess = async ({ clock = manualClock(), login = 'provider' as 'provider' | 'legacy' } = {}) =>
    createPasswordAttempts({ db: (await open()).db, clock, login })

  /** Each test has counts of its own. */
  const start = async (clock = manualClock()) => {
    const { db } = await open()
    await db.deleteFrom('attempts').execute()
    await db.deleteFrom('known_sources').execute()
    return startProcess({ clock })
  }

  test('are limited to ten wrong ones in five minutes for one email from one address, ignoring case', async () => {
    const clock = manualClock()
    const attempts = await start(clock)
    const inEitherCase = (at: number) => ({ address: '10.0.0.1', email: at % 2 === 0 ? email : email.toUpperCase() })
    expect(await allowedAttempts(attempts, 20, inEitherCase)).toBe(10)
    expect(await attempts.begin({ address: '10.0.0.2', email })).not.toBeNull()
    clock.advance(5 * minutes)
    expect(await allowedAttempts(attempts, 20, inEitherCase)).toBe(10)
  })

  test('are limited to 200 wrong ones from one address for different emails', async () => {
    const attempts = await start()
    const strangers = (at: number) => ({ address: '10.0.0.1', email: `${at}@example.com` })
    expect(await allowedAttempts(attempts, 220, strangers)).toBe(200)
  })

  test('are limited to 50 wrong ones for one email from many addresses, which does not limit other emails', async () => {
    const clock = manualClock()
    const attempts = await start(clock)
    expect(await allowedAttempts(attempts, 60, fromNewAddress)).toBe(50)
    expect(await attempts.begin({ address: '10.0.0.1', email })).toBeNull()
    expect(await attempts.begin({ address: '203.0.113.0', email: 'admin@example.com' })).not.toBeNull()
    clock.advance(5 * minutes)
    expect(await attempts.begin({ address: '10.0.0.1', email })).not.toBeNull()
  })

  test('count a /64 of IPv6 as one address', async () => {
    const attempts = await start()
    const inOneNetwork = (at: number) => ({ address: `2001:db8:0:1::${at.toString(16)}`, email })
    expect(await allowedAttempts(attempts, 20, inOneNetwork)).toBe(10)
    expect(await attempts.begin({ address: '2001:db8:0:2::1', email })).not.toBeNull()
  })

  test('are counted for all processes together, and after a restart', async () => {
    const clock = manualClock()
    const first = await start(clock)
    const second = await startProcess({ clock })
    const own = () => ({ address: '10.0.0.1', email })
    expect(await allowedAttempts(first, 6, own)).toBe(6)
    expect(await allowedAttempts(second, 6, own)).toBe(4)
    expect(await allowedAttempts(await startProcess({ clock }), 6, own)).toBe(0)
  })

  test('that arrive at the same time at two processes exceed no limit', async () => {
    const clock = manualClock()
    const processes = [await start(clock), await startProcess({ clock })]
    const own = { address: '10.0.0.1', email }
    const burst = Array.from({ length: 40 }, (_, at) => processes[at % 2]?.begin(own))
    const allowed = (await Promise.all(burst)).filter((attempt) => attempt !== null)
    expect(allowed).toHaveLength(10)
    // What was refused is not counted against the address.
    const strangers = (at: number) => ({ address: '10.0.0.1', email: `${at}@example.com` })
    expect(await allowedAttempts(await startProcess({ clock }), 220, strangers)).toBe(190)
  })

  test('from elsewhere do not lock out a known address, in any process', async () => {
    const clock = manualClock()
    const attempts = await start(clock)
    const own = { address: '10.0.0.1', email }
    await (await attempts.begin(own))?.forgive()
    expect(await allowedAttempts(attempts, 60, fromNewAddress)).toBe(50)
    const restarted = await startProcess({ clock })
    expect(await allowedAttempts(restarted, 20, () => own)).toBe(10)
    expect(await restarted.begin({ ...own, email: 'admin@example.com' })).not.toBeNull()
  })

  test('are not counted if the password was correct or not checked', async () => {
    const attempts = await start()
    for (let times = 0; times < 60; times++) {
      const attempt = await attempts.begin({ address: `203.0.113.${times}`, email })
      await (times % 2 === 0 ? attempt?.forgive() : attempt?.withdraw())
    }
    expect(await allowedAttempts(attempts, 60, (at) => ({ address: `198.51.100.${at}`, email }))).toBe(50)
  })

  test('of the two logins are counted apart', async () => {
    const clock = manualClock()
    const own = () => ({ address: '10.0.0.1', email })
    expect(await allowedAttempts(await start(clock), 20, own)).toBe(10)
    expect(await allowedAttempts(await startProcess({ clock, login: 'legacy' }), 20, own)).toBe(10)
  })

  test('leave no readable email or address in the database, and are deleted when they have expired', async () => {
    const { db } = await open()
    const clock = manualClock()
    const attempts = await start(clock)
    const sweep = async () => {
      const stop = startSweepingAttempts({ db, clock, logger: createLogger('silent') })
      clock.advance(60 * minutes)
      await stop()
    }
    await (await attempts.begin({ address: '10.0.0.1', email }))?.forgive()
    await attempts.begin({ address: '10.0.0.1', email: 'my-password' })
    const rows = async () => [
      ...(await db.selectFrom('attempts').select('key').execute()),
      ...(await db.selectFrom('known_sources').select('key').execute()),
    ]
    expect(JSON.stringify(await rows())).not.toMatch(/10\.0|agent|my-password/)
    expect(await rows()).toHaveLength(6)
    await sweep()
    expect(await rows()).toHaveLength(1)
    clock.advance(knownSourceLifetime)
    await sweep()
    expect(await rows()).toEqual([])
  })
})
