import { Hono } from 'hono'
import * as z from 'zod/mini'
import {
  beginCsvImportBody,
  csvImportAnswer,
  csvImportsAnswer,
  csvLimits,
  csvMapping,
  csvPartBody,
  csvRowsAnswer,
  csvRowsQuery,
  missingFields,
} from '../../src/schemas/csv-import.ts'
import { exportAnswer } from '../../src/schemas/data-export.ts'
import { successAnswer } from '../../src/schemas/primitives.ts'
import { createAttempts } from '../auth/attempts.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import type { CsvImports } from '../imports/csv-imports.ts'
import { described, refuse, refuseTooMany, valid } from './answers.ts'
import { type Authenticated, requirePermission } from './authentication.ts'
import type { BeginDownload } from './exports.ts'

const tag = 'CSV import'
const unknownImport = 'There is no such import'
/** The imports that one staff member may begin within `window` milliseconds. */
const maxBegun = { max: 60, window: 60 * 60_000 }

const byId = z.object({ id: z.string().check(z.maxLength(100)) })
const byPart = z.object({
  id: z.string().check(z.maxLength(100)),
  number: z.coerce.number().check(z.int(), z.minimum(0), z.maximum(Math.ceil(csvLimits.bytes / csvLimits.partBytes))),
})

/** Imports of CSV files (feature 'csv-import'), to be mounted at /api/imports. */
export function createCsvImportRoutes({
  db,
  csvImports,
  beginDownload,
  clock,
}: {
  db: Db
  csvImports: CsvImports
  beginDownload: BeginDownload
  clock: Clock
}) {
  const attempts = createAttempts({ db, clock })

  const answer = async (id: string) => {
    const data = await csvImports.find(id)
    return data === null ? null : ({ success: true, data } satisfies z.infer<typeof csvImportAnswer>)
  }

  return new Hono<Authenticated>()
    .get(
      '/',
      described({ tag, summary: 'The latest imports, newest first', answer: csvImportsAnswer }),
      requirePermission('imports.manage'),
      async (c) =>
        c.json({ success: true, data: { imports: await csvImports.list() } } satisfies z.infer<
          typeof csvImportsAnswer
        >),
    )
    .post(
      '/',
      described({
        tag,
        takesBody: true,
        summary: 'Begin an import; idempotent by its id',
        answer: csvImportAnswer,
        refusals: { 409: 'There are too many imports that are not done', 429: 'Too many imports in an hour' },
      }),
      requirePermission('imports.manage'),
      valid('json', beginCsvImportBody),
      async (c) => {
        const key = `csv-import ${c.get('staff').id}`
        if ((await attempts.take([{ key, ...maxBegun }])) === null) return refuseTooMany(c)
        const data = await csvImports.begin(c.req.valid('json'), c.get('actor'))
        if (data === null)
          return refuse(c, 409, `${csvLimits.open} imports are not done. Finish or cancel one of them first.`)
        return c.json({ success: true, data } satisfies z.infer<typeof csvImportAnswer>)
      },
    )
    .get(
      '/:id',
      described({
        tag,
        summary: 'An import with its progress',
        answer: csvImportAnswer,
        refusals: { 404: unknownImport },
      }),
      requirePermission('imports.manage'),
      valid('param', byId),
      async (c) => {
        const found = await answer(c.req.valid('param').id)
        return found === null ? refuse(c, 404, unknownImport) : c.json(found)
      },
    )
    .put(
      '/:id/parts/:number',
      described({
        tag,
        takesBody: true,
        summary: `Upload a part of the file: ${csvLimits.partBytes} bytes, fewer in the last; idempotent`,
        answer: successAnswer,
        refusals: { 409: 'The import accepts no such part' },
      }),
      requirePermission('imports.manage'),
      valid('param', byPart),
      valid('json', csvPartBody),
      async (c) => {
        const { id, number } = c.req.valid('param')
        const isStored = await csvImports.addPart(id, number, Buffer.from(c.req.valid('json').data, 'base64'))
        if (!isStored) return refuse(c, 409, 'The import accepts no such part')
        return c.json({ success: true } satisfies z.infer<typeof successAnswer>)
      },
    )
    .post(
      '/:id/read',
      described({
        tag,
        summary: 'Read the uploaded file; idempotent',
        answer: csvImportAnswer,
        refusals: { 404: unknownImport, 409: 'A part is missing, or the import has ended' },
      }),
      requirePermission('imports.manage'),
      valid('param', byId),
      async (c) => {
        const { id } = c.req.valid('param')
        const isReading = await csvImports.readFile(id, c.get('actor'))
        const found = await answer(id)
        if (found === null) return refuse(c, 404, unknownImport)
        return isReading ? c.json(found) : refuse(c, 409, 'A part is missing, or the import has ended')
      },
    )
    .post(
      '/:id/check',
      described({
        tag,
        takesBody: true,
        summary: 'Begin the check, which shows the result of each row; the mapping is kept for the next file',
        answer: csvImportAnswer,
        refusals: {
          404: unknownImport,
          409: 'The file is not read, or its rows are being stored',
          422: 'A column is missing',
        },
      }),
      requirePermission('imports.manage'),
      valid('param', byId),
      valid('json', csvMapping),
      async (c) => {
        const { id } = c.req.valid('param')
        const mapping = c.req.valid('json')
        const known = await csvImports.find(id)
        if (known === null) return refuse(c, 404, unknownImport)
        const isBeyond = Object.values(mapping.fields).some((index) => index >= known.columns.length)
        if (isBeyond || missingFields(known.kind, mapping.fields) !== null) return refuse(c, 422, 'A column is missing')
        if (!(await csvImports.check(id, mapping, c.get('actor'))))
          return refuse(c, 409, 'The file is not read, or its rows are being stored')
        return c.json((await answer(id)) ?? { success: true, data: known })
      },
    )
    .post(
      '/:id/run',
      described({
        tag,
        summary: 'Store the checked rows; idempotent',
        answer: csvImportAnswer,
        refusals: { 404: unknownImport, 409: 'The rows are not checked' },
      }),
      requirePermission('imports.manage'),
      valid('param', byId),
      async (c) => {
        const { id } = c.req.valid('param')
        const isRunning = await csvImports.run(id, c.get('actor'))
        const found = await answer(id)
        if (found === null) return refuse(c, 404, unknownImport)
        return isRunning ? c.json(found) : refuse(c, 409, 'The rows are not checked')
      },
    )
    .post(
      '/:id/cancel',
      described({
        tag,
        summary: 'Cancel an import; stored rows stay. Idempotent',
        answer: csvImportAnswer,
        refusals: { 404: unknownImport },
      }),
      requirePermission('imports.manage'),
      valid('param', byId),
      async (c) => {
        const data = await csvImports.cancel(c.req.valid('param').id, c.get('actor'))
        if (data === null) return refuse(c, 404, unknownImport)
        return c.json({ success: true, data } satisfies z.infer<typeof csvImportAnswer>)
      },
    )
    .get(
      '/:id/rows',
      described({ tag, summary: 'Rows by line, of one outcome or of all', answer: csvRowsAnswer }),
      requirePermission('imports.manage'),
      valid('param', byId),
      valid('query', csvRowsQuery),
      async (c) => {
        const data = await csvImports.rows(c.req.valid('param').id, c.req.valid('query'))
        return c.json({ success: true, data } satisfies z.infer<typeof csvRowsAnswer>)
      },
    )
    .post(
      '/:id/refused-rows',
      described({
        tag,
        summary:
          'The address of a download of the rows that were not stored, as CSV with the reason in the last column. It works once within a minute, and is recorded',
        answer: exportAnswer,
        refusals: { 404: unknownImport, 429: 'Too many exports in an hour', 503: 'Too many exports are running' },
      }),
      requirePermission('imports.manage'),
      valid('param', byId),
      async (c) => {
        const { id } = c.req.valid('param')
        const found = await csvImports.find(id)
        if (found === null) return refuse(c, 404, unknownImport)
        const details = { kind: found.kind, refused: found.refused, waiting: found.waiting }
        return beginDownload(c, { refused_of: id }, { row: { kind: 'csv-import', id }, details })
      },
    )
}
