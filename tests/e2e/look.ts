import AxeBuilder from '@axe-core/playwright'
import { expect, type Page } from '@playwright/test'

const wide = { width: 1440, height: 900 }
const sizes = [wide, { width: 1024, height: 768 }, { width: 390, height: 844 }]

/** The rules of axe whose result depends on the colours. */
const colorRules = ['color-contrast', 'link-in-text-block']

/** Fails if axe finds a violation in the light scheme, or one of colours in the dark scheme. */
export async function isAccessible(page: Page): Promise<void> {
  const check = async (axe: AxeBuilder) => {
    const { violations } = await axe.analyze()
    const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
    expect(found).toEqual([])
  }
  // A change of the size may have started a transition of colours.
  await choose(page, 'light')
  await check(new AxeBuilder({ page }))
  await inDark(page, () => check(new AxeBuilder({ page }).withRules(colorRules)))
}

/**
 * Takes a screenshot at each size, and asserts that nothing overflows horizontally. The dark scheme changes only colours,
 * so it has one screenshot.
 */
export async function screenshot(page: Page, name: string): Promise<void> {
  for (const size of sizes) {
    await page.setViewportSize(size)
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    await page.screenshot({ path: `test-results/screens/${name}-${size.width}-light.png` })
  }
  await page.setViewportSize(wide)
  await inDark(page, () => page.screenshot({ path: `test-results/screens/${name}-${wide.width}-dark.png` }))
}

/** Asserts that there is no accessibility violation, and takes screenshots. */
export async function look(page: Page, name: string): Promise<void> {
  await isAccessible(page)
  await screenshot(page, name)
}

async function inDark(page: Page, run: () => Promise<unknown>): Promise<void> {
  await choose(page, 'dark')
  await run()
  await choose(page, 'light')
}

/** Resolves when no colour changes any more. */
async function choose(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter((animation) => animation instanceof CSSTransition)
        .map(({ finished }) => finished),
    ),
  )
}
