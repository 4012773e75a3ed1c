import { expect, test } from './fixtures.ts'
import { Harness } from './harness.ts'
import { chooseScheme, screenshot, violationsOf } from './look.ts'
import { psidOf } from './network.ts'

test('a draft follows its author to another device, through a sign-out and offline typing', async ({
  browser,
  harness,
  page,
  context,
  person,
  sandbox,
  unique,
}) => {
  await sandbox.write(psidOf(person), unique('Hello po'))
  const draft = unique('Magandang')
  await harness.signInAt(person)
  await harness.composer.fill(draft)

  // Signing out saves first, and asks nothing.
  await page.getByRole('button', { name: /^Account: / }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL(/\/login$/)
  expect(await page.evaluate(() => Object.values(localStorage).join())).not.toContain(draft)

  const second = await browser.newContext()
  const phone = new Harness(await second.newPage())
  await phone.signInAt(person)
  await expect(phone.composer).toHaveValue(draft)
  await phone.composer.fill(`${draft} umaga`)

  await harness.signInAt(person)
  await expect(async () => {
    await page.reload()
    await expect(harness.composer).toHaveValue(`${draft} umaga`, { timeout: 2_000 })
  }).toPass()

  // Both devices change the text, one of them offline: the author chooses once.
  await context.setOffline(true)
  await harness.composer.fill(`${draft} hapon`)
  await phone.composer.fill(`${draft} gabi`)
  await phone.page.waitForResponse((response) => response.request().method() === 'PUT')
  await context.setOffline(false)
  const question = harness.thread.getByRole('status').filter({ hasText: 'On another device you wrote to' })
  await expect(question).toContainText(`${draft} gabi`)
  await expect(harness.composer).toHaveValue(`${draft} hapon`)
  for (const colorScheme of ['light', 'dark'] as const) {
    await chooseScheme(page, colorScheme)
    expect(await violationsOf(page, { within: 'section[role=status]' })).toEqual([])
  }
  await screenshot(page, 'draft-of-two-devices')
  await question.getByRole('button', { name: 'Keep both' }).click()
  await expect(question).toHaveCount(0)
  await expect(harness.composer).toHaveValue(`${draft} hapon\n\n${draft} gabi`)

  // A sent message removes its draft everywhere.
  await harness.composer.press('Enter')
  await expect(harness.composer).toHaveValue('')
  await expect.poll(() => sandbox.deliveredTo(psidOf(person))).toEqual([`${draft} hapon\n\n${draft} gabi`])
  await expect(async () => {
    await phone.page.reload()
    await expect(phone.composer).toHaveValue('', { timeout: 2_000 })
  }).toPass()
  await second.close()
})
