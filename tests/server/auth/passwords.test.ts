import { expect, test } from 'vitest'
import { hashPassword, verifyPassword } from '../../../server/auth/passwords.ts'

test('a password matches its own hash only, in every Unicode composition', async () => {
  const hash = await hashPassword('mañana 2026')
  expect(hash).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$/)
  expect(await verifyPassword('mañana 2026'.normalize('NFD'), hash)).toBe(true)
  expect(await verifyPassword('manana 2026', hash)).toBe(false)
})

test('the same password has a different hash each time', async () => {
  expect(await hashPassword('inbox-demo-2026')).not.toBe(await hashPassword('inbox-demo-2026'))
})

test('without a hash no password matches, after the same work', async () => {
  let turned = false
  setImmediate(() => {
    turned = true
  })
  expect(await verifyPassword('anything', undefined)).toBe(false)
  expect(turned).toBe(true)
})

test('an unknown hash format is an error, not a mismatch', async () => {
  await expect(verifyPassword('anything', 'plain')).rejects.toThrow('A stored password hash has an unknown format')
})

test('hashing does not block the event loop', async () => {
  let turned = false
  setImmediate(() => {
    turned = true
  })
  await hashPassword('inbox-demo-2026')
  expect(turned).toBe(true)
})
