import nodeCrypto from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { maxConcurrentHashes, maxQueuedHashes } from '../../../server/auth/passwords.ts'
import { createLogger } from '../../../server/logger.ts'
import { readSettings } from '../../../server/settings.ts'
import { type RunningServer, startServer } from '../../../server/start-server.ts'

/** Node's scrypt with a counter of running hashes, a gate, and an adjustable cost. */
const hashes = { running: 0, most: 0, started: 0, areCheap: false, gate: Promise.resolve() }

const realScrypt = nodeCrypto.scrypt
const countedScrypt = (...[password, salt, length, options, done]: Parameters<typeof realScrypt>) => {
  hashes.started += 1
  hashes.running += 1
  hashes.most = Math.max(hashes.most, hashes.running)
  void hashes.gate.then(() =>
    realScrypt(password, salt, length, hashes.areCheap ? { N: 16 } : options, (error, key) => {
      hashes.running -= 1
      done(error, key)
    }),
  )
}
const setScrypt = (scrypt: typeof countedScrypt) => {
  Object.assign(nodeCrypto, { scrypt })
  syncBuiltinESMExports()
}
beforeAll(() => setScrypt(countedScrypt))
afterAll(() => setScrypt(realScrypt))

/** Hashes wait until `open` is called. */
const closeGate = () => {
  const opening = Promise.withResolvers<void>()
  Object.assign(hashes, { started: 0, most: 0, gate: opening.promise })
  return { open: opening.resolve }
}

const accepted = maxConcurrentHashes + maxQueuedHashes

describe('The password hash queue', () => {
  let server: RunningServer
  const directory = mkdtempSync(join(tmpdir(), 'staff-inbox-queue-'))

  beforeAll(async () => {
    const settings = readSettings({
      PORT: '0',
      LOG_LEVEL: 'silent',
      DATA_DIR: directory,
      GRAPH_API_URL: 'http://127.0.0.1:1',
      META_APP_ID: '1',
      META_APP_SECRET: 'app',
      META_VERIFY_TOKEN: 'verify',
    })
    server = await startServer(settings, { logger: createLogger('silent') })
  }, 60_000)
  afterAll(async () => {
    await server.close()
    rmSync(directory, { recursive: true })
  })

  const signIn = async (path: string, email: string) => {
    const answer = await fetch(`${server.address}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', apikey: 'embedded' },
      body: JSON.stringify({ email, password: 'not the password' }),
    })
    const body: unknown = await answer.json()
    return { status: answer.status, retryAfter: answer.headers.get('retry-after'), body }
  }

  const busy = 'Too many people are signing in right now. Please try again in a few seconds.'
  const logins = [
    {
      name: 'the legacy login',
      path: '/api/auth/login',
      wrong: 401,
      refused: { status: 503, retryAfter: '5', body: { success: false, error: busy } },
    },
    {
      name: 'the built-in identity provider',
      path: '/auth/v1/token?grant_type=password',
      wrong: 400,
      refused: {
        status: 503,
        retryAfter: '5',
        body: { code: 'unexpected_failure', error_code: 'unexpected_failure', message: busy, msg: busy },
      },
    },
  ]

  it.each(logins)(
    'runs two hashes at a time for $name, queues twenty, rejects the others, and serves other requests meanwhile',
    async ({ path, wrong, refused }) => {
      hashes.areCheap = false
      const gate = closeGate()
      const order: (number | 'page')[] = []
      const signIns = Array.from({ length: 60 }, async (_, at) => {
        const answer = await signIn(path, `wrong-${at}@example.com`)
        order.push(answer.status)
        return answer
      })
      await expect.poll(() => order.length, { timeout: 20_000 }).toBe(60 - accepted)
      gate.open()
      const page = await fetch(`${server.address}/`)
      order.push('page')
      expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('<!doctype html>')])

      const answers = await Promise.all(signIns)
      expect(answers.filter(({ status }) => status === 503)).toEqual(Array(60 - accepted).fill(refused))
      expect(answers.filter(({ status }) => status === wrong)).toHaveLength(accepted)
      expect(order.slice(order.indexOf('page') + 1).length).toBeGreaterThan(accepted / 2)
      expect({ started: hashes.started, most: hashes.most }).toEqual({ started: accepted, most: maxConcurrentHashes })
    },
  )

  it.each(logins)(
    'does not count an attempt at $name that was rejected because of a full queue as a wrong password',
    async ({ path, wrong, refused }) => {
      hashes.areCheap = true
      const gate = closeGate()
      let refusals = 0
      const fillers = Array.from({ length: accepted + 1 }, async (_, at) => {
        const { status } = await signIn(path, `filler-${at}@example.com`)
        if (status === 503) refusals += 1
      })
      await expect.poll(() => refusals, { timeout: 20_000 }).toBe(1)
      const attempt = () => signIn(path, 'person@example.com')
      for (let tries = 0; tries < 12; tries++) expect(await attempt()).toEqual(refused)
      gate.open()
      await Promise.all(fillers)
      for (let tries = 0; tries < 10; tries++) expect((await attempt()).status).toBe(wrong)
      expect((await attempt()).status).toBe(429)
    },
  )
})
