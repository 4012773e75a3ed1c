import * as z from 'zod/mini'
import { type Report, type ReportRequest, reportAnswer } from '../../schemas/report.ts'
import type { Http } from '../http.ts'

/** The calls for the reports (feature 'reports'). All throw `Failure`. `save` saves a text as a file. */
export function createReports(http: Http, save: (name: string, text: string) => Promise<void>) {
  return {
    loadReport: async ({ report, ...query }: ReportRequest, signal: AbortSignal): Promise<Report> =>
      (await http.get(`/reports/${report}`, { schema: reportAnswer, query, signal })).data,

    /** Saves the rows of a report as a CSV file. */
    exportReport: async (request: ReportRequest): Promise<void> => {
      const csv = await http.post('/reports/export', { schema: z.string(), body: request, isText: true })
      // The mark by which spreadsheets recognize UTF-8; reading the answer removed it.
      await save(`report-${request.report}.csv`, `\ufeff${csv}`)
    },
  }
}
