import type { ColumnType, Generated } from 'kysely'
import type { ReplyStructure, StructuredContent } from '../../../src/schemas/structured-message.ts'
import type { Moment, MomentWithDefault, NullableJson, NullableMoment } from './columns.ts'

export type SendingTables = {
  sends: {
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
  outgoing_files: {
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
  outgoing_file_parts: { storage_key: string; number: number; etag: string }
  saved_replies: {
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
  saved_reply_uses: {
    reply_id: string
    idempotency_key: string
  }
}
