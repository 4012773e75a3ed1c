import * as z from 'zod/mini'
import { answerOf, count, id, moment } from './primitives.ts'

/** What the rows of a file are. Each kind is a file of its own. */
export const csvKinds = ['clients', 'orders', 'items', 'payments', 'products'] as const
export type CsvKind = (typeof csvKinds)[number]

/**
 * The maximum number of bytes of a file and of one part of it, of rows, of columns and of characters of a cell, of files
 * that are not done, and of rows that one answer shows. Days until what is left of an import is deleted.
 */
export const csvLimits = {
  bytes: 50 * 1024 * 1024,
  partBytes: 512 * 1024,
  rows: 250_000,
  columns: 100,
  cell: 10_000,
  name: 200,
  open: 10,
  shownRows: 50,
  keptDays: 7,
} as const

/** The fields of each kind. A file needs a column for every field in `neededFields`. */
export const csvFields = {
  clients: ['id', 'first_name', 'last_name', 'name', 'email', 'phone', 'company_name', 'classification'],
  orders: ['id', 'order_number', 'client', 'client_email', 'client_phone', 'status', 'total_amount', 'created_at'],
  items: ['id', 'order', 'name', 'quantity', 'unit_price'],
  payments: ['id', 'order', 'amount', 'status', 'created_at'],
  products: ['id', 'name', 'unit_price'],
} as const satisfies Record<CsvKind, readonly string[]>
export type CsvField = (typeof csvFields)[CsvKind][number]

/** Groups of fields. Of each group the file needs one column at least. */
const neededFields = {
  clients: [
    ['first_name', 'name'],
    ['last_name', 'name'],
    ['id', 'email', 'phone'],
  ],
  orders: [['order_number'], ['client', 'client_email', 'client_phone'], ['status'], ['total_amount'], ['created_at']],
  items: [['order'], ['name'], ['quantity']],
  payments: [['order'], ['amount'], ['status'], ['created_at']],
  products: [['id'], ['name'], ['unit_price']],
} as const satisfies Record<CsvKind, readonly (readonly CsvField[])[]>

/** How amounts are written: 1,234.50 or 1.234,50 or 123450 (in cents). */
export const amountFormats = ['point', 'comma', 'cents'] as const
export type AmountFormat = (typeof amountFormats)[number]
/** The order of the numbers of a date. Dates that begin with the year are read with every choice. */
export const dateFormats = ['mdy', 'dmy'] as const
export type DateFormat = (typeof dateFormats)[number]

const fieldName = z.enum([...new Set(csvKinds.flatMap((kind): readonly CsvField[] => csvFields[kind]))])

/** `fields` gives the index of the column of each field that the file has. */
export const csvMapping = z.object({
  fields: z.partialRecord(fieldName, z.number().check(z.int(), z.minimum(0), z.maximum(csvLimits.columns - 1))),
  amounts: z.enum(amountFormats),
  dates: z.enum(dateFormats),
})
export type CsvMapping = z.infer<typeof csvMapping>

/** The choices of the last file of a kind, with the names of the columns. */
const savedCsvMapping = z.object({
  fields: z.partialRecord(fieldName, z.string()),
  amounts: z.enum(amountFormats),
  dates: z.enum(dateFormats),
})
export type SavedCsvMapping = z.infer<typeof savedCsvMapping>

/** The first group of fields of which the file has no column; null if nothing is missing. */
export const missingFields = (kind: CsvKind, fields: CsvMapping['fields']): readonly CsvField[] | null =>
  neededFields[kind].find((group: readonly CsvField[]) => group.every((field) => fields[field] === undefined)) ?? null

const csvImportStates = [
  'uploading',
  'reading',
  'mapping',
  'checking',
  'checked',
  'running',
  'completed',
  'failed',
  'cancelled',
] as const
export type CsvImportState = (typeof csvImportStates)[number]

/** The states in which the server works on an import. */
export const workingImportStates = ['reading', 'checking', 'running'] as const satisfies CsvImportState[]
/** The states that an import does not leave, except that rows that waited run again. */
export const endedImportStates = ['completed', 'failed', 'cancelled'] as const satisfies CsvImportState[]

export const isWorkingImport = ({ state }: { state: CsvImportState }): boolean =>
  (workingImportStates as readonly CsvImportState[]).includes(state)
export const isEndedImport = ({ state }: { state: CsvImportState }): boolean =>
  (endedImportStates as readonly CsvImportState[]).includes(state)

/** `waiting`: the row names a client or an order that is not stored yet. */
export const csvOutcomes = ['created', 'changed', 'unchanged', 'refused', 'waiting'] as const
export type CsvOutcome = (typeof csvOutcomes)[number]

/**
 * An import of a file. `done` counts rows of the current step: reading, checking or running. The counts of outcomes are
 * those of the check until the run begins, then those of the run. `mapping` is the guess until a person chose.
 */
export const csvImport = z.object({
  id,
  kind: z.enum(csvKinds),
  file_name: z.string(),
  state: z.enum(csvImportStates),
  encoding: z.nullable(z.string()),
  separator: z.nullable(z.string()),
  columns: z.array(z.string()),
  /** The first cells of each column. */
  examples: z.array(z.array(z.string())),
  mapping: z.nullable(csvMapping),
  rows: count,
  done: count,
  created: count,
  changed: count,
  unchanged: count,
  refused: count,
  waiting: count,
  error: z.nullable(z.string()),
  started_by_name: z.nullable(z.string()),
  created_at: moment,
  finished_at: z.nullable(moment),
})
export type CsvImport = z.infer<typeof csvImport>
export const csvImportAnswer = answerOf(csvImport)

/** Newest first. */
export const csvImportsAnswer = answerOf(z.object({ imports: z.array(csvImport) }))

/** `id` is chosen by the browser, so that a retry begins one import. */
export const beginCsvImportBody = z.object({
  id: z.uuid(),
  kind: z.enum(csvKinds),
  file_name: z.string().check(z.minLength(1), z.maxLength(csvLimits.name)),
  bytes: z.number().check(z.int(), z.minimum(1), z.maximum(csvLimits.bytes)),
})
export type BeginCsvImport = z.infer<typeof beginCsvImportBody>

/** The bytes of one part, in base64. */
export const csvPartBody = z.object({
  data: z.string().check(z.minLength(1), z.maxLength(Math.ceil(csvLimits.partBytes / 3) * 4), z.regex(/^[\w+/]+=*$/)),
})

/** Rows with an outcome, by line. `next` is the `after` of the next page; null on the last one. */
export const csvRowsQuery = z.object({
  outcome: z.optional(z.enum(csvOutcomes)),
  after: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(1e9)), 0),
})
const csvRow = z.object({
  line: count,
  cells: z.array(z.string()),
  outcome: z.nullable(z.enum(csvOutcomes)),
  reason: z.nullable(z.string()),
})
export type CsvRow = z.infer<typeof csvRow>
export const csvRowsAnswer = answerOf(z.object({ rows: z.array(csvRow), next: z.nullable(count) }))
export type CsvRows = z.infer<typeof csvRowsAnswer>['data']
