import type { Business } from '../../src/schemas/business.ts'
import type { ExportFormat, ExportRequest } from '../../src/schemas/data-export.ts'
import { csvHead, csvRows } from '../csv.ts'
import type { Db } from '../database/database.ts'
import { type Row, sources } from './sources.ts'

/** The smallest possible key. */
const start = ''

/** All rows of a kind as the text of one file, in parts. Memory does not grow with the number of rows. */
export async function* exportData(
  db: Db,
  { kind, format }: ExportRequest,
  { currency }: Pick<Business, 'currency'>,
): AsyncGenerator<string> {
  const { columns, after } = sources[kind]
  const write = writers[format]
  yield write.head(columns)
  let isFirst = true
  for (let key: string | undefined = start; key !== undefined; ) {
    const { rows }: { rows: Row[] } = await after(key).execute(db)
    // All amounts are in the currency of the business.
    const shown = rows.map((row) => ({ ...row, currency }))
    if (rows.length > 0) yield write.rows(columns, shown, isFirst)
    isFirst = false
    key = rows.at(-1)?.key
  }
  yield write.tail
}

type Writer = {
  head: (columns: readonly string[]) => string
  rows: (columns: readonly string[], rows: readonly Row[], isFirst: boolean) => string
  tail: string
}

const writers: Record<ExportFormat, Writer> = {
  csv: {
    head: csvHead,
    rows: (columns, rows) => csvRows(rows.map((row) => columns.map((column) => cellOf(row[column])))),
    tail: '',
  },
  json: {
    head: () => '[',
    rows: (columns, rows, isFirst) =>
      `${isFirst ? '' : ','}\n${rows
        .map((row) => JSON.stringify(Object.fromEntries(columns.map((column) => [column, row[column] ?? null]))))
        .join(',\n')}`,
    tail: '\n]\n',
  },
}

function cellOf(value: unknown): string | number | null {
  if (value === null || value === undefined || typeof value === 'string' || typeof value === 'number')
    return value ?? null
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
