import { sql, type Transaction } from 'kysely'
import { fromKysely, type JobWithMetadata } from 'pg-boss'
import * as z from 'zod/mini'
import type { Business } from '../../src/schemas/business.ts'
import {
  type BeginCsvImport,
  type CsvImport,
  type CsvImportState,
  type CsvMapping,
  type CsvOutcome,
  type CsvRows,
  csvLimits,
  endedImportStates,
  isEndedImport,
  workingImportStates,
} from '../../src/schemas/csv-import.ts'
import type { AuditActor } from '../audit/audit.ts'
import { cleanText } from '../clean-text.ts'
import type { Clock } from '../clock.ts'
import { csvHead, csvRows } from '../csv.ts'
import { batchSize } from '../database/batches.ts'
import type { Db } from '../database/database.ts'
import { type MaintenanceParts, repeat } from '../database/maintenance.ts'
import type { Tables } from '../database/tables.ts'
import { codeOf, inTransaction } from '../database/transaction.ts'
import { type Jobs, jobDefaults, workDefaults } from '../jobs.ts'
import type { Logger } from '../logger.ts'
import type { ErasedPeople } from '../people/erased-people.ts'
import { savedMappingOf } from './guess-mapping.ts'
import { createImportSteps, exampleRows } from './import-steps.ts'
import { type ImportChange, type ImportRow, openImportTable } from './import-table.ts'

const queue = 'csv-import'
const jobData = z.object({ importId: z.string() })
const maxAttempts = 12
/** Seconds, at most, between two attempts of a job. */
const maxRetryDelay = 15 * 60
/** A job that works on an import changes it more often. Milliseconds. */
const lostAfter = 2 * maxRetryDelay * 1000
/** The number of imports that a list shows. */
const listed = 20

export type CsvImports = ReturnType<typeof createCsvImports>

/** Imports of CSV files as jobs that any process can run. A file is uploaded in parts, read into rows, checked, and stored. */
export function createCsvImports({
  db,
  jobs,
  erasedPeople,
  business,
  clock,
  logger,
  batchRows = batchSize,
}: {
  db: Db
  jobs: Pick<Jobs, 'send' | 'createQueue' | 'work'>
  erasedPeople: Pick<ErasedPeople, 'hashesOfClient'>
  business: Business
  clock: Pick<Clock, 'now'>
  logger: Pick<Logger, 'error'>
  /** Rows of one transaction. */
  batchRows?: number
}) {
  const imports = openImportTable({ db, clock })
  const { now, locked, change, within, record, end } = imports
  const work = createImportSteps({ db, imports, erasedPeople, business, batchRows })

  const enqueue = (trx: Transaction<Tables>, importId: string) =>
    jobs.send(queue, { importId }, { db: fromKysely(trx) })

  /** Moves an import into a state in which a job works on it. False if the import is in none of the states `from`. */
  async function advance(
    id: string,
    from: readonly CsvImportState[],
    { to, by, ...values }: ImportChange & { to: (typeof workingImportStates)[number]; by: AuditActor },
    also: (trx: Transaction<Tables>, row: ImportRow) => Promise<void> = async () => undefined,
  ): Promise<boolean> {
    return inTransaction(db, async (trx) => {
      const row = await locked(trx, id)
      if (row === undefined || !from.includes(row.state)) return false
      await also(trx, row)
      await change(trx, id, { cursor: 0, done: 0, ...values, state: to, error: null, actor: JSON.stringify(by) })
      await enqueue(trx, id)
      return true
    })
  }

  const shown = (trx: Db) =>
    trx
      .selectFrom('csv_imports')
      .leftJoin('staff', 'staff.id', 'csv_imports.started_by')
      .selectAll('csv_imports')
      .select(sql<string | null>`coalesce(staff.name, staff.email)`.as('started_by_name'))

  async function find(id: string): Promise<CsvImport | null> {
    const row = await shown(db).where('csv_imports.id', '=', id).executeTakeFirst()
    if (row === undefined) return null
    const examples = await db
      .selectFrom('csv_import_rows')
      .select('cells')
      .where('import_id', '=', id)
      .orderBy('line')
      .limit(exampleRows)
      .execute()
    return toAnswer(
      row,
      row.columns.map((_, index) =>
        examples.flatMap(({ cells }) => cells[index]?.slice(0, exampleLength) || []).slice(0, shownExamples),
      ),
    )
  }

  return {
    find,
    work,

    /** Newest first. */
    async list(): Promise<CsvImport[]> {
      const rows = await shown(db).orderBy('csv_imports.created_at', 'desc').limit(listed).execute()
      return rows.map((row) => toAnswer(row, []))
    },

    /** Begins an import; idempotent by its id. Null if too many imports are not done. */
    async begin(body: BeginCsvImport, by: AuditActor): Promise<CsvImport | null> {
      const begun = await inTransaction(db, async (trx) => {
        await sql`select pg_advisory_xact_lock(hashtextextended('staff-inbox csv imports', 0))`.execute(trx)
        const known = await trx.selectFrom('csv_imports').select('id').where('id', '=', body.id).executeTakeFirst()
        if (known !== undefined) return true
        const open = await trx
          .selectFrom('csv_imports')
          .select('id')
          .where('state', 'not in', [...endedImportStates])
          .execute()
        if (open.length >= csvLimits.open) return false
        await trx
          .insertInto('csv_imports')
          .values({
            ...body,
            file_name: cleanText(body.file_name),
            started_by: by.staffId,
            actor: JSON.stringify(by),
            created_at: now(),
            updated_at: now(),
          })
          .execute()
        return true
      })
      return begun ? find(body.id) : null
    },

    /** Stores a part of the file; idempotent. False if the import accepts no part with this number and length. */
    async addPart(id: string, number: number, data: Uint8Array): Promise<boolean> {
      return within(id, 'uploading', async (trx, row) => {
        const first = number * csvLimits.partBytes
        const expected = Math.min(csvLimits.partBytes, Number(row.bytes) - first)
        if (data.byteLength !== expected) throw new UnexpectedPart()
        await trx
          .insertInto('csv_import_parts')
          .values({ import_id: id, number, data })
          .onConflict((conflict) => conflict.columns(['import_id', 'number']).doUpdateSet({ data }))
          .execute()
        await change(trx, id, {})
      }).catch((error: unknown) => {
        if (error instanceof UnexpectedPart) return false
        throw error
      })
    },

    /** Reads the uploaded file. Idempotent. False if a part is missing, or the import has ended. */
    async readFile(id: string, by: AuditActor): Promise<boolean> {
      const row = await db.selectFrom('csv_imports').select(['state', 'bytes']).where('id', '=', id).executeTakeFirst()
      if (row === undefined || isEndedImport(row)) return false
      if (row.state !== 'uploading') return true
      const { rows } = await sql<{ bytes: number }>`select coalesce(sum(octet_length(data)), 0)::integer as bytes
        from csv_import_parts where import_id = ${id}`.execute(db)
      if (rows[0]?.bytes !== Number(row.bytes)) return false
      return advance(id, ['uploading'], { to: 'reading', by })
    },

    /**
     * Begins the check, and stores the mapping for the next file of the kind. False before the file is read, and once the
     * run has begun.
     */
    check: (id: string, mapping: CsvMapping, by: AuditActor): Promise<boolean> =>
      advance(
        id,
        ['mapping', 'checked', 'checking'],
        { to: 'checking', by, mapping: JSON.stringify(mapping), ...noCounts },
        async (trx, row) => {
          const saved = JSON.stringify(savedMappingOf(mapping, row.columns))
          await trx
            .insertInto('csv_mappings')
            .values({ kind: row.kind, mapping: saved })
            .onConflict((conflict) => conflict.column('kind').doUpdateSet({ mapping: saved }))
            .execute()
        },
      ),

    /** Begins the run, which stores the rows; idempotent. False if the import is not checked. */
    async run(id: string, by: AuditActor): Promise<boolean> {
      const row = await db.selectFrom('csv_imports').select('state').where('id', '=', id).executeTakeFirst()
      if (row?.state === 'running' || row?.state === 'completed') return true
      // Rows that the check refused are done.
      const counts = {
        created: 0,
        changed: 0,
        unchanged: 0,
        waiting: 0,
        done: sql<number>`refused`,
        waiting_before: null,
      }
      return advance(id, ['checked'], { to: 'running', by, ...counts }, (trx, checked) =>
        record(trx, checked, 'csv-import.started', by),
      )
    },

    /** Ends an import; stored rows stay. Null if there is no such import. */
    async cancel(id: string, by: AuditActor): Promise<CsvImport | null> {
      await end(id, { state: 'cancelled' }, (trx, row) => record(trx, row, 'csv-import.cancelled', by))
      return find(id)
    },

    /** Rows by line, with their outcome. */
    async rows(id: string, { outcome, after }: { outcome?: CsvOutcome | undefined; after: number }): Promise<CsvRows> {
      let found = db
        .selectFrom('csv_import_rows')
        .select(['line', 'cells', 'outcome', 'reason'])
        .where('import_id', '=', id)
        .where('line', '>', after)
      if (outcome !== undefined) found = found.where('outcome', '=', outcome)
      const rows = await found
        .orderBy('line')
        .limit(csvLimits.shownRows + 1)
        .execute()
      const page = rows.slice(0, csvLimits.shownRows)
      return { rows: page, next: rows.length > page.length ? (page.at(-1)?.line ?? null) : null }
    },

    /** The rows that were not stored, as the parts of a CSV file with the reason in the last column. */
    async *refusedRows(id: string): AsyncGenerator<string> {
      const row = await db.selectFrom('csv_imports').select('columns').where('id', '=', id).executeTakeFirst()
      if (row === undefined) return
      yield csvHead([...row.columns, 'Reason'])
      for (let after = 0; ; ) {
        const rows = await db
          .selectFrom('csv_import_rows')
          .select(['line', 'cells', 'reason'])
          .where('import_id', '=', id)
          .where('line', '>', after)
          .where('outcome', 'in', ['refused', 'waiting'])
          .orderBy('line')
          .limit(batchRows)
          .execute()
        const last = rows.at(-1)
        if (last === undefined) return
        yield csvRows(
          rows.map(({ cells, reason }) => {
            const padded = row.columns.map((_, index) => cells[index] ?? '')
            return [...padded, ...cells.slice(padded.length), reason ?? '']
          }),
        )
        after = last.line
      }
    },

    /**
     * Tries waiting rows again if a client or an order was stored since, and resumes imports whose job was lost when a
     * process stopped in its last attempt.
     */
    async resume(): Promise<void> {
      await inTransaction(db, async (trx) => {
        const retried = await trx
          .updateTable('csv_imports')
          .set({
            state: 'running',
            cursor: 0,
            done: sql`rows - waiting`,
            waiting: 0,
            waiting_before: sql`waiting`,
            retries_waiting: false,
            finished_at: null,
            updated_at: now(),
          })
          .where('state', '=', 'completed')
          .where('waiting', '>', 0)
          .where('retries_waiting', '=', true)
          .returning('id')
          .execute()
        const lost = await trx
          .updateTable('csv_imports')
          .set({ updated_at: now() })
          .where('state', 'in', [...workingImportStates])
          .where('updated_at', '<', new Date(clock.now() - lostAfter))
          .returning('id')
          .execute()
        for (const { id } of [...retried, ...lost]) await enqueue(trx, id)
      })
    },

    /** Deletes imports that have not changed for `csvLimits.keptDays`, with their rows. */
    async sweep(): Promise<void> {
      const before = new Date(clock.now() - csvLimits.keptDays * 24 * 60 * 60_000)
      await db
        .deleteFrom('csv_imports')
        .where('updated_at', '<', before)
        .where('state', 'not in', [...workingImportStates])
        .execute()
    },

    /** To be called before routes are served, because they queue jobs. */
    createQueue: () =>
      jobs.createQueue(queue, {
        ...jobDefaults,
        retryLimit: maxAttempts - 1,
        retryDelay: 5,
        retryDelayMax: maxRetryDelay,
        expireInSeconds: 60 * 60,
      }),

    /** Starts the worker. */
    async start(): Promise<void> {
      await jobs.work(queue, workDefaults, async ([job]: JobWithMetadata<unknown>[]) => {
        if (job === undefined) return
        const { importId } = jobData.parse(job.data)
        try {
          await work(importId, () => {
            if (job.signal.aborted) throw new Error('interrupted (the process is shutting down)')
          })
        } catch (error) {
          if (job.signal.aborted || job.retryCount < job.retryLimit) throw new Error(`interrupted (${codeOf(error)})`)
          logger.error({ importId, code: codeOf(error) }, 'an import of a CSV file failed')
          const advice = 'The import failed. Choose the file again: rows that are already stored do not change.'
          await end(importId, { state: 'failed', error: advice })
        }
      })
    },
  }
}

const sweepInterval = 60 * 60_000
const resumeInterval = 10_000

/** Deletes old imports once an hour, and resumes imports. Returns a stop function. */
export function startMaintainingImports(parts: MaintenanceParts, csvImports: Pick<CsvImports, 'sweep' | 'resume'>) {
  const stops = [repeat(parts, sweepInterval, csvImports.sweep), repeat(parts, resumeInterval, csvImports.resume)]
  return async () => {
    for (const stop of stops) await stop()
  }
}

class UnexpectedPart extends Error {}

const shownExamples = 3
const exampleLength = 80

const noCounts = { created: 0, changed: 0, unchanged: 0, refused: 0, waiting: 0 }

const toAnswer = (
  { columns, ...row }: ImportRow & { started_by_name: string | null },
  examples: string[][],
): CsvImport => ({
  id: row.id,
  kind: row.kind,
  file_name: row.file_name,
  state: row.state,
  encoding: row.encoding,
  separator: row.separator,
  columns,
  examples,
  mapping: row.mapping,
  rows: row.rows,
  done: row.done,
  created: row.created,
  changed: row.changed,
  unchanged: row.unchanged,
  refused: row.refused,
  waiting: row.waiting,
  error: row.error,
  started_by_name: row.started_by_name,
  created_at: row.created_at.toISOString(),
  finished_at: row.finished_at?.toISOString() ?? null,
})
