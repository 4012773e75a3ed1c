import { randomUUID } from 'node:crypto'
import { cpSync } from 'node:fs'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import type { OpenDatabase } from '../../server/database/database.ts'
import { embeddedDatabase, startEmbedded } from '../../server/database/embedded.ts'
import { databaseIn, openDatabase } from '../../server/database/open-database.ts'
import { kept, migratedImage } from '../migrated-image.ts'

/** `isMain` is true on the one database where also those tests run that do not depend on the kind. */
type Suite = (open: () => Promise<OpenDatabase>, isMain: boolean) => void

/** Read when needed, because the global set-up sets it after this module is loaded. */
const serverUrl = () => process.env['TEST_DATABASE_URL']

export type DatabaseKind = 'embedded' | 'server'
/** The kinds of database that there are. */
export const databaseKinds = (): readonly DatabaseKind[] =>
  serverUrl() === undefined ? ['embedded'] : ['embedded', 'server']
/** For tests that do not depend on the kind: PostgreSQL if there is one, because it opens faster. */
export const anyKind = (): DatabaseKind => (serverUrl() === undefined ? 'embedded' : 'server')

/**
 * Runs a suite on the PostgreSQL server in TEST_DATABASE_URL, or without one on the embedded database.
 * `open` gives the suite's own fresh database, opened once and closed after the suite.
 */
export function describeOnDatabase(name: string, suite: Suite): void {
  if (anyKind() === 'embedded') describeOnEmbedded(name, suite)
  else describeOnServer(name, suite)
}

/**
 * Runs a suite on both databases, because the code under test depends on which one it is. Tests of it that do not depend on
 * the kind come after `if (!isMain) return`.
 */
export function describeOnEachDatabase(name: string, suite: Suite): void {
  describeOnEmbedded(name, suite)
  describeOnServer(name, suite)
}

function describeOnEmbedded(name: string, suite: Suite): void {
  describe(`${name} (PGlite)`, () => suite(openedOnce(openEmbedded), serverUrl() === undefined))
}

function describeOnServer(name: string, suite: Suite): void {
  describe.skipIf(serverUrl() === undefined)(`${name} (PostgreSQL)`, () => suite(openedOnce(openOnServer), true))
}

/** A fresh embedded database for a suite. */
export async function openEmbedded(): Promise<OpenDatabase> {
  return embeddedDatabase(await startEmbedded({ image: await migratedImage() }))
}

/** A fresh database for a test that does not depend on the kind. */
export const openAny = (): Promise<OpenDatabase> => (anyKind() === 'embedded' ? openEmbedded() : openOnServer())

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

/** Creates the migrated, empty database of a data directory. */
export async function createEmbeddedIn(dataDir: string): Promise<void> {
  const migrated = await kept('directory', async (unfinished) => {
    const pglite = await startEmbedded({ directory: unfinished })
    await pglite.close()
  })
  cpSync(migrated, databaseIn(dataDir), { recursive: true })
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

/** Creates an empty database for a test and drops it afterwards. Needs TEST_DATABASE_URL. */
export const withFreshServerDatabase = (run: (databaseUrl: string) => Promise<void>) => runOn(createOnServer, run)

/** Creates a database with all migrations for a test and drops it afterwards. Needs TEST_DATABASE_URL. */
export const withMigratedServerDatabase = (run: (databaseUrl: string) => Promise<void>) =>
  runOn(createMigratedOnServer, run)

async function runOn(create: typeof createMigratedOnServer, run: (databaseUrl: string) => Promise<void>) {
  const { url, drop } = await create()
  try {
    await run(url)
  } finally {
    await drop()
  }
}

/** Creates a database on the server in TEST_DATABASE_URL: an empty one, or a copy of the template, which nobody uses. */
export async function createOnServer(template = 'template1'): Promise<{ url: string; drop: () => Promise<void> }> {
  const server = serverUrl()
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
