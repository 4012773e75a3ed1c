import type { BrowserContext, Page } from '@playwright/test'
import { demoStaff } from '../../server/stand-ins/supabase/demo-staff.ts'
import { claimsOf } from '../../src/domain/session/access-token.ts'
import { providerSessionOf, tokenPairOf } from './api.ts'
import { expect, test } from './fixtures.ts'
import { Harness, inAll } from './harness.ts'
import { recordShownScreens } from './shown.ts'

const expired = 'Session expired. Please log in again.'
const refreshPath = '**/api/auth/refresh'
const login = (page: Page) => page.getByRole('form', { name: 'Sign in' })

async function openSecond(context: BrowserContext): Promise<Harness> {
  const other = new Harness(await context.newPage())
  await other.page.goto(`/${inAll}`)
  await expect(other.list).toBeVisible()
  return other
}

const tokenIn = (page: Page) => page.evaluate(() => localStorage.getItem('token'))
const refreshList = (harness: Harness) => harness.page.getByRole('button', { name: 'Refresh conversations' }).click()

/** Has the server reject this access token, and accept each refresh token only once. */
async function endTokens(context: BrowserContext, token: string | null) {
  const spent: string[] = []
  const refused: string[] = []
  await context.route('**/api/facebook/**', async (route) => {
    if (route.request().headers()['authorization'] !== `Bearer ${token}`) return route.fallback()
    refused.push(new URL(route.request().url()).pathname)
    await route.fulfill({ status: 401, json: { success: false, error: 'Invalid or expired token' } })
  })
  await context.route(refreshPath, async (route) => {
    const { refreshToken } = route.request().postDataJSON()
    if (spent.includes(refreshToken)) {
      await route.fulfill({ status: 401, json: { success: false, error: 'Invalid or expired refresh token' } })
      return
    }
    spent.push(refreshToken)
    await route.fallback()
  })
  return { spent, refused }
}

test('two tabs stay signed in with a single refresh when the server accepts a refresh token once', async ({
  context,
  harness,
  page,
}) => {
  await harness.signIn()
  const other = await openSecond(context)
  // The second tab's start stores a token of its own.
  await other.isLive()
  const before = (await tokenIn(other.page)) ?? ''
  await expect.poll(() => tokenIn(page)).toBe(before)
  // Within one second, the server would issue the same token again.
  await expect.poll(() => Date.now()).toBeGreaterThan(((claimsOf(before)?.issuedAt ?? 0) + 1) * 1_000)
  const { spent, refused } = await endTokens(context, before)
  await Promise.all([refreshList(harness), refreshList(other)])
  await expect.poll(() => tokenIn(page)).not.toBe(before)
  await expect.poll(() => refused.length).toBeGreaterThanOrEqual(2)
  const fresh = await tokenIn(page)
  for (const tab of [harness, other]) {
    const response = tab.page.waitForResponse(
      (answer) => answer.url().includes('/api/facebook/conversations') && answer.ok(),
    )
    await refreshList(tab)
    expect((await response).request().headers()['authorization']).toBe(`Bearer ${fresh}`)
    await expect(tab.list).toBeVisible()
    await expect(tab.page.getByText(expired)).toBeHidden()
  }
  expect(spent.length).toBe(1)
})

test('a rejected refresh ends the session with one toast, and the next sign-in returns to the same conversation', async ({
  context,
  harness,
  page,
  person,
}) => {
  await harness.signInAt(person)
  await endTokens(context, await tokenIn(page))
  await context.route(refreshPath, (route) =>
    route.fulfill({ status: 401, json: { success: false, error: 'Invalid or expired refresh token' } }),
  )
  // An earlier call may be rejected first, and remove the button before it is pressed.
  await Promise.race([refreshList(harness), page.waitForURL('**/login')])
  await expect(page).toHaveURL('/login')
  await expect(page.getByText(expired)).toHaveCount(1)
  await expect(login(page)).toBeVisible()
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => /token/i.test(key)))).toEqual([])

  await context.unrouteAll()
  const [, { email, password }] = demoStaff
  await page.getByLabel('Email').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(page).toHaveURL(`/${person.primary_user_id}${inAll}`)
})

test('a session survives two minutes offline while its token expires', async ({ context, harness, page }) => {
  await page.clock.install()
  await harness.signIn()
  const before = await tokenIn(page)
  const refreshes: number[] = []
  page.on('response', (answer) => {
    if (answer.url().endsWith('/api/auth/refresh')) refreshes.push(answer.status())
  })

  await page.clock.fastForward('09:30')
  await context.setOffline(true)
  await page.clock.fastForward('01:00')
  await refreshList(harness)
  await page.clock.runFor('02:00')
  await expect(harness.list).toBeVisible()
  expect([await tokenIn(page), refreshes]).toEqual([before, []])

  await context.setOffline(false)
  await refreshList(harness)
  await expect.poll(() => tokenIn(page)).not.toBe(before)
  await expect(harness.list).toBeVisible()
  await expect(page).toHaveURL(`/${inAll}`)
  await expect(page.getByText(expired)).toBeHidden()
  expect(refreshes).toEqual([200])
})

test('the account menu shows email and role and signs out by keyboard, which removes drafts, and the back button does not show the inbox', async ({
  harness,
  page,
  person,
  unique,
}) => {
  const [, agent] = demoStaff
  await harness.signIn(agent.role)
  // A load, so that there is a page to go back to.
  await harness.open(person)
  const draft = unique('Left behind')
  const stored = () => page.evaluate(() => Object.values(localStorage).join())
  await harness.composer.fill(draft)
  await expect.poll(stored).toContain(draft)
  const secret = await harness.thread.getByRole('heading').first().innerText()
  const account = page.getByRole('button', { name: `Account: ${agent.name}` })
  await account.press('Enter')
  const out = page.getByRole('button', { name: 'Sign out' })
  await expect(out).toBeVisible()
  await expect(page.getByText(agent.email)).toBeVisible()
  await expect(page.getByText(agent.role, { exact: true })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(out).toBeHidden()
  await expect(account).toBeFocused()
  await page.keyboard.press('Enter')
  await out.press('Enter')
  await expect(login(page)).toBeVisible()
  expect(await stored()).not.toMatch(/eyJ|Left behind/)
  await page.addInitScript(recordShownScreens)
  for (const step of ['goBack', 'goForward'] as const) {
    await page[step]()
    await expect(login(page)).toBeVisible()
    await expect(page).toHaveURL('/login')
    await expect(page.getByText(secret)).toHaveCount(0)
    expect(await page.evaluate(() => [...window.shown])).toEqual(['login'])
  }
})

test('a sign-in of another user in another tab replaces the user of this tab and clears its drafts', async ({
  context,
  harness,
  page,
  person,
  server,
  unique,
}) => {
  const [, agent, viewer] = demoStaff
  await harness.signInAt(person, agent.role)
  const draft = unique('Private draft')
  await harness.composer.fill(draft)
  const other = await openSecond(context)
  const provider = await providerSessionOf(server, viewer)
  const pair = await tokenPairOf(server, viewer)
  await other.page.evaluate(
    ({ session, token, refreshToken }) => {
      localStorage.setItem('supabase.auth.token', JSON.stringify(session))
      localStorage.setItem('refreshToken', refreshToken)
      localStorage.setItem('tokenTimestamp', String(Date.now()))
      localStorage.setItem('token', token)
    },
    { session: provider, ...pair },
  )
  await expect(page.getByRole('button', { name: `Account: ${viewer.name}` })).toBeAttached()
  await expect(harness.thread).toBeVisible()
  await expect(harness.thread).toContainText('You can read this conversation.')
  expect(await page.content()).not.toContain(draft)
})
