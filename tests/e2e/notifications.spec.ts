import type { BrowserContext, Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { Harness, openBrowser } from './harness.ts'
import { look } from './look.ts'
import { psidOf } from './network.ts'

type Raised = { title: string; body: string | undefined }

declare global {
  interface Window {
    raised: Raised[]
    sounds: number
    click: () => void
  }
}

/** Counts what a page raises: notifications by their constructor, sounds by the first oscillator of each. */
async function watchNotices(context: BrowserContext): Promise<void> {
  await context.grantPermissions(['notifications'])
  await context.addInitScript(() => {
    window.raised = []
    window.sounds = 0
    const { Notification: Real } = window
    window.Notification = class extends Real {
      // A browser without a screen has no notifications to allow.
      static override get permission(): NotificationPermission {
        return 'granted'
      }
      constructor(title: string, options?: NotificationOptions) {
        super(title, options)
        window.raised.push({ title, body: options?.body })
        window.click = () => this.dispatchEvent(new Event('click'))
      }
    }
    const { start } = OscillatorNode.prototype
    OscillatorNode.prototype.start = function (when) {
      window.sounds += 0.5
      start.call(this, when)
    }
  })
}

const raisedIn = (page: Page) => page.evaluate(() => window.raised)
const soundsIn = (page: Page) => page.evaluate(() => window.sounds)

/** The settings are saved over the API, and reach the page with its next load. */
async function choose(page: Page, change: (choices: ReturnType<Page['getByRole']>) => Promise<void>): Promise<void> {
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('button', { name: 'Notifications', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Notifications' })
  await expect(dialog.getByRole('checkbox', { name: 'Sound', exact: true })).toBeVisible()
  await change(dialog)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Notification settings saved')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
}

test('a message raises one sound and one notification in one of two tabs, and a click opens the conversation', async ({
  context,
  createPerson,
  harness,
  page,
  sandbox,
  unique,
}) => {
  await watchNotices(context)
  const person = await createPerson('Wena', unique('Notice').replace(' ', ''), [{ wrote: 'Magkano po?' }])
  await harness.signIn()
  await harness.isLive()
  const second = new Harness(await context.newPage())
  await second.page.goto('/?view=all')
  await second.isLive()
  // Browsers play no sound before the person has used the page.
  for (const each of [page, second.page]) await each.getByRole('searchbox').click()
  await second.page.bringToFront()
  // The code loads after the first rows.
  await expect
    .poll(() =>
      page.evaluate(async () =>
        (await navigator.locks.query()).pending?.some(({ name }) => name?.startsWith('notifications:')),
      ),
    )
    .toBe(true)
  const text = unique('Available po ba?')
  await sandbox.write(psidOf(person), text)
  const both = async () => ({
    raised: [...(await raisedIn(page)), ...(await raisedIn(second.page))],
    sounds: (await soundsIn(page)) + (await soundsIn(second.page)),
  })
  const once = { raised: [{ title: `New message from ${person.unified_name}`, body: undefined }], sounds: 1 }
  await expect.poll(both).toEqual(once)
  for (const row of [harness.row(text), second.row(text)]) await expect(row).toBeVisible()
  const leader = (await raisedIn(page)).length > 0 ? harness : second
  await leader.page.evaluate(() => window.click())
  await expect(leader.thread.getByRole('heading', { name: person.unified_name ?? '' })).toBeVisible()
  await expect(leader.bubbles(text)).toBeVisible()
  // The person looks at this conversation now.
  await sandbox.write(psidOf(person), unique('Salamat po'))
  await expect(leader.bubbles('Salamat po')).toBeVisible()
  // Nothing else followed in either tab.
  expect(await both()).toEqual(once)
})

test('each of two people is notified as chosen: quiet hours silence one of them, and the other sees the text', async ({
  baseURL,
  browser,
  context,
  createPerson,
  harness,
  page,
  sandbox,
  unique,
}) => {
  const ana = await openBrowser(browser, baseURL)
  for (const each of [context, ana.page.context()]) await watchNotices(each)
  const person = await createPerson('Wena', unique('Quiet').replace(' ', ''), [{ wrote: 'Kumusta po?' }])
  await ana.signIn('administrator')
  await harness.signIn()
  for (const each of [harness, ana]) await each.isLive()
  await choose(ana.page, (dialog) => dialog.getByRole('checkbox', { name: 'Show the text of the message' }).check())
  await choose(page, async (dialog) => {
    await dialog.getByRole('checkbox', { name: /^No sound/ }).check()
    // The same time means 24 hours.
    await dialog.getByLabel('From').fill('00:00')
    await dialog.getByLabel('To', { exact: true }).fill('00:00')
  })
  const text = unique('Pwede po ba bukas?')
  await sandbox.write(psidOf(person), text)
  await expect
    .poll(() => raisedIn(ana.page))
    .toEqual([{ title: `New message from ${person.unified_name}`, body: text }])
  await expect(page.getByText(`New message from ${person.unified_name}`)).toBeVisible()
  expect([await raisedIn(page), await soundsIn(page)]).toEqual([[], 0])
  // The settings are on the server.
  await page.reload()
  await harness.isLive()
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('button', { name: 'Notifications', exact: true }).click()
  await expect(page.getByRole('checkbox', { name: /^No sound/ })).toBeChecked()
  await page.getByRole('checkbox', { name: /^No sound/ }).uncheck()
  await page.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Notification settings saved')).toBeVisible()
  await ana.page.context().close()
})

test('the dialog is accessible and tries a sound and a notification; title and icon of the tab show the unread messages until a sign-out', async ({
  context,
  createPerson,
  harness,
  page,
  unique,
}) => {
  await createPerson('Wena', unique('Icon').replace(' ', ''), [{ wrote: 'Kumusta po?' }])
  await watchNotices(context)
  await harness.signIn()
  await harness.isLive()
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('button', { name: 'Notifications', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Notifications' })
  await dialog.getByRole('button', { name: 'Test sound' }).click()
  await dialog.getByRole('button', { name: 'Test notification' }).click()
  await expect.poll(() => raisedIn(page)).toEqual([{ title: 'Notifications work', body: undefined }])
  expect(await soundsIn(page)).toBe(1)
  await dialog.getByRole('checkbox', { name: /^No sound/ }).check()
  await look(page, 'notifications')
  await dialog.getByRole('checkbox', { name: /^No sound/ }).uncheck()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()

  const icon = page.locator('link[rel=icon]')
  await expect(page).toHaveTitle(/^\(\d+\) Inbox$/)
  await expect(icon).toHaveAttribute('href', /^data:image\/svg\+xml,.*%3Ctext/)
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  await expect(icon).toHaveAttribute('href', /\/icon\.svg$/)
  await expect(page).not.toHaveTitle(/\(/)
})

test('under a search, the toast of a new message names a person whom the list does not show', async ({
  createPerson,
  harness,
  page,
  sandbox,
  unique,
}) => {
  const person = await createPerson('Wena', unique('Unseen').replace(' ', ''), [{ wrote: 'Kumusta po?' }])
  await page.clock.install()
  await harness.signIn()
  await harness.isLive()
  await page.getByRole('searchbox').fill('nobody is called like this')
  await expect(page.getByText('No conversations found')).toBeVisible()
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height })
    const text = unique('Magkano po ang isa?')
    await sandbox.write(psidOf(person), text)
    const toast = page.getByRole('listitem').filter({ hasText: `New message from ${person.unified_name}` })
    await expect(toast).toContainText(text)
    await page.clock.fastForward(10_000)
    await expect(toast).toHaveCount(0)
  }
})
