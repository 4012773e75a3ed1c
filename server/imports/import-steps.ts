import { sql, type Transaction } from 'kysely'
import type { Business } from '../../src/schemas/business.ts'
import { type CsvKind, type CsvMapping, type CsvOutcome, csvLimits, csvOutcomes } from '../../src/schemas/csv-import.ts'
import { cleanText } from '../clean-text.ts'
import type { Db } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import type { ErasedPeople } from '../people/erased-people.ts'
import { type Batch, emptyBatch, type StoredRow } from './batch.ts'
import { keptColumns, type ReadRow, readRow } from './csv-values.ts'
import { guessMapping } from './guess-mapping.ts'
import type { ImportRow, ImportTable } from './import-table.ts'
import { findEncoding, findSeparator, recordsOf, textsOf, UnreadableFile } from './read-csv.ts'
import type { EarlierRows } from './store-each.ts'
import { storeImportsIn } from './store-imports.ts'

/** The first rows, from which the examples of a column are taken. */
export const exampleRows = 20

/**
 * The steps of an import that a job runs: a file is read into rows, which are checked and then stored. Each batch of rows is
 * one transaction with the cursor of the import, so an interrupted step resumes where it was.
 */
export function createImportSteps({
  db,
  imports: { now, change, within, record, end },
  erasedPeople,
  business,
  batchRows,
}: {
  db: Db
  imports: ImportTable
  erasedPeople: Pick<ErasedPeople, 'hashesOfClient'>
  /** Dates without a zone are dates of its time zone. Amounts may have the marks of its currency. */
  business: Business
  /** Rows of one transaction. */
  batchRows: number
}) {
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

  /** Checks the next batch of rows, or stores it if the import runs. False if there are no more rows. */
  async function nextBatch(trx: Transaction<Tables>, row: ImportRow, mapping: CsvMapping): Promise<boolean> {
    const isDryRun = row.state === 'checking'
    const staged = await trx
      .selectFrom('csv_import_rows')
      .select(['line', 'cells', 'external_id', 'occurrence', 'joins'])
      .where('import_id', '=', row.id)
      .where('line', '>', row.cursor)
      .$if(!isDryRun, (rows) => rows.where('outcome', '<>', 'refused'))
      .orderBy('line')
      .limit(batchRows)
      .execute()
    const last = staged.at(-1)
    if (last === undefined) return false
    const options = { mapping, columns: row.columns.length, business }
    const readRows = staged.map((one) => ({ ...one, read: readRow(row.kind, one.cells, options) }))
    const identified = isDryRun ? await identify(trx, row, readRows) : readRows
    const values = identified.flatMap(({ read, occurrence, joins }) =>
      typeof read === 'string' ? [] : { ...batchValue(read, occurrence), joins },
    )
    const stored = await storeImportsIn(trx, batchOf(row.kind, values), {
      erasedPeople,
      kept: keptColumns(mapping),
      file: { timeZone: business.time_zone },
      check: isDryRun ? earlierRows(trx, row) : undefined,
    })
    const results = identified.map(({ line, occurrence, read, joins }) => {
      const unread = { external_id: null, occurrence: 1, target: null, part: null, joins: null }
      if (typeof read === 'string') return { line, ...unread, outcome: 'refused' as const, reason: read }
      const result = resultIn(stored[row.kind], externalIdOf(read.key, occurrence))
      return { line, external_id: read.key, occurrence, joins, ...targetOf(read, occurrence, result), ...result }
    })
    const isKept = ({ outcome }: { outcome: CsvOutcome }) => isDryRun || isNotStored(outcome)
    await trx
      .deleteFrom('csv_import_rows')
      .where('import_id', '=', row.id)
      .where('line', 'in', [-1, ...results.filter((result) => !isKept(result)).map(({ line }) => line)])
      .execute()
    await sql`update csv_import_rows set external_id = given.external_id, occurrence = given.occurrence,
        outcome = given.outcome, reason = given.reason, target = given.target, part = given.part, joins = given.joins
      from jsonb_to_recordset(${JSON.stringify(results.filter(isKept))}::jsonb)
        as given (line integer, external_id text, occurrence integer, outcome text, reason text, target text, part text,
          joins text)
      where import_id = ${row.id} and csv_import_rows.line = given.line`.execute(trx)
    await change(trx, row.id, { cursor: last.line, done: row.done + staged.length, ...added(row, results) })
    return true
  }

  /** Numbers the rows that have the same derived id, and refuses rows with an id of an earlier row. */
  async function identify(
    trx: Transaction<Tables>,
    row: ImportRow,
    rows: readonly { line: number; read: ReadRow | string }[],
  ): Promise<{ line: number; read: ReadRow | string; occurrence: number; joins: null }[]> {
    const keys = rows.flatMap(({ read }) => (typeof read === 'string' ? [] : read.key))
    const { rows: earlier } = await sql<{ external_id: string; count: number }>`
      select external_id, count(*)::integer as count from csv_import_rows
      where import_id = ${row.id} and line <= ${row.cursor} and external_id = any(${keys}::text[])
      group by external_id`.execute(trx)
    const occurrences = new Map(earlier.map(({ external_id, count }) => [external_id, count]))
    return rows.map(({ line, read }) => {
      if (typeof read === 'string') return { line, read, occurrence: 1, joins: null }
      const occurrence = (occurrences.get(read.key) ?? 0) + 1
      occurrences.set(read.key, occurrence)
      const isRepeated = occurrence > 1 && !read.isDerived
      return { line, read: isRepeated ? repeatedReason(read) : read, occurrence, joins: null }
    })
  }

  /** Checks or stores batches until the import has no more rows. */
  async function workThrough(id: string, state: 'checking' | 'running', isRunning: () => void): Promise<void> {
    for (let hasMore = true; hasMore; ) {
      isRunning()
      const isActive = await within(id, state, async (trx, row) => {
        if (row.mapping === null) throw new Error('a CSV import has no mapping')
        hasMore = await nextBatch(trx, row, row.mapping)
        if (!hasMore && state === 'checking') await change(trx, id, { state: 'checked' })
        if (!hasMore && state === 'running') await complete(trx, row)
      })
      if (!isActive) return
    }
  }

  async function complete(trx: Transaction<Tables>, row: ImportRow): Promise<void> {
    await change(trx, row.id, { state: 'completed', finished_at: now() })
    // A retry that stored nothing is not recorded.
    if (row.waiting !== row.waiting_before) await record(trx, row, 'csv-import.completed', row.actor)
  }

  /** Runs the current step of an import. `isRunning` throws if the process is shutting down. */
  return async (id: string, isRunning: () => void = () => undefined): Promise<void> => {
    const row = await db.selectFrom('csv_imports').selectAll().where('id', '=', id).executeTakeFirst()
    try {
      if (row?.state === 'reading') await read(row, isRunning)
      else if (row?.state === 'checking' || row?.state === 'running') await workThrough(id, row.state, isRunning)
    } catch (error) {
      if (!(error instanceof UnreadableFile)) throw error
      await end(id, { state: 'failed', error: error.message })
    }
  }
}

/** The names of the columns; a column without a name is called by its place. */
function headerOf(cells: readonly string[]): string[] {
  if (cells.length > csvLimits.columns) throw new UnreadableFile(`The file has more than ${csvLimits.columns} columns.`)
  return cells.map((cell, index) => cell.trim().slice(0, csvLimits.name) || `Column ${index + 1}`)
}

const externalIdOf = (key: string, occurrence: number): string => (occurrence === 1 ? key : `${key}#${occurrence}`)

const repeatedReason = ({ keyOf }: ReadRow): string => `An earlier row of the file has the same ${keyOf}.`

const batchValue = ({ key, value }: ReadRow, occurrence: number) => ({
  external_id: externalIdOf(key, occurrence),
  ...value,
  ...('itemId' in value ? { itemId: externalIdOf(value.itemId, occurrence) } : {}),
})

const isNotStored = (outcome: CsvOutcome): boolean => outcome === 'refused' || outcome === 'waiting'

/** What no other row of the file may change if this row is stored. */
function targetOf(
  { value }: ReadRow,
  occurrence: number,
  { outcome, id }: { outcome: CsvOutcome; id: string },
): { target: string | null; part: string | null } {
  if (isNotStored(outcome)) return { target: null, part: null }
  if ('order_number' in value) return { target: cleanText(value.order_number), part: null }
  if ('itemId' in value) return { target: id, part: externalIdOf(value.itemId, occurrence) }
  return { target: id === '' ? null : id, part: null }
}

/** The rows of the file before the next batch of its check. */
function earlierRows(trx: Transaction<Tables>, { id, cursor, created }: ImportRow): EarlierRows {
  const rowsOf = (targets: readonly string[]) =>
    trx
      .selectFrom('csv_import_rows')
      .where('import_id', '=', id)
      .where('line', '<=', cursor)
      .where(sql<boolean>`target = any(${[...targets]}::text[])`)
  return {
    created,
    async targets(targets) {
      const rows = await rowsOf(targets).select('target').distinct().execute()
      return new Set(rows.flatMap(({ target }) => target ?? []))
    },
    async items(orders) {
      const rows = await rowsOf(orders)
        .select(['target', sql<string[]>`array_agg(part)`.as('ids')])
        .select(sql<number>`(count(*) filter (where outcome = 'created'))::integer`.as('created'))
        .groupBy('target')
        .execute()
      return new Map(
        rows.map(({ target, ids, created: added }) => [target ?? '', { ids: new Set(ids), created: added }]),
      )
    },
  }
}

/** The rows have the shape of their kind: `readRow` read them. */
const batchOf = (kind: CsvKind, values: readonly object[]): Batch => ({ ...emptyBatch, [kind]: values })

function resultIn(
  stored: ReadonlyMap<string, StoredRow>,
  externalId: string,
): { outcome: CsvOutcome; reason: string | null; id: string; joins?: string } {
  const row = stored.get(externalId)
  if (row === undefined)
    return { outcome: 'refused', reason: 'The row cannot be read with the chosen columns.', id: '' }
  if ('reason' in row) return { outcome: row.result, reason: row.reason, id: '' }
  const { result, note, id, joins } = row
  return { outcome: result, reason: note ?? null, id, ...(joins === undefined ? {} : { joins }) }
}

/** The counts of an import after these results. */
const added = (row: ImportRow, results: readonly { outcome: CsvOutcome }[]): Partial<Record<CsvOutcome, number>> =>
  Object.fromEntries(
    csvOutcomes.map((name) => [name, row[name] + results.filter(({ outcome }) => outcome === name).length]),
  )
