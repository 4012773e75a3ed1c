import type { CsvKind, CsvMapping, CsvOutcome } from '../../schemas/csv-import.ts'
import { csvLimits, missingFields } from '../../schemas/csv-import.ts'
import { t } from '../../texts/client-on-demand.ts'
import { toastsIn } from '../toast.ts'
import { fieldTexts } from './transfer-texts.ts'

const { success, error, warning } = toastsIn(t)

export const transferToasts = {
  notLoaded: error('client.importsNotLoaded'),
  tooLarge: warning('client.importTooLarge'),
  isEmpty: warning('client.importEmpty'),
  uploadFailed: error('client.importUploadFailed'),
  checkFailed: error('client.importCheckFailed'),
  runFailed: error('client.importRunFailed'),
  cancelFailed: error('client.importCancelFailed'),
  rowsFailed: error('client.importRowsFailed'),
  refusedFailed: error('client.importRefusedFailed'),
  exportStarted: success('client.exportStarted'),
  exportFailed: error('client.exportFailed'),
} as const

/** `step` -1 begins the import. The steps from 0 on upload the parts. The last step asks the server to read the file. */
export type UploadStep = { id: string; kind: CsvKind; file: File; step: number }

/** The number of the last step, which follows the parts. */
export const lastUploadStep = (bytes: number): number => Math.ceil(bytes / csvLimits.partBytes)

/** The rows to show. `after` is the line before the first one. */
export type RowsRequest = { id: string; outcome: CsvOutcome | null; after: number }

/** Why a file cannot be imported; null if it can. */
export const fileProblem = ({ size }: Pick<File, 'size'>) =>
  size === 0 ? transferToasts.isEmpty : size > csvLimits.bytes ? transferToasts.tooLarge : null

/** Why the check cannot begin; null if it can. */
export function mappingBlockedReason(kind: CsvKind, mapping: CsvMapping | null): string | null {
  if (mapping === null) return t('client.importNoColumns')
  const missing = missingFields(kind, mapping.fields)
  return missing === null
    ? null
    : t('client.importColumnMissing', { fields: missing.map((field) => t(fieldTexts[field])).join(' / ') })
}
