import { expect, test } from './fixtures.ts'
import { isAccessible } from './look.ts'
import { psidOf } from './network.ts'

test('a saved reply with quick replies is written on one screen, sent from another, and a tap comes back as a message', async ({
  ana,
  harness,
  page,
  person,
  sandbox,
  unique,
}) => {
  const psid = psidOf(person)
  await sandbox.write(psid, unique('Kukunin ko po'))
  const name = unique('pickup').replace(' ', '-')
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
