import { expect, test } from './fixtures.ts'
import { look } from './look.ts'

const dayNames = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

test('an administrator sets business hours, and a customer gets the away answer while the page is closed', async ({
  createPerson,
  harness,
  page,
  sandbox,
  unique,
}) => {
  test.slow()
  const person = await createPerson('Wena', unique('Away').replace(' ', ''), [{ wrote: 'Hello po' }])
  await harness.signIn('administrator')
  await harness.isLive()
  const dialog = page.getByRole('dialog', { name: 'Business hours' })
  const away = unique('We are closed')
  const open = async () => {
    await page.getByRole('button', { name: /^Account/ }).click()
    await page.getByRole('button', { name: 'Business hours' }).click()
    await expect(dialog.getByText(/Times are those of Asia\/Manila/)).toBeVisible()
    await dialog.locator('summary').first().click()
  }
  const saved = page.getByText('Business hours saved')
  const save = async () => {
    // The toast of the last time would say that this time is saved.
    await expect(saved).toHaveCount(0)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(saved.first()).toBeVisible()
    await expect(dialog.getByRole('button', { name: 'Close' }).last()).toBeFocused()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  }

  await open()
  await dialog.getByRole('checkbox', { name: 'Send the away answer' }).first().check()
  // Open in three days only, so that the test can run at any time.
  for (const day of dayNames.slice(1, 6))
    await dialog
      .getByRole('button', { name: `Remove ${day} 9:00 AM–6:00 PM` })
      .first()
      .click()
  await expect(dialog.getByText('Add hours for at least one day.').first()).toBeVisible()
  const manila = new Date(Date.now() + 8 * 3_600_000)
  const later = dayNames[(manila.getUTCDay() + 3) % 7]
  await dialog
    .getByRole('button', { name: `Add hours on ${later}` })
    .first()
    .click()
  await dialog.getByRole('button', { name: 'Add holiday' }).first().click()
  await dialog.getByLabel('Date of the holiday').first().fill('2026-12-30')
  await dialog.getByRole('textbox', { name: 'Name' }).fill('Rizal Day')
  await dialog.getByRole('checkbox', { name: 'Every year' }).check()
  await dialog.getByLabel('Away answer', { exact: true }).first().fill(away)
  await look(page, 'business-hours')
  // The sandbox has several pages, and a person writes to any of them.
  await dialog.getByRole('button', { name: 'Use for all pages' }).first().click()
  await save()

  await sandbox.write(person.psid, 'Kumusta po kayo dyan')
  await harness.navigateTo(person)
  const answers = harness.thread.getByRole('article').filter({ hasText: away })
  await expect(answers).toHaveCount(1)
  await expect(harness.row(`Auto: ${away}`)).toBeVisible()

  await open()
  await dialog.getByRole('checkbox', { name: 'Send the away answer' }).first().uncheck()
  await dialog.getByRole('button', { name: 'Use for all pages' }).first().click()
  await save()
})
