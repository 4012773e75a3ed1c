import { chromium } from '@playwright/test'
import { reservePort } from '../../scripts/ports.ts'
import { findBrowser } from '../e2e/browser.ts'
import { startFakeServer } from './fake-server.ts'
import { type Spread, spreadOf } from './figures.ts'
import { loadApplication } from './harness.ts'
import { notePaints } from './note-paints.ts'
import { messagesPerThread } from './world.ts'

/** Milliseconds from the navigation to the frame that shows the first row. */
export type ColdStart = { lean: Spread; application: Spread }

/** Rows of the first result page. */
const rows = 20

/** How many times slower than the machine a slow processor is. */
export const slowdown = 4

/** Milliseconds before each answer, and bytes a second. */
const slow4G = {
  offline: false,
  latency: 150,
  downloadThroughput: (1.6 * 1024 * 1024) / 8,
  uploadThroughput: (750 * 1024) / 8,
}

/**
 * Starts lean and the application in turn, on a slow processor and a slow line, with empty caches. The application has a
 * stored session.
 */
export async function measureColdStart(starts: number): Promise<ColdStart> {
  const found = await findBrowser()
  const env = { ...process.env, ...found.env }
  const browser = await chromium.launch({ executablePath: found.executablePath, args: found.args, env })
  const server = await startFakeServer(await reservePort(), { conversations: 1_000, messages: messagesPerThread })
  const timeOf = async (path: string, storageState?: Awaited<ReturnType<typeof signIn>>) => {
    const context = await browser.newContext({
      viewport: { width: 1440, height: 900 },
      baseURL: server.url,
      ...(storageState === undefined ? {} : { storageState }),
    })
    const page = await context.newPage()
    await page.addInitScript(notePaints, { list: '[role="option"]' })
    const session = await context.newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', slow4G)
    await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    await page.goto(path, { waitUntil: 'commit' })
    await page.waitForFunction(() => performance.getEntriesByName('list').length > 0)
    const time = await page.evaluate(() => performance.getEntriesByName('list')[0]?.startTime)
    await context.close()
    return time ?? Number.NaN
  }
  /** A stored session without a copy of the inbox. */
  const signIn = async () => {
    const context = await browser.newContext({ baseURL: server.url })
    await loadApplication(await context.newPage(), rows)
    const state = await context.storageState()
    await context.close()
    return state
  }
  try {
    const signedIn = await signIn()
    const lean: number[] = []
    const application: number[] = []
    for (let start = 0; start < starts; start++) {
      lean.push(await timeOf(`/lean?conversations=${rows}`))
      application.push(await timeOf('/', signedIn))
    }
    return { lean: spreadOf(lean), application: spreadOf(application) }
  } finally {
    await browser.close()
    await server.stop()
  }
}
