import { describe, expect, it } from 'vitest'
import type { PushReport } from '../../../src/domain/shell/push-calls.ts'
import { createHttp } from '../../../src/services/http.ts'
import { createWebPush } from '../../../src/services/shell/web-push.ts'
import { settled } from '../../model/harness.ts'
import { createArea } from '../memory-storage.ts'

/** The bytes 251, 239 and 255, which base64 writes with + and /. */
const serverKey = '--__'
const keyBytes = [251, 239, 255]
const endpoint = { endpoint: 'https://push.example.com/a', keys: { p256dh: 'B'.repeat(87), auth: 'a'.repeat(22) } }

type Key = number[] | null
type Settings = {
  permission?: string
  answer?: string
  /** The key of the subscription that the browser has; undefined if it has none. */
  subscribedWith?: Key
  owner?: string
  isRegistered?: boolean
  lacks?: readonly ('serviceWorker' | 'PushManager' | 'Notification')[]
  standalone?: boolean
  refuses?: string
  beforeUnsubscribed?: () => void
}

/** A browser and a server. All that happens is in `steps`. */
function open({
  permission = 'granted',
  answer = permission,
  subscribedWith,
  owner,
  isRegistered = true,
  lacks = [],
  standalone,
  refuses,
  beforeUnsubscribed = () => {},
}: Settings = {}) {
  const steps: unknown[] = []
  const area = createArea(owner === undefined ? {} : { 'staff-inbox:push-owner': owner })
  const subscriptionWith = (key: Key) => ({
    options: { applicationServerKey: key && new Uint8Array(key).buffer },
    toJSON: () => endpoint,
    unsubscribe: async () => {
      beforeUnsubscribed()
      subscription = null
      steps.push('unsubscribed')
    },
  })
  let subscription = subscribedWith === undefined ? null : subscriptionWith(subscribedWith)
  const shown = ['c1', 'c2'].map((tag) => ({ tag, close: () => steps.push(`closed ${tag}`) }))
  const registration = {
    getNotifications: async ({ tag }: { tag?: string }) => shown.filter((one) => tag === undefined || one.tag === tag),
    pushManager: {
      getSubscription: async () => subscription,
      subscribe: async ({ applicationServerKey, ...options }: { applicationServerKey: Uint8Array }) => {
        steps.push(['subscribed', [...applicationServerKey], options])
        subscription = subscriptionWith([...applicationServerKey])
        return subscription
      },
    },
  }
  const worker = Object.assign(new EventTarget(), {
    getRegistration: async (scope: string) => (isRegistered && scope === '/' ? registration : undefined),
    ready: Promise.resolve(registration),
    register: async (address: unknown, options: object) => steps.push(['registered', String(address), options]),
  })
  const has = (name: NonNullable<Settings['lacks']>[number], parts: object) => (lacks.includes(name) ? {} : parts)
  const window = {
    ...has('PushManager', { PushManager: class {} }),
    ...has('Notification', { Notification: { permission, requestPermission: async () => answer } }),
    trustedTypes: {
      createPolicy: (_: string, rules: { createScriptURL: (address: string) => string }) => ({
        createScriptURL: (address: string) => ({ toString: () => rules.createScriptURL(address) }),
      }),
    },
    localStorage: area,
    navigator: { ...(standalone !== undefined && { standalone }), ...has('serviceWorker', { serviceWorker: worker }) },
  }
  const http = createHttp({
    baseUrl: '',
    log: { warn: () => {} },
    retries: 0,
    fetch: async (input, init) => {
      const call = `${init?.method} ${input}`
      init?.signal?.throwIfAborted()
      steps.push(init?.body ? [call, JSON.parse(String(init.body))] : call)
      if (call === refuses) return Response.json({ success: false, error: 'Refused' }, { status: 503 })
      const data = call.startsWith('GET') ? { public_key: serverKey } : { id: 'p1' }
      return Response.json({ success: true, data })
    },
  })
  const push = createWebPush(http, window as unknown as Window & typeof globalThis)
  return { push, steps, worker, owner: () => area.getItem('staff-inbox:push-owner') }
}

const signal = () => new AbortController().signal
const told = ['PUT /facebook/push/subscription', endpoint]
const asked = 'GET /facebook/push'
const subscribed = ['subscribed', keyBytes, { userVisibleOnly: true }]
const on = { outcome: 'on', id: 'p1' }

describe('A device', () => {
  it.each<[string, Settings]>([
    ['unsupported', { lacks: ['serviceWorker'] }],
    ['unsupported', { lacks: ['PushManager'], standalone: true }],
    ['unsupported', { lacks: ['Notification'] }],
    ['uninstalled', { lacks: ['PushManager', 'Notification'], standalone: false }],
    ['denied', { permission: 'denied', subscribedWith: keyBytes, owner: 's1' }],
    ['off', {}],
    ['off', { isRegistered: false, subscribedWith: keyBytes, owner: 's1' }],
    ['on', { subscribedWith: keyBytes, owner: 's1' }],
  ])('is %s with %j', async (device, settings) => {
    const { push, steps } = open(settings)
    expect([await push.readDevice('s1'), steps]).toEqual([device, []])
  })

  it('is off, and its subscription ends, if another person left that', async () => {
    const { push, steps, owner } = open({ subscribedWith: keyBytes, owner: 's2' })
    expect([await push.readDevice('s1'), steps, owner()]).toEqual(['off', ['unsubscribed'], null])
  })
})

describe('A subscription', () => {
  it.each<[string, Settings, unknown[]]>([
    ['is made for the key of the server', {}, [asked, subscribed, told]],
    ['is taken if it is for that key', { subscribedWith: keyBytes }, [asked, told]],
    ...[[251, 239], [251, 239, 191], [...keyBytes, 1], null].map((key): [string, Settings, unknown[]] => [
      `is replaced if it is for the key ${JSON.stringify(key)}`,
      { subscribedWith: key },
      [asked, 'unsubscribed', subscribed, told],
    ]),
  ])('%s', async (_, settings, steps) => {
    const pressed = open(settings)
    expect([await pressed.push.subscribe('s1', signal()), pressed.steps, pressed.owner()]).toEqual([
      on,
      [['registered', '/sw.js', { scope: '/' }], ...steps],
      's1',
    ])
    const renewed = open(settings)
    expect([await renewed.push.renewSubscription('s1', signal()), renewed.steps, renewed.owner()]).toEqual([
      on,
      steps,
      's1',
    ])
  })

  it.each([
    ['denied', 'denied'],
    ['default', 'off'],
  ])('is not made if the person answers %s', async (answer, outcome) => {
    const { push, steps } = open({ permission: 'default', answer })
    expect([await push.subscribe('s1', signal()), steps]).toEqual([{ outcome }, []])
  })

  it.each<[string, Settings]>([
    ['there is no service worker', { isRegistered: false }],
    ['the permission was taken back', { permission: 'denied' }],
  ])('is not renewed if %s', async (_, settings) => {
    const { push, steps } = open({ ...settings, subscribedWith: keyBytes })
    expect([await push.renewSubscription('s1', signal()), steps]).toEqual([{ outcome: 'off' }, []])
  })

  it('that is given up is neither asked for nor made', async () => {
    const early = open()
    await expect(early.push.renewSubscription('s1', AbortSignal.abort())).rejects.toMatchObject({ kind: 'aborted' })
    expect(early.steps).toEqual([])
    const caller = new AbortController()
    const late = open({ subscribedWith: [1], beforeUnsubscribed: () => caller.abort() })
    await expect(late.push.renewSubscription('s1', caller.signal)).rejects.toThrow('aborted')
    expect([late.steps, late.owner()]).toEqual([[asked, 'unsubscribed'], null])
  })

  it('that the server refused has no owner', async () => {
    const { push, owner } = open({ refuses: 'PUT /facebook/push/subscription' })
    await expect(push.renewSubscription('s1', signal())).rejects.toMatchObject({ status: 503 })
    expect(owner()).toBe(null)
  })

  it.each([
    ['p/1', ['unsubscribed', 'DELETE /facebook/push/subscription/p%2F1']],
    [null, ['unsubscribed']],
  ])('ends in the browser, and at the server under the id %j', async (id, expected) => {
    const { push, steps, owner } = open({
      subscribedWith: keyBytes,
      owner: 's1',
      refuses: 'DELETE /facebook/push/subscription/p%2F1',
    })
    await push.unsubscribe(id)
    expect([steps, owner()]).toEqual([expected, null])
  })

  it('ends with a sign-out, and all that is shown is closed', async () => {
    const { push, steps, owner } = open({ subscribedWith: keyBytes, owner: 's1' })
    await push.forget()
    expect([steps, owner()]).toEqual([['closed c1', 'closed c2', 'unsubscribed'], null])
    for (const settings of [{ owner: 's1' }, { owner: 's1', isRegistered: false }]) {
      const unsubscribed = open(settings)
      await unsubscribed.push.unsubscribe(null)
      expect([unsubscribed.steps, unsubscribed.owner()]).toEqual([[], null])
    }
    const old = open({ lacks: ['serviceWorker'], owner: 's1' })
    await old.push.forget()
    await old.push.close('c1')
    expect([old.steps, old.owner()]).toEqual([[], 's1'])
  })
})

it('the notifications of one conversation are closed, if there is a service worker', async () => {
  const { push, steps } = open()
  await push.close('c2')
  expect(steps).toEqual(['closed c2'])
  const unregistered = open({ isRegistered: false })
  await unregistered.push.close('c2')
  expect(unregistered.steps).toEqual([])
})

it('the server is told that the tab is visible and hidden under one id, in the order of the calls', async () => {
  const { push, steps } = open()
  const [first, second] = [push.tellVisible(), push.tellVisible()]
  push.tellHidden()
  await Promise.all([first, second])
  await settled()
  const tab = String(steps[0]).split('/').at(-1)
  expect(tab).toMatch(/.{8}/)
  const address = `/facebook/push/tabs/${tab}`
  expect(steps).toEqual([`PUT ${address}`, `PUT ${address}`, `DELETE ${address}`])
})

describe('The messages of the service worker', () => {
  it('are reported and answered until they are no longer watched', () => {
    const { push, worker } = open()
    const reports: PushReport[] = []
    const answers: unknown[] = []
    const port = { postMessage: (answer: unknown) => answers.push(answer) }
    const say = (data: unknown, ports: unknown[] = [port]) =>
      worker.dispatchEvent(Object.assign(new Event('message'), { data, ports }))
    const stop = push.watch((report) => reports.push(report))
    say({ type: 'push.clicked', conversationId: 'c1' })
    say({ type: 'push.commentsClicked', threadId: null })
    say({ type: 'push.replaced' }, [])
    say({ type: 'push.clicked' })
    stop()
    say({ type: 'push.replaced' })
    expect([reports, answers]).toEqual([
      [
        { type: 'push.clicked', conversationId: 'c1' },
        { type: 'push.commentsClicked', threadId: null },
        { type: 'push.replaced' },
      ],
      ['heard', 'heard'],
    ])
  })

  it('are not expected in a browser without service workers', () => {
    expect(open({ lacks: ['serviceWorker'] }).push.watch(() => {})()).toBeUndefined()
  })
})
