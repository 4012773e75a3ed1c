import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { look, screenshot } from './look.ts'

/** Simulates a server where unknown users must set a new password. */
async function migrating(page: Page, signUp: { status: number; json: object }) {
  await page.route('**/api/auth/check-migration', (route) =>
    route.fulfill({ json: { success: true, data: { needsMigration: true } } }),
  )
  await page.route('**/auth/v1/signup*', (route) =>
    route.fulfill({ ...signUp, headers: { 'x-supabase-api-version': '2024-01-01' } }),
  )
}

const provided = {
  access_token: 'a.b.c',
  refresh_token: 'r',
  token_type: 'bearer',
  expires_in: 3_600,
  expires_at: Math.floor(Date.now() / 1_000) + 3_600,
  user: { id: 'p1', email: 'maria@example.com', identities: [{ id: 'i1' }] },
}

const signIn = async (page: Page) => {
  await page.goto('/login')
  await page.getByLabel('Email').fill('maria@example.com')
  await page.getByLabel('Password', { exact: true }).fill('the old password')
  await page.getByRole('button', { name: 'Sign in' }).click()
}
const choose = async (page: Page, password: string, repeated = password) => {
  await page.getByLabel('New password', { exact: true }).fill(password)
  await page.getByLabel('Repeat new password').fill(repeated)
  await page.getByRole('button', { name: 'Set password and sign in' }).click()
}

test('the login with missing fields and with a rejected password', async ({ page }) => {
  await page.goto('/login')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page.getByText('Enter your email.')).toBeVisible()
  await look(page, 'login-missing')
  await page.route('**/auth/v1/token*', (route) => route.abort())
  await signIn(page)
  await expect(page.getByRole('alert')).toHaveText('Network error. Please check your connection.')
  await expect(page.getByLabel('Email')).toHaveValue('maria@example.com')
  await look(page, 'login-refused')
})

test('the dialog for a new password in all steps', async ({ page }) => {
  await migrating(page, { status: 200, json: provided })
  await signIn(page)
  const dialog = page.getByRole('dialog', { name: 'Set a new password' })
  await expect(page.getByLabel('New password', { exact: true })).toBeFocused()
  await look(page, 'migration')
  await choose(page, 'mangoes and rice', 'mangoes')
  await expect(dialog.getByText('The two passwords are not the same.')).toBeVisible()
  await look(page, 'migration-typed')
  await page.route('**/api/auth/complete-migration', (route) => route.abort())
  await choose(page, 'mangoes and rice')
  await expect(page.getByRole('button', { name: 'Try again' })).toBeFocused()
  await look(page, 'migration-interrupted')
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('alert')).toHaveText('Please set a new password to continue')
  expect(await page.evaluate(() => ({ ...localStorage }))).toEqual({})
})

test('the dialog for a new password after a wrong old password', async ({ page }) => {
  await migrating(page, { status: 200, json: provided })
  await signIn(page)
  await page.route('**/api/auth/complete-migration', (route) =>
    route.fulfill({
      status: 403,
      json: { success: false, error: 'Migration failed', code: 'WRONG_PASSWORD' },
    }),
  )
  await choose(page, 'mangoes and rice')
  await expect(page.getByRole('dialog').getByText('Migration failed')).toBeVisible()
  await look(page, 'migration-refused')
})

test('the account menu, and the end of a session', async ({ context, harness, page }) => {
  await harness.signIn()
  await harness.isLive()
  await page.getByRole('button', { name: /^Account/ }).click()
  await look(page, 'account-menu')
  await page.keyboard.press('Escape')
  // Excludes the regular calls, which could end the session before the button is pressed.
  await context.route(/\/api\/(auth|facebook\/conversations)/, (route) =>
    route.fulfill({ status: 401, json: { success: false, error: 'Invalid or expired token' } }),
  )
  await page.getByRole('button', { name: 'Refresh conversations' }).click()
  const toast = page.getByRole('listitem').filter({ hasText: 'Session expired. Please log in again.' })
  await expect(toast).toHaveCSS('opacity', '1')
  await screenshot(page, 'session-expired')
})
