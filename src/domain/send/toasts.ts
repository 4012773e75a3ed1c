import { t } from '../../texts/send.ts'
import { toastsIn } from '../toast.ts'

const { success, error } = toastsIn(t)

export const sendToasts = {
  sent: success('send.sent'),
  failed: error('send.failed'),
  noPage: error('send.noPage'),
  noIdentity: error('send.noIdentity'),
} as const
