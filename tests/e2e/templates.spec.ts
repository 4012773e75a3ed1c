import { expect, test } from './fixtures.ts'
import { isAccessible, violationsOf } from './look.ts'

const day = 24 * 60 * 60_000

test('after 24 hours the composer says the tag, and sends an approved template by keyboard, once', async ({
  createPerson,
  harness,
  page,
  sandbox,
  unique,
}) => {
  const person = await createPerson('Lito', unique('Beyond').replace(' ', '-'), [
    { wrote: 'Kumusta po', at: Date.now() - 30 * 60 * 60_000 },
  ])
  await harness.signInAt(person)
  await expect(harness.thread.getByText(/A reply leaves with the tag HUMAN_AGENT, because Lito/)).toBeVisible()

  await harness.thread.getByRole('button', { name: 'Templates' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Send a template' })
  await expect(dialog.getByRole('listitem')).toHaveText([/delivery_today/, /order_ready/, /payment_reminder/])
  await dialog.getByRole('button', { name: /payment_reminder/ }).focus()
  await page.keyboard.press('Enter')
  await expect(dialog.getByLabel('order id')).toBeFocused()
  await expect(dialog.getByRole('button', { name: 'Send template' })).toBeDisabled()
  await page.keyboard.type('1042')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Lito')
  await page.keyboard.press('Tab')
  await page.keyboard.type('₱300.00')
  await expect(dialog.getByRole('region', { name: 'Preview' })).toHaveText(
    /Payment for order 1042.*Hello Lito, an amount of ₱300\.00 is still open.*I have paid/,
  )
  await isAccessible(page)
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await violationsOf(page)).toEqual([])
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  const text = 'Payment for order 1042\nHello Lito, an amount of ₱300.00 is still open. Thank you for your order!'
  await expect.poll(() => sandbox.deliveredTo(person.psid)).toEqual([text])
  await expect(harness.thread.getByText('Payment for order 1042')).toHaveCount(1)
  await page.reload()
  await expect(harness.thread.getByText('Payment for order 1042')).toHaveCount(1)
})

test('a closed window still offers templates, and one whose answer is lost survives a reload and arrives once', async ({
  createPerson,
  harness,
  page,
  sandbox,
  unique,
}) => {
  const person = await createPerson('Nena', unique('Silent').replace(' ', '-'), [
    { wrote: 'Salamat po', at: Date.now() - 8 * day },
  ])
  await harness.signInAt(person)
  await expect(
    harness.thread.getByText(/A template that the network has approved can still be sent to Nena/),
  ).toBeVisible()
  await harness.thread.getByRole('button', { name: 'Templates' }).click()
  const dialog = page.getByRole('dialog', { name: 'Send a template' })
  await dialog.getByRole('button', { name: /delivery_today/ }).click()
  // No answer arrives.
  await page.route('**/send-message', async (route) => void (await route.fetch()))
  await dialog.getByRole('button', { name: 'Send template' }).click()
  await expect.poll(() => sandbox.deliveredTo(person.psid)).toHaveLength(1)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.reload()
  await expect(harness.thread.getByText(/Darating po ngayon ang inyong order/)).toHaveCount(1)
  await expect.poll(() => sandbox.deliveredTo(person.psid)).toHaveLength(1)
})
