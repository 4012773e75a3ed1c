import { createHash, randomUUID } from 'node:crypto'
import {
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startEmbedded } from '../server/database/embedded.ts'
import { closingScript, readMigrations } from '../server/database/migrations.ts'

const imageDirectory = fileURLToPath(new URL('../node_modules/.cache/staff-inbox-tests', import.meta.url))

/** Milliseconds. Suites of one run use several images: a deliberate fault of the simulation may change a migration. */
const keptFor = 24 * 60 * 60_000

/**
 * A migrated, empty database. Creating one takes seconds, so it is kept for later suites and runs. It is made with the real
 * clock and real random numbers, but holds no row that depends on them.
 */
export async function migratedImage(): Promise<Blob> {
  const file = await kept('tar', async (unfinished) => {
    const pglite = await startEmbedded({ memory: true })
    const image = await pglite.dumpDataDir('none')
    await pglite.close()
    writeFileSync(unfinished, new Uint8Array(await image.arrayBuffer()))
  })
  // The file is read now, because another suite may delete it.
  return new Blob([readFileSync(file)])
}

/** The file or directory that `create` made for these migrations, in this run or an earlier one. */
export async function kept(extension: string, create: (unfinished: string) => Promise<void>): Promise<string> {
  const version = readFileSync(new URL('../node_modules/@electric-sql/pglite/package.json', import.meta.url), 'utf8')
  const schema = JSON.stringify([readMigrations(), closingScript])
  const hash = createHash('sha256').update(version).update(schema).digest('hex').slice(0, 16)
  const path = join(imageDirectory, `${hash}.${extension}`)
  if (existsSync(path)) {
    // Its age counts from its last use.
    utimesSync(path, new Date(), new Date())
    return path
  }
  mkdirSync(imageDirectory, { recursive: true })
  for (const name of globSync(`*.${extension}`, { cwd: imageDirectory })) {
    const image = join(imageDirectory, name)
    const usedAt = statSync(image, { throwIfNoEntry: false })?.mtimeMs ?? 0
    if (usedAt < Date.now() - keptFor) rmSync(image, { recursive: true, force: true })
  }
  const unfinished = join(imageDirectory, randomUUID())
  await create(unfinished)
  try {
    renameSync(unfinished, path)
  } catch (error) {
    // Another suite was faster.
    if (!existsSync(path)) throw error
    rmSync(unfinished, { recursive: true })
  }
  return path
}
