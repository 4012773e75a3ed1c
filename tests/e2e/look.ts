import { expect, type Page } from '@playwright/test'
import axe from 'axe-core'

const wide = { width: 1440, height: 900 }
const sizes = [wide, { width: 1024, height: 768 }, { width: 390, height: 844 }]

/** The rules of axe whose result depends on the colours. */
const colorRules = ['color-contrast', 'link-in-text-block']

type Part = {
  /** A selector; without one the whole page except toasts. */
  within?: string
  /** Only these rules; without them all. */
  rules?: readonly string[]
}

/** The accessibility violations that axe finds, each with its elements. Toasts are left out: one that fades has no contrast. */
export async function violationsOf(page: Page, { within, rules }: Part = {}): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source)
  const { violations } = await page.evaluate(
    ([context, toasts, runOnly]) =>
      (window as unknown as { axe: typeof axe }).axe.run(
        context === null ? { exclude: [toasts] } : { include: [context] },
        {
          // Leaves out the many passed checks, which no test reads.
          resultTypes: ['violations'],
          ...(runOnly === null ? {} : { runOnly: { type: 'rule' as const, values: [...runOnly] } }),
        },
      ),
    [within ?? null, toaster, rules ?? null] as const,
  )
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`)
}

/** Where the toasts are. */
export const toaster = '[data-sonner-toaster]'

const openDialog = ':is([role=dialog], [role=alertdialog])[data-open]'

/**
 * Fails if axe finds a violation in the light scheme, or one of colours in the dark scheme. What is behind an open dialog is
 * left out: it is inert, and is checked without the dialog.
 */
export async function isAccessible(page: Page): Promise<void> {
  const part = (await page.locator(openDialog).count()) > 0 ? { within: openDialog } : {}
  await chooseScheme(page, 'light')
  expect(await violationsOf(page, part)).toEqual([])
  await inDark(page, async () => expect(await violationsOf(page, { ...part, rules: colorRules })).toEqual([]))
}

/** No test compares screenshots, and four of them take a second of CPU, so they are taken on request. */
const takesScreenshots = process.env['SCREENSHOTS'] === '1'

/** The controls that stand partly beyond the right edge and cannot be scrolled to. */
const controlsCutOff = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const scrolls = (element: Element | null): boolean =>
      element !== null &&
      (['auto', 'scroll'].includes(getComputedStyle(element).overflowX) || scrolls(element.parentElement))
    return [...document.querySelectorAll('a[href], button, input, select, textarea')]
      .filter((control) => control.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }))
      .filter((control) => control.getBoundingClientRect().right > innerWidth + 1 && !scrolls(control.parentElement))
      .map((control) => control.outerHTML.slice(0, 160))
  })

/**
 * Asserts at each size that nothing overflows horizontally and that no control is cut off. With `SCREENSHOTS=1` takes a
 * screenshot at each size; the dark scheme changes only colours, so it has one.
 */
export async function screenshot(page: Page, name: string): Promise<void> {
  for (const size of sizes) {
    await page.setViewportSize(size)
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    await expect.poll(() => controlsCutOff(page)).toEqual([])
    if (takesScreenshots) await page.screenshot({ path: `test-results/screens/${name}-${size.width}-light.png` })
  }
  await page.setViewportSize(wide)
  if (!takesScreenshots) return
  await inDark(page, () => page.screenshot({ path: `test-results/screens/${name}-${wide.width}-dark.png` }))
}

/** Asserts that there is no accessibility violation and no overflow, and takes screenshots on request. */
export async function look(page: Page, name: string): Promise<void> {
  await isAccessible(page)
  await screenshot(page, name)
}

/** Waits until all toasts have slid to their places. */
export async function toastsAreStill(page: Page): Promise<void> {
  const toasts = page.locator('[data-sonner-toast]')
  const areStill = () =>
    toasts.evaluateAll((shown) =>
      (shown as HTMLElement[]).every(
        (toast) => toast.dataset['mounted'] === 'true' && toast.getAnimations({ subtree: true }).length === 0,
      ),
    )
  await expect.poll(areStill).toBe(true)
}

async function inDark(page: Page, run: () => Promise<unknown>): Promise<void> {
  await chooseScheme(page, 'dark')
  await run()
  await chooseScheme(page, 'light')
}

/** Chooses the scheme and ends the transitions of colours. */
export async function chooseScheme(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.evaluate(() => {
    for (const animation of document.getAnimations()) if (animation instanceof CSSTransition) animation.finish()
  })
}
