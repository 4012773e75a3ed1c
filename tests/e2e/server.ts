import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { reservePort } from '../../scripts/ports.ts'
import { projectRoot } from '../../scripts/project.ts'
import type { OpenDatabase } from '../../server/database/database.ts'
import { openDatabase } from '../../server/database/open-database.ts'

export type DatabaseKind = 'embedded' | 'postgres'

/** The server of the product in its own process, with its own database. */
export type TestServer = {
  url: string
  secretKey: string
  /** The data directory. */
  directory: string
  /** Undefined if the database is the embedded one, in the data directory. */
  databaseUrl: string | undefined
  /** The output of all its processes. */
  output(): string
  /** Starts or restarts the server with the same data; resolves when it serves. */
  start(): Promise<void>
  /** Stops the server with SIGTERM. */
  stop(): Promise<void>
  /** Kills the server with SIGKILL. */
  kill(): Promise<void>
  /** Kills the server and deletes its data. */
  dispose(): Promise<void>
}

const readyWithin = 180_000
/** Servers with the seed's database start with copies of its data, and with its settings. */
type Seed = Pick<TestServer, 'directory' | 'databaseUrl' | 'secretKey'> & { settings: Record<string, string> }

const seedSetting = (database: DatabaseKind) => `E2E_SEED_${database.toUpperCase()}`

/** Starts later servers with this database, also those of other workers, with the data of a stopped server. */
export function keepAsSeed(
  database: DatabaseKind,
  { directory, databaseUrl, secretKey }: TestServer,
  settings: Seed['settings'],
): void {
  process.env[seedSetting(database)] = JSON.stringify({ directory, databaseUrl, secretKey, settings } satisfies Seed)
}

/** Opens the database of a stopped server. */
export const openDatabaseOf = ({ databaseUrl, directory }: TestServer): Promise<OpenDatabase> =>
  openDatabase(databaseUrl === undefined ? { dataDir: directory } : { databaseUrl })

/** @param from With `nothing` the server fills its database itself. */
export async function createServer(
  database: DatabaseKind,
  settings: Record<string, string> = {},
  from: 'seed' | 'nothing' = 'seed',
): Promise<TestServer> {
  const directory = await mkdtemp(join(tmpdir(), 'staff-inbox-e2e-'))
  const port = await reservePort()
  const kept = from === 'seed' ? process.env[seedSetting(database)] : undefined
  const seed: Seed | null = kept === undefined ? null : JSON.parse(kept)
  // A server that had to stop at once leaves its socket, which cannot be copied.
  if (seed) await cp(seed.directory, directory, { recursive: true, filter: (file) => !file.endsWith('.sock') })
  const secretKey = seed?.secretKey ?? randomBytes(32).toString('hex')
  const place = database === 'postgres' ? await createPostgresDatabase(seed?.databaseUrl) : null
  const env = {
    ...withoutSettings(process.env),
    NODE_ENV: 'production',
    PORT: String(port),
    DATA_DIR: directory,
    SECRET_KEY: secretKey,
    SANDBOX_LIVELINESS: 'still',
    // Most tests take a person for themselves, and a process runs more than a hundred.
    SANDBOX_PEOPLE: '300',
    LOG_LEVEL: 'warn',
    ...(place === null ? {} : { DATABASE_URL: place.url }),
    ...seed?.settings,
    ...settings,
  }
  const url = `http://127.0.0.1:${port}`
  const output: string[] = []
  let running: ChildProcess | null = null
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    if (running === null || running.exitCode !== null || running.signalCode !== null) return
    const exited = once(running, 'exit')
    running.kill(signal)
    await exited
  }
  const kill = () => end('SIGKILL')
  process.once('exit', () => running?.kill('SIGKILL'))

  return {
    url,
    secretKey,
    directory,
    databaseUrl: place?.url,
    output: () => output.join(''),
    stop: () => end('SIGTERM'),
    kill,
    start: async () => {
      const child = spawn(process.execPath, ['server/main.ts'], { cwd: projectRoot, env, stdio: 'pipe' })
      running = child
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => output.push(chunk.toString()))
      await ready(child, url)
    },
    dispose: async () => {
      await kill()
      await place?.drop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** Removes settings of the developer's environment. */
function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const settings = /^(DATABASE_URL|SUPABASE_|GRAPH_|META_|SANDBOX_|HOST$|ALLOWED_ORIGINS|TRUST_PROXY)/
  return Object.fromEntries(Object.entries(env).filter(([name]) => !settings.test(name)))
}

/** Waits until the server prints its address, which it does when its data is ready. */
function ready(child: ChildProcess, url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let output = ''
    const fail = (reason: string) => reject(new Error(`${reason}:\n${output}`))
    const tooLong = setTimeout(() => fail(`The server did not start within ${readyWithin} ms`), readyWithin)
    const read = (chunk: Buffer) => {
      output = `${output}${chunk.toString()}`.slice(-10_000)
      if (!output.includes(`is at ${url}`)) return
      clearTimeout(tooLong)
      resolve()
    }
    child.stdout?.on('data', read)
    child.stderr?.on('data', read)
    child.once('exit', (code) => {
      clearTimeout(tooLong)
      fail(`The server ended with code ${code}`)
    })
  })
}

/** @param seed The database to copy, which nobody uses. */
async function createPostgresDatabase(seed?: string): Promise<{ url: string; drop(): Promise<void> }> {
  const server = process.env['TEST_DATABASE_URL']
  if (!server) throw new Error('TEST_DATABASE_URL is not set')
  const name = `e2e_${randomBytes(6).toString('hex')}`
  const ask = async (sql: string) => {
    const client = new Client({ connectionString: server })
    await client.connect()
    await client.query(sql).finally(() => client.end())
  }
  const template = seed === undefined ? 'template1' : new URL(seed).pathname.slice(1)
  await ask(`create database ${name} template ${template} strategy file_copy`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => ask(`drop database ${name} with (force)`) }
}
