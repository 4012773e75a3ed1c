import { t } from '../../texts/sync.ts'
import { toastsIn } from '../toast.ts'

const { success, info, error } = toastsIn(t)

export const syncToasts = {
  pageMissing: error('sync.pageMissing'),
  statusFailed: error('sync.statusFailed'),
  historyFailed: error('sync.historyFailed'),
  cancelFailed: error('sync.cancelFailed'),
  conversationFailed: error('sync.conversationFailed'),
  recent: (messages: number) => success('sync.recent', { messages }),
  allRecent: (messages: number, pages: number) => success('sync.allRecent', { messages, pages }),
  recentRefused: (reason: string) => error('sync.recentRefused', { reason }),
  recentFailed: error('sync.recentFailed'),
} as const

export const autoSyncToasts = {
  saved: success('sync.autoSaved'),
  saveFailed: error('sync.autoSaveFailed'),
  toggleFailed: error('sync.autoToggleFailed'),
  forced: success('sync.autoForced'),
  goesOn: info('sync.autoGoesOn'),
  stopped: info('sync.autoStopped'),
  forceFailed: error('sync.autoForceFailed'),
} as const
