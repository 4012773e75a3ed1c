import { describe, expect, it } from 'vitest'

import type { Http } from '../../../src/services/http.ts'
import { createNotifications } from '../../../src/services/shell/notifications.ts'

const keyOf = (bytes: number[]) => new Uint8Array(bytes).buffer
/** The bytes 4 and 1. */
const serverKey = 'BAE'

/** A browser with a registered service worker, and the API of a server. */
function createBrowser({ subscribedWith }: { subscribedWith?: ArrayBuffer } = {}) {
  const calls: string[] = []
  const policies = new Set<string>()
  const stored = new Map<string, string>()
  let subscription: unknown = null
  const subscribeWith = (applicationServerKey: ArrayBuffer) => {
    subscription = {
      options: { applicationServerKey },
      toJSON: () => ({
        endpoint: 'https://push.example.com/a',
        keys: { p256dh: 'B'.repeat(87), auth: 'a'.repeat(22) },
      }),
      unsubscribe: async () => {
        subscription = null
        calls.push('unsubscribed')
        return true
      },
    }
    return subscription
  }
  if (subscribedWith) subscribeWith(subscribedWith)
  /** Runs before the browser has subscribed. */
  let beforeSubscription = async () => {}
  const registration = {
    getNotifications: async () => [],
    pushManager: {
      getSubscription: async () => subscription,
      subscribe: async ({ applicationServerKey }: { applicationServerKey: Uint8Array<ArrayBuffer> }) => {
        await beforeSubscription()
        calls.push('subscribed')
        return subscribeWith(applicationServerKey.buffer)
      },
    },
  }
  const window = {
    PushManager: class {},
    Notification: { permission: 'granted', requestPermission: async () => 'granted' },
    localStorage: {
      getItem: (name: string) => stored.get(name) ?? null,
      setItem: (name: string, value: string) => void stored.set(name, value),
      removeItem: (name: string) => void stored.delete(name),
    },
    trustedTypes: {
      // The directive `trusted-types` without 'allow-duplicates'.
      createPolicy: (name: string, rules: { createScriptURL: (address: string) => string }) => {
        if (policies.has(name)) throw new TypeError(`Policy "${name}" already exists`)
        policies.add(name)
        return rules
      },
    },
    navigator: {
      serviceWorker: {
        getRegistration: async () => registration,
        ready: Promise.resolve(registration),
        register: async (address: string) => void calls.push(`registered ${address}`),
        addEventListener: () => {},
        removeEventListener: () => {},
      },
    },
  } as unknown as Window & typeof globalThis
  const http = {
    get: async () => ({ data: { public_key: serverKey } }),
    put: async (_: string, { signal }: { signal?: AbortSignal }) => {
      signal?.throwIfAborted()
      calls.push('told')
      return { data: { id: 'p1' } }
    },
    delete: async () => ({}),
  } as unknown as Http
  stored.set('staff-inbox:push-owner', 's1')
  return {
    calls,
    owner: () => stored.get('staff-inbox:push-owner'),
    isSubscribed: () => subscription !== null,
    delaySubscription: (until: Promise<void>) => {
      beforeSubscription = () => until
    },
    newSession: () => createNotifications(http, window),
  }
}

describe('A second session on the same page', () => {
  it('subscribes with the address that the first session got from the policy', async () => {
    const browser = createBrowser()
    for (const session of [browser.newSession(), browser.newSession()])
      expect(await session.push.subscribe('s1')).toEqual({ outcome: 'on', id: 'p1' })
    expect(browser.calls).toEqual(['registered /sw.js', 'subscribed', 'told', 'registered /sw.js', 'told'])
  })
})
