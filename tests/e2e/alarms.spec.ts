import { expect, test } from './fixtures.ts'
import { Harness } from './harness.ts'
import { look } from './look.ts'
import { placeOf } from './network.ts'
import { restart } from './restart.ts'

test('an administrator sees an alarm from its beginning to its end and reads it by keyboard; an agent sees nothing', async ({
  browser,
  harness,
  page,
  person,
  sandbox,
  server,
}) => {
  test.slow()
  const { pageId } = placeOf(person)
  const name = person.page_names ?? ''
  const bell = page.getByRole('button', { name: /^(\d+ alarms?|Alarms)$/ })
  const dialog = page.getByRole('dialog', { name: 'Alarms' })
  const incident = (heading: string) =>
    dialog.getByRole('region', { name: heading }).getByText(`The network refuses the token of ${name}.`)
  const syncs = async () => {
    const synced = page.waitForResponse('**/api/facebook/sync-all-recent')
    await page.getByRole('button', { name: 'Sync recent' }).click()
    await (await synced).finished()
  }
  const refresh = page.getByRole('button', { name: 'Refresh conversations' })

  const agents = await browser.newContext({ baseURL: server.url })
  const agent = new Harness(await agents.newPage())
  const asked: string[] = []
  agent.page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await agent.signIn('agent')
  await agent.isLive()

  await harness.signIn('administrator')
  await harness.isLive()
  await expect(bell).toBeVisible()
  await sandbox.setTokenValid(pageId, false)
  await syncs()
  await restart(server)
  await harness.isLive()
  await refresh.click()
  await expect(bell).toHaveAccessibleName(/^\d+ alarms?$/)
  await expect(page.getByRole('status').filter({ hasText: /^\d+ alarms?$/ })).toHaveCount(1)

  await bell.focus()
  await page.keyboard.press('Enter')
  await expect(incident('Now')).toBeVisible()
  await expect(incident('Now')).toContainText('Renew it in the page manager')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(bell).toBeFocused()

  await sandbox.setTokenValid(pageId, true)
  await syncs()
  // One call with the token has succeeded. The server looks for alarms when it starts, and each minute.
  await restart(server)
  await harness.isLive()
  await expect(async () => {
    await page.keyboard.press('Escape')
    await refresh.click()
    await bell.press('Enter')
    await expect(incident('Ended')).toBeVisible({ timeout: 2_000 })
  }).toPass()
  await expect(incident('Now')).toBeHidden()

  await agent.isLive()
  await agent.page.getByRole('button', { name: 'Refresh conversations' }).click()
  await expect(agent.list).toBeVisible()
  await expect(agent.page.getByRole('button', { name: /alarm/i })).toHaveCount(0)
  expect(asked).toContain('/api/facebook/auto-sync/status')
  expect(asked).not.toContain('/api/alarms')
  await agents.close()
})

test.describe('no accessibility violation in light and dark, and no overflow', () => {
  test('the bell and the list of alarms', async ({ harness, page }) => {
    const alarm = (id: number, text: string, ended_at: string | null) => ({
      id,
      kind: 'token',
      text,
      started_at: '2026-01-05T12:00:00Z',
      ended_at,
    })
    const data = [
      alarm(3, 'The network refuses the token of Handaan. Renew it in the page manager.', null),
      alarm(2, 'The disk of inbox-1 is nearly full: 840 MB are free. Make room.', null),
      alarm(1, '3 webhook deliveries wait for more than five minutes. Check the log.', '2026-01-05T12:30:00Z'),
    ]
    await page.route('**/api/alarms', (route) => route.fulfill({ json: { success: true, data } }))
    await harness.signIn('administrator')
    await harness.isLive()
    const bell = page.getByRole('button', { name: '2 alarms' })
    await expect(bell).toBeVisible()
    await look(page, 'alarms-bell')
    await bell.click()
    await expect(page.getByRole('dialog', { name: 'Alarms' }).getByRole('listitem')).toHaveCount(3)
    await look(page, 'alarms')
  })
})
