import { type RawBuilder, sql } from 'kysely'
import { type Conversation, type ConversationsQuery, nobody } from '../../src/schemas/conversation.ts'
import type { ConversationView } from '../../src/schemas/conversation-state.ts'
import { stateOf, viewQuery } from './conversation-states.ts'
import type { Db } from './database.ts'
import { findPrimaryUserId } from './people.ts'
import { matchesSearch } from './search.ts'
import type { Row } from './tables.ts'

/** Who asks, when, the country of phone numbers without a country code, and whether the amounts are shown to the reader. */
type Reader = { staffId: string; now: number; country: string; seesAmounts: boolean }

/**
 * A result page of the inbox, newest first or in the order of the view, with the total number of conversations (spec
 * section 7, GET /facebook/conversations). With `pageId` the rows summarize that page only. The search also matches an
 * exact primary or fb user id. `reader` is the staff member who asks.
 */
export async function listConversations(db: Db, query: ConversationsQuery, reader: Reader) {
  const { view = 'all' } = query
  const { keys, total } = await (view === 'all'
    ? findKeys(db, query, reader)
    : findKeysOfView(db, { ...query, view }, reader))
  const rows = await loadRows(db, keys, query.pageId, reader)
  const byId = new Map(rows.map((row) => [row.primary_user_id, row]))
  return { rows: keys.flatMap((key) => byId.get(key) ?? []), total }
}

/** Reads index columns only, so that a deep result page costs one index scan. */
async function findKeys(db: Db, query: ConversationsQuery, reader: Reader): Promise<{ keys: string[]; total: number }> {
  const source = query.pageId === undefined ? sql`conversations` : sql`conversation_pages`
  const conditions = []
  if (query.pageId !== undefined) conditions.push(sql`s.page_id = ${query.pageId}`)
  if (query.unreadOnly) conditions.push(sql`s.unread_messages > 0`)
  const ofState = stateConditions(query)
  if (query.pageId === undefined) conditions.push(...ofState)
  else if (ofState.length > 0)
    conditions.push(
      sql`s.primary_user_id in (select primary_user_id from conversations s where ${sql.join(ofState, sql` and `)})`,
    )

  const isSearched = query.search !== undefined && query.search.trim() !== ''
  if (isSearched) conditions.push(await searchCondition(db, query.search ?? '', reader))

  const where = conditions.length === 0 ? sql`` : sql`where ${sql.join(conditions, sql` and `)}`
  const order = sql`order by last_message_at desc nulls last, primary_user_id desc`
  const part = sql`${order} limit ${query.limit} offset ${(query.page - 1) * query.limit}`

  const total =
    query.pageId !== undefined && ofState.length > 0 && !query.unreadOnly
      ? // The pages of a conversation stand in the index of the assignees, so the rows of one page need not be joined.
        sql`select count(*) as total from conversations s
          where ${sql.join([sql`s.page_ids @> array[${query.pageId}]`, ...ofState], sql` and `)}`
      : conditions.length > (query.pageId === undefined ? 0 : 1)
        ? sql`select count(*) as total from ${source} s ${where}`
        : sql`select coalesce((select conversations from current_page_totals where page_id = ${query.pageId ?? ''}), 0) as total`
  // The matches of a search are found once. The others stand in the order of an index, so only the shown ones are sorted.
  const found = isSearched
    ? sql<Key>`
        with matches as materialized (select s.primary_user_id, s.last_message_at from ${source} s ${where})
        select part.primary_user_id, counted.total
        from (select count(*) as total from matches) counted
        left join lateral (select * from matches ${part}) part on true
        ${order}`
    : sql<Key>`
        select part.primary_user_id, counted.total
        from (${total}) counted
        left join lateral (select s.primary_user_id, s.last_message_at from ${source} s ${where} ${part}) part on true
        ${order}`
  const { rows } = await found.execute(db)
  return {
    keys: rows.flatMap(({ primary_user_id }) => primary_user_id ?? []),
    total: rows[0]?.total ?? 0,
  }
}

/** The same for a view. A view has a part at a time in the order of an index, so each part reads only what it returns. */
async function findKeysOfView(
  db: Db,
  query: ConversationsQuery & { view: Exclude<ConversationView, 'all'> },
  reader: Reader,
): Promise<{ keys: string[]; total: number }> {
  const { condition, parts } = viewQuery(query.view, reader, query.order)
  const conditions: RawBuilder<unknown>[] = [condition, ...stateConditions(query)]
  if (query.pageId !== undefined) conditions.push(sql`s.page_ids @> array[${query.pageId}]`)
  if (query.unreadOnly) conditions.push(sql`s.unread_messages > 0`)
  if (query.search !== undefined && query.search.trim() !== '')
    conditions.push(await searchCondition(db, query.search, reader))
  const where = sql.join(conditions, sql` and `)
  const end = query.page * query.limit
  const ordered = parts.map(
    ({ condition, order }, index) => sql`
      select ${sql.lit(index)} as part, found.* from (
        select s.primary_user_id, row_number() over (order by ${order}) as place
        from conversations s where ${where} and ${condition} order by ${order} limit ${end}
      ) found`,
  )
  const { rows } = await sql<Key>`
    select listed.primary_user_id, counted.total
    from (select count(*) as total from conversations s where ${where}) counted
    left join lateral (
      select * from (${sql.join(ordered, sql` union all `)}) both_parts
      order by part, place limit ${query.limit} offset ${end - query.limit}
    ) listed on true
    order by listed.part, listed.place`.execute(db)
  return { keys: rows.flatMap(({ primary_user_id }) => primary_user_id ?? []), total: rows[0]?.total ?? 0 }
}

/** The filters by label and assignee. `conversations` has the alias `s`. */
const stateConditions = ({ labelId, assignedTo }: ConversationsQuery): RawBuilder<unknown>[] => [
  // The second part makes the index of labelled conversations usable.
  ...(labelId === undefined ? [] : [sql`s.label_ids @> array[${labelId}] and s.label_ids <> '{}'`]),
  ...(assignedTo === undefined
    ? []
    : [assignedTo === nobody ? sql`s.assigned_to is null` : sql`s.assigned_to = ${assignedTo}`]),
]

/** `primary_user_id` is null in the only row of an empty result. */
type Key = { primary_user_id: string | null; total: number }

/** Of a conversation with the alias `s`. */
async function searchCondition(db: Db, search: string, { country }: Reader) {
  const term = search.trim().replaceAll('\0', '')
  const textMatches = matchesSearch(term, country)
  const exact = await findPrimaryUserId(db, term)
  const matches = exact === null ? textMatches : sql`(${textMatches} or primary_user_id = ${exact})`
  return sql`s.primary_user_id in (select primary_user_id from conversation_search where ${matches})`
}

/** A row of the list. `fb_user_id`, `psid` and `platform` belong to `page_id`. */
type ListedConversation = Omit<Conversation, 'primary_user_id' | 'last_message_at' | 'last_incoming_at'> &
  Pick<Row<'conversations'>, 'primary_user_id' | 'last_message_at'> &
  Pick<Row<'conversation_pages'>, 'last_incoming_at'>

async function loadRows(
  db: Db,
  keys: string[],
  pageId: string | undefined,
  { seesAmounts }: Pick<Reader, 'seesAmounts'>,
): Promise<ListedConversation[]> {
  if (keys.length === 0) return []
  const shownPage = pageId === undefined ? sql`coalesce(c.last_message_page_id, c.page_ids[1])` : sql`${pageId}`
  // The counts and the last message: of the whole conversation, or of the filtered page.
  const summary = pageId === undefined ? sql`c` : sql`shown`
  const { rows } = await sql<ListedConversation>`
    select
      c.primary_user_id,
      f.id as fb_user_id,
      (select string_agg(member.id, ', ' order by member.id) from fb_users member
        where member.primary_user_id = c.primary_user_id) as fb_user_ids,
      shown.page_id,
      array_to_string(c.page_ids, ', ') as page_ids,
      (
        select string_agg(pages.page_name, ', ' order by listed.position)
        from unnest(c.page_ids) with ordinality as listed (page_id, position)
        join pages on pages.page_id = listed.page_id
      ) as page_names,
      cardinality(c.page_ids) as page_count,
      f.platform,
      c.unified_name,
      f.name as user_name,
      f.first_name,
      f.last_name,
      f.profile_pic,
      c.client_id,
      clients.first_name as client_first_name,
      clients.last_name as client_last_name,
      clients.company_name,
      ${summary}.unread_messages,
      ${summary}.total_messages,
      ${summary}.last_message_at,
      ${summary}.last_message_text,
      ${summary}.last_message_direction,
      case when ${summary}.last_message_id is not null then shown.page_id end as last_message_page_id,
      case when ${summary}.last_message_id is not null then page.page_name end as last_message_page_name,
      (select author from messages where message_id = ${summary}.last_message_id) as last_message_author,
      shown.last_incoming_at,
      f.psid,
      (select json_agg(json_build_object('fb_user_id', member.id, 'page_id', member.page_id,
          'delivered_up_to', member.delivered_up_to, 'read_up_to', member.read_up_to, 'read_at', member.read_at)
          order by member.id)
        from fb_users member
        where member.primary_user_id = c.primary_user_id and member.delivered_up_to is not null) as receipts,
      ${seesAmounts ? sql`clients.outstanding` : sql`null`} as outstanding,
      ${stateOf('c')} as state
    from conversations c
    join conversation_pages shown on shown.primary_user_id = c.primary_user_id and shown.page_id = ${shownPage}
    join fb_users f on f.id = shown.fb_user_id
    join pages page on page.page_id = shown.page_id
    left join clients on clients.id = c.client_id
    where c.primary_user_id = any(${keys}::text[])`.execute(db)
  return rows
}
