import { beforeEach, expect, it } from 'vitest'
import type { Db } from '../../../server/database/database.ts'
import { forgetStagedRowsOf } from '../../../server/people/staged-rows.ts'
import type { CsvKind, CsvMapping } from '../../../src/schemas/csv-import.ts'
import { describeOnDatabase } from '../databases.ts'

describeOnDatabase('forgetStagedRowsOf', (open) => {
  let db: Db

  beforeEach(async () => {
    db = (await open()).db
    await db.deleteFrom('csv_imports').execute()
    await db.deleteFrom('orders').execute()
    await db.deleteFrom('clients').execute()
  })

  async function stage(kind: CsvKind, fields: CsvMapping['fields'] | null, rows: readonly string[][]): Promise<void> {
    const at = new Date('2026-06-01T08:00:00Z')
    const mapping = fields === null ? null : JSON.stringify({ fields, amounts: 'point', dates: 'mdy' })
    const actor = JSON.stringify({ staffId: null, name: null, address: null, userAgent: null })
    await db
      .insertInto('csv_imports')
      .values({ id: kind, kind, file_name: 'f.csv', bytes: 1, mapping, actor, created_at: at, updated_at: at })
      .execute()
    await db
      .insertInto('csv_import_rows')
      .values(rows.map((cells, index) => ({ import_id: kind, line: index + 2, cells: JSON.stringify(cells) })))
      .execute()
  }
  const left = async () =>
    (
      await db
        .selectFrom('csv_import_rows')
        .select(['import_id', 'cells'])
        .orderBy('import_id')
        .orderBy('line')
        .execute()
    ).map(({ import_id, cells }) => [import_id, ...cells])

  it('deletes the rows about the client and its orders, and no row with the same text in another column', async () => {
    const client = { id: 'k1', external_id: '7', email: 'Ana@example.com', phone: '+63 917 123 4567' }
    await db
      .insertInto('clients')
      .values({ ...client, first_name: 'Ana', last_name: 'Cruz' })
      .execute()
    await db
      .insertInto('orders')
      .values({
        id: 'o1',
        client_id: 'k1',
        order_number: '5',
        external_id: null,
        status: 'pending',
        total_amount: '1',
        items: '[]',
      })
      .execute()
    await stage('clients', { id: 0, name: 1, phone: 2 }, [
      ['7', 'Ana Cruz', ''],
      ['8', '7', ''],
      ['9', 'Ben Uy', '0917-123-4567'],
      ['alias of 7', 'Ana Cruz', ''],
    ])
    // What the check found out about the last one.
    await db.updateTable('csv_import_rows').set({ target: 'k1' }).where('line', '=', 5).execute()
    await stage('orders', { client: 0, order_number: 1, total_amount: 2 }, [
      ['7', '6', '1'],
      ['8', '5', '1'],
      ['8', '6', '7'],
    ])
    await stage('items', { order: 0, quantity: 1 }, [
      ['5', '1'],
      ['6', '5'],
    ])
    await stage('payments', null, [
      ['5', 'ana@example.com'],
      ['5', 'ben@example.com'],
    ])
    await forgetStagedRowsOf(db, client, 'PH')
    expect(await left()).toEqual([
      ['clients', '8', '7', ''],
      ['items', '6', '5'],
      ['orders', '8', '6', '7'],
      ['payments', '5', 'ben@example.com'],
    ])
  })
})
