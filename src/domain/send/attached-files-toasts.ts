import { t } from '../../texts/send-on-demand.ts'
import { toastsIn } from '../toast.ts'

const { error } = toastsIn(t)

export const attachedFilesToasts = {
  failed: error('send.fileFailed'),
  tooMany: error('send.filesTooMany'),
  tooManyPictures: error('send.replyPicturesTooMany'),
} as const
