import { sql, type Transaction, type UpdateObject } from 'kysely'
import { fromKysely, type JobWithMetadata } from 'pg-boss'
import * as z from 'zod/mini'
import type { Business } from '../../src/schemas/business.ts'
import {
  type BeginCsvImport,
  type CsvImport,
  type CsvImportState,
  type CsvKind,
  type CsvMapping,
  type CsvOutcome,
  type CsvRows,
  csvLimits,
  csvOutcomes,
  endedImportStates,
  isEndedImport,
  workingImportStates,
} from '../../src/schemas/csv-import.ts'
import { type AuditActor, recordAudit } from '../audit/audit.ts'
import { cleanText } from '../clean-text.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import { type MaintenanceParts, repeat } from '../database/maintenance.ts'
import type { Row, Tables } from '../database/tables.ts'
import { codeOf, inTransaction } from '../database/transaction.ts'
import { type Jobs, jobDefaults, workDefaults } from '../jobs.ts'
import type { Logger } from '../logger.ts'
import type { ErasedPeople } from '../people/erased-people.ts'
import { keptColumns, type ReadRow, readRow } from './csv-values.ts'
import { guessMapping, savedMappingOf } from './guess-mapping.ts'
import { findEncoding, findSeparator, recordsOf, textsOf, UnreadableFile } from './read-csv.ts'
import { type Batch, emptyBatch, type StoredRow, storeImportsIn } from './store-imports.ts'

const queue = 'csv-import'
const jobData = z.object({ importId: z.string() })
const maxAttempts = 12
/** The number of imports that a list shows. */
const listed = 20

/** By kind: the kinds whose rows may wait for rows of this kind. */
const waitingFor: Record<CsvKind, readonly CsvKind[]> = {
  clients: ['orders'],
  orders: ['items', 'payments'],
  items: [],
  payments: [],
}

type ImportRow = Row<'csv_imports'>
type Counts = Partial<Record<CsvOutcome, number>>

export type CsvImports = ReturnType<typeof createCsvImports>

/**
 * Imports of CSV files as jobs that any process can run. A file is uploaded in parts, read into rows, checked, and then
 * stored. Each batch of rows is one transaction with the cursor of the import, so an interrupted step resumes where it was.
 */
export function createCsvImports({
  db,
  jobs,
  erasedPeople,
  business,
  clock,
  logger,
  batchRows = 500,
}: {
  db: Db
  jobs: Pick<Jobs, 'send' | 'createQueue' | 'work'>
  erasedPeople: Pick<ErasedPeople, 'hashesOfClient'>
  /** Dates without a zone are dates of its time zone. Amounts may have the marks of its currency. */
  business: Business
  clock: Pick<Clock, 'now'>
  logger: Pick<Logger, 'error'>
  /** Rows of one transaction. */
  batchRows?: number
}) {
  const now = () => new Date(clock.now())

  const locked = (trx: Db, id: string) =>
    trx.selectFrom('csv_imports').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

  const change = (trx: Db, id: string, values: Change) =>
    trx
      .updateTable('csv_imports')
      .set({ ...values, updated_at: now() })
      .where('id', '=', id)
      .execute()

  const enqueue = (trx: Transaction<Tables>, importId: string) =>
    jobs.send(queue, { importId }, { db: fromKysely(trx) })

  const record = (
    trx: Db,
    row: ImportRow,
    action: `csv-import.${'started' | 'completed' | 'cancelled'}`,
    by: AuditActor,
  ) =>
    recordAudit(trx, {
      at: clock.now(),
      by,
      action,
      row: { kind: 'csv-import', id: row.id },
      details: { kind: row.kind, rows: row.rows, ...countsOf(row) },
    })

  /** Moves an import into a state in which a job works on it. False if the import is in none of the states `from`. */
  async function advance(
    id: string,
    from: readonly CsvImportState[],
    { to, by, ...values }: Change & { to: (typeof workingImportStates)[number]; by: AuditActor },
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

  async function* partsOf(id: string): AsyncGenerator<Uint8Array> {
    for (let number = 0; ; number++) {
      const part = await db
        .selectFrom('csv_import_parts')
        .select('data')
        .where('import_id', '=', id)
        .where('number', '=', number)
        .executeTakeFirst()
      if (part === undefined) return
      yield part.data
    }
  }

  /** Runs `work` in a transaction that locks the import. False if the import has left the state. */
  const within = (
    id: string,
    state: CsvImportState,
    work: (trx: Transaction<Tables>, row: ImportRow) => Promise<void>,
  ): Promise<boolean> =>
    inTransaction(db, async (trx) => {
      const row = await locked(trx, id)
      if (row?.state !== state) return false
      await work(trx, row)
      return true
    })

  /** Reads the parts of the file into rows. A retry stores the same rows. */
  async function read(row: ImportRow, isRunning: () => void): Promise<void> {
    const encoding = await findEncoding(partsOf(row.id))
    let start = ''
    for await (const text of textsOf(partsOf(row.id), encoding)) {
      start += text
      if (start.length > 64 * 1024) break
    }
    const separator = findSeparator(start)
    let columns: string[] | null = null
    let rows = 0
    const examples: string[][] = []
    let batch: { line: number; cells: string[] }[] = []
    const flush = async () => {
      isRunning()
      const values = batch
      batch = []
      if (values.length === 0) return true
      return within(row.id, 'reading', async (trx) => {
        await sql`insert into csv_import_rows (import_id, line, cells)
          select ${row.id}, line, cells from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) as given (line integer, cells jsonb)
          on conflict do nothing`.execute(trx)
        await change(trx, row.id, { done: rows })
      })
    }
    for await (const { line, cells } of recordsOf(textsOf(partsOf(row.id), encoding), separator)) {
      const clean = cells.map(cleanText)
      if (columns === null) {
        columns = headerOf(clean)
        continue
      }
      rows += 1
      if (examples.length < exampleRows) examples.push(clean)
      batch.push({ line, cells: clean })
      if (batch.length >= batchRows && !(await flush())) return
    }
    if (columns === null || rows === 0) throw new UnreadableFile('The file has no rows below its header.')
    if (!(await flush())) return
    const header = columns
    await within(row.id, 'reading', async (trx) => {
      const saved = await trx
        .selectFrom('csv_mappings')
        .select('mapping')
        .where('kind', '=', row.kind)
        .executeTakeFirst()
      await change(trx, row.id, {
        state: 'mapping',
        encoding,
        separator,
        columns: JSON.stringify(header),
        mapping: JSON.stringify(guessMapping(row.kind, header, examples, saved?.mapping ?? null, business)),
        rows,
        done: rows,
      })
      await trx.deleteFrom('csv_import_parts').where('import_id', '=', row.id).execute()
    })
  }

  /** Stores the outcome that the run would have for each row of the next batch. False if there are no more rows. */
  async function checkBatch(trx: Transaction<Tables>, row: ImportRow, mapping: CsvMapping): Promise<boolean> {
    const staged = await trx
      .selectFrom('csv_import_rows')
      .select(['line', 'cells'])
      .where('import_id', '=', row.id)
      .where('line', '>', row.cursor)
      .orderBy('line')
      .limit(batchRows)
      .execute()
    const last = staged.at(-1)
    if (last === undefined) return false
    const options = { mapping, columns: row.columns.length, business }
    const readRows = staged.map(({ line, cells }) => ({ line, read: readRow(row.kind, cells, options) }))
    const keys = readRows.flatMap(({ read }) => (typeof read === 'string' ? [] : read.key))
    const { rows: earlier } = await sql<{ external_id: string; count: number }>`
      select external_id, count(*)::integer as count from csv_import_rows
      where import_id = ${row.id} and line <= ${row.cursor} and external_id = any(${keys}::text[])
      group by external_id`.execute(trx)
    const occurrences = new Map(earlier.map(({ external_id, count }) => [external_id, count]))
    const checked = readRows.map(({ line, read }) => {
      if (typeof read === 'string') return { line, refused: read } as const
      const occurrence = (occurrences.get(read.key) ?? 0) + 1
      occurrences.set(read.key, occurrence)
      if (occurrence > 1 && !read.isDerived)
        return { line, refused: 'An earlier row of the file has the same id.' } as const
      return { line, read, occurrence } as const
    })
    const values = checked.flatMap((one) => (one.read === undefined ? [] : batchValues(one.read, one.occurrence)))
    const stored = await storeImportsIn(trx, batchOf(row.kind, values), {
      erasedPeople,
      kept: keptColumns(mapping),
      isDryRun: true,
    })
    const results = checked.map((one) => {
      if (one.read === undefined) {
        return { line: one.line, external_id: null, occurrence: 1, outcome: 'refused' as const, reason: one.refused }
      }
      const { line, read, occurrence } = one
      const result = resultIn(stored[row.kind], externalIdOf(read.key, occurrence))
      return { line, external_id: read.key, occurrence, ...result }
    })
    await sql`update csv_import_rows set external_id = given.external_id, occurrence = given.occurrence,
        outcome = given.outcome, reason = given.reason
      from jsonb_to_recordset(${JSON.stringify(results)}::jsonb)
        as given (line integer, external_id text, occurrence integer, outcome text, reason text)
      where import_id = ${row.id} and csv_import_rows.line = given.line`.execute(trx)
    await change(trx, row.id, { cursor: last.line, done: row.done + staged.length, ...added(row, results) })
    return true
  }

  /** Imports the next batch of rows. False if there are no more rows. */
  async function runBatch(trx: Transaction<Tables>, row: ImportRow, mapping: CsvMapping): Promise<boolean> {
    const staged = await trx
      .selectFrom('csv_import_rows')
      .select(['line', 'cells', 'external_id', 'occurrence'])
      .where('import_id', '=', row.id)
      .where('line', '>', row.cursor)
      .where('outcome', '<>', 'refused')
      .orderBy('line')
      .limit(batchRows)
      .execute()
    const last = staged.at(-1)
    if (last === undefined) return false
    const options = { mapping, columns: row.columns.length, business }
    const values = staged.flatMap(({ cells, occurrence }) => {
      const read = readRow(row.kind, cells, options)
      return typeof read === 'string' ? [] : batchValues(read, occurrence)
    })
    const stored = await storeImportsIn(trx, batchOf(row.kind, values), { erasedPeople, kept: keptColumns(mapping) })
    const results = staged.map(({ line, external_id, occurrence }) => ({
      line,
      ...resultIn(stored[row.kind], externalIdOf(external_id ?? '', occurrence)),
    }))
    const kept = results.filter(({ reason }) => reason !== null)
    await trx
      .deleteFrom('csv_import_rows')
      .where('import_id', '=', row.id)
      .where('line', 'in', [-1, ...results.filter(({ reason }) => reason === null).map(({ line }) => line)])
      .execute()
    await sql`update csv_import_rows set outcome = given.outcome, reason = given.reason
      from jsonb_to_recordset(${JSON.stringify(kept)}::jsonb) as given (line integer, outcome text, reason text)
      where import_id = ${row.id} and csv_import_rows.line = given.line`.execute(trx)
    await change(trx, row.id, { cursor: last.line, done: row.done + staged.length, ...added(row, results) })
    return true
  }

  /** Checks or imports batches until the import has no more rows. */
  async function workThrough(id: string, state: 'checking' | 'running', isRunning: () => void): Promise<void> {
    for (let hasMore = true; hasMore; ) {
      isRunning()
      const isActive = await within(id, state, async (trx, row) => {
        if (row.mapping === null) throw new Error('a CSV import has no mapping')
        hasMore = await (state === 'checking' ? checkBatch : runBatch)(trx, row, row.mapping)
        if (!hasMore && state === 'checking') await change(trx, id, { state: 'checked' })
        if (!hasMore && state === 'running') await complete(trx, row)
      })
      if (!isActive) return
    }
  }

  async function complete(trx: Transaction<Tables>, row: ImportRow): Promise<void> {
    await change(trx, row.id, { state: 'completed', finished_at: now() })
    await record(trx, row, 'csv-import.completed', row.actor)
    const kinds = waitingFor[row.kind]
    if (row.created === 0 || kinds.length === 0) return
    // Rows of earlier files may have waited for these rows.
    const others = await trx
      .updateTable('csv_imports')
      .set({
        state: 'running',
        cursor: 0,
        done: sql`rows - waiting`,
        waiting: 0,
        finished_at: null,
        updated_at: now(),
      })
      .where('kind', 'in', kinds)
      .where('state', '=', 'completed')
      .where('waiting', '>', 0)
      .returning('id')
      .execute()
    for (const other of others) await enqueue(trx, other.id)
  }

  /** Runs the current step of an import. `isRunning` throws if the process is shutting down. */
  async function work(id: string, isRunning: () => void = () => undefined): Promise<void> {
    const row = await db.selectFrom('csv_imports').selectAll().where('id', '=', id).executeTakeFirst()
    try {
      if (row?.state === 'reading') await read(row, isRunning)
      else if (row?.state === 'checking' || row?.state === 'running') await workThrough(id, row.state, isRunning)
    } catch (error) {
      if (error instanceof UnreadableFile) await fail(id, error.message)
      else throw error
    }
  }

  const fail = (id: string, error: string) =>
    inTransaction(db, async (trx) => {
      const row = await locked(trx, id)
      if (row === undefined || isEndedImport(row)) return
      await change(trx, id, { state: 'failed', error, finished_at: now() })
      await removeContent(trx, id)
    })

  async function removeContent(trx: Db, id: string): Promise<void> {
    await trx.deleteFrom('csv_import_parts').where('import_id', '=', id).execute()
    await trx.deleteFrom('csv_import_rows').where('import_id', '=', id).execute()
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
      const counts = { created: 0, changed: 0, unchanged: 0, waiting: 0, done: sql<number>`refused` }
      return advance(id, ['checked'], { to: 'running', by, ...counts }, (trx, checked) =>
        record(trx, checked, 'csv-import.started', by),
      )
    },

    /** Ends an import; stored rows stay. Null if there is no such import. */
    async cancel(id: string, by: AuditActor): Promise<CsvImport | null> {
      await inTransaction(db, async (trx) => {
        const row = await locked(trx, id)
        if (row === undefined || isEndedImport(row)) return
        await change(trx, id, { state: 'cancelled', finished_at: now() })
        await removeContent(trx, id)
        await record(trx, row, 'csv-import.cancelled', by)
      })
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

    /** The rows that were not stored, each with the reason in the last column. The first row is the header. */
    async *refusedRows(id: string): AsyncGenerator<string[]> {
      const row = await db.selectFrom('csv_imports').select('columns').where('id', '=', id).executeTakeFirst()
      if (row === undefined) return
      yield [...row.columns, 'Reason']
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
        for (const { cells, reason } of rows) {
          const padded = row.columns.map((_, index) => cells[index] ?? '')
          yield [...padded, ...cells.slice(padded.length), reason ?? '']
        }
        const last = rows.at(-1)
        if (last === undefined || rows.length < batchRows) return
        after = last.line
      }
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

    /** Starts the worker. */
    async start(): Promise<void> {
      await jobs.createQueue(queue, {
        ...jobDefaults,
        retryLimit: maxAttempts - 1,
        retryDelay: 5,
        retryDelayMax: 15 * 60,
        expireInSeconds: 60 * 60,
      })
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
          await fail(importId, 'The import failed. Choose the file again: rows that are already stored do not change.')
        }
      })
    },
  }
}

const sweepInterval = 60 * 60_000

/** Deletes old imports once an hour. Returns a stop function. */
export const startSweepingImports = (parts: MaintenanceParts, csvImports: Pick<CsvImports, 'sweep'>) =>
  repeat(parts, sweepInterval, csvImports.sweep)

class UnexpectedPart extends Error {}

type Change = UpdateObject<Tables, 'csv_imports'>

const exampleRows = 20
const shownExamples = 3
const exampleLength = 80

const noCounts = { created: 0, changed: 0, unchanged: 0, refused: 0, waiting: 0 }

/** The names of the columns; a column without a name is called by its place. */
function headerOf(cells: readonly string[]): string[] {
  if (cells.length > csvLimits.columns) throw new UnreadableFile(`The file has more than ${csvLimits.columns} columns.`)
  return cells.map((cell, index) => cell.trim().slice(0, csvLimits.name) || `Column ${index + 1}`)
}

const externalIdOf = (key: string, occurrence: number): string => (occurrence === 1 ? key : `${key}#${occurrence}`)

const batchValues = ({ key, value }: ReadRow, occurrence: number) => [
  {
    external_id: externalIdOf(key, occurrence),
    ...value,
    ...('itemId' in value ? { itemId: externalIdOf(value.itemId, occurrence) } : {}),
  },
]

/** The rows have the shape of their kind: `readRow` read them. */
const batchOf = (kind: CsvKind, values: readonly object[]): Batch => ({ ...emptyBatch, [kind]: values })

function resultIn(
  stored: ReadonlyMap<string, StoredRow>,
  externalId: string,
): { outcome: CsvOutcome; reason: string | null } {
  const row = stored.get(externalId)
  if (row === undefined) return { outcome: 'refused', reason: 'The row cannot be read with the chosen columns.' }
  return { outcome: row.result, reason: 'reason' in row ? row.reason : null }
}

const countsOf = (row: ImportRow) => Object.fromEntries(csvOutcomes.map((outcome) => [outcome, row[outcome]]))

/** The counts of an import after these results. */
const added = (row: ImportRow, results: readonly { outcome: CsvOutcome }[]): Counts =>
  Object.fromEntries(
    csvOutcomes.map((name) => [name, row[name] + results.filter(({ outcome }) => outcome === name).length]),
  )

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
