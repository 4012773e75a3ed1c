import { t } from '../../texts/shell.ts'
import { toastsIn } from '../toast.ts'
import { reportFileName } from './report-file-name.ts'

const { success, error } = toastsIn(t)

export const realtimeToasts = {
  failed: error('shell.realtimeFailed'),
  timedOut: error('shell.realtimeTimedOut'),
} as const

export const reportToasts = {
  saved: success('shell.reportSaved', { file: reportFileName }),
  failed: error('shell.reportFailed'),
} as const
