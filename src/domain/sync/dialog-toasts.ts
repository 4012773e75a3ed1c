import { t } from '../../texts/sync-on-demand.ts'
import { toastsIn } from '../toast.ts'

const { success, error } = toastsIn(t)

export const historySyncToasts = {
  pageMissing: error('sync.pageMissing'),
  statusFailed: error('sync.statusFailed'),
  historyFailed: error('sync.historyFailed'),
  cancelFailed: error('sync.cancelFailed'),
} as const

export const autoSyncControlToasts = {
  saved: success('sync.autoSaved'),
  saveFailed: error('sync.autoSaveFailed'),
  toggleFailed: error('sync.autoToggleFailed'),
} as const
