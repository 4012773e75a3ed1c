import * as z from 'zod/mini'
import { type AuditFilters, type AuditPage, auditAnswer } from '../../schemas/audit.ts'
import type { Http } from '../http.ts'

/** The calls for the audit log. All throw `Failure`. `save` saves a text as a file. */
export function createAudit(http: Http, save: (name: string, text: string) => Promise<void>) {
  return {
    loadAudit: async (
      { filters, before }: { filters: AuditFilters; before: string | null },
      signal: AbortSignal,
    ): Promise<AuditPage> =>
      (await http.get('/audit', { schema: auditAnswer, query: { ...filters, before }, signal })).data,

    /** Saves all entries that match as a CSV file. */
    exportAudit: async (filters: AuditFilters): Promise<void> => {
      const csv = await http.post('/audit/export', { schema: z.string(), body: filters, isText: true })
      // The mark by which spreadsheets recognize UTF-8; reading the answer removed it.
      await save('audit-log.csv', `\ufeff${csv}`)
    },
  }
}
