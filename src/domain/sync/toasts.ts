import { t } from '../../texts/sync.ts'
import { toastsIn } from '../toast.ts'

const { success, info, error } = toastsIn(t)

export const syncToasts = {
  conversationFailed: error('sync.conversationFailed'),
  recent: (messages: number) => success('sync.recent', { messages }),
  allRecent: (messages: number, pages: number) => success('sync.allRecent', { messages, pages }),
  recentRefused: (reason: string) => error('sync.recentRefused', { reason }),
  recentFailed: error('sync.recentFailed'),
} as const

export const autoSyncToasts = {
  forced: success('sync.autoForced'),
  goesOn: info('sync.autoGoesOn'),
  stopped: info('sync.autoStopped'),
  forceFailed: error('sync.autoForceFailed'),
} as const
