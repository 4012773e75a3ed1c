import { t } from '../../texts/thread-on-demand.ts'
import { toastsIn } from '../toast.ts'

const { error } = toastsIn(t)

export const reactionToasts = { failed: error('thread.reactionFailed') } as const
