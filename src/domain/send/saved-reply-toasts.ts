import { t } from '../../texts/send-on-demand.ts'
import { toastsIn } from '../toast.ts'

const { success, error } = toastsIn(t)

export const savedReplyToasts = {
  failed: error('send.repliesFailed'),
  created: success('send.replyCreated'),
  updated: success('send.replyUpdated'),
  saveFailed: error('send.replySaveFailed'),
  deleted: success('send.replyDeleted'),
  deleteFailed: error('send.replyDeleteFailed'),
} as const

/** Texts of the form of a saved reply. */
export const savedReplyFormTexts = {
  get perhapsCreated() {
    return t('send.replyPerhapsCreated')
  },
} as const
