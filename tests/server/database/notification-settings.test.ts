import { beforeEach, expect, it } from 'vitest'
import type { Db } from '../../../server/database/database.ts'
import type { NotificationSettings } from '../../../src/schemas/notification-settings.ts'
import { callAs, wholeApi } from '../api-harness.ts'
import { describeOnDatabase } from '../databases.ts'
import { manualClock } from '../manual-clock.ts'
import { type SignedIn, signIn } from '../sign-in.ts'

const settings: NotificationSettings = {
  mine: true,
  unassigned: false,
  others: false,
  mentions: true,
  sound: true,
  desktop: true,
  showsText: false,
  quiet: { isOn: true, from: '22:00', to: '07:30', days: [1, 5], timeZone: 'Asia/Manila' },
}
const louder = { ...settings, others: true }

describeOnDatabase('The notification settings on the server', (open) => {
  let db: Db
  let staff: Record<'ana' | 'ben', SignedIn>

  beforeEach(async () => {
    db = (await open()).db
    await db.deleteFrom('staff').execute()
    staff = { ana: await signIn(db, 'agent'), ben: await signIn(db, 'viewer') }
  })

  const call = async (who: keyof typeof staff, body?: unknown) => {
    const api = wholeApi(db, { clock: manualClock(0) })
    const { status, body: answer } = await callAs(
      staff[who],
      api,
      body === undefined ? 'GET' : 'PUT',
      '/facebook/notification-settings',
      body,
    )
    return { status, data: answer.data }
  }
  const ok = (data: unknown) => ({ status: 200, data })

  it('are empty first, are kept for each person alone, and go with the person', async () => {
    expect(await call('ana')).toEqual(ok({ settings: null, version: 0 }))
    expect(await call('ana', { settings, replaces: 0 })).toEqual(ok({ is_saved: true, settings, version: 1 }))
    expect(await call('ana')).toEqual(ok({ settings, version: 1 }))
    expect(await call('ben')).toEqual(ok({ settings: null, version: 0 }))
    expect(await call('ben', { settings: louder, replaces: 0 })).toEqual(
      ok({ is_saved: true, settings: louder, version: 1 }),
    )
    expect(await call('ana')).toEqual(ok({ settings, version: 1 }))
    await db.deleteFrom('staff').where('id', '=', staff.ana.staffId).execute()
    expect(await db.selectFrom('notification_settings').select('staff_id').execute()).toEqual([
      { staff_id: staff.ben.staffId },
    ])
  })

  it('are not overwritten by a tab that saw an older version, and a repeated write counts as saved', async () => {
    await call('ana', { settings, replaces: 0 })
    expect(await call('ana', { settings: louder, replaces: 0 })).toEqual(ok({ is_saved: false, settings, version: 1 }))
    expect(await call('ana', { settings: louder, replaces: 1 })).toEqual(
      ok({ is_saved: true, settings: louder, version: 2 }),
    )
    expect(await call('ana', { settings: louder, replaces: 1 })).toEqual(
      ok({ is_saved: true, settings: louder, version: 2 }),
    )
    expect(await call('ana', { settings, replaces: 1 })).toEqual(ok({ is_saved: false, settings: louder, version: 2 }))
    expect(await call('ben', { settings, replaces: 7 })).toEqual(ok({ is_saved: false, settings: null, version: 0 }))
  })

  it('of two tabs that save at the same time are those of one', async () => {
    await call('ana', { settings, replaces: 0 })
    const quiet = { ...settings, sound: false }
    const answers = await Promise.all([louder, quiet].map((wanted) => call('ana', { settings: wanted, replaces: 1 })))
    expect(answers.filter(({ data }) => data.is_saved)).toHaveLength(1)
    expect((await call('ana')).data.version).toBe(2)
  })

  it.each([
    ['no time of the day', { ...settings, quiet: { ...settings.quiet, from: '24:00' } }],
    ['an unknown time zone', { ...settings, quiet: { ...settings.quiet, timeZone: 'Mars/Olympus' } }],
    ['an eighth day', { ...settings, quiet: { ...settings.quiet, days: [7] } }],
    ['a missing choice', { ...settings, sound: undefined }],
  ])('are refused with %s', async (_, wrong) => {
    expect((await call('ana', { settings: wrong, replaces: 0 })).status).toBe(400)
    expect(await call('ana')).toEqual(ok({ settings: null, version: 0 }))
  })
})
