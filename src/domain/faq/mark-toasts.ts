import { t } from '../../texts/thread-on-demand.ts'
import { toastsIn } from '../toast.ts'

const { error } = toastsIn(t)

export const markToasts = {
  markFailed: error('thread.markFailed'),
  unmarkFailed: error('thread.unmarkFailed'),
} as const
