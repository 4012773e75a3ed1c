import { IDBFactory } from 'fake-indexeddb'
import { openDB } from 'idb'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { drawSavedScreen, type SavedScreen } from '../../../src/services/session/saved-screen.ts'
import { rememberSharedComputer } from '../../../src/services/session/shared-computer.ts'
import { showSavedScreen } from '../../../src/services/session/show-saved-screen.ts'
import { takeScreen } from '../../../src/services/session/take-screen.ts'
import { createTokenStore, tokenKeys } from '../../../src/services/session/tokens.ts'
import { createStorage, type TextStorage } from '../../../src/services/storage.ts'
import 'fake-indexeddb/auto'

/** CSS pixels of the elements with these ids: left, top, width, height. */
const places = {
  list: [0, 100, 300, 500],
  thread: [300, 50, 700, 400],
  near: [0, 100, 300, 58],
  far: [0, 900, 300, 58],
  message: [300, 380, 700, 40],
  older: [300, -200, 700, 40],
}
let boxes: Record<string, number[]> = places

const inbox = `
  <div id="list" class="scroller">
    <div role="listbox" style="height: 900px;">
      <div id="near" role="option" aria-selected="true" class="row" style="transform: translateY(0px);" tabindex="0"><img src="/pictures/ana" alt=""><svg viewBox="0 0 8 8"><path d="M1 1"></path></svg><bdi>Ana <script>alert(1)</script></bdi><span data-not-saved="true">3h</span><time>3 hours ago</time></div>
      <div id="far" role="option" style="transform: translateY(800px);">Ben</div>
    </div>
    <div role="group" data-not-saved="true">Actions for Ana</div>
  </div>
  <section id="thread" class="scroller">
    <h3>Today</h3>
    <div id="older" style="transform: translateY(0px);"><article>Older</article></div>
    <div id="message" style="transform: translateY(580px);"><article>Hello <a href="https://example.com" class="link">shop</a><img src="blob:1"><audio src="/voice"></audio><time>7:49 AM</time></article><article data-not-saved="true">A note</article></div>
  </section>
  <aside>+63 917 000 0000</aside>`.replaceAll(/>\s+</g, '><')

function show(html: string): HTMLElement {
  document.body.innerHTML = `<div id="root">${html}</div>`
  return document.getElementById('root') as HTMLElement
}

const isAnn = (owner: string) => owner === 'ann'
const drawn = () => document.querySelector<HTMLElement>('[data-saved-screen]')

async function save(screen: object): Promise<void> {
  const database = await openDB('staff-inbox', 1, { upgrade: (created) => void created.createObjectStore('saved') })
  await database.put('saved', screen, 'screen')
  database.close()
}

/** The inbox as ann saw it last, in a page that has not started yet. */
async function saved(changes: Partial<SavedScreen> = {}): Promise<void> {
  show(inbox)
  const taken = takeScreen(window)
  expect(taken).not.toBeNull()
  await save({ owner: 'ann', ...taken, ...changes })
  show('<p role="status">Loading…</p>')
}

beforeEach(() => {
  boxes = { ...places }
  vi.stubGlobal('indexedDB', new IDBFactory())
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function (this: Element) {
    return new DOMRect(...(boxes[this.id] ?? []))
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  window.history.replaceState(null, '', '/')
  document.body.innerHTML = ''
})

describe('The screen that is saved', () => {
  it('holds the visible rows and messages, without ages, labels of days, controls, scripts and what is only here', () => {
    window.history.replaceState(null, '', '/c1?view=all')
    show(inbox)
    expect(takeScreen(window)).toEqual({
      build: '',
      address: '/c1?view=all',
      width: window.innerWidth,
      height: window.innerHeight,
      parts: [
        {
          ...{ left: 0, top: 100, width: 300, height: 500, startsAt: 'top', notice: 'Showing saved conversations…' },
          content: [
            'div',
            { class: 'scroller' },
            [
              'div',
              { role: 'listbox', style: 'height: 900px;' },
              [
                'div',
                { role: 'option', 'aria-selected': 'true', class: 'row', style: 'transform: translateY(0px);' },
                ['img', { src: '/pictures/ana', alt: '' }],
                ['svg', { viewBox: '0 0 8 8' }, ['path', { d: 'M1 1' }]],
                ['bdi', {}, 'Ana '],
              ],
            ],
          ],
        },
        {
          ...{ left: 300, top: 50, width: 700, height: 400, startsAt: 'end', notice: 'Showing saved messages…' },
          content: [
            'section',
            { class: 'scroller' },
            [
              'div',
              { style: 'transform: translateY(580px);' },
              ['article', {}, 'Hello ', ['a', { class: 'link' }, 'shop'], ['img', {}], ['time', {}, '7:49 AM']],
            ],
          ],
        },
      ],
    })
  })

  it.each<[string, (root: HTMLElement) => void, string[] | null]>([
    ['a list that is scrolled', (root) => (root.querySelector('#list') as HTMLElement).scrollTop++, ['end']],
    [
      'a thread that is not at its end',
      (root) => Object.defineProperty(root.querySelector('#thread'), 'scrollHeight', { value: 645 }),
      ['top'],
    ],
    ['a part that is hidden', (root) => root.querySelector('#list')?.setAttribute('id', 'hidden'), ['end']],
    ['neither list nor thread', (root) => root.replaceChildren(), null],
    ['more than 300,000 characters', (root) => root.querySelector('bdi')?.append('a'.repeat(300_000)), null],
  ])('is without %s', (_, change, parts) => {
    change(show(inbox))
    expect(takeScreen(window)?.parts.map(({ startsAt }) => startsAt) ?? null).toEqual(parts)
  })

  it('does not exist outside a browser', () => {
    expect(takeScreen(undefined)).toBeNull()
  })
})

describe('The drawn screen', () => {
  it('has the saved rows and messages in their places, and is not read out', async () => {
    await saved()
    await drawSavedScreen(window, isAnn)
    const screen = drawn()
    expect(screen?.getAttribute('aria-hidden')).toBe('true')
    const parts = [...(screen?.children ?? [])].map((part) => part as HTMLElement)
    expect(
      parts.map(({ style, textContent }) => [style.left, style.top, style.width, style.height, textContent]),
    ).toEqual([
      ['0px', '100px', '300px', '500px', 'Showing saved conversations…Ana '],
      ['300px', '50px', '700px', '400px', 'Showing saved messages…Hello shop7:49 AM'],
    ])
    expect(screen?.querySelector('path')?.namespaceURI).toBe('http://www.w3.org/2000/svg')
    expect(screen?.querySelector<HTMLElement>('[role=option]')?.style.transform).toBe('translateY(0px)')
  })

  it.each<[string, Partial<SavedScreen>]>([
    ['another person', { owner: 'ben' }],
    ['another build', { build: '/assets/other.js' }],
    ['another address', { address: '/c2' }],
    ['a wider window', { width: window.innerWidth + 1 }],
    ['a higher window', { height: window.innerHeight + 1 }],
  ])('is none of %s', async (_, changes) => {
    await saved(changes)
    await drawSavedScreen(window, isAnn)
    expect(drawn()).toBeNull()
  })

  it.each<[string, () => unknown]>([
    ['nothing was saved', () => undefined],
    ['the saved screen is unreadable', () => save({ owner: 'ann', parts: 'none' })],
    ['the database has no store', async () => (await openDB('staff-inbox', 1)).close()],
    [
      'the browser blocks the storage',
      () =>
        vi.stubGlobal(
          'indexedDB',
          new Proxy(
            {},
            {
              get: () => {
                throw new DOMException('blocked', 'SecurityError')
              },
            },
          ),
        ),
    ],
  ])('is none if %s', async (_, prepare) => {
    await prepare()
    await drawSavedScreen(window, isAnn).catch(() => {})
    expect(drawn()).toBeNull()
  })

  it('creates no database', async () => {
    await drawSavedScreen(window, isAnn).catch(() => {})
    expect(await indexedDB.databases()).toEqual([])
  })

  it('has nothing that runs, whatever was saved', async () => {
    const content = [
      'div',
      { onclick: 'alert(1)', class: 'kept', style: 'width: 1px' },
      ['script', {}, 'alert(1)'],
      ['iframe', { src: '/login' }],
      ['img', { src: 'javascript:alert(1)', onerror: 'alert(1)' }],
      ['img', { src: 'data:image/png;base64,AAAA' }],
      ['a', { href: 'https://other.example' }, 'link'],
      ['p', { src: '/pictures/ana', srcset: '/x' }],
      [7],
      null,
      '<b>text</b>',
    ]
    const part = { left: 0, top: 0, width: 1, height: 1, notice: '', startsAt: 'top', content }
    await saved({ parts: [part as SavedScreen['parts'][number]] })
    await drawSavedScreen(window, isAnn)
    expect(drawn()?.querySelector('.kept')?.outerHTML).toBe(
      '<div class="kept" style="width: 1px"><img><img><a>link</a><p></p>&lt;b&gt;text&lt;/b&gt;</div>',
    )
  })
})

describe('The drawn screen, afterwards,', () => {
  const fill = (html: string) => {
    const root = document.getElementById('root')
    if (root) root.innerHTML = html
  }
  const row = '<div role="option">Ana</div>'
  const message = '<article>Hello</article>'

  it.each<[string, () => void, boolean]>([
    ['is removed when the inbox shows rows and messages', () => fill(row + message), true],
    ['stays while the inbox shows rows without messages', () => fill(row), false],
    ['stays while the inbox shows messages without rows', () => fill(message), false],
    ['is removed when the inbox has no rows, or the start does not succeed', () => fill('<button></button>'), true],
    [
      'is removed when a person presses something',
      () => drawn()?.dispatchEvent(new Event('pointerdown', { bubbles: true })),
      true,
    ],
    ['is removed when a person presses a key', () => dispatchEvent(new Event('keydown')), true],
    [
      'is removed when another screen is shown',
      () => [window.history.replaceState(null, '', '/login'), fill('Sign in')],
      true,
    ],
    [
      'is removed when another tab ends the session',
      () => dispatchEvent(new StorageEvent('storage', { key: 'token' })),
      true,
    ],
    [
      'is removed when another tab clears the storage',
      () => dispatchEvent(new StorageEvent('storage', { key: null })),
      true,
    ],
    ['is removed when the size of the window changes', () => dispatchEvent(new Event('resize')), true],
    [
      'stays when another tab writes something else',
      () => dispatchEvent(new StorageEvent('storage', { key: 'appearance' })),
      false,
    ],
  ])('%s', async (_, change, isRemoved) => {
    await saved()
    await drawSavedScreen(window, isAnn)
    expect(drawn()).not.toBeNull()
    change()
    await Promise.resolve()
    expect(drawn() === null).toBe(isRemoved)
  })

  it('without a thread is removed when the inbox shows rows', async () => {
    boxes['thread'] = [0, 0, 0, 0]
    await saved()
    await drawSavedScreen(window, isAnn)
    fill(row)
    await Promise.resolve()
    expect(drawn()).toBeNull()
  })

  it('is removed after 4 s at the latest', async () => {
    await saved()
    const setTimeout = vi.spyOn(window, 'setTimeout')
    await drawSavedScreen(window, isAnn)
    const [remove] = setTimeout.mock.calls.find(([, time]) => time === 4_000) ?? []
    expect([typeof remove, drawn() === null]).toEqual(['function', false])
    if (typeof remove === 'function') remove()
    expect(drawn()).toBeNull()
  })
})

describe('A start', () => {
  const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  /** Starts with the stored token of this person; null stores none. */
  async function begin(person: string | null, prepare: (storage: TextStorage) => void = () => {}) {
    await saved()
    const storage = createStorage(() => localStorage)
    localStorage.clear()
    if (person !== null) storage.set(tokenKeys.token, `${encode({})}.${encode({ sub: person, exp: 901 })}.s`)
    prepare(storage)
    await showSavedScreen(window, { storage, tokens: createTokenStore(storage, Date.now) })
  }

  it.each<[string, string | null, ((storage: TextStorage) => void) | undefined, boolean]>([
    ['draws the saved screen of the owner of the stored token', 'ann', undefined, true],
    ['draws nothing for another person', 'ben', undefined, false],
    ['draws nothing without a token', null, undefined, false],
    ['draws nothing on a shared computer', 'ann', (storage) => rememberSharedComputer(storage, true), false],
    ['draws nothing in a hidden tab', 'ann', () => vi.spyOn(document, 'hidden', 'get').mockReturnValue(true), false],
    [
      'draws nothing if another tab ends the session meanwhile',
      'ann',
      (storage) => void Promise.resolve().then(() => storage.remove(tokenKeys.token)),
      false,
    ],
    [
      'draws nothing if the browser blocks the storage',
      'ann',
      () =>
        vi.stubGlobal('indexedDB', { databases: () => Promise.reject(new DOMException('blocked', 'SecurityError')) }),
      false,
    ],
  ])('%s', async (_, person, prepare, isDrawn) => {
    await begin(person, prepare)
    expect(drawn() !== null).toBe(isDrawn)
  })

  it('goes on after half a second without an answer of the storage, and draws nothing when it comes', async () => {
    const answer = Promise.withResolvers<IDBDatabaseInfo[]>()
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    const begun = begin('ann', () => vi.spyOn(indexedDB, 'databases').mockReturnValue(answer.promise))
    await vi.waitFor(() => expect(indexedDB.databases).toHaveBeenCalled())
    await vi.advanceTimersByTimeAsync(500)
    await begun
    vi.useRealTimers()
    answer.resolve([{ name: 'staff-inbox', version: 1 }])
    await new Promise((resolve) => setTimeout(resolve, 50))
    expect(drawn()).toBeNull()
  })
})
