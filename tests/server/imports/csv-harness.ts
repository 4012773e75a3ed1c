import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { pino } from 'pino'
import { serverActor } from '../../../server/audit/audit.ts'
import type { Db } from '../../../server/database/database.ts'
import { createCsvImports } from '../../../server/imports/csv-imports.ts'
import { createErasedPeople } from '../../../server/people/erased-people.ts'
import { defaultBusiness } from '../../../src/schemas/business.ts'
import { type CsvImport, type CsvKind, type CsvMapping, csvLimits } from '../../../src/schemas/csv-import.ts'
import { manualClock } from '../manual-clock.ts'

export const erasedPeople = createErasedPeople(new Uint8Array(32).fill(3), 'PH')

/** Imports of files without the job queue: `workAll` runs the steps that jobs run. */
export function openCsvImports(db: Db, { batchRows = 500 } = {}) {
  const clock = manualClock()
  const queued: string[] = []
  const parts = {
    db,
    jobs: {
      send: async (_queue: string, data: { importId: string }) => {
        queued.push(data.importId)
        return null
      },
      createQueue: async () => undefined,
      work: async () => '',
    } as never,
    erasedPeople,
    business: defaultBusiness,
    clock,
    logger: pino({ level: 'silent' }),
    batchRows,
  }
  const imports = createCsvImports(parts)

  /** Does all jobs. `of` may be another process. */
  async function workAll(of = imports) {
    for (let id = queued.shift(); id !== undefined; id = queued.shift()) await of.work(id)
  }

  async function upload(kind: CsvKind, file: string | Uint8Array): Promise<string> {
    const data = typeof file === 'string' ? Buffer.from(file) : file
    const id = randomUUID()
    await imports.begin({ id, kind, file_name: `${kind}.csv`, bytes: data.byteLength }, serverActor)
    for (let number = 0; number * csvLimits.partBytes < data.byteLength; number++) {
      const first = number * csvLimits.partBytes
      await imports.addPart(id, number, data.subarray(first, first + csvLimits.partBytes))
    }
    await imports.readFile(id, serverActor)
    await workAll()
    return id
  }

  /** Tries waiting rows again until nothing is left to try. */
  async function resumeAll() {
    for (;;) {
      await imports.resume()
      if (queued.length === 0) return
      await workAll()
    }
  }

  const find = async (id: string): Promise<CsvImport> => {
    const found = await imports.find(id)
    if (found === null) throw new Error('the import is gone')
    return found
  }

  async function check(id: string, change: Partial<CsvMapping> = {}): Promise<CsvImport> {
    const { mapping } = await find(id)
    if (mapping === null) throw new Error('the import has no mapping')
    await imports.check(id, { ...mapping, ...change }, serverActor)
    await workAll()
    return find(id)
  }

  async function run(id: string): Promise<CsvImport> {
    await imports.run(id, serverActor)
    await workAll()
    await resumeAll()
    return find(id)
  }

  return {
    imports,
    clock,
    queued,
    workAll,
    resumeAll,
    upload,
    find,
    check,
    run,
    /** The imports of another process, whose connection breaks. */
    on: (other: Db) => createCsvImports({ ...parts, db: other }),
    /** Uploads, checks with the guessed mapping and stores. */
    importFile: async (kind: CsvKind, file: string | Uint8Array): Promise<CsvImport> => {
      const id = await upload(kind, file)
      await check(id)
      return run(id)
    },
    rows: async (id: string) => (await imports.rows(id, { after: 0 })).rows,
  }
}

/** The stored clients, orders and payments, with external ids in place of ids. */
export async function storedBusiness(db: Db) {
  const { rows: clients } = await sql`
    select external_id, first_name, last_name, email, phone, company_name, classification, is_active
    from clients order by external_id`.execute(db)
  const { rows: orders } = await sql`
    select o.external_id, order_number, c.external_id as client, status, total_amount::text as total, o.items, o.created_at
    from orders o join clients c on c.id = client_id order by o.external_id`.execute(db)
  const { rows: payments } = await sql`
    select p.external_id, o.external_id as "order", amount::text as amount, p.status, p.created_at
    from payments p join orders o on o.id = order_id order by p.external_id`.execute(db)
  return { clients, orders, payments }
}

export async function clearBusiness(db: Db): Promise<void> {
  for (const table of ['csv_imports', 'csv_mappings', 'erased_clients', 'clients', 'audit_entries'] as const) {
    if (table === 'audit_entries')
      await sql`select forget_audit_entries(now() + interval '100 years', null, null)`.execute(db)
    else await db.deleteFrom(table).execute()
  }
}
