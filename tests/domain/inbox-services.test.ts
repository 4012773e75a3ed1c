import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { rowIdOf } from '../../src/domain/list/conversation-row.ts'
import type { BrowserReport } from '../../src/domain/shell/browser-report.ts'
import { createHttp } from '../../src/services/http.ts'
import { createConversations } from '../../src/services/list/conversations.ts'
import { createStats } from '../../src/services/list/stats.ts'
import { createPages } from '../../src/services/pages/pages.ts'
import { createBatches, frameTiming } from '../../src/services/shell/batches.ts'
import { watchBrowser } from '../../src/services/shell/browser.ts'
import { readMessageChange, readStateReport, readUserChange } from '../../src/services/shell/realtime.ts'
import { messageIn, row, stateOf } from '../model/inbox-fixture.ts'

describe('Batches of realtime changes', () => {
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

  it('deliver a single change at once', () => {
    const sut = start()
    sut.add(1)
    sut.pass(16)
    sut.add(2)
    expect(sut.delivered).toEqual([[1], [2]])
  })

  it('deliver changes in quick succession together with the next frame', () => {
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

  it('collect a burst for 100 ms and deliver a later change at once again', () => {
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

  it('deliver 100 changes a second with every frame, even at four frames a second', () => {
    const sut = start()
    const second = Array.from({ length: 100 }, (_, index) => index)
    sut.add(-1)
    for (const item of second) {
      sut.add(item)
      if (item % 25 === 24) sut.paint()
    }
    expect(sut.delivered.map((items) => items.length)).toEqual([1, 25, 25, 25, 25])
  })

  it('deliver nothing after they are stopped', () => {
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

describe('A callback that waits for a frame', () => {
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

  it('runs once, in the next animation frame', () => {
    const sut = start()
    vi.advanceTimersByTime(249)
    const before = sut.ran()
    sut.paint()
    vi.advanceTimersByTime(1_000)
    expect([before, sut.ran()]).toEqual([0, 1])
  })

  it('runs once after 250 ms if the page becomes hidden and gets no frame', () => {
    const sut = start()
    vi.advanceTimersByTime(250)
    const before = sut.ran()
    sut.paint()
    expect([before, sut.ran()]).toEqual([1, 1])
  })

  it('runs after 100 ms on a hidden page', () => {
    const sut = start({ hidden: true })
    vi.advanceTimersByTime(99)
    const before = sut.ran()
    vi.advanceTimersByTime(1)
    expect([before, sut.ran()]).toEqual([0, 1])
  })

  it.each([true, false])('does not run after it is cancelled (hidden: %s)', (hidden) => {
    const sut = start({ hidden })
    sut.callOff()
    sut.paint()
    vi.advanceTimersByTime(1_000)
    expect(sut.ran()).toBe(0)
  })
})

describe('The parser of a realtime change', () => {
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

  it('reads an inserted, an updated and a deleted message', () => {
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
    ['with a missing field', change('INSERT', withoutDirection)],
    ['with truncated values', { ...change('INSERT', message), errors: ['Payload Too Large'] }],
    ['that deletes a row without a key', change('DELETE', {}, {})],
    ['of an unknown type', change('TRUNCATE', message)],
    ['that is null', null],
  ])('rejects a change %s', (_, payload) => {
    expect(readMessageChange(payload)).toBe(null)
  })

  it('reads a Facebook user and rejects an unreadable one', () => {
    expect([
      readUserChange(change('UPDATE', { id: 5, name: 'Maria', psid: 'x' })),
      readUserChange(change('INSERT', { name: 'Maria' })),
      readUserChange(change('DELETE', {}, { id: '5' })),
    ]).toEqual([
      { type: 'UPDATE', row: { id: '5', name: 'Maria' }, committedAt: '2026-03-01T08:00:00.000Z' },
      null,
      null,
    ])
  })
})

describe('The state in an insert into conversation_events', () => {
  const state = stateOf(7, { waiting_since: '2026-03-01T08:00:00.000Z', assigned_to: 's1' })
  const { version, ...fields } = state
  const event = { id: version, primary_user_id: 5, at: '2026-03-01T09:00:00.000Z', changed_by: 's2', ...fields }
  const insert = { eventType: 'INSERT', commit_timestamp: '2026-03-01T09:00:00.000Z', new: event, old: {} }

  it('has the id of the event as its version', () =>
    expect(readStateReport(insert)).toEqual({ id: '5', state, changedBy: 's2' }))

  it.each([
    ['without a version', { ...insert, new: { ...event, id: undefined } }],
    ['with truncated values', { ...insert, errors: ['Payload Too Large'] }],
    ['of an unknown type', { ...insert, eventType: 'TRUNCATE' }],
  ])('is rejected %s', (_, payload) => expect(readStateReport(payload)).toBe(null))
})

describe('The calls for the list, the pages and the counts', () => {
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

  it('request a result page of 20 with the search text and the filters', async () => {
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
    ['', '?page=1&limit=20&view=done'],
    ['ana', '?page=1&limit=20&search=ana&view=all'],
  ])('request the view, or all conversations for the search "%s"', async (search, address) => {
    const { loadPage } = createConversations(httpAnswering(listOf(1)), log)
    await loadPage({ query: { search, pageId: null, unreadOnly: false, view: 'done' }, page: 1 }, signal)
    expect(urls).toEqual([`/api/facebook/conversations${address}`])
  })

  it.each([
    [20, 300, 1, 20, true],
    [21, 300, 2, 40, true],
    [250, 300, 13, 260, true],
    [250, 120, 6, 120, false],
  ])('return at least the first %i of %i rows in pages of 20', async (count, total, pages, length, hasNext) => {
    const { loadTop } = createConversations(httpAnswering(listOf(total)), log)
    const answer = await loadTop({ query: { search: '', pageId: null, unreadOnly: false }, count }, signal)
    const firstRows = Array.from({ length }, (_, index) => `c${index}`)
    expect([answer.rows.map(rowIdOf), answer.hasNext, answer.total]).toEqual([firstRows, hasNext, total])
    expect(urls).toEqual(
      Array.from({ length: pages }, (_, index) => `/api/facebook/conversations?page=${index + 1}&limit=20`),
    )
  })

  it('request four pages at a time', async () => {
    const waiting: (() => void)[] = []
    const http = createHttp({
      baseUrl: '/api',
      log,
      fetch: (input) =>
        new Promise((resolve) => {
          const url = new URL(String(input), 'http://inbox')
          waiting.push(() => resolve(Response.json(listOf(300)(url))))
        }),
    })
    const query = { search: '', pageId: null, unreadOnly: false }
    const loading = createConversations(http, log).loadTop({ query, count: 180 }, signal)
    const together: number[] = []
    for (const expected of [1, 4, 4]) {
      await expect.poll(() => waiting.length).toBe(expected)
      together.push(waiting.length)
      for (const answer of waiting.splice(0)) answer()
    }
    expect([together, (await loading).rows.length]).toEqual([[1, 4, 4], 180])
  })

  it('include a conversation that moved to the top while the pages were read', async () => {
    const before = Array.from({ length: 60 }, (_, index) => row(`c${index}`, 60 - index))
    const moved = row('c45', 61)
    const after = [moved, ...before.filter(({ primary_user_id }) => primary_user_id !== 'c45')]
    let asked = 0
    const http = httpAnswering((url) => {
      asked += 1
      const page = Number(url.searchParams.get('page'))
      const data = (asked === 1 ? before : after).slice((page - 1) * 20, page * 20)
      return { success: true, data, pagination: { ...listOf(60)(url).pagination } }
    })
    const { loadTop } = createConversations(http, log)
    const answer = await loadTop({ query: { search: '', pageId: null, unreadOnly: false }, count: 60 }, signal)
    expect(answer.rows).toEqual(after)
  })

  it('count the unreadable rows of every page', async () => {
    const http = httpAnswering((url) => {
      const { data, ...rest } = listOf(120)(url)
      return { ...rest, data: [...data.slice(1), { page_id: 'p1' }] }
    })
    const query = { search: '', pageId: null, unreadOnly: false }
    const { loadTop } = createConversations(http, log)
    const { rows, unreadable } = await loadTop({ query, count: 120 }, signal)
    expect([rows.length, unreadable]).toEqual([114, 6])
  })

  it('drop unreadable rows and count them', async () => {
    const http = httpAnswering((url) => ({ ...listOf(2)(url), data: [row('c1', 1), { page_id: 'p1' }] }))
    const { loadPage } = createConversations(http, log)
    expect((await loadPage({ query: everything, page: 1 }, signal)).rows).toEqual([row('c1', 1)])
    expect(warnings).toEqual(['1 conversations could not be read'])
  })

  const shop = { page_id: 'p1', page_name: 'Shop', is_active: true }
  it.each([
    ['{success, data: {data}}', { success: true, data: { data: [shop] } }],
    ['{data}', { data: [shop] }],
  ])('read pages from an answer of the form %s', async (_, answer) => {
    expect(
      await createPages(
        httpAnswering(() => answer),
        log,
        { pictureProxy: null },
      ).loadPages(signal),
    ).toEqual([shop])
  })

  it('load page pictures through the proxy of the build configuration', async () => {
    const onNetwork = 'https://scontent.xx.fbcdn.net/v/a.jpg?oh=00_AbC&oe=65000000'
    const pictures = [onNetwork, '/pictures/abc', null]
    const rows = pictures.map((picture, index) => ({ ...shop, page_id: `p${index}`, page_profile_pic_url: picture }))
    const shown = async (pictureProxy: string | null) => {
      const http = httpAnswering(() => ({ success: true, data: { data: rows } }))
      const pages = await createPages(http, log, { pictureProxy }).loadPages(signal)
      return pages.map(({ page_profile_pic_url }) => page_profile_pic_url)
    }
    expect([await shown(null), await shown('https://images.example/?url={url}&w=80')]).toEqual([
      pictures,
      [`https://images.example/?url=${encodeURIComponent(onNetwork)}&w=80`, '/pictures/abc', null],
    ])
  })

  it('request the counts of one page or of all pages', async () => {
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

describe('The browser events', () => {
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

  it('report the hidden and the shown tab, and the lost and the restored connection', () => {
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

  it('report a tab that is hidden from the start', () => {
    expect(start({ hidden: true }).reports).toEqual([{ type: 'tab.hidden' }])
  })

  it('report once that the machine slept for more than 20 s', () => {
    const sut = start()
    vi.advanceTimersByTime(60_000)
    sut.sleep(14_000)
    vi.advanceTimersByTime(60_000)
    expect(sut.reports).toEqual([])
    sut.sleep(16_000)
    vi.advanceTimersByTime(60_000)
    expect(sut.reports).toEqual([{ type: 'clock.jumped' }])
  })

  it('do not mistake the throttled timer of a hidden tab for sleep', () => {
    const sut = start()
    sut.turn(true)
    sut.sleep(60_000)
    vi.advanceTimersByTime(5_000)
    sut.turn(false)
    vi.advanceTimersByTime(60_000)
    expect(sut.reports.map(({ type }) => type)).toEqual(['tab.hidden', 'tab.shown'])
  })

  it('report nothing after they are stopped', () => {
    const sut = start()
    sut.end()
    sut.turn(true)
    sut.window.dispatchEvent(new Event('offline'))
    sut.sleep(60_000)
    vi.advanceTimersByTime(60_000)
    expect([sut.reports, vi.getTimerCount()]).toEqual([[], 0])
  })
})
