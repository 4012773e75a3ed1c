import { deriveKey } from '../../server/secrets.ts'
import { sandboxToken } from '../../server/stand-ins/sandbox/world.ts'
import { demoStaff } from '../../server/stand-ins/supabase/demo-staff.ts'
import { tokenPairOf } from './api.ts'
import { expect, testWithOwnServer } from './fixtures.ts'
import { isAccessible, screenshot } from './look.ts'
import type { TestServer } from './server.ts'

const test = testWithOwnServer()

const page104 = { id: '104200000000104', name: 'Handaan Party Trays' }

/** Deletes all pages with their messages and conversations. */
async function empty(server: TestServer): Promise<void> {
  const { token } = await tokenPairOf(server, demoStaff.find(({ role }) => role === 'administrator') ?? demoStaff[0])
  const headers = { authorization: `Bearer ${token}` }
  const call = async (path: string, method = 'GET') =>
    (await fetch(`${server.url}/api${path}`, { method, headers })).json()
  const pages: { data: { data: { page_id: string }[] } } = await call('/facebook/pages')
  for (const { page_id } of pages.data.data) await call(`/facebook/pages/${page_id}`, 'DELETE')
  expect((await call('/facebook/stats')).data.total_conversations).toBe(0)
}

test('the first run leads from an empty inbox to the first page and its conversations', async ({
  harness,
  page,
  server,
}) => {
  test.setTimeout(240_000)
  await empty(server)
  // An empty inbox has no list, so the harness cannot wait for it.
  const { email, password } = demoStaff.find(({ role }) => role === 'administrator') ?? demoStaff[0]
  await page.goto('/login')
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  const setUp = harness.thread.getByRole('region', { name: 'Set up your inbox' })
  const step = (name: string) => setUp.getByRole('listitem').filter({ has: page.getByRole('heading', { name }) })
  await expect(step('Connect a page').getByRole('button', { name: 'Add Page' })).toBeVisible()
  await expect(step('Sync history').getByRole('button')).toHaveCount(0)
  await harness.isLive()
  await screenshot(page, 'first-run')
  for (const width of [1440, 390]) {
    await page.setViewportSize({ width, height: 844 })
    await isAccessible(page)
  }
  // On a phone the steps stand in the list.
  const list = page.getByRole('region', { name: 'Conversations' })
  await expect(list.getByRole('button', { name: 'Add Page' })).toBeVisible()
  await page.setViewportSize({ width: 1440, height: 900 })

  await step('Connect a page').getByRole('button', { name: 'Add Page' }).click()
  const dialog = page.getByRole('dialog', { name: 'Manage Facebook Pages' })
  await dialog.getByRole('button', { name: 'Add Page' }).click()
  await dialog
    .getByLabel(/^Page Access Token/)
    .fill(sandboxToken(deriveKey(server.secretKey, 'sandbox page tokens'), page104.id))
  await dialog.getByRole('button', { name: 'Verify Token' }).click()
  await expect(dialog.getByLabel(/^Page Name/)).toHaveValue(page104.name)
  await dialog.getByRole('button', { name: 'Add Page' }).last().click()
  await expect(page.getByText('Facebook page added successfully')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(step('Connect a page')).toContainText(`${page104.name} is connected.`)
  await screenshot(page, 'first-run-page')

  await step('Sync history').getByRole('button', { name: 'Start Sync' }).click()
  const sync = page.getByRole('dialog', { name: 'Sync Historical Messages' })
  await sync.getByLabel(/^Conversation limit/).fill('10')
  await sync.getByRole('button', { name: 'Start Sync' }).click()
  await expect(sync.getByText('✓ Has historical sync')).toBeVisible({ timeout: 60_000 })
  await page.keyboard.press('Escape')
  await expect(setUp).toBeHidden()
  await expect(harness.thread.getByText('Select a conversation')).toBeVisible()
  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'All' }).click()
  await expect(harness.list.getByRole('option').first()).toBeVisible()
})
