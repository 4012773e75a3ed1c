import type { Page } from '@playwright/test'
import { demoStaff } from '../../server/stand-ins/supabase/demo-staff.ts'
import { rowIdOf } from '../../src/domain/list/conversation-row.ts'
import { providerSessionOf, tokenPairOf } from './api.ts'
import { expect, test } from './fixtures.ts'
import { inAll } from './harness.ts'
import { keptIn } from './kept-in-browser.ts'
import { look, screenshot } from './look.ts'
import { postWebhook, webhookBody } from './network.ts'

const savedList = 'Showing saved conversations…'
const savedThread = 'Showing saved messages…'

/** Holds back every answer of the API until `release` is called. */
async function holdAnswers(page: Page) {
  const held = Promise.withResolvers<void>()
  let answers = 0
  await page.route('**/api/**', async (route) => {
    await held.promise
    answers += 1
    await route.fallback()
  })
  return { release: held.resolve, answered: () => answers }
}

/** Holds back the code of the inbox until `release` is called. */
async function holdCode(page: Page) {
  const held = Promise.withResolvers<void>()
  await page.route('**/assets/inbox-*', async (route) => {
    await held.promise
    await route.fallback()
  })
  return { release: held.resolve }
}

test('a second start paints list and thread from this browser before its code and any answer, then shows what changed', async ({
  harness,
  page,
  person,
  server,
  unique,
}) => {
  const before = unique('Before the reload')
  await harness.signIn()
  await harness.open(person)
  await harness.isLive()
  await postWebhook(server, webhookBody(person, before))
  await expect(harness.bubbles(before)).toHaveCount(1)
  for (const field of ['message_text', 'last_message_text'])
    await expect.poll(() => keptIn(page)).toContain(`"${field}":"${before}"`)
  // The row of the open thread is saved before the list contains it, if the person was not on the first result page.
  const savedRows = async () => /"ids":\[(.*?)\]/.exec(await keptIn(page))?.[1]
  await expect.poll(savedRows).toContain(`"${rowIdOf(person)}"`)
  expect(await keptIn(page)).not.toMatch(/eyJ/)

  await page.goto('about:blank')
  await page.clock.install()
  const meanwhile = unique('Written meanwhile')
  await postWebhook(server, webhookBody(person, meanwhile))
  const { release, answered } = await holdAnswers(page)
  const code = await holdCode(page)
  await page.goto(`/${person.primary_user_id}${inAll}`)
  const drawn = page.locator('[data-saved-screen]')
  for (const text of [savedList, savedThread]) await expect(drawn.getByText(text)).toBeVisible()
  await expect(drawn.locator('article').filter({ hasText: before })).toBeVisible()
  await expect(drawn.locator('[role=option]').filter({ hasText: before })).toBeVisible()
  code.release()
  await expect(drawn).toHaveCount(0)
  await expect(harness.bubbles(before)).toBeVisible()
  await expect(harness.row(before)).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: savedList })).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: savedThread })).toBeVisible()
  await expect(harness.list).toHaveAttribute('aria-busy', 'true')
  // Nothing goes out by what was saved: it waits for the look-ups.
  await page.clock.fastForward(3_000)
  await expect(harness.bubbles(meanwhile)).toHaveCount(0)
  await expect(harness.live).toBeHidden()
  expect(answered()).toBe(0)

  release()
  await expect(harness.bubbles(meanwhile)).toHaveCount(1)
  await expect(harness.bubbles(before)).toHaveCount(1)
  await expect(harness.row(meanwhile)).toBeVisible()
  await expect(page.getByText(savedList)).toHaveCount(0)
  await expect(page.getByText(savedThread)).toHaveCount(0)
  await harness.isLive()
})

test('signing out deletes what the browser saved, also out of a saved inbox, which is accessible before any answer', async ({
  harness,
  page,
  person,
  unique,
  server,
}) => {
  const text = unique('To be deleted')
  await harness.signInAt(person)
  await harness.isLive()
  await postWebhook(server, webhookBody(person, text))
  await expect.poll(() => keptIn(page)).toContain(text)

  await holdAnswers(page)
  await page.reload()
  await expect(harness.bubbles(text)).toBeVisible()
  await expect(page.getByText(savedList)).toBeVisible()
  await look(page, 'saved-thread')
  await page.goto(`/${inAll}`)
  await expect(page.getByText(savedList)).toBeVisible()
  await screenshot(page, 'saved-list')
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('button', { name: 'Clear this device' }).click()
  await expect(page.getByRole('dialog', { name: 'Clear this device?' })).toBeVisible()
  await look(page, 'clear-device')
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog', { name: 'Clear this device?' })).toBeHidden()
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByRole('form', { name: 'Sign in' })).toBeVisible()
  await expect(page.getByText(text)).toHaveCount(0)
  await expect.poll(() => keptIn(page)).not.toContain('message')
})

test("another person's stored session shows nothing of the first, and deletes it", async ({
  harness,
  page,
  person,
  server,
  unique,
}) => {
  const [, , viewer] = demoStaff
  const text = unique('Not for the other')
  await harness.signInAt(person)
  await harness.isLive()
  await postWebhook(server, webhookBody(person, text))
  await expect.poll(() => keptIn(page)).toContain(text)

  const session = await providerSessionOf(server, viewer)
  const pair = await tokenPairOf(server, viewer)
  await page.goto('/icon.svg')
  await page.evaluate(
    ({ session, token, refreshToken }) => {
      localStorage.setItem('supabase.auth.token', JSON.stringify(session))
      localStorage.setItem('refreshToken', refreshToken)
      localStorage.setItem('tokenTimestamp', String(Date.now()))
      localStorage.setItem('token', token)
    },
    { session, ...pair },
  )
  const { release } = await holdAnswers(page)
  await page.goto('/')
  await expect(page.getByText('Loading…')).toBeVisible()
  await expect.poll(() => keptIn(page)).not.toContain('message')
  await expect(harness.list).toHaveCount(0)
  release()
  await expect(harness.list).toBeVisible()
})

test('nothing is saved on a shared computer', async ({ harness, page, person }) => {
  const [, agent] = demoStaff
  await page.clock.install()
  await page.goto('/login')
  await page.getByLabel(/^This is a shared computer/).check()
  await page.getByLabel('Email').fill(agent.email)
  await page.getByLabel('Password', { exact: true }).fill(agent.password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await expect(harness.list).toBeVisible()
  await harness.navigateTo(person)
  await harness.isLive()
  await page.clock.fastForward(4_000)
  expect(await keptIn(page)).not.toContain('message')
})
