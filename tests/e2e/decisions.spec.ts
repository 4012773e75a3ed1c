import { nameOf } from '../../src/domain/list/conversation-text.ts'
import { expect, test } from './fixtures.ts'
import { openBrowser } from './harness.ts'
import { isAccessible, screenshot } from './look.ts'

test('a closed and a snoozed conversation say so in their rows and in the thread, to a viewer too', async ({
  baseURL,
  browser,
  createPerson,
  harness,
  page,
  unique,
}) => {
  const family = unique('Said').replace(' ', '')
  const [closed, snoozed] = [
    await createPerson('Sara', family, [{ wrote: 'Magkano po?' }]),
    await createPerson('Nena', family, [{ wrote: 'Available pa po?' }]),
  ]
  const viewer = await openBrowser(browser, baseURL)
  await viewer.signIn('viewer')
  await harness.signIn()

  await harness.navigateTo(snoozed)
  const snooze = harness.thread.getByRole('button', { name: 'Snooze' })
  const lookOf = (button: typeof snooze) => button.evaluate((element) => getComputedStyle(element).backgroundColor)
  const before = await lookOf(snooze)
  await snooze.click()
  await page.getByRole('dialog', { name: 'Snooze' }).getByRole('button', { name: 'Until they write' }).click()
  const on = harness.thread.getByRole('button', { name: 'Snoozed until they write' })
  await expect(on).toBeVisible()
  await page.mouse.move(700, 10)
  await expect.poll(() => lookOf(on)).not.toBe(before)

  await harness.navigateTo(closed)
  await harness.thread.getByRole('button', { name: 'Done', exact: true }).click()
  await expect(harness.thread.getByText(/^Done by you, \d+:\d\d [AP]M$/)).toBeVisible()

  for (const at of [harness, viewer]) {
    await at.page.getByRole('searchbox').fill(family)
    await expect(at.row(nameOf(snoozed))).toContainText('until they write')
    await expect(at.row(nameOf(closed))).toContainText(/Done \d+:\d\d [AP]M/)
  }
  await viewer.row(nameOf(closed)).click()
  await expect(viewer.thread.getByText(/^Done by Paolo Cruz, \d+:\d\d [AP]M$/)).toBeVisible()
  // Rows that are being fetched are paler.
  await expect(viewer.list).toHaveAttribute('aria-busy', 'false')
  await isAccessible(viewer.page)
  await screenshot(viewer.page, 'decisions')
  await viewer.page.context().close()
})
