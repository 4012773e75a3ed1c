import { expect, test } from './fixtures.ts'
import { noteWhatIsShown } from './shown.ts'

test('a guest who asks for a conversation sees the login alone, and is led there after', async ({
  harness,
  page,
  person,
}) => {
  await page.addInitScript(noteWhatIsShown)
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

test('a staff member who asks for the login sees the inbox alone', async ({ harness, page }) => {
  await harness.signIn()
  await page.addInitScript(noteWhatIsShown)
  await page.goto('/login')
  await expect(page).toHaveURL('/')
  await expect(harness.list).toBeVisible()
  expect(await page.evaluate(() => [...window.shown])).toEqual(['inbox'])
})

test('signing out in one tab signs the other out too', async ({ context, harness, page }) => {
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
