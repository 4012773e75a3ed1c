import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const wide = { width: 1440, height: 900 }
const sizes = [wide, { width: 1024, height: 768 }, { width: 390, height: 844 }]
export const colorSchemes = ['light', 'dark'] as const

/** Fails where axe finds something on the page as it is. */
export async function isAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)).toEqual(
    [],
  )
}

/** Takes a picture of the page at each size; nothing may reach beyond its sides. */
export async function picture(page: Page, name: string): Promise<void> {
  const scheme = await page.evaluate(() => (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'))
  for (const size of sizes) {
    await page.setViewportSize(size)
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    await page.screenshot({ path: `test-results/screens/${name}-${size.width}-${scheme}.png` })
  }
  await page.setViewportSize(wide)
}

/** Both: what is looked at has no accessibility violation, and is pictured at every size. */
export async function look(page: Page, name: string): Promise<void> {
  await isAccessible(page)
  await picture(page, name)
}
