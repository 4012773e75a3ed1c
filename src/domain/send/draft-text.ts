/**
 * Inserts a summary into a draft. Replaces the summary inserted `before` if its text is unchanged; otherwise appends
 * the new summary to the text.
 */
export function withSummary(draft: string, summary: string, before?: string): string {
  if (draft.trim() === '') return summary
  if (before !== undefined && draft.includes(before)) return draft.replace(before, () => summary)
  return `${draft.trimEnd()}\n\n${summary}`
}
