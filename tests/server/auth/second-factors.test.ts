import { Secret, TOTP } from 'otpauth'
import { expect, it } from 'vitest'
import { serverActor } from '../../../server/audit/audit.ts'
import { describeOnDatabase } from '../databases.ts'
import { manualClock } from '../manual-clock.ts'
import { secondFactorsOf } from '../second-factors.ts'
import { addStaffAccount } from '../supabase-server.ts'

describeOnDatabase('An enrolment in the second factor', (open) => {
  it('is not confirmed by a code of a secret that another tab has replaced meanwhile', async () => {
    const { db } = await open()
    const clock = manualClock(Date.UTC(2026, 0, 15, 12))
    const { staffId, email } = await addStaffAccount(db)
    const factors = secondFactorsOf(db, clock)
    const begun = await factors.begin({ staffId, email })
    let reads = 0
    const interrupted = secondFactorsOf(
      db.withPlugin({
        transformQuery: ({ node }) => node,
        transformResult: async ({ result }) => {
          reads += 1
          if (reads === 1) await factors.begin({ staffId, email })
          return result
        },
      }),
      clock,
    )
    const code = new TOTP({ secret: Secret.fromBase32(begun?.secret ?? '') }).generate({ timestamp: clock.now() })
    const keep = { providerSessionId: null }
    expect(await interrupted.confirm({ staffId, code, keep, by: serverActor })).toEqual({ outcome: 'notBegun' })
    expect(await factors.statusOf({ staffId, role: 'agent' })).toMatchObject({ isOn: false })
  })
})
