import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import type { Harness } from './harness.ts'
import { psidOf } from './network.ts'

/** Controls under 44 px and fields under 16 px, which phones zoom into. A checkbox is measured with its label. */
const tooSmall = (page: Page) =>
  page.evaluate(() => {
    const controls = document.querySelectorAll<HTMLElement>(
      'button, select, textarea, input, a[href], [role="option"]:not(option)',
    )
    return [...controls].flatMap((control) => {
      const target = control.matches('[type="checkbox"], [type="radio"]') ? control.closest('label') : control
      const { width, height } = (target ?? control).getBoundingClientRect()
      const isShown = (target ?? control).checkVisibility({ visibilityProperty: true }) && width > 1 && height > 1
      // Links in a text have the height of a line.
      if (!isShown || control.closest('article p, [data-sonner-toaster]')) return []
      const name = control.getAttribute('aria-label') ?? control.textContent?.trim() ?? control.tagName
      const size = Number.parseFloat(getComputedStyle(control).fontSize)
      const faults = [
        height < 44 ? `${Math.round(height)} px high` : '',
        control.matches('select, textarea, input:not([type="checkbox"], [type="radio"])') && size < 16
          ? `text of ${size} px`
          : '',
      ].filter(Boolean)
      return faults.length === 0 ? [] : [`${control.tagName} ${name}: ${faults.join(', ')}`]
    })
  })

/** The truncated lines. */
const cutIn = (lines: Locator) =>
  lines.evaluateAll((found) => found.flatMap((line) => (line.scrollWidth > line.clientWidth ? [line.textContent] : [])))

const overflow = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

test.describe('On a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true })

  test('every control is at least 44 px high, and no field is zoomed into', async ({ harness, page, linkedPerson }) => {
    const fits = async () => expect([await tooSmall(page), await overflow(page)]).toEqual([[], 0])
    const menu = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).locator('visible=true')
    const fromMenu = async (name: string | RegExp) => {
      await page.getByRole('button', { name: 'Workspace', exact: true }).click()
      await menu(name).click()
      await expect(page.getByRole('dialog')).toBeVisible()
    }
    const close = async () => {
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toBeHidden()
    }

    await page.goto('/login')
    await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
    await fits()
    await harness.signIn('administrator')
    await fits()
    await page.getByRole('button', { name: 'Workspace', exact: true }).click()
    await expect(menu(/^Auto-sync (On|Off)$/)).toBeVisible()
    await fits()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^Account/ }).click()
    await fits()
    await page.keyboard.press('Escape')

    await fromMenu('Manage pages')
    await expect(page.getByRole('button', { name: /^Edit / }).first()).toBeVisible()
    await fits()
    await page.getByRole('button', { name: 'Add Page' }).click()
    await fits()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await close()
    await fromMenu('Manage FAQ')
    await expect(page.getByRole('button', { name: /^Edit / }).first()).toBeVisible()
    await fits()
    await page.getByRole('button', { name: 'Add FAQ' }).click()
    await page.getByLabel(/^Keywords/).fill('gcash')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await fits()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'Discard' }).click()
    await close()
    await fromMenu('Sync')
    await fits()
    await close()
    await fromMenu(/^Auto-sync/)
    await fits()
    await close()

    await harness.open(linkedPerson)
    await fits()
    await expect.poll(() => cutIn(harness.thread.locator('header p'))).toEqual([])
    await page.getByRole('button', { name: 'Client details' }).click()
    await expect(page.getByRole('link', { name: 'View Client' })).toBeVisible()
    await fits()
  })
})

const toastOf = (page: Page, text: string | RegExp) => page.getByRole('listitem').filter({ hasText: text }).first()

/** Waits until the toast has finished its animation. */
async function settled(page: Page, text: string | RegExp) {
  await expect(toastOf(page, text)).toBeVisible({ timeout: 30_000 })
  await toastOf(page, text).evaluate((toast) => Promise.all(toast.getAnimations().map(({ finished }) => finished)))
}

async function placeOf(page: Page, text: string | RegExp) {
  const box = await toastOf(page, text).boundingBox()
  if (box === null) throw new Error('the toast is not shown')
  return { left: Math.round(box.x), right: Math.round(box.x + box.width), top: Math.round(box.y) }
}

const headerButton = (harness: Harness, name: string) =>
  harness.page.getByRole('banner').getByRole('button', { name, exact: true }).locator('visible=true')

/** Presses an action of the header; under 1280 px it stands in the menu. */
async function pressHeaderAction(harness: Harness, name: string) {
  if ((harness.page.viewportSize()?.width ?? 0) < 1280) await headerButton(harness, 'Workspace').click()
  await headerButton(harness, name).click()
}

test('toasts are below both headers, and above a dialog, which fits the width of a tablet', async ({
  harness,
  page,
}) => {
  await page.clock.install()
  await harness.signIn('administrator')
  for (const size of [
    { width: 1440, height: 900 },
    { width: 1024, height: 768 },
  ]) {
    await page.setViewportSize(size)
    await pressHeaderAction(harness, 'Sync recent')
    await settled(page, /^Synced/)
    expect((await placeOf(page, /^Synced/)).top).toBe(118)
    await page.clock.fastForward(20_000)
    await expect(toastOf(page, /^Synced/)).toBeHidden()
    await pressHeaderAction(harness, 'Manage FAQ')
    await expect(page.getByRole('button', { name: /^Edit / }).first()).toBeVisible()
    await page.getByRole('button', { name: 'Refresh', exact: true }).click()
    await settled(page, 'FAQs refreshed')
    const toast = await toastOf(page, 'FAQs refreshed').boundingBox()
    const dialog = await page.getByRole('dialog').boundingBox()
    expect((toast?.y ?? 0) + (toast?.height ?? 0)).toBeLessThanOrEqual(dialog?.y ?? 0)
    await page.clock.fastForward(20_000)
    await expect(toastOf(page, 'FAQs refreshed')).toBeHidden()
    await page.setViewportSize({ width: 768, height: 1024 })
    await expect
      .poll(async () => {
        const fitted = await page.getByRole('dialog').boundingBox()
        return [fitted?.x, fitted?.width]
      })
      .toEqual([16, 736])
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
  }
})

test('a wide header labels its buttons, and View Client is visible', async ({
  harness,
  page,
  linkedPerson,
  sandbox,
  unique,
}) => {
  await sandbox.write(psidOf(linkedPerson), unique('Magkano po?'))
  await harness.signIn('administrator')
  const words = () =>
    Promise.all(
      ['Manage pages', 'Manage FAQ'].map(async (name) => (await headerButton(harness, name).innerText()).trim()),
    )
  expect(await words()).toEqual(['Pages', 'Manage FAQ'])
  await harness.open(linkedPerson)
  await expect(page.getByRole('heading', { name: 'Recent Orders' })).toBeVisible()
  await expect(page.getByRole('link', { name: 'View Client' })).toBeInViewport({ ratio: 1 })
  await page.setViewportSize({ width: 1280, height: 800 })
  expect([await words(), await overflow(page)]).toEqual([['Pages', 'Manage FAQ'], 0])
  await page.setViewportSize({ width: 1024, height: 768 })
  await expect(headerButton(harness, 'Manage FAQ')).toHaveCount(0)
  await expect(headerButton(harness, 'Workspace')).toBeVisible()
  expect(await overflow(page)).toBe(0)
})
