import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createLogger } from '../../server/logger.ts'
import { deriveKey, loadSecretKey, secretKeyWarning } from '../../server/secrets.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'staff-inbox-secrets-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

it('a key is the same for the same purpose, and another for another purpose or secret', () => {
  const hex = (secret: string, purpose: string) => Buffer.from(deriveKey(secret, purpose)).toString('hex')
  expect(hex('secret', 'page tokens')).toMatch(/^[0-9a-f]{64}$/)
  expect(hex('secret', 'page tokens')).toBe(hex('secret', 'page tokens'))
  expect(hex('secret', 'page tokens')).not.toBe(hex('secret', 'product tokens'))
  expect(hex('secret', 'page tokens')).not.toBe(hex('other', 'page tokens'))
})

it('a data directory keeps its secret for its owner alone, and never changes it', () => {
  const place = join(directory, 'new')
  const secret = loadSecretKey(place)
  expect(secret).toMatch(/^[\w-]{43}$/)
  expect(loadSecretKey(place)).toBe(secret)
  expect(statSync(join(place, 'secret.key')).mode & 0o777).toBe(0o600)
})

it('the log hides what must not be in it, however deep', () => {
  const lines: string[] = []
  const logger = createLogger('info', { write: (line) => void lines.push(line) })
  const hidden = { password: 'hush', authorization: 'Bearer hush', access_token: 'hush', message_text: 'hush' }
  logger.info({ ...hidden, request: { headers: hidden, body: 'hush' }, page: 'p1' }, 'done')
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ page: 'p1', msg: 'done', password: '[hidden]' })
  expect(lines.join()).not.toContain('hush')
})

it('warns about a shared database with a local secret key', () => {
  const dataDir = '/var/inbox'
  const databaseUrl = 'postgres://inbox:pw@db:5432/inbox'
  expect(secretKeyWarning({ dataDir, databaseUrl, secretKey: undefined })).toBe(
    'SECRET_KEY is not set: the key in /var/inbox is on this machine alone. A server elsewhere on the same database takes none of its tokens and cannot read the stored page tokens.',
  )
  expect(secretKeyWarning({ dataDir, databaseUrl, secretKey: 'k'.repeat(32) })).toBeNull()
  expect(secretKeyWarning({ dataDir, databaseUrl: undefined, secretKey: undefined })).toBeNull()
})
