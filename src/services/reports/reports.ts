import { type Report, type ReportRequest, reportAnswer } from '../../schemas/report.ts'
import type { Http } from '../http.ts'
import { csvAnswer, type SaveText, saveCsv } from '../save-csv.ts'

/** The calls for the reports (feature 'reports'). All throw `Failure`. `save` saves a text as a file. */
export function createReports(http: Http, save: SaveText) {
  return {
    loadReport: async ({ report, ...query }: ReportRequest, signal: AbortSignal): Promise<Report> =>
      (await http.get(`/reports/${report}`, { schema: reportAnswer, query, signal })).data,

    /** Saves the rows of a report as a CSV file. */
    exportReport: async (request: ReportRequest): Promise<void> => {
      const csv = await http.post('/reports/export', { ...csvAnswer, body: request })
      await saveCsv(save, `report-${request.report}.csv`, csv)
    },
  }
}
