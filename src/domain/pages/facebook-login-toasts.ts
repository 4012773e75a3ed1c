import { t } from '../../texts/pages-on-demand.ts'
import { toastsIn } from '../toast.ts'

const { success, error } = toastsIn(t)

export const facebookLoginToasts = {
  connected: (count: number) => success('pages.loginConnected', { count }),
  beginFailed: error('pages.loginBeginFailed'),
  completeFailed: error('pages.loginCompleteFailed'),
  connectFailed: error('pages.loginConnectFailed'),
}
