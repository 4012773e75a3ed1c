import type { Generated } from 'kysely'
import type { Moment, MomentWithDefault, NullableMoment } from './columns.ts'

export type FaqTables = {
  faq_categories: {
    id: Generated<string>
    name: string
    position: Generated<number>
  }
  faq_entries: {
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
  faq_wrong_answers: {
    message_id: string
    faq_id: string | null
    faq_title: string
    marked_by: string | null
    marked_at: Moment
    resolved_by: string | null
    resolved_at: NullableMoment
  }
  auto_replies: {
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
  away_answers: {
    fb_user_id: string
    message_id: string
    decided_at: Moment
  }
}
