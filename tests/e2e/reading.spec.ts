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

test('picture, video, audio and file are shown by kind, and the picture opens in full', async ({
  harness,
  person,
  sandbox,
  unique,
}) => {
  const text = unique('Ito po lahat')
  await harness.signIn()
  await harness.isLive()
  await harness.open(person)
  await sandbox.write(psidOf(person), text, ['image', 'video', 'audio', 'file'])
  const bubble = harness.bubbles(text)
  await expect(bubble).toHaveCount(1)
  await expect(bubble.locator('video')).toHaveCount(1)
  await expect(bubble.locator('audio')).toHaveCount(1)
  const picture = bubble.getByRole('img').first()
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  await picture.click()
  const dialog = harness.page.getByRole('dialog')
  await expect(dialog.getByRole('img')).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(dialog).toBeHidden()
})

test('a picture that fails to load shows an error', async ({ harness, page, person, sandbox, unique }) => {
  const text = unique('Walang larawan')
  await page.route(/\/sandbox\/media\/photos\//, (route) => route.abort())
  await harness.signIn()
  await harness.isLive()
  await harness.open(person)
  await sandbox.write(psidOf(person), text, ['image'])
  await expect(harness.bubbles(text).getByText('Image failed to load')).toBeVisible()
})

test('new messages are counted while staff read further up, and the thread does not jump', async ({
  harness,
  person,
  sandbox,
  unique,
}) => {
  const psid = psidOf(person)
  await harness.signIn()
  await harness.isLive()
  await harness.open(person)
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

test('a message in another conversation shows a toast with the name, and moves its row to the top', async ({
  harness,
  person,
  people,
  sandbox,
  unique,
}) => {
  const other = people.shift()
  if (!other) throw new Error('There are not enough people in the sandbox')
  const text = unique('Sa iba po ito')
  await harness.signInAt(person)
  await harness.isLive()
  await sandbox.write(psidOf(other), text)
  await expect(harness.page.getByText(`New message from ${other.unified_name}`)).toBeVisible()
  await expect(harness.row(text)).toBeVisible()
})
