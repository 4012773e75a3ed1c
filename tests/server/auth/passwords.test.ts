import { expect, test } from 'vitest'
import { hashPassword, verifyPassword } from '../../../server/auth/passwords.ts'

test('a password is verified against its own hash alone, however it was composed', async () => {
  const hash = await hashPassword('mañana 2026')
  expect(hash).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$/)
  expect(await verifyPassword('mañana 2026'.normalize('NFD'), hash)).toBe(true)
  expect(await verifyPassword('manana 2026', hash)).toBe(false)
})

test('the same password has another hash each time', async () => {
  expect(await hashPassword('inbox-demo-2026')).not.toBe(await hashPassword('inbox-demo-2026'))
})

test('without a hash no password is right, and that is found by the same work', async () => {
  let turned = false
  setImmediate(() => {
    turned = true
  })
  expect(await verifyPassword('anything', undefined)).toBe(false)
  expect(turned).toBe(true)
})

test('a hash of another kind is an error, not a refusal', async () => {
  await expect(verifyPassword('anything', 'plain')).rejects.toThrow('A stored password hash has an unknown format')
})

test('hashing leaves the event loop free', async () => {
  let turned = false
  setImmediate(() => {
    turned = true
  })
  await hashPassword('inbox-demo-2026')
  expect(turned).toBe(true)
})
