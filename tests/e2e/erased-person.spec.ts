import type { Page } from '@playwright/test'
import { demoStaff } from '../../server/stand-ins/supabase/demo-staff.ts'
import { tokenPairOf } from './api.ts'
import { expect, test } from './fixtures.ts'
import { Harness } from './harness.ts'
import { keptIn } from './kept-in-browser.ts'
import type { TestServer } from './server.ts'

/** All that the browser stores, as JSON. */
const storedIn = async (page: Page) =>
  `${await keptIn(page)} ${await page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]))}`

async function erase(server: TestServer, conversationId: string): Promise<void> {
  const [administrator] = demoStaff
  const { token } = await tokenPairOf(server, administrator)
  const answer = await fetch(`${server.url}/api/persons/${conversationId}/erase`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: '{}',
  })
  expect(answer.status).toBe(200)
}

test('an erased person leaves nothing in another open browser, nor in a closed one after its next start', async ({
  browser,
  createPerson,
  person,
  server,
  unique,
}) => {
  test.slow()
  const said = unique('My address is')
  const erased = await createPerson('Petra', unique('Reyes').replaceAll(' ', ''), [{ wrote: said }])
  const [unsent, draft, other] = [unique('Unsent'), unique('Draft'), unique('For another')]

  const signIn = async () => {
    const context = await browser.newContext({ baseURL: server.url })
    const harness = new Harness(await context.newPage())
    await harness.page.route('**/api/facebook/send-message', (route) => route.abort('connectionreset'))
    await harness.signInAt(erased)
    await harness.isLive()
    await harness.answer(unsent)
    await harness.composer.fill(draft)
    await expect(harness.bubbles(unsent)).toHaveCount(1)
    await harness.navigateTo(person)
    await harness.composer.fill(other)
    await harness.navigateTo(erased)
    await expect.poll(() => storedIn(harness.page)).toContain(said)
    return { context, harness }
  }
  const open = await signIn()
  const closed = await signIn()
  await closed.harness.page.close()

  await erase(server, erased.primary_user_id ?? '')
  const texts = (page: Page) => async () => {
    const stored = await storedIn(page)
    return [said, unsent, draft, other].filter((text) => stored.includes(text))
  }
  await expect(open.harness.bubbles(said)).toHaveCount(0, { timeout: 30_000 })
  await expect.poll(texts(open.harness.page), { timeout: 30_000 }).toEqual([other])
  await expect(open.harness.bubbles(unsent)).toHaveCount(0)

  const again = new Harness(await closed.context.newPage())
  await again.page.goto('/')
  await again.isLive()
  await expect.poll(texts(again.page), { timeout: 30_000 }).toEqual([other])
  await open.context.close()
  await closed.context.close()
})
