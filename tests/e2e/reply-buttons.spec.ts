import { expect, test } from './fixtures.ts'
import { openBrowser } from './harness.ts'
import { isAccessible } from './look.ts'
import { psidOf } from './network.ts'

test('a saved reply with quick replies is written on one screen, sent from another, and a tap comes back as a message', async ({
  baseURL,
  browser,
  harness,
  page,
  person,
  sandbox,
  unique,
}) => {
  const psid = psidOf(person)
  await sandbox.write(psid, unique('Kukunin ko po'))
  const name = unique('pickup').replace(' ', '-')
  const ana = await openBrowser(browser, baseURL)
  await ana.signIn('administrator')
  await ana.isLive()
  await ana.page.getByRole('button', { name: /^Account: / }).click()
  await ana.page.getByRole('button', { name: 'Saved replies' }).last().click()
  const dialog = ana.page.getByRole('dialog', { name: 'Saved replies' })
  await dialog.getByRole('button', { name: 'Add saved reply' }).click()
  await dialog.getByLabel('Short name').fill(name)
  await dialog.getByLabel('Text').fill('Anong araw po?')
  await dialog.getByLabel('Choices for the person').selectOption('Buttons')
  await dialog.getByRole('textbox', { name: 'Title 1' }).fill('Mapa')
  await dialog.getByRole('textbox', { name: 'Link 1' }).fill('example')
  await expect(dialog.getByRole('button', { name: 'Add saved reply' })).toHaveAccessibleDescription(
    'Enter a whole link, for example https://example.com.',
  )
  await dialog.getByLabel('Choices for the person').selectOption('Quick replies')
  await dialog.getByRole('textbox', { name: 'Title 1' }).fill('Lunes')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await dialog.getByRole('textbox', { name: 'Title 2' }).fill('Martes')
  await isAccessible(ana.page)
  await dialog.getByRole('button', { name: 'Add saved reply' }).click()
  await expect(ana.page.getByText('Saved reply created', { exact: true }).first()).toBeVisible()
  await ana.page.context().close()

  await harness.signInAt(person)
  await harness.composer.fill(`/${name}`)
  await expect(page.getByRole('listbox', { name: 'Saved replies' }).getByRole('option')).toHaveCount(1)
  await harness.composer.press('Enter')
  await expect(harness.composer).toHaveValue('Anong araw po?')
  const choices = harness.thread.getByRole('list', { name: 'Quick replies' }).getByRole('listitem')
  await expect(choices).toHaveText(['Lunes', 'Martes'])
  await isAccessible(page)
  await page.reload()
  await expect(harness.composer).toHaveValue('Anong araw po?')
  await expect(choices).toHaveText(['Lunes', 'Martes'])
  await harness.composer.press('Enter')
  await expect(choices).toHaveCount(0)
  await expect.poll(() => sandbox.deliveredTo(psid)).toEqual(['Anong araw po?'])
  await sandbox.tap(psid, 'Martes')
  await expect(harness.thread.getByRole('article').filter({ hasText: 'Martes' }).last()).toBeVisible()
})

test('a product is chosen by keyboard, shown as a card, and delivered once', async ({
  harness,
  page,
  person,
  sandbox,
  unique,
}) => {
  const psid = psidOf(person)
  await sandbox.write(psid, unique('Magkano po?'))
  const name = unique('Tarpaulin')
  await harness.signIn('administrator')
  await harness.isLive()
  await page.getByRole('button', { name: /^Account: / }).click()
  await page.getByRole('button', { name: 'Products', exact: true }).click()
  const products = page.getByRole('dialog', { name: 'Products' })
  await products.getByRole('button', { name: 'Add product' }).click()
  await products.getByLabel('Name').fill(name)
  await products.getByLabel('Price').fill('450')
  await products.getByLabel('Address of a picture').fill('http://cdn.example/tarpaulin.png')
  await expect(products.getByText('Enter a whole https address').first()).toBeVisible()
  await products.getByLabel('Address of a picture').fill('https://cdn.example/tarpaulin.png')
  await products.getByLabel('Link to its page').fill('https://shop.example/tarpaulin')
  await products.getByRole('button', { name: 'Add product' }).click()
  await expect(products.getByRole('heading', { name })).toBeVisible()
  await page.keyboard.press('Escape')
  await harness.navigateTo(person)
  await harness.thread.getByRole('button', { name: 'Send a product' }).focus()
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Send a product' })
  await expect(dialog.getByRole('textbox', { name: 'Search products' })).toBeFocused()
  await page.keyboard.type(name)
  await expect(dialog.getByRole('listitem')).toHaveCount(1)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('button', { name: 'Send card' })).toBeFocused()
  await expect(dialog.getByRole('region', { name: 'Preview' })).toContainText(name)
  await isAccessible(page)
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await expect.poll(() => sandbox.deliveredTo(psid)).toEqual([`${name}\n₱450.00`])
  await expect(harness.thread.getByText(name)).toHaveCount(1)
  await expect(harness.thread.getByRole('link', { name: 'shop.example' })).toHaveAttribute(
    'href',
    'https://shop.example/tarpaulin',
  )
  expect(await sandbox.structuresDeliveredTo(psid)).toMatchObject([
    { elements: [{ image_url: 'https://cdn.example/tarpaulin.png' }] },
  ])
  await expect(harness.thread.getByRole('button', { name: 'Send a heart' })).toHaveCount(
    person.platform === 'instagram' ? 1 : 0,
  )
})

test('a heart is sent on Instagram by keyboard, once, and shown in the thread', async ({
  api,
  harness,
  page,
  sandbox,
  unique,
}) => {
  const rows = await api.conversations('limit=100')
  const onInstagram = rows.find((row) => row.page_count === 1 && row.platform === 'instagram')
  if (!onInstagram) throw new Error('No person of the sandbox writes over Instagram')
  const psid = psidOf(onInstagram)
  await sandbox.write(psid, unique('Salamat po'))
  await harness.signInAt(onInstagram)
  const heart = harness.thread.getByRole('button', { name: 'Send a heart' })
  await heart.focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await expect(heart).toBeFocused()
  await expect.poll(() => sandbox.structuresDeliveredTo(psid)).toEqual([{ type: 'like_heart' }])
  await expect(harness.thread.getByRole('img', { name: 'Heart' })).toHaveCount(1)
  await isAccessible(page)
})
