import { rm } from 'node:fs/promises'
import { lockDirectory } from '../database/directory-lock.ts'
import { openPglite } from '../database/embedded.ts'
import { assertDatabaseExists, databaseIn } from '../database/open-database.ts'
import { applicationName } from '../database/postgres.ts'
import { requestSnapshot } from '../database/snapshots.ts'
import { openFileStore } from '../files/open-file-store.ts'
import { keyringOf } from '../secrets.ts'
import type { Settings } from '../settings.ts'
import { StartupError } from '../startup-error.ts'
import { writeBackup } from './backup-file.ts'
import { dump, type FileCount } from './dump.ts'
import { type ErasedAfterBackup, openBackup, restore } from './restore.ts'
import { embeddedSession, type SqlSession, serverSession } from './session.ts'

type Place = Pick<Settings, 'databaseUrl' | 'dataDir'> &
  Partial<Pick<Settings, 'databaseDirectUrl'>> & { files: Pick<Settings['files'], 's3'> }
type Secrets = Pick<Settings, 'secretKeys' | 'secretKey'>

/**
 * Writes a backup of the database, and of the files of customers unless they are in a bucket, to a new file. Returns its
 * number of lines, and the number of files; null with a bucket. The server may run. Throws StartupError for problems that
 * the operator can fix.
 */
export async function backUp(
  { databaseUrl, databaseDirectUrl, dataDir, files: { s3 } }: Place,
  file: string,
  now: number,
): Promise<{ lines: number; files: FileCount | null }> {
  const store = s3 === undefined ? openFileStore({ dataDir, files: { s3 } }) : null
  const write = async (session: SqlSession) => {
    const { header, content, files } = await dump(session, { now, store })
    const lines = await writeBackup(file, header, content)
    return { lines, files: store === null ? null : files }
  }
  if (databaseUrl !== undefined) return onServer(databaseDirectUrl ?? databaseUrl, write)

  // The lock would create the directory.
  assertDatabaseExists({ dataDir })
  const unlock = tryLock(dataDir)
  if (unlock !== null) return inDirectory(databaseIn(dataDir), write).finally(unlock)
  const copy = await requestSnapshot(dataDir)
  return inDirectory(copy, write).finally(() => rm(copy, { recursive: true, force: true }))
}

/**
 * Restores a backup into the database; the server must be stopped. Throws StartupError for problems that the operator can
 * fix. People who were erased from the replaced database after the backup are erased again, unless `bringBackErased`.
 */
export async function restoreBackup(
  { databaseUrl, databaseDirectUrl, dataDir, files, secretKeys, secretKey }: Place & Secrets,
  file: string,
  { replace, bringBackErased }: { replace: boolean; bringBackErased: boolean },
): Promise<ErasedAfterBackup> {
  const backup = await openBackup(file)
  const options = {
    replace,
    bringBackErased,
    keyring: () => keyringOf({ secretKeys, secretKey, dataDir }),
    store: openFileStore({ dataDir, files }),
  }
  if (databaseUrl === undefined) {
    const unlock = lockDirectory(dataDir)
    return inDirectory(databaseIn(dataDir), (session) => restore(session, backup, options)).finally(unlock)
  }
  return onServer(databaseDirectUrl ?? databaseUrl, async (session) => {
    const query = `select count(*)::text from pg_stat_activity where datname = current_database() and application_name = $1`
    const [[connections] = []] = await session.rows(query, [applicationName])
    if (connections !== '0') throw new StartupError('A server uses the database; stop every server, then restore.')
    return restore(session, backup, options)
  })
}

/** Null if a server holds the lock. */
function tryLock(dataDir: string): (() => void) | null {
  try {
    return lockDirectory(dataDir)
  } catch (error) {
    if (error instanceof StartupError) return null
    throw error
  }
}

async function inDirectory<T>(directory: string, run: (session: SqlSession) => Promise<T>): Promise<T> {
  const pglite = await openPglite({ directory })
  try {
    return await run(await embeddedSession(pglite))
  } finally {
    await pglite.close()
  }
}

async function onServer<T>(databaseUrl: string, run: (session: SqlSession) => Promise<T>): Promise<T> {
  const session = await serverSession(databaseUrl)
  try {
    return await run(session)
  } finally {
    await session.close()
  }
}
