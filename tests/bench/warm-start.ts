import { setTimeout as delay } from 'node:timers/promises'
import { chromium } from '@playwright/test'
import { reservePort } from '../../scripts/ports.ts'
import { findBrowser } from '../e2e/browser.ts'
import { startFakeServer } from './fake-server.ts'
import { type Spread, spreadOf } from './figures.ts'
import { loadApplication } from './harness.ts'
import { notePaints } from './note-paints.ts'
import { messagesPerThread } from './world.ts'

/** Milliseconds from the navigation to the frame that shows the first row, and the first message. */
export type WarmStart = { list: Spread; thread: Spread }

/** Longer than `saveDelay` of the machine deviceCache. Milliseconds. */
const untilSaved = 4_000

/**
 * Opens a conversation, waits until the browser has saved it, and starts again so many times with every answer of the API
 * held back: what is painted comes out of the browser. The processor is slower by the factor `slowdown`.
 */
export async function measureWarmStart(starts: number, slowdown: number): Promise<WarmStart> {
  const found = await findBrowser()
  const env = { ...process.env, ...found.env }
  const browser = await chromium.launch({ executablePath: found.executablePath, args: found.args, env })
  const server = await startFakeServer(await reservePort(), { conversations: 1_000, messages: messagesPerThread })
  try {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, baseURL: server.url })
    const first = await context.newPage()
    await loadApplication(first, 20)
    await first.locator('[role="option"]').first().click()
    await first.getByRole('article').first().waitFor()
    await delay(untilSaved)
    const address = first.url()
    await first.close()
    server.holdAnswers()

    const list: number[] = []
    const thread: number[] = []
    for (let start = 0; start < starts; start++) {
      const page = await context.newPage()
      await page.addInitScript(notePaints, { list: '[role="option"]', thread: '[role="article"], article' })
      const session = await context.newCDPSession(page)
      await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
      await page.goto(address)
      await page.waitForFunction(() => performance.getEntriesByType('mark').length === 2)
      const marks = await page.evaluate(() =>
        Object.fromEntries(performance.getEntriesByType('mark').map(({ name, startTime }) => [name, startTime])),
      )
      list.push(marks['list'] ?? Number.NaN)
      thread.push(marks['thread'] ?? Number.NaN)
      await page.close()
    }
    return { list: spreadOf(list), thread: spreadOf(thread) }
  } finally {
    await browser.close()
    await server.stop()
  }
}
