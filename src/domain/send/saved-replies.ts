import type { OutgoingFile } from '../../schemas/outgoing-file.ts'
import { comparableName, type SavedReply, savedReplyLimits } from '../../schemas/saved-reply.ts'
import { placeholderOf, placeholdersIn } from './placeholders.ts'

/** A `/` before the caret with what was typed after it. `start` is the position of the `/`. */
export type SlashToken = { start: number; query: string }

/** The token before the caret: a `/` at the start of the text or after a space. Null if there is none. */
export function tokenAt(text: string, caret: number): SlashToken | null {
  const match = /(?:^|\s)\/([^\s/]*)$/u.exec(text.slice(0, caret))
  const query = match?.[1]
  if (query === undefined || query.length > savedReplyLimits.name) return null
  return { start: caret - query.length - 1, query }
}

/** An API without pictures names none. */
export const picturesOf = ({ pictures }: Pick<SavedReply, 'pictures'>): readonly OutgoingFile[] => pictures ?? []

/** Whether a saved reply is offered for a message from one of these pages. */
const isForPages = ({ page_ids }: Pick<SavedReply, 'page_ids'>, pageIds: readonly string[]): boolean =>
  page_ids === null || page_ids.some((id) => pageIds.includes(id))

/**
 * The saved replies that fit what is typed after the `/`: those whose name begins with the query, then those whose name or
 * text contains it. Within each, the most used first.
 */
export function matchingReplies(
  replies: readonly SavedReply[],
  query: string,
  pageIds: readonly string[],
): readonly SavedReply[] {
  const wanted = comparableName(query)
  const rankOf = ({ name, text }: SavedReply): number => {
    const compared = comparableName(name)
    if (compared.startsWith(wanted)) return 0
    if (compared.includes(wanted)) return 1
    return comparableName(text).includes(wanted) ? 2 : 3
  }
  return replies
    .filter((reply) => isForPages(reply, pageIds))
    .map((reply) => ({ reply, rank: rankOf(reply) }))
    .filter(({ rank }) => rank < 3)
    .sort(
      (one, other) =>
        one.rank - other.rank ||
        other.reply.uses - one.reply.uses ||
        (comparableName(one.reply.name) < comparableName(other.reply.name) ? -1 : 1),
    )
    .map(({ reply }) => reply)
}

/**
 * The text with `[start, end)` replaced, and the part to select: the first placeholder that was inserted, or the end of
 * what was inserted.
 */
export function withInsertion(
  text: string,
  { start, end }: { start: number; end: number },
  inserted: string,
): { text: string; selection: [number, number] } {
  const after = start + inserted.length
  const [first] = placeholdersIn(inserted)
  const mark = first === undefined ? '' : placeholderOf(first)
  const from = start + inserted.indexOf(mark)
  return {
    text: text.slice(0, start) + inserted + text.slice(end),
    selection: first === undefined ? [after, after] : [from, from + mark.length],
  }
}
