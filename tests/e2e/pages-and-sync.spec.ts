import { deriveKey } from '../../server/secrets.ts'
import { sandboxToken } from '../../server/stand-ins/sandbox/world.ts'
import { expect, test } from './fixtures.ts'
import type { Harness } from './harness.ts'
import { psidOf } from './network.ts'

const page = { id: '104200000000104', name: 'Handaan Party Trays' }
const toast = (harness: Harness, text: string | RegExp) => harness.page.getByRole('listitem').filter({ hasText: text })
const header = (harness: Harness, name: string | RegExp) =>
  harness.page.getByRole('banner').getByRole('button', { name, exact: true })

async function openPages(harness: Harness) {
  await harness.signIn('administrator')
  await header(harness, 'Manage pages').click()
  const dialog = harness.page.getByRole('dialog', { name: 'Manage Facebook Pages' })
  const row = dialog.getByRole('listitem').filter({ hasText: page.name })
  await expect(row).toBeVisible()
  return { dialog, row }
}

test('a page is saved only with a verified token, the form keeps its values after a rejected one, and a deletion first counts the data', async ({
  harness,
  server,
}) => {
  const { dialog, row } = await openPages(harness)
  await row.getByRole('button', { name: `Edit ${page.name}` }).click()
  const form = dialog.getByRole('form', { name: 'Edit page' })
  const token = form.getByLabel(/^Page Access Token/)
  const save = form.getByRole('button', { name: 'Update Page' })

  await token.fill('EAA-not-a-token')
  await expect(save).toBeDisabled()
  await form.getByRole('button', { name: 'Verify Token' }).click()
  await expect(toast(harness, 'Token verification failed:')).toBeVisible()
  await expect(token).toHaveValue('EAA-not-a-token')
  await expect(save).toBeDisabled()

  const good = sandboxToken(deriveKey(server.secretKey, 'sandbox page tokens'), page.id)
  await token.fill(good)
  await form.getByRole('button', { name: 'Verify Token' }).click()
  await expect(toast(harness, 'Token verified successfully')).toBeVisible()
  await expect(save).toBeEnabled()
  await token.press('End')
  await token.pressSequentially('x')
  await expect(save).toBeDisabled()
  await token.press('Backspace')
  await form.getByRole('button', { name: 'Verify Token' }).click()
  await expect(save).toBeEnabled()
  await save.click()
  await expect(toast(harness, 'Facebook page updated successfully')).toBeVisible()
  await expect(form).toBeHidden()
  expect(await harness.page.content()).not.toContain(good)

  await row.getByRole('button', { name: `Delete ${page.name}` }).click()
  const question = harness.page
    .getByRole('alertdialog')
    .or(harness.page.getByRole('dialog'))
    .filter({
      hasText: `Are you sure you want to delete "${page.name}"? This action cannot be undone.`,
    })
  await expect(question.last()).toBeVisible()
  await expect(question.last().getByRole('button', { name: 'Cancel' })).toBeFocused()
  await expect(question.last()).toContainText(/\d+ conversations?/)
  await harness.page.keyboard.press('Enter')
  await expect(row).toBeVisible()
})

test('a historical sync shows its progress, and a second one stores nothing; auto-sync is stopped, started and configured, and shows the author', async ({
  harness,
}) => {
  await harness.signIn('administrator')
  await header(harness, 'Sync').click()
  const dialog = harness.page.getByRole('dialog', { name: 'Sync Historical Messages' })
  const start = dialog.getByRole('button', { name: 'Start Sync' })
  await expect(start).toBeDisabled()
  await dialog.getByRole('combobox', { name: 'Page' }).selectOption(page.name)
  await expect(dialog.getByText('✓ Has historical sync')).toBeVisible()
  await dialog.getByLabel(/^Conversation limit/).fill('5')
  await start.click()
  await expect(dialog.getByText('Sync completed')).toBeVisible({ timeout: 30_000 })
  await expect(dialog.getByText(/\b0\b.*messages/)).toBeVisible()
  await harness.page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()

  await header(harness, /^Auto-sync/).click()
  const automatic = harness.page.getByRole('dialog', { name: 'Auto-Sync' })
  await automatic.getByRole('button', { name: 'Stop' }).click()
  await expect(automatic.getByText('Off', { exact: true })).toBeVisible()
  await automatic.getByLabel(/^Minutes between syncs/).fill('61')
  await expect(automatic.getByRole('button', { name: 'Save settings' })).toBeDisabled()
  await automatic.getByLabel(/^Minutes between syncs/).fill('15')
  await automatic.getByRole('button', { name: 'Save settings' }).click()
  await expect(toast(harness, 'Settings updated')).toBeVisible()
  await expect(automatic.getByText(/^Last updated by Ana Reyes on/)).toBeVisible()
  await expect(automatic.getByRole('button', { name: 'Close' }).last()).toBeFocused()
  await automatic.getByRole('button', { name: 'Start' }).click()
  // The first run may have begun before the answer. The end of a run is known with the next poll.
  await expect(automatic.getByText(/^(On|Syncing…)$/)).toBeVisible()
  await automatic.getByRole('button', { name: 'Force sync' }).click()
  await expect(toast(harness, 'Force sync completed')).toBeVisible({ timeout: 30_000 })
  await expect(automatic.getByText('On', { exact: true })).toBeVisible()
})

test('recent messages are synced for the filtered page, or for all pages', async ({
  harness,
  person,
  sandbox,
  unique,
}) => {
  await harness.signIn()
  const button = harness.page.getByTitle('Sync recent messages from Business Suite').first()
  const missed = unique('Hindi ito narinig')
  await sandbox.setFaults({ holdWebhooks: true })
  await sandbox.write(psidOf(person), missed)
  await button.click()
  await expect(toast(harness, /^Synced \d+ messages across 4 pages/)).toBeVisible({ timeout: 30_000 })
  await expect(harness.row(missed)).toBeVisible()
  await harness.page.getByRole('combobox', { name: 'Page', exact: true }).selectOption(page.name)
  await button.click()
  await expect(toast(harness, /^Synced \d+ recent messages/)).toBeVisible({ timeout: 30_000 })
})
