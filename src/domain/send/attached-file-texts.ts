import type { Platform } from '../../schemas/conversation.ts'
import { t } from '../../texts/send-on-demand.ts'
import type { AttachedFile, FilePurpose } from './attached-files.ts'
import { type FileProblem, fileLimitsShown, fileProblem, kindOfType } from './file-limits.ts'

/** What the network accepts, in words. */
export const limitsText = (platform: Platform | null): string =>
  t(platform === 'instagram' ? 'send.fileLimitsInstagram' : 'send.fileLimitsMessenger', fileLimitsShown)

const problemTexts = {
  tooLarge: 'send.fileTooLarge',
  wrongType: 'send.fileWrongType',
} as const satisfies Record<FileProblem, string>

/** Why the network would refuse the file, in words; null if it accepts the file. */
function refusalOf(file: { type: string; size: number }, platform: Platform | null): string | null {
  const problem = fileProblem(file, platform)
  return problem === null ? null : `${t(problemTexts[problem])} ${limitsText(platform)}`
}

/** Why the file is not taken for this purpose, in words; null if it is. */
export function refusalFor(
  purpose: FilePurpose,
  file: { type: string; size: number },
  platform: Platform | null,
): string | null {
  if (purpose === 'message') return refusalOf(file, platform)
  const isTaken = kindOfType(file.type) === 'image' && fileProblem(file, null) === null
  return isTaken ? null : t('send.replyPictureKind', fileLimitsShown)
}

/** A copy of a picture that a saved reply does not have any more. */
export const pictureGone = (): string => t('send.replyPictureGone')

/** Why the files of a conversation cannot be sent now; null if they can, or if there are none. */
export function blockedReason(files: readonly AttachedFile[], platform: Platform | null): string | null {
  if (files.some(({ status }) => status === 'failed' || status === 'refused')) return t('send.filesFailed')
  const uploading = files.filter(({ status }) => status !== 'uploaded').length
  if (uploading > 0) return t('send.filesUploading', { count: uploading })
  for (const { uploaded } of files) {
    const refusal = uploaded === null ? null : refusalOf(uploaded, platform)
    if (refusal !== null) return refusal
  }
  return null
}
