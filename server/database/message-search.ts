import { type RawBuilder, sql } from 'kysely'
import { phoneSearchDigits } from '../phones.ts'
import type { Db } from './database.ts'
import { codeOf } from './transaction.ts'

/**
 * Common words are found among so many of the newest messages, by their time. A word that is rare there is rare in all, so that
 * the index of words returns few messages.
 */
const recentMessages = 5_000
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
  const { query, words, messages, isIndexed } = await findRecent(db, request)
  const limit = request.limit - messages.length
  if (query === null || limit <= 0) return { messages, isPartial: !isIndexed }
  try {
    const older = await findOlder(db, { query, words, limit, after: request.after })
    return { messages: [...messages, ...older.messages], isPartial: !isIndexed || older.isPartial }
  } catch (error) {
    if (codeOf(error) === queryCanceled) return { messages, isPartial: true }
    throw error
  }
}

const micros = sql`(extract(epoch from at) * 1000000)::bigint as micros`

const isBefore = (place: MessagePlace | null) =>
  place === null
    ? sql`true`
    : sql`(at, id) < (timestamptz 'epoch' + ${place.micros}::bigint * interval '1 microsecond', ${place.id}::bigint)`

const newestBefore = (place: MessagePlace | null) =>
  sql`from message_search where ${isBefore(place)} order by at desc, id desc`

/** Adds what is shown to the rows of `found`, which have `id` and `at`. */
const shownOf = (found: RawBuilder<unknown>) => sql`
  select found.id, ${micros}, m.timestamp_fb as at, m.message_id, m.primary_user_id, m.page_id, c.unified_name, m.direction,
    m.message_text
  from ${found} join messages m on m.id = found.id join conversations c on c.primary_user_id = m.primary_user_id
  order by found.at desc, found.id desc`

type Found = {
  /** The query of all words; null if the search has none. */
  query: string | null
  /** Null if the search is a phone number. */
  words: string[] | null
  messages: FoundMessage[]
  /** The messages stored before the index existed have been added to it. */
  isIndexed: boolean
}

/** Those among the newest messages before `after`. One statement, because most searches need no other. */
async function findRecent(db: Db, { search, country, after, limit }: Request): Promise<Found> {
  const term = search.trim().replaceAll('\0', '')
  const digits = phoneSearchDigits(term, country)?.slice(-10) ?? ''
  const isPhone = digits.length >= minDigits
  const phone = isPhone ? sql` || ${` | '${digits}':*`}` : sql``
  const { rows } = await sql<(FoundMessage | { id: null }) & { words: string[]; query: string | null; before: number }>`
    with typed as materialized (
      select words, (words_query(words)::text${phone})::tsquery as query from search_words(${term}) as words
    )
    select typed.words, typed.query::text as query, (select before from message_search_progress) as before, shown.*
    from typed left join lateral (${shownOf(sql`(
      select at, id from (select at, id, words ${newestBefore(after)} limit ${recentMessages}) recent
      where recent.words @@ typed.query order by at desc, id desc limit ${limit}
    ) found`)}) shown on true`.execute(db)
  const [first] = rows
  return {
    query: first?.query ?? null,
    words: isPhone ? null : (first?.words ?? []),
    messages: rows.filter((row) => row.id !== null),
    isIndexed: (first?.before ?? 0) === 0,
  }
}

type OlderRequest = Pick<Found, 'words'> & { query: string; after: MessagePlace | null; limit: number }

/** Those older than the newest messages before `after`. */
const findOlder = (
  db: Db,
  { words, query, after, limit }: OlderRequest,
): Promise<{ messages: FoundMessage[]; isPartial: boolean }> =>
  db.transaction().execute(async (trx) => {
    const last = await sql<MessagePlace>`
      select ${micros}, id, set_config('statement_timeout', ${String(timeLimit)}, true)
      ${newestBefore(after)} offset ${recentMessages - 1} limit 1`.execute(trx)
    const [end] = last.rows
    if (end === undefined) return { messages: [], isPartial: false }
    const indexed = words === null ? query : await queryOfRareWords(trx, words)
    // As a function the second condition uses no index: the index would read all messages with a common word.
    const { rows } = await sql<(FoundMessage | { id: null }) & { matches: number }>`
      with matches as materialized (
        select at, id from message_search where words @@ ${indexed}::tsquery and ts_match_vq(words, ${query}::tsquery)
        limit ${maxMatches + 1}
      )
      select counted.matches, shown.* from (select count(*) as matches from matches) counted
      left join lateral (${shownOf(sql`(
        select at, id from matches where ${isBefore(end)} order by at desc, id desc limit ${limit}
      ) found`)}) shown on true`.execute(trx)
    return {
      messages: rows.filter((row) => row.id !== null),
      isPartial: (rows[0]?.matches ?? 0) > maxMatches,
    }
  })

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
