import { readFileSync } from 'node:fs'
import { expect, test } from './fixtures.ts'
import { look } from './look.ts'

// Checks each step with axe in three widths and two colour schemes.
test.describe.configure({ timeout: 240_000 })

test('an administrator imports clients, orders, items and payments from CSV files, and an open pane shows them', async ({
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
  await harness.signIn('administrator')
  await harness.isLive()

  await openDialog()
  await look(page, 'import-start')
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
  await look(page, 'import-result')
  await page.keyboard.press('Escape')

  await harness.open(unlinkedPerson)
  const details = page.getByRole('complementary', { name: 'Client details' })
  await details.getByRole('button', { name: 'Link to Client' }).click()
  const linking = page.getByRole('dialog', { name: 'Link Client' })
  await expect(linking.getByPlaceholder('Search by name, email, phone, or company...')).toBeFocused()
  await page.keyboard.type(code)
  await linking.getByRole('radio').check({ force: true })
  await linking.getByRole('button', { name: 'Link Client' }).click()
  await expect(details.getByText('No orders')).toBeVisible()

  const importRow = async (kind: string, text: string) => {
    await openDialog()
    await dialog.getByLabel('Rows of the file').selectOption(kind)
    await dialog.getByLabel('CSV file', { exact: true }).setInputFiles(csv(`${kind}.csv`, text))
    await dialog.getByRole('button', { name: 'Check the rows' }).click({ timeout: 30_000 })
    await dialog.getByRole('button', { name: 'Import 1 row' }).click({ timeout: 30_000 })
    // The import continues while the dialog is closed.
    await page.keyboard.press('Escape')
  }
  await importRow(
    'orders',
    `Order No,Customer Code,Status,Total,Petsa\n${number},${code},ready,"₱1,234.50",01/15/2026\n`,
  )
  await expect(details.getByText(number)).toBeVisible({ timeout: 30_000 })
  await expect(details.getByText('₱1,234.50').first()).toBeVisible()

  await importRow('items', `order_number,item_name,quantity,unit_price\n${number},Tarpaulin 2 x 3,3,411.50\n`)
  await importRow(
    'payments',
    `order_number,external_id,amount,status,created_at\n${number},P-${number},"1,000",Paid,01/16/2026\n`,
  )
  const line = details.getByRole('listitem').filter({ hasText: number })
  await expect(line.getByText('Partial')).toBeVisible({ timeout: 30_000 })
  await line.getByRole('button').click()
  const order = page.getByRole('dialog', { name: `Order #${number}` })
  await expect(order.getByText('Tarpaulin 2 x 3')).toBeVisible()
  await expect(order.getByText('3 × ₱411.50')).toBeVisible()
  await expect(order.getByText('₱1,000.00')).toHaveCount(2)
  await page.keyboard.press('Escape')

  await openDialog()
  await dialog.getByLabel('What').selectOption('orders')
  const exported = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Export', exact: true }).click()
  const download = await exported
  expect(download.suggestedFilename()).toBe('orders.csv')
  expect(readFileSync(await download.path(), 'utf8')).toContain(`\n${number},${number},${code},`)
})
