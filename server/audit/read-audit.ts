import { Readable } from 'node:stream'
import { stringify } from 'csv-stringify'
import { type AuditFilters, type AuditPage, auditPageSize } from '../../src/schemas/audit.ts'
import { csvOptions } from '../csv.ts'
import { batchSize } from '../database/batches.ts'
import type { Db } from '../database/database.ts'

type Place = { createdAt: Date; id: number }

/** The entries that match the filters, newest first, after a place. */
const matching = (db: Db, { person, action, row, from, to }: AuditFilters, after: Place | null, limit: number) =>
  db
    .selectFrom('audit_entries')
    .selectAll()
    .$if(Boolean(person), (query) => query.where('staff_id', '=', person ?? null))
    .$if(action !== undefined, (query) => query.where('action', '=', action ?? ''))
    .$if(Boolean(row), (query) => query.where('row_id', '=', row ?? null))
    .$if(from !== undefined, (query) => query.where('created_at', '>=', new Date(from ?? 0)))
    .$if(to !== undefined, (query) => query.where('created_at', '<', new Date(to ?? 0)))
    .$if(after !== null, (query) =>
      query.where((where) =>
        where(where.refTuple('created_at', 'id'), '<', where.tuple(after?.createdAt ?? new Date(0), after?.id ?? 0)),
      ),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()

type EntryRow = Awaited<ReturnType<typeof matching>>[number]

/** One page of the log. `before` is the `next` of the page before it. */
export async function readAuditPage(
  db: Db,
  { before, ...filters }: AuditFilters & { before?: string | undefined },
): Promise<AuditPage> {
  const [milliseconds, id] = before?.split('.').map(Number) ?? []
  const after = milliseconds === undefined || id === undefined ? null : { createdAt: new Date(milliseconds), id }
  const found = await matching(db, filters, after, auditPageSize + 1)
  const shown = found.slice(0, auditPageSize)
  const last = shown.at(-1)
  const people = await db.selectFrom('staff').select(['id', 'name', 'email']).orderBy('email').execute()
  return {
    entries: shown.map((entry) => ({ ...entry, created_at: entry.created_at.toISOString() })),
    next: found.length > shown.length && last ? `${last.created_at.getTime()}.${last.id}` : null,
    people: people.map((person) => ({ id: person.id, name: person.name || person.email })),
  }
}

/**
 * All entries that match, as CSV with a header line. Reads batches as the receiver takes them. A text that a spreadsheet
 * would run as a formula begins with an apostrophe.
 */
export function exportAudit(db: Db, filters: AuditFilters): ReadableStream {
  async function* batches() {
    let after: Place | null = null
    for (;;) {
      const found: EntryRow[] = await matching(db, filters, after, batchSize)
      yield* found.map(csvRow)
      const last = found.at(-1)
      if (last === undefined || found.length < batchSize) return
      after = { createdAt: last.created_at, id: last.id }
    }
  }
  const csv = stringify({ ...csvOptions, columns })
  return Readable.toWeb(Readable.from(batches()).compose(csv)) as ReadableStream
}

const columns = ['time', 'person', 'person id', 'action', 'kind', 'id', 'address', 'browser', 'details']

const csvRow = (entry: EntryRow) => [
  entry.created_at.toISOString(),
  entry.staff_name ?? '',
  entry.staff_id ?? '',
  entry.action,
  entry.row_kind ?? '',
  entry.row_id ?? '',
  entry.address ?? '',
  entry.user_agent ?? '',
  JSON.stringify(entry.details),
]
