import * as z from 'zod/mini'
import { type AuditFilters, type AuditPage, auditEntry, auditPerson } from '../../schemas/audit.ts'
import { answerOf } from '../../schemas/primitives.ts'
import { type Http, rows } from '../http.ts'
import { csvAnswer, type SaveText, saveCsv } from '../save-csv.ts'

/** The calls for the audit log. All throw `Failure`. `save` saves a text as a file. */
export function createAudit(http: Http, log: { warn: (text: string) => void }, save: SaveText) {
  const auditAnswer = answerOf(
    z.object({
      entries: rows(auditEntry, log, 'audit entries'),
      next: z.nullable(z.string()),
      people: rows(auditPerson, log, 'people of the audit log'),
    }),
  )

  return {
    loadAudit: async (
      { filters, before }: { filters: AuditFilters; before: string | null },
      signal: AbortSignal,
    ): Promise<AuditPage> =>
      (await http.get('/audit', { schema: auditAnswer, query: { ...filters, before }, signal })).data,

    /** Saves all entries that match as a CSV file. */
    exportAudit: async (filters: AuditFilters): Promise<void> =>
      saveCsv(save, 'audit-log.csv', await http.post('/audit/export', { ...csvAnswer, body: filters })),
  }
}
