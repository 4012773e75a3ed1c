import { setTimeout as delay } from 'node:timers/promises'
import { type Browser, type CDPSession, chromium, type Page } from '@playwright/test'
import { freePort } from '../../scripts/postgres.ts'
import { findBrowser } from '../e2e/browser.ts'
import { round, type Spread, spreadOf } from './figures.ts'
import { instrument } from './instrument.ts'
import { type StandIn, startStandIn } from './stand-in.ts'
import { eventMessage } from './world.ts'

export type Subject = 'floor' | 'application'
export type PaintFigures = {
  subject: Subject
  conversations: number
  heapMegabytes: number
  opening: Spread
  tenPerSecond: Spread
  hundredPerSecond: Spread
  burstOfThousand: { untilPainted: number; events: Spread }
}

type Effort = { conversations: number[]; seconds: number; openings: number; bursts: number }

export const fullEffort: Effort = { conversations: [1_000, 10_000], seconds: 15, openings: 40, bursts: 3 }
export const quickEffort: Effort = { conversations: [1_000], seconds: 5, openings: 12, bursts: 1 }

/** Measures the application and the floor in turn, in one browser, on the same data and events. */
export async function measurePaint(effort: Effort): Promise<PaintFigures[]> {
  const found = await findBrowser()
  const env = { ...process.env, ...found.env }
  const browser = await chromium.launch({ executablePath: found.executablePath, args: found.args, env })
  const figures: PaintFigures[] = []
  try {
    for (const conversations of effort.conversations) {
      for (const subject of ['floor', 'application'] as const) {
        figures.push(await measureSubject(browser, subject, conversations, effort))
      }
    }
    return figures
  } finally {
    await browser.close()
  }
}

async function measureSubject(
  browser: Browser,
  subject: Subject,
  conversations: number,
  effort: Effort,
): Promise<PaintFigures> {
  const standIn = await startStandIn(await freePort(), conversations)
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, baseURL: standIn.url })
  try {
    const page = await context.newPage()
    await page.addInitScript(instrument)
    if (subject === 'floor') await loadFloor(page, conversations)
    else await loadApplication(page, conversations)
    const heapMegabytes = await heapAfterCollection(await context.newCDPSession(page))
    const opening = await measureOpening(page, effort.openings)
    const feed = new Feed(page, standIn, await openFirst(page))
    const tenPerSecond = await feed.steady(10, effort.seconds)
    const hundredPerSecond = await feed.steady(100, effort.seconds)
    const burstOfThousand = await feed.bursts(1_000, effort.bursts)
    return { subject, conversations, heapMegabytes, opening, tenPerSecond, hundredPerSecond, burstOfThousand }
  } finally {
    await context.close()
    await standIn.stop()
  }
}

async function loadFloor(page: Page, conversations: number): Promise<void> {
  await page.goto(`/floor?conversations=${conversations}`)
  await page.locator('body[data-live]').waitFor()
}

/** Signs in and, where there are more, goes to the end of the list until all of it is loaded. */
export async function loadApplication(page: Page, conversations: number): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('E-mail').fill('bench@example.com')
  await page.getByLabel('Password', { exact: true }).fill('bench-password')
  await page.getByRole('button', { name: 'Sign in' }).click()
  const list = page.getByRole('listbox', { name: 'Conversations' })
  await list.waitFor()
  await page.getByText('Connection: Live').waitFor()
  await list.focus()
  const last = list.locator(`[aria-posinset="${conversations}"]`)
  for (let tries = 0; !(await last.isVisible()); tries++) {
    if (tries > 500) throw new Error(`${conversations} conversations could not be loaded`)
    await list.press('End')
    await delay(100)
  }
  await list.press('Home')
  await list.locator('[aria-posinset="1"]').waitFor()
}

async function heapAfterCollection(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.enable')
  await session.send('HeapProfiler.collectGarbage')
  const { usedSize } = await session.send('Runtime.getHeapUsage')
  return round(usedSize / 1_000_000)
}

/** Opens rows in sight one after another; from the click until a bubble of that thread is painted. */
async function measureOpening(page: Page, times: number): Promise<Spread> {
  const durations: number[] = []
  for (let turn = 0; turn < times; turn++) {
    const { clickedAt, thread } = await clickRow(page, turn % 8)
    const paintedAt = await firstPainted(page, thread)
    durations.push(paintedAt - clickedAt)
    await forget(page)
    await delay(150)
  }
  return spreadOf(durations)
}

/** Rows are clicked from within the page: the clock starts where the person's click would arrive. */
function clickRow(page: Page, place: number): Promise<{ clickedAt: number; thread: string }> {
  return page.evaluate((at) => {
    const rows = Array.from(document.querySelectorAll('[role="option"]'))
    const inSight = rows
      .filter((row) => row.getBoundingClientRect().top >= 0)
      .toSorted((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
    const row = inSight[at]
    if (!(row instanceof HTMLElement)) throw new Error('There is no such row')
    const index = /[A-Z][a-z]+ [A-Z][a-z]+ (\d+)\./.exec(row.textContent ?? '')?.[1]
    const clickedAt = window.wallClock()
    row.click()
    return { clickedAt, thread: `thread-${index}-49` }
  }, place)
}

async function openFirst(page: Page): Promise<number> {
  const { thread } = await clickRow(page, 0)
  await firstPainted(page, thread)
  return Number(thread.split('-')[1])
}

async function firstPainted(page: Page, token: string): Promise<number> {
  const painted = await page.waitForFunction((wanted) => window.paintedAt.get(wanted), token, { polling: 50 })
  return (await painted.jsonValue()) ?? 0
}

function forget(page: Page): Promise<void> {
  return page.evaluate(() => window.paintedAt.clear())
}

/** Sends events, half of them to the open conversation and half to others, and asks the page when they were painted. */
class Feed {
  private readonly page: Page
  private readonly standIn: StandIn
  private readonly open: number
  private number = 0

  constructor(page: Page, standIn: StandIn, open: number) {
    this.page = page
    this.standIn = standIn
    this.open = open
  }

  async steady(perSecond: number, seconds: number): Promise<Spread> {
    const sent = new Map<string, number>()
    const begun = performance.now()
    for (let count = 0; count < perSecond * seconds; count++) {
      await delay(Math.max(0, begun + (count * 1000) / perSecond - performance.now()))
      this.send(1, sent)
    }
    const durations = await this.durations(sent)
    const share = durations.length / sent.size
    if (share < 0.9) throw new Error(`Only ${Math.round(share * 100)} % of the events were seen on the screen`)
    return spreadOf(durations)
  }

  async bursts(size: number, times: number): Promise<PaintFigures['burstOfThousand']> {
    const untilPainted: number[] = []
    const events: number[] = []
    for (let time = 0; time < times; time++) {
      const sent = new Map<string, number>()
      this.send(size, sent)
      const durations = await this.durations(sent)
      untilPainted.push(Math.max(...durations))
      events.push(...durations)
    }
    return { untilPainted: spreadOf(untilPainted).p50, events: spreadOf(events) }
  }

  private send(count: number, sent: Map<string, number>): void {
    const end = Date.now()
    const messages = Array.from({ length: count }, (_, index) => {
      // No two messages of a conversation are written in one millisecond.
      const at = new Date(end - (count - 1 - index))
      this.number++
      const conversation = this.number % 2 === 0 ? this.open : (this.number * 7) % 500
      return eventMessage(this.number, conversation, at)
    })
    const now = performance.timeOrigin + performance.now()
    for (const { message_id } of messages) sent.set(message_id, now)
    this.standIn.send(messages)
  }

  /** Waits for the last event, then answers how long each took that was ever painted: in a burst most never need to be. */
  private async durations(sent: ReadonlyMap<string, number>): Promise<number[]> {
    const last = [...sent.keys()].at(-1)
    if (last === undefined) return []
    await firstPainted(this.page, last)
    await delay(1_500)
    const painted = await this.page.evaluate(() => [...window.paintedAt])
    await forget(this.page)
    return painted.flatMap(([token, at]) => {
      const sentAt = sent.get(token)
      return sentAt === undefined ? [] : [at - sentAt]
    })
  }
}
