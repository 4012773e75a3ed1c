import { type RawBuilder, sql } from 'kysely'
import type { Business } from '../../src/schemas/business.ts'
import type { ExportFormat, ExportKind, ExportRequest } from '../../src/schemas/data-export.ts'
import { csvHead, csvRows } from '../csv.ts'
import { batchSize } from '../database/batches.ts'
import type { Db } from '../database/database.ts'

/**
 * `columns` of the file, and a query for the rows after a key in the order of the key. Columns that an import reads have the
 * names by which it knows them.
 */
type Source = { columns: readonly string[]; after: (key: string) => RawBuilder<Row> }
type Row = { key: string } & Record<string, unknown>

/** The smallest possible key. */
const start = ''

const sources: Record<ExportKind, Source> = {
  clients: {
    columns: [
      'external_id',
      'first_name',
      'last_name',
      'company_name',
      'email',
      'phone',
      'classification',
      'is_active',
      'language',
      'created_at',
    ],
    after: (key) =>
      sql`select id as key, * from clients where removed_at is null and id > ${key} order by id limit ${batchSize}`,
  },
  orders: {
    columns: [
      'external_id',
      'order_number',
      'client_external_id',
      'client_email',
      'client_name',
      'status',
      'total_amount',
      'discount',
      'delivery_fee',
      'currency',
      'created_at',
    ],
    after: (key) => sql`
      select o.id as key, o.*, c.external_id as client_external_id, c.email as client_email,
        trim(c.first_name || ' ' || c.last_name) as client_name
      from orders o join clients c on c.id = o.client_id and c.removed_at is null where o.id > ${key} order by o.id limit ${batchSize}`,
  },
  items: {
    columns: ['order_external_id', 'order_number', 'external_id', 'item_name', 'quantity', 'unit_price', 'currency'],
    // A row for each item, so the rows of one query are those of some orders.
    after: (key) => sql`
      select o.id as key, o.external_id as order_external_id, o.order_number, item ->> 'external_id' as external_id,
        item ->> 'name' as item_name, item -> 'quantity' as quantity, item -> 'unit_price' as unit_price
      from (
        select o.* from orders o join clients c on c.id = o.client_id and c.removed_at is null
        where o.id > ${key} and items <> '[]' order by o.id limit ${batchSize}
      ) o
      cross join jsonb_array_elements(o.items) with ordinality as listed (item, place)
      order by o.id, place`,
  },
  payments: {
    columns: [
      'external_id',
      'order_external_id',
      'order_number',
      'amount',
      'currency',
      'status',
      'method',
      'reference',
      'created_at',
    ],
    after: (key) => sql`
      select p.id as key, p.*, coalesce(p.external_id, p.id) as external_id, o.external_id as order_external_id,
        o.order_number
      from payments p join orders o on o.id = p.order_id join clients c on c.id = o.client_id and c.removed_at is null
      where p.id > ${key} order by p.id limit ${batchSize}`,
  },
  products: {
    columns: ['external_id', 'name', 'unit_price', 'currency', 'is_active'],
    after: (key) => sql`
      select id as key, *, (price / 100.0)::numeric(14, 2) as unit_price from products
      where id > ${key} order by id limit ${batchSize}`,
  },
  conversations: {
    columns: [
      'id',
      'name',
      'page_ids',
      'client_id',
      'client_external_id',
      'total_messages',
      'unread_messages',
      'last_message_at',
      'done_at',
      'created_at',
    ],
    after: (key) => sql`
      select v.primary_user_id as key, v.primary_user_id as id, v.unified_name as name, v.page_ids, v.client_id,
        c.external_id as client_external_id, v.total_messages, v.unread_messages, v.last_message_at, v.done_at, v.created_at
      from conversations v left join clients c on c.id = v.client_id
      where v.primary_user_id > ${key} collate "C" order by v.primary_user_id collate "C" limit ${batchSize}`,
  },
  messages: {
    columns: ['message_id', 'conversation_id', 'page_id', 'direction', 'text', 'attachments', 'content', 'sent_at'],
    after: (key) => sql`
      select message_id as key, message_id, primary_user_id as conversation_id, page_id, direction, message_text as text,
        attachments -> 'data' as attachments, content, timestamp_fb as sent_at
      from messages where message_id > ${key} order by message_id limit ${batchSize}`,
  },
}

/** All rows of a kind as the text of one file, in parts. Memory does not grow with the number of rows. */
export async function* exportData(
  db: Db,
  { kind, format }: ExportRequest,
  { currency }: Pick<Business, 'currency'>,
): AsyncGenerator<string> {
  const { columns, after } = sources[kind]
  const write = writers[format]
  yield write.head(columns)
  let isFirst = true
  for (let key: string | undefined = start; key !== undefined; ) {
    const { rows }: { rows: Row[] } = await after(key).execute(db)
    // All amounts are in the currency of the business.
    const shown = rows.map((row) => ({ ...row, currency }))
    if (rows.length > 0) yield write.rows(columns, shown, isFirst)
    isFirst = false
    key = rows.at(-1)?.key
  }
  yield write.tail
}

type Writer = {
  head: (columns: readonly string[]) => string
  rows: (columns: readonly string[], rows: readonly Row[], isFirst: boolean) => string
  tail: string
}

const writers: Record<ExportFormat, Writer> = {
  csv: {
    head: csvHead,
    rows: (columns, rows) => csvRows(rows.map((row) => columns.map((column) => cellOf(row[column])))),
    tail: '',
  },
  json: {
    head: () => '[',
    rows: (columns, rows, isFirst) =>
      `${isFirst ? '' : ','}\n${rows
        .map((row) => JSON.stringify(Object.fromEntries(columns.map((column) => [column, row[column] ?? null]))))
        .join(',\n')}`,
    tail: '\n]\n',
  },
}

function cellOf(value: unknown): string | number | null {
  if (value === null || value === undefined || typeof value === 'string' || typeof value === 'number')
    return value ?? null
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
