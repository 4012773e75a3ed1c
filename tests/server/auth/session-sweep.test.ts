import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { createRefreshTokens } from '../../../server/auth/refresh-tokens.ts'
import { startSweepingSessions } from '../../../server/database/maintenance.ts'
import { createLogger } from '../../../server/logger.ts'
import { describeOnDatabase } from '../databases.ts'
import { manualClock } from '../manual-clock.ts'
import { addStaffAccount } from '../supabase-server.ts'

const hours = 60 * 60_000
const days = 24 * hours

describeOnDatabase('A failed maintenance task', (open) => {
  test('is logged with its stack trace and error code, without the message of the database', async () => {
    const { db } = await open()
    const clock = manualClock()
    const logged: unknown[] = []
    await sql`create function quote() returns trigger language plpgsql as
      'begin raise exception ''what Maria wrote'' using errcode = ''P0007''; end'`.execute(db)
    await sql`create trigger quoting before delete on refresh_tokens for each statement execute function quote()`.execute(
      db,
    )
    const stop = startSweepingSessions({ db, clock, logger: { error: (...line: unknown[]) => void logged.push(line) } })
    clock.advance(1 * hours)
    await stop()
    expect(logged).toEqual([
      [
        { error: expect.stringMatching(/error/i), code: 'P0007', frames: expect.any(Array) },
        'a maintenance task of the database failed',
      ],
    ])
    expect(JSON.stringify(logged)).not.toContain('Maria')
  })
})

describeOnDatabase('startSweepingSessions', (open) => {
  test('deletes ended and expired sessions every hour, and keeps usable ones', async () => {
    const { db } = await open()
    const clock = manualClock()
    const product = createRefreshTokens({ db, issuer: 'product', clock })
    const provider = createRefreshTokens({ db, issuer: 'provider', clock })
    const staff = await addStaffAccount(db)
    const session = async () => {
      const values = { staff_id: staff.staffId, created_at: new Date(clock.now()) }
      return (await db.insertInto('staff_sessions').values(values).returning('id').executeTakeFirstOrThrow()).id
    }
    const providerSession = async () => {
      const values = { user_id: staff.id, created_at: new Date(clock.now()) }
      return (await db.insertInto('auth_sessions').values(values).returning('id').executeTakeFirstOrThrow()).id
    }
    const sweep = async () => {
      const stop = startSweepingSessions({ db, clock, logger: createLogger('silent') })
      clock.advance(1 * hours)
      await stop()
    }
    const remaining = async () => ({
      staff: (await db.selectFrom('staff_sessions').select('id').execute()).map(({ id }) => id).sort(),
      provider: (await db.selectFrom('auth_sessions').select('id').execute()).map(({ id }) => id).sort(),
      tokens: (await db.selectFrom('refresh_tokens').select('session_id').execute())
        .map((row) => row.session_id)
        .sort(),
    })

    const [unused, signedOut, used] = [await session(), await session(), await session()]
    const unusedAtProvider = await providerSession()
    await product.issue(unused)
    await provider.issue(unusedAtProvider)
    const first = await product.issue(used)
    await product.issue(signedOut)
    await product.endSession(signedOut)
    await product.rotate(first, { address: null, userAgent: null })
    await sweep()
    expect(await remaining()).toEqual({
      staff: [unused, signedOut, used].sort(),
      provider: [unusedAtProvider],
      tokens: [unused, unusedAtProvider, used, used].sort(),
    })

    clock.advance(8 * days)
    await sweep()
    expect(await remaining()).toEqual({
      staff: [unused, used].sort(),
      provider: [unusedAtProvider],
      tokens: [unused, unusedAtProvider, used].sort(),
    })

    const passed = (id: string, daysAgo: number) => ({
      provider_session_id: id,
      staff_id: staff.staffId,
      passed_at: new Date(clock.now() - daysAgo * days),
    })
    await db.insertInto('second_factors').values({ staff_id: staff.staffId, secret_encrypted: 'sealed' }).execute()
    await db
      .insertInto('second_factor_sessions')
      .values([passed('old', 400), passed('used', 399)])
      .execute()
    await sweep()
    const kept = await db.selectFrom('second_factor_sessions').select('provider_session_id').execute()
    expect(kept).toEqual([{ provider_session_id: 'used' }])

    clock.advance(90 * days)
    const fresh = await session()
    await product.issue(fresh)
    await sweep()
    expect(await remaining()).toEqual({ staff: [fresh], provider: [], tokens: [fresh] })
  })
})
