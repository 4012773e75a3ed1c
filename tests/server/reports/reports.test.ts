import fc from 'fast-check'
import { Hono } from 'hono'
import { sql } from 'kysely'
import { beforeEach, describe, expect, it } from 'vitest'
import { createReportRoutes } from '../../../server/api/reports.ts'
import { mayAnswer } from '../../../server/auth/roles.ts'
import { changeStates } from '../../../server/database/conversation-states.ts'
import type { Db } from '../../../server/database/database.ts'
import { collectReports } from '../../../server/reports/collect.ts'
import { readReport } from '../../../server/reports/reports.ts'
import { type Report, type ReportRequest, reportAnswer, type TimesRow } from '../../../src/schemas/report.ts'
import { describeOnDatabase } from '../databases.ts'
import { manualClock } from '../manual-clock.ts'
import { addIdentity, addMessage, addPage } from '../people.ts'
import { percentile } from './plain-reports.ts'

/** 00:00 on 15 January 2026 in Manila, eight hours before UTC. */
const midnight = Date.parse('2026-01-14T16:00:00Z')
const minute = 60_000
const timeZone = 'Asia/Manila'

/** A percentile of a report differs by 2 % at most. */
const about = (exact: number | null) =>
  exact === null ? null : expect.closeTo(exact, -Math.log10(0.04 * exact + 1e-9))

describeOnDatabase('The reports', (open) => {
  let db: Db

  beforeEach(async () => {
    db = (await open()).db
    for (const table of [
      'waits',
      'resolutions',
      'conversation_events',
      'pages',
      'staff',
      'sends',
      'faq_entries',
    ] as const)
      await db.deleteFrom(table).execute()
    for (const table of ['removed_pages', 'message_volumes', 'message_volume_changes'])
      await sql`delete from ${sql.table(table)}`.execute(db)
    await addPage(db, 'p1', { name: 'Bakery' })
    await addPage(db, 'p2', { name: 'Cakes' })
    for (const id of ['ana', 'ben'])
      await db
        .insertInto('staff')
        .values({ id, email: `${id}@example.com`, name: `${id}!`, role: 'agent' })
        .execute()
  })

  let stored = 0
  const write = async (person: string, at: number, by: 'customer' | 'ana' | 'ben' | 'outside', text = 'text') => {
    stored += 1
    const key = by === 'ana' || by === 'ben' ? `key-${stored}` : null
    if (key !== null)
      await db
        .insertInto('sends')
        .values({ idempotency_key: key, staff_id: by, page_id: 'p1', psid: 'x', message_text: text, state: 'sent' })
        .execute()
    await addMessage(db, `message-${stored}`, person, 0, {
      direction: by === 'customer' ? 'incoming' : 'outgoing',
      idempotency_key: key,
      message_text: text,
      timestamp_fb: new Date(at),
    })
  }

  /** The report at noon of 15 January. */
  const read = async <Name extends Report['report']>(
    report: Name,
    request: Partial<ReportRequest> = {},
  ): Promise<Report & { report: Name }> => {
    const answer = await readReport(
      { db, now: midnight + 12 * 60 * minute, timeZone },
      { report, by: 'page', ...(request.from === undefined ? { days: '1' } : {}), ...request },
    )
    return reportAnswer.parse({ success: true, data: answer }).data as Report & { report: Name }
  }

  it('count a first response by page, person, hour and date in the time zone of the business', async () => {
    await addIdentity(db, 'u1', { page: 'p1' })
    await addIdentity(db, 'u2', { page: 'p2' })
    await write('u1', midnight + 5 * minute, 'customer')
    await write('u1', midnight + 7 * minute, 'ana')
    await write('u2', midnight + 9 * 60 * minute, 'customer')
    await write('u2', midnight + 9 * 60 * minute + 10 * minute, 'outside')
    // One minute before midnight is another day.
    await write('u2', midnight - minute, 'customer')
    await write('u2', midnight + minute, 'ben')
    await write('u1', midnight + 11 * 60 * minute, 'customer')

    const byPage = await read('responses')
    expect(byPage).toMatchObject({
      from: '2026-01-15',
      to: '2026-01-15',
      time_zone: timeZone,
      is_complete: true,
      total: { count: 2, median: 360, p90: 552 },
      outcomes: { begun: 3, closed: 0, open: 1 },
      rows: [
        { key: 'p1', name: 'Bakery', count: 1, median: 120, p90: 120 },
        { key: 'p2', name: 'Cakes', count: 1, median: 600, p90: 600 },
      ],
      automatic: [],
    })
    expect((await read('responses', { by: 'person' })).rows).toEqual([
      { key: 'outside', name: null, count: 1, median: 600, p90: 600 },
      { key: 'staff:ana', name: 'ana!', count: 1, median: 120, p90: 120 },
    ])
    const byHour = (await read('responses', { by: 'hour' })).rows
    expect(byHour).toHaveLength(24)
    expect(byHour.filter(({ count }) => count > 0).map(({ key }) => key)).toEqual(['00', '09'])
    const byDate = (await read('responses', { by: 'date', from: '2026-01-14', to: '2026-01-16' })).rows
    expect(byDate.map(({ key, count }) => [key, count])).toEqual([
      ['2026-01-14', 1],
      ['2026-01-15', 2],
      ['2026-01-16', 0],
    ])
    expect((await read('responses', { pageId: 'p2' })).total).toEqual({ count: 1, median: 600, p90: 600 })
  })

  it('name the FAQ entries whose automatic replies came first', async () => {
    await addIdentity(db, 'u1', { page: 'p1' })
    await write('u1', midnight, 'customer')
    await db
      .insertInto('faq_entries')
      .values({ id: 'f1', title: 'Price', keywords: ['price'], response: 'Ten' })
      .execute()
    await db
      .insertInto('auto_replies')
      .values({ message_id: `message-${stored}`, fb_user_id: 'u1', state: 'sent', faq_id: 'f1' })
      .execute()
    await addMessage(db, 'reply', 'u1', 0, {
      direction: 'outgoing',
      idempotency_key: `auto-reply:message-${stored}`,
      timestamp_fb: new Date(midnight + 4_000),
    })
    const { total, automatic } = await read('responses', { by: 'person' })
    expect(total.count).toBe(0)
    expect(automatic).toEqual([{ key: 'automatic:Price', name: null, count: 1, median: 4, p90: 4 }])
  })

  it('measure a resolution from the first message of the person to Done, and count who waits now', async () => {
    await addIdentity(db, 'u1', { page: 'p1' })
    await addIdentity(db, 'u2', { page: 'p2' })
    await write('u1', midnight, 'customer')
    await write('u1', midnight + minute, 'ana')
    await write('u2', midnight + 3 * minute, 'customer')
    const { state_version, last_message_at } = await db
      .selectFrom('conversations')
      .select(['state_version', 'last_message_at'])
      .where('primary_user_id', '=', 'u1')
      .executeTakeFirstOrThrow()
    const seen_message_at = last_message_at?.toISOString() ?? null
    await changeStates(db, {
      changes: [{ id: 'u1', version: state_version, seen_message_at, decision: { done: true } }],
      staffId: 'ben',
      now: midnight + 30 * minute,
      mayAnswer,
    })
    expect(await read('resolutions', { by: 'person' })).toMatchObject({
      total: { count: 1, median: 1_800, p90: 1_800 },
      rows: [{ key: 'staff:ben', name: 'ben!', count: 1, median: 1_800, p90: 1_800 }],
    })
    const since = new Date(midnight + 3 * minute).toISOString()
    expect(await read('waiting')).toMatchObject({
      total: { count: 1, longest_since: since },
      rows: [{ key: 'p2', name: 'Cakes', count: 1, longest_since: since }],
    })
    expect((await read('waiting', { by: 'person' })).rows).toEqual([
      { key: 'nobody', name: null, count: 1, longest_since: since },
    ])
    expect((await read('waiting', { pageId: 'p1' })).total).toEqual({ count: 0, longest_since: null })
  })

  it('count a waiting conversation with two pages once in the total, and at each of its pages', async () => {
    await addIdentity(db, 'u1', { page: 'p1' })
    await addIdentity(db, 'u1-cakes', { page: 'p2', in: 'u1', minute: 1 })
    await addIdentity(db, 'u2', { page: 'p2' })
    await write('u1', midnight, 'customer')
    await write('u1-cakes', midnight + minute, 'customer')
    await write('u2', midnight + 3 * minute, 'customer')
    const [first, last] = [midnight, midnight + 3 * minute].map((time) => new Date(time).toISOString())
    const total = { count: 2, longest_since: first }
    expect(await read('waiting')).toMatchObject({
      total,
      rows: [
        { key: 'p2', count: 2, longest_since: first },
        { key: 'p1', count: 1, longest_since: first },
      ],
    })
    expect(await read('waiting', { by: 'person' })).toMatchObject({ total, rows: [{ key: 'nobody', count: 2 }] })
    expect(await read('waiting', { pageId: 'p1' })).toMatchObject({
      total: { count: 1, longest_since: first },
      rows: [{ key: 'p1', count: 1 }],
    })
    expect((await read('waiting', { pageId: 'p2' })).total).toEqual(total)
    // An answer on one page ends the wait of the whole conversation.
    await write('u1', midnight + 4 * minute, 'ana')
    expect(await read('waiting')).toMatchObject({
      total: { count: 1, longest_since: last },
      rows: [{ key: 'p2', count: 1 }],
    })
  })

  it('are a plain computation over the same messages', async () => {
    const event = fc.record({
      person: fc.constantFrom('a', 'b', 'c'),
      at: fc.integer({ min: 0, max: 3 * 24 * 60 - 1 }),
      by: fc.constantFrom('customer', 'customer', 'ana', 'ben', 'outside' as const),
    })
    let round = 0
    await fc.assert(
      fc.asyncProperty(fc.uniqueArray(event, { selector: ({ at }) => at, maxLength: 25 }), async (events) => {
        round += 1
        for (const table of ['waits', 'sends'] as const) await db.deleteFrom(table).execute()
        for (const table of ['message_volumes', 'message_volume_changes'])
          await sql`delete from ${sql.table(table)}`.execute(db)
        for (const [person, page] of [
          ['a', 'p1'],
          ['b', 'p1'],
          ['c', 'p2'],
        ] as const)
          await addIdentity(db, `${person}-${round}`, { page })
        for (const { person, at, by } of events) await write(`${person}-${round}`, midnight + at * minute, by)
        if (round % 2 === 0) await collectReports({ db, clock: manualClock() })

        const range = { from: '2026-01-15', to: '2026-01-17' }
        const inOrder = events.toSorted((one, other) => one.at - other.at)
        const answered: { hour: number; by: string; seconds: number }[] = []
        const openSince = new Map<string, number>()
        for (const { person, at, by } of inOrder) {
          const began = openSince.get(person)
          if (by === 'customer') openSince.set(person, began ?? at)
          else if (began !== undefined) {
            answered.push({ hour: Math.floor(began / 60) % 24, by, seconds: (at - began) * 60 })
            openSince.delete(person)
          }
        }
        const expectTimes = (row: Omit<TimesRow, 'key' | 'name'> | undefined, some: typeof answered) => {
          expect(row?.count).toBe(some.length)
          const seconds = some.map((one) => one.seconds)
          expect([row?.median, row?.p90]).toEqual([0.5, 0.9].map((share) => about(percentile(seconds, share))))
        }
        const byHour = await read('responses', { by: 'hour', ...range })
        expectTimes(byHour.total, answered)
        byHour.rows.forEach((row, hour) => {
          expectTimes(
            row,
            answered.filter((one) => one.hour === hour),
          )
        })
        const byPerson = await read('responses', { by: 'person', ...range })
        const people = Map.groupBy(answered, ({ by }) => (by === 'outside' ? by : `staff:${by}`))
        expect(byPerson.rows.map(({ key }) => key).toSorted()).toEqual([...people.keys()].toSorted())
        for (const [key, some] of people)
          expectTimes(
            byPerson.rows.find((row) => row.key === key),
            some,
          )
        const count = (some: typeof events) => ({
          incoming: some.filter(({ by }) => by === 'customer').length,
          staff: some.filter(({ by }) => by === 'ana' || by === 'ben').length,
          automatic: 0,
          outside: some.filter(({ by }) => by === 'outside').length,
        })
        const volumes = await read('messages', { by: 'date', ...range })
        expect(volumes.total).toEqual(count(events))
        expect(volumes.rows).toEqual(
          [0, 1, 2].map((day) => ({
            key: `2026-01-${15 + day}`,
            name: null,
            ...count(events.filter(({ at }) => Math.floor(at / (24 * 60)) === day)),
          })),
        )
      }),
      { numRuns: 25, seed: 17 },
    )
  }, 120_000)

  describe('of questions', () => {
    const ask = async (texts: string[]) => {
      await addIdentity(db, 'u1', { page: 'p1' })
      for (const [index, text] of texts.entries()) await write('u1', midnight + index * minute, 'customer', text)
      // Young messages wait for a minute.
      await collectReports({ db, clock: { ...manualClock(), now: () => Date.now() + 3_600_000 } })
    }

    it('group what no entry answers, and what two answer', async () => {
      for (const [id, keywords] of [
        ['f1', ['price']],
        ['f2', ['price list', 'menu']],
      ] as const)
        await db
          .insertInto('faq_entries')
          .values({ id, title: `Entry ${id}`, keywords: [...keywords], response: 'Answer' })
          .execute()
      await ask([
        'Do you deliver to Cebu?',
        'do you DELIVER to cebu',
        'Thank you so much',
        'How much is the price?',
        'Where is the price list?',
        'Magkano po',
      ])
      const report = await read('questions')
      expect(report.total).toEqual({ asked: 5, compared: 5, answered: 2 })
      expect(report.unanswered).toEqual([
        {
          text: 'do you DELIVER to cebu',
          count: 2,
          asked_at: new Date(midnight + minute).toISOString(),
          conversation_id: 'u1',
          entries: [],
        },
        {
          text: 'Magkano po',
          count: 1,
          asked_at: new Date(midnight + 5 * minute).toISOString(),
          conversation_id: 'u1',
          entries: [],
        },
      ])
      expect(report.conflicts).toEqual([
        {
          text: 'Where is the price list?',
          count: 1,
          asked_at: new Date(midnight + 4 * minute).toISOString(),
          conversation_id: 'u1',
          entries: [
            { id: 'f2', title: 'Entry f2' },
            { id: 'f1', title: 'Entry f1' },
          ],
        },
      ])
    })

    it('forget a question with its message', async () => {
      await ask(['Where are you?'])
      await db.deleteFrom('messages').execute()
      expect((await read('questions')).total.asked).toBe(0)
    })
  })

  describe('by the API', () => {
    const ask = (path: string, body?: object) => {
      const app = new Hono<{ Variables: { staff: unknown; actor: unknown } }>()
      app.use(async (c, next) => {
        c.set('staff', { permissions: ['reports.read'] })
        c.set('actor', { staffId: 'ana', name: 'Ana', address: null, userAgent: null })
        await next()
      })
      app.route('/', createReportRoutes({ db, clock: { now: () => midnight + 60 * minute }, timeZone }))
      return app.request(
        path,
        body === undefined
          ? {}
          : { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } },
      )
    }

    it.each([
      ['/responses?days=7', 200],
      ['/responses?days=8', 400],
      ['/responses', 400],
      ['/responses?days=7&from=2026-01-01&to=2026-01-02', 400],
      ['/responses?from=2026-01-02&to=2026-01-01', 400],
      ['/responses?from=2026-02-30&to=2026-03-01', 400],
      ['/responses?from=2024-01-01&to=2025-12-31', 200],
      ['/responses?from=2024-01-01&to=2026-01-02', 400],
      ['/responses?days=7&by=weekday', 400],
      ['/waiting?days=1&by=person', 200],
      ['/waiting?days=1&by=hour', 400],
      ['/salaries?days=1', 400],
    ])('answers %s with %i', async (path, status) => {
      expect((await ask(path)).status).toBe(status)
    })

    it('exports a CSV whose formulas are defused and whose seconds are not longer than milliseconds', async () => {
      await addPage(db, 'p3', { name: '=HYPERLINK("https://evil.example")' })
      await addIdentity(db, 'u3', { page: 'p3' })
      for (const [n, wait] of [1, 1, 1, 2].entries()) {
        await write('u3', midnight + 10 * n * minute, 'customer')
        await write('u3', midnight + (10 * n + wait) * minute, 'outside')
      }
      const answer = await ask('/export', { report: 'responses', days: '7', by: 'page' })
      expect(answer.headers.get('content-disposition')).toBe(
        'attachment; filename="responses-2026-01-09-2026-01-15.csv"',
      )
      expect((await answer.text()).replace('\ufeff', '').split('\n')).toEqual([
        'page,name,first responses,median seconds,p90 seconds',
        `p3,"'=HYPERLINK(""https://evil.example"")",4,60,102`,
        '',
      ])
    })
  })
})
