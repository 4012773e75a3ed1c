import { withSummary } from './draft-text.ts'

/** A draft as the server has it. */
export type ServerDraft = { conversationId: string; text: string; version: string }

/** What a browser knows of the server's draft for a conversation. */
export type SavedDraft = {
  /** The version that the server had last; null: no draft. */
  version: string | null
  text: string
  /** The versions that this browser has sent, latest last. The answer to any of them may be lost. */
  sent: readonly string[]
}

export const nothingSaved: SavedDraft = { version: null, text: '', sent: [] }

/** A write of a draft. An empty text removes the draft. */
export type DraftSave = { conversationId: string; text: string; version: string; replaces: string | null }

/** `draft` is the server's draft after the call. */
export type DraftSaveResult = { isSaved: boolean; draft: ServerDraft | null }

/** How a person settles a difference: keep the text of this browser, the other text, or both. */
export type DraftChoice = 'this' | 'other' | 'both'

/** The number of sent versions that a browser remembers. */
const sentVersions = 20

export const withSent = (saved: SavedDraft, version: string): SavedDraft =>
  saved.sent.includes(version) ? saved : { ...saved, sent: [...saved.sent, version].slice(-sentVersions) }

/** The text that the server should have. A text of white space alone is no draft. */
export const textToSave = (text: string): string => (text.trim() === '' ? '' : text)

export const isUnsaved = (text: string, saved: SavedDraft): boolean => textToSave(text) !== saved.text

type Reconciled = {
  text: string
  saved: SavedDraft
  /** The server's draft, if both texts changed and a person has to choose. */
  other: ServerDraft | null
}

/**
 * Merges the text of this browser with the server's draft (null: none). `saved` is what both had last. The side that did
 * not change takes the text of the other; a text is never replaced by an empty one that was not its successor.
 */
export function reconcile(text: string, saved: SavedDraft, server: ServerDraft | null): Reconciled {
  const version = server?.version ?? null
  if (version === saved.version) return { text, saved, other: null }
  const serverText = server?.text ?? ''
  const next: SavedDraft = { ...saved, version, text: serverText }
  const keep: Reconciled = { text, saved: next, other: null }
  // An earlier write of this browser whose answer was lost.
  if (version !== null && saved.sent.includes(version)) return keep
  const own = textToSave(text)
  if (own === serverText || serverText === saved.text) return keep
  if (own === saved.text || own === '') return { text: serverText, saved: next, other: null }
  if (server === null) return keep
  return { text, saved, other: server }
}

/** The text and the common state after a person has chosen. */
export function settle(
  text: string,
  { sent }: SavedDraft,
  other: ServerDraft,
  choice: DraftChoice,
): Pick<Reconciled, 'text' | 'saved'> {
  const saved = { version: other.version, text: other.text, sent }
  if (choice === 'this') return { text, saved }
  return { text: choice === 'other' ? other.text : withSummary(text, other.text), saved }
}
