import { type AuditAction, type AuditFilters, auditActions } from '../../schemas/audit.ts'

/** The filters as they are typed. Dates are of the form 2026-05-01, in the time zone of the browser; '' is no filter. */
export type TypedAuditFilters = { person: string; action: string; row: string; from: string; to: string }

export const noAuditFilters: TypedAuditFilters = { person: '', action: '', row: '', from: '', to: '' }

const isAction = (text: string): text is AuditAction => auditActions.some((action) => action === text)

/** The start of the local day, `days` later; undefined for a text that is no date. */
function startOfDay(date: string, days = 0): string | undefined {
  const [year, month, day] = date.split('-').map(Number)
  if (year === undefined || month === undefined || day === undefined) return undefined
  const start = new Date(year, month - 1, day + days)
  return Number.isNaN(start.getTime()) ? undefined : start.toISOString()
}

/** The filters of a call. The last day is included. */
export const auditFiltersOf = ({ person, action, row, from, to }: TypedAuditFilters): AuditFilters => ({
  person: person || undefined,
  action: isAction(action) ? action : undefined,
  row: row.trim() || undefined,
  from: startOfDay(from),
  to: startOfDay(to, 1),
})
