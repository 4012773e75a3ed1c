import type { Generated } from 'kysely'
import type { Moment, NullableMoment } from './columns.ts'

export type ReportsTables = {
  /** Written by triggers. */
  waits: {
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
  resolutions: {
    id: Generated<number>
    primary_user_id: string | null
    page_id: string | null
    opened_at: NullableMoment
    closed_at: Moment
    closed_by: string | null
    settled_up_to: number | null
    settled_incoming_at: NullableMoment
  }
  current_message_volumes: {
    quarter: Moment
    page_id: string
    writer: string
    messages: number
  }
  message_questions: {
    message_id: string
    page_id: string
    asked_at: Moment
    form_hash: number
  }
  /** One row. */
  report_progress: {
    id: number
    conversations_after: string | null
    messages_after: number
    messages_until: number
    questions_after: number
  }
}
