import { expect, test } from './fixtures.ts'
import { violationsOf } from './look.ts'

test('a conversation that began with a webhook says that older messages are not synced, and a press finds its start, on both screens', async ({
  ana,
  createPerson,
  harness,
  page,
  sandbox,
  unique,
}) => {
  const person = await createPerson('Luningning', unique('Dimaculangan'), [{ wrote: 'Hello po' }])
  await sandbox.write(person.psid, unique('Magandang araw'))
  await harness.signIn()
  for (const at of [harness, ana]) {
    await at.navigateTo(person)
    await at.isLive()
    await expect(at.thread.getByText('Older messages are not synced yet')).toBeVisible()
  }
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await violationsOf(page)).toEqual([])

  await page.setViewportSize({ width: 1440, height: 900 })
  await harness.thread.getByRole('button', { name: 'Sync now' }).click()
  await expect(harness.thread.getByText('Start of the conversation')).toBeVisible()
  for (const at of [harness, ana]) {
    await expect(at.thread.getByText('Start of the conversation')).toBeVisible()
    await expect(at.thread.getByText('Older messages are not synced yet')).toBeHidden()
    await expect(at.bubbles('Hello po')).toBeVisible()
  }
})
