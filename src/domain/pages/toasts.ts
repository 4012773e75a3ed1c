import { t } from '../../texts/pages.ts'
import { toastsIn } from '../toast.ts'

const { error } = toastsIn(t)

export const pageToasts = {
  failed: error('pages.failed'),
} as const
