import { expect, test } from './fixtures.ts'
import { psidOf } from './network.ts'

test('draft, search and filter stay after a reload', async ({ harness, person, unique }) => {
  const draft = unique('Hindi pa tapos')
  await harness.signInAt(person)
  await harness.composer.fill(draft)
  const search = harness.page.getByRole('searchbox', { name: 'Search conversations' })
  await search.fill('ana')
  await harness.page.getByLabel('Unread only').check()
  await expect(harness.page).toHaveURL(/\?view=all&q=ana&unread=1$/)
  await harness.page.reload()
  await expect(harness.composer).toHaveValue(draft)
  await expect(search).toHaveValue('ana')
  await expect(harness.page.getByLabel('Unread only')).toBeChecked()
})

test('new messages are counted while staff read further up, and the thread does not jump', async ({
  harness,
  person,
  sandbox,
  unique,
}) => {
  const psid = psidOf(person)
  await harness.signInAt(person)
  await harness.isLive()
  for (let line = 0; line < 25; line++) await sandbox.write(psid, unique(`linya ${line}`))
  const last = unique('huling linya')
  await sandbox.write(psid, last)
  await expect(harness.bubbles(last)).toBeInViewport()

  const log = harness.thread.getByRole('region', { name: 'Messages' })
  await log.hover()
  await harness.page.mouse.wheel(0, -700)
  await expect(harness.bubbles(last)).not.toBeInViewport()
  const before = await log.evaluate((element) => element.scrollTop)
  const news = unique('may bago')
  await sandbox.write(psid, news)
  const button = harness.thread.getByRole('button', { name: '1 new' })
  await expect(button).toBeVisible()
  expect(Math.abs((await log.evaluate((element) => element.scrollTop)) - before)).toBeLessThan(2)
  await button.click()
  await expect(harness.bubbles(news)).toBeInViewport()
})
