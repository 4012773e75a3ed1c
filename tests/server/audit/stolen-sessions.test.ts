import { expect, test } from 'vitest'
import { createRefreshTokens, type Issuer } from '../../../server/auth/refresh-tokens.ts'
import { describeOnDatabase } from '../databases.ts'
import { manualClock } from '../manual-clock.ts'

const source = { address: '192.0.2.7', userAgent: 'Test browser' }

describeOnDatabase('A refresh token that is used twice', (open) => {
  test.each<Issuer>(['provider', 'product'])('of the %s leaves one entry that names the person', async (issuer) => {
    const { db } = await open()
    const clock = manualClock(Date.UTC(2026, 4, 1))
    const email = `${issuer}@example.com`
    const account = { email, password_hash: '' }
    const { id: userId } = await db.insertInto('auth_users').values(account).returning('id').executeTakeFirstOrThrow()
    const member = { email, name: 'Anna', role: 'agent', supabase_id: userId, legacy_password_hash: null }
    const staff = await db.insertInto('staff').values(member).returning('id').executeTakeFirstOrThrow()
    const session =
      issuer === 'provider'
        ? await db.insertInto('auth_sessions').values({ user_id: userId }).returning('id').executeTakeFirstOrThrow()
        : await db
            .insertInto('staff_sessions')
            .values({ staff_id: staff.id, provider_session_id: null })
            .returning('id')
            .executeTakeFirstOrThrow()

    const tokens = createRefreshTokens({ db, issuer, clock })
    const first = await tokens.issue(session.id)
    const second = await tokens.rotate(first, source)
    if (second.outcome !== 'rotated') throw new Error('the first use was refused')
    await tokens.rotate(second.refreshToken, source)
    clock.advance(10_001)
    expect(await tokens.rotate(first, source)).toEqual({ outcome: 'reused' })
    expect(await tokens.rotate(first, source)).toEqual({ outcome: 'unknown' })

    const entries = db.selectFrom('audit_entries').selectAll().where('staff_id', '=', staff.id)
    expect(await entries.execute()).toEqual([
      {
        id: expect.any(Number),
        created_at: new Date(clock.now()),
        staff_id: staff.id,
        staff_name: 'Anna',
        action: 'session.stolen',
        row_kind: null,
        row_id: null,
        address: '192.0.2.7',
        user_agent: 'Test browser',
        details: { issuer },
      },
    ])
  })
})
