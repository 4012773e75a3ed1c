import { findBrowser } from './browser.ts'
import { expect, test } from './fixtures.ts'
import { isAccessible } from './look.ts'
import { psidOf } from './network.ts'

const { args, executablePath, env } = await findBrowser()

// A microphone that hums, and a person who allows it.
test.use({
  launchOptions: {
    executablePath,
    args: [...args, '--use-fake-device-for-media-stream', '--use-fake-ui-for-media-stream'],
    env: { ...process.env, ...env },
  },
})

test('a voice note is recorded, heard, survives a reload and is delivered as a sound', async ({
  harness,
  openChat,
  page,
  person,
  sandbox,
}) => {
  const psid = psidOf(person)
  await openChat(person, 'Voice note po')
  await harness.thread.getByRole('button', { name: 'Record a voice note' }).click()
  const dialog = page.getByRole('dialog', { name: 'Voice note' })
  await expect(dialog.getByRole('timer')).toHaveText(/0:02/)
  await expect(dialog.getByRole('button', { name: 'Done' })).toBeFocused()
  await isAccessible(page)
  await page.keyboard.press('Escape')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Keep it' }).click()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect(dialog).toHaveCount(0)
  const player = harness.thread.getByRole('list', { name: 'Attached files' }).locator('audio')
  await expect(player).toBeVisible()
  await page.reload()
  await expect(player).toBeVisible()
  await expect.poll(() => player.evaluate((element) => (element as HTMLAudioElement).duration)).toBeGreaterThan(1.5)
  await expect(harness.send).toBeEnabled()
  await harness.send.click()
  await expect.poll(() => sandbox.filesDeliveredTo(psid)).toEqual([expect.stringMatching(/^audio \d{5,}$/)])
  await expect(harness.thread.locator('audio[src^="/pictures/"]')).toHaveCount(1)
})
