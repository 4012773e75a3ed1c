import { setTimeout as delay } from 'node:timers/promises'
import { chromium } from '@playwright/test'
import { findBrowser } from '../e2e/browser.ts'
import type { Work } from './counters.ts'
import { messagesInLongPages } from './fake-server.ts'
import type { Feed } from './feed.ts'
import { type Spread, spreadOf } from './figures.ts'
import { firstPainted, forget, type Harness, openHarness, type Subject } from './harness.ts'
import { medianWork, type Timed, timed } from './paint.ts'

export type LongThreadFigures = {
  subject: Subject
  messages: number
  /** Opening the thread at its end. */
  opening: { paint: Spread; work: Work }
  /** From a scroll to the top until the next older result page is painted, with nearly all messages loaded. */
  olderPage: { paint: Spread; work: Work }
  /** Percent of the frames of a fast scroll in which at least 120 px of the thread were blank. */
  blankFrames: number
  /** Incoming messages, half of them in this thread, with all messages loaded and the end visible. */
  tenPerSecond: { paint: Spread; work: Work }
  /** MB, with all messages loaded. */
  heap: number
}

/** `openings` alternates between three rows. With several rounds it must be a multiple of three, because reopening the open row paints nothing. */
type Effort = { messages: number; openings: number; seconds: number; rounds: number }

export const fullEffort: Effort = { messages: 50_000, openings: 9, seconds: 4, rounds: 3 }
export const quickEffort: Effort = { messages: 50_000, openings: 5, seconds: 2, rounds: 1 }

const conversations = 1_000
const threadOf = { baseline: '#thread', lean: '.messages', application: '[aria-label="Messages"]' } as const
const bubbleOf = {
  baseline: '.bubble',
  lean: '.bubble',
  application: '[aria-label="Messages"] [data-index]',
} as const

/** Measures a thread of 50,000 messages in both subjects: opening it, loading it to its beginning, and receiving. */
export async function measureLongThread(effort: Effort): Promise<LongThreadFigures[]> {
  const found = await findBrowser()
  const env = { ...process.env, ...found.env }
  const browser = await chromium.launch({ executablePath: found.executablePath, args: found.args, env })
  try {
    const size = { conversations, messages: effort.messages }
    const harnesses = [await openHarness(browser, 'baseline', size), await openHarness(browser, 'application', size)]
    for (const harness of harnesses) for (let place = 0; place < 4; place++) await harness.open(place)
    const openings = new Map<Harness, Timed[]>(harnesses.map((harness) => [harness, []]))
    for (let turn = 0; turn < effort.rounds; turn++)
      for (const [harness, timings] of openings) timings.push(await measureOpening(harness, effort))

    const held: { harness: Harness; feed: Feed; older: Timed; blankFrames: number; events: Timed[] }[] = []
    for (const harness of harnesses) {
      const feed = await harness.feed()
      const older = await measureOlderPages(harness, feed.open, effort)
      const selectors = [threadOf[harness.subject], bubbleOf[harness.subject]] as const
      held.push({
        harness,
        feed,
        older,
        blankFrames: await harness.page.evaluate(scrollThreadFast, selectors),
        events: [],
      })
    }
    for (let turn = 0; turn < effort.rounds; turn++)
      for (const { harness, feed, events } of held) events.push(await measureEvents(harness, feed, effort))

    const figures: LongThreadFigures[] = []
    for (const { harness, older, blankFrames, events } of held) {
      figures.push({
        subject: harness.subject,
        messages: effort.messages,
        opening: combine(openings.get(harness) ?? []),
        olderPage: combine([older]),
        blankFrames,
        tenPerSecond: combine(events),
        heap: await harness.counters.heap(),
      })
      await harness.close()
    }
    return figures
  } finally {
    await browser.close()
  }
}

const combine = (rounds: readonly Timed[]) => ({
  paint: spreadOf(rounds.flatMap(({ durations }) => durations)),
  work: medianWork(rounds.map(({ work }) => work)),
})

const measureOpening = (harness: Harness, { openings }: Effort): Promise<Timed> =>
  timed(harness, openings, async () => {
    const durations: number[] = []
    for (let turn = 0; turn < openings; turn++) {
      durations.push(await harness.open(1 + (turn % 3)))
      await delay(150)
    }
    return durations
  })

/** Loads the thread to its beginning. Only the last result pages, of normal size, are measured. */
async function measureOlderPages(harness: Harness, index: number, { messages }: Effort): Promise<Timed> {
  const { page, subject } = harness
  const pageBefore = async (held: number) => {
    const from = await page.evaluate(scrollToTop, threadOf[subject])
    return (await firstPainted(page, `thread-${index}-${messages - held - 1}`)) - from
  }
  let held = 50
  while (held < messagesInLongPages) {
    await pageBefore(held)
    held = Math.min(held + 1_000, messagesInLongPages)
  }
  const pages = (messages - held) / 50
  const counted = await timed(harness, pages, async () => {
    const durations: number[] = []
    for (; held < messages; held += 50) durations.push(await pageBefore(held))
    return durations
  })
  await forget(page)
  return counted
}

function scrollToTop(selector: string): Promise<number> {
  const thread = document.querySelector(selector)
  if (!thread) throw new Error('No thread is open')
  return new Promise((resolve) =>
    requestAnimationFrame(() => {
      thread.scrollTop = 0
      resolve(window.wallClock())
    }),
  )
}

async function measureEvents(harness: Harness, feed: Feed, { seconds }: Effort): Promise<Timed> {
  await harness.page.evaluate(scrollToEnd, threadOf[harness.subject])
  return timed(harness, 10 * seconds, () => feed.steady(10, seconds))
}

async function scrollToEnd(selector: string): Promise<void> {
  const thread = document.querySelector(selector)
  for (let frame = 0; frame < 10; frame++) {
    thread?.scrollTo(0, thread.scrollHeight)
    await new Promise(requestAnimationFrame)
  }
}

/** Scrolls down and up again, 2,500 px per frame. Bubbles do not touch, so only gaps of at least `minGap` px count. */
async function scrollThreadFast([threadSelector, bubbleSelector]: readonly [string, string]): Promise<number> {
  const thread = document.querySelector(threadSelector)
  if (!thread) throw new Error('No thread is open')
  const frames = 120
  const minGap = 120
  let blank = 0
  for (let frame = 0; frame < frames; frame++) {
    thread.scrollTop += frame < frames / 2 ? 2_500 : -2_500
    await new Promise(requestAnimationFrame)
    await new Promise(queueMicrotask as (callback: (value: unknown) => void) => void)
    const pane = thread.getBoundingClientRect()
    const shown = Array.from(document.querySelectorAll(bubbleSelector), (each) => each.getBoundingClientRect())
    const highest = Math.min(...shown.map(({ top }) => top))
    const lowest = Math.max(...shown.map(({ bottom }) => bottom))
    if (highest > pane.top + minGap || lowest < pane.bottom - minGap) blank++
  }
  return Math.round((blank / frames) * 1000) / 10
}
