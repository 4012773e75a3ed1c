import { type RawBuilder, sql } from 'kysely'
import type { ExportKind } from '../../src/schemas/data-export.ts'
import { batchSize } from '../database/batches.ts'
import { notesAfter } from '../notes/notes.ts'

/**
 * `columns` of the file, and a query for the rows after a key in the order of the key. Columns that an import reads have the
 * names by which it knows them. A list is a JSON array, also in a CSV file. `tables`: those whose rows the file has. Tables
 * that no file has are listed in docs/operations.md, each with the reason.
 */
export type Source = {
  tables: readonly string[]
  columns: readonly string[]
  after: (key: string) => RawBuilder<Row>
}
export type Row = { key: string } & Record<string, unknown>

/** The names of the labels in a list of ids, which may be null, as a JSON array. */
const labelNames = (ids: RawBuilder<unknown>) => sql`
  (select coalesce(json_agg(name order by name), '[]') from labels where id = any(${ids}) and deleted_at is null)`

export const sources: Record<ExportKind, Source> = {
  clients: {
    tables: ['clients', 'client_aliases', 'client_labels'],
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
      'labels',
      'created_at',
      'merged_external_ids',
    ],
    after: (key) => sql`
      select c.id as key, c.*, ${labelNames(sql`l.label_ids`)} as labels,
        (select coalesce(json_agg(a.external_id order by a.external_id), '[]') from client_aliases a where a.client_id = c.id)
          as merged_external_ids
      from clients c left join client_labels l on l.client_id = c.id
      where c.removed_at is null and c.id > ${key} order by c.id limit ${batchSize}`,
  },
  orders: {
    tables: ['orders'],
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
      'message_id',
      'made_by',
    ],
    after: (key) => sql`
      select o.id as key, o.*, c.external_id as client_external_id, c.email as client_email,
        trim(c.first_name || ' ' || c.last_name) as client_name, o.source_message_id as message_id,
        coalesce(s.name, s.email) as made_by
      from orders o join clients c on c.id = o.client_id and c.removed_at is null left join staff s on s.id = o.created_by
      where o.id > ${key} order by o.id limit ${batchSize}`,
  },
  items: {
    tables: ['orders'],
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
    tables: ['payments'],
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
      'message_id',
      'recorded_by',
      'decided_by',
      'decided_at',
    ],
    after: (key) => sql`
      select p.id as key, p.*, coalesce(p.external_id, p.id) as external_id, o.external_id as order_external_id,
        o.order_number, p.source_message_id as message_id, coalesce(recorder.name, recorder.email) as recorded_by,
        coalesce(decider.name, decider.email) as decided_by
      from payments p join orders o on o.id = p.order_id join clients c on c.id = o.client_id and c.removed_at is null
        left join staff recorder on recorder.id = p.recorded_by left join staff decider on decider.id = p.decided_by
      where p.id > ${key} order by p.id limit ${batchSize}`,
  },
  products: {
    tables: ['products'],
    columns: ['external_id', 'name', 'unit_price', 'currency', 'is_active', 'picture_url', 'link_url'],
    after: (key) => sql`
      select id as key, *, (price / 100.0)::numeric(14, 2) as unit_price from products
      where id > ${key} order by id limit ${batchSize}`,
  },
  conversations: {
    tables: ['conversations'],
    columns: [
      'id',
      'name',
      'page_ids',
      'client_id',
      'client_external_id',
      'total_messages',
      'unread_messages',
      'labels',
      'assigned_to',
      'last_message_at',
      'waiting_since',
      'snoozed_until',
      'done_at',
      'muted_at',
      'created_at',
    ],
    after: (key) => sql`
      select v.primary_user_id as key, v.primary_user_id as id, v.unified_name as name, v.page_ids, v.client_id,
        c.external_id as client_external_id, v.total_messages, v.unread_messages, ${labelNames(sql`v.label_ids`)} as labels,
        coalesce(s.name, s.email) as assigned_to, v.last_message_at, v.waiting_since, v.snoozed_until, v.done_at, v.muted_at, v.created_at
      from conversations v left join clients c on c.id = v.client_id left join staff s on s.id = v.assigned_to
      where v.primary_user_id > ${key} collate "C" order by v.primary_user_id collate "C" limit ${batchSize}`,
  },
  messages: {
    tables: ['messages'],
    columns: ['message_id', 'conversation_id', 'page_id', 'direction', 'text', 'attachments', 'content', 'sent_at'],
    after: (key) => sql`
      select message_id as key, message_id, primary_user_id as conversation_id, page_id, direction, message_text as text,
        attachments -> 'data' as attachments, content, timestamp_fb as sent_at
      from messages where message_id > ${key} order by message_id limit ${batchSize}`,
  },
  comments: {
    tables: ['comments'],
    columns: [
      'comment_id',
      'post_id',
      'parent_id',
      'page_id',
      'author_name',
      'by_page',
      'text',
      'picture_url',
      'hidden_at',
      'created_at',
    ],
    after: (key) => sql`
      select id as key, id as comment_id, post_id, parent_id, page_id, author_name, by_page, message as text, picture_url,
        hidden_at, created_at
      from comments where removed_at is null and id > ${key} order by id limit ${batchSize}`,
  },
  notes: {
    tables: ['notes'],
    columns: ['id', 'conversation_id', 'text', 'written_by', 'created_at'],
    after: (key) => notesAfter(key, batchSize),
  },
  labels: {
    tables: ['labels'],
    columns: ['id', 'name', 'colour', 'keywords', 'created_at'],
    after: (key) => sql`
      select id as key, * from labels where deleted_at is null and id > ${key} order by id limit ${batchSize}`,
  },
  'saved-replies': {
    tables: ['saved_replies'],
    columns: ['name', 'text', 'page_ids', 'structure', 'uses', 'created_at', 'updated_at'],
    after: (key) => sql`select id as key, * from saved_replies where id > ${key} order by id limit ${batchSize}`,
  },
  'faq-entries': {
    tables: ['faq_entries', 'faq_categories'],
    columns: [
      'title',
      'category',
      'keywords',
      'response',
      'is_active',
      'priority',
      'page_ids',
      'created_at',
      'updated_at',
    ],
    after: (key) => sql`
      select f.id as key, f.*, c.name as category from faq_entries f left join faq_categories c on c.id = f.category_id
      where f.id > ${key} order by f.id limit ${batchSize}`,
  },
  'wrong-answers': {
    tables: ['faq_wrong_answers'],
    columns: ['message_id', 'faq_title', 'marked_by', 'marked_at', 'resolved_by', 'resolved_at'],
    after: (key) => sql`
      select w.message_id as key, w.message_id, w.faq_title, coalesce(marker.name, marker.email) as marked_by, w.marked_at,
        coalesce(resolver.name, resolver.email) as resolved_by, w.resolved_at
      from faq_wrong_answers w left join staff marker on marker.id = w.marked_by
        left join staff resolver on resolver.id = w.resolved_by
      where w.message_id > ${key} order by w.message_id limit ${batchSize}`,
  },
  people: {
    tables: ['fb_users'],
    columns: ['id', 'page_id', 'page_scoped_id', 'platform', 'name', 'conversation_id', 'client_id', 'created_at'],
    after: (key) => sql`
      select id as key, id, page_id, psid as page_scoped_id, platform,
        coalesce(name, nullif(concat_ws(' ', first_name, last_name), '')) as name, primary_user_id as conversation_id,
        client_id, created_at
      from fb_users where id > ${key} order by id limit ${batchSize}`,
  },
  posts: {
    tables: ['posts'],
    columns: ['id', 'page_id', 'platform', 'kind', 'text', 'picture_url', 'permalink', 'created_at'],
    after: (key) => sql`
      select id as key, *, message as text from posts where id > ${key} order by id limit ${batchSize}`,
  },
  pages: {
    tables: ['pages'],
    columns: [
      'page_id',
      'name',
      'instagram_id',
      'username',
      'category',
      'is_active',
      'shows_typing',
      'shows_seen',
      'created_at',
    ],
    after: (key) => sql`
      select page_id as key, page_id, page_name as name, instagram_id, page_username as username, page_category as category,
        is_active, shows_typing, shows_seen, created_at
      from pages where page_id > ${key} order by page_id limit ${batchSize}`,
  },
  staff: {
    tables: ['staff'],
    columns: ['id', 'name', 'email', 'role', 'permissions', 'is_active', 'created_at'],
    after: (key) => sql`
      select id as key, id, name, email, role, permissions, is_active, created_at
      from staff where id > ${key} order by id limit ${batchSize}`,
  },
  // Without keys and secrets.
  settings: {
    tables: ['business_settings', 'auto_sync', 'shops', 'webhook_endpoints'],
    columns: ['name', 'settings', 'changed_at'],
    after: (key) => sql`
      select * from (
        select name as key, name, settings, updated_at as changed_at from business_settings
        union all
        select 'auto-sync', 'auto-sync',
          jsonb_build_object('enabled', enabled, 'interval_minutes', interval_minutes, 'hours_back', hours_back),
          last_updated_at
        from auto_sync
        union all
        select 'shop ' || id, 'shop', jsonb_build_object('kind', kind, 'address', address, 'name', name), connected_at
        from shops
        union all
        select 'webhook ' || id, 'webhook',
          jsonb_build_object('url', url, 'description', description, 'events', events, 'is_active', is_active), created_at
        from webhook_endpoints
      ) listed
      where key > ${key} order by key limit ${batchSize}`,
  },
}
