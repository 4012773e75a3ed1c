import { describe, expect, it } from 'vitest'
import type { Notice } from '../../../src/domain/list/notices.ts'
import type { NotificationReport } from '../../../src/domain/shell/notification-calls.ts'
import type { Http } from '../../../src/services/http.ts'
import { createNotifications } from '../../../src/services/shell/notifications.ts'

/** The locks of one browser, with the rules of the Web Locks API for `steal` and `signal`. */
function createLocks() {
  type Request = { run: () => Promise<void>; resolve: () => void; reject: (error: unknown) => void }
  let holder: Request | null = null
  const waiting: Request[] = []
  let stolen = 0
  function grant(request: Request): void {
    holder = request
    // A browser calls back later.
    setTimeout(async () => {
      await request.run()
      if (holder !== request) return
      request.resolve()
      const next = waiting.shift()
      holder = null
      if (next) grant(next)
    })
  }
  return {
    request: (_: string, how: { steal?: true; signal?: AbortSignal }, run: () => Promise<void>) =>
      new Promise<void>((resolve, reject) => {
        const request = { run, resolve, reject }
        how.signal?.addEventListener('abort', () => {
          if (!waiting.includes(request)) return
          waiting.splice(waiting.indexOf(request), 1)
          reject(new DOMException('withdrawn', 'AbortError'))
        })
        if (how.steal) {
          stolen += 1
          holder?.reject(new DOMException('stolen', 'AbortError'))
        }
        if (how.steal || holder === null) grant(request)
        else waiting.push(request)
      }),
    /** How many requests wait, and how many took the lock from another. */
    counts: () => ({ waiting: waiting.length, stolen }),
  }
}

/** A tab whose notifications are recorded. */
function openTab({
  locks = createLocks(),
  refuses = false,
  hasBeenActive = true,
  asks = true,
  answer = 'granted',
} = {}) {
  const shown: { title: string; options: unknown; isOpen: boolean; click: () => void }[] = []
  const calls: string[] = []
  const tones: number[][] = []
  class FakeNotification {
    static permission = 'granted'
    static requestPermission = async () => answer
    onclick: (() => void) | null = null
    readonly entry: (typeof shown)[number]
    constructor(title: string, options: unknown) {
      if (refuses) throw new TypeError('Illegal constructor')
      this.entry = { title, options, isOpen: true, click: () => this.onclick?.() }
      shown.push(this.entry)
    }
    close() {
      this.entry.isOpen = false
    }
  }
  class FakeAudioContext {
    currentTime = 10
    destination = {}
    constructor() {
      calls.push('open audio')
    }
    resume = async () => void calls.push('resume audio')
    close = async () => void calls.push('close audio')
    createGain = () => ({
      gain: {
        setValueAtTime: (...values: number[]) => tones.at(-1)?.push(...values),
        exponentialRampToValueAtTime: (...values: number[]) => tones.at(-1)?.push(...values),
      },
      connect: (to: unknown) => to,
    })
    createOscillator = () => {
      const tone: number[] = []
      tones.push(tone)
      const frequency = { value: 0 }
      return {
        frequency,
        connect: (to: unknown) => to,
        start: (at: number) => {
          calls.push('tone')
          tone.push(frequency.value, at)
        },
        stop: (at: number) => tone.push(at),
      }
    }
  }
  let isFocused = false
  const status = new EventTarget()
  const document = Object.assign(new EventTarget(), { hidden: false, hasFocus: () => isFocused })
  const window = Object.assign(new EventTarget(), {
    document,
    navigator: {
      locks,
      userActivation: { hasBeenActive },
      ...(asks && { permissions: { query: async () => status } }),
    },
    Notification: FakeNotification,
    AudioContext: FakeAudioContext,
    focus: () => void calls.push('focus'),
  })
  const service = createNotifications({} as Http, window as unknown as Window & typeof globalThis)
  const reports: NotificationReport[] = []
  const stop = service.watch('s1', (report) => void reports.push(report))
  const settle = async () => {
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setTimeout(resolve))
  }
  return {
    ...service,
    shown,
    calls,
    tones,
    stop,
    /** The reports since the last call. */
    heard: async () => {
      await settle()
      return reports.splice(0)
    },
    focus: (to: boolean) => {
      isFocused = to
      window.dispatchEvent(new Event(to ? 'focus' : 'blur'))
    },
    hide: (isHidden: boolean) => {
      document.hidden = isHidden
      document.dispatchEvent(new Event('visibilitychange'))
    },
    changePermission: (permission: string) => {
      FakeNotification.permission = permission
      status.dispatchEvent(new Event('change'))
    },
  }
}

const notice = (tag: string, over: Partial<Notice> = {}): Notice => ({
  tag,
  title: `Message in ${tag}`,
  body: null,
  conversationId: tag,
  ...over,
})

describe('Desktop notifications', () => {
  it('are silent, and one with the tag of an earlier one replaces it', () => {
    const tab = openTab()
    tab.show([notice('c1'), notice('c2', { body: 'Hello' })])
    tab.show([notice('c1')])
    expect(tab.shown.map(({ options, isOpen }) => [options, isOpen])).toEqual([
      [{ tag: 'c1', silent: true }, false],
      [{ tag: 'c2', silent: true, body: 'Hello' }, true],
      [{ tag: 'c1', silent: true }, true],
    ])
  })

  it('close on a click, which brings the window to the front and opens the conversation, if there is one', async () => {
    const tab = openTab()
    await tab.heard()
    tab.show([notice('c1'), notice('inbox', { conversationId: null })])
    for (const { click } of tab.shown) click()
    expect([tab.shown.map(({ isOpen }) => isOpen), tab.calls, await tab.heard()]).toEqual([
      [false, false],
      ['focus', 'focus'],
      [{ type: 'notice.clicked', conversationId: 'c1' }],
    ])
  })

  it.each([{ threadId: 't1' }, { threadId: null }])('open the comments on a click: %j', async (comments) => {
    const tab = openTab()
    await tab.heard()
    tab.show([notice('comments', { conversationId: null, comments })])
    tab.shown[0]?.click()
    expect(await tab.heard()).toEqual([{ type: 'notice.commentsClicked', ...comments }])
  })

  it('count as unsupported on a phone, which has the constructor and refuses to use it', async () => {
    const tab = openTab({ refuses: true })
    await tab.heard()
    tab.show([notice('c1')])
    expect(await tab.heard()).toEqual([{ type: 'permission.changed', permission: 'unsupported' }])
  })

  it('follow a permission that is changed in the settings of the browser', async () => {
    const tab = openTab()
    await tab.heard()
    for (const permission of ['denied', 'default']) tab.changePermission(permission)
    expect(await tab.heard()).toEqual([
      { type: 'permission.changed', permission: 'denied' },
      { type: 'permission.changed', permission: 'undecided' },
    ])
  })

  it('have the permission of the start in a browser that tells no change', async () => {
    const tab = openTab({ asks: false })
    expect(await tab.heard()).toEqual([
      { type: 'permission.changed', permission: 'granted' },
      { type: 'window.left' },
      { type: 'lead.gained' },
    ])
  })

  it.each([
    ['granted', 'granted'],
    ['denied', 'denied'],
    ['default', 'undecided'],
  ])('have the permission that the person answers: %s', async (answer, permission) => {
    expect(await openTab({ answer }).requestPermission()).toBe(permission)
  })

  it('disappear when the person signs out, and nothing is reported afterwards', async () => {
    const tab = openTab()
    tab.show([notice('c1'), notice('c2')])
    await tab.heard()
    tab.stop()
    tab.focus(true)
    tab.hide(true)
    tab.changePermission('denied')
    expect([tab.shown.map(({ isOpen }) => isOpen), await tab.heard()]).toEqual([[false, false], []])
  })
})

describe('The lead among the tabs of a person', () => {
  it('goes to the tab that is used, stays when that tab is left, and goes to another when it is closed', async () => {
    const locks = createLocks()
    const leads = async () =>
      [
        ...(await first.heard()).map(({ type }) => `first ${type}`),
        ...(await second.heard()).map(({ type }) => `second ${type}`),
      ].filter((line) => line.includes('lead'))
    const first = openTab({ locks })
    const second = openTab({ locks })
    expect(await leads()).toEqual(['first lead.gained'])
    second.focus(true)
    expect(await leads()).toEqual(['first lead.lost', 'second lead.gained'])
    second.focus(false)
    first.hide(true)
    // The window has the focus and shows another tab.
    first.focus(true)
    expect(await leads()).toEqual([])
    second.stop()
    expect(await leads()).toEqual(['first lead.gained'])
  })

  it('is asked for once: a tab that takes it waits for it no longer, and a tab that is closed never asks again', async () => {
    const locks = createLocks()
    const [first, second] = [openTab({ locks }), openTab({ locks })]
    await first.heard()
    expect(locks.counts()).toEqual({ waiting: 1, stolen: 0 })
    second.focus(true)
    await second.heard()
    expect(locks.counts()).toEqual({ waiting: 1, stolen: 1 })
    first.stop()
    expect(locks.counts()).toEqual({ waiting: 0, stolen: 1 })
    first.focus(true)
    first.hide(false)
    expect(locks.counts()).toEqual({ waiting: 0, stolen: 1 })
  })
})

describe('The sound', () => {
  it('is two tones, also after the browser has suspended it, and ends with the session', () => {
    const tab = openTab()
    tab.play()
    tab.play()
    tab.stop()
    const played = ['resume audio', 'tone', 'tone']
    expect(tab.calls).toEqual(['open audio', ...played, ...played, 'close audio'])
  })

  it('is short and quiet', () => {
    const { play, tones } = openTab()
    play()
    const toneOf = (frequency: number, at: number) => [0.06, at, 0.001, at + 0.16, frequency, at, at + 0.16]
    expect(tones).toEqual([toneOf(880, 10), toneOf(1175, 10.11)])
  })

  it('is left out before the person has used the page', () => {
    const tab = openTab({ hasBeenActive: false })
    tab.play()
    expect(tab.calls).toEqual([])
  })
})
