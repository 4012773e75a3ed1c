import { expect, test } from './fixtures.ts'
import { psidOf } from './network.ts'

test('what was typed, searched and filtered is there after a reload', async ({ desk, person, unique }) => {
  const draft = unique('Hindi pa tapos')
  await desk.signIn()
  await desk.open(person)
  await desk.composer.fill(draft)
  const search = desk.page.getByRole('searchbox', { name: 'Search conversations' })
  await search.fill('ana')
  await desk.page.getByLabel('Unread only').check()
  await expect(desk.page).toHaveURL(/\?q=ana&unread=1$/)
  await desk.page.reload()
  await expect(desk.composer).toHaveValue(draft)
  await expect(search).toHaveValue('ana')
  await expect(desk.page.getByLabel('Unread only')).toBeChecked()
})

test('a picture, a film, a voice and a file come as what they are, and the picture is shown in full', async ({
  desk,
  person,
  sandbox,
  unique,
}) => {
  const text = unique('Ito po lahat')
  await desk.signIn()
  await desk.isLive()
  await desk.open(person)
  await sandbox.write(psidOf(person), text, ['image', 'video', 'audio', 'file'])
  const bubble = desk.bubbles(text)
  await expect(bubble).toHaveCount(1)
  await expect(bubble.locator('video')).toHaveCount(1)
  await expect(bubble.locator('audio')).toHaveCount(1)
  const picture = bubble.getByRole('img').first()
  await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
  await picture.click()
  const dialog = desk.page.getByRole('dialog')
  await expect(dialog.getByRole('img')).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(dialog).toBeHidden()
})

test('a picture that does not come says so', async ({ desk, page, person, sandbox, unique }) => {
  const text = unique('Walang larawan')
  await page.route(/\/sandbox\/media\/photos\//, (route) => route.abort())
  await desk.signIn()
  await desk.isLive()
  await desk.open(person)
  await sandbox.write(psidOf(person), text, ['image'])
  await expect(desk.bubbles(text).getByText('Image failed to load')).toBeVisible()
})

test('what comes in while one reads further up is counted, and nothing jumps', async ({
  desk,
  person,
  sandbox,
  unique,
}) => {
  const psid = psidOf(person)
  await desk.signIn()
  await desk.isLive()
  await desk.open(person)
  for (let line = 0; line < 25; line++) await sandbox.write(psid, unique(`linya ${line}`))
  const last = unique('huling linya')
  await sandbox.write(psid, last)
  await expect(desk.bubbles(last)).toBeInViewport()

  const log = desk.thread.getByRole('region', { name: 'Messages' })
  await log.hover()
  await desk.page.mouse.wheel(0, -700)
  await expect(desk.bubbles(last)).not.toBeInViewport()
  const before = await log.evaluate((element) => element.scrollTop)
  const news = unique('may bago')
  await sandbox.write(psid, news)
  const button = desk.thread.getByRole('button', { name: '1 new' })
  await expect(button).toBeVisible()
  expect(Math.abs((await log.evaluate((element) => element.scrollTop)) - before)).toBeLessThan(2)
  await button.click()
  await expect(desk.bubbles(news)).toBeInViewport()
})

test('a person who writes elsewhere is announced by name, and comes to the top of the list', async ({
  desk,
  person,
  people,
  sandbox,
  unique,
}) => {
  const other = people.shift()
  if (!other) throw new Error('There are not enough people in the sandbox')
  const text = unique('Sa iba po ito')
  await desk.signIn()
  await desk.isLive()
  await desk.open(person)
  await sandbox.write(psidOf(other), text)
  await expect(desk.page.getByText(`New message from ${other.unified_name}`)).toBeVisible()
  await expect(desk.row(text)).toBeVisible()
})
