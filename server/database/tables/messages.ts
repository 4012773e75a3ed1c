import type { ColumnType, Generated } from 'kysely'
import type { Author } from '../../../src/schemas/author.ts'
import type { Attachment, UnconfirmedReply, WrongAnswer } from '../../../src/schemas/message.ts'
import type { MessageContent } from '../../../src/schemas/message-content.ts'
import type { QuotedMessage, Reaction } from '../../../src/schemas/reactions-receipts-replies.ts'
import type { Direction, Moment, MomentWithDefault, NullableJson, NullableMoment } from './columns.ts'

export type MessagesTables = {
  messages: {
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
  early_events: {
    message_id: string
    kind: 'person' | 'page' | 'read'
    fb_user_id: string
    emoji: string | null
    at: Moment
  }
  early_edits: {
    message_id: string
    page_id: string
    /** Null if the network named nobody. */
    psid: string | null
    message_text: string
    edited_at: Moment
    created_at: MomentWithDefault
  }
  deleted_messages: {
    message_id: string
    deleted_at: MomentWithDefault
  }
  /** Maintained by triggers. */
  message_search: {
    id: number
    at: Moment
    words: string
  }
  message_search_progress: {
    before: number
  }
  stored_files: {
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
  webhook_inbox: {
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
  profile_lookups: {
    fb_user_id: string
    due_at: Moment
    failures: Generated<number>
    created_at: Moment
  }
  shown_typing: {
    fb_user_id: string
    at: Moment
  }
}
