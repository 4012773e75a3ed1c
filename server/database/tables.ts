import type { ColumnType, Generated, Insertable, Selectable } from 'kysely'
import type { AutoSyncPage } from '../../src/schemas/auto-sync.ts'
import type { Attachment, UnconfirmedReply } from '../../src/schemas/message.ts'

/** Written as a Date or ISO text, read as a Date. */
type Moment = ColumnType<Date, Date | string, Date | string>
type MomentWithDefault = ColumnType<Date, Date | string | undefined, Date | string>
type NullableMoment = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
/** Written as JSON text, because the drivers disagree on how an array becomes JSON. */
type Json<T> = ColumnType<T, string, string>
type NullableJson<T> = ColumnType<T | null, string | null | undefined, string | null>
/** Read as text: money is not a float. */
type Money = ColumnType<string, number | string, number | string>
type Direction = 'incoming' | 'outgoing'

type AuthUsersTable = {
  id: Generated<string>
  email: string
  password_hash: string
  email_confirmed_at: NullableMoment
  created_at: MomentWithDefault
}

type AuthSessionsTable = {
  id: Generated<string>
  user_id: string
  created_at: MomentWithDefault
  revoked_at: NullableMoment
}

type StaffTable = {
  id: Generated<string>
  email: string
  name: string | null
  role: string
  permissions: ColumnType<string[], string[] | undefined, string[]>
  is_active: Generated<boolean>
  supabase_id: string | null
  legacy_password_hash: string | null
  needs_migration: Generated<boolean>
  created_at: MomentWithDefault
}

type StaffSessionsTable = {
  id: Generated<string>
  staff_id: string
  created_at: MomentWithDefault
  revoked_at: NullableMoment
}

type RefreshTokensTable = {
  token_hash: string
  issuer: 'provider' | 'product'
  session_id: string
  created_at: MomentWithDefault
  expires_at: Moment
  used_at: NullableMoment
  parent_hash: string | null
  is_superseded: Generated<boolean>
}

type PagesTable = {
  page_id: string
  page_name: string
  page_access_token_encrypted: string
  instagram_id: string | null
  is_active: Generated<boolean>
  page_username: string | null
  page_category: string | null
  page_profile_pic_url: string | null
  token_invalid_since: NullableMoment
  created_at: MomentWithDefault
  updated_at: MomentWithDefault
}

type PagePaceTable = {
  page_id: string
  next_call_at: Moment
  paused_until: NullableMoment
  refusals: Generated<number>
}

export type HistorySyncsTable = {
  id: Generated<string>
  page_id: string
  platform: 'messenger' | 'instagram'
  conversation_limit: number
  state: Generated<'queued' | 'running' | 'completed' | 'failed' | 'cancelled'>
  conversations_done: Generated<number>
  messages_stored: Generated<number>
  unreadable: Generated<number>
  cursor: string | null
  error: string | null
  code: string | null
  started_by: string | null
  created_at: MomentWithDefault
  finished_at: NullableMoment
}

/** One row. */
type AutoSyncTable = {
  id: number
  interval_minutes: Generated<number>
  hours_back: Generated<number>
  enabled: Generated<boolean>
  last_updated_by: string | null
  last_updated_at: NullableMoment
}

type AutoSyncRunsTable = {
  id: string
  state: 'running' | 'completed' | 'stopped' | 'failed'
  trigger: 'schedule' | 'forced'
  started_by: string | null
  started_at: Moment
  finished_at: NullableMoment
  messages: Generated<number>
  pages: ColumnType<AutoSyncPage[], string | undefined, string>
}

/** Kept by triggers; the row under the page id '' counts the whole inbox's conversations. */
type CurrentPageTotalsView = {
  page_id: string
  conversations: number
  users: number
  linked_users: number
  total_messages: number
  incoming_messages: number
  unread_messages: number
}

type ClientsTable = {
  id: Generated<string>
  first_name: string
  last_name: string
  company_name: string | null
  email: string | null
  phone: string | null
  classification: Generated<string>
  is_active: Generated<boolean>
  /** Made by the database. */
  search_text: ColumnType<string, never, never>
  created_at: MomentWithDefault
}

type OrdersTable = {
  id: Generated<string>
  order_number: string
  client_id: string
  status: string
  total_amount: Money
  items: ColumnType<unknown, string | undefined, string>
  created_at: MomentWithDefault
}

type PaymentsTable = {
  id: Generated<string>
  order_id: string
  amount: Money
  status: string
  created_at: MomentWithDefault
}

/** Made and kept by triggers; only `client_id` is written by hand, in `linkClient`. */
type ConversationsTable = {
  primary_user_id: string
  unified_name: string | null
  client_id: string | null
  search_text: Generated<string>
  page_ids: Generated<string[]>
  last_message_id: string | null
  last_message_at: NullableMoment
  last_message_text: string | null
  last_message_direction: Direction | null
  last_message_page_id: string | null
  unread_messages: Generated<number>
  total_messages: Generated<number>
  incoming_messages: Generated<number>
  created_at: MomentWithDefault
}

type FbUsersTable = {
  id: Generated<string>
  page_id: string
  psid: string
  platform: Generated<'messenger' | 'instagram'>
  /** Left out, a new identity is a conversation of its own. */
  primary_user_id: Generated<string>
  name: string | null
  first_name: string | null
  last_name: string | null
  profile_pic: string | null
  client_id: string | null
  created_at: MomentWithDefault
}

/** Made and kept by triggers. */
type ConversationPagesTable = {
  primary_user_id: string
  page_id: string
  fb_user_id: string
  last_message_id: string | null
  last_message_at: NullableMoment
  last_message_text: string | null
  last_message_direction: Direction | null
  last_incoming_at: NullableMoment
  unread_messages: Generated<number>
  total_messages: Generated<number>
  incoming_messages: Generated<number>
}

type MessagesTable = {
  message_id: string
  id: ColumnType<number, never, never>
  /** Filled by a trigger from the identity. */
  primary_user_id: Generated<string>
  fb_user_id: string
  /** Filled by a trigger from the identity. */
  page_id: Generated<string>
  message_text: string | null
  direction: Direction
  is_read: Generated<boolean>
  created_at: MomentWithDefault
  timestamp_fb: MomentWithDefault
  attachments: NullableJson<{ data: Attachment[] }>
  idempotency_key: string | null
  is_historical: Generated<boolean>
  /** Kept by a trigger from `sends`. */
  unconfirmed_reply: ColumnType<UnconfirmedReply | null, never, never>
}

export type SendsTable = {
  idempotency_key: string
  staff_id: string
  page_id: string
  psid: string
  message_text: string
  state: 'sending' | 'sent' | 'unknown' | 'failed' | 'discarded'
  message_id: string | null
  error: NullableJson<unknown>
  tries: Generated<number>
  created_at: MomentWithDefault
  updated_at: MomentWithDefault
}

type WebhookInboxTable = {
  id: ColumnType<number, never, never>
  body: string
  received_at: MomentWithDefault
  processed_at: NullableMoment
  due_at: MomentWithDefault
  attempts: Generated<number>
  error: string | null
}

type ProfileLookupsTable = {
  fb_user_id: string
  due_at: Moment
  failures: Generated<number>
  created_at: Moment
}

type DeletedMessagesTable = {
  message_id: string
  deleted_at: MomentWithDefault
}

type FaqCategoriesTable = {
  id: Generated<string>
  name: string
  position: Generated<number>
}

type FaqEntriesTable = {
  id: Generated<string>
  title: string
  category_id: string | null
  keywords: string[]
  response: string
  is_active: Generated<boolean>
  priority: Generated<number>
  created_by: string | null
  created_at: MomentWithDefault
  updated_at: MomentWithDefault
}

type AutoRepliesTable = {
  message_id: string
  fb_user_id: string
  state: Generated<'due' | 'sending' | 'sent' | 'none' | 'failed'>
  faq_id: string | null
  reply: string | null
  attempts: Generated<number>
  due_at: MomentWithDefault
  decided_at: NullableMoment
  created_at: MomentWithDefault
}

type RealtimeOutboxTable = {
  id: ColumnType<number, never, never>
  change: Json<unknown>
  created_at: MomentWithDefault
}

export type Tables = {
  auth_users: AuthUsersTable
  auth_sessions: AuthSessionsTable
  staff: StaffTable
  staff_sessions: StaffSessionsTable
  refresh_tokens: RefreshTokensTable
  pages: PagesTable
  page_pace: PagePaceTable
  history_syncs: HistorySyncsTable
  auto_sync: AutoSyncTable
  auto_sync_runs: AutoSyncRunsTable
  current_page_totals: CurrentPageTotalsView
  clients: ClientsTable
  orders: OrdersTable
  payments: PaymentsTable
  conversations: ConversationsTable
  fb_users: FbUsersTable
  conversation_pages: ConversationPagesTable
  messages: MessagesTable
  sends: SendsTable
  webhook_inbox: WebhookInboxTable
  profile_lookups: ProfileLookupsTable
  deleted_messages: DeletedMessagesTable
  realtime_outbox: RealtimeOutboxTable
  faq_categories: FaqCategoriesTable
  faq_entries: FaqEntriesTable
  auto_replies: AutoRepliesTable
}

export type MessageRow = Selectable<MessagesTable>
export type NewMessage = Insertable<MessagesTable>
