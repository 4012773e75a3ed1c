import { expect, test } from './fixtures.ts'
import { look } from './look.ts'
import { placeOf } from './network.ts'
import { restart } from './restart.ts'

test('an administrator sees an alarm begin, reads it by keyboard, and sees those that ended', async ({
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
  const syncs = async () => {
    const synced = page.waitForResponse('**/api/facebook/sync-all-recent')
    await page.getByRole('button', { name: 'Sync recent' }).click()
    await (await synced).finished()
  }
  const refresh = page.getByRole('button', { name: 'Refresh conversations' })

  await harness.signIn('administrator')
  await expect(bell).toBeVisible()
  await sandbox.setTokenValid(pageId, false)
  await syncs()
  // The server looks for alarms when it starts, and each minute.
  await restart(server)
  await refresh.click()
  await expect(bell).toHaveAccessibleName(/^\d+ alarms?$/)
  await expect(page.getByRole('status').filter({ hasText: /^\d+ alarms?$/ })).toHaveCount(1)

  await bell.focus()
  await page.keyboard.press('Enter')
  const begun = dialog.getByRole('region', { name: 'Now' })
  await expect(begun.getByText(`The network refuses the token of ${name}.`)).toContainText(
    'Renew it in the page manager',
  )
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(bell).toBeFocused()
  // The next look of the server ends the alarm.
  await sandbox.setTokenValid(pageId, true)
  await syncs()

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
  await refresh.click()
  await expect(bell).toHaveAccessibleName('2 alarms')
  await harness.isLive()
  await look(page, 'alarms-bell')
  await bell.click()
  await expect(begun.getByRole('listitem')).toHaveCount(2)
  const ended = dialog.getByRole('region', { name: 'Ended' }).getByRole('listitem')
  await expect(ended).toHaveText(/^3 webhook deliveries wait for more than five minutes\. Check the log\..* to /)
  await look(page, 'alarms')
})
