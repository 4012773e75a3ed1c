import { expect, test } from 'vitest'
import { joinChannel, type TokenVerdict } from '../../../server/stand-ins/supabase/realtime/channel.ts'
import { manualClock } from '../manual-clock.ts'

const settle = () => new Promise((resolve) => setImmediate(resolve))

const valid = { valid: true, userId: 'user', sessionId: 'session' } as const

const joined = async () => {
  const clock = manualClock(0)
  const verifications = new Map<string, Promise<TokenVerdict>>()
  const log: string[] = []
  let accessChanges = 0
  verifications.set('first', Promise.resolve({ ...valid, expiresAt: 60_000 }))
  const outcome = await joinChannel({
    topic: 'realtime:inbox',
    joinRef: '1',
    payload: { access_token: 'first' },
    verifyToken: (token) => verifications.get(token) ?? Promise.reject(new Error('the database is unreachable')),
    onSubscribed: () => log.push('subscribed'),
    onEnded: (_channel, reason) => log.push(`ended: ${reason}`),
    accessChanges: () => accessChanges,
    clock,
  })
  if ('refusal' in outcome) throw new Error(outcome.refusal)
  const announce = () => {
    accessChanges += 1
  }
  return { channel: outcome.channel, clock, verifications, log, announce }
}

const expired: TokenVerdict = { valid: false, fault: 'InvalidJWTToken', message: 'expired' }

test('joinChannel keeps a channel that gets a fresh token while the old one is rejected', async () => {
  const { channel, clock, verifications, log } = await joined()
  let refuse = (_: TokenVerdict) => {}
  verifications.set(
    'first',
    new Promise((resolve) => {
      refuse = resolve
    }),
  )
  clock.advance(60_000)
  verifications.set('second', Promise.resolve({ ...valid, expiresAt: 120_000 }))
  await channel.updateToken('second')
  refuse(expired)
  await settle()
  expect(log).toEqual(['subscribed'])
})

test('joinChannel keeps a channel whose token cannot be verified, and verifies the token again later', async () => {
  const { clock, verifications, log } = await joined()
  verifications.delete('first')
  clock.advance(60_000)
  await settle()
  expect(log).toEqual([])
  verifications.set('first', Promise.resolve(expired))
  clock.advance(30_000)
  await settle()
  expect(log).toEqual(['ended: expired'])
})

test('joinChannel ignores an unchanged token, and any token after the channel was left', async () => {
  const { channel, clock, verifications, log } = await joined()
  await channel.updateToken('first')
  channel.dispose()
  verifications.set('second', Promise.resolve({ ...valid, expiresAt: 120_000 }))
  await channel.updateToken('second')
  verifications.set('first', Promise.resolve(expired))
  clock.advance(600_000)
  await settle()
  expect(log).toEqual([])
})

test('joinChannel verifies a token again if access changed during the verification', async () => {
  const { clock, verifications, log, announce } = await joined()
  const beforeTheChange = Promise.withResolvers<TokenVerdict>()
  verifications.set('first', beforeTheChange.promise)
  clock.advance(60_000)
  announce()
  verifications.set('first', Promise.resolve(expired))
  beforeTheChange.resolve({ ...valid, expiresAt: 120_000 })
  await settle()
  expect(log).toEqual(['ended: expired'])
})
