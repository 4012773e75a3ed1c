import type { Conversation } from '../../src/schemas/conversation.ts'
import type { Message } from '../../src/schemas/message.ts'

const start = Date.parse('2026-03-01T09:00:00.000Z')

/** The time `seconds` after the start time of the tests. */
export const at = (seconds: number): string => new Date(start + seconds * 1000).toISOString()

/** An incoming message of the conversation `ana` on the page `p1`. */
export const messageOf = (message_id: string, seconds: number, rest: Partial<Message> = {}): Message => ({
  message_id,
  id: null,
  fb_user_id: 'ana-p1',
  primary_user_id: 'ana',
  page_id: 'p1',
  page_name: null,
  message_text: `text of ${message_id}`,
  direction: 'incoming',
  is_read: false,
  created_at: at(seconds),
  timestamp_fb: at(seconds),
  attachments: null,
  idempotency_key: null,
  ...rest,
})

/** Ana, who wrote to the pages `p1` and `p2`; her own psid is the one on `p1`. */
export const conversationOf = (rest: Partial<Conversation> = {}): Conversation => ({
  primary_user_id: 'ana',
  fb_user_id: 'ana-p1',
  page_id: 'p1',
  page_ids: 'p1, p2',
  page_names: 'Bakery, Flowers',
  page_count: 2,
  unified_name: 'Ana Cruz',
  unread_messages: 0,
  total_messages: 0,
  psid: 'psid-ana-p1',
  ...rest,
})
