import { describe, expect, it, vi } from 'vitest'
import { createActor, createEmptyActor } from 'xstate'

import { composeNotifications } from '../../../src/compose-notifications.ts'
import type { notificationsMachine } from '../../../src/machines/shell/notifications.ts'
import { type pushMachine, selectPushDevice } from '../../../src/machines/shell/push.ts'
import type { Http } from '../../../src/services/http.ts'
import { createNotifications } from '../../../src/services/shell/notifications.ts'

const keyOf = (bytes: number[]) => new Uint8Array(bytes).buffer
/** The bytes 4 and 1. */
const serverKey = 'BAE'

type Step = 'key' | 'subscription' | 'storing'

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
  let stop: Step | null = null
  const reached = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<void>()
  async function pass(step: Step): Promise<void> {
    if (step !== stop) return
    reached.resolve()
    await opened.promise
  }
  const registration = {
    getNotifications: async () => [],
    pushManager: {
      getSubscription: async () => subscription,
      subscribe: async ({ applicationServerKey }: { applicationServerKey: Uint8Array<ArrayBuffer> }) => {
        await pass('subscription')
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
        // A policy makes an object of the address.
        return { createScriptURL: (address: string) => ({ toString: () => rules.createScriptURL(address) }) }
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
    get: async () => {
      await pass('key')
      return { data: { public_key: serverKey } }
    },
    put: async (_: string, { signal }: { signal?: AbortSignal }) => {
      signal?.throwIfAborted()
      await pass('storing')
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
    /** The call of this step goes on only after `open`. */
    stopAt: (step: Step) => {
      stop = step
      return { reached: reached.promise, open: opened.resolve }
    },
    newSession: () => createNotifications(http, window),
  }
}

describe('A second session on the same page', () => {
  it('subscribes with the address that the first session got from the policy', async () => {
    const browser = createBrowser()
    for (const session of [browser.newSession(), browser.newSession()])
      expect(await session.push.subscribe('s1', new AbortController().signal)).toEqual({ outcome: 'on', id: 'p1' })
    expect(browser.calls).toEqual(['registered /sw.js', 'subscribed', 'told', 'registered /sw.js', 'told'])
  })
})

describe('A device that is switched off while its subscription is renewed', () => {
  it.each([
    ['before the server has told its key', 'key'],
    ['while the browser subscribes', 'subscription'],
    ['before the server has stored it', 'storing'],
  ] as const)('stays off: %s', async (_, step) => {
    const browser = createBrowser({ subscribedWith: keyOf([4, 9]) })
    const gate = browser.stopAt(step)
    const composed = composeNotifications(browser.newSession(), () => false) as typeof notificationsMachine
    const push = composed.implementations.actors['push'] as typeof pushMachine
    const actor = createActor(push, { input: { userId: 's1', isHidden: true, parent: createEmptyActor() } }).start()
    await gate.reached
    actor.send({ type: 'push.disabled' })
    gate.open()
    await vi.waitFor(() => expect(selectPushDevice(actor.getSnapshot())).toBe('off'))
    await new Promise((resolve) => setTimeout(resolve))
    expect([browser.isSubscribed(), browser.owner(), browser.calls.includes('told')]).toEqual([false, undefined, false])
    actor.stop()
  })
})
