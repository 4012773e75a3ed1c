import { deriveKey } from '../../server/secrets.ts'
import { sandboxToken } from '../../server/stand-ins/sandbox/world.ts'
import { expect, testWithOwnServer } from './fixtures.ts'

const test = testWithOwnServer()

// Removes a page and reads its history again.
test.describe.configure({ timeout: 180_000 })
test.use({ actionTimeout: 15_000 })

test('a page that is removed and connected again finds its people and their clients again', async ({
  api,
  harness,
  page,
  server,
}) => {
  const removed = { id: '104200000000104', name: 'Handaan Party Trays' }
  /** The number of conversations, and those with a client or with several pages. */
  const people = async () => {
    const rows = []
    for (let number = 1; rows.length === (number - 1) * 100; number += 1)
      rows.push(...(await api.conversations(`limit=100&page=${number}`)))
    const known = rows
      .filter((row) => row.client_id != null || row.page_count > 1)
      .map(({ unified_name, client_id, page_count }) => ({ unified_name, client_id, page_count }))
    return { count: rows.length, known: known.map((row) => JSON.stringify(row)).sort() }
  }
  const before = await people()
  await harness.signIn('administrator')
  await page.getByRole('banner').getByRole('button', { name: 'Manage pages', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Manage Facebook Pages' })
  const row = dialog.getByRole('listitem').filter({ hasText: removed.name })
  await row.getByRole('button', { name: `Delete ${removed.name}` }).click()
  const confirmation = page.getByRole('alertdialog')
  await confirmation.getByRole('button', { name: /^Delete/ }).click()
  // While it is open, the dialog behind it is hidden and no row is found.
  await expect(confirmation).toHaveCount(0, { timeout: 60_000 })
  await expect(row).toHaveCount(0, { timeout: 60_000 })
  expect((await people()).count).toBeLessThan(before.count)

  await dialog.getByRole('button', { name: 'Add Page' }).click()
  const form = dialog.getByRole('form')
  await form.getByLabel(/^Page Name/).fill(removed.name)
  const token = sandboxToken(deriveKey(server.secretKey, 'sandbox page tokens'), removed.id)
  await form.getByLabel(/^Page Access Token/).fill(token)
  await form.getByRole('button', { name: 'Verify Token' }).click()
  await form.getByRole('button', { name: 'Add Page' }).click()
  await expect(row).toBeVisible()
  await page.keyboard.press('Escape')

  await page.getByRole('banner').getByRole('button', { name: 'Sync', exact: true }).click()
  const sync = page.getByRole('dialog', { name: 'Sync Historical Messages' })
  await sync.getByRole('combobox', { name: 'Page' }).selectOption(removed.name)
  await sync.getByLabel(/^Conversation limit/).fill('100')
  await sync.getByRole('button', { name: 'Start Sync' }).click()
  await expect(sync.getByText('Sync completed')).toBeVisible({ timeout: 120_000 })
  expect(await people()).toEqual(before)
})
