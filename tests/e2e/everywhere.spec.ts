import { createRequire } from 'node:module'
import type { Page } from '@playwright/test'
import type axe from 'axe-core'
import { expect, test } from './fixtures.ts'
import { psidOf } from './network.ts'

const dialogIn = (page: Page) => page.getByRole('dialog').or(page.getByRole('alertdialog')).last()

declare global {
  interface Window {
    axe: typeof axe
  }
}

/** What axe says of the dialog in light, and of its colours in dark. It is in the page already: to bring it each time takes longer than to run it. */
async function isAccessible(page: Page, name: string) {
  const found: string[] = []
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
    // Else axe might read one colour before the change and the other after it.
    await page.waitForFunction((scheme) => matchMedia(`(prefers-color-scheme: ${scheme})`).matches, colorScheme)
    await page.evaluate(() => new Promise(requestAnimationFrame))
    const isLight = colorScheme === 'light'
    found.push(
      ...(await page.evaluate(async (all) => {
        const { violations } = await window.axe.run('[role="dialog"], [role="alertdialog"]', {
          resultTypes: ['violations'],
          ...(all ? {} : { runOnly: ['color-contrast'] }),
        })
        return violations.map(
          ({ id, nodes }) =>
            `${id}: ${nodes.map(({ target, any }) => `${target.join(' ')} (${any[0]?.message})`).join(', ')}`,
        )
      }, isLight)),
    )
  }
  expect([name, found]).toEqual([name, []])
}

test('no dialog has an accessibility violation, in light and in dark', async ({ desk, page, sandbox, stranger }) => {
  await page.addInitScript({ path: createRequire(import.meta.url).resolve('axe-core/axe.min.js') })
  await sandbox.write(psidOf(stranger), 'Ito po', ['image'])
  await desk.signIn('administrator')
  await desk.turnTo(stranger)
  const dialog = dialogIn(page)
  const open = async (name: string | RegExp, title: string) => {
    await page.getByRole('button', { name, exact: true }).locator('visible=true').click()
    await expect(page.getByRole('dialog', { name: title })).toBeVisible()
  }
  const close = async () => {
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }

  await open('Link to Client', 'Link Client')
  await page.keyboard.type('example')
  await expect(dialog.getByRole('radio').first()).toBeVisible()
  await isAccessible(page, 'link client')
  await page.keyboard.type('zzzzzz')
  await dialog.getByRole('button', { name: 'Create new client' }).click()
  await isAccessible(page, 'create client')
  await close()

  await desk.bubbles('Ito po').getByRole('img').first().click()
  await expect(dialog.getByRole('img')).toBeVisible()
  await isAccessible(page, 'picture')
  await close()

  await open('Manage pages', 'Manage Facebook Pages')
  await expect(dialog.getByRole('button', { name: /^Delete / }).first()).toBeVisible()
  await isAccessible(page, 'pages')
  await dialog
    .getByRole('button', { name: /^Delete / })
    .first()
    .click()
  await expect(page.getByRole('alertdialog')).toBeVisible()
  await isAccessible(page, 'question')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('alertdialog')).toBeHidden()
  await page.getByRole('button', { name: 'Add Page' }).click()
  await isAccessible(page, 'add page')
  await close()

  await open('Sync', 'Sync Historical Messages')
  await isAccessible(page, 'history sync')
  await close()
  await open(/^Auto-sync/, 'Auto-sync')
  await isAccessible(page, 'auto-sync')
  await close()
  await open('Manage FAQ', 'FAQ Management')
  await expect(dialog.getByRole('button', { name: /^Edit / }).first()).toBeVisible()
  await isAccessible(page, 'FAQ')
  await dialog.getByRole('button', { name: 'Add FAQ' }).click()
  await isAccessible(page, 'add FAQ')
  await close()
  await desk.list.focus()
  await page.keyboard.press('?')
  await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
  await isAccessible(page, 'shortcuts')
})

test('three panes on a wide screen, two with the details folded away on a tablet, one with a way back on a phone', async ({
  desk,
  page,
  person,
}) => {
  const details = page.getByRole('complementary', { name: 'Client details' })
  const panes = async () => [await desk.list.isVisible(), await desk.thread.isVisible(), await details.isVisible()]
  await desk.signIn()
  await desk.turnTo(person)
  expect(await panes()).toEqual([true, true, true])

  await page.setViewportSize({ width: 1024, height: 768 })
  expect(await panes()).toEqual([true, true, false])
  const toggle = page.getByRole('button', { name: 'Client details' })
  await toggle.click()
  expect(await panes()).toEqual([true, true, true])
  await expect(details.getByRole('button', { name: 'Close details' })).toBeFocused()
  await page.keyboard.press('Escape')
  expect(await panes()).toEqual([true, true, false])
  await expect(toggle).toBeFocused()

  await page.setViewportSize({ width: 390, height: 844 })
  expect(await panes()).toEqual([false, true, false])
  await page.getByRole('button', { name: 'Back to conversations' }).click()
  await expect(page).toHaveURL('/')
  expect(await panes()).toEqual([true, false, false])
  await desk.list.getByRole('option').first().click()
  await expect(desk.thread.getByRole('heading', { level: 2 })).toBeVisible()
  expect(await panes()).toEqual([false, true, false])
})

test('the theme is the system’s until one is chosen, motion is reduced where that is asked for, and news is told', async ({
  desk,
  page,
  people,
  person,
  sandbox,
  unique,
}) => {
  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  const [light, dark] = ['rgb(251, 251, 250)', 'rgb(20, 20, 19)']
  await page.emulateMedia({ colorScheme: 'light' })
  await desk.signIn()
  await desk.turnTo(person)
  await desk.isLive()
  expect(await background()).toBe(light)
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await background()).toBe(dark)
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByText('Light', { exact: true }).click()
  expect(await background()).toBe(light)
  await page.reload()
  await desk.isLive()
  expect(await background()).toBe(light)
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByText('System', { exact: true }).click()
  expect(await background()).toBe(dark)
  await page.keyboard.press('Escape')

  const text = unique('Balita')
  await sandbox.write(psidOf(person), text)
  await expect(page.locator('[aria-live="polite"]', { hasText: `${person.unified_name}: ${text}` })).toHaveCount(1)

  const other = people.shift()
  if (!other) throw new Error('There are not enough people in the sandbox')
  const unread = async () => Number(/^\((\d+)\) Inbox$/.exec(await page.title())?.[1])
  const before = await unread()
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await sandbox.write(psidOf(other), unique('Sa iba'))
  await expect(page.getByText(`New message from ${other.unified_name}`)).toBeVisible()
  await expect.poll(unread).toBe(before + 1)
  const longest = await page.evaluate(() =>
    Math.max(0, ...document.getAnimations().map(({ effect }) => Number(effect?.getComputedTiming().duration ?? 0))),
  )
  expect(longest).toBeLessThanOrEqual(1)
})
