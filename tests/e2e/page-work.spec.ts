import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from '@playwright/test'
import { openHarness } from '../bench/harness.ts'
import { countPageWork, takePageWork } from '../bench/page-work.ts'

/**
 * Budgets of counts, which do not depend on the speed of the machine. docs/performance.md has the figures. A frame that
 * comes between two answers makes one commit of two, so the budgets of commits are means with some room.
 */
const budgets = {
  opening: { commits: 3.5, added: 175 },
  event: { commits: 2.5, added: 27 },
}

const size = { conversations: 300, messages: 50 }

test('an opening and an event stay within their budgets of commits and elements', async ({ browser }) => {
  const harness = await openHarness(browser, 'application', size, [countPageWork])
  try {
    const { page } = harness
    const openAll = async () => {
      for (let place = 0; place < 8; place++) {
        await harness.open(place)
        // Until the answers of the details are shown.
        await delay(200)
      }
    }
    // The first openings load code.
    await openAll()
    await takePageWork(page)
    await openAll()
    const openings = await takePageWork(page)
    expect(openings.commits / 8, 'commits of an opening').toBeLessThanOrEqual(budgets.opening.commits)
    expect(openings.added / 8, 'elements of an opening').toBeLessThanOrEqual(budgets.opening.added)
    // Less would mean that the counts are read wrongly.
    expect(openings.commits / 8).toBeGreaterThanOrEqual(2)

    const feed = await harness.feed()
    await delay(500)
    await takePageWork(page)
    await feed.steady(10, 3)
    const events = await takePageWork(page)
    expect(events.commits / 30, 'commits of an event').toBeLessThanOrEqual(budgets.event.commits)
    expect(events.added / 30, 'elements of an event').toBeLessThanOrEqual(budgets.event.added)
  } finally {
    await harness.close()
  }
})
