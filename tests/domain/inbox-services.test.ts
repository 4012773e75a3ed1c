import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createHttp } from '../../src/services/http.ts'
import { createConversations } from '../../src/services/list/conversations.ts'
import { createStats } from '../../src/services/list/stats.ts'
import { createPages } from '../../src/services/pages/pages.ts'
import { createBatches, frameTiming } from '../../src/services/shell/batches.ts'
import { type BrowserReport, watchBrowser } from '../../src/services/shell/browser.ts'
import { readMessageChange, readUserChange } from '../../src/services/shell/realtime.ts'
import { messageIn, row } from '../model/inbox-fixture.ts'

describe('batches', () => {
  function start() {
    let time = 0
    let frame: (() => void) | null = null
    let timer: { at: number; run: () => void } | null = null
    const delivered: (readonly number[])[] = []
    const batches = createBatches<number>((items) => void delivered.push(items), {
      now: () => time,
      nextFrame: (callback) => {
        frame = callback
        return () => {
          frame = null
        }
      },
      after: (milliseconds, run) => {
        timer = { at: time + milliseconds, run }
        return () => {
          timer = null
        }
      },
    })
    const paint = () => {
      const due = frame
      frame = null
      due?.()
    }
    const pass = (milliseconds: number) => {
      time += milliseconds
      const due = timer
      if (due === null || due.at > time) return
      timer = null
      due.run()
    }
    return { ...batches, delivered, paint, pass }
  }

  it('hand on at once what comes alone', () => {
    const sut = start()
    sut.add(1)
    sut.pass(16)
    sut.add(2)
    expect(sut.delivered).toEqual([[1], [2]])
  })

  it('hand on together, with the next frame, what comes fast', () => {
    const sut = start()
    for (const item of [1, 2, 3, 4]) sut.add(item)
    expect(sut.delivered).toEqual([[1]])
    sut.paint()
    expect(sut.delivered).toEqual([[1], [2, 3, 4]])
    sut.pass(5)
    sut.add(5)
    sut.paint()
    expect(sut.delivered).toEqual([[1], [2, 3, 4], [5]])
  })

  it('let a flood gather for a tenth of a second, and what comes after it comes at once again', () => {
    const sut = start()
    const flood = Array.from({ length: 32 }, (_, index) => index)
    for (const item of flood) sut.add(item)
    sut.paint()
    sut.add(32)
    sut.paint()
    sut.pass(60)
    sut.add(33)
    sut.pass(39)
    expect(sut.delivered).toEqual([[0], flood.slice(1)])
    sut.pass(1)
    expect(sut.delivered).toEqual([[0], flood.slice(1), [32, 33]])
    sut.pass(20)
    sut.add(14)
    expect(sut.delivered.at(-1)).toEqual([14])
  })

  it('hand on with every frame what comes a hundred times a second, on a machine with four frames a second too', () => {
    const sut = start()
    const second = Array.from({ length: 100 }, (_, index) => index)
    sut.add(-1)
    for (const item of second) {
      sut.add(item)
      if (item % 25 === 24) sut.paint()
    }
    expect(sut.delivered.map((items) => items.length)).toEqual([1, 25, 25, 25, 25])
  })

  it('hand on nothing after they are stopped', () => {
    const sut = start()
    sut.add(1)
    sut.add(2)
    sut.stop()
    sut.paint()
    expect(sut.delivered).toEqual([[1]])
    for (let item = 3; item < 20; item++) sut.add(item)
    sut.paint()
    sut.add(20)
    sut.stop()
    sut.pass(100)
    expect(sut.delivered.flat()).not.toContain(20)
  })
})

describe('what waits for a frame', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
  afterEach(() => vi.useRealTimers())

  function start({ hidden = false } = {}) {
    const requests = new Map<number, () => void>()
    let ran = 0
    const page = {
      document: { hidden },
      performance,
      setTimeout,
      clearTimeout,
      requestAnimationFrame: (callback: () => void) => requests.set(requests.size + 1, callback).size,
      cancelAnimationFrame: (id: number) => requests.delete(id),
    }
    const timing = frameTiming(page as unknown as Window)
    const callOff = timing.nextFrame(() => {
      ran += 1
    })
    const paint = () => {
      for (const run of [...requests.values()]) run()
    }
    return { paint, callOff, ran: () => ran }
  }

  it('runs before the next paint, once, and not before', () => {
    const sut = start()
    vi.advanceTimersByTime(249)
    const before = sut.ran()
    sut.paint()
    vi.advanceTimersByTime(1_000)
    expect([before, sut.ran()]).toEqual([0, 1])
  })

  it('runs after 250 ms, once, where the page is hidden meanwhile and gets no frame', () => {
    const sut = start()
    vi.advanceTimersByTime(250)
    sut.paint()
    expect(sut.ran()).toBe(1)
  })

  it('runs after 100 ms on a page that is hidden', () => {
    const sut = start({ hidden: true })
    vi.advanceTimersByTime(99)
    const before = sut.ran()
    vi.advanceTimersByTime(1)
    expect([before, sut.ran()]).toEqual([0, 1])
  })

  it.each([true, false])('does not run once it is called off (hidden: %s)', (hidden) => {
    const sut = start({ hidden })
    sut.callOff()
    sut.paint()
    vi.advanceTimersByTime(1_000)
    expect(sut.ran()).toBe(0)
  })
})

describe('a change as the realtime client hands it over', () => {
  const change = (eventType: string, record: unknown, old: unknown = {}) => ({
    schema: 'public',
    table: 'messages',
    eventType,
    commit_timestamp: '2026-03-01T08:00:00.000Z',
    new: record,
    old,
    errors: null,
  })
  const message = messageIn('c1', 10)

  it('is a message inserted, updated, or gone by its key', () => {
    const committedAt = '2026-03-01T08:00:00.000Z'
    expect([
      readMessageChange(change('INSERT', { ...message, id: 7, more: 1 })),
      readMessageChange(change('UPDATE', message)),
      readMessageChange(change('DELETE', {}, { message_id: 'm1' })),
    ]).toEqual([
      { type: 'INSERT', record: { ...message, id: '7' }, committedAt },
      { type: 'UPDATE', record: message, committedAt },
      { type: 'DELETE', messageId: 'm1' },
    ])
  })

  const { direction: _, ...withoutDirection } = message
  it.each([
    ['a field is missing', change('INSERT', withoutDirection)],
    ['its values were cut', { ...change('INSERT', message), errors: ['Payload Too Large'] }],
    ['a deleted one has no key', change('DELETE', {}, {})],
    ['its kind is unknown', change('TRUNCATE', message)],
    ['it is nothing', null],
  ])('cannot be read where %s', (_, payload) => {
    expect(readMessageChange(payload)).toBe(null)
  })

  it('is a chat user, or cannot be read', () => {
    expect([
      readUserChange(change('UPDATE', { id: 5, name: 'Maria', psid: 'x' })),
      readUserChange(change('INSERT', { name: 'Maria' })),
      readUserChange(change('DELETE', {}, { id: '5' })),
    ]).toEqual([{ type: 'UPDATE', row: { id: '5', name: 'Maria' } }, null, null])
  })
})

describe('the calls for the list, the pages and the counts', () => {
  const warnings: string[] = []
  const urls: string[] = []
  beforeEach(() => {
    warnings.length = 0
    urls.length = 0
  })
  const httpAnswering = (answer: (url: URL) => unknown) =>
    createHttp({
      baseUrl: '/api',
      log: { warn: () => {} },
      retries: 0,
      fetch: async (input) => {
        const url = new URL(String(input), 'http://inbox')
        urls.push(`${url.pathname}${url.search}`)
        return Response.json(answer(url))
      },
    })
  const log = { warn: (text: string) => void warnings.push(text) }
  const signal = new AbortController().signal
  const everything = { search: ' maria ', pageId: 'p1', unreadOnly: true }

  const listOf = (count: number) => (url: URL) => {
    const page = Number(url.searchParams.get('page'))
    const limit = Number(url.searchParams.get('limit'))
    const all = Array.from({ length: count }, (_, index) => row(`c${index}`, count - index))
    const data = all.slice((page - 1) * limit, page * limit)
    const totalPages = Math.ceil(count / limit)
    const pagination = { page, limit, total: count, totalPages, hasNext: page < totalPages, hasPrev: page > 1 }
    return { success: true, data, pagination }
  }

  it('ask for a page of 20 with what is searched and filtered by', async () => {
    const { loadPage } = createConversations(httpAnswering(listOf(45)), log)
    const answer = await loadPage({ query: everything, page: 3 }, signal)
    expect([answer.rows.length, answer.hasNext, answer.total, urls]).toEqual([
      5,
      false,
      45,
      ['/api/facebook/conversations?page=3&limit=20&search=maria&unreadOnly=true&pageId=p1'],
    ])
  })

  it.each([
    [20, 300, ['page=1&limit=20'], 20, true],
    [21, 300, ['page=1&limit=100'], 100, true],
    [250, 300, ['page=1&limit=100', 'page=2&limit=100', 'page=3&limit=100'], 300, false],
    [250, 120, ['page=1&limit=100', 'page=2&limit=100'], 120, false],
  ])('bring at least the first %i of %i rows', async (count, total, queries, length, hasNext) => {
    const { loadTop } = createConversations(httpAnswering(listOf(total)), log)
    const answer = await loadTop({ query: { search: '', pageId: null, unreadOnly: false }, count }, signal)
    expect([answer.rows.length, answer.hasNext, answer.total]).toEqual([length, hasNext, total])
    expect(urls).toEqual(queries.map((query) => `/api/facebook/conversations?${query}`))
  })

  it('count the rows that cannot be read on every page', async () => {
    const http = httpAnswering((url) => {
      const { data, ...rest } = listOf(120)(url)
      return { ...rest, data: [...data.slice(1), { page_id: 'p1' }] }
    })
    const query = { search: '', pageId: null, unreadOnly: false }
    const { loadTop } = createConversations(http, log)
    const { rows, unreadable } = await loadTop({ query, count: 120 }, signal)
    expect([rows.length, unreadable]).toEqual([118, 2])
  })

  it('drop a row that cannot be read, and say how many', async () => {
    const http = httpAnswering((url) => ({ ...listOf(2)(url), data: [row('c1', 1), { page_id: 'p1' }] }))
    const { loadPage } = createConversations(http, log)
    expect((await loadPage({ query: everything, page: 1 }, signal)).rows).toEqual([row('c1', 1)])
    expect(warnings).toEqual(['1 conversations could not be read'])
  })

  const shop = { page_id: 'p1', page_name: 'Shop', is_active: true }
  it.each([
    ['{success, data: {data}}', { success: true, data: { data: [shop] } }],
    ['{data}', { data: [shop] }],
  ])('read pages answered as %s', async (_, answer) => {
    expect(
      await createPages(
        httpAnswering(() => answer),
        log,
      ).loadPages(signal),
    ).toEqual([shop])
  })

  it('ask for the counts of one page or of all', async () => {
    const stats = {
      messages: { total: 1, incoming: 1, outgoing: 0, unread: 1 },
      conversations: { total: 1, active24h: 1, active7d: 1 },
      users: { total: 1, linked: 0, active24h: 1 },
      total_conversations: 1,
      unread_messages: 1,
    }
    const { loadStats } = createStats(httpAnswering(() => ({ success: true, data: stats })))
    expect([await loadStats({ pageId: 'p1' }, signal), await loadStats({ pageId: null }, signal)]).toEqual([
      stats,
      stats,
    ])
    expect(urls).toEqual(['/api/facebook/stats?pageId=p1', '/api/facebook/stats'])
  })
})

describe('the browser', () => {
  beforeEach(() => vi.useFakeTimers())
  afterEach(() => vi.useRealTimers())

  function start({ hidden = false } = {}) {
    const window = new EventTarget()
    const document = Object.assign(new EventTarget(), { hidden })
    const reports: BrowserReport[] = []
    let slept = 0
    const timers = {
      setInterval: (callback: () => void, delay: number) => setInterval(callback, delay),
      clearInterval: (timer: ReturnType<typeof setInterval>) => clearInterval(timer),
    }
    const page = Object.assign(window, timers, { document })
    const end = watchBrowser(
      page as unknown as Window,
      () => Date.now() + slept,
      (report) => reports.push(report),
    )
    const turn = (toHidden: boolean) => {
      document.hidden = toHidden
      document.dispatchEvent(new Event('visibilitychange'))
    }
    const sleep = (milliseconds: number) => {
      slept += milliseconds
    }
    return { window, reports, end, turn, sleep }
  }

  it('tells that the tab is hidden and shown, and the connection lost and back', () => {
    const sut = start()
    sut.turn(true)
    sut.turn(false)
    sut.window.dispatchEvent(new Event('offline'))
    sut.window.dispatchEvent(new Event('online'))
    expect(sut.reports.map(({ type }) => type)).toEqual([
      'tab.hidden',
      'tab.shown',
      'browser.offline',
      'browser.online',
    ])
  })

  it('tells at once that the tab is hidden where it starts so', () => {
    expect(start({ hidden: true }).reports).toEqual([{ type: 'tab.hidden' }])
  })

  it('tells once that the machine slept for more than 20 s', () => {
    const sut = start()
    vi.advanceTimersByTime(60_000)
    sut.sleep(14_000)
    vi.advanceTimersByTime(60_000)
    expect(sut.reports).toEqual([])
    sut.sleep(16_000)
    vi.advanceTimersByTime(60_000)
    expect(sut.reports).toEqual([{ type: 'clock.jumped' }])
  })

  it('takes no slow timer of a hidden tab for sleep', () => {
    const sut = start()
    sut.turn(true)
    sut.sleep(60_000)
    vi.advanceTimersByTime(5_000)
    sut.turn(false)
    vi.advanceTimersByTime(60_000)
    expect(sut.reports.map(({ type }) => type)).toEqual(['tab.hidden', 'tab.shown'])
  })

  it('tells nothing after its end', () => {
    const sut = start()
    sut.end()
    sut.turn(true)
    sut.window.dispatchEvent(new Event('offline'))
    sut.sleep(60_000)
    vi.advanceTimersByTime(60_000)
    expect([sut.reports, vi.getTimerCount()]).toEqual([[], 0])
  })
})
