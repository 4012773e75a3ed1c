import { sql } from 'kysely'
import { type AuditAction, type AuditDetails, type AuditKind, auditLimits } from '../../src/schemas/audit.ts'
import type { Db } from '../database/database.ts'

/** Where a request came from. */
export type AuditSource = { address: string | null; userAgent: string | null }

/** Who acts, with the name at this time. */
export type AuditActor = AuditSource & { staffId: string | null; name: string | null }

/** Undefined values are left out. */
type Details = { [name: string]: AuditDetails[string] | undefined }

export type AuditEntry = {
  /** Milliseconds since 1970, of the server's clock. */
  at: number
  by: AuditActor
  action: AuditAction
  row?: { kind: AuditKind; id: string }
  /** Ids, names of fields, counts and settings. Never message texts, tokens or passwords. */
  details?: Details
}

const withoutStaff = (name: string): AuditActor => ({ staffId: null, name, address: null, userAgent: null })

/** The server itself, for what no person asked for. */
export const serverActor = withoutStaff('Server')
/** A command on the server's machine. */
export const commandLineActor = withoutStaff('Command line')

/** The social network, for example when it passes on a person's request. */
export const networkActor = withoutStaff('Network')

/** A staff member who is signed in. */
export const staffActor = (
  staff: { id: string; email: string; name?: string | null | undefined },
  source: AuditSource,
): AuditActor => ({ ...source, staffId: staff.id, name: staff.name || staff.email })

/**
 * Adds an entry to the audit log. Call it with the transaction of the change: then the entry exists exactly if the change
 * does. Texts beyond `auditLimits` are cut.
 */
export async function recordAudit(db: Db, { at, by, action, row, details = {} }: AuditEntry): Promise<void> {
  await db
    .insertInto('audit_entries')
    .values({
      created_at: new Date(at),
      staff_id: by.staffId,
      staff_name: cut(by.name, auditLimits.name),
      action,
      row_kind: row?.kind ?? null,
      row_id: cut(row?.id ?? null, auditLimits.id),
      address: cut(by.address, auditLimits.address),
      user_agent: cut(by.userAgent, auditLimits.userAgent),
      details: JSON.stringify(shortened(details)),
    })
    .execute()
}

/**
 * Retention and erasing, the only changes of the log. `olderThan` deletes entries from before that time. `erased` removes
 * the row id and the details of the entries on these rows; who acted, what and when stay. Returns the number of entries
 * that were deleted or changed.
 */
export async function forgetAuditEntries(
  db: Db,
  { olderThan, erased }: { olderThan?: Date; erased?: { kind: AuditKind; ids: readonly string[] } },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select forget_audit_entries(${olderThan ?? null}::timestamptz, ${erased?.kind ?? null}::text,
      ${erased === undefined ? null : [...erased.ids]}::text[]) as count`.execute(db)
  return Number(rows[0]?.count ?? 0)
}

/** PostgreSQL stores no null characters, and in JSON no half of a character, which a cut may leave. */
const cut = (text: string | null, length: number) => text?.replaceAll('\0', '').slice(0, length).toWellFormed() ?? null

const maxListLength = 50

const shortened = (details: Details): Details =>
  Object.fromEntries(
    Object.entries(details).map(([name, value]) => [
      name,
      typeof value === 'string'
        ? cut(value, auditLimits.detail)
        : Array.isArray(value)
          ? value.slice(0, maxListLength).map((item) => cut(item, auditLimits.detail) ?? '')
          : value,
    ]),
  )
