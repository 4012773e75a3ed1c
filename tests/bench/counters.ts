import type { CDPSession, Page } from '@playwright/test'
import { round } from './figures.ts'

/** The work of the main thread: milliseconds of CPU time, which a busy machine does not lengthen, layouts and style recalculations. */
export type Work = { cpu: number; layouts: number; styles: number }

export type Counters = {
  /** The work while `action` ran, divided by `units`. */
  during(units: number, action: () => Promise<void>): Promise<Work>
  /** The JavaScript heap in MB, after a garbage collection. */
  heap(): Promise<number>
}

export async function countersOf(page: Page): Promise<Counters> {
  const session = await page.context().newCDPSession(page)
  await session.send('Performance.enable', { timeDomain: 'threadTicks' })
  return {
    during: async (units, action) => {
      const before = await read(session)
      await action()
      const after = await read(session)
      return {
        cpu: round((after.cpu - before.cpu) / units),
        layouts: round((after.layouts - before.layouts) / units),
        styles: round((after.styles - before.styles) / units),
      }
    },
    heap: async () => {
      await session.send('HeapProfiler.enable')
      await session.send('HeapProfiler.collectGarbage')
      const { usedSize } = await session.send('Runtime.getHeapUsage')
      await session.send('HeapProfiler.disable')
      return round(usedSize / 1_000_000)
    },
  }
}

async function read(session: CDPSession): Promise<Work> {
  const { metrics } = await session.send('Performance.getMetrics')
  const metric = (name: string) => metrics.find((each) => each.name === name)?.value ?? 0
  return {
    cpu: metric('TaskDuration') * 1000,
    layouts: metric('LayoutCount'),
    styles: metric('RecalcStyleCount'),
  }
}
