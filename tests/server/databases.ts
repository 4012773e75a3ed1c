import { createHash, randomUUID } from 'node:crypto'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import type { OpenDatabase } from '../../server/database/database.ts'
import { embeddedDatabase, startEmbedded } from '../../server/database/embedded.ts'
import { closingScript, readMigrations } from '../../server/database/migrations.ts'
import { databaseIn, openDatabase } from '../../server/database/open-database.ts'

const imageDirectory = fileURLToPath(new URL('../../node_modules/.cache/staff-inbox-tests', import.meta.url))

/**
 * Runs a suite on the embedded database and, when TEST_DATABASE_URL names a server, on that Postgres too.
 * `open` gives the suite's own fresh database, opened once and closed after the suite.
 */
export function describeOnEachDatabase(name: string, suite: (open: () => Promise<OpenDatabase>) => void): void {
  describe(`${name} (PGlite)`, () => suite(openedOnce(openEmbedded)))
  describeOnServer(`${name} (PostgreSQL)`, suite)
}

/** Runs a suite on PostgreSQL only. */
function describeOnServer(name: string, suite: (open: () => Promise<OpenDatabase>) => void): void {
  const server = process.env['TEST_DATABASE_URL']
  describe.skipIf(server === undefined)(name, () => suite(openedOnce(openOnServer)))
}

/** A fresh embedded database for a suite. */
export async function openEmbedded(): Promise<OpenDatabase> {
  return embeddedDatabase(await startEmbedded({ image: await migratedImage() }))
}

function openedOnce(openFresh: () => Promise<OpenDatabase>): () => Promise<OpenDatabase> {
  let opened: Promise<OpenDatabase> | undefined
  beforeAll(() => {
    opened = undefined
  })
  afterAll(async () => {
    await (await opened)?.close()
  })
  return () => {
    opened ??= openFresh()
    return opened
  }
}

/** Creating a cluster takes seconds, so the first suite saves an image for the others. */
async function migratedImage(): Promise<Blob> {
  const file = await kept('tar', async (unfinished) => {
    const pglite = await startEmbedded({ memory: true })
    const image = await pglite.dumpDataDir('none')
    await pglite.close()
    writeFileSync(unfinished, new Uint8Array(await image.arrayBuffer()))
  })
  // Read at once: another suite may replace the file.
  return new Blob([readFileSync(file)])
}

/** Creates the migrated, empty database of a data directory. */
export async function createEmbeddedIn(dataDir: string): Promise<void> {
  const migrated = await kept('directory', async (unfinished) => {
    const pglite = await startEmbedded({ directory: unfinished })
    await pglite.close()
  })
  cpSync(migrated, databaseIn(dataDir), { recursive: true })
}

/** The file or directory that `create` made for these migrations, in this run or an earlier one. */
async function kept(extension: string, create: (unfinished: string) => Promise<void>): Promise<string> {
  const version = readFileSync(new URL('../../node_modules/@electric-sql/pglite/package.json', import.meta.url), 'utf8')
  const schema = JSON.stringify([readMigrations(), closingScript])
  const hash = createHash('sha256').update(version).update(schema).digest('hex').slice(0, 16)
  const path = join(imageDirectory, `${hash}.${extension}`)
  if (existsSync(path)) return path
  mkdirSync(imageDirectory, { recursive: true })
  for (const outdated of globSync(`*.${extension}`, { cwd: imageDirectory }))
    rmSync(join(imageDirectory, outdated), { recursive: true, force: true })
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

/** A fresh database with all migrations on the server in TEST_DATABASE_URL. */
async function openOnServer(): Promise<OpenDatabase> {
  const { url, drop } = await createMigratedOnServer()
  const database = await openDatabase({ databaseUrl: url })
  return {
    ...database,
    close: async () => {
      await database.close()
      await drop()
    },
  }
}

/** Creates an empty database for a suite and drops it afterwards. Needs TEST_DATABASE_URL. */
export async function withFreshServerDatabase(run: (databaseUrl: string) => Promise<void>): Promise<void> {
  const { url, drop } = await createOnServer()
  try {
    await run(url)
  } finally {
    await drop()
  }
}

/** Creates a database on the server in TEST_DATABASE_URL: an empty one, or a copy of the template, which nobody uses. */
export async function createOnServer(template = 'template1'): Promise<{ url: string; drop: () => Promise<void> }> {
  const server = process.env['TEST_DATABASE_URL']
  if (server === undefined) throw new Error('TEST_DATABASE_URL is not set')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await administer(server, `create database ${name} template ${template} strategy file_copy`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => administer(server, `drop database ${name} with (force)`) }
}

/** Creates a database with all migrations for a suite. Needs TEST_DATABASE_URL. */
export function createMigratedOnServer(): Promise<{ url: string; drop: () => Promise<void> }> {
  return createOnServer(process.env[migratedDatabaseSetting])
}

/** Names a migrated database on the server, which is copied because migrating takes longer. */
const migratedDatabaseSetting = 'TEST_MIGRATED_DATABASE'

/** Creates the database that each suite gets a copy of. Returns what drops it. */
export async function migrateForCopies(): Promise<() => Promise<void>> {
  const { url, drop } = await createOnServer()
  const database = await openDatabase({ databaseUrl: url })
  await database.close()
  process.env[migratedDatabaseSetting] = new URL(url).pathname.slice(1)
  return drop
}

/** Waits until PostgreSQL has ended the sessions of connections that were closed. */
export async function connectionsEnded(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    const others = async () =>
      (
        await client.query(
          "select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'",
        )
      ).rows
    await expect.poll(others, { timeout: 10_000 }).toEqual([])
  } finally {
    await client.end()
  }
}

async function administer(server: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}
