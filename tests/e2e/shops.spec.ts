import { expect, test } from './fixtures.ts'
import { look } from './look.ts'

// Checks the dialog with axe in three widths and two colour schemes.
test.describe.configure({ timeout: 240_000 })

const name = 'Sandbox Prints'
const fields = [
  ['Domain of the shop', 'sandbox.myshopify.com'],
  ['Admin API access token', 'shpat_sandbox'],
  ['API secret key', 'shpss_sandbox'],
] as const

test('an administrator connects Shopify, and a new order of the shop is in the open pane within 2 s', async ({
  harness,
  page,
  server,
  unlinkedPerson,
}) => {
  const dialog = page.getByRole('dialog', { name: 'Shops' })
  const control = async (path: string, body: object): Promise<number> => {
    const response = await fetch(`${server.url}/sandbox/shops/control/shopify/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    return (await response.json()).id
  }
  await harness.signIn('administrator')
  await harness.isLive()
  await page.getByRole('button', { name: 'Account: Ana Reyes' }).press('Enter')
  await page.getByRole('button', { name: 'Shops', exact: true }).press('Enter')
  await expect(dialog.getByRole('button', { name: 'Connect a shop' })).toBeFocused()
  await page.keyboard.press('Enter')
  await dialog.getByRole('radio', { name: 'Shopify' }).check()
  for (const [label, text] of fields) await dialog.getByLabel(label).fill(text)
  await dialog.getByLabel(fields[1][0]).fill('wrong')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('alert')).toHaveText(
    'The shop refuses the key. Check it, or make a new one in the shop.',
  )
  await look(page, 'shops-form')
  await dialog.getByLabel(fields[1][0]).fill(fields[1][1])
  await page.keyboard.press('Enter')
  const item = dialog.getByRole('listitem').filter({ hasText: name })
  await expect(item.getByText(/Read .*\d+ clients, \d+ orders\./)).toBeVisible({ timeout: 30_000 })
  await expect(dialog.getByRole('button', { name: 'Connect a shop' })).toBeFocused()

  await control('orders', { customer: 1001, currency: 'USD' })
  await item.getByRole('button', { name: `Sync now: ${name}` }).click()
  await item.getByText('1 row is not stored').click({ timeout: 40_000 })
  await expect(item.getByText('The order is in USD. This inbox counts in PHP.')).toBeVisible()
  await look(page, 'shops')
  await page.keyboard.press('Escape')

  await harness.navigateTo(unlinkedPerson)
  const details = page.getByRole('complementary', { name: 'Client details' })
  await details.getByRole('button', { name: 'Link to Client' }).click()
  const linking = page.getByRole('dialog', { name: 'Link Client' })
  await expect(linking.getByPlaceholder('Search by name, email, phone, or company...')).toBeFocused()
  await page.keyboard.type('tala.bituin.0@shopify.example')
  await linking.getByRole('radio').check({ force: true })
  await linking.getByRole('button', { name: 'Link Client' }).click()
  await expect(details.getByText('sandbox #1001')).toBeVisible()

  const id = await control('orders', { customer: 1001, state: 'paid' })
  await expect(details.getByText(`sandbox #${id}`)).toBeVisible({ timeout: 2_000 })
})
