import type { CustomerLanguage } from '../../src/schemas/customer-language.ts'

/** The fields of a client that a merge chooses between. */
export type MergedFields = {
  first_name: string
  last_name: string
  company_name: string | null
  email: string | null
  phone: string | null
  classification: string
  language: CustomerLanguage | null
  is_active: boolean
}

/** What staff decided about a conversation: `decided_state` in migration 0065. */
export type DecidedState = { [column: string]: unknown }

/** The drafts of a conversation, and its waits and resolutions: `mergeable_rows` in migration 0080. */
export type MergeableRows = { [table: string]: unknown }

/** What an undo restores of a deleted or merged client: `client_removals.record`. */
export type Removal = {
  /** The conversation that the client was linked to. */
  conversation: string | null
  /** Null for a deleted client. */
  merge: {
    /** The fields of the kept client. */
    before: MergedFields
    after: MergedFields
    /** Of the removed client, with the external ids that it had got by earlier merges. */
    external_id: string | null
    aliases: string[]
    /** The orders of the removed client. */
    orders: string[]
    /** The labels that the kept client did not have. */
    labels: string[]
    /** The conversation that was joined; null if one of the clients had none. */
    joined: {
      /** The conversation that was kept. */
      into: string
      identities: string[]
      notes: string[]
      /** What staff had decided about both, and about the joined one right after the merge. */
      state: DecidedState
      into_state: DecidedState
      joined_state: DecidedState
      /** Absent in a record of an earlier release, whose undo leaves these rows with the kept conversation. */
      rows?: { own: MergeableRows; into: MergeableRows; joined: MergeableRows }
    } | null
  } | null
}
