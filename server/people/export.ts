import type { Db } from '../database/database.ts'
import { eachDeliveryOf, splitDelivery } from './deliveries.ts'

/** Rows of one query. */
const batchSize = 500

/**
 * Everything the server knows of a person, as the text of one JSON document in parts: identities, client with orders and
 * payments, messages, files that the person sent (without their content), sends, drafts of staff, automatic replies and stored webhook events. Empty if the conversation is unknown. Reads a
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
  const head = {
    format: 'staff-inbox-person',
    version: 1,
    exported_at: exportedAt,
    conversation: primaryUserId,
    identities,
    pages: pages.map(({ page_id, page_name }) => ({ page_id, page_name })),
    ...(await clientOf(db, primaryUserId)),
  }
  yield JSON.stringify(head).slice(0, -1)

  yield* list('messages', (last: { message_id: string } | undefined) => {
    let messages = db.selectFrom('messages').selectAll().where('primary_user_id', '=', primaryUserId)
    if (last !== undefined) messages = messages.where('message_id', '>', last.message_id)
    return messages.orderBy('message_id').limit(batchSize).execute()
  })
  yield* list('files', (last: { id: number } | undefined) => {
    let files = db
      .selectFrom('stored_files')
      .innerJoin('messages', 'messages.message_id', 'stored_files.message_id')
      .selectAll('stored_files')
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
  yield* list('drafts', (last: { staff_id: string } | undefined) => {
    let drafts = db.selectFrom('drafts').selectAll().where('primary_user_id', '=', primaryUserId)
    if (last !== undefined) drafts = drafts.where('staff_id', '>', last.staff_id)
    return drafts.orderBy('staff_id').limit(batchSize).execute()
  })
  yield* list('automatic_replies', (last: { message_id: string } | undefined) => {
    let replies = db
      .selectFrom('auto_replies')
      .selectAll()
      .where(
        'fb_user_id',
        'in',
        identities.map(({ id }) => id),
      )
    if (last !== undefined) replies = replies.where('message_id', '>', last.message_id)
    return replies.orderBy('message_id').limit(batchSize).execute()
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

async function clientOf(db: Db, primaryUserId: string) {
  const client = await db
    .selectFrom('conversations')
    .innerJoin('clients', 'clients.id', 'conversations.client_id')
    .selectAll('clients')
    .where('primary_user_id', '=', primaryUserId)
    .executeTakeFirst()
  if (client === undefined) return { client: null, orders: [], payments: [] }
  const { search_text: _, ...known } = client
  const orders = await db.selectFrom('orders').selectAll().where('client_id', '=', client.id).orderBy('id').execute()
  const payments = await db
    .selectFrom('payments')
    .innerJoin('orders', 'orders.id', 'payments.order_id')
    .selectAll('payments')
    .where('client_id', '=', client.id)
    .orderBy('payments.id')
    .execute()
  return { client: known, orders, payments }
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
