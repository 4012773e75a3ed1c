import { type Report, type ReportRequest, reportAnswer } from '../../schemas/report.ts'
import type { Http } from '../http.ts'
import { type SaveText, saveCsv } from '../save-csv.ts'

/** The calls for the reports (feature 'reports'). All throw `Failure`. `save` saves a text as a file. */
export function createReports(http: Http, save: SaveText) {
  return {
    loadReport: async ({ report, ...query }: ReportRequest, signal: AbortSignal): Promise<Report> =>
      (await http.get(`/reports/${report}`, { schema: reportAnswer, query, signal })).data,

    /** Saves the rows of a report as a CSV file. */
    exportReport: (request: ReportRequest): Promise<void> =>
      saveCsv(http, save, { path: '/reports/export', body: request, name: `report-${request.report}.csv` }),
  }
}
