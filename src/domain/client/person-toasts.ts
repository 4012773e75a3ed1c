import { t } from '../../texts/client-on-demand.ts'
import { toastsIn } from '../toast.ts'

const { success, error } = toastsIn(t)

export const personToasts = {
  exported: success('client.personExported'),
  exportFailed: error('client.personExportFailed'),
  eraseFailed: error('client.personEraseFailed'),
} as const
