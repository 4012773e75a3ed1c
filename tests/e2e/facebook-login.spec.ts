import type { Page } from '@playwright/test'
import { furtherPages } from '../../server/stand-ins/sandbox/login.ts'
import { demoStaff } from '../../server/stand-ins/supabase/demo-staff.ts'
import { tokenPairOf } from './api.ts'
import { expect, test } from './fixtures.ts'
import { look } from './look.ts'

const title = 'Connect with Facebook'
const dialogOf = (page: Page) => page.getByRole('dialog', { name: title })
const connected = 'Lakbay Print Studio'

async function openLogin(page: Page) {
  await page.getByRole('banner').getByRole('button', { name: 'Manage pages', exact: true }).click()
  await page.getByRole('dialog', { name: 'Manage Facebook Pages' }).getByRole('button', { name: title }).click()
  await expect(dialogOf(page)).toBeVisible()
}
/** Presses the button that opens the network, and returns the window of the network. */
async function openNetwork(page: Page, button: string) {
  const opened = page.waitForEvent('popup')
  await dialogOf(page).getByRole('button', { name: button }).click()
  const popup = await opened
  await expect(popup.getByRole('heading', { name: 'Sandbox login' })).toBeVisible()
  return popup
}
async function choosePages(popup: Page, names: readonly string[]) {
  const pages = popup.getByRole('group', { name: 'Pages' })
  for (const box of await pages.getByRole('checkbox').all()) await box.uncheck()
  for (const name of names) await pages.getByRole('checkbox', { name }).check()
}

test.afterEach(async ({ server }) => {
  const { token } = await tokenPairOf(server, demoStaff.find(({ role }) => role === 'administrator') ?? demoStaff[0])
  const headers = { authorization: `Bearer ${token}` }
  for (const { page_id } of furtherPages) {
    await fetch(`${server.url}/api/facebook/pages/${page_id}`, { method: 'DELETE', headers })
  }
})

test('staff connect several pages by a login at the network, after they cancelled it once', async ({
  harness,
  page,
}) => {
  await harness.signIn('administrator')
  await openLogin(page)

  const cancelled = await openNetwork(page, 'Continue with Facebook')
  await expect(dialogOf(page).getByRole('status')).toContainText('Continue in the window of Facebook')
  await cancelled.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialogOf(page).getByRole('status')).toContainText('You cancelled at Facebook')
  await expect.poll(() => cancelled.isClosed()).toBe(true)

  const popup = await openNetwork(page, 'Start again')
  await choosePages(popup, [connected, ...furtherPages.map(({ name }) => name)])
  await popup.getByRole('button', { name: 'Continue' }).click()
  const offered = dialogOf(page).getByRole('listitem')
  await expect(offered).toHaveText([new RegExp(`${connected}.*Connected$`), /Ilaw Signage Quezon City/, /Merienda/])
  await expect(dialogOf(page).getByRole('checkbox', { name: connected })).toBeDisabled()
  await expect(offered.nth(1)).toContainText('Instagram: @ilaw.signage')
  await look(page, 'facebook-login-pages')
  expect(await page.content()).not.toContain('EAASandbox')

  await dialogOf(page).getByRole('button', { name: 'Connect 2 pages' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: '2 pages connected' })).toBeVisible()
  await expect(dialogOf(page)).toBeHidden()
  const manager = page.getByRole('dialog', { name: 'Manage Facebook Pages' })
  for (const { name } of furtherPages)
    await expect(manager.getByRole('listitem').filter({ hasText: name })).toBeVisible()
})

test('a return to one tab leaves the login of a second tab alone', async ({ harness, page, context }) => {
  await harness.signIn('administrator')
  await openLogin(page)
  const second = await context.newPage()
  await second.goto('/')
  await openLogin(second)
  await openNetwork(second, 'Continue with Facebook')
  const popup = await openNetwork(page, 'Continue with Facebook')
  await choosePages(popup, ['Merienda sa Kanto'])
  await popup.getByRole('button', { name: 'Continue' }).click()
  await expect(dialogOf(page).getByRole('listitem')).toHaveText([/Merienda/])
  await expect(dialogOf(second).getByRole('status')).toContainText('Continue in the window of Facebook')
})

test('a blocked window leaves a link, a withheld permission is named, and without the server nothing opens', async ({
  harness,
  page,
}) => {
  await harness.signIn('administrator')
  await openLogin(page)
  await page.route('**/api/facebook/logins', (route) => route.abort())
  const closed = page.waitForEvent('popup')
  await dialogOf(page).getByRole('button', { name: 'Continue with Facebook' }).click()
  const popup = await closed
  await expect(dialogOf(page).getByRole('status')).toContainText('The sign-in with Facebook did not work')
  await expect.poll(() => popup.isClosed()).toBe(true)
  await page.unroute('**/api/facebook/logins')

  await page.evaluate(() => {
    window.open = () => null
  })
  await dialogOf(page).getByRole('button', { name: 'Start again' }).click()
  await expect(dialogOf(page).getByRole('status')).toContainText('Your browser blocked the window')
  const opened = page.context().waitForEvent('page')
  await dialogOf(page).getByRole('link', { name: 'Open Facebook in a new tab' }).click()
  const tab = await opened
  await tab.getByRole('checkbox', { name: 'pages_messaging' }).uncheck()
  await tab.getByRole('button', { name: 'Continue' }).click()
  await expect(dialogOf(page).getByRole('status')).toContainText('The inbox needs every permission')
  await expect(page.getByRole('listitem').filter({ hasText: 'allow pages_messaging' })).toBeVisible()
})
