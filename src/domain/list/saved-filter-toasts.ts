import { t } from '../../texts/list-on-demand.ts'
import { toastsIn } from '../toast.ts'

const { success, error } = toastsIn(t)

/** Toasts of the saved filters. */
export const savedFilterToasts = {
  created: success('list.filterCreated'),
  renamed: success('list.filterRenamed'),
  saveFailed: error('list.filterSaveFailed'),
  deleted: success('list.filterDeleted'),
  deleteFailed: error('list.filterDeleteFailed'),
} as const
