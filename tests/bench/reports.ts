import { sql } from 'kysely'
import type { Db } from '../../server/database/database.ts'
import { readReport } from '../../server/reports/reports.ts'
import type { ReportRequest } from '../../src/schemas/report.ts'
import { type Spread, spreadOf } from './figures.ts'
import { fill } from './fill.ts'
import { onPostgres } from './queries.ts'

export type ReportFigures = Spread & { report: string; events: ReportsEffort }

/** Messages of two years, and what they leave behind. */
export type ReportsEffort = { messages: number; waits: number; resolutions: number; questions: number; rounds: number }

export const fullReports: ReportsEffort = {
  messages: 1_000_000,
  waits: 250_000,
  resolutions: 60_000,
  questions: 100_000,
  rounds: 20,
}
export const quickReports: ReportsEffort = {
  messages: 100_000,
  waits: 25_000,
  resolutions: 6_000,
  questions: 10_000,
  rounds: 10,
}

const now = Date.parse('2026-01-01T00:00:00Z')
const timeZone = 'Asia/Manila'

/** The events of a busy inbox over two years, without most of its messages: a report reads only the events. */
async function fillEvents(db: Db, { messages, waits, resolutions, questions }: ReportsEffort): Promise<void> {
  await fill(db, { conversations: questions / 5, messages: questions * 2 })
  for (const table of ['waits', 'message_volumes', 'message_volume_changes'])
    await sql`delete from ${sql.table(table)}`.execute(db)
  await sql`update report_progress set conversations_after = null, messages_after = messages_until`.execute(db)
  // Working hours of 730 days; answers after seconds to hours.
  const moment = (n: string, total: number) => sql`
    timestamptz '2024-01-02' + interval '1 day' * floor(${sql.raw(n)} * 729.0 / ${total}::integer)
    + interval '1 second' * (${sql.raw(n)}::bigint * 7919 % 43200)`
  await sql`
    insert into waits (first_id, page_id, began_at, automatic_at, automatic_title, ended, ended_at, ended_by)
    select n, 'page-' || n % 4, at, case when n % 10 = 0 then at + interval '3 seconds' end,
      case when n % 10 = 0 then 'Entry ' || n / 10 % 8 end, case when n % 50 = 0 then 'done' else 'answered' end,
      at + interval '1 second' * (20 + n::bigint * n % 7919 * (1 + n % 7)),
      case when n % 10 = 1 then 'outside' else 'staff:staff-' || n % 20 end
    from generate_series(1, ${waits}::integer) n
    cross join lateral (select ${moment('n', waits)} as at) timed`.execute(db)
  await sql`
    insert into resolutions (page_id, opened_at, closed_at, closed_by)
    select 'page-' || n % 4, at - interval '1 second' * (600 + n::bigint * n % 86413), at, 'staff-' || n % 20
    from generate_series(1, ${resolutions}::integer) n
    cross join lateral (select ${moment('n', resolutions)} as at) timed`.execute(db)
  await sql`
    insert into message_volumes (quarter, page_id, writer, messages)
    select quarter_of(at), 'page-' || n % 4,
      case when n % 2 = 0 then 'customer' when n % 9 = 0 then 'automatic' when n % 7 = 0 then 'outside'
        else 'staff:staff-' || n % 20 end, count(*)
    from generate_series(1, ${messages}::integer) n
    cross join lateral (select ${moment('n', messages)} as at) timed
    group by 1, 2, 3`.execute(db)
  // One form in three is asked again and again.
  await sql`
    insert into message_questions (message_id, page_id, asked_at, form_hash)
    select message_id, page_id, ${moment('number', questions)},
      case when number % 3 = 0 then number % 500 else number end
    from (
      select message_id, page_id, row_number() over () as number from messages where direction = 'incoming'
      limit ${questions}
    ) asked`.execute(db)
  await sql`
    insert into faq_entries (title, category_id, keywords, response)
    select 'Entry ' || n, 'general', array['keyword ' || n, 'number ' || n], 'Response'
    from generate_series(1, 100) n`.execute(db)
  await sql`vacuum analyze`.execute(db)
}

const twoYears = { from: '2024-01-01', to: '2025-12-31' }
const requests: [string, ReportRequest][] = [
  ['waiting now, by page', { report: 'waiting', by: 'page', days: '1' }],
  ...(['responses', 'resolutions', 'messages'] as const).flatMap((report) =>
    (['page', 'person', 'hour', 'date'] as const).map((by): [string, ReportRequest] => [
      `${report}, two years, by ${by}`,
      { report, by, ...twoYears },
    ]),
  ),
  ['responses, 30 days, by hour', { report: 'responses', by: 'hour', days: '30' }],
  ['questions, two years', { report: 'questions', by: 'page', ...twoYears }],
  ['questions, 30 days', { report: 'questions', by: 'page', days: '30' }],
]

/** Fills a PostgreSQL database with events and measures each report as the API reads it. */
export const measureReports = (effort: ReportsEffort, postgresUrl: string): Promise<ReportFigures[]> =>
  onPostgres(postgresUrl, async ({ db }) => {
    await fillEvents(db, effort)
    const figures: ReportFigures[] = []
    for (const [report, request] of requests) {
      const durations: number[] = []
      for (let round = -2; round < effort.rounds; round++) {
        const start = performance.now()
        await readReport({ db, now, timeZone }, request)
        if (round >= 0) durations.push(performance.now() - start)
      }
      figures.push({ report, events: effort, ...spreadOf(durations) })
    }
    return figures
  })
