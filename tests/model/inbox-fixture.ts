import { Failure } from '../../src/domain/failure.ts'
import type { MessageChange, UserChange } from '../../src/domain/shell/changes.ts'
import type { Conversation } from '../../src/schemas/conversation.ts'
import type { ConversationState } from '../../src/schemas/conversation-state.ts'
import type { Message } from '../../src/schemas/message.ts'

/** The time this many minutes after noon. */
export const at = (minute: number): string => new Date(Date.UTC(2026, 0, 5, 12, minute)).toISOString()

/** A conversation `c1` with a single identity `u1` and its last message at this minute. */
export const row = (id: string, minute: number, more: Partial<Conversation> = {}): Conversation => ({
  primary_user_id: id,
  fb_user_id: id.replace('c', 'u'),
  page_id: 'p1',
  page_ids: 'p1',
  page_count: 1,
  unified_name: `Person ${id}`,
  unread_messages: 0,
  total_messages: 1,
  last_message_at: at(minute),
  last_message_text: `at ${minute}`,
  last_message_direction: 'incoming',
  last_message_page_id: 'p1',
  ...more,
})

/** A state with this version; nothing happened yet except for `more`. */
export const stateOf = (version: number, more: Partial<ConversationState> = {}): ConversationState => ({
  version,
  waiting_since: null,
  done_at: null,
  done_by: null,
  snoozed_at: null,
  snoozed_until: null,
  returned_at: null,
  assigned_to: null,
  muted_at: null,
  label_ids: [],
  ...more,
})

/** A message in the conversation `c1`, written at this minute. */
export const messageIn = (conversationId: string, minute: number, more: Partial<Message> = {}): Message => ({
  message_id: `m-${conversationId}-${minute}`,
  fb_user_id: conversationId.replace('c', 'u'),
  primary_user_id: conversationId,
  page_id: 'p1',
  message_text: `at ${minute}`,
  direction: 'incoming',
  is_read: false,
  created_at: at(minute),
  timestamp_fb: at(minute),
  ...more,
})

/** The realtime event of the insertion of this message. */
export const inserted = (conversationId: string, minute: number, more: Partial<Message> = {}): MessageChange => ({
  type: 'INSERT',
  record: messageIn(conversationId, minute, more),
  committedAt: at(minute),
})

export const updated = (conversationId: string, minute: number, more: Partial<Message> = {}): MessageChange => ({
  type: 'UPDATE',
  record: messageIn(conversationId, minute, more),
  committedAt: at(minute),
})

export const renamed = (userId: string, name: string): UserChange => ({
  type: 'UPDATE',
  row: { id: userId, name, profile_pic: `/${userId}.png`, client_id: 'k1' },
})

const call = { method: 'GET', path: '/facebook/any' }
export const faults = {
  noAnswer: new Failure({ ...call, kind: 'noAnswer' }),
  unavailable: new Failure({ ...call, kind: 'status', status: 503 }),
  tooMany: new Failure({ ...call, kind: 'status', status: 429, retryAfter: 7_000 }),
  badAnswer: new Failure({ ...call, kind: 'badAnswer', status: 200 }),
  refused: new Failure({ ...call, kind: 'status', status: 422, error: 'No such filter' }),
}
