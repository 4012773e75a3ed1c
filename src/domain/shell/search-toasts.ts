import { t } from '../../texts/shell-on-demand.ts'
import { toastsIn } from '../toast.ts'

const { error } = toastsIn(t)

export const searchToasts = { failed: error('shell.searchFailed') } as const
