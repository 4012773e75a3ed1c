import { setTimeout as delay } from 'node:timers/promises'
import type { Browser, Page } from '@playwright/test'
import { freePort } from '../../scripts/postgres.ts'
import { type Counters, countersOf } from './counters.ts'
import { Feed } from './feed.ts'
import { instrument } from './instrument.ts'
import { type Size, startStandIn } from './stand-in.ts'

export type Subject = 'floor' | 'application'

/** A tab with everything loaded, over an inbox of its own. */
export type Harness = {
  subject: Subject
  page: Page
  counters: Counters
  /** Opens a row in sight; from the click until the newest bubble of its thread is painted, in milliseconds. */
  open(place: number): Promise<number>
  /** Opens the first row and sends events, half of them to it. */
  feed(): Promise<Feed>
  /** Takes the screen away and draws it again, with all rows loaded. */
  leave(): Promise<void>
  enter(): Promise<void>
  /** Scrolls the list far and fast; answers what share of the frames, in percent, left a part of it blank. */
  blankFrames(): Promise<number>
  close(): Promise<void>
}

export async function openHarness(browser: Browser, subject: Subject, size: Size): Promise<Harness> {
  const { conversations, messages } = size
  const standIn = await startStandIn(await freePort(), size)
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, baseURL: standIn.url })
  const page = await context.newPage()
  await page.addInitScript(instrument)
  if (subject === 'floor') await loadFloor(page, conversations)
  else await loadApplication(page, conversations)
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
      fed ??= new Feed(page, standIn)
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
      await standIn.stop()
    },
  }
}

/** The application goes to another of its screens and back, as a link does. */
const leaveOf = {
  floor: () => window.floor.leave(),
  application: async () => {
    window.history.pushState(null, '', '/clients/none')
    window.dispatchEvent(new PopStateEvent('popstate'))
    while (document.querySelector('[role="option"]')) await new Promise(requestAnimationFrame)
  },
}
const enterOf = {
  floor: () => window.floor.enter(),
  application: () => {
    window.history.pushState(null, '', '/')
    window.dispatchEvent(new PopStateEvent('popstate'))
  },
}

/** A hand's width of rows a frame, first down and then up. What a frame paints is looked at when all that draws in it has run. */
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
    // The browser tells of a scroll before the next frame's callbacks: after those, the frame is what it will be.
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
    floor: { leave: () => void; enter: () => void }
  }
}

async function loadFloor(page: Page, conversations: number): Promise<void> {
  await page.goto(`/floor?conversations=${conversations}`)
  await page.locator('body[data-live]').waitFor()
}

/** Signs in and, where there are more, goes to the end of the list until all of it is loaded. */
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

/** Rows are clicked from within the page: the clock starts where the person's click would arrive. */
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
