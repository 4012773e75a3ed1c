import type { ColumnType, Generated, Insertable, Selectable } from 'kysely'
import type { AuditDetails } from '../../src/schemas/audit.ts'
import type { Author } from '../../src/schemas/author.ts'
import type { AutoSyncPage } from '../../src/schemas/auto-sync.ts'
import type { PaymentMethod } from '../../src/schemas/chat-order.ts'
import type { CsvImportState, CsvKind, CsvMapping, CsvOutcome, SavedCsvMapping } from '../../src/schemas/csv-import.ts'
import type { CustomerLanguage } from '../../src/schemas/customer-language.ts'
import type { ExportRequest } from '../../src/schemas/data-export.ts'
import type { Attachment, UnconfirmedReply, WrongAnswer } from '../../src/schemas/message.ts'
import type { MessageContent } from '../../src/schemas/message-content.ts'
import type { NotificationSettings } from '../../src/schemas/notification-settings.ts'
import type { QuotedMessage, Reaction } from '../../src/schemas/reactions-receipts-replies.ts'
import type { ShopKind, ShopPhase } from '../../src/schemas/shop.ts'
import type { ReplyStructure, StructuredContent } from '../../src/schemas/structured-message.ts'
import type { CommentTables } from './comment-tables.ts'
import type { Removal } from './removal.ts'

/** Written as a Date or ISO text, read as a Date. */
type Moment = ColumnType<Date, Date | string, Date | string>
type MomentWithDefault = ColumnType<Date, Date | string | undefined, Date | string>
type NullableMoment = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
/** Written as JSON text, because the drivers serialize arrays differently. */
type Json<T> = ColumnType<T, string, string>
/** The database has a default. */
type DefaultedJson<T> = ColumnType<T, string | undefined, string>
type NullableJson<T> = ColumnType<T | null, string | null | undefined, string | null>
/** Read as text: money is not a float. */
type Money = ColumnType<string, number | string, number | string>
type NullableMoney = ColumnType<string | null, number | string | null | undefined, number | string | null>
type Direction = 'incoming' | 'outgoing'

type AuthUsersTable = {
  id: Generated<string>
  email: string
  password_hash: string
  must_change_password: Generated<boolean>
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
  last_seen_at: NullableMoment
  created_at: MomentWithDefault
}

type StaffSessionsTable = {
  id: Generated<string>
  staff_id: string
  created_at: MomentWithDefault
  revoked_at: NullableMoment
  provider_session_id: string | null
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

type PasswordResetsTable = {
  user_id: string
  token_hash: string
  expires_at: Moment
}

type FacebookLoginsTable = {
  state_hash: string
  session_id: string
  verifier_encrypted: string
  redirect_uri: string
  expires_at: Moment
  used_at: NullableMoment
  pages_encrypted: string | null
}

type SecondFactorsTable = {
  staff_id: string
  secret_encrypted: string
  confirmed_at: NullableMoment
  last_step: number | null
  created_at: MomentWithDefault
}

type RecoveryCodesTable = {
  staff_id: string
  code_hash: string
  used_at: NullableMoment
}

type SecondFactorSessionsTable = {
  provider_session_id: string
  staff_id: string
  passed_at: Moment
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
  deletion_started_at: NullableMoment
  created_at: MomentWithDefault
  updated_at: MomentWithDefault
  /** Whether customers see that staff write, and that staff have read. */
  shows_typing: Generated<boolean>
  shows_seen: Generated<boolean>
  /** The fields of the webhook that the page was subscribed to last. */
  webhook_fields: string | null
}

type PagePaceTable = {
  page_id: string
  next_call_at: Moment
  paused_until: NullableMoment
  refusals: Generated<number>
}

type HistorySyncsTable = {
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

type AssignmentTurnsTable = {
  staff_id: string
  at: Moment
}

type DueAssignmentsTable = {
  id: Generated<number>
  primary_user_id: string
  staff_id: string | null
  attempts: Generated<number>
  retry_at: NullableMoment
}

type AwayAnswersTable = {
  fb_user_id: string
  message_id: string
  decided_at: Moment
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

/** Maintained by triggers. The row with page id '' counts the conversations of the whole inbox. */
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
  /** Generated by the database. */
  search_text: ColumnType<string, never, never>
  created_at: MomentWithDefault
  external_id: Generated<string | null>
  language: Generated<CustomerLanguage | null>
  /** The number in its one form, and the text and the country that it was read from. */
  phone_e164: Generated<string | null>
  phone_read: Generated<string | null>
  phone_country: Generated<string | null>
  /** What the client owes, in cents. Maintained by triggers. */
  outstanding: ColumnType<number, never, never>
  /** Counts the changes of the fields that staff edit. Maintained by a trigger. */
  version: ColumnType<number, never, never>
  /** Set while the client is deleted or merged and can be restored. */
  removed_at: NullableMoment
}

type ClientRemovalsTable = {
  client_id: string
  /** The client that it was merged into; null if it was deleted. */
  kept_id: string | null
  removed_at: Moment
  removed_by: string | null
  record: Json<Removal>
}

type ClientAliasesTable = {
  external_id: string
  client_id: string
}

type DismissedSuggestionsTable = {
  primary_user_id: string
  client_id: string
}

type OrdersTable = {
  id: Generated<string>
  external_id: Generated<string | null>
  order_number: string
  client_id: string
  status: string
  total_amount: Money
  items: ColumnType<unknown, string | undefined, string>
  created_at: MomentWithDefault
  /** Null for orders of another program. */
  discount: NullableMoney
  delivery_fee: NullableMoney
  source_message_id: string | null
  created_by: string | null
}

type PaymentsTable = {
  id: Generated<string>
  external_id: Generated<string | null>
  order_id: string
  amount: Money
  status: string
  created_at: MomentWithDefault
  /** Null for payments of another program. */
  method: PaymentMethod | null
  reference: string | null
  /** The reference in the form in which it is compared. */
  reference_key: string | null
  source_message_id: string | null
  recorded_by: string | null
  decided_by: string | null
  decided_at: NullableMoment
}

type ProductsTable = {
  id: Generated<string>
  external_id: string | null
  name: string
  price: number
  is_active: Generated<boolean>
}

/** Maintained by triggers, except `client_id`, which `linkClient` writes, and what `changeStates` decides. */
type ConversationsTable = {
  primary_user_id: string
  unified_name: string | null
  client_id: string | null
  /** Read by the previous release; this one reads `conversation_search`. */
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
  last_incoming_at: NullableMoment
  answered_at: NullableMoment
  waiting_since: NullableMoment
  done_at: NullableMoment
  done_by: string | null
  snoozed_at: NullableMoment
  snoozed_until: NullableMoment
  returned_at: NullableMoment
  assigned_to: string | null
  muted_at: NullableMoment
  settled_up_to: number | null
  settled_incoming_at: NullableMoment
  state_version: Generated<number>
  label_ids: Generated<string[]>
  /** What the client owes, in cents. */
  outstanding: Generated<number>
}

/** Maintained by triggers. */
type MessageSearchTable = {
  id: number
  at: Moment
  words: string
}

type MessageSearchProgressTable = {
  before: number
}

/** Maintained by triggers. */
type ConversationSearchTable = {
  primary_user_id: string
  search_text: string
}

type HistoryStartsTable = {
  fb_user_id: string
  is_reached: boolean
}

type DraftsTable = {
  staff_id: string
  primary_user_id: string
  text: string
  version: string
  updated_at: Moment
}

type BusinessSettingsTable = {
  name: string
  settings: Json<unknown>
  version: number
  updated_at: Moment
}

type NotificationSettingsTable = {
  staff_id: string
  settings: Json<NotificationSettings>
  version: number
  updated_at: Moment
}

/** Written by triggers. */
type ConversationEventsTable = {
  id: Generated<number>
  primary_user_id: string
  at: MomentWithDefault
  changed_by: string | null
  by_rule: Generated<boolean>
  waiting_since: NullableMoment
  done_at: NullableMoment
  done_by: string | null
  snoozed_at: NullableMoment
  snoozed_until: NullableMoment
  returned_at: NullableMoment
  assigned_to: string | null
  muted_at: NullableMoment
  label_ids: Generated<string[]>
  previous: Json<Record<string, unknown>>
}

/** Written by triggers. */
type WaitsTable = {
  first_id: number
  primary_user_id: string | null
  page_id: string
  began_at: Moment
  automatic_at: NullableMoment
  automatic_title: string | null
  ended: 'answered' | 'done' | 'removed' | null
  ended_at: NullableMoment
  ended_by: string | null
}

/** Written by triggers. */
type ResolutionsTable = {
  id: Generated<number>
  primary_user_id: string | null
  page_id: string | null
  opened_at: NullableMoment
  closed_at: Moment
  closed_by: string | null
  settled_up_to: number | null
  settled_incoming_at: NullableMoment
}

type CurrentMessageVolumesView = {
  quarter: Moment
  page_id: string
  writer: string
  messages: number
}

type MessageQuestionsTable = {
  message_id: string
  page_id: string
  asked_at: Moment
  form_hash: number
}

/** One row. */
type ReportProgressTable = {
  id: number
  conversations_after: string | null
  messages_after: number
  messages_until: number
  questions_after: number
}

type PresenceTable = {
  id: string
  staff_id: string
  primary_user_id: string
  is_typing: boolean
  seen_at: MomentWithDefault
}

type PushSubscriptionsTable = {
  id: Generated<string>
  staff_id: string
  session_id: string
  endpoint: string
  p256dh: string
  auth: string
  server_key: string
  created_at: MomentWithDefault
}

type VisibleTabsTable = {
  id: string
  staff_id: string
  seen_at: MomentWithDefault
}

type PushKind = 'message' | 'mention' | 'returned'

/** Written by triggers. */
type DuePushesTable = {
  id: Generated<number>
  primary_user_id: string
  kind: PushKind
  message_id: string | null
  written_by: string | null
  mentions: NullableJson<string[]>
  created_at: MomentWithDefault
}

type PushDeliveriesTable = {
  id: Generated<number>
  subscription_id: string
  primary_user_id: string
  event_id: number
  kind: PushKind
  message_id: string | null
  written_by: string | null
  attempts: Generated<number>
  due_at: Moment
}

type FbUsersTable = {
  id: Generated<string>
  page_id: string
  psid: string
  platform: Generated<'messenger' | 'instagram'>
  /** If omitted, the new identity starts a conversation. */
  primary_user_id: Generated<string>
  name: string | null
  first_name: string | null
  last_name: string | null
  profile_pic: string | null
  client_id: string | null
  created_at: MomentWithDefault
  /** Receipts, which only grow. */
  delivered_up_to: ColumnType<Date | null, never, never>
  read_up_to: ColumnType<Date | null, never, never>
  read_at: ColumnType<Date | null, never, never>
}

/** Maintained by triggers. */
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
  content: NullableJson<MessageContent>
  idempotency_key: string | null
  is_historical: Generated<boolean>
  /** Maintained by a trigger on `sends`. */
  unconfirmed_reply: ColumnType<UnconfirmedReply | null, never, never>
  /** Filled by a trigger from the record of the send. */
  author: ColumnType<Author | null, never, never>
  /** Maintained by a trigger on `faq_wrong_answers`. */
  wrong_answer: ColumnType<WrongAnswer | null, never, never>
  reactions: ColumnType<Reaction[] | null, never, never>
  /** A copy of the original, which triggers keep. */
  reply_to: ColumnType<QuotedMessage | null, never, never>
}

/** What concerns messages that are not stored yet. */
type EarlyEventsTable = {
  message_id: string
  kind: 'person' | 'page' | 'read'
  fb_user_id: string
  emoji: string | null
  at: Moment
}

type ShownTypingTable = {
  fb_user_id: string
  at: Moment
}

type SendsTable = {
  idempotency_key: string
  staff_id: string
  page_id: string
  /** Empty after the person was erased. */
  psid: string
  /** Null: removed. Such a message is never sent again. */
  message_text: string | null
  state: 'sending' | 'sent' | 'unknown' | 'failed' | 'discarded'
  message_id: string | null
  error: NullableJson<unknown>
  tries: Generated<number>
  /** The file that is sent instead of a text; null for a text. */
  file_id: string | null
  file_kind: 'image' | 'video' | 'audio' | 'file' | null
  /** The message that it replies to. */
  reply_to: string | null
  structured: NullableJson<StructuredContent>
  created_at: MomentWithDefault
  updated_at: MomentWithDefault
}

type WebhookInboxTable = {
  id: ColumnType<number, never, never>
  body: string
  /** Deliveries of a lane are stored in the order of their ids. */
  lane: Generated<number | null>
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

type StoredFilesTable = {
  id: ColumnType<number, never, never>
  message_id: string | null
  position: number
  source_hash: string
  storage_key: string
  state: ColumnType<'waiting' | 'stored' | 'refused' | 'failed', undefined, 'stored' | 'refused' | 'failed'>
  fault: ColumnType<string | null, undefined, string | null>
  content_type: ColumnType<string | null, undefined, string>
  bytes: ColumnType<number | null, undefined, number>
  sha256: ColumnType<string | null, undefined, string>
  attempts: Generated<number>
  due_at: Moment
  leased_until: NullableMoment
  created_at: Moment
  stored_at: NullableMoment
}

type OutgoingFilesTable = {
  id: string
  staff_id: string | null
  storage_key: string
  name: string | null
  /** The saved reply that it is a picture of. Then `staff_id` is null. */
  reply_id: ColumnType<string | null, undefined, string | null>
  reply_position: ColumnType<number | null, undefined, number | null>
  /** Null, as the next three, until the file is stored. */
  kind: ColumnType<'image' | 'video' | 'audio' | 'file' | null, undefined, 'image' | 'video' | 'audio' | 'file'>
  content_type: ColumnType<string | null, undefined, string>
  bytes: ColumnType<number | null, undefined, number>
  sha256: ColumnType<string | null, undefined, string>
  created_at: Moment
  expires_at: Moment
  leased_until: NullableMoment
  /** The file store's name of an upload in parts. */
  upload_id: ColumnType<string | null, string | null | undefined, string | null>
  declared_bytes: ColumnType<number | null, number | null | undefined, number | null>
}

type OutgoingFilePartsTable = { storage_key: string; number: number; etag: string }

type DeletedMessagesTable = {
  message_id: string
  deleted_at: MomentWithDefault
}

type EarlyEditsTable = {
  message_id: string
  page_id: string
  /** Null if the network named nobody. */
  psid: string | null
  message_text: string
  edited_at: Moment
  created_at: MomentWithDefault
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
  /** Null: all pages. Ids of removed pages stay. */
  page_ids: Generated<string[] | null>
}

/** The automatic answers that staff marked wrong. */
type FaqWrongAnswersTable = {
  message_id: string
  faq_id: string | null
  faq_title: string
  marked_by: string | null
  marked_at: Moment
  resolved_by: string | null
  resolved_at: NullableMoment
}

type LabelsTable = {
  id: Generated<string>
  name: string
  name_key: string
  colour: string
  keywords: string[]
  created_at: MomentWithDefault
  deleted_at: NullableMoment
}

type ClientLabelsTable = {
  client_id: string
  label_ids: string[]
  version: Generated<number>
}

type SavedFiltersTable = {
  staff_id: string
  id: string
  name: string
  name_key: string
  view: string
  page_id: string | null
  label_id: string | null
  assigned_to: string | null
  unread_only: boolean
  created_at: Date
}

type SavedFilterVersionsTable = {
  staff_id: string
  version: number
}

type SavedRepliesTable = {
  id: Generated<string>
  name: string
  name_key: string
  text: string
  page_ids: string[] | null
  structure: ColumnType<ReplyStructure | null, string | null | undefined, string | null>
  uses: Generated<number>
  created_by: string | null
  created_at: MomentWithDefault
  updated_by: string | null
  updated_at: MomentWithDefault
}

type SavedReplyUsesTable = {
  reply_id: string
  idempotency_key: string
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

/** The people of a page that was removed, for when it is connected again. */
type FormerIdentitiesTable = {
  /** As of an erased person. */
  person_hash: string
  page_id: string
  client_id: string | null
  conversation_id: string
  /** Ids of the other identities of the conversation. */
  members: string[]
}
type ErasedPeopleTable = {
  /** An HMAC of page id and psid. */
  person_hash: string
  erased_at: Moment
  completed_at: NullableMoment
}

type ErasedClientsTable = {
  /** An HMAC of the external id, the e-mail address or the phone number. */
  client_hash: string
  erased_at: Moment
}

type CsvImportsTable = {
  id: string
  kind: CsvKind
  file_name: string
  bytes: number
  state: Generated<CsvImportState>
  encoding: string | null
  separator: string | null
  columns: DefaultedJson<string[]>
  mapping: NullableJson<CsvMapping>
  rows: Generated<number>
  cursor: Generated<number>
  done: Generated<number>
  created: Generated<number>
  changed: Generated<number>
  unchanged: Generated<number>
  refused: Generated<number>
  waiting: Generated<number>
  retries_waiting: Generated<boolean>
  waiting_before: number | null
  error: string | null
  started_by: string | null
  /** An `AuditActor`. */
  actor: Json<{ staffId: string | null; name: string | null; address: string | null; userAgent: string | null }>
  created_at: Moment
  updated_at: Moment
  finished_at: NullableMoment
}

type CsvImportPartsTable = {
  import_id: string
  number: number
  data: Uint8Array
}

type CsvImportRowsTable = {
  import_id: string
  line: number
  cells: Json<string[]>
  external_id: string | null
  occurrence: Generated<number>
  outcome: CsvOutcome | null
  reason: string | null
}

type CsvMappingsTable = {
  kind: CsvKind
  mapping: Json<SavedCsvMapping>
}

/** A download of all rows of a kind, or of the rows of an import that were not stored. */
export type Download = ExportRequest | { refused_of: string }

type ExportTicketsTable = {
  ticket_hash: string
  session_id: string
  request: Json<Download>
  expires_at: Moment
}

/** Written by triggers. */
type ClientChangesTable = {
  id: ColumnType<number, never, never>
  client_ids: string[] | null
  created_at: MomentWithDefault
}

/** Read and written by `server/stored-keys.ts` alone. */
type StoredKeysTable = {
  purpose: string
  sealed_key: string
}

type ErasuresTable = {
  id: string
  kind: 'person' | 'page'
  state: Generated<'running' | 'completed'>
  subject: Json<unknown>
  requested_by: string
  due_at: Moment
  created_at: Moment
  completed_at: NullableMoment
}

/** Written by `recordAudit` alone; a trigger refuses changes. */
type ApiKeysTable = {
  id: Generated<string>
  name: string
  secret_hash: string
  ending: string
  scopes: Json<string[]>
  created_by: string
  created_at: Moment
  last_used_at: NullableMoment
  revoked_at: NullableMoment
}

type ShopsTable = {
  id: string
  kind: ShopKind
  address: string
  name: string
  credentials_encrypted: string
  connected_by: string | null
  connected_at: Moment
  key_refused_since: NullableMoment
  unreachable_since: NullableMoment
  run_id: string | null
  run_state: Generated<'idle' | 'queued' | 'running'>
  phase: Generated<ShopPhase>
  cursor: string | null
  changed_since: NullableMoment
  run_started_at: NullableMoment
  done: Generated<number>
  total: number | null
  error: string | null
  synced_until: NullableMoment
  updated_at: Moment
}

type ShopRowsTable = {
  shop_id: string
  kind: 'client' | 'order'
  external_id: string
  is_own_record: boolean
  version: Moment
  number: string
  reason: string | null
}

type ShopDeliveriesTable = {
  id: ColumnType<number, never, never>
  shop_id: string
  kind: ShopPhase
  body: string
  received_at: Moment
  due_at: Moment
  attempts: Generated<number>
  error: string | null
}

type AuditEntriesTable = {
  id: ColumnType<number, never, never>
  created_at: Moment
  staff_id: string | null
  staff_name: string | null
  action: string
  row_kind: string | null
  row_id: string | null
  address: string | null
  user_agent: string | null
  details: Json<AuditDetails>
}

type AttemptsTable = {
  key: string
  count: number
  expires_at: Moment
}

type KnownSourcesTable = {
  key: string
  expires_at: Moment
}

type AlarmsTable = {
  id: ColumnType<number, never, never>
  kind:
    | 'webhooks'
    | 'token'
    | 'parked'
    | 'queue'
    | 'disk'
    | 'endpoint-failing'
    | 'endpoint-off'
    | 'shop-key'
    | 'shop-unreachable'
  subject: string
  detail: Json<Record<string, string | number>>
  started_at: Moment
  seen_at: Moment
  ended_at: NullableMoment
  announced_at: NullableMoment
  end_announced_at: NullableMoment
  announce_due_at: Moment
  announce_attempts: Generated<number>
}

type WebhookHealthTable = {
  page_id: string
  missed_at: Moment
  delivered_at: NullableMoment
}

type WebhookEndpointsTable = {
  id: Generated<string>
  url: string
  description: string
  events: Json<string[]>
  secret_encrypted: string
  previous_encrypted: string | null
  previous_until: NullableMoment
  is_active: Generated<boolean>
  disabled_reason: 'failures' | 'gone' | null
  disabled_at: NullableMoment
  failing_since: NullableMoment
  created_by: string
  created_at: Moment
}

/** Written by triggers. */
type DueWebhookEventsTable = {
  id: ColumnType<number, never, never>
  type: 'order.changed' | 'message.received' | 'conversation.waiting'
  order_id: string | null
  message_id: string | null
  primary_user_id: string | null
  waiting_since: NullableMoment
  has_begun: Generated<boolean>
  created_at: MomentWithDefault
}

type WebhookEventsTable = {
  id: string
  type: string
  body: string
  order_id: string | null
  message_id: string | null
  fb_user_id: string | null
  created_at: Moment
}

type WebhookDeliveriesTable = {
  id: ColumnType<number, never, never>
  endpoint_id: string
  event_id: string
  state: Generated<'waiting' | 'delivered' | 'failed'>
  attempts: Generated<number>
  tries: Generated<number>
  due_at: Moment
  is_running: Generated<boolean>
  last_attempt_at: NullableMoment
  status: number | null
  error: string | null
  created_at: Moment
}

type RestoresTable = {
  restored_at: MomentWithDefault
}

export type Tables = {
  auth_users: AuthUsersTable
  auth_sessions: AuthSessionsTable
  staff: StaffTable
  staff_sessions: StaffSessionsTable
  refresh_tokens: RefreshTokensTable
  password_resets: PasswordResetsTable
  facebook_logins: FacebookLoginsTable
  second_factors: SecondFactorsTable
  recovery_codes: RecoveryCodesTable
  second_factor_sessions: SecondFactorSessionsTable
  pages: PagesTable
  page_pace: PagePaceTable
  history_syncs: HistorySyncsTable
  auto_sync: AutoSyncTable
  auto_sync_runs: AutoSyncRunsTable
  current_page_totals: CurrentPageTotalsView
  clients: ClientsTable
  client_removals: ClientRemovalsTable
  client_aliases: ClientAliasesTable
  dismissed_suggestions: DismissedSuggestionsTable
  orders: OrdersTable
  payments: PaymentsTable
  products: ProductsTable
  conversations: ConversationsTable
  conversation_search: ConversationSearchTable
  conversation_events: ConversationEventsTable
  waits: WaitsTable
  resolutions: ResolutionsTable
  current_message_volumes: CurrentMessageVolumesView
  message_questions: MessageQuestionsTable
  report_progress: ReportProgressTable
  drafts: DraftsTable
  business_settings: BusinessSettingsTable
  notification_settings: NotificationSettingsTable
  history_starts: HistoryStartsTable
  presence: PresenceTable
  fb_users: FbUsersTable
  conversation_pages: ConversationPagesTable
  messages: MessagesTable
  early_events: EarlyEventsTable
  shown_typing: ShownTypingTable
  message_search: MessageSearchTable
  message_search_progress: MessageSearchProgressTable
  sends: SendsTable
  webhook_inbox: WebhookInboxTable
  profile_lookups: ProfileLookupsTable
  stored_files: StoredFilesTable
  outgoing_files: OutgoingFilesTable
  outgoing_file_parts: OutgoingFilePartsTable
  deleted_messages: DeletedMessagesTable
  early_edits: EarlyEditsTable
  realtime_outbox: RealtimeOutboxTable
  faq_categories: FaqCategoriesTable
  faq_entries: FaqEntriesTable
  faq_wrong_answers: FaqWrongAnswersTable
  saved_filters: SavedFiltersTable
  saved_filter_versions: SavedFilterVersionsTable
  saved_replies: SavedRepliesTable
  saved_reply_uses: SavedReplyUsesTable
  auto_replies: AutoRepliesTable
  away_answers: AwayAnswersTable
  assignment_turns: AssignmentTurnsTable
  due_assignments: DueAssignmentsTable
  push_subscriptions: PushSubscriptionsTable
  visible_tabs: VisibleTabsTable
  due_pushes: DuePushesTable
  push_deliveries: PushDeliveriesTable
  labels: LabelsTable
  client_labels: ClientLabelsTable
  erased_people: ErasedPeopleTable
  former_identities: FormerIdentitiesTable
  erased_clients: ErasedClientsTable
  erasures: ErasuresTable
  csv_imports: CsvImportsTable
  csv_import_parts: CsvImportPartsTable
  csv_import_rows: CsvImportRowsTable
  csv_mappings: CsvMappingsTable
  export_tickets: ExportTicketsTable
  client_changes: ClientChangesTable
  stored_keys: StoredKeysTable
  audit_entries: AuditEntriesTable
  api_keys: ApiKeysTable
  shops: ShopsTable
  shop_rows: ShopRowsTable
  shop_deliveries: ShopDeliveriesTable
  attempts: AttemptsTable
  known_sources: KnownSourcesTable
  restores: RestoresTable
  alarms: AlarmsTable
  webhook_health: WebhookHealthTable
  webhook_endpoints: WebhookEndpointsTable
  due_webhook_events: DueWebhookEventsTable
  webhook_events: WebhookEventsTable
  webhook_deliveries: WebhookDeliveriesTable
} & CommentTables

/** A row as a query returns it. */
export type Row<Table extends keyof Tables> = Selectable<Tables[Table]>
export type NewMessage = Insertable<MessagesTable>
