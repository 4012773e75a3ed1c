import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { freePort } from '../../scripts/postgres.ts'
import { projectRoot } from '../../scripts/project.ts'

export type DatabaseKind = 'embedded' | 'postgres'

/** The product's own server in a process of its own, with a database of its own. */
export type TestServer = {
  url: string
  secretKey: string
  /** Where the embedded database and all else that it keeps are. */
  directory: string
  /** All that it said since it was made. */
  said(): string
  /** Starts it (again) and answers when it serves; the data are those of before. */
  start(): Promise<void>
  /** Ends it as whoever runs it would. */
  stop(): Promise<void>
  /** Ends it as a power cut would. */
  kill(): Promise<void>
  /** Ends it and removes its data. */
  dispose(): Promise<void>
}

const readyWithin = 60_000
const seedSetting = 'E2E_SEED'

type Seed = Pick<TestServer, 'directory' | 'secretKey'>

/** From now on, and in the workers too, servers on the embedded database begin with what this one left. */
export function keepAsSeed({ directory, secretKey }: Seed): void {
  process.env[seedSetting] = JSON.stringify({ directory, secretKey } satisfies Seed)
}

/** @param from `nothing` has the server fill its database itself. */
export async function createServer(
  database: DatabaseKind,
  settings: Record<string, string> = {},
  from: 'seed' | 'nothing' = 'seed',
): Promise<TestServer> {
  const directory = await mkdtemp(join(tmpdir(), 'staff-inbox-e2e-'))
  const port = await freePort()
  const given = database === 'embedded' && from === 'seed' ? process.env[seedSetting] : undefined
  const seed: Seed | null = given === undefined ? null : JSON.parse(given)
  if (seed) await cp(seed.directory, directory, { recursive: true })
  const secretKey = seed?.secretKey ?? randomBytes(32).toString('hex')
  const place = database === 'postgres' ? await createPostgresDatabase() : null
  const env = {
    ...withoutSettings(process.env),
    NODE_ENV: 'production',
    PORT: String(port),
    DATA_DIR: directory,
    SECRET_KEY: secretKey,
    SANDBOX_LIVELINESS: 'still',
    LOG_LEVEL: 'warn',
    ...(place === null ? {} : { DATABASE_URL: place.url }),
    ...settings,
  }
  const url = `http://127.0.0.1:${port}`
  const said: string[] = []
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
    said: () => said.join(''),
    stop: () => end('SIGTERM'),
    kill,
    start: async () => {
      const child = spawn(process.execPath, ['server/main.ts'], { cwd: projectRoot, env, stdio: 'pipe' })
      running = child
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => said.push(chunk.toString()))
      await ready(child, url)
    },
    dispose: async () => {
      await kill()
      await place?.drop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** What the person at this terminal has set must not reach a server under test. */
function withoutSettings(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const settings = /^(DATABASE_URL|SUPABASE_|GRAPH_|META_|SANDBOX_|HOST$|ALLOWED_ORIGINS|TRUST_PROXY)/
  return Object.fromEntries(Object.entries(env).filter(([name]) => !settings.test(name)))
}

/** Waits until the server says its address, which it does once its data are there. */
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
  if (!server) throw new Error('TEST_DATABASE_URL names no PostgreSQL')
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
