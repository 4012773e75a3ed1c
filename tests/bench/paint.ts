import { setTimeout as delay } from 'node:timers/promises'
import { chromium } from '@playwright/test'
import { findBrowser } from '../e2e/browser.ts'
import type { Work } from './counters.ts'
import { round, type Spread, spreadOf } from './figures.ts'
import { type Harness, openHarness, type Subject } from './harness.ts'
import { messagesPerThread } from './world.ts'

export type PaintFigures = {
  subject: Subject
  conversations: number
  /** MB, with all conversations loaded and none open. */
  heap: number
  /** `work` is per opening, per event or per burst. */
  opening: { paint: Spread; work: Work }
  tenPerSecond: { paint: Spread; work: Work }
  /** `painted`: percent of the events that were painted; of several in one frame only the last is. */
  hundredPerSecond: { paint: Spread; work: Work; painted: number }
  burstOfThousand: { untilPainted: number; events: Spread; work: Work }
  /** Mounting the screen with all conversations loaded. */
  mount: Work
  /** Percent of the frames of a fast scroll in which part of the list was blank. */
  blankFrames: number
}

const subjects: readonly Subject[] = ['baseline', 'lean', 'application']

type Effort = { conversations: number[]; rounds: number; seconds: number; openings: number }

export const fullEffort: Effort = { conversations: [1_000, 10_000], rounds: 3, seconds: 3, openings: 10 }
export const quickEffort: Effort = { conversations: [1_000], rounds: 1, seconds: 4, openings: 10 }

/**
 * Measures the application and both references alternately in one browser with the same data and events, so that other load
 * of the machine affects all.
 */
export async function measurePaint(effort: Effort): Promise<PaintFigures[]> {
  const found = await findBrowser()
  const env = { ...process.env, ...found.env }
  const browser = await chromium.launch({ executablePath: found.executablePath, args: found.args, env })
  const figures: PaintFigures[] = []
  try {
    for (const conversations of effort.conversations) {
      const size = { conversations, messages: messagesPerThread }
      const harnesses: Harness[] = []
      for (const subject of subjects) harnesses.push(await openHarness(browser, subject, size))
      const measured = harnesses.map((harness) => ({ harness, heap: 0, rounds: [] as Round[] }))
      for (const each of measured) {
        each.heap = await each.harness.counters.heap()
        await warmUp(each.harness)
      }
      for (let turn = 0; turn < effort.rounds; turn++) {
        for (const { harness, rounds } of measured) rounds.push(await measureRound(harness, effort))
      }
      for (const { harness, heap, rounds } of measured) {
        figures.push({ subject: harness.subject, conversations, heap, ...combine(rounds, effort) })
        await harness.close()
      }
    }
    return figures
  } finally {
    await browser.close()
  }
}

export type Timed = { durations: number[]; work: Work }
type Round = {
  opening: Timed
  tenPerSecond: Timed
  hundredPerSecond: Timed
  burst: Timed
  mount: Work
  blankFrames: number
}

/** Runs each action once, because the first run includes compilation. */
async function warmUp(harness: Harness): Promise<void> {
  for (let place = 0; place < 6; place++) await harness.open(place)
  await harness.leave()
  await harness.enter()
}

async function measureRound(harness: Harness, { seconds, openings }: Effort): Promise<Round> {
  const blankFrames = await harness.blankFrames()
  const opening = await timed(harness, openings, async () => {
    const durations: number[] = []
    for (let turn = 0; turn < openings; turn++) {
      durations.push(await harness.open(turn % 8))
      await delay(150)
    }
    return durations
  })
  const feed = await harness.feed()
  const tenPerSecond = await timed(harness, 10 * seconds, () => feed.steady(10, seconds))
  const hundredPerSecond = await timed(harness, 100 * seconds, () => feed.steady(100, seconds))
  const burst = await timed(harness, 1, () => feed.burst(1_000))
  await harness.leave()
  await delay(300)
  const mount = await harness.counters.during(1, harness.enter)
  return { opening, tenPerSecond, hundredPerSecond, burst, mount, blankFrames }
}

/** Runs an action that returns durations, and measures its work per unit. */
export async function timed(harness: Harness, units: number, action: () => Promise<number[]>): Promise<Timed> {
  let durations: number[] = []
  const work = await harness.counters.during(units, async () => {
    durations = await action()
  })
  return { durations, work }
}

/** Combines the rounds: all paint times as one series, and the median of the work. */
function combine(
  rounds: readonly Round[],
  { seconds }: Effort,
): Omit<PaintFigures, 'subject' | 'conversations' | 'heap'> {
  const all = (read: (round: Round) => Timed) => ({
    paint: spreadOf(rounds.flatMap((each) => read(each).durations)),
    work: medianWork(rounds.map((each) => read(each).work)),
  })
  const burst = all((each) => each.burst)
  const hundred = all((each) => each.hundredPerSecond)
  return {
    opening: all((each) => each.opening),
    tenPerSecond: all((each) => each.tenPerSecond),
    hundredPerSecond: { ...hundred, painted: round(hundred.paint.count / (seconds * rounds.length)) },
    burstOfThousand: {
      untilPainted: spreadOf(rounds.map((each) => Math.max(...each.burst.durations))).p50,
      events: burst.paint,
      work: burst.work,
    },
    mount: medianWork(rounds.map((each) => each.mount)),
    blankFrames: round(Math.max(...rounds.map((each) => each.blankFrames))),
  }
}

/** The median of each counter. */
export const medianWork = (works: readonly Work[]): Work => ({
  cpu: spreadOf(works.map(({ cpu }) => cpu)).p50,
  layouts: spreadOf(works.map(({ layouts }) => layouts)).p50,
  styles: spreadOf(works.map(({ styles }) => styles)).p50,
})
