import { readFileSync } from 'node:fs'
import { demoStaff } from '../../server/stand-ins/supabase/demo-staff.ts'
import { reportAnswer } from '../../src/schemas/report.ts'
import { tokenPairOf } from './api.ts'
import { expect, test } from './fixtures.ts'
import { openBrowser } from './harness.ts'
import { look, screenshot } from './look.ts'
import type { TestServer } from './server.ts'

// Axe takes a second each time, and there are many.
test.describe.configure({ timeout: 180_000 })

/** The first responses of a staff member today. Other tests answer on the same server. */
async function firstResponsesOf(server: TestServer, name: string): Promise<number> {
  const { token } = await tokenPairOf(server, demoStaff[0])
  const response = await fetch(`${server.url}/api/reports/responses?days=1&by=person`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const { data } = reportAnswer.parse(await response.json())
  if (data.report !== 'responses') throw new Error('The server answered another report')
  return data.rows.find((row) => row.name === name)?.count ?? 0
}

test('a day of a small team is counted on the screen and in the CSV', async ({
  baseURL,
  browser,
  createPerson,
  harness,
  page,
  sandbox,
  server,
  unique,
}) => {
  await harness.signIn('administrator')
  const expected = (await firstResponsesOf(server, 'Paolo Cruz')) + 2
  const paolo = await openBrowser(browser, baseURL)
  await paolo.signIn()
  for (const name of ['Uno', 'Dos']) {
    const person = await createPerson('Rita', unique(name).replace(' ', ''), [{ wrote: 'Do you ship to Baguio?' }])
    await sandbox.write(person.psid, 'Do you ship to Baguio?')
    await paolo.navigateTo(person)
    const own = unique('Yes, we do')
    await paolo.answer(own)
    await expect(paolo.thread.getByRole('article', { name: /^You, / }).filter({ hasText: own })).toBeVisible()
  }
  const waiting = await createPerson('Rita', unique('Tres').replace(' ', ''), [{ wrote: 'Hello po' }])
  await sandbox.write(waiting.psid, 'Anybody there?')

  await harness.isLive()

  await page.getByRole('button', { name: 'Account: Ana Reyes' }).click()
  await page.getByRole('button', { name: 'Reports', exact: true }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Reports' })
  await expect(dialog.getByText(/conversations? (is|are) waiting, the longest for/)).toBeVisible()
  await expect(dialog.getByLabel('Report', { exact: true })).toBeFocused()
  await look(page, 'reports-waiting')

  await dialog.getByLabel('Report', { exact: true }).selectOption({ label: 'First response' })
  await dialog.getByLabel('Grouped by').selectOption({ label: 'Person' })
  await dialog.getByLabel('Range').selectOption({ label: 'Today' })
  const row = dialog.getByRole('row').filter({ has: page.getByRole('rowheader', { name: 'Paolo Cruz' }) })
  await expect(row.getByRole('cell').first()).toHaveText(String(expected))
  await screenshot(page, 'reports-responses')
  const download = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Export CSV' }).click()
  const csv = readFileSync(await (await download).path(), 'utf8').split('\n')
  expect(csv[0]).toBe('\ufeffperson,name,first responses,median seconds,p90 seconds')
  expect(csv.filter((line) => new RegExp(`^staff:[^,]+,Paolo Cruz,${expected},`).test(line))).toHaveLength(1)

  await dialog.getByLabel('Report', { exact: true }).selectOption({ label: 'Messages' })
  await dialog.getByLabel('Grouped by').selectOption({ label: 'Hour of the day' })
  await dialog.getByLabel('Range').selectOption({ label: 'Last 30 days' })
  await expect(dialog.getByRole('row')).toHaveCount(25)
  await screenshot(page, 'reports-messages')

  await dialog.getByLabel('Range').selectOption({ label: 'Own range' })
  await dialog.getByLabel('Last day').fill('2020-01-01')
  await expect(dialog.getByText('The last day is before the first day.')).toBeVisible()
  await look(page, 'reports-range')

  await dialog.getByLabel('Range').selectOption({ label: 'Last 7 days' })
  await dialog.getByLabel('Report', { exact: true }).selectOption({ label: 'FAQ coverage' })
  // The server looks every 20 s. The people of the sandbox have asked before.
  const question = dialog
    .getByRole('listitem')
    .filter({ has: page.getByRole('button', { name: 'Open the last conversation' }) })
    .first()
  await expect(async () => {
    await dialog.getByLabel('Range').selectOption({ label: 'Today' })
    await dialog.getByLabel('Range').selectOption({ label: 'Last 7 days' })
    await expect(question).toBeVisible({ timeout: 2_000 })
  }).toPass({ timeout: 60_000 })
  await screenshot(page, 'reports-questions')
  const asked = await question.getByRole('paragraph').first().innerText()
  await question.getByRole('button', { name: 'Open the last conversation' }).click()
  await expect(dialog).toBeHidden()
  await expect(harness.bubbles(asked).last()).toBeVisible()
  await paolo.page.context().close()
})

test('the API refuses reports to an agent', async ({ server }) => {
  const { token } = await tokenPairOf(server, demoStaff[1])
  const response = await fetch(`${server.url}/api/reports/waiting?days=1`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(response.status).toBe(403)
})
