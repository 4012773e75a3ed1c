import { type RawBuilder, sql } from 'kysely'
import {
  daysBetween,
  maxDailyRows,
  type Report,
  type ReportGroup,
  type ReportRequest,
  type TimesRow,
  type VolumeRow,
  type WaitingRow,
} from '../../src/schemas/report.ts'
import { viewQuery } from '../database/conversation-states.ts'
import type { Db } from '../database/database.ts'
import { type Bucket, bucketScale, joinBuckets, percentileOf } from './percentiles.ts'
import { readQuestions } from './questions.ts'
import { type ReportRange, rangeOf } from './report-range.ts'

export type ReportParts = { db: Db; now: number; timeZone: string }

/** Reads a report at one moment of the database. All numbers come from rows that triggers stored (migration 0039). */
export const readReport = (parts: ReportParts, request: ReportRequest): Promise<Report> =>
  parts.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .execute((db) => read({ ...parts, db }, request))

async function read(
  { db, now, timeZone }: ReportParts,
  { report, by, pageId, ...dates }: ReportRequest,
): Promise<Report> {
  const range = rangeOf(dates, { now, timeZone })
  const query: Query = { db, range, by, pageId }
  const base = { from: range.from, to: range.to, time_zone: timeZone, is_complete: await isComplete(db) }
  switch (report) {
    case 'waiting':
      return { ...base, report, ...(await readWaiting(query, now)) }
    case 'responses': {
      const { outcomes, ...times } = await readTimes(query, {
        table: sql`waits`,
        at: sql`began_at`,
        person: sql`ended_by`,
        seconds: sql`case when ended = 'answered' then ${secondsBetween(sql`began_at`, sql`ended_at`)} end`,
        ended: sql`ended`,
      })
      return { ...base, report, ...times, outcomes, automatic: by === 'person' ? await readAutomatic(query) : [] }
    }
    case 'resolutions': {
      const { total, rows } = await readTimes(query, {
        table: sql`resolutions`,
        at: sql`closed_at`,
        person: sql`'staff:' || closed_by`,
        seconds: secondsBetween(sql`opened_at`, sql`closed_at`),
        ended: sql`'done'`,
      })
      return { ...base, report, total, rows }
    }
    case 'messages':
      return { ...base, report, ...(await readVolumes(query)) }
    case 'questions':
      return { ...base, report, ...(await readQuestions(db, { ...timesOf(range), pageId })) }
  }
}

type Query = { db: Db; range: ReportRange; by: ReportGroup; pageId: string | undefined }

/** Whether what was stored before the feature is counted. */
async function isComplete(db: Db): Promise<boolean> {
  const { rows } = await sql<{ complete: boolean }>`
    select conversations_after is null and messages_after >= messages_until as complete from report_progress`.execute(
    db,
  )
  return rows[0]?.complete ?? true
}

/** The first moment of the range, and the first after it. */
const timesOf = ({ from, to, timeZone }: ReportRange) => ({
  start: sql<Date>`(${from}::timestamp at time zone ${timeZone})`,
  end: sql<Date>`((${to}::timestamp + interval '1 day') at time zone ${timeZone})`,
})

const isInRange = (at: RawBuilder<unknown>, { range, pageId }: Query) => {
  const { start, end } = timesOf(range)
  return sql`${at} >= ${start} and ${at} < ${end} ${pageId === undefined ? sql`` : sql`and page_id = ${pageId}`}`
}

const secondsBetween = (from: RawBuilder<unknown>, to: RawBuilder<unknown>) =>
  sql`case when ${from} <= ${to} then date_part('epoch', ${to} - ${from}) when ${from} > ${to} then 0 end`

const isByMonth = ({ from, to }: ReportRange): boolean => daysBetween(from, to) >= maxDailyRows

/** The key of a row's group, and its text. Texts of times are made once for each group, because that is slow. */
function keyOf({ by, range }: Query, { at, person }: { at: RawBuilder<unknown>; person: RawBuilder<unknown> }) {
  const local = sql`${at} at time zone ${range.timeZone}`
  switch (by) {
    case 'page':
      return { key: sql`page_id`, text: sql`key` }
    case 'person':
      return { key: sql`coalesce(${person}, 'unknown')`, text: sql`key` }
    case 'hour':
      return { key: sql`date_part('hour', ${local})`, text: sql`lpad(key::text, 2, '0')` }
    case 'date':
      return isByMonth(range)
        ? { key: sql`date_trunc('month', ${local})`, text: sql`to_char(key, 'YYYY-MM')` }
        : { key: sql`date_trunc('day', ${local})`, text: sql`to_char(key, 'YYYY-MM-DD')` }
  }
}

/** The names of pages and staff by key. Null: removed. */
async function namesOf({ db, by }: Pick<Query, 'db' | 'by'>): Promise<ReadonlyMap<string, string | null>> {
  if (by === 'page') {
    const pages = await db.selectFrom('pages').select(['page_id', 'page_name']).execute()
    return new Map(pages.map(({ page_id, page_name }) => [page_id, page_name]))
  }
  if (by !== 'person') return new Map()
  const staff = await db.selectFrom('staff').select(['id', 'name', 'email']).execute()
  return new Map(staff.map(({ id, name, email }) => [`staff:${id}`, name ?? email]))
}

/** Adds names; hours and dates without a row get `empty`. Sorted by time, else the largest first. */
async function complete<Row extends { key: string; name: string | null }>(
  query: Query,
  found: Omit<Row, 'name'>[],
  { empty, size }: { empty: Omit<Row, 'key' | 'name'>; size: (row: Row) => number },
): Promise<Row[]> {
  const names = await namesOf(query)
  const rows = found.map((row) => ({ ...row, name: names.get(row.key) ?? null }) as Row)
  if (query.by === 'page' || query.by === 'person') {
    return rows.sort((one, other) => size(other) - size(one) || (one.key < other.key ? -1 : 1))
  }
  const byKey = new Map(rows.map((row) => [row.key, row]))
  return timeKeys(query).map((key) => byKey.get(key) ?? ({ ...empty, key, name: null } as Row))
}

/** All hours of a day, or all days or months of the range. */
function timeKeys({ by, range }: Query): string[] {
  if (by === 'hour') return Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'))
  const length = isByMonth(range) ? 7 : 10
  const keys = new Set<string>()
  const day = new Date(range.from)
  for (let date = range.from; date <= range.to; ) {
    keys.add(date.slice(0, length))
    day.setUTCDate(day.getUTCDate() + 1)
    date = day.toISOString().slice(0, 10)
  }
  return [...keys]
}

type Times = { count: number; median: number | null; p90: number | null }
type Outcomes = { begun: number; closed: number; open: number }

/**
 * Count, median and 90th percentile of durations, in all and for each group. Rows without a duration are not measured.
 * Because of `offset 0` the planner does not compute the seconds again for each use.
 */
async function readTimes(
  query: Query,
  source: {
    table: RawBuilder<unknown>
    at: RawBuilder<unknown>
    person: RawBuilder<unknown>
    seconds: RawBuilder<unknown>
    ended: RawBuilder<unknown>
    /** Which rows of the range are read; all if absent. */
    condition?: RawBuilder<unknown>
  },
): Promise<{ total: Times; rows: TimesRow[]; outcomes: Outcomes }> {
  const { key, text } = keyOf(query, source)
  const { rows } = await sql<{ key: string | null; closed: number; open: number } & (Measured | Unmeasured)>`
    select ${text} as key, bucket, count(*)::integer as count, min(seconds), max(seconds),
      (count(*) filter (where ended = 'done'))::integer as closed,
      (count(*) filter (where ended is null))::integer as open
    from (
      select key, ended, seconds, floor(ln(1 + seconds) * ${bucketScale}::integer)::integer as bucket
      from (
        select ${key} as key, ${source.seconds} as seconds, ${source.ended} as ended
        from ${source.table} where ${isInRange(source.at, query)} and ${source.condition ?? sql`true`}
        offset 0
      ) timed
    ) measured
    group by key, bucket`.execute(query.db)
  const measured = rows.filter((row) => row.bucket !== null)
  const sumOf = (field: 'count' | 'closed' | 'open') => rows.reduce((sum, row) => sum + row[field], 0)
  return {
    total: timesIn(joinBuckets(measured)),
    rows: await complete<TimesRow>(
      query,
      [...Map.groupBy(measured, (row) => row.key ?? '')].map(([key, buckets]) => ({ key, ...timesIn(buckets) })),
      { empty: timesIn([]), size: ({ count }) => count },
    ),
    outcomes: { begun: sumOf('count'), closed: sumOf('closed'), open: sumOf('open') },
  }
}

type Measured = Bucket & { bucket: number }
type Unmeasured = { bucket: null; count: number; min: null; max: null }

const timesIn = (buckets: readonly Bucket[]): Times => ({
  count: buckets.reduce((sum, { count }) => sum + count, 0),
  median: percentileOf(buckets, 0.5),
  p90: percentileOf(buckets, 0.9),
})

/** The first automatic reply of each wait, by FAQ entry. */
async function readAutomatic(query: Query): Promise<TimesRow[]> {
  const { rows } = await readTimes(query, {
    table: sql`waits`,
    at: sql`began_at`,
    person: sql`'automatic:' || coalesce(automatic_title, '')`,
    seconds: secondsBetween(sql`began_at`, sql`automatic_at`),
    ended: sql`ended`,
    condition: sql`automatic_at is not null`,
  })
  return rows
}

async function readVolumes(query: Query): Promise<Pick<Report & { report: 'messages' }, 'total' | 'rows'>> {
  const { key, text } = keyOf(query, { at: sql`quarter`, person: sql`writer` })
  const sumOf = (condition: RawBuilder<unknown>) => sql`coalesce(sum(messages) filter (where ${condition}), 0)::integer`
  const { rows } = await sql<Omit<VolumeRow, 'name'> & { isTotal: boolean }>`
    select ${text} as key, grouping(key) = 1 as "isTotal",
      ${sumOf(sql`writer = 'customer'`)} as incoming,
      ${sumOf(sql`writer like 'staff:%'`)} as staff,
      ${sumOf(sql`writer = 'automatic'`)} as automatic,
      ${sumOf(sql`writer in ('outside', 'unknown')`)} as outside
    from (
      select ${key} as key, writer, messages from current_message_volumes where ${isInRange(sql`quarter`, query)}
    ) counted
    group by grouping sets ((), (key))`.execute(query.db)
  const none = { incoming: 0, staff: 0, automatic: 0, outside: 0 }
  const found = rows.map(({ isTotal, ...row }) => ({ isTotal, row }))
  const { key: _, ...total } = found.find(({ isTotal }) => isTotal)?.row ?? { key: '', ...none }
  const groups = found.flatMap(({ isTotal, row }) =>
    isTotal || (query.by === 'person' && row.key === 'customer') ? [] : [row],
  )
  return {
    total,
    rows: await complete<VolumeRow>(query, groups, {
      empty: none,
      size: ({ incoming, staff, automatic, outside }) => incoming + staff + automatic + outside,
    }),
  }
}

/** Who waits now. A conversation with two pages counts in the row of each, and once in the total. */
async function readWaiting(query: Query, now: number): Promise<Pick<Report & { report: 'waiting' }, 'total' | 'rows'>> {
  const { condition } = viewQuery('waiting', { staffId: '', now })
  const ofPage = query.pageId === undefined ? sql`true` : sql`s.page_ids @> array[${query.pageId}]`
  const key = query.by === 'page' ? sql`page.id` : sql`coalesce('staff:' || s.assigned_to, 'nobody')`
  const pages = query.by === 'page' ? sql`cross join lateral unnest(s.page_ids) as page (id)` : sql``
  const shown = query.by === 'page' && query.pageId !== undefined ? sql`page.id = ${query.pageId}` : sql`true`
  const [total, groups] = [
    await sql<Omit<WaitingRow, 'key' | 'name'>>`
      select count(*)::integer as count, min(s.waiting_since) as longest_since
      from conversations s where ${condition} and ${ofPage}`.execute(query.db),
    await sql<Omit<WaitingRow, 'name'>>`
      select ${key} as key, count(*)::integer as count, min(s.waiting_since) as longest_since
      from conversations s ${pages} where ${condition} and ${ofPage} and ${shown} group by 1`.execute(query.db),
  ]
  const iso = <Row extends { longest_since: unknown }>(row: Row): Row & { longest_since: string | null } => ({
    ...row,
    longest_since: row.longest_since instanceof Date ? row.longest_since.toISOString() : null,
  })
  return {
    total: iso(total.rows[0] ?? { count: 0, longest_since: null }),
    rows: await complete<WaitingRow>(query, groups.rows.map(iso), {
      empty: { count: 0, longest_since: null },
      size: ({ count }) => count,
    }),
  }
}
