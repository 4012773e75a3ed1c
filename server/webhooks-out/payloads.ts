import { sql } from 'kysely'
import { balanceOf, paidOf, paymentStatusOf } from '../../src/domain/client/orders.ts'
import { limits } from '../../src/domain/limits.ts'
import type { WebhookEvent } from '../../src/schemas/webhook.ts'
import { unitsOf } from '../database/chat-orders.ts'
import type { Db } from '../database/database.ts'
import type { Row } from '../database/tables.ts'

/** What receivers get: docs/webhooks.md. A change that could break a receiver raises the version. */
export const payloadVersion = 1

/** The data of an event, and what it is deleted with. */
export type Told = {
  type: WebhookEvent
  createdAt: Date
  data: object
  order_id?: string
  message_id?: string
  fb_user_id?: string
}

type Due = Row<'due_webhook_events'>

/**
 * The events of due rows, in their order. The rows of one order are one event, with the order as it is now. A row whose
 * message, conversation or order is gone is none.
 */
export async function tellEvents(
  db: Db,
  due: readonly Due[],
  { currency, now }: { currency: string; now: number },
): Promise<Told[]> {
  const lastOfOrder = new Map(due.map(({ id, order_id }) => [order_id, id]))
  const wanted = due.filter(({ id, order_id }) => order_id === null || lastOfOrder.get(order_id) === id)
  const idsOf = (column: 'order_id' | 'message_id' | 'primary_user_id') => wanted.flatMap((row) => row[column] ?? [])
  const orders = await readOrders(db, idsOf('order_id'), currency)
  const messages = await readMessages(db, idsOf('message_id'))
  const conversations = await readConversations(db, idsOf('primary_user_id'))
  return wanted.flatMap((row): Told[] => {
    const { type, created_at: createdAt } = row
    if (row.order_id !== null) {
      const data = orders.get(row.order_id)
      return data === undefined ? [] : [{ type, createdAt, data, order_id: row.order_id }]
    }
    if (row.message_id !== null) {
      const data = messages.get(row.message_id)
      return data === undefined ? [] : [{ type, createdAt, data, message_id: row.message_id }]
    }
    const found = conversations.get(row.primary_user_id ?? '')
    if (found === undefined) return []
    // Messages of synced history begin no wait, as they begin no assignment.
    const isHistory = row.has_begun && now - found.lastIncomingAt.getTime() >= limits.replyWindows.standard
    if (isHistory) return []
    const conversation = { ...found.data.conversation, waiting_since: row.waiting_since?.toISOString() ?? null }
    return [{ type, createdAt, data: { ...found.data, conversation }, fb_user_id: found.data.person.id }]
  })
}

async function readOrders(db: Db, ids: readonly string[], currency: string): Promise<Map<string, object>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('orders')
    .innerJoin('clients', 'clients.id', 'orders.client_id')
    .selectAll('orders')
    .select(['clients.external_id as client_external_id', 'first_name', 'last_name'])
    .where('orders.id', 'in', ids)
    .execute()
  const payments = await db
    .selectFrom('payments')
    .select(['id', 'order_id', 'external_id', 'amount', 'status', 'method', 'reference', 'created_at'])
    .where('order_id', 'in', ids)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const paymentsOf = Map.groupBy(payments, ({ order_id }) => order_id)
  return new Map(
    rows.map((row) => {
      const own = paymentsOf.get(row.id) ?? []
      const amounts = {
        status: row.status,
        total_amount: Number(row.total_amount),
        payments: own.map(({ amount, status }) => ({ amount: Number(amount), status })),
      }
      const order = {
        id: row.id,
        external_id: row.external_id,
        order_number: row.order_number,
        status: row.status,
        currency,
        total_amount: row.total_amount,
        paid_amount: unitsOf(paidOf(amounts)),
        balance: unitsOf(balanceOf(amounts)),
        payment_status: paymentStatusOf(amounts),
        items: row.items,
        payments: own.map(({ order_id: _, created_at, ...payment }) => ({
          ...payment,
          created_at: created_at.toISOString(),
        })),
        created_at: row.created_at.toISOString(),
      }
      return [row.id, { order, client: clientOf(row) }]
    }),
  )
}

async function readMessages(db: Db, ids: readonly string[]): Promise<Map<string, object>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('messages as m')
    .innerJoin('conversations as c', 'c.primary_user_id', 'm.primary_user_id')
    .innerJoin('fb_users as u', 'u.id', 'm.fb_user_id')
    .innerJoin('pages as p', 'p.page_id', 'u.page_id')
    .leftJoin('clients', 'clients.id', 'c.client_id')
    .select(['m.message_id', 'message_text', 'attachments', 'timestamp_fb', 'c.primary_user_id', 'assigned_to'])
    .select(['u.id as person_id', 'u.name as person_name', 'c.unified_name', 'platform', 'p.page_id', 'page_name'])
    .select(['c.client_id', 'clients.external_id as client_external_id', 'clients.first_name', 'clients.last_name'])
    .where('m.message_id', 'in', ids)
    .execute()
  return new Map(
    rows.map((row) => {
      const message = {
        id: row.message_id,
        text: row.message_text,
        attachments: (row.attachments?.data ?? []).map((attachment) => ({ type: attachmentType(attachment) })),
        sent_at: row.timestamp_fb.toISOString(),
      }
      return [row.message_id, { message, ...partiesOf(row) }]
    }),
  )
}

async function readConversations(db: Db, ids: readonly string[]) {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('conversations as c')
    .innerJoin('conversation_pages as cp', (join) =>
      join.onRef('cp.primary_user_id', '=', 'c.primary_user_id').on(sql<boolean>`cp.page_id = c.last_message_page_id`),
    )
    .innerJoin('fb_users as u', 'u.id', 'cp.fb_user_id')
    .innerJoin('pages as p', 'p.page_id', 'u.page_id')
    .leftJoin('clients', 'clients.id', 'c.client_id')
    .select(['c.primary_user_id', 'c.last_incoming_at', 'assigned_to'])
    .select(['u.id as person_id', 'u.name as person_name', 'c.unified_name', 'platform', 'p.page_id', 'page_name'])
    .select(['c.client_id', 'clients.external_id as client_external_id', 'clients.first_name', 'clients.last_name'])
    .where('c.primary_user_id', 'in', ids)
    .execute()
  return new Map(
    rows.map((row) => [
      row.primary_user_id,
      { lastIncomingAt: row.last_incoming_at ?? new Date(0), data: partiesOf(row) },
    ]),
  )
}

type Parties = ClientRow & {
  primary_user_id: string
  assigned_to: string | null
  person_id: string
  person_name: string | null
  unified_name: string | null
  platform: string
  page_id: string
  page_name: string | null
}

const partiesOf = (row: Parties) => ({
  conversation: { id: row.primary_user_id, assigned_to: row.assigned_to },
  person: { id: row.person_id, name: row.person_name ?? row.unified_name, platform: row.platform },
  page: { id: row.page_id, name: row.page_name },
  client: clientOf(row),
})

type ClientRow = {
  client_id: string | null
  client_external_id: string | null
  first_name: string | null
  last_name: string | null
}

const clientOf = ({ client_id, client_external_id, first_name, last_name }: ClientRow) =>
  client_id === null
    ? null
    : { id: client_id, external_id: client_external_id, name: `${first_name ?? ''} ${last_name ?? ''}`.trim() }

type Attachment = NonNullable<Row<'messages'>['attachments']>['data'][number]

const attachmentType = ({ image_data, video_data, audio_data }: Attachment): 'image' | 'video' | 'audio' | 'file' =>
  image_data ? 'image' : video_data ? 'video' : audio_data ? 'audio' : 'file'
