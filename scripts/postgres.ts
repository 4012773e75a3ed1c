import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync } from 'node:fs'
import { chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { reservePort } from './ports.ts'

const run = promisify(execFile)

export type RunningPostgres = { url: string; stop(): Promise<void> }

/**
 * The PostgreSQL for tests: TEST_DATABASE_URL, or else a temporary one unless TEST_DATABASE is "embedded". Returns null, and
 * prints why, if there is none.
 */
export async function postgresForTests(): Promise<RunningPostgres | null> {
  const given = process.env['TEST_DATABASE_URL']
  if (given) return { url: given, stop: async () => {} }
  if (process.env['TEST_DATABASE'] === 'embedded') {
    console.log('TEST_DATABASE is "embedded": these tests use the embedded database alone.')
    return null
  }
  const started = await startPostgres()
  if (started === null) {
    console.log('No PostgreSQL was found: these tests use the embedded database alone. (TEST_DATABASE_URL names one.)')
  }
  return started
}

/**
 * Starts a temporary PostgreSQL without durability; stopping deletes it. Returns null if PostgreSQL is not installed,
 * throws if it does not start.
 */
export async function startPostgres(): Promise<RunningPostgres | null> {
  const binaries = findBinaries()
  if (binaries === null) return null
  const owner = await ownerForServer()
  const directory = await mkdtemp(join(tmpdir(), 'staff-inbox-postgres-'))
  const remove = () => rm(directory, { recursive: true, force: true })
  try {
    if (owner.uid !== undefined && owner.gid !== undefined) await chown(directory, owner.uid, owner.gid)
    const data = join(directory, 'data')
    const initdb = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--locale=C.UTF-8', '--no-sync']
    await run(join(binaries, 'initdb'), initdb, { ...owner, cwd: directory })
    const port = await reservePort()
    const settings = {
      port,
      listen_addresses: '127.0.0.1',
      unix_socket_directories: directory,
      fsync: 'off',
      synchronous_commit: 'off',
      full_page_writes: 'off',
      max_connections: 300,
    }
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const server = spawn(join(binaries, 'postgres'), ['-D', data, ...flags], { ...owner, cwd: directory })
    const closed = once(server, 'close')
    const stopWithUs = () => void server.kill('SIGINT')
    process.once('exit', stopWithUs)
    await readyToAccept(server.stderr, closed)
    const url = `postgres://postgres@127.0.0.1:${port}/postgres`
    const stop = async () => {
      process.removeListener('exit', stopWithUs)
      stopWithUs()
      await closed
      await remove()
    }
    return { url, stop }
  } catch (error) {
    await remove()
    throw error
  }
}

function findBinaries(): string | null {
  const onPath = (process.env['PATH'] ?? '').split(delimiter)
  const packaged = globSync('/usr/lib/postgresql/*/bin')
  const newestFirst = packaged.toSorted((a, b) => b.localeCompare(a, 'en', { numeric: true }))
  return [...onPath, ...newestFirst].find((directory) => existsSync(join(directory, 'initdb'))) ?? null
}

/** PostgreSQL does not run as root, so root starts it as the user `postgres`. */
async function ownerForServer(): Promise<{ uid?: number; gid?: number }> {
  if (process.getuid?.() !== 0) return {}
  const [uid, gid] = await Promise.all([run('id', ['-u', 'postgres']), run('id', ['-g', 'postgres'])])
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) }
}

function readyToAccept(log: NodeJS.ReadableStream, closed: Promise<unknown>): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = ''
    log.on('data', (chunk: Buffer) => {
      text += chunk.toString()
      if (text.includes('ready to accept connections')) resolve()
    })
    closed.then(() => reject(new Error(`PostgreSQL did not start:\n${text}`)))
  })
}
