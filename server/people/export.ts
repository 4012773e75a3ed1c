import { sql } from 'kysely'
import { deletedClientsOf, mergedInto } from '../database/client-removals.ts'
import type { Db } from '../database/database.ts'
import type { Row } from '../database/tables.ts'
import { listNotes } from '../notes/notes.ts'
import { eachDeliveryOf, splitDelivery } from './deliveries.ts'
import { commentsOfPerson } from './erased-comments.ts'
import { changeNames } from './large-changes.ts'

/** Rows of one query. */
const batchSize = 500

/**
 * Everything the server knows of a person, as the text of one JSON document in parts: identities, client with orders
 * and payments, the clients that were merged into it or deleted and can be restored, the state of the conversation with
 * its changes, messages, comments with the answers to them, notes of staff, files that the person sent (each with the path on this server that serves it),
 * edits whose message has not come yet, sends, drafts of staff, automatic replies, audit entries (without who acted, because those are data of staff), large
 * realtime changes that were not deleted yet, and stored webhook events. Empty if the conversation is unknown. Reads a
 * batch at a time, so memory does not grow with the conversation.
 */
export async function* exportPerson(db: Db, primaryUserId: string, exportedAt: Date): AsyncGenerator<string> {
  const identities = await db
    .selectFrom('fb_users')
    .selectAll()
    .where('primary_user_id', '=', primaryUserId)
    .orderBy('id')
    .execute()
  if (identities.length === 0) return
  const pageIds = [...new Set(identities.map(({ page_id }) => page_id))]
  const pages = await db
    .selectFrom('pages')
    .select(['page_id', 'page_name', 'instagram_id'])
    .where('page_id', 'in', pageIds)
    .execute()
  const fbUserIds = identities.map(({ id }) => id)
  const known = await clientOf(db, primaryUserId)
  const head = {
    format: 'staff-inbox-person',
    version: 1,
    exported_at: exportedAt,
    conversation: primaryUserId,
    identities,
    pages: pages.map(({ page_id, page_name }) => ({ page_id, page_name })),
    ...known,
    state: await stateOf(db, primaryUserId),
    early_events: await db.selectFrom('early_events').selectAll().where('fb_user_id', 'in', fbUserIds).execute(),
    profile_lookups: await db.selectFrom('profile_lookups').selectAll().where('fb_user_id', 'in', fbUserIds).execute(),
  }
  yield JSON.stringify(head).slice(0, -1)

  yield* list('messages', (last: { message_id: string } | undefined) => {
    let messages = db.selectFrom('messages').selectAll().where('primary_user_id', '=', primaryUserId)
    if (last !== undefined) messages = messages.where('message_id', '>', last.message_id)
    return messages.orderBy('message_id').limit(batchSize).execute()
  })
  yield `,"labels":${JSON.stringify(await labelsOf(db, primaryUserId, known.client?.id ?? null))}`
  yield `,"comments":${JSON.stringify(await commentsOfPerson(db, identities))}`
  yield `,"notes":${JSON.stringify(await listNotes(db, primaryUserId))}`
  yield* list('files', (last: { id: number } | undefined) => {
    let files = db
      .selectFrom('stored_files')
      .innerJoin('messages', 'messages.message_id', 'stored_files.message_id')
      .selectAll('stored_files')
      .select(linkOfFile)
      .where('primary_user_id', '=', primaryUserId)
    if (last !== undefined) files = files.where('stored_files.id', '>', last.id)
    return files.orderBy('stored_files.id').limit(batchSize).execute()
  })
  yield* list('sends', (last: { idempotency_key: string } | undefined) => {
    let sends = db
      .selectFrom('sends')
      .selectAll()
      .where((is) => is.or(identities.map(({ page_id, psid }) => is.and({ page_id, psid }))))
    if (last !== undefined) sends = sends.where('idempotency_key', '>', last.idempotency_key)
    return sends.orderBy('idempotency_key').limit(batchSize).execute()
  })
  yield* list('early_edits', (last: { message_id: string } | undefined) => {
    let edits = db
      .selectFrom('early_edits')
      .selectAll()
      .where((is) => is.or(identities.map(({ page_id, psid }) => is.and({ page_id, psid }))))
    if (last !== undefined) edits = edits.where('message_id', '>', last.message_id)
    return edits.orderBy('message_id').limit(batchSize).execute()
  })
  yield* list('drafts', (last: { staff_id: string } | undefined) => {
    let drafts = db.selectFrom('drafts').selectAll().where('primary_user_id', '=', primaryUserId)
    if (last !== undefined) drafts = drafts.where('staff_id', '>', last.staff_id)
    return drafts.orderBy('staff_id').limit(batchSize).execute()
  })
  yield* list('automatic_replies', (last: { message_id: string } | undefined) => {
    let replies = db.selectFrom('auto_replies').selectAll().where('fb_user_id', 'in', fbUserIds)
    if (last !== undefined) replies = replies.where('message_id', '>', last.message_id)
    return replies.orderBy('message_id').limit(batchSize).execute()
  })

  const conversationIds = [...new Set([primaryUserId, ...fbUserIds])]
  yield* list('audit_entries', (last: { id: number } | undefined) => {
    let entries = db
      .selectFrom('audit_entries')
      .select(['id', 'created_at', 'action', 'row_kind', 'row_id', 'details'])
      .where((is) =>
        is.or([
          is.and([is('row_kind', '=', 'conversation'), is('row_id', 'in', conversationIds)]),
          is.and([is('row_kind', '=', 'client'), is('row_id', '=', known.client?.id ?? '')]),
        ]),
      )
    if (last !== undefined) entries = entries.where('id', '>', last.id)
    return entries.orderBy('id').limit(batchSize).execute()
  })
  yield* list('state_changes', (last: { id: number } | undefined) => {
    let changes = db.selectFrom('conversation_events').selectAll().where('primary_user_id', '=', primaryUserId)
    if (last !== undefined) changes = changes.where('id', '>', last.id)
    return changes.orderBy('id').limit(batchSize).execute()
  })
  yield* list('realtime_changes', (last: { id: number } | undefined) => {
    const names = [...conversationIds, ...identities.map(({ psid }) => psid)]
    let changes = db.selectFrom('realtime_outbox').selectAll().where(changeNames(names))
    if (last !== undefined) changes = changes.where('id', '>', last.id)
    return changes.orderBy('id').limit(batchSize).execute()
  })

  yield ',"webhook_events":['
  let isFirst = true
  for (const { page_id, psid } of identities) {
    const instagramId = pages.find((page) => page.page_id === page_id)?.instagram_id
    const party = { accountIds: instagramId ? [page_id, instagramId] : [page_id], psid, until: null }
    for await (const { body, receivedAt } of eachDeliveryOf(db, party)) {
      for (const event of splitDelivery(body, party).own) {
        yield `${isFirst ? '' : ','}${JSON.stringify({ received_at: receivedAt, event })}`
        isFirst = false
      }
    }
  }
  yield ']}\n'
}

/** The address in the message's attachment: a path of this server, without a login. */
const linkOfFile = sql<string | null>`(
  select attachment #>> '{}' from jsonb_path_query(
    messages.attachments #> array['data', stored_files.position::text], '$.*.url'
  ) as attachment limit 1)`.as('link')

async function stateOf(db: Db, primaryUserId: string) {
  const row = await db
    .selectFrom('conversations')
    .selectAll()
    .where('primary_user_id', '=', primaryUserId)
    .executeTakeFirst()
  if (row === undefined) return null
  const { search_text: _, outstanding: __, ...state } = row
  return state
}

async function clientOf(db: Db, primaryUserId: string) {
  const client = await db
    .selectFrom('conversations')
    .innerJoin('clients', 'clients.id', 'conversations.client_id')
    .selectAll('clients')
    .where('primary_user_id', '=', primaryUserId)
    .executeTakeFirst()
  const removedIds = [
    ...(client === undefined ? [] : await mergedInto(db, client.id)),
    ...(await deletedClientsOf(db, [primaryUserId])),
  ]
  const removed =
    removedIds.length === 0 ? [] : await db.selectFrom('clients').selectAll().where('id', 'in', removedIds).execute()
  const removed_clients = await Promise.all(
    removed.map(async (row) => ({ ...withoutOwn(row), ...(await ordersOf(db, row.id)) })),
  )
  if (client === undefined) return { client: null, orders: [], payments: [], removed_clients }
  return { client: withoutOwn(client), ...(await ordersOf(db, client.id)), removed_clients }
}

/** Without the columns that the database derives. */
function withoutOwn(client: Row<'clients'>) {
  const { search_text: _, phone_read: __, phone_country: ___, outstanding: ____, version: _____, ...known } = client
  return known
}

async function ordersOf(db: Db, clientId: string) {
  const orders = await db.selectFrom('orders').selectAll().where('client_id', '=', clientId).orderBy('id').execute()
  const payments = await db
    .selectFrom('payments')
    .innerJoin('orders', 'orders.id', 'payments.order_id')
    .selectAll('payments')
    .where('client_id', '=', clientId)
    .orderBy('payments.id')
    .execute()
  return {
    orders: orders.map(({ created_by: _, ...order }) => order),
    payments: payments.map(({ recorded_by: _, decided_by: __, reference_key: ___, ...payment }) => payment),
  }
}

/** The names of the labels of the conversation and of its client. */
async function labelsOf(db: Db, primaryUserId: string, clientId: string | null) {
  const { rows } = await sql<{ conversation: string[]; client: string[] }>`
    select
      array(select name from labels join conversations on labels.id = any(label_ids)
        where primary_user_id = ${primaryUserId} order by name_key) as conversation,
      array(select name from labels join client_labels on labels.id = any(label_ids)
        where client_id = ${clientId} order by name_key) as client`.execute(db)
  return rows[0] ?? { conversation: [], client: [] }
}

/** A property of the document: an array, read in batches. `next` gives the rows after the last one. */
async function* list<Row>(name: string, next: (last: Row | undefined) => Promise<Row[]>): AsyncGenerator<string> {
  yield `,"${name}":[`
  let last: Row | undefined
  for (;;) {
    const rows = await next(last)
    if (rows.length > 0) {
      yield `${last === undefined ? '' : ','}${rows.map((row) => JSON.stringify(row)).join(',')}`
    }
    if (rows.length < batchSize) break
    last = rows.at(-1)
  }
  yield ']'
}
