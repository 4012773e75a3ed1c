import { t } from '../../texts/thread.ts'
import { toastsIn } from '../toast.ts'

const { info, warning, error } = toastsIn(t)

export const threadToasts = {
  failed: error('thread.failed'),
  readFailed: error('thread.readFailed'),
  ordersFailed: error('thread.ordersFailed'),
  paymentsFailed: error('thread.paymentsFailed'),
  noClient: warning('thread.noClient'),
} as const

/** Toasts for unconfirmed automatic replies. */
export const replyToasts = {
  notFound: info('thread.replyNotFound'),
  unconfirmed: warning('thread.replyUnconfirmed'),
  discarded: info('thread.replyDiscarded'),
  failed: error('thread.replyFailed'),
} as const
