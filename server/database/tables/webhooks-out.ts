import type { ColumnType, Generated } from 'kysely'
import type { Json, Moment, MomentWithDefault, NullableMoment } from './columns.ts'

export type WebhooksOutTables = {
  webhook_endpoints: {
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
  due_webhook_events: {
    id: ColumnType<number, never, never>
    type: 'order.changed' | 'message.received' | 'conversation.waiting'
    order_id: string | null
    message_id: string | null
    primary_user_id: string | null
    waiting_since: NullableMoment
    has_begun: Generated<boolean>
    created_at: MomentWithDefault
  }
  webhook_events: {
    id: string
    type: string
    body: string
    order_id: string | null
    message_id: string | null
    fb_user_id: string | null
    created_at: Moment
  }
  webhook_deliveries: {
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
}
