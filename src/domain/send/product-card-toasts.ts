import { t } from '../../texts/send-on-demand.ts'
import { toastsIn } from '../toast.ts'

const { error } = toastsIn(t)

export const productCardToasts = { failed: error('send.cardProductsFailed') } as const
