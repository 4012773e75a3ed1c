import { expect, test } from './fixtures.ts'
import { look } from './look.ts'

test('another program sends a client and an order with a key, and staff see the order beside the chat', async ({
  api,
  harness,
  page,
  server,
  unique,
  unlinkedPerson,
}) => {
  test.slow()
  const [company, number, program] = [unique('Aklatan'), unique('SO'), unique('Till')]
  const dialog = page.getByRole('dialog', { name: 'API keys' })
  await harness.signInAt(unlinkedPerson, 'administrator')
  await harness.isLive()
  await page.getByRole('button', { name: 'Account: Ana Reyes' }).press('Enter')
  await page.getByRole('button', { name: 'API keys', exact: true }).press('Enter')
  await expect(dialog.getByRole('button', { name: 'Make a key' })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.type(program)
  await page.keyboard.press('Enter')
  const secret = await dialog.getByLabel('Key', { exact: true }).inputValue()
  await page.keyboard.press('Escape')
  await dialog.getByRole('button', { name: 'Done' }).click()

  const send = (method: string, path: string, body: object) =>
    fetch(`${server.url}/api/import${path}`, {
      method,
      headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const created_at = '2026-01-05T12:00:00Z'
  const client = { first_name: 'Tala', last_name: 'Bituin', company_name: company }
  const order = { client: company, order_number: number, status: 'ready', total_amount: '1234.50', created_at }
  const answer = await send('POST', '', {
    clients: [{ external_id: company, ...client }],
    orders: [{ external_id: number, ...order }],
    payments: [{ external_id: number, order: number, amount: 234.5, status: 'approved', created_at }],
  })
  expect((await answer.json()).data).toMatchObject({ payments: [{ external_id: number, result: 'created' }] })

  await dialog.getByRole('button', { name: 'Close' }).click()
  const [created] = await api.clients(company)
  await api.link(unlinkedPerson.primary_user_id ?? '', created?.id ?? '')
  const details = page.getByRole('complementary', { name: 'Client details' })
  await expect(details.getByText(number)).toBeVisible()
  await expect(details.getByText('₱1,234.50').first()).toBeVisible()

  await page.getByRole('button', { name: 'Account: Ana Reyes' }).click()
  await page.getByRole('button', { name: 'API keys', exact: true }).click()
  await expect(dialog.getByRole('listitem').filter({ hasText: program })).toContainText('Last used')
  await look(page, 'api-keys')
  await dialog.getByRole('button', { name: `Revoke ${program}` }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click()
  // While the question is open, no role of the dialog behind it is found, and a count of 0 rows would prove nothing.
  await expect(page.getByRole('alertdialog')).toHaveCount(0)
  await expect(dialog).toBeVisible()
  await expect(dialog.getByRole('listitem').filter({ hasText: program })).toHaveCount(0)
  expect((await send('PUT', `/clients/${encodeURIComponent(company)}`, client)).status).toBe(401)
})
