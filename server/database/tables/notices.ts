import type { ColumnType, Generated } from 'kysely'
import type { NotificationSettings } from '../../../src/schemas/notification-settings.ts'
import type { Json, Moment, MomentWithDefault, NullableJson, NullableMoment } from './columns.ts'

/** What a row of `due_pushes` is about. */
type PushKind = 'message' | 'mention' | 'returned'

export type NoticesTables = {
  notification_settings: {
    staff_id: string
    settings: Json<NotificationSettings>
    version: number
    updated_at: Moment
  }
  push_subscriptions: {
    id: Generated<string>
    staff_id: string
    session_id: string
    endpoint: string
    p256dh: string
    auth: string
    server_key: string
    comments_from: NullableMoment
    created_at: MomentWithDefault
  }
  visible_tabs: {
    id: string
    staff_id: string
    seen_at: MomentWithDefault
  }
  /** Written by triggers. */
  due_pushes: {
    id: Generated<number>
    primary_user_id: string
    kind: PushKind
    message_id: string | null
    written_by: string | null
    mentions: NullableJson<string[]>
    created_at: MomentWithDefault
  }
  /** Written by a trigger. */
  due_comment_pushes: {
    id: Generated<number>
    thread_id: string
    created_at: MomentWithDefault
  }
  push_deliveries: {
    id: Generated<number>
    subscription_id: string
    /** Null if the delivery is about comments. */
    primary_user_id: string | null
    event_id: number
    kind: PushKind | 'comments'
    message_id: string | null
    written_by: string | null
    comments_since: NullableMoment
    attempts: Generated<number>
    due_at: Moment
  }
  alarms: {
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
  webhook_health: {
    page_id: string
    missed_at: Moment
    delivered_at: NullableMoment
  }
}
