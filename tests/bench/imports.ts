import { performance } from 'node:perf_hooks'
import { sql } from 'kysely'
import { serverActor } from '../../server/audit/audit.ts'
import type { Db } from '../../server/database/database.ts'
import { createCsvImports } from '../../server/imports/csv-imports.ts'
import { createErasedPeople } from '../../server/people/erased-people.ts'
import { defaultBusiness } from '../../src/schemas/business.ts'
import { type CsvKind, csvLimits } from '../../src/schemas/csv-import.ts'
import { openEmbedded } from '../server/databases.ts'
import { onPostgres } from './queries.ts'

/** Seconds of each step, and the memory of the process above the start, in MB. */
export type ImportFigures = {
  database: string
  rows: number
  file: string
  upload: number
  read: number
  check: number
  run: number
  again: number
  memory: number
}

/** Rows of the file of orders; a tenth of them are clients. */
export const fullImport = 100_000
export const quickImport = 5_000

/** Imports clients, then orders of them, and the orders a second time. */
export async function measureImports(rows: number, databaseUrl: string | undefined): Promise<ImportFigures[]> {
  const embedded = await openEmbedded()
  try {
    const figures = [await measure('embedded', embedded.db, rows)]
    if (databaseUrl !== undefined)
      await onPostgres(databaseUrl, async ({ db }) => {
        figures.push(await measure('PostgreSQL', db, rows))
      })
    return figures
  } finally {
    await embedded.close()
  }
}

async function measure(database: string, db: Db, rows: number): Promise<ImportFigures> {
  const imports = createCsvImports({
    db,
    jobs: { send: async () => null, createQueue: async () => undefined, work: async () => '' } as never,
    erasedPeople: createErasedPeople(new Uint8Array(32), 'PH'),
    business: defaultBusiness,
    clock: { now: Date.now },
    logger: { error: () => undefined },
  })
  const clients = Math.max(1, rows / 10)
  await importFile(
    imports,
    'clients',
    fileOf('id,first name,last name,email', clients, (n) => `c-${n},Tala,Bituin ${n},t${n}@example.com`),
  )
  const file = fileOf(
    'order no,customer id,status,total,date',
    rows,
    (n) => `SO-${n},c-${n % clients},ready,"1,${String(100 + (n % 900))}.50",01/15/2026 2:30 PM`,
  )
  globalThis.gc?.()
  const before = process.memoryUsage().rss
  let peak = before
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage().rss)
  }, 50)
  try {
    const first = await importFile(imports, 'orders', file)
    const second = await importFile(imports, 'orders', file)
    const { rows: counted } = await sql<{ count: number }>`select count(*)::integer as count from orders`.execute(db)
    if (counted[0]?.count !== rows || second.unchanged !== rows) throw new Error('the import stored other rows')
    const { upload, read, check, run } = first
    const again = second.upload + second.read + second.check + second.run
    const megabytes = `${(file.byteLength / 1024 / 1024).toFixed(1)} MB`
    const memory = (peak - before) / 1024 / 1024
    return { database, rows, file: megabytes, upload, read, check, run, again, memory }
  } finally {
    clearInterval(timer)
  }
}

const fileOf = (header: string, rows: number, rowOf: (n: number) => string): Buffer =>
  Buffer.from(`${header}\n${Array.from({ length: rows }, (_, n) => rowOf(n)).join('\n')}\n`)

async function importFile(imports: ReturnType<typeof createCsvImports>, kind: CsvKind, file: Buffer) {
  const id = crypto.randomUUID()
  const timed = async (step: () => Promise<unknown>): Promise<number> => {
    const start = performance.now()
    await step()
    return (performance.now() - start) / 1000
  }
  const upload = await timed(async () => {
    await imports.begin({ id, kind, file_name: 'file.csv', bytes: file.byteLength }, serverActor)
    for (let number = 0; number * csvLimits.partBytes < file.byteLength; number++) {
      const first = number * csvLimits.partBytes
      await imports.addPart(id, number, file.subarray(first, first + csvLimits.partBytes))
    }
  })
  await imports.readFile(id, serverActor)
  const read = await timed(() => imports.work(id))
  const mapping = (await imports.find(id))?.mapping
  if (mapping == null) throw new Error('the file was not read')
  await imports.check(id, mapping, serverActor)
  const check = await timed(() => imports.work(id))
  await imports.run(id, serverActor)
  const run = await timed(() => imports.work(id))
  const done = await imports.find(id)
  if (done?.state !== 'completed' || done.refused + done.waiting > 0) throw new Error('rows were not imported')
  return { upload, read, check, run, unchanged: done.unchanged }
}
