import type { ColumnType, Generated } from 'kysely'
import type { AutoSyncPage } from '../../../src/schemas/auto-sync.ts'
import type { Moment, MomentWithDefault, NullableMoment } from './columns.ts'

export type PagesTables = {
  pages: {
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
  page_pace: {
    page_id: string
    next_call_at: Moment
    paused_until: NullableMoment
    refusals: Generated<number>
  }
  facebook_logins: {
    state_hash: string
    session_id: string
    verifier_encrypted: string
    redirect_uri: string
    expires_at: Moment
    used_at: NullableMoment
    pages_encrypted: string | null
  }
  history_syncs: {
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
  history_starts: {
    fb_user_id: string
    is_reached: boolean
  }
  /** One row. */
  auto_sync: {
    id: number
    interval_minutes: Generated<number>
    hours_back: Generated<number>
    enabled: Generated<boolean>
    last_updated_by: string | null
    last_updated_at: NullableMoment
  }
  auto_sync_runs: {
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
  current_page_totals: {
    page_id: string
    conversations: number
    users: number
    linked_users: number
    total_messages: number
    incoming_messages: number
    unread_messages: number
  }
}
