import { type KyselyPlugin, sql } from 'kysely'
import { beforeEach, expect, it } from 'vitest'
import { serverActor } from '../../../server/audit/audit.ts'
import type { Db } from '../../../server/database/database.ts'
import { csvLimits } from '../../../src/schemas/csv-import.ts'
import { describeOnDatabase } from '../databases.ts'
import { clearBusiness, openCsvImports, storedBusiness } from './csv-harness.ts'

const clients = 'id,name\nc-1,Tala Bituin\nc-2,Luz Cruz\nc-3,Ben Reyes\nc-4,Ana Uy\nc-5,Cora Lim\n'
const orders = 'order no,client id,status,total,date\nSO-1,c-1,ready,5,2026-01-02\nSO-2,c-2,ready,6,2026-01-03\n'
const none = { created: 0, changed: 0, unchanged: 0, refused: 0, waiting: 0 }

/** Runs `before` once, before the statement with this number (the first is 0) is sent. */
const beforeStatement = (number: number, before: () => Promise<unknown> | never): KyselyPlugin => {
  let left = number
  return {
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      left -= 1
      if (left === 0) await before()
      return result
    },
  }
}

describeOnDatabase('An import of a CSV file that something interrupts', (open) => {
  let db: Db
  let csv: ReturnType<typeof openCsvImports>

  beforeEach(async () => {
    db = (await open()).db
    await clearBusiness(db)
    csv = openCsvImports(db, { batchRows: 2 })
  })

  /** Uploads a file whose reading is queued. */
  async function queue(file: string): Promise<string> {
    const id = '6f1b51b2-8d8c-4a0e-a31c-0a4a2b8e7c11'
    await csv.imports.begin({ id, kind: 'clients', file_name: 'a.csv', bytes: file.length }, serverActor)
    await csv.imports.addPart(id, 0, Buffer.from(file))
    await csv.imports.readFile(id, serverActor)
    csv.queued.length = 0
    return id
  }
  const die = () => Promise.reject(new Error('the process died'))

  it('reads the same rows after the reading broke off at any statement', async () => {
    for (let statement = 1; statement <= 16; statement++) {
      await clearBusiness(db)
      const id = await queue(clients)
      await csv
        .on(db.withPlugin(beforeStatement(statement, die)))
        .work(id)
        .catch(() => undefined)
      await csv.imports.work(id)
      expect([statement, await csv.find(id)]).toEqual([
        statement,
        expect.objectContaining({ state: 'mapping', rows: 5, done: 5 }),
      ])
      expect((await csv.rows(id)).map(({ line, cells }) => [line, cells[0]])).toEqual([
        [2, 'c-1'],
        [3, 'c-2'],
        [4, 'c-3'],
        [5, 'c-4'],
        [6, 'c-5'],
      ])
    }
  })

  it('stays cancelled when it is cancelled between two statements of a step', async () => {
    for (const step of ['reading', 'checking', 'running'] as const) {
      for (let statement = 1; statement <= 4; statement++) {
        await clearBusiness(db)
        const id = await queue(clients)
        if (step !== 'reading') {
          await csv.imports.work(id)
          const { mapping } = await csv.find(id)
          if (mapping !== null) await csv.imports.check(id, mapping, serverActor)
        }
        if (step === 'running') {
          await csv.workAll()
          await csv.imports.run(id, serverActor)
        }
        csv.queued.length = 0
        // A statement outside of a transaction, because the embedded database has one session.
        const cancel = () => (statement === 1 ? csv.imports.cancel(id, serverActor) : Promise.resolve())
        await csv.on(db.withPlugin(beforeStatement(1, cancel))).work(id)
        if (statement > 1) await csv.imports.cancel(id, serverActor)
        const { state, error } = await csv.find(id)
        if (statement === 1 || step !== 'running') expect([step, state, error]).toEqual([step, 'cancelled', null])
        if (statement === 1) expect(await sql`select * from csv_import_rows`.execute(db)).toMatchObject({ rows: [] })
      }
    }
  })

  it('counts each row once when the check begins again, and refuses a check once the rows are being stored', async () => {
    const id = await csv.upload('clients', clients)
    for (const _ of [1, 2]) {
      expect(await csv.check(id)).toMatchObject({ ...none, state: 'checked', created: 5, done: 5 })
    }
    const { mapping } = await csv.find(id)
    if (mapping === null) throw new Error('the import has no mapping')
    await csv.imports.run(id, serverActor)
    expect(await csv.imports.check(id, mapping, serverActor)).toBe(false)
    await csv.workAll()
    expect(await csv.find(id)).toMatchObject({ ...none, state: 'completed', created: 5, done: 5 })
    expect(await csv.imports.check(id, mapping, serverActor)).toBe(false)
    expect((await storedBusiness(db)).clients).toHaveLength(5)
  })

  it('does not begin to store a checked file when a later file brings what its rows wait for', async () => {
    const waiting = await csv.upload('orders', orders)
    expect(await csv.check(waiting)).toMatchObject({ ...none, state: 'checked', waiting: 2 })
    await csv.importFile('clients', clients)
    expect(await csv.find(waiting)).toMatchObject({ ...none, state: 'checked', waiting: 2 })
    expect((await storedBusiness(db)).orders).toEqual([])
    expect(await csv.run(waiting)).toMatchObject({ ...none, state: 'completed', created: 2 })
  })

  it('deletes an old import only while no job works on it', async () => {
    const id = await csv.upload('clients', clients)
    await csv.check(id)
    await csv.imports.run(id, serverActor)
    csv.clock.advance(csvLimits.keptDays * 24 * 60 * 60_000 + 1)
    await csv.imports.sweep()
    expect((await csv.find(id)).state).toBe('running')
  })

  it('refuses the second row with one id in a later batch, and continues lists after a full page', async () => {
    const ids = Array.from({ length: csvLimits.shownRows + 3 }, (_, index) => `c-${index}`)
    const large = openCsvImports(db)
    const repeated = await csv.upload('clients', `${clients}c-1,Tala Bituin\nc-1,Tala Bituin\n`)
    expect(await csv.check(repeated)).toMatchObject({ created: 5, refused: 2, done: 7 })

    const id = await large.upload('clients', `id,name\n${ids.map((one) => `${one},Luz\n`).join('')}`)
    expect(await large.check(id)).toMatchObject({ refused: ids.length })
    const shown: number[] = []
    for (let after: number | null = 0; after !== null; ) {
      const page = await large.imports.rows(id, { outcome: 'refused', after })
      shown.push(...page.rows.map(({ line }) => line))
      after = page.next
    }
    expect(shown).toEqual(ids.map((_, index) => index + 2))
    // Smaller batches than the number of rows.
    let file = ''
    for await (const part of csv.imports.refusedRows(id)) file += part
    const lines = file.replace('\ufeff', '').trimEnd().split(/\r?\n/)
    expect(lines.map((line) => line.split(',')[0])).toEqual(['id', ...ids])
  })
})
