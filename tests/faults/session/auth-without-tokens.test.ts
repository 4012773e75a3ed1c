import { afterEach, expect, it, vi } from 'vitest'
import { SessionLost } from '../../../src/domain/failure.ts'
import { createHttp } from '../../../src/services/http.ts'
import { createAuth, type Locks } from '../../../src/services/session/auth.ts'
import { createTokenStore } from '../../../src/services/session/tokens.ts'
import { createStorage } from '../../../src/services/storage.ts'
import { createArea } from '../memory-storage.ts'
import { createProvider } from './fake-provider.ts'

afterEach(() => vi.useRealTimers())

const signal = () => new AbortController().signal

/** A tab, and all its calls. Every call of the API is refused. */
function openTab(start: Record<string, string> = {}, locks?: Locks) {
  const calls: string[] = []
  const area = createArea(start)
  const tokens = createTokenStore(
    createStorage(() => area),
    () => 5_000,
  )
  const http = createHttp({
    baseUrl: '',
    log: { warn: () => {} },
    fetch: async (input, init) => {
      calls.push(`${init?.method} ${input}`)
      return Response.json({ success: false, error: 'Refused' }, { status: 401 })
    },
  })
  const { provider } = createProvider({
    signOut: async () => void calls.push('provider: sign out'),
    leave: () => void calls.push('provider: leave'),
  })
  tokens.adopt()
  return { auth: createAuth({ http, tokens, provider, locks, wait: async () => {} }), area, calls }
}

const stored = { token: 'opaque', refreshToken: 'r1' }

it.each([
  ['were never stored', {}],
  ['another tab has removed', stored],
])('a refresh of tokens that %s is a lost session, without a call', async (_, start) => {
  const { auth, area, calls } = openTab(start)
  area.removeItem('token')
  await expect(auth.refreshTokens(signal())).rejects.toEqual(new SessionLost('No refresh token available'))
  expect(calls).toEqual([])
})

it.each([
  ['asked', ['provider: sign out']],
  ['refused', ['provider: sign out']],
  ['elsewhere', ['provider: leave']],
] as const)('the end of a session without tokens (%s) calls nothing of the API', async (why, expected) => {
  const { auth, calls } = openTab()
  await auth.endSession({ why })
  expect(calls).toEqual(expected)
})

it('a refresh that is given up while another tab refreshes sends nothing and leaves no timer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const request = (_: string, { signal: given }: LockOptions) =>
    new Promise((_resolve, reject) => given?.addEventListener('abort', () => reject(given.reason)))
  const { auth, calls } = openTab(stored, { request: request as Locks['request'] })
  const caller = new AbortController()
  const refreshing = auth.refreshTokens(caller.signal)
  caller.abort(new Error('given up'))
  await expect(refreshing).rejects.toThrow('given up')
  expect([calls, vi.getTimerCount()]).toEqual([[], 0])
})
