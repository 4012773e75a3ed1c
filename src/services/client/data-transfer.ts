import * as z from 'zod/mini'
import { lastUploadStep, type RowsRequest, type UploadStep } from '../../domain/client/data-transfer.ts'
import {
  type CsvImport,
  type CsvMapping,
  type CsvRows,
  csvImport,
  csvImportAnswer,
  csvLimits,
  csvRowsAnswer,
} from '../../schemas/csv-import.ts'
import { type ExportRequest, exportAnswer } from '../../schemas/data-export.ts'
import { answerOf, successAnswer } from '../../schemas/primitives.ts'
import { type Http, rows } from '../http.ts'

type ById = { id: string }
const pathOf = ({ id }: ById) => `/imports/${encodeURIComponent(id)}`

/** The calls of imports and exports (feature 'csv-import'). All throw `Failure`. Calls that change data are not aborted. */
export function createDataTransfer(
  http: Http,
  log: { warn: (text: string) => void },
  /** Lets the browser save the answer to a path of the API as a file. */
  download: (path: string) => void,
) {
  const importsAnswer = answerOf(z.object({ imports: rows(csvImport, log, 'imports') }))
  return {
    loadImports: async (signal: AbortSignal): Promise<readonly CsvImport[]> =>
      (await http.get('/imports', { schema: importsAnswer, signal })).data.imports,

    loadImport: async (item: ById, signal: AbortSignal): Promise<CsvImport> =>
      (await http.get(pathOf(item), { schema: csvImportAnswer, signal })).data,

    /** Does one step of an upload; every step can be repeated. Resolves with the import after the last one. */
    upload: async ({ id, kind, file, step }: UploadStep): Promise<CsvImport | null> => {
      if (step < 0) {
        const body = { id, kind, file_name: file.name.slice(-csvLimits.name) || 'file.csv', bytes: file.size }
        await http.post('/imports', { schema: csvImportAnswer, body })
        return null
      }
      if (step >= lastUploadStep(file.size))
        return (await http.post(`${pathOf({ id })}/read`, { schema: csvImportAnswer })).data
      const first = step * csvLimits.partBytes
      const data = base64Of(new Uint8Array(await file.slice(first, first + csvLimits.partBytes).arrayBuffer()))
      await http.put(`${pathOf({ id })}/parts/${step}`, { schema: successAnswer, body: { data } })
      return null
    },

    checkImport: async ({ mapping, ...item }: ById & { mapping: CsvMapping }): Promise<CsvImport> =>
      (await http.post(`${pathOf(item)}/check`, { schema: csvImportAnswer, body: mapping })).data,

    runImport: async (item: ById): Promise<CsvImport> =>
      (await http.post(`${pathOf(item)}/run`, { schema: csvImportAnswer })).data,

    cancelImport: async (item: ById): Promise<CsvImport> =>
      (await http.post(`${pathOf(item)}/cancel`, { schema: csvImportAnswer })).data,

    loadRows: async ({ outcome, after, ...item }: RowsRequest, signal: AbortSignal): Promise<CsvRows> =>
      (await http.get(`${pathOf(item)}/rows`, { schema: csvRowsAnswer, query: { outcome, after }, signal })).data,

    /** Begins the download of the rows that were not stored. */
    saveRefused: async (item: ById): Promise<void> =>
      download((await http.post(`${pathOf(item)}/refused-rows`, { schema: exportAnswer })).data.path),

    /** Begins the download of all rows of a kind. */
    exportData: async (request: ExportRequest): Promise<void> =>
      download((await http.post('/exports', { schema: exportAnswer, body: request })).data.path),
  }
}

/** Of at most one part of a file. */
function base64Of(bytes: Uint8Array): string {
  let text = ''
  // The number of arguments of a call is limited.
  for (let first = 0; first < bytes.length; first += 8_192) {
    text += String.fromCharCode(...bytes.subarray(first, first + 8_192))
  }
  return btoa(text)
}
