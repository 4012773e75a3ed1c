import { t } from '../../texts/reports-on-demand.ts'
import { toastsIn } from '../toast.ts'

const { success, error } = toastsIn(t)

export const reportToasts = {
  failed: error('reports.failed'),
  exported: success('reports.exported'),
  exportFailed: error('reports.exportFailed'),
} as const
