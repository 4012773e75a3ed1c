import {
  comparableName,
  isTypeableName,
  type SavedReply,
  type SavedReplyBody,
  savedReplyLimits,
} from '../../schemas/saved-reply.ts'
import { t } from '../../texts/send-on-demand.ts'
import { type AttachedFile, storedPicture } from './attached-files.ts'
import { type ChoiceFields, choiceFieldsOf, choiceProblem, structureOf } from './choice-fields.ts'
import { picturesOf } from './saved-replies.ts'

/** The values of the form of a saved reply. */
export type SavedReplyFields = {
  name: string
  text: string
  isForAllPages: boolean
  /** The chosen pages; kept while the saved reply is for all pages. */
  pageIds: readonly string[]
  /** In their order: those of the saved reply, and new ones, which may be uploading. */
  pictures: readonly AttachedFile[]
  /** Quick replies or buttons below the text. */
  choices: ChoiceFields
}

/** The form values for a new saved reply, or for an existing one. */
export const fieldsOf = (reply: SavedReply | null): SavedReplyFields => ({
  name: reply?.name ?? '',
  text: reply?.text ?? '',
  isForAllPages: reply === null || reply.page_ids === null,
  pageIds: reply?.page_ids ?? [],
  pictures: reply === null ? [] : picturesOf(reply).map(storedPicture),
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
  if (fields.text.trim() === '' && fields.pictures.length === 0) return t('send.replyTextMissing')
  if (fields.text.trim().length > savedReplyLimits.text)
    return t('shared.fieldTooLong', { field: t('send.replyText'), most: savedReplyLimits.text })
  if (!fields.isForAllPages && fields.pageIds.length === 0) return t('send.replyPagesMissing')
  if (fields.pictures.some(({ status }) => status === 'failed' || status === 'refused')) return t('send.filesFailed')
  const uploading = fields.pictures.filter(({ status }) => status !== 'uploaded').length
  if (uploading > 0) return t('send.replyPicturesUploading', { count: uploading })
  return choiceProblem(fields.choices, fields.text)
}

/** The request body for saving. It names no pictures if there are none and the edited saved reply had none. */
export const bodyOf = (
  { name, text, isForAllPages, pageIds, pictures, choices }: SavedReplyFields,
  edited: SavedReply | null,
): SavedReplyBody => ({
  name: name.trim(),
  text: text.trim(),
  page_ids: isForAllPages ? null : [...pageIds],
  ...(pictures.length === 0 && (edited === null || picturesOf(edited).length === 0)
    ? {}
    : { pictures: pictures.map(({ id }) => id) }),
  structure: structureOf(choices),
})
