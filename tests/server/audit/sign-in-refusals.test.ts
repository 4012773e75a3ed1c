import { beforeEach, describe, expect, test } from 'vitest'
import { forgetAuditEntries } from '../../../server/audit/audit.ts'
import { createSignInRefusals, refusalLimits } from '../../../server/audit/sign-in-refusals.ts'
import type { Db } from '../../../server/database/database.ts'
import { describeOnDatabase } from '../databases.ts'
import { manualClock } from '../manual-clock.ts'
import { addStaffAccount } from '../supabase-server.ts'

const minute = 60_000
const start = Date.UTC(2026, 4, 1)
const from = (address: string | null) => ({ address, userAgent: 'Test browser' })

describeOnDatabase('Refused sign-ins in the audit log', (open) => {
  let db: Db
  beforeEach(async () => {
    ;({ db } = await open())
    await forgetAuditEntries(db, { olderThan: new Date(start + 1_000 * minute) })
  })
  const entries = () =>
    db
      .selectFrom('audit_entries')
      .select(['action', 'address', 'staff_id', 'staff_name', 'details'])
      .orderBy('id')
      .execute()
  const counted = async () => {
    const all = (await entries()).map(({ action, address }) => `${action} ${address}`)
    return Object.fromEntries([...Map.groupBy(all, (entry) => entry)].map(([entry, { length }]) => [entry, length]))
  }

  test('name the staff member of the email, and do not store an unknown email', async () => {
    const refusals = createSignInRefusals({ db, clock: manualClock(start) })
    const { email, staffId } = await addStaffAccount(db)
    await refusals.record({ source: from('192.0.2.1'), email: email.toUpperCase(), reason: 'wrong-password' })
    await refusals.record({ source: from('192.0.2.1'), email: 'my password by mistake', reason: 'wrong-password' })
    expect(await entries()).toEqual([
      {
        action: 'sign-in.refused',
        address: '192.0.2.1',
        staff_id: staffId,
        staff_name: 'Ana Reyes',
        details: { reason: 'wrong-password' },
      },
      {
        action: 'sign-in.refused',
        address: '192.0.2.1',
        staff_id: null,
        staff_name: null,
        details: { reason: 'wrong-password' },
      },
    ])
  })

  describe.each([
    ['one process', 1],
    ['two processes', 2],
  ])('of %s', (_name, processes) => {
    const attack = async (count: number, address: (at: number) => string | null, clock = manualClock(start)) => {
      const logs = Array.from({ length: processes }, () => createSignInRefusals({ db, clock }))
      await Promise.all(
        Array.from({ length: count }, (_, at) =>
          logs[at % processes]?.record({ source: from(address(at)), email: null, reason: 'wrong-password' }),
        ),
      )
    }

    test('are limited per address and minute, and the rest leaves one entry', async () => {
      const clock = manualClock(start)
      await attack(300, () => '192.0.2.1', clock)
      await attack(1, () => '192.0.2.2', clock)
      clock.advance(minute)
      await attack(300, () => '192.0.2.1', clock)
      expect(await counted()).toEqual({
        'sign-in.refused 192.0.2.1': 2 * refusalLimits.perAddress,
        'sign-in.refusals-omitted 192.0.2.1': 2,
        'sign-in.refused 192.0.2.2': 1,
      })
    })

    test('are limited in all, and the rest leaves one entry without an address', async () => {
      await attack(300, (at) => `192.0.2.${at % 200}`)
      const all = await entries()
      expect(all).toHaveLength(refusalLimits.inAll + 1)
      expect(all.at(-1)).toMatchObject({ action: 'sign-in.refusals-omitted', address: null })
    })

    test('without an address count toward the limit of all addresses only, and hide no others', async () => {
      await attack(2 * refusalLimits.perAddress, () => null)
      await attack(1, () => '192.0.2.1')
      expect(await counted()).toEqual({
        'sign-in.refused null': 2 * refusalLimits.perAddress,
        'sign-in.refused 192.0.2.1': 1,
      })
    })

    test('of one IPv6 network count as one address', async () => {
      await attack(50, (at) =>
        at % 2 === 0 ? `2001:db8:0:1::${at.toString(16)}` : `2001:DB8::1:0:0:0:${at.toString(16)}`,
      )
      await attack(1, () => '2001:db8:0:2::1')
      const refused = (await entries()).filter(({ action }) => action === 'sign-in.refused')
      expect(refused.filter(({ address }) => address !== '2001:db8:0:2::1')).toHaveLength(refusalLimits.perAddress)
      expect(refused).toHaveLength(refusalLimits.perAddress + 1)
    })
  })
})
