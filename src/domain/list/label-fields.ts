import type { Label, LabelBody, LabelColour } from '../../schemas/label.ts'
import { labelLimits } from '../../schemas/labels-of-row.ts'
import { t } from '../../texts/list-on-demand.ts'
import { type KeywordFields, keywordRules } from '../keywords.ts'
import { freeColour } from './label-use.ts'

/** The values of the label form. */
export type LabelFields = KeywordFields & { name: string; colour: LabelColour }

/** The form values for an existing label, or for a new one beside these labels. */
export const labelFieldsOf = (label: Label | null, labels: readonly Label[]): LabelFields => ({
  name: label?.name ?? '',
  colour: label?.colour ?? freeColour(labels),
  keywords: label?.keywords ?? [],
  keyword: '',
})

export const labelKeywords = keywordRules(labelLimits, {
  empty: () => t('list.keywordEmpty'),
  known: () => t('list.keywordKnown'),
  full: () => t('list.keywordsFull', { most: labelLimits.keywords }),
})

/** The first problem that prevents saving the label; null if there is none. The server knows whether the name is taken. */
export function labelBlockedReason(fields: LabelFields): string | null {
  if (fields.name.trim() === '') return t('list.labelNameMissing')
  if (fields.name.trim().length > labelLimits.name)
    return t('shared.fieldTooLong', { field: t('list.labelName'), most: labelLimits.name })
  return labelKeywords.problem(fields)
}

/** The request body; null if the form is not complete. Includes a keyword that was typed but not added. */
export const labelBodyOf = (fields: LabelFields): LabelBody | null =>
  labelBlockedReason(fields) === null
    ? { name: fields.name.trim(), colour: fields.colour, keywords: [...labelKeywords.added(fields).keywords] }
    : null
