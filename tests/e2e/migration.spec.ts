import type { Page } from '@playwright/test'
import { demoLegacyStaff, demoStaff } from '../../server/stand-ins/supabase/demo-staff.ts'
import { expect, test } from './fixtures.ts'

const [legacy, excused, inactive] = demoLegacyStaff
const newPassword = 'mangoes, rice and coffee'
const alert = (page: Page) => page.getByRole('alert').filter({ hasText: /\S/ })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Set a new password' })
const inbox = (page: Page) => page.getByRole('listbox', { name: 'Conversations' })
const account = (page: Page, name: string) => page.getByRole('button', { name: `Account: ${name}` })

async function signIn(page: Page, email: string, password: string) {
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

async function choose(page: Page, password: string) {
  await page.getByLabel('New password', { exact: true }).fill(password)
  await page.getByLabel('Repeat new password').fill(password)
  await page.getByRole('button', { name: 'Set password and sign in' }).click()
}

async function signOut(page: Page) {
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('form', { name: 'Sign in' })).toBeVisible()
}

/** Asserts that no typed password is in the storage, the URL or the document. */
async function expectNoPassword(page: Page) {
  const stored = await page.evaluate(() => Object.values({ ...localStorage, ...sessionStorage }).join())
  for (const secret of [legacy.password, newPassword]) {
    expect(stored + page.url() + (await page.content())).not.toContain(secret)
  }
}

test('legacy staff migrate to a new password', async ({ page }) => {
  const notInUse = 'Your new password is not in use yet. Sign in with the old one to finish setting it.'
  await test.step('only the old password migrates', async () => {
    await page.goto('/login')
    await signIn(page, legacy.email, 'a guess at the old one')
    await choose(page, 'a password of a stranger')
    await expect(dialog(page).getByRole('alert')).toHaveText(
      'Migration failedYour old password was not correct. Press Cancel and sign in again.',
    )
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect(dialog(page)).toBeHidden()
    await signIn(page, legacy.email, 'a password of a stranger')
    await expect(alert(page)).toHaveText(notInUse)
  })

  await test.step('an interruption after the sign-up leaves nobody signed in', async () => {
    await signIn(page, legacy.email, legacy.password)
    await expect(dialog(page)).toBeVisible()
    await page.route('**/api/auth/complete-migration', (route) => route.abort())
    await choose(page, newPassword)
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
    await expect(alert(page)).toHaveText('Network error. Please check your connection.')
    await page.reload()
    await expect(alert(page)).toHaveText(notInUse)
    await expect(inbox(page)).toBeHidden()
    expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => /token/i.test(key)))).toEqual([])
  })

  await test.step('a second attempt continues the interrupted migration', async () => {
    await page.unrouteAll()
    const signUp = page.waitForResponse('**/auth/v1/signup*')
    await signIn(page, legacy.email, legacy.password)
    await choose(page, newPassword)
    expect((await (await signUp).json()).code).toBe('user_already_exists')
    await expect(inbox(page)).toBeVisible()
    await expect(account(page, legacy.name)).toBeAttached()
    await expect(page.getByRole('status').filter({ hasText: 'Connection: Live' })).toBeVisible({ timeout: 30_000 })
    await expectNoPassword(page)
  })

  await test.step('the new password signs in afterwards, and the old one does not', async () => {
    await signOut(page)
    await signIn(page, legacy.email, legacy.password)
    await expect(alert(page)).toHaveText(
      "Please use the new login system. If you haven't received a confirmation email, try resetting your password.",
    )
    await signIn(page, legacy.email, newPassword)
    await expect(account(page, legacy.name)).toBeAttached()
  })
})

test('the legacy login lets in who need not migrate: Offline, for the provider knows no session, and polled', async ({
  page,
  harness,
  sandbox,
  person,
  unique,
}) => {
  await page.clock.install()
  await page.goto('/login')
  await signIn(page, excused.email, excused.password)
  await expect(account(page, excused.name)).toBeAttached()
  await expect(page.getByRole('status').filter({ hasText: 'Connection: Offline' })).toBeVisible()
  expect(await page.evaluate(() => Object.keys(localStorage).sort())).toEqual(
    expect.arrayContaining(['refreshToken', 'token', 'tokenTimestamp']),
  )
  expect(await page.evaluate(() => localStorage.getItem('supabase.auth.token'))).toBeNull()

  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'All' }).click()
  const text = unique('Are you there?')
  await sandbox.write(person.psid ?? '', text)
  // The server may store the message after a poll, so later polls count too.
  await expect(async () => {
    await page.clock.runFor('00:35')
    await expect(harness.row(text)).toBeVisible({ timeout: 1000 })
  }).toPass({ timeout: 20_000 })
  await expect(page.getByRole('status').filter({ hasText: 'Connection: Offline' })).toBeVisible()

  await page.reload()
  await expect(account(page, excused.name)).toBeAttached()
  await signOut(page)
})

test('an inactive account is told so, and a wrong password is a wrong password for everybody', async ({ page }) => {
  await page.goto('/login')
  await signIn(page, inactive.email, inactive.password)
  await expect(alert(page)).toHaveText('Your account is inactive. Please contact an administrator.')
  for (const email of [inactive.email, excused.email, demoStaff[1].email, 'nobody@example.com']) {
    await signIn(page, email, 'not the password')
    await expect(alert(page)).toHaveText('Invalid email or password. Please try again.')
    await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
  }
})

test('where storage is blocked the session lives in this tab, and a notice says so', async ({ page, harness }) => {
  await page.addInitScript(() => {
    const blocked = () => {
      throw new DOMException('The operation is insecure.', 'SecurityError')
    }
    Object.defineProperty(window, 'localStorage', { get: blocked })
  })
  await page.goto('/login')
  await expect(
    page.getByText('This browser cannot keep you signed in. After you close this tab, you will have to sign in again.'),
  ).toBeVisible()
  await signIn(page, demoStaff[1].email, demoStaff[1].password)
  await expect(inbox(page)).toBeVisible()
  await harness.isLive()
  await signOut(page)
  await page.goto('/')
  await expect(page).toHaveURL('/login')
})
