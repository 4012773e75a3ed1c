import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { reservePort } from '../../scripts/ports.ts'
import { lockDirectory } from '../../server/database/directory-lock.ts'
import { smallSandbox } from '../small-sandbox.ts'
import { childEnvironment } from './child-environment.ts'
import { createEmbeddedIn } from './databases.ts'

const main = fileURLToPath(new URL('../../server/main.ts', import.meta.url))

/** Runs the server as a process with these settings and returns its output. */
function run(env: Record<string, string>) {
  const child = spawn(process.execPath, [main], {
    env: { ...childEnvironment(), PORT: '0', LOG_LEVEL: 'silent', ...smallSandbox, ...env },
  })
  let output = ''
  let errors = ''
  const serving = Promise.withResolvers<string>()
  /** Resolves when the accounts of the demo staff are printed. */
  const ready = Promise.withResolvers<string>()
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk
    const address = /is at (\S+)\n/.exec(output)?.[1]
    if (address === undefined) return
    serving.resolve(address)
    if (output.includes('(viewer)')) ready.resolve(address)
  })
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk
  })
  const ended = once(child, 'close').then(() => {
    for (const { reject } of [serving, ready]) reject(new Error(errors))
    return { code: child.exitCode, signal: child.signalCode, output, errors }
  })
  for (const { promise } of [serving, ready]) promise.catch(() => undefined)
  return { child, serving: serving.promise, ready: ready.promise, ended }
}

describe('server/main.ts', () => {
  // Filling the inbox is slow, so the first server does it for the others.
  let directory: string
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'staff-inbox-start-'))
    await createEmbeddedIn(directory)
  })
  afterAll(() => rmSync(directory, { recursive: true }))

  it('exits with code 1 and one sentence for an invalid setting', async () => {
    expect(await run({ PORT: 'four' }).ended).toEqual({
      code: 1,
      signal: null,
      output: '',
      errors: 'The setting PORT is not valid: must be a number.\n',
    })
  })

  it('exits with code 1 and one sentence for a sandbox that other machines can reach, without creating files', async () => {
    const unused = join(directory, 'unused')
    const { code, output, errors } = await run({ HOST: '0.0.0.0', DATA_DIR: unused }).ended
    expect([code, output, errors]).toEqual([
      1,
      '',
      expect.stringMatching(/^HOST lets other machines in, but .* SANDBOX_PUBLIC=yes if that is wanted\.\n$/),
    ])
    expect(existsSync(unused)).toBe(false)
  })

  it('exits with code 1 and one sentence for a locked data directory', async () => {
    const release = lockDirectory(directory)
    const { code, errors } = await run({ DATA_DIR: directory }).ended
    release()
    expect([code, errors]).toEqual([
      1,
      `The data directory ${directory} is used by another process, the server or a command; stop that process, or set DATA_DIR to another directory.\n`,
    ])
  })

  it('fills the inbox with auto-sync enabled, prints its URL and accounts, stops on SIGTERM and SIGINT, keeps its data after a restart, and counts attempts by the address that a trusted proxy forwards', async () => {
    const port = await reservePort()
    const first = run({ DATA_DIR: directory, PORT: String(port) })
    let isFilled = false
    const filled = first.ready.then((address) => {
      isFilled = true
      return address
    })
    const readAutoSync = () => ask(`http://127.0.0.1:${port}`, '/api/facebook/auto-sync/status').catch(() => null)
    await expect.poll(readAutoSync, { timeout: 60_000 }).toMatchObject({ isRunning: true, enabled: true })
    expect(isFilled).toBe(false)
    const address = await filled
    expect(await (await fetch(`${address}/api/health`)).json()).toEqual({ success: true, data: { status: 'ok' } })
    const before = await conversations(address)
    expect(before.length).toBeGreaterThan(0)
    first.child.kill('SIGTERM')
    const { code, signal, output, errors } = await first.ended
    expect({ code, signal, errors }).toEqual({ code: 0, signal: null, errors: '' })
    expect(output).toContain('admin@example.com  inbox-demo-2026  (administrator)')
    lockDirectory(directory)()

    const second = run({ DATA_DIR: directory, TRUST_PROXY: '1' })
    const again = await second.ready
    expect(await conversations(again)).toEqual(before)
    // Attempts are counted by the address that a trusted proxy forwards.
    const statuses = await Promise.all(Array.from({ length: 61 }, () => attemptFrom(again, '203.0.113.9')))
    expect(statuses.filter((status) => status === 429)).toEqual([429])
    expect(await attemptFrom(again, '203.0.113.10')).toBe(200)
    second.child.kill('SIGKILL')
    expect((await second.ended).signal).toBe('SIGKILL')

    const third = run({ DATA_DIR: directory })
    expect(await conversations(await third.ready)).toEqual(before)
    third.child.kill('SIGINT')
    expect((await third.ended).code).toBe(0)
    // Three starts, of which the first fills the sandbox.
  }, 180_000)

  it('exits with code 1 and one sentence when the stored page tokens belong to another key', async () => {
    const { code, output, errors } = await run({ DATA_DIR: directory, SECRET_KEY: 'another key'.padEnd(32, '.') }).ended
    expect([code, output, errors]).toEqual([
      1,
      '',
      expect.stringMatching(
        /^The stored token of \d+ pages cannot be read .* add the missing key to SECRET_KEYS, .*\n$/,
      ),
    ])
  })

  it('exits with code 1 and one sentence for a port in use, and unlocks the data directory', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const address = other.address()
    const port = typeof address === 'object' ? String(address?.port) : ''
    const { code, errors } = await run({ DATA_DIR: directory, PORT: port }).ended
    other.close()
    expect([code, errors]).toEqual([1, `Port ${port} is taken; stop what uses it, or set PORT to another.\n`])
    lockDirectory(directory)()
  })

  it('deactivates the demo staff when a real network is configured', async () => {
    const running = run({
      DATA_DIR: directory,
      HOST: '0.0.0.0',
      LOG_LEVEL: 'warn',
      GRAPH_API_URL: 'http://127.0.0.1:1',
      META_APP_ID: '1',
      META_APP_SECRET: 'app',
      META_VERIFY_TOKEN: 'verify',
    })
    const address = await running.serving
    const headers = { 'content-type': 'application/json', apikey: 'embedded' }
    const post = async (to: string, body: unknown) =>
      (await fetch(`${address}${to}`, { method: 'POST', headers, body: JSON.stringify(body) })).json()
    const session = await post('/auth/v1/token?grant_type=password', {
      email: 'admin@example.com',
      password: 'inbox-demo-2026',
    })
    expect(await post('/api/auth/supabase-login', { supabaseToken: session.access_token })).toMatchObject({
      success: false,
      code: 'INACTIVE_ACCOUNT',
    })
    running.child.kill('SIGTERM')
    const { output } = await running.ended
    expect(output).toContain('"accounts":5,"msg":"the sandbox accounts were deactivated"')
    expect(output).not.toContain('inbox-demo-2026')
  })
})

/** Signs a demo staff member in and calls the API. */
async function ask(address: string, path: string) {
  const post = async (to: string, body: unknown) => {
    const headers = { 'content-type': 'application/json', apikey: 'embedded' }
    const response = await fetch(`${address}${to}`, { method: 'POST', headers, body: JSON.stringify(body) })
    return response.json()
  }
  const credentials = { email: 'agent@example.com', password: 'inbox-demo-2026' }
  const session = await post('/auth/v1/token?grant_type=password', credentials)
  const login = await post('/api/auth/supabase-login', { supabaseToken: session.access_token })
  const headers = { authorization: `Bearer ${login.data.token}` }
  const answer = await (await fetch(`${address}${path}`, { headers })).json()
  return answer.data
}

/** The first page of the inbox. */
const conversations = (address: string): Promise<unknown[]> => ask(address, '/api/facebook/conversations')

/** The status of an attempt that the proxy forwards from this client. */
async function attemptFrom(address: string, client: string): Promise<number> {
  const response = await fetch(`${address}/api/auth/check-migration`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': `10.0.0.1, ${client}` },
    body: JSON.stringify({ email: 'nobody@example.com' }),
  })
  return response.status
}
