import { randomUUID } from 'node:crypto'
import { constants } from 'node:fs'
import { cp, readdir, rm } from 'node:fs/promises'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { PGlite } from '@electric-sql/pglite'
import { StartupError } from '../startup-error.ts'

const prefix = 'snapshot-'
const socketIn = (dataDir: string) => join(dataDir, 'snapshots.sock')

/**
 * Copies the embedded database for `npm run backup`, on request over a socket in the data directory, which only its owner
 * may enter. Queries wait while the files are copied, so a copy is what a crash at that moment would leave, which
 * PostgreSQL recovers. Answers with the directory of the copy, which the other side deletes; those that are left are
 * deleted at the next start. Returns a function that stops the service.
 */
export async function serveSnapshots(
  { dataDir, database }: { dataDir: string; database: string },
  pglite: PGlite,
): Promise<() => Promise<void>> {
  const leftOver = (await readdir(dataDir)).filter((name) => name.startsWith(prefix))
  for (const name of [...leftOver, 'snapshots.sock']) await rm(join(dataDir, name), { recursive: true, force: true })

  let current = Promise.resolve()
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    const copy = join(dataDir, `${prefix}${randomUUID()}`)
    // One at a time, so that requests cannot fill the disk together.
    current = current
      .then(() => pglite.runExclusive(() => cp(database, copy, { recursive: true, mode: constants.COPYFILE_FICLONE })))
      .then(
        () => void socket.end(copy),
        async () => {
          socket.end()
          await rm(copy, { recursive: true, force: true })
        },
      )
  })
  const listening = Promise.withResolvers<void>()
  server.once('error', listening.reject)
  server.listen(socketIn(dataDir), listening.resolve)
  await listening.promise
  return async () => {
    server.close()
    await current
  }
}

/** Asks the running server for a copy of its database and returns the copy's directory. Throws StartupError. */
export async function requestSnapshot(dataDir: string): Promise<string> {
  const copy = await text(connect(socketIn(dataDir))).catch(() => '')
  if (copy !== '') return copy
  throw new StartupError(
    `The server that uses ${dataDir} did not copy its database; look whether its disk is full, or stop it and try again.`,
  )
}
