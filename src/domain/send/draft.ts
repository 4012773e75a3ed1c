import type { DraftExtras } from '../../schemas/draft.ts'
import type { QuotedMessage } from '../../schemas/reactions-receipts-replies.ts'
import type { SavedDraft } from './saved-drafts.ts'

/** The typed text and the chosen page. A new draft gets a new id after the previous one was handed to the outbox. */
export type Draft = {
  id: string
  text: string
  /** Null means Auto-select. */
  pageId: string | null
  /** The message that the reply is to, with its page, which alone can send it; absent if there is none. */
  replyTo?: { message: QuotedMessage; pageId: string } | undefined
  /** What goes with the text, never without one; absent if there is nothing. */
  extras?: DraftExtras | undefined
}

/** The draft of a conversation, with what the browser knows of the server's draft. */
export type StoredDraft = { conversationId: string; draft: Draft; saved?: SavedDraft }

/** A draft loaded from storage or stored by another tab. Null if the other tab sent or cleared the draft. */
export type ReceivedDraft = {
  type: 'draft.received'
  conversationId: string
  draft: Draft | null
  saved?: SavedDraft | undefined
}

/** Whether the draft has no text, no chosen page and no message that it replies to, so that it need not be stored. */
export const isBlank = ({ text, pageId, replyTo }: Draft): boolean =>
  text === '' && pageId === null && replyTo === undefined

/** Resets the chosen page to Auto-select if the page no longer belongs to the conversation. */
export const withKnownPage = (draft: Draft, pages: readonly { id: string }[]): Draft =>
  draft.pageId === null || pages.some(({ id }) => id === draft.pageId) ? draft : { ...draft, pageId: null }

/** The draft with these extras in place of its own of the same kind. An undefined one is removed. */
export function withExtras({ extras, ...draft }: Draft, changed: DraftExtras): Draft {
  const all = { ...extras, ...changed }
  return (all.structure ?? all.summary) ? { ...draft, extras: all } : draft
}

/** The draft without extras if its text is empty: nothing of what was inserted is left. */
export const withoutLeftovers = (draft: Draft): Draft =>
  draft.text.trim() === '' ? { ...draft, extras: undefined } : draft
