import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { deriveKey, loadSecretKey, secretKeyWarning } from '../../server/secrets.ts'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'staff-inbox-secrets-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

it('deriveKey returns a different key for each purpose and secret', () => {
  const hex = (secret: string, purpose: string) => Buffer.from(deriveKey(secret, purpose)).toString('hex')
  expect(hex('secret', 'page tokens')).toMatch(/^[0-9a-f]{64}$/)
  expect(hex('secret', 'page tokens')).toBe(hex('secret', 'page tokens'))
  expect(hex('secret', 'page tokens')).not.toBe(hex('secret', 'product tokens'))
  expect(hex('secret', 'page tokens')).not.toBe(hex('other', 'page tokens'))
})

it('loadSecretKey creates a secret once, readable by its owner only', () => {
  const place = join(directory, 'new')
  const secret = loadSecretKey(place)
  expect(secret).toMatch(/^[\w-]{43}$/)
  expect(loadSecretKey(place)).toBe(secret)
  expect(statSync(join(place, 'secret.key')).mode & 0o777).toBe(0o600)
})

it('loadSecretKey refuses a file that is empty or cut', () => {
  for (const text of ['', 'k'.repeat(31)]) {
    writeFileSync(join(directory, 'secret.key'), text)
    expect(() => loadSecretKey(directory)).toThrow('holds no whole key')
  }
})

it('secretKeyWarning warns about an external database with a local secret key', () => {
  const [dataDir, secretKeys] = ['/var/inbox', undefined]
  const databaseUrl = 'postgres://inbox:pw@db:5432/inbox'
  expect(secretKeyWarning({ dataDir, databaseUrl, secretKeys, secretKey: undefined })).toBe(
    'SECRET_KEY is not set: the key in /var/inbox is on this machine alone. A server elsewhere on the same database takes none of its tokens and cannot read the stored page tokens.',
  )
  expect(secretKeyWarning({ dataDir, databaseUrl, secretKeys, secretKey: 'k'.repeat(32) })).toBeNull()
  expect(secretKeyWarning({ dataDir, databaseUrl, secretKeys: ['k'.repeat(32)], secretKey: undefined })).toBeNull()
  expect(secretKeyWarning({ dataDir, databaseUrl: undefined, secretKeys, secretKey: undefined })).toBeNull()
})
