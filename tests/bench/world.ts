import type { Client } from '../../src/schemas/client.ts'
import type { Conversation } from '../../src/schemas/conversation.ts'
import type { Message } from '../../src/schemas/message.ts'
import type { Order } from '../../src/schemas/order.ts'
import type { Page } from '../../src/schemas/page.ts'

/** The data is the same in every run. */
const start = Date.parse('2026-01-05T08:00:00.000Z')

/** One result page. */
export const messagesPerThread = 50

const pageNames = ['Casa Verde Manila', 'Tahanan Furniture', 'Isla Coffee', 'Lila Beauty']
export const pages: Page[] = pageNames.map((page_name, index) => ({
  page_id: `page-${index}`,
  page_name,
  is_active: true,
}))

const firstNames = ['Maria', 'Jose', 'Angel', 'Mark', 'Grace', 'Paolo', 'Liza', 'Ramon']
const lastNames = ['Santos', 'Reyes', 'Cruz', 'Bautista', 'Ocampo', 'Garcia', 'Mendoza']

/** The conversation at a position of the list; index 0 is the newest. */
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

/** The client of a conversation. */
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

/** The messages `from` (inclusive) to `to` (exclusive) of a thread of `count`. */
export type MessageRange = { count: number; from: number; to: number }

/** Messages of a thread, oldest first. Each text ends with `thread-<index>-<number>.`, unlike the previews of the list. */
export function messagesOf(index: number, { count, from, to }: MessageRange, pictureUrl: string): Message[] {
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

/** The realtime row of event `number`; its text ends with `event-<number>.`. */
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
