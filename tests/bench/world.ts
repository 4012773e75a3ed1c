import type { Client } from '../../src/schemas/client.ts'
import type { Conversation } from '../../src/schemas/conversation.ts'
import type { Message } from '../../src/schemas/message.ts'
import type { Order } from '../../src/schemas/order.ts'
import type { Page } from '../../src/schemas/page.ts'

/** A synthetic inbox of any size, the same in every run: what the pages are measured with. */
const start = Date.parse('2026-01-05T08:00:00.000Z')

/** How long a usual thread is; one page of it. */
export const messagesPerThread = 50

const pageNames = ['Casa Verde Manila', 'Tahanan Furniture', 'Isla Coffee', 'Lila Beauty']
export const pages: Page[] = pageNames.map((page_name, index) => ({
  page_id: `page-${index}`,
  page_name,
  is_active: true,
}))

const firstNames = ['Maria', 'Jose', 'Angel', 'Mark', 'Grace', 'Paolo', 'Liza', 'Ramon']
const lastNames = ['Santos', 'Reyes', 'Cruz', 'Bautista', 'Ocampo', 'Garcia', 'Mendoza']

/** The conversation at a place of the list; the first is the newest. */
export function conversationAt(index: number): Conversation {
  const page = pages[index % pages.length] ?? pages[0]
  const second = pages[(index + 1) % pages.length]
  const isMulti = index % 5 === 0 && page !== undefined && second !== undefined
  return {
    primary_user_id: `user-${index}`,
    fb_user_id: `user-${index}`,
    page_id: page?.page_id,
    page_ids: isMulti ? `${page.page_id}, ${second.page_id}` : page?.page_id,
    page_names: isMulti ? `${page.page_name}, ${second.page_name}` : page?.page_name,
    page_count: isMulti ? 2 : 1,
    platform: index % 3 === 0 ? 'instagram' : 'messenger',
    unified_name: `${firstNames[index % firstNames.length]} ${lastNames[index % lastNames.length]} ${index}.`,
    client_id: index % 4 === 0 ? `client-${index}` : null,
    unread_messages: index % 6 === 0 ? (index % 13) + 1 : 0,
    total_messages: 50,
    last_message_at: new Date(start - index * 60_000).toISOString(),
    last_message_text: `Magkano po ang delivery sa Quezon City? (${index})`,
    last_message_direction: index % 2 === 0 ? 'incoming' : 'outgoing',
    last_message_page_id: page?.page_id,
    last_message_page_name: page?.page_name,
    psid: `psid-${index}`,
  }
}

/** Who a conversation is linked to. */
export const clientOf = (id: string): Client => ({
  id,
  first_name: 'Maria',
  last_name: 'Santos',
  email: 'maria.santos@example.com',
  phone: '+63 917 000 0000',
  classification: 'regular',
  is_active: true,
})

/** The orders of a client, newest first. */
export const ordersOf = (clientId: string): Order[] =>
  Array.from({ length: 8 }, (_, index) => ({
    id: `order-${clientId}-${index}`,
    order_number: String(1_000 + index),
    client_id: clientId,
    status: index === 0 ? 'pending' : 'completed',
    total_amount: 1_250 + index,
    created_at: new Date(start - index * 86_400_000).toISOString(),
    payments: index === 0 ? [] : [{ amount: 1_250 + index, status: 'completed' }],
    items: [],
  }))

/** A part of a thread of so many messages, by their numbers: `from` is in it, `to` is not. */
export type Stretch = { count: number; from: number; to: number }

/** A part of the thread of a conversation, oldest first. Each text ends with `thread-<index>-<number>.`, which no list row does. */
export function messagesOf(index: number, { count, from, to }: Stretch, pictureUrl: string): Message[] {
  const conversation = conversationAt(index)
  return Array.from({ length: to - from }, (_, place) => {
    const number = from + place
    const at = new Date(start - index * 60_000 - (count - number) * 90_000).toISOString()
    const hasPicture = number % 12 === 5
    return {
      message_id: `message-${index}-${number}`,
      fb_user_id: conversation.fb_user_id,
      page_id: conversation.page_id ?? 'page-0',
      page_name: conversation.last_message_page_name,
      message_text: `Good morning po, is this still available? thread-${index}-${number}.`,
      direction: number % 3 === 0 ? 'outgoing' : 'incoming',
      is_read: true,
      created_at: at,
      timestamp_fb: at,
      attachments: hasPicture ? { data: [{ id: 'picture', image_data: { url: pictureUrl } }] } : null,
    }
  })
}

/** The row that realtime brings for event number `number`; its text ends with `event-<number>.`. */
export function eventMessage(number: number, conversationIndex: number, at: Date): Message {
  const { fb_user_id, page_id } = conversationAt(conversationIndex)
  return {
    message_id: `event-${number}`,
    id: String(1_000_000 + number),
    fb_user_id,
    page_id: page_id ?? 'page-0',
    message_text: `May stock pa po ba kayo nito? event-${number}.`,
    direction: 'incoming',
    is_read: false,
    created_at: at.toISOString(),
    timestamp_fb: at.toISOString(),
  }
}
