import { readFileSync } from 'node:fs'
import { expect, test } from './fixtures.ts'
import { look } from './look.ts'

test.describe.configure({ timeout: 120_000 })

test('an administrator imports clients and orders from CSV files, which an open pane shows, and exports them', async ({
  api,
  harness,
  page,
  unique,
  unlinkedPerson,
}) => {
  const [code, number] = [unique('AKL').replaceAll(' ', '-'), unique('SO').replaceAll(' ', '-')]
  const dialog = page.getByRole('dialog', { name: 'Import and export' })
  const csv = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
  const openDialog = async () => {
    await page.getByRole('button', { name: 'Account: Ana Reyes' }).press('Enter')
    await page.getByRole('button', { name: 'Import and export', exact: true }).press('Enter')
    await expect(dialog.getByRole('button', { name: 'Choose a file' })).toBeEnabled()
  }
  await harness.signInAt(unlinkedPerson, 'administrator')
  await harness.isLive()

  await openDialog()
  const chooser = page.waitForEvent('filechooser')
  await dialog.getByRole('button', { name: 'Choose a file' }).press('Enter')
  await (await chooser).setFiles(
    csv('mga-kliyente.csv', `Customer Code;Pangalan;Apelyido;Kumpanya\n${code};Tala;Bituin;${code}\n${code}-2;Luz;;\n`),
  )
  await expect(dialog.getByLabel('First name')).toHaveValue('1', { timeout: 30_000 })
  await look(page, 'import-columns')
  await dialog.getByRole('button', { name: 'Check the rows' }).press('Enter')
  await expect(dialog.getByText('1 new, 0 changed, 0 unchanged, 1 refused, 0 waiting')).toBeVisible({ timeout: 30_000 })
  await expect(dialog.getByRole('cell', { name: 'A client needs a first and a last name.' })).toBeVisible()
  await look(page, 'import-preview')
  await dialog.getByRole('button', { name: 'Import 1 row' }).press('Enter')
  await expect(dialog.getByText('This happened')).toBeVisible({ timeout: 30_000 })
  const refused = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Download refused and waiting rows' }).click()
  expect(readFileSync(await (await refused).path(), 'utf8')).toContain('Luz,,,A client needs a first and a last name.')
  await page.keyboard.press('Escape')

  const [client] = await api.clients(code)
  await api.link(unlinkedPerson.primary_user_id ?? '', client?.id ?? '')
  const details = page.getByRole('complementary', { name: 'Client details' })
  await expect(details.getByText('No orders')).toBeVisible()

  await openDialog()
  await dialog.getByLabel('Rows of the file').selectOption('orders')
  await dialog
    .getByLabel('CSV file', { exact: true })
    .setInputFiles(
      csv('orders.csv', `Order No,Customer Code,Status,Total,Petsa\n${number},${code},ready,"₱1,234.50",01/15/2026\n`),
    )
  await dialog.getByRole('button', { name: 'Check the rows' }).click({ timeout: 30_000 })
  await dialog.getByRole('button', { name: 'Import 1 row' }).click({ timeout: 30_000 })
  // The import continues while the dialog is closed.
  await page.keyboard.press('Escape')
  await expect(details.getByText(number)).toBeVisible({ timeout: 30_000 })
  await expect(details.getByText('₱1,234.50').first()).toBeVisible()

  await openDialog()
  await dialog.getByLabel('What').selectOption('orders')
  const exported = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Export', exact: true }).click()
  const download = await exported
  expect(download.suggestedFilename()).toBe('orders.csv')
  expect(readFileSync(await download.path(), 'utf8')).toContain(`\n${number},${number},${code},`)
})
