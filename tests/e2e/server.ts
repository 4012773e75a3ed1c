import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { reservePort } from '../../scripts/ports.ts'
import { projectRoot } from '../../scripts/project.ts'
import { smallSandbox } from '../small-sandbox.ts'

export type DatabaseKind = 'embedded' | 'postgres'

/** The server of the product in its own process, with its own database. */
export type TestServer = {
  url: string
  secretKey: string
  /** The data directory. */
  directory: string
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
const seedSetting = 'E2E_SEED'

type Seed = Pick<TestServer, 'directory' | 'secretKey'>

/** Starts later servers with an embedded database, also of other workers, with the data of this one. */
export function keepAsSeed({ directory, secretKey }: Seed): void {
  process.env[seedSetting] = JSON.stringify({ directory, secretKey } satisfies Seed)
}

/** @param from With `nothing` the server fills its database itself. */
export async function createServer(
  database: DatabaseKind,
  settings: Record<string, string> = {},
  from: 'seed' | 'nothing' = 'seed',
): Promise<TestServer> {
  const directory = await mkdtemp(join(tmpdir(), 'staff-inbox-e2e-'))
  const port = await reservePort()
  const seedSettings = database === 'embedded' && from === 'seed' ? process.env[seedSetting] : undefined
  const seed: Seed | null = seedSettings === undefined ? null : JSON.parse(seedSettings)
  // A server that had to stop at once leaves its socket, which cannot be copied.
  if (seed) await cp(seed.directory, directory, { recursive: true, filter: (file) => !file.endsWith('.sock') })
  const secretKey = seed?.secretKey ?? randomBytes(32).toString('hex')
  const place = database === 'postgres' ? await createPostgresDatabase() : null
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
    ...(place === null ? {} : { ...smallSandbox, DATABASE_URL: place.url }),
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

async function createPostgresDatabase(): Promise<{ url: string; drop(): Promise<void> }> {
  const server = process.env['TEST_DATABASE_URL']
  if (!server) throw new Error('TEST_DATABASE_URL is not set')
  const name = `e2e_${randomBytes(6).toString('hex')}`
  const ask = async (sql: string) => {
    const client = new Client({ connectionString: server })
    await client.connect()
    await client.query(sql).finally(() => client.end())
  }
  await ask(`create database ${name}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return { url: url.href, drop: () => ask(`drop database ${name} with (force)`) }
}
