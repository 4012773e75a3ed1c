import { structuredLimits } from '../../schemas/structured-limits.ts'
import { type ReplyStructure, replyStructure } from '../../schemas/structured-message.ts'
import { t } from '../../texts/send-on-demand.ts'
import { choicesOf } from './reply-structure.ts'

export type ChoiceKind = 'none' | ReplyStructure['kind']

/** The values of the form for quick replies and buttons. */
export type ChoiceFields = {
  kind: ChoiceKind
  /** Kept while the kind is 'none'. The URL is used for buttons only. */
  rows: readonly { title: string; url: string }[]
}

export const choiceFieldsOf = (structure: ReplyStructure | null): ChoiceFields => ({
  kind: structure?.kind ?? 'none',
  rows: structure === null ? [] : choicesOf(structure).map(({ title, url }) => ({ title, url: url ?? '' })),
})

/** The most rows that the network takes. */
export const mostChoices = (kind: ChoiceKind): number =>
  kind === 'buttons' ? structuredLimits.buttons : structuredLimits.quickReplies

/** The fields with another kind: at least one row, and no more than the network takes. */
export const withKind = ({ rows }: ChoiceFields, kind: ChoiceKind): ChoiceFields => ({
  kind,
  rows: kind === 'none' || rows.length > 0 ? rows.slice(0, mostChoices(kind)) : [{ title: '', url: '' }],
})

const draftOf = ({ kind, rows }: ChoiceFields): unknown => {
  const titles = rows.map(({ title }) => title.trim())
  if (kind === 'quickReplies') return { kind, titles }
  const buttons = rows.map(({ title, url }) => ({ title: title.trim(), url: url.trim() || null }))
  return kind === 'buttons' ? { kind, buttons } : null
}

/** The structure to save; null for none. Only for fields without a problem. */
export const structureOf = (fields: ChoiceFields): ReplyStructure | null => {
  const read = replyStructure.safeParse(draftOf(fields))
  return read.success ? read.data : null
}

/** The first problem that prevents saving; null if there is none. `text` is the text above. */
export function choiceProblem(fields: ChoiceFields, text: string): string | null {
  if (fields.kind === 'none') return null
  const titles = fields.rows.map(({ title }) => title.trim())
  if (titles.length === 0 || titles.includes('')) return t('send.choiceMissing')
  if (titles.some((title) => title.length > structuredLimits.title))
    return t('shared.tooLong', { most: structuredLimits.title })
  if (new Set(titles).size !== titles.length) return t('send.choiceTwice')
  if (structureOf(fields) === null) return t('send.choiceBadUrl')
  return fields.kind === 'buttons' && [...text.trim()].length > structuredLimits.buttonText
    ? t('send.choicesTooLong', { most: structuredLimits.buttonText })
    : null
}
