import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { reservePort } from '../../scripts/ports.ts'

/** Undefined: not installed. */
export const natsBinary = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin']
  .map((directory) => join(directory, 'nats-server'))
  .find((path) => existsSync(path))

/** Why no NATS can be used with PostgreSQL; null if it can. */
export const whyNoNats =
  process.env['TEST_DATABASE_URL'] === undefined
    ? 'no PostgreSQL was found'
    : natsBinary === undefined
      ? 'nats-server is not installed'
      : null

export type TestNats = {
  /** With the credentials. */
  url: string
  start(): Promise<void>
  /** Kills it with SIGKILL. */
  kill(): Promise<void>
  dispose(): Promise<void>
}

/** Starts a NATS server with JetStream that wants a user and a password. */
export async function startNats(): Promise<TestNats> {
  const directory = await mkdtemp(join(tmpdir(), 'staff-inbox-nats-'))
  const port = await reservePort()
  const file = join(directory, 'nats.conf')
  await writeFile(
    file,
    [
      `listen: 127.0.0.1:${port}`,
      `jetstream { store_dir: ${JSON.stringify(join(directory, 'store'))}, max_memory_store: 512MB }`,
      'authorization { user: inbox, password: "p@ss word" }',
    ].join('\n'),
  )
  let running: ChildProcess | null = null
  const kill = async () => {
    if (running === null) return
    const closed = once(running, 'close')
    running.kill('SIGKILL')
    running = null
    await closed
  }
  const start = async () => {
    if (natsBinary === undefined) throw new Error('nats-server is not installed')
    running = spawn(natsBinary, ['-c', file], { stdio: 'ignore' })
    for (let tries = 0; tries < 100; tries++) {
      const socket = connect(port, '127.0.0.1')
      const isOpen = await once(socket, 'connect').then(
        () => true,
        () => false,
      )
      socket.destroy()
      if (isOpen) return
      await setTimeout(100)
    }
    await kill()
    throw new Error('nats-server did not start')
  }
  await start()
  return {
    url: `nats://inbox:${encodeURIComponent('p@ss word')}@127.0.0.1:${port}`,
    start,
    kill,
    dispose: async () => {
      await kill()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
