/** A draft with a summary put into it: what was typed stays and stands first. */
export const withSummary = (draft: string, summary: string): string =>
  draft.trim() === '' ? summary : `${draft.trimEnd()}\n\n${summary}`
