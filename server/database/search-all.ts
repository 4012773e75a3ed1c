import { sql } from 'kysely'
import { excerptOf } from '../../src/domain/shell/search-words.ts'
import {
  type ClientHit,
  type HitKind,
  hitKinds,
  type MessageHit,
  type OrderHit,
  type SearchQuery,
} from '../../src/schemas/search.ts'
import { readablePhone } from '../phones.ts'
import type { Db } from './database.ts'
import { findMessagesByText, type MessagePlace } from './message-search.ts'
import { matchesSearch, searchPatterns } from './search.ts'

/** Hits of each group, and of a group that was asked for by itself. */
const groupSize = 5
const longGroupSize = 20
/** Beyond this a search needs more words. */
const maxOffset = 500
/** Clients and orders that are sorted; more match only a word that is too common. */
const maxSorted = 1_000
/** Orders with such a word are found among so many of the newest ones. */
const recentOrders = 5_000
/** Characters. */
const excerptLength = 160

/** Where a result page begins: after a number of hits, or after a message. */
export type SearchPlace = { offset: number; message: MessagePlace | null }

/** Reads `after` of a query; null if it is not valid for its group. */
export function readPlace({ kinds, after }: SearchQuery): SearchPlace | null {
  if (after === undefined) return { offset: 0, message: null }
  const [kind, ...others] = kinds ?? []
  if (kind === undefined || others.length > 0) return null
  if (kind === 'messages') {
    const [, micros, id] = /^(-?\d{1,16})_(\d{1,15})$/.exec(after) ?? []
    return micros === undefined ? null : { offset: 0, message: { micros: Number(micros), id: Number(id) } }
  }
  const isOffset = /^\d{1,3}$/.test(after) && Number(after) <= maxOffset
  return isOffset ? { offset: Number(after), message: null } : null
}

type Request = {
  q: string
  kinds?: readonly HitKind[] | undefined
  after: SearchPlace
  /** Of phone numbers without a country code. */
  country: string
  permissions: readonly string[]
}

type Group<Hit> = { hits: Hit[]; next: string | null }
/** `isPartial`: hits may be missing. */
type Found<Hit> = { group: Group<Hit>; isPartial: boolean }
const noGroup = { group: null, isPartial: false }

/** One result page of each group that the person may see. Who may read conversations may read all of them. */
export async function searchAll(db: Db, request: Request) {
  const { q, kinds = hitKinds, country, permissions } = request
  const term = q.trim().replaceAll('\0', '')
  const limit = kinds.length > 1 ? groupSize : longGroupSize
  const { offset, message } = request.after
  const part = { term, country, offset, limit }
  const isWanted = (wanted: HitKind, permission: string) => kinds.includes(wanted) && permissions.includes(permission)

  // At most two connections at a time, because three searches may run at once.
  const [rows, messages] = await Promise.all([
    (async () => ({
      clients: isWanted('clients', 'clients.read') ? await findClients(db, part) : noGroup,
      orders: isWanted('orders', 'orders.read') ? await findOrders(db, part) : noGroup,
    }))(),
    isWanted('messages', 'conversations.read') ? findMessages(db, { ...part, after: message }) : noGroup,
  ])
  const { clients, orders } = rows
  return {
    clients: clients.group,
    orders: orders.group,
    messages: messages.group,
    is_partial: clients.isPartial || orders.isPartial || messages.isPartial,
  }
}

type Part = { term: string; country: string; offset: number; limit: number }

/** Of one row more than asked for. */
function groupOf<Row, Hit>(rows: readonly Row[], { offset, limit }: Part, toHit: (row: Row) => Hit): Group<Hit> {
  const next = offset + limit
  return {
    hits: rows.slice(0, limit).map(toHit),
    next: rows.length > limit && next <= maxOffset ? String(next) : null,
  }
}

type ClientRow = {
  id: string
  first_name: string
  last_name: string
  company_name: string | null
  email: string | null
  phone: string | null
  primary_user_id: string | null
  is_partial: boolean
}

async function findClients(db: Db, part: Part): Promise<Found<ClientHit>> {
  const { term, country, offset, limit } = part
  const { rows } = await sql<ClientRow>`
    with matches as materialized (
      select id, last_name, first_name from clients where removed_at is null and ${matchesSearch(term, country)} limit ${maxSorted + 1}
    )
    select c.id, c.first_name, c.last_name, c.company_name, c.email, c.phone, conversations.primary_user_id,
      (select count(*) from matches) > ${maxSorted} as is_partial
    from (
      select * from matches order by lower(last_name), lower(first_name), id limit ${limit + 1} offset ${offset}
    ) found
    join clients c on c.id = found.id
    left join conversations on conversations.client_id = c.id
    order by lower(c.last_name), lower(c.first_name), c.id`.execute(db)
  const group = groupOf(rows, part, ({ first_name, last_name, phone, is_partial: _, ...row }) => ({
    ...row,
    name: `${first_name} ${last_name}`.trim(),
    phone: readablePhone(phone, country),
  }))
  return { group, isPartial: rows[0]?.is_partial ?? false }
}

type OrderRow = Omit<OrderHit, 'created_at'> & { created_at: Date; is_partial: boolean }

/**
 * Whether the index of order numbers helps: the pattern has three letters or digits in a row, or one after a separator.
 * A word of one or two characters has neither.
 */
const isIndexed = (pattern: string): boolean => /[\p{L}\p{N}]{3}|[^\p{L}\p{N}%\s][\p{L}\p{N}]/u.test(pattern)

/**
 * Orders whose number contains every word, newest first. If all words are short, they must be the whole number: no
 * index would help.
 */
async function findOrders(db: Db, part: Part): Promise<Found<OrderHit>> {
  const { term, offset, limit } = part
  const patterns = searchPatterns(term.replace(/^#/, ''))
  const matches = patterns.some(isIndexed)
    ? sql`${sql.join(
        patterns.map((pattern) => sql`search_form(order_number) like ${pattern.replace(/^% /, '%')}`),
        sql` and `,
      )}`
    : sql`order_number in (${term}, ${term.replace(/^#/, '')})`
  const columns = sql`id, order_number, status, created_at, client_id`
  const { rows } = await sql<OrderRow>`
    with matches as materialized (select ${columns} from orders where ${matches} limit ${maxSorted + 1}),
    counted as (select count(*) > ${maxSorted} as are_many from matches),
    recent as materialized (
      select ${columns} from (select * from orders order by created_at desc, id desc limit ${recentOrders}) newest
      where (select are_many from counted) and ${matches}
    )
    select found.*, concat_ws(' ', c.first_name, c.last_name) as client_name,
      are_many and (select count(*) from recent) <= ${offset + limit} as is_partial
    from counted
    cross join (select * from recent union select * from matches) found
    join clients c on c.id = found.client_id and c.removed_at is null
    order by found.created_at desc, found.id desc limit ${limit + 1} offset ${offset}`.execute(db)
  const group = groupOf(rows, part, ({ created_at, is_partial: _, ...row }) => ({
    ...row,
    created_at: created_at.toISOString(),
  }))
  return { group, isPartial: rows[0]?.is_partial ?? false }
}

async function findMessages(
  db: Db,
  { term, country, limit, after }: Part & { after: MessagePlace | null },
): Promise<Found<MessageHit>> {
  const found = await findMessagesByText(db, { search: term, after, limit: limit + 1, country })
  const shown = found.messages.slice(0, limit)
  const last = shown.at(-1)
  const hits = shown.map(({ message_id, primary_user_id, page_id, unified_name, direction, message_text, at }) => ({
    message_id,
    primary_user_id,
    page_id,
    name: unified_name,
    direction,
    excerpt: excerptOf(message_text ?? '', term, excerptLength),
    at: at.toISOString(),
  }))
  const next = found.messages.length > limit && last ? `${last.micros}_${last.id}` : null
  return { group: { hits, next }, isPartial: found.isPartial }
}
