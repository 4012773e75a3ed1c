import { t } from '../../texts/list-on-demand.ts'
import { toastsIn } from '../toast.ts'

const { success, error } = toastsIn(t)

/** Toasts of the label dialogs. */
export const labelToasts = {
  created: success('list.labelCreated'),
  updated: success('list.labelUpdated'),
  saveFailed: error('list.labelSaveFailed'),
  deleted: success('list.labelDeleted'),
  deleteFailed: error('list.labelDeleteFailed'),
  changeFailed: error('list.labelsNotChanged'),
} as const

/** Texts of the label form. */
export const labelFormTexts = {
  get perhapsCreated() {
    return t('list.labelPerhapsCreated')
  },
} as const
