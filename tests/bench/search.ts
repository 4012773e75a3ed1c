import { type RawBuilder, sql } from 'kysely'
import { permissions } from '../../server/auth/roles.ts'
import type { Db, OpenDatabase } from '../../server/database/database.ts'
import { searchAll } from '../../server/database/search-all.ts'
import { fill } from './fill.ts'
import { onEmbedded, onPostgres } from './queries.ts'
import { type BesideWrites, storeMessages, timesBesideWrites } from './writer.ts'

export type SearchFigures = {
  kind: OpenDatabase['kind']
  messages: number
  terms: ({ term: string } & BesideWrites)[]
  /** Milliseconds a message, stored in batches of 20. */
  insert: { without: number; with: number }
  /** Bytes a message, of the table and its indexes. */
  index: number
}

type Effort = { conversations: number; messages: number; clients: number; rounds: number; batches: number }
export const fullSearch: Effort = {
  conversations: 100_000,
  messages: 1_000_000,
  clients: 20_000,
  rounds: 100,
  batches: 100,
}
export const quickSearch: Effort = {
  conversations: 10_000,
  messages: 100_000,
  clients: 2_000,
  rounds: 20,
  batches: 20,
}

/**
 * Ten words of 8,000, as frequent as words of a language are: the most frequent one is in most messages, most words are rare. And
 * a word that no other message has.
 */
const text: RawBuilder<string> = sql`'Good day po, ' || (
  select string_agg(
    syllables[1 + word % 20] || syllables[1 + word / 20 % 20] || syllables[1 + word / 400 % 20], ' ')
  from (values (array['ka','la','ma','na','ba','ta','sa','ra','pa','ga','da','ya','wa','ha','ki','li','mi','ni','bi','ti']))
    known (syllables)
  cross join generate_series(1, 10) k
  cross join lateral (
    select floor(power(8000::float8, (hashint8(n::bigint * 1000003 + m * 31 + k) & 2147483647) / 2147483648::float8))::integer as word
  ) drawn
) || ' nr' || n || 'x' || m`

type Term = { term: string; of: (round: number) => string }

const termsOf = ({ conversations }: Effort): Term[] => [
  { term: 'a word of all messages', of: () => 'good' },
  { term: 'one letter', of: (round) => 'kmnbts'[round % 6] ?? 'k' },
  { term: 'a word of 1 % of the messages', of: (round) => ['kaliya', 'lawaka', 'mahaka', 'nabala'][round % 4] ?? '' },
  { term: 'three letters', of: (round) => ['kal', 'mab', 'sin', 'tip', 'hap'][round % 5] ?? '' },
  { term: 'a word of one message', of: (round) => `nr${(round * 7919) % conversations}x3` },
  { term: 'the beginning of a rare word', of: (round) => `nr${(round * 7919) % conversations}` },
  { term: 'a common and a rare word', of: (round) => `good nr${(round * 7919) % conversations}x4` },
  { term: 'two words of 1 %', of: (round) => `kaliya ${['lawaka', 'mahaka', 'nabala'][round % 3]}` },
  { term: 'no such word', of: (round) => `zzq${round}` },
  { term: 'a name of all clients', of: () => 'santos' },
  { term: 'a phone number', of: (round) => `0917 ${String(1_000_000 + round * 37).slice(0, 7)}` },
  { term: 'an email address', of: (round) => `client${round * 7}@example.com` },
  { term: 'an order number', of: (round) => `ORD-${100_000 + round * 11}` },
]

/** Fills a database of each kind, and measures the search for everything, alone and beside 100 stored messages a second. */
export async function measureSearch(effort: Effort, postgresUrl: string | undefined): Promise<SearchFigures[]> {
  const figures = [await onEmbedded((database) => measure(database, effort))]
  if (postgresUrl !== undefined) figures.push(await onPostgres(postgresUrl, (database) => measure(database, effort)))
  return figures
}

async function measure({ db, kind }: OpenDatabase, effort: Effort): Promise<SearchFigures> {
  await fill(db, { conversations: effort.conversations, messages: effort.messages, text })
  await addClients(db, effort.clients)
  // Messages arrive by time, and the rows were made by conversation.
  await inOrderOfTime(db)
  return { kind, ...(await measureFilled(db, effort)) }
}

async function measureFilled(db: Db, effort: Effort): Promise<Omit<SearchFigures, 'kind'>> {
  const index = await indexBytes(db, effort.messages)
  const terms: SearchFigures['terms'] = []
  for (const { term, of } of termsOf(effort)) {
    const run = (round: number) =>
      searchAll(db, { q: of(round), after: { offset: 0, message: null }, country: 'PH', permissions })
    terms.push({ term, ...(await timesBesideWrites(db, effort, { text, rounds: effort.rounds, run })) })
  }
  const insert = await insertTimes(db, effort)
  return { messages: effort.messages, terms, index, insert }
}

async function inOrderOfTime(db: Db) {
  await db.connection().execute(async (connection) => {
    await sql`set statement_timeout = 0`.execute(connection)
    await sql`cluster message_search using message_search_recent`.execute(connection)
    await sql`vacuum analyze message_search`.execute(connection)
    await sql`reset statement_timeout`.execute(connection)
  })
}

/** Every client has two orders. */
async function addClients(db: Db, clients: number) {
  await sql`
    insert into clients (id, first_name, last_name, email, phone)
    select 'client-' || n, 'Maria ' || n, 'Santos', 'client' || n || '@example.com', '0917 ' || 1000000 + n
    from generate_series(1, ${clients}::integer) n`.execute(db)
  await sql`
    insert into orders (order_number, client_id, status, total_amount)
    select 'ORD-' || 100000 + n * 2 + k, 'client-' || n, 'completed', 100
    from generate_series(1, ${clients}::integer) n cross join generate_series(0, 1) k`.execute(db)
  await sql`vacuum analyze`.execute(db)
}

/** Alternates, so that other load meets both alike. */
async function insertTimes(db: Db, effort: Effort): Promise<SearchFigures['insert']> {
  const total = { without: 0, with: 0 }
  for (let batch = 0; batch < effort.batches * 2; batch++) {
    const side = batch % 2 === 0 ? 'without' : 'with'
    await sql`alter table messages ${sql.raw(side === 'with' ? 'enable' : 'disable')} trigger messages_index`.execute(
      db,
    )
    const start = performance.now()
    await storeMessages(db, effort, text, 20)
    total[side] += performance.now() - start
  }
  const messages = effort.batches * 20
  return { without: total.without / messages, with: total.with / messages }
}

async function indexBytes(db: Db, messages: number): Promise<number> {
  const { rows } = await sql<{ bytes: number }>`
    select pg_total_relation_size('message_search')::bigint as bytes`.execute(db)
  return (rows[0]?.bytes ?? 0) / messages
}
