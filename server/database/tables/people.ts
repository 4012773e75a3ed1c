import type { Generated } from 'kysely'
import type { Json, Moment, NullableMoment } from './columns.ts'

export type PeopleTables = {
  erased_people: {
    /** An HMAC of page id and psid. */
    person_hash: string
    erased_at: Moment
    completed_at: NullableMoment
  }
  /** The people of a page that was removed, for when it is connected again. */
  former_identities: {
    /** As of an erased person. */
    person_hash: string
    page_id: string
    client_id: string | null
    conversation_id: string
    /** Ids of the other identities of the conversation. */
    members: string[]
  }
  erased_clients: {
    /** An HMAC of the external id, the email address or the phone number. */
    client_hash: string
    erased_at: Moment
  }
  erasures: {
    id: string
    kind: 'person' | 'page'
    state: Generated<'running' | 'completed'>
    subject: Json<unknown>
    requested_by: string
    due_at: Moment
    created_at: Moment
    completed_at: NullableMoment
  }
}
