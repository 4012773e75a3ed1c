import type { Transaction, UpdateObject } from 'kysely'
import { type CsvImportState, csvOutcomes, isEndedImport } from '../../src/schemas/csv-import.ts'
import { type AuditActor, recordAudit } from '../audit/audit.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import { lockImports } from '../database/import-lock.ts'
import type { Row, Tables } from '../database/tables.ts'
import { inTransaction } from '../database/transaction.ts'

export type ImportRow = Row<'csv_imports'>
export type ImportChange = UpdateObject<Tables, 'csv_imports'>

export type ImportTable = ReturnType<typeof openImportTable>

/** The rows of `csv_imports`. Every change of an import holds the lock of its row. */
export function openImportTable({ db, clock }: { db: Db; clock: Pick<Clock, 'now'> }) {
  const now = () => new Date(clock.now())

  const locked = (trx: Db, id: string) =>
    trx.selectFrom('csv_imports').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

  const change = (trx: Db, id: string, values: ImportChange) =>
    trx
      .updateTable('csv_imports')
      .set({ ...values, updated_at: now() })
      .where('id', '=', id)
      .execute()

  /** Runs `work` in a transaction that locks the import. False if the import has left the state. */
  const within = (
    id: string,
    state: CsvImportState,
    work: (trx: Transaction<Tables>, row: ImportRow) => Promise<void>,
  ): Promise<boolean> =>
    inTransaction(db, async (trx) => {
      // In this order, because a batch that is stored changes the rows of other imports.
      if (state === 'running') await lockImports(trx)
      const row = await locked(trx, id)
      if (row?.state !== state) return false
      await work(trx, row)
      return true
    })

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

  /** Ends an import. False if there is no such import, or it has ended. */
  const end = (
    id: string,
    values: { state: 'failed'; error: string } | { state: 'cancelled' },
    also: (trx: Transaction<Tables>, row: ImportRow) => Promise<void> = async () => undefined,
  ): Promise<boolean> =>
    inTransaction(db, async (trx) => {
      const row = await locked(trx, id)
      if (row === undefined || isEndedImport(row)) return false
      await change(trx, id, { ...values, finished_at: now() })
      await trx.deleteFrom('csv_import_parts').where('import_id', '=', id).execute()
      await trx.deleteFrom('csv_import_rows').where('import_id', '=', id).execute()
      await also(trx, row)
      return true
    })

  return { now, locked, change, within, record, end }
}

const countsOf = (row: ImportRow) => Object.fromEntries(csvOutcomes.map((outcome) => [outcome, row[outcome]]))
