import { setTimeout as delay } from 'node:timers/promises'
import type { Browser, Page } from '@playwright/test'
import { reservePort } from '../../scripts/ports.ts'
import { type Counters, countersOf } from './counters.ts'
import { type Size, startFakeServer } from './fake-server.ts'
import { Feed } from './feed.ts'
import { instrument } from './instrument.ts'

/** `baseline` is plain DOM, `lean` the same screen in React without state machines. */
export type Subject = 'baseline' | 'lean' | 'application'

/** A browser tab with all conversations loaded, with its own fake server. */
export type Harness = {
  subject: Subject
  page: Page
  counters: Counters
  /** Opens a visible row. Returns the milliseconds from the click until the newest bubble is painted. */
  open(place: number): Promise<number>
  /** Opens the first row and sends events, half of them to it. */
  feed(): Promise<Feed>
  /** Unmounts and mounts the screen, with all rows loaded. */
  leave(): Promise<void>
  enter(): Promise<void>
  /** Scrolls the list fast. Returns the percentage of frames in which part of it was blank. */
  blankFrames(): Promise<number>
  close(): Promise<void>
}

/** `instruments` run in the browser before the page's own scripts. */
export async function openHarness(
  browser: Browser,
  subject: Subject,
  size: Size,
  instruments: readonly (() => void)[] = [],
): Promise<Harness> {
  const { conversations, messages } = size
  const fakeServer = await startFakeServer(await reservePort(), size)
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, baseURL: fakeServer.url })
  const page = await context.newPage()
  for (const each of [instrument, ...instruments]) await page.addInitScript(each)
  if (subject === 'application') await loadApplication(page, conversations)
  else await loadReference(page, subject, conversations)
  const counters = await countersOf(page)
  let fed: Feed | null = null
  return {
    subject,
    page,
    counters,
    open: async (place) => {
      const { clickedAt, thread } = await clickRow(page, place, messages)
      const paintedAt = await firstPainted(page, thread)
      await forget(page)
      return paintedAt - clickedAt
    },
    feed: async () => {
      const open = await openFirst(page, messages)
      fed ??= new Feed(page, fakeServer)
      fed.open = open
      return fed
    },
    leave: () => page.evaluate(leaveOf[subject]),
    enter: async () => {
      await page.evaluate(enterOf[subject])
      await page.locator('[role="option"]').first().waitFor()
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
    },
    blankFrames: () => page.evaluate(scrollFast),
    close: async () => {
      await context.close()
      await fakeServer.stop()
    },
  }
}

const leaveReference = () => window.reference.leave()
const enterReference = () => window.reference.enter()
const leaveOf = {
  baseline: leaveReference,
  lean: leaveReference,
  /** Navigates to another screen, and back. */
  application: async () => {
    window.history.pushState(null, '', '/clients/none')
    window.dispatchEvent(new PopStateEvent('popstate'))
    while (document.querySelector('[role="option"]')) await new Promise(requestAnimationFrame)
  },
}
const enterOf = {
  baseline: enterReference,
  lean: enterReference,
  application: () => {
    window.history.pushState(null, '', '/')
    window.dispatchEvent(new PopStateEvent('popstate'))
  },
}

/** Scrolls down and up, 2,500 px per frame. Checks each frame after its callbacks have run. */
async function scrollFast(): Promise<number> {
  const row = document.querySelector('[role="option"]')
  let list = row?.parentElement ?? null
  while (list && getComputedStyle(list).overflowY !== 'auto') list = list.parentElement
  if (!list) throw new Error('The list does not scroll')
  const scroller = list
  const isBlank = () => {
    const { top, bottom } = scroller.getBoundingClientRect()
    const rects = Array.from(document.querySelectorAll('[role="option"]'), (each) => each.getBoundingClientRect())
    const shown = rects.filter((rect) => rect.bottom > top && rect.top < bottom)
    const covered = shown.reduce((sum, rect) => sum + Math.min(rect.bottom, bottom) - Math.max(rect.top, top), 0)
    return covered < bottom - top - 1
  }
  const frames = 120
  let blank = 0
  for (let frame = 0; frame < frames; frame++) {
    scroller.scrollTop += frame < frames / 2 ? 2_500 : -2_500
    // The scroll event precedes the next frame callbacks; after these the frame is complete.
    await new Promise(requestAnimationFrame)
    await new Promise(queueMicrotask as (callback: (value: unknown) => void) => void)
    if (isBlank()) blank++
  }
  scroller.scrollTop = 0
  await new Promise(requestAnimationFrame)
  await new Promise(requestAnimationFrame)
  return Math.round((blank / frames) * 1000) / 10
}

declare global {
  interface Window {
    reference: { leave: () => void; enter: () => void }
  }
}

async function loadReference(page: Page, subject: 'baseline' | 'lean', conversations: number): Promise<void> {
  await page.goto(`/${subject}?conversations=${conversations}`)
  await page.locator('body[data-live]').waitFor()
}

/** Signs in, and scrolls to the end of the list until all conversations are loaded. */
export async function loadApplication(page: Page, conversations: number): Promise<void> {
  await page.goto('/login')
  await page.getByLabel('Email').fill('bench@example.com')
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

/** Clicks within the browser, so that the measurement starts when a real click would arrive. */
function clickRow(page: Page, place: number, messages: number): Promise<{ clickedAt: number; thread: string }> {
  return page.evaluate(
    ({ at, last }) => {
      const rows = Array.from(document.querySelectorAll('[role="option"]'))
      const inSight = rows
        .filter((row) => row.getBoundingClientRect().top >= 0)
        .toSorted((a, b) => a.getBoundingClientRect().top - b.getBoundingClientRect().top)
      const row = inSight[at]
      if (!(row instanceof HTMLElement)) throw new Error('There is no such row')
      const index = /[A-Z][a-z]+ [A-Z][a-z]+ (\d+)\./.exec(row.textContent ?? '')?.[1]
      const clickedAt = window.wallClock()
      row.click()
      return { clickedAt, thread: `thread-${index}-${last}` }
    },
    { at: place, last: messages - 1 },
  )
}

async function openFirst(page: Page, messages: number): Promise<number> {
  const { thread } = await clickRow(page, 0, messages)
  await firstPainted(page, thread)
  return Number(thread.split('-')[1])
}

export async function firstPainted(page: Page, token: string): Promise<number> {
  const painted = await page.waitForFunction((wanted) => window.paintedAt.get(wanted), token, { polling: 50 })
  return (await painted.jsonValue()) ?? 0
}

export function forget(page: Page): Promise<void> {
  return page.evaluate(() => window.paintedAt.clear())
}
