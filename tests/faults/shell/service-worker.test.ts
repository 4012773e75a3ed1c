import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { openSubject, replaceSubscription, showPush, type WorkerScope } from '../../../src/service-worker/handlers.ts'

type Page = { focus: () => Promise<unknown>; postMessage: (message: unknown, transfer?: Transferable[]) => void }

const done: unknown[] = []
const scopeWith = (...pages: Page[]): WorkerScope => ({
  registration: {
    showNotification: async (title, options) => void done.push(['shown', title, options?.tag, options?.body]),
    pushManager: {
      subscribe: async (options?: PushSubscriptionOptionsInit) => void done.push(['subscribed', options]),
    } as unknown as PushManager,
  },
  clients: {
    matchAll: async () => pages,
    openWindow: async (address) => void done.push(['opened', address]),
  },
})
const pageThat = ({ hears = true, focuses = true } = {}): Page => ({
  focus: focuses
    ? async () => void done.push('focused')
    : () => Promise.reject(new DOMException('not allowed', 'InvalidAccessError')),
  postMessage: (message, [port] = []) => {
    done.push(message)
    if (hears) (port as MessagePort | undefined)?.postMessage('heard')
  },
})
const message = (content: unknown) => ({ json: () => content })

beforeEach(() => {
  done.length = 0
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('A push message', () => {
  const content = { title: 'Prints', body: 'New message', conversationId: 'c 1' }

  it.each([
    ['a notification with the tag of its conversation', message(content), ['shown', 'Prints', 'c 1', 'New message']],
    [
      'a notification with the tag of its comments',
      message({ title: 'Prints', body: 'New comment', comments: { threadId: 't1' } }),
      ['shown', 'Prints', 'comments:t1', 'New comment'],
    ],
    ['a notification without a text', message({ ...content, body: null }), ['shown', 'Prints', 'c 1', undefined]],
    ['a notification without a payload', null, ['shown', 'Inbox', undefined, undefined]],
    ['a notification for an unknown payload', message({ text: 1 }), ['shown', 'Inbox', undefined, undefined]],
    [
      'a notification for a payload that is no JSON',
      { json: () => JSON.parse('{') },
      ['shown', 'Inbox', undefined, undefined],
    ],
  ])('shows %s', async (_, data, shown) => {
    await showPush(scopeWith(), data)
    expect(done).toEqual([shown])
  })
})

describe('A click on a notification', () => {
  const told = { type: 'push.clicked', conversationId: 'c 1' }

  it.each<[string, Page[], unknown[]]>([
    ['opens the conversation in the tab that was used last', [pageThat(), pageThat()], ['focused', told]],
    ['opens it there although the browser refuses the focus', [pageThat({ focuses: false })], [told]],
    ['opens a new tab if none is open', [], [['opened', '/c%201']]],
    [
      'opens a new tab if the open one shows no inbox',
      [pageThat({ hears: false })],
      ['focused', told, ['opened', '/c%201']],
    ],
  ])('%s', async (_, pages, expected) => {
    const opening = openSubject(scopeWith(...pages), { conversationId: 'c 1' })
    await vi.waitFor(() => expect(done.length).toBeGreaterThanOrEqual(Math.min(expected.length, 1)))
    await vi.advanceTimersByTimeAsync(1_000)
    await opening
    expect(done).toEqual(expected)
  })

  it('about comments opens their thread, or all of them', async () => {
    for (const threadId of ['t 1', null]) await openSubject(scopeWith(), { comments: { threadId } })
    await openSubject(scopeWith(pageThat()), { comments: { threadId: 't 1' } })
    expect(done).toEqual([
      ['opened', '/#comments=t%201'],
      ['opened', '/#comments='],
      'focused',
      { type: 'push.commentsClicked', threadId: 't 1' },
    ])
  })

  it('without a subject opens the inbox', async () => {
    await openSubject(scopeWith(pageThat()), {})
    await openSubject(scopeWith(), {})
    expect(done).toEqual(['focused', ['opened', '/']])
  })
})

describe('A subscription that the browser has ended', () => {
  it('is made again with the same key, and the open pages are told', async () => {
    const key = new Uint8Array([4, 1]).buffer
    const old = { options: { applicationServerKey: key, userVisibleOnly: true } }
    await replaceSubscription(scopeWith(pageThat(), pageThat()), old)
    expect(done).toEqual([
      ['subscribed', { userVisibleOnly: true, applicationServerKey: key }],
      { type: 'push.replaced' },
      { type: 'push.replaced' },
    ])
  })

  it('is left to the next start if the browser does not name the old one', async () => {
    await replaceSubscription(scopeWith(), null)
    expect(done).toEqual([])
  })
})
