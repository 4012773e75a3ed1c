import { afterAll, beforeAll, expect, test } from 'vitest'
import { cost } from '../../../server/auth/password-cost.ts'
import { hashPassword, verifyPassword } from '../../../server/auth/passwords.ts'
import { cheapCost, realCost } from '../hash-costs.ts'

beforeAll(() => void Object.assign(cost, realCost))
afterAll(() => void Object.assign(cost, cheapCost))

test('verifyPassword accepts only the hashed password, in every Unicode normalization', async () => {
  const hash = await hashPassword('mañana 2026')
  expect(hash).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$/)
  expect(await verifyPassword('mañana 2026'.normalize('NFD'), hash)).toBe(true)
  expect(await verifyPassword('manana 2026', hash)).toBe(false)
})

test('hashPassword returns a different hash each time', async () => {
  expect(await hashPassword('inbox-demo-2026')).not.toBe(await hashPassword('inbox-demo-2026'))
})

test('verifyPassword rejects every password without a hash, after the same amount of work', async () => {
  let hasLoopTurned = false
  setImmediate(() => {
    hasLoopTurned = true
  })
  expect(await verifyPassword('anything', undefined)).toBe(false)
  expect(hasLoopTurned).toBe(true)
})

test('verifyPassword throws for an unknown hash format', async () => {
  await expect(verifyPassword('anything', 'plain')).rejects.toThrow('A stored password hash has an unknown format')
})

test('hashPassword does not block the event loop', async () => {
  let hasLoopTurned = false
  setImmediate(() => {
    hasLoopTurned = true
  })
  await hashPassword('inbox-demo-2026')
  expect(hasLoopTurned).toBe(true)
})
