import { createHash, randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startEmbedded } from '../../server/database/embedded.ts'
import { closingScript, readMigrations } from '../../server/database/migrations.ts'

const directory = fileURLToPath(new URL('../../node_modules/.cache/staff-inbox-simulation', import.meta.url))

/**
 * A migrated, empty database. Creating one takes seconds, so it is kept for the next run. It is made with the real clock
 * and real random numbers, but holds no row that depends on them.
 */
export async function migratedImage(): Promise<Blob> {
  const version = readFileSync(new URL('../../node_modules/@electric-sql/pglite/package.json', import.meta.url), 'utf8')
  const schema = JSON.stringify([readMigrations(), closingScript])
  const hash = createHash('sha256').update(version).update(schema).digest('hex').slice(0, 16)
  const file = join(directory, `${hash}.tar`)
  if (!existsSync(file)) {
    mkdirSync(directory, { recursive: true })
    const pglite = await startEmbedded({ memory: true })
    const image = await pglite.dumpDataDir('none')
    await pglite.close()
    const unfinished = `${file}.${randomUUID()}`
    writeFileSync(unfinished, new Uint8Array(await image.arrayBuffer()))
    renameSync(unfinished, file)
  }
  return new Blob([readFileSync(file)])
}
