import { expect, test } from 'vitest'
import { joinChannel, type TokenVerdict } from '../../../server/stand-ins/supabase/realtime/channel.ts'
import { manualClock } from '../manual-clock.ts'

const settle = () => new Promise((resolve) => setImmediate(resolve))

const joined = async () => {
  const clock = manualClock(0)
  const verdicts = new Map<string, Promise<TokenVerdict>>()
  const log: string[] = []
  verdicts.set('first', Promise.resolve({ valid: true, expiresAt: 60_000 }))
  const outcome = await joinChannel({
    topic: 'realtime:inbox',
    joinRef: '1',
    payload: { access_token: 'first' },
    verifyToken: (token) => verdicts.get(token) ?? Promise.reject(new Error('the database is away')),
    onSubscribed: () => log.push('subscribed'),
    onEnded: (_channel, reason) => log.push(`ended: ${reason}`),
    clock,
  })
  if ('refusal' in outcome) throw new Error(outcome.refusal)
  return { channel: outcome.channel, clock, verdicts, log }
}

const expired: TokenVerdict = { valid: false, fault: 'InvalidJWTToken', message: 'expired' }

test('a fresh token that comes while the old one is being refused keeps the channel', async () => {
  const { channel, clock, verdicts, log } = await joined()
  let refuse = (_: TokenVerdict) => {}
  verdicts.set(
    'first',
    new Promise((resolve) => {
      refuse = resolve
    }),
  )
  clock.advance(60_000)
  verdicts.set('second', Promise.resolve({ valid: true, expiresAt: 120_000 }))
  await channel.updateToken('second')
  refuse(expired)
  await settle()
  expect(log).toEqual(['subscribed'])
})

test('a token that cannot be verified is verified again later, and the channel stays', async () => {
  const { clock, verdicts, log } = await joined()
  verdicts.delete('first')
  clock.advance(60_000)
  await settle()
  expect(log).toEqual([])
  verdicts.set('first', Promise.resolve(expired))
  clock.advance(30_000)
  await settle()
  expect(log).toEqual(['ended: expired'])
})

test('the same token again changes nothing, and a channel that was left takes none', async () => {
  const { channel, clock, verdicts, log } = await joined()
  await channel.updateToken('first')
  channel.dispose()
  verdicts.set('second', Promise.resolve({ valid: true, expiresAt: 120_000 }))
  await channel.updateToken('second')
  verdicts.set('first', Promise.resolve(expired))
  clock.advance(600_000)
  await settle()
  expect(log).toEqual([])
})
