import {
  comparableName,
  isTypeableName,
  type SavedReply,
  type SavedReplyBody,
  savedReplyLimits,
} from '../../schemas/saved-reply.ts'
import { t } from '../../texts/send-on-demand.ts'
import { type ChoiceFields, choiceFieldsOf, choiceProblem, structureOf } from './choice-fields.ts'

/** The values of the form of a saved reply. */
export type SavedReplyFields = {
  name: string
  text: string
  isForAllPages: boolean
  /** The chosen pages; kept while the saved reply is for all pages. */
  pageIds: readonly string[]
  /** Quick replies or buttons below the text. */
  choices: ChoiceFields
}

/** The form values for a new saved reply, or for an existing one. */
export const fieldsOf = (reply: SavedReply | null): SavedReplyFields => ({
  name: reply?.name ?? '',
  text: reply?.text ?? '',
  isForAllPages: reply === null || reply.page_ids === null,
  pageIds: reply?.page_ids ?? [],
  choices: choiceFieldsOf(reply?.structure ?? null),
})

/** The problem of the typed name; null if the name is valid or empty. `others` are the other saved replies. */
export function nameProblem({ name }: SavedReplyFields, others: readonly SavedReply[]): string | null {
  const typed = name.trim()
  if (typed === '') return null
  if (typed.length > savedReplyLimits.name) return t('shared.tooLong', { most: savedReplyLimits.name })
  if (!isTypeableName(typed)) return t('send.replyNameSpaces')
  return others.some((other) => comparableName(other.name) === comparableName(typed)) ? t('send.replyNameTaken') : null
}

/** The first problem that prevents saving; null if there is none. */
export function blockedReasonOf(fields: SavedReplyFields, others: readonly SavedReply[]): string | null {
  if (fields.name.trim() === '') return t('send.replyNameMissing')
  const problem = nameProblem(fields, others)
  if (problem !== null) return problem
  if (fields.text.trim() === '') return t('send.replyTextMissing')
  if (fields.text.trim().length > savedReplyLimits.text)
    return t('shared.fieldTooLong', { field: t('send.replyText'), most: savedReplyLimits.text })
  if (!fields.isForAllPages && fields.pageIds.length === 0) return t('send.replyPagesMissing')
  return choiceProblem(fields.choices, fields.text)
}

/** The request body for saving. */
export const bodyOf = ({ name, text, isForAllPages, pageIds, choices }: SavedReplyFields): SavedReplyBody => ({
  name: name.trim(),
  text: text.trim(),
  page_ids: isForAllPages ? null : [...pageIds],
  structure: structureOf(choices),
})
