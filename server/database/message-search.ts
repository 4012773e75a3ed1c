import { sql } from 'kysely'
import { phoneSearchDigits } from '../phones.ts'
import type { Db } from './database.ts'
import { codeOf } from './transaction.ts'

/**
 * Common words are found among so many of the newest messages, by their time. A word that is rare there is rare in all, so that
 * the index of words returns few messages.
 */
const recentMessages = 10_000
/** Messages that the index of words may return; beyond them the search is not complete. */
const maxMatches = 20_000
/** Of a phone number. With fewer digits a term is a word. */
const minDigits = 7
/** Milliseconds. The embedded database has no time-outs. */
const timeLimit = 3_000
/** SQLSTATE of a query that reached the time-out. */
const queryCanceled = '57014'

/** The time of a message in microseconds since 1970, and its number, which decides between messages of the same time. */
export type MessagePlace = { micros: number; id: number }

export type FoundMessage = MessagePlace & {
  at: Date
  message_id: string
  primary_user_id: string
  page_id: string
  unified_name: string | null
  direction: 'incoming' | 'outgoing'
  message_text: string | null
}

type Request = {
  search: string
  /** The last message of the result page before. */
  after: MessagePlace | null
  limit: number
  /** Of phone numbers without a country code. */
  country: string
}

/**
 * The messages that have every word of the search as the beginning of a word, or the searched phone number in any notation,
 * newest first. `isPartial`: older ones may be missing.
 */
export async function findMessagesByText(
  db: Db,
  request: Request,
): Promise<{ messages: FoundMessage[]; isPartial: boolean }> {
  try {
    return await db.transaction().execute(async (trx) => {
      await sql`set local statement_timeout = ${sql.lit(timeLimit)}`.execute(trx)
      return find(trx, request)
    })
  } catch (error) {
    if (codeOf(error) === queryCanceled) return { messages: [], isPartial: true }
    throw error
  }
}

async function find(db: Db, request: Request): Promise<{ messages: FoundMessage[]; isPartial: boolean }> {
  const { words, query } = await queryOf(db, request)
  if (query === null) return { messages: [], isPartial: false }
  const recent = await findRecent(db, query, request)
  const missing = request.limit - recent.places.length
  const older =
    recent.end === null || missing <= 0
      ? { places: [], isPartial: false }
      : await findOlder(db, { words, query, before: recent.end, limit: missing })
  const [progress] = await db.selectFrom('message_search_progress').select('before').execute()
  return {
    messages: await load(db, [...recent.places, ...older.places]),
    isPartial: older.isPartial || (progress?.before ?? 0) > 0,
  }
}

/** `words`: null if the search is a phone number. */
async function queryOf(db: Db, { search, country }: Request) {
  const term = search.trim().replaceAll('\0', '')
  const digits = phoneSearchDigits(term, country)?.slice(-10) ?? ''
  const { rows } = await sql<{ words: string[]; query: string | null }>`
    select words, words_query(words)::text as query from search_words(${term}) as words`.execute(db)
  const [{ words, query } = { words: [], query: null }] = rows
  if (query === null || digits.length < minDigits) return { words, query }
  return { words: null, query: `(${query}) | '${digits}':*` }
}

const micros = sql`(extract(epoch from at) * 1000000)::bigint as micros`

const isBefore = (place: MessagePlace | null) =>
  place === null
    ? sql`true`
    : sql`(at, id) < (timestamptz 'epoch' + ${place.micros}::bigint * interval '1 microsecond', ${place.id}::bigint)`

/** Those among the newest messages before `after`, and the last message that was looked at; null if there are no others. */
async function findRecent(db: Db, query: string, { after, limit }: Request) {
  const newest = sql`from message_search where ${isBefore(after)} order by at desc, id desc`
  const { rows } = await sql<MessagePlace>`
    select ${micros}, id from (select at, id, words ${newest} limit ${recentMessages}) recent
    where words @@ ${query}::tsquery order by at desc, id desc limit ${limit}`.execute(db)
  if (rows.length >= limit) return { places: rows, end: null }
  const last = await sql<MessagePlace>`select ${micros}, id ${newest} offset ${recentMessages - 1} limit 1`.execute(db)
  return { places: rows, end: last.rows[0] ?? null }
}

async function findOlder(
  db: Db,
  { words, query, before, limit }: { words: string[] | null; query: string; before: MessagePlace; limit: number },
) {
  const indexed = words === null ? query : await queryOfRareWords(db, words)
  // As a function the second condition uses no index: the index would read all messages with a common word.
  const { rows } = await sql<MessagePlace & { matches: number }>`
    with matches as materialized (
      select at, id from message_search where words @@ ${indexed}::tsquery and ts_match_vq(words, ${query}::tsquery)
      limit ${maxMatches + 1}
    )
    select found.*, counted.matches from (select count(*) as matches from matches) counted
    left join lateral (
      select ${micros}, id from matches where ${isBefore(before)} order by at desc, id desc limit ${limit}
    ) found on true`.execute(db)
  return { places: rows.filter(({ id }) => id !== null), isPartial: (rows[0]?.matches ?? 0) > maxMatches }
}

const sampledMessages = 1_000
/** Among the sampled messages. */
const rare = 10

/** The words that few of the newest messages have; if there are none, all. */
async function queryOfRareWords(db: Db, words: readonly string[]): Promise<string> {
  const { rows } = await sql<{ query: string }>`
    with sample as materialized (select words from message_search order by at desc, id desc limit ${sampledMessages}),
    counted as (
      select word, (select count(*) from sample where words @@ words_query(array[word])) as messages
      from unnest(${words}::text[]) as word
    )
    select words_query(coalesce(array_agg(word) filter (where messages <= ${rare}), ${words}::text[]))::text as query
    from counted`.execute(db)
  return rows[0]?.query ?? ''
}

async function load(db: Db, places: readonly MessagePlace[]): Promise<FoundMessage[]> {
  if (places.length === 0) return []
  const { rows } = await sql<FoundMessage>`
    select m.id, (extract(epoch from m.timestamp_fb) * 1000000)::bigint as micros, m.timestamp_fb as at, m.message_id, m.primary_user_id, m.page_id, c.unified_name, m.direction, m.message_text
    from messages m join conversations c using (primary_user_id)
    where m.id = any(${places.map(({ id }) => id)}::bigint[])
    order by m.timestamp_fb desc, m.id desc`.execute(db)
  return rows
}
