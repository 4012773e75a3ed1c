import type { ColumnType, Generated } from 'kysely'
import type { DraftExtras } from '../../../src/schemas/draft.ts'
import type { Direction, Json, Moment, MomentWithDefault, NullableJson, NullableMoment } from './columns.ts'

export type ConversationsTables = {
  fb_users: {
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
    /** For realtime. `history_starts` has what a sync found. */
    history_synced: Generated<boolean>
  }
  /** Maintained by triggers, except `client_id`, which `linkClient` writes, and what `changeStates` decides. */
  conversations: {
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
  conversation_pages: {
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
  /** Maintained by triggers. */
  conversation_search: {
    primary_user_id: string
    search_text: string
  }
  /** Written by triggers. */
  conversation_events: {
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
  presence: {
    id: string
    staff_id: string
    primary_user_id: string
    is_typing: boolean
    seen_at: MomentWithDefault
  }
  saved_filters: {
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
  saved_filter_versions: {
    staff_id: string
    version: number
  }
  assignment_turns: {
    staff_id: string
    at: Moment
  }
  due_assignments: {
    id: Generated<number>
    primary_user_id: string
    staff_id: string | null
    attempts: Generated<number>
    retry_at: NullableMoment
  }
  drafts: {
    staff_id: string
    primary_user_id: string
    text: string
    extras: NullableJson<DraftExtras>
    version: string
    updated_at: Moment
  }
  realtime_transport: {
    is_only: Generated<boolean>
    id: Generated<string>
    notifies: Generated<boolean>
    notifies_since: MomentWithDefault
    notify_needed_at: MomentWithDefault
    queues: Generated<boolean>
    queues_since: MomentWithDefault
    queue_needed_at: MomentWithDefault
  }
  realtime_queue: {
    id: ColumnType<number, never, never>
    payload: string
    is_kept: boolean
    created_at: MomentWithDefault
  }
  realtime_outbox: {
    id: ColumnType<number, never, never>
    change: Json<unknown>
    created_at: MomentWithDefault
  }
}
