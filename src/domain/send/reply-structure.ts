import { structuredLimits } from '../../schemas/structured-limits.ts'
import type { ReplyStructure, StructuredContent } from '../../schemas/structured-message.ts'

/** Whether the text may have this structure. */
export const fitsStructure = (text: string, structured: Pick<StructuredContent, 'kind'> | null): boolean =>
  structured?.kind !== 'buttons' || [...text.trim()].length <= structuredLimits.buttonText

/** What the person can tap, in its order. */
export const choicesOf = (structure: ReplyStructure): { title: string; url: string | null }[] =>
  structure.kind === 'buttons' ? structure.buttons : structure.titles.map((title) => ({ title, url: null }))

/** Whether the person can tap something. */
export const hasChoices = (structured: StructuredContent | null): structured is ReplyStructure =>
  structured?.kind === 'quickReplies' || structured?.kind === 'buttons'
