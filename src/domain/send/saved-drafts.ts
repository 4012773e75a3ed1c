import type { DraftExtras } from '../../schemas/draft.ts'
import { withSummary } from './draft-text.ts'

/** What a draft says on every device of its author. */
export type DraftContent = { text: string; extras: DraftExtras | null }

/** A draft as the server has it. */
export type ServerDraft = DraftContent & { conversationId: string; version: string }

/** What a browser knows of the server's draft for a conversation. */
export type SavedDraft = DraftContent & {
  /** The version that the server had last; null: no draft. */
  version: string | null
  /** The versions that this browser has sent, latest last. The answer to any of them may be lost. */
  sent: readonly string[]
}

const noContent: DraftContent = { text: '', extras: null }

export const nothingSaved: SavedDraft = { version: null, ...noContent, sent: [] }

/** A write of a draft. An empty text removes the draft. */
export type DraftSave = DraftContent & { conversationId: string; version: string; replaces: string | null }

/** `draft` is the server's draft after the call. */
export type DraftSaveResult = { isSaved: boolean; draft: ServerDraft | null }

/** How a person settles a difference: keep the text of this browser, the other text, or both. */
export type DraftChoice = 'this' | 'other' | 'both'

/** The number of sent versions that a browser remembers. */
const sentVersions = 20

export const withSent = (saved: SavedDraft, version: string): SavedDraft =>
  saved.sent.includes(version) ? saved : { ...saved, sent: [...saved.sent, version].slice(-sentVersions) }

/** What the server should have. A text of white space alone is no draft. */
export const contentToSave = ({ text, extras }: DraftContent): DraftContent =>
  text.trim() === '' ? noContent : { text, extras }

/** Another order of the keys counts as a difference, which costs one more write. */
export const isSameContent = (one: DraftContent, other: DraftContent): boolean =>
  one.text === other.text && JSON.stringify(one.extras) === JSON.stringify(other.extras)

export const isUnsaved = (own: DraftContent, saved: SavedDraft): boolean => !isSameContent(contentToSave(own), saved)

type Reconciled = {
  content: DraftContent
  saved: SavedDraft
  /** The server's draft, if both texts changed and a person has to choose. */
  other: ServerDraft | null
}

/**
 * Merges the draft of this browser with that of the server (null: none). `saved` is what both had last. The side that did
 * not change takes the content of the other; a text is never replaced by an empty one that was not its successor. The extras
 * of this browser stay if the texts are equal.
 */
export function reconcile(content: DraftContent, saved: SavedDraft, server: ServerDraft | null): Reconciled {
  const version = server?.version ?? null
  if (version === saved.version) return { content, saved, other: null }
  const { text, extras } = server ?? noContent
  const there: DraftContent = { text, extras }
  const next: SavedDraft = { ...saved, version, ...there }
  const keep: Reconciled = { content, saved: next, other: null }
  // An earlier write of this browser whose answer was lost.
  if (version !== null && saved.sent.includes(version)) return keep
  const own = contentToSave(content)
  if (isSameContent(there, saved)) return keep
  if (isSameContent(own, saved) || own.text === '') return { content: there, saved: next, other: null }
  if (server === null || own.text === text) return keep
  return { content, saved, other: server }
}

/** The content and the common state after a person has chosen. Of both texts, the extras of this browser come first. */
export function settle(
  content: DraftContent,
  { sent }: SavedDraft,
  { version, text, extras }: ServerDraft,
  choice: DraftChoice,
): Pick<Reconciled, 'content' | 'saved'> {
  const saved = { version, text, extras, sent }
  if (choice === 'this') return { content, saved }
  if (choice === 'other') return { content: { text, extras }, saved }
  const joined = (extras ?? content.extras) && { ...extras, ...content.extras }
  return { content: { text: withSummary(content.text, text), extras: joined }, saved }
}
