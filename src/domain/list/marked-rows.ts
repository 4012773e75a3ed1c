import { maxStateChanges } from '../../schemas/conversation-state.ts'

/** The rows that the next change concerns together. */
export type Choice = {
  readonly marked: readonly string[]
  /** Where the next range begins: the row that was chosen last. */
  readonly anchor: string | null
  /** The rows that only the last range chose. The next range from the same row replaces them. */
  readonly ranged: readonly string[]
}

export const emptyChoice: Choice = { marked: [], anchor: null, ranged: [] }

/** Adds rows, the first ones first, up to the number that one request may change. */
const withRows = (marked: readonly string[], ids: readonly string[]): readonly string[] =>
  [...new Set([...marked, ...ids])].slice(0, Math.max(marked.length, maxStateChanges))

/** Chooses a row, or takes it out of the choice. */
export function toggled(choice: Choice, id: string): Choice {
  const { marked } = choice
  if (marked.includes(id)) return { marked: marked.filter((each) => each !== id), anchor: null, ranged: [] }
  return marked.length < maxStateChanges ? { marked: [...marked, id], anchor: id, ranged: [] } : choice
}

/**
 * Chooses the rows from the anchor to a row, those next to the anchor first. Without an anchor in the list, the range
 * begins at `from`. `rows`: the rows that can be chosen, in their order.
 */
export function withRange(choice: Choice, rows: readonly string[], from: string, id: string): Choice {
  const isKept = choice.anchor !== null && rows.includes(choice.anchor)
  const anchor = isKept && choice.anchor !== null ? choice.anchor : from
  const [start, end] = [rows.indexOf(anchor), rows.indexOf(id)]
  if (start < 0 || end < 0) return choice
  const range = start <= end ? rows.slice(start, end + 1) : rows.slice(end, start + 1).reverse()
  const others = isKept ? choice.marked.filter((each) => !choice.ranged.includes(each)) : choice.marked
  const marked = withRows(others, range)
  return { marked, anchor, ranged: marked.slice(others.length) }
}

/** Chooses all rows. */
export const withAll = (choice: Choice, rows: readonly string[]): Choice => ({
  ...choice,
  marked: withRows(choice.marked, rows),
  ranged: [],
})

/** The choice without rows that are no longer in the list. The same object if all are. */
export function withoutOthers(choice: Choice, listed: ReadonlySet<string>): Choice {
  if (choice.marked.every((id) => listed.has(id))) return choice
  const isListed = (id: string) => listed.has(id)
  const { marked, anchor, ranged } = choice
  return {
    marked: marked.filter(isListed),
    anchor: anchor !== null && isListed(anchor) ? anchor : null,
    ranged: ranged.filter(isListed),
  }
}
