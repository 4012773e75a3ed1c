import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const wide = { width: 1440, height: 900 }
const sizes = [wide, { width: 1024, height: 768 }, { width: 390, height: 844 }]
export const colorSchemes = ['light', 'dark'] as const

/** Fails if axe finds a violation. */
export async function isAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)).toEqual(
    [],
  )
}

/** Takes a screenshot at each size, and asserts that nothing overflows horizontally. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const scheme = await page.evaluate(() => (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'))
  for (const size of sizes) {
    await page.setViewportSize(size)
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    await page.screenshot({ path: `test-results/screens/${name}-${size.width}-${scheme}.png` })
  }
  await page.setViewportSize(wide)
}

/** Asserts that there is no accessibility violation, and takes screenshots at every size. */
export async function look(page: Page, name: string): Promise<void> {
  await isAccessible(page)
  await screenshot(page, name)
}
