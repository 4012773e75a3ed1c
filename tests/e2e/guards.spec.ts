import { expect, test } from './fixtures.ts'
import { recordShownScreens } from './shown.ts'

test('a signed-out visitor of a conversation sees only the login, and returns to the conversation after the sign-in', async ({
  harness,
  page,
  person,
}) => {
  await page.addInitScript(recordShownScreens)
  await page.goto(`/${person.primary_user_id}`)
  await expect(page).toHaveURL('/login')
  await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
  expect(await page.evaluate(() => [...window.shown])).toEqual(['login'])

  await page.getByLabel('Email').fill('agent@example.com')
  await page.getByLabel('Password', { exact: true }).fill('not the password')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByRole('alert')).toHaveText('Invalid email or password. Please try again.')
  await expect(harness.list).toBeHidden()
})

test('a signed-in visitor of the login sees only the inbox', async ({ harness, page }) => {
  await harness.signIn()
  await page.addInitScript(recordShownScreens)
  await page.goto('/login')
  await expect(page).toHaveURL('/')
  await expect(harness.list).toBeVisible()
  expect(await page.evaluate(() => [...window.shown])).toEqual(['inbox'])
})

test('signing out in one tab signs out the other tab', async ({ context, harness, page }) => {
  await harness.signIn()
  const other = await context.newPage()
  await other.goto('/')
  await expect(other.getByRole('listbox', { name: 'Conversations' })).toBeVisible()
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page).toHaveURL('/login')
  await expect(other).toHaveURL('/login')
  expect(await page.evaluate(() => Object.values(localStorage).join())).not.toContain('eyJ')
})
