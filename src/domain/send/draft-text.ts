/**
 * A draft with a summary put into it: in place of the one that was put there `before` and still stands as it was, else
 * after what was typed.
 */
export function withSummary(draft: string, summary: string, before: string | null = null): string {
  if (draft.trim() === '') return summary
  if (before !== null && draft.includes(before)) return draft.replace(before, () => summary)
  return `${draft.trimEnd()}\n\n${summary}`
}
