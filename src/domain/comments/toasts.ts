import { t } from '../../texts/comments-on-demand.ts'
import { toastsIn } from '../toast.ts'

const { success, error } = toastsIn(t)

export const commentToasts = {
  listFailed: error('comments.listFailed'),
  threadFailed: error('comments.threadFailed'),
  sent: { public: success('comments.answered'), private: success('comments.answeredPrivately') },
  notSent: error('comments.notSent'),
  changeFailed: error('comments.changeFailed'),
  decided: {
    look: success('comments.found'),
    retry: success('comments.sentAgain'),
    discard: success('comments.discarded'),
  },
  decisionFailed: error('comments.decisionFailed'),
  doneFailed: error('comments.doneFailed'),
} as const
