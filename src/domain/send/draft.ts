/** What is being typed, and the page it is to go out from. The id is new whenever a draft was taken on and the next begins. */
export type Draft = {
  id: string
  text: string
  /** Null is Auto-select. */
  pageId: string | null
}

/** A conversation's draft. */
export type StoredDraft = { conversationId: string; draft: Draft }

/** A draft that was stored before, or that another tab stores now; null if that tab has sent or emptied it. */
export type ReceivedDraft = { type: 'draft.received'; conversationId: string; draft: Draft | null }

/** Nothing was typed and nothing chosen: there is nothing to keep. */
export const isBlank = ({ text, pageId }: Draft): boolean => text === '' && pageId === null

/** A draft whose page the conversation no longer has goes out by the one that is found for it. */
export const withKnownPage = (draft: Draft, pages: readonly { id: string }[]): Draft =>
  draft.pageId === null || pages.some(({ id }) => id === draft.pageId) ? draft : { ...draft, pageId: null }
