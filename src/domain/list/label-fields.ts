import type { Label, LabelBody, LabelColour } from '../../schemas/label.ts'
import { labelLimits } from '../../schemas/labels-of-row.ts'
import { t } from '../../texts/list-on-demand.ts'
import { comparable } from '../comparable.ts'
import { freeColour } from './label-use.ts'

/** The values of the label form. `keyword` is the text in the keyword field that is not added yet. */
export type LabelFields = { name: string; colour: LabelColour; keywords: readonly string[]; keyword: string }

/** The form values for an existing label, or for a new one beside these labels. */
export const labelFieldsOf = (label: Label | null, labels: readonly Label[]): LabelFields => ({
  name: label?.name ?? '',
  colour: label?.colour ?? freeColour(labels),
  keywords: label?.keywords ?? [],
  keyword: '',
})

/** Why the typed keyword cannot be added; null if it can be added or the field is empty. */
export function labelKeywordProblem({ keyword, keywords }: LabelFields): string | null {
  const typed = keyword.trim()
  if (typed === '') return null
  if (typed.length > labelLimits.keyword) return t('shared.tooLong', { most: labelLimits.keyword })
  const added = comparable(typed)
  if (added === '') return t('list.keywordEmpty')
  if (keywords.some((known) => comparable(known) === added)) return t('list.keywordKnown')
  return keywords.length >= labelLimits.keywords ? t('list.keywordsFull', { most: labelLimits.keywords }) : null
}

export const hasNewLabelKeyword = (fields: LabelFields): boolean =>
  fields.keyword.trim() !== '' && labelKeywordProblem(fields) === null

/** The fields with the typed keyword added, if the keyword is valid. */
export const withLabelKeyword = (fields: LabelFields): LabelFields =>
  hasNewLabelKeyword(fields)
    ? { ...fields, keywords: [...fields.keywords, fields.keyword.trim()], keyword: '' }
    : fields

/** The first problem that prevents saving the label; null if there is none. The server knows whether the name is taken. */
export function labelBlockedReason(fields: LabelFields): string | null {
  if (fields.name.trim() === '') return t('list.labelNameMissing')
  if (fields.name.trim().length > labelLimits.name)
    return t('shared.fieldTooLong', { field: t('list.labelName'), most: labelLimits.name })
  return labelKeywordProblem(fields)
}

/** The request body; null if the form is not complete. Includes a keyword that was typed but not added. */
export const labelBodyOf = (fields: LabelFields): LabelBody | null =>
  labelBlockedReason(fields) === null
    ? { name: fields.name.trim(), colour: fields.colour, keywords: [...withLabelKeyword(fields).keywords] }
    : null

/** Whether two forms have the same values. */
export const haveSameLabelFields = (one: LabelFields, other: LabelFields): boolean =>
  JSON.stringify(one) === JSON.stringify(other)
