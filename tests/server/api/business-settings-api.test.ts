import { beforeEach, expect, it } from 'vitest'
import type { Role } from '../../../server/auth/roles.ts'
import type { Db } from '../../../server/database/database.ts'
import type { AssignmentRules } from '../../../src/schemas/assignment-rules.ts'
import type { BusinessHours, PageHours } from '../../../src/schemas/business-hours.ts'
import { callAs, wholeApi } from '../api-harness.ts'
import { describeOnDatabase } from '../databases.ts'
import { manualClock } from '../manual-clock.ts'
import { type SignedIn, signInEachRole } from '../sign-in.ts'

const office: PageHours = {
  is_on: true,
  spans: [{ day: 1, from: '22:00', to: '06:00' }],
  holidays: [{ date: '2024-02-29', is_yearly: true, name: 'Leap day' }],
  text: 'Hi {userName}!',
}
const hours = (more: Partial<PageHours> = {}): BusinessHours => ({ pages: { p1: { ...office, ...more } } })
const rules: AssignmentRules = {
  rules: [{ page_id: 'p1', label_id: null, action: 'rotation', member_id: null }],
  assigns_first_answer: true,
}

describeOnDatabase('The settings of the business', (open) => {
  let db: Db
  let staff: Record<Role, SignedIn>

  beforeEach(async () => {
    db = (await open()).db
    for (const table of ['staff', 'business_settings'] as const) await db.deleteFrom(table).execute()
    staff = await signInEachRole(db)
  })

  const call = async (who: Role, path: string, body?: unknown) => {
    const api = wholeApi(db, { clock: manualClock(0) })
    const { status, body: answer } = await callAs(staff[who], api, body === undefined ? 'GET' : 'PUT', path, body)
    return { status, data: answer.data }
  }
  const ok = (data: unknown) => ({ status: 200, data })
  const write = (settings: unknown, replaces: number) =>
    call('administrator', '/business-hours', { settings, replaces })

  it('are empty first, with the time zone and the people who may answer', async () => {
    expect(await call('viewer', '/business-hours')).toEqual(
      ok({ settings: { pages: {} }, version: 0, time_zone: 'Asia/Manila' }),
    )
    const { data } = await call('administrator', '/assignment-rules')
    expect(data).toEqual({
      settings: { rules: [], assigns_first_answer: false },
      version: 0,
      members: [
        { id: staff.administrator.staffId, name: 'Ana Reyes' },
        { id: staff.agent.staffId, name: 'Paolo Cruz' },
      ],
    })
  })

  it('are changed with the right alone', async () => {
    const statuses = []
    for (const who of ['viewer', 'agent', 'administrator'] as const)
      statuses.push([
        (await call(who, '/business-hours', { settings: hours(), replaces: 0 })).status,
        (await call(who, '/assignment-rules')).status,
        (await call(who, '/assignment-rules', { settings: rules, replaces: 0 })).status,
      ])
    expect(statuses).toEqual([
      [403, 403, 403],
      [403, 403, 403],
      [200, 200, 200],
    ])
    expect((await call('agent', '/business-hours')).data.settings).toEqual(hours())
    expect((await call('administrator', '/assignment-rules')).data.settings).toEqual(rules)
  })

  it('are not overwritten by a tab that saw an older version, and a repeated write counts as saved', async () => {
    const late = hours({ text: 'Later' })
    expect(await write(hours(), 0)).toEqual(ok({ is_saved: true, settings: hours(), version: 1 }))
    expect(await write(late, 0)).toEqual(ok({ is_saved: false, settings: hours(), version: 1 }))
    expect(await write(hours(), 0)).toEqual(ok({ is_saved: true, settings: hours(), version: 1 }))
    expect(await write(late, 1)).toEqual(ok({ is_saved: true, settings: late, version: 2 }))
    const both = await Promise.all(['One', 'Two'].map((text) => write(hours({ text }), 2)))
    expect(both.map(({ data }) => data.is_saved).toSorted()).toEqual([false, true])
  })

  it('leave an entry in the audit log for each change, without the text', async () => {
    const count = () => db.selectFrom('audit_entries').select('id').execute()
    const before = (await count()).length
    await write(hours(), 0)
    await write(hours(), 1)
    await write({ pages: { ...hours().pages, p2: { ...office, is_on: false } } }, 1)
    const entries = await db
      .selectFrom('audit_entries')
      .select(['action', 'details'])
      .orderBy('id', 'desc')
      .limit((await count()).length - before)
      .execute()
    expect(entries).toEqual([
      { action: 'business-hours.changed', details: { pages: ['p2'], on: [] } },
      { action: 'business-hours.changed', details: { pages: ['p1'], on: ['p1'] } },
    ])
  })

  it.each([
    ['a time that does not exist', hours({ spans: [{ day: 1, from: '24:00', to: '06:00' }] })],
    ['an eighth day', hours({ spans: [{ day: 7, from: '08:00', to: '06:00' }] })],
    ['a date that does not exist', hours({ holidays: [{ date: '2023-02-29', is_yearly: false, name: '' }] })],
    ['no hours', hours({ spans: [] })],
    ['no text', hours({ text: ' ' })],
    ['a text that fits in no message', hours({ text: 'é'.repeat(451) })],
    ['too many holidays', hours({ holidays: Array(101).fill({ date: '2024-02-29', is_yearly: true, name: '' }) })],
  ])('are refused with %s', async (_, settings) => expect((await write(settings, 0)).status).toBe(400))

  it.each([
    ['a rule for nobody in particular', { action: 'member', member_id: null }],
    ['a member that the action does not need', { action: 'rotation', member_id: 'm' }],
    ['an unknown action', { action: 'random', member_id: null }],
  ])('are refused with %s', async (_, rule) => {
    const settings = { ...rules, rules: [{ page_id: null, label_id: null, ...rule }] }
    expect((await call('administrator', '/assignment-rules', { settings, replaces: 0 })).status).toBe(400)
  })
})
