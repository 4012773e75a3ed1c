import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { reservePort } from '../../scripts/ports.ts'

/** Undefined: not installed. */
export const pgBouncerBinary = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin']
  .map((directory) => join(directory, 'pgbouncer'))
  .find((path) => existsSync(path))

/** Why no PgBouncer can run; null if it can. */
export const whyNoPgBouncer =
  process.env['TEST_DATABASE_URL'] === undefined
    ? 'no PostgreSQL was found'
    : pgBouncerBinary === undefined
      ? 'pgbouncer is not installed'
      : null

/** Starts a PgBouncer with transaction pooling in front of a database. Its settings are those of docs/operations.md. */
export async function startPgBouncer(databaseUrl: string): Promise<{ url: string; stop(): Promise<void> }> {
  if (pgBouncerBinary === undefined) throw new Error('pgbouncer is not installed')
  const { hostname, port, username, pathname } = new URL(databaseUrl)
  const directory = await mkdtemp(join(tmpdir(), 'staff-inbox-pgbouncer-'))
  const ownPort = await reservePort()
  const name = pathname.slice(1)
  await writeFile(
    join(directory, 'pgbouncer.ini'),
    [
      '[databases]',
      `${name} = host=${hostname} port=${port} dbname=${name} user=${username}`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${ownPort}`,
      'unix_socket_dir =',
      'auth_type = any',
      'pool_mode = transaction',
      'default_pool_size = 5',
      'max_client_conn = 200',
    ].join('\n'),
  )
  // PgBouncer refuses to run as root.
  const isRoot = process.getuid?.() === 0
  await chmod(directory, 0o755)
  const process_ = spawn(pgBouncerBinary, [...(isRoot ? ['-u', 'postgres'] : []), join(directory, 'pgbouncer.ini')], {
    stdio: 'ignore',
  })
  const closed = once(process_, 'close')
  const stop = async () => {
    process_.kill('SIGKILL')
    await closed
    await rm(directory, { recursive: true, force: true })
  }
  for (let tries = 0; ; tries++) {
    const socket = connect(ownPort, '127.0.0.1')
    const isOpen = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (isOpen) break
    if (tries === 100) {
      await stop()
      throw new Error('pgbouncer did not start')
    }
    await setTimeout(100)
  }
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${ownPort}`
  return { url: url.href, stop }
}
