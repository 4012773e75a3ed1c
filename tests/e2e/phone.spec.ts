import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { inAll } from './harness.ts'
import { keptIn } from './kept-in-browser.ts'
import { toaster, toastsAreStill, violationsOf } from './look.ts'
import { psidOf } from './network.ts'

test.use({ viewport: { width: 390, height: 844 } })

const refusal = 'Access denied. You do not have permission to perform this action.'

/** The texts and controls that a toast covers by more than 2 px. */
const coveredByToasts = (page: Page) =>
  page.evaluate(() => {
    const isShown = (element: Element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    const toasts = [...document.querySelectorAll('[data-sonner-toast]')].filter(isShown)
    // A dialog covers everything else.
    const front = document.querySelector('[role="dialog"]') ?? document
    const read = 'button, a, input, select, textarea, h2, article, [role="option"], [role="status"]'
    const elements = [...front.querySelectorAll(read)].filter(
      (element) =>
        isShown(element) && element.closest('[data-sonner-toaster], header:has(h1) [role="status"]') === null,
    )
    return elements
      .filter((element) => {
        const under = element.getBoundingClientRect()
        // Of a scrolled region, what is scrolled out is not covered.
        const top = Math.max(under.top, element.closest('.scroller')?.getBoundingClientRect().top ?? 0)
        return toasts.some((toast) => {
          const over = toast.getBoundingClientRect()
          const width = Math.min(under.right, over.right) - Math.max(under.left, over.left)
          const height = Math.min(under.bottom, over.bottom) - Math.max(top, over.top)
          return width > 2 && height > 2
        })
      })
      .map((element) => element.outerHTML.slice(0, 120))
  })

test('toasts cover nothing that is read or pressed in list and thread', async ({
  harness,
  page,
  people,
  sandbox,
  unique,
}) => {
  const [first, second] = [people.shift(), people.shift()]
  if (!first || !second) throw new Error('There are not enough people in the sandbox')
  await page.clock.install()
  await harness.signIn('administrator')
  await harness.isLive()
  const toast = (text: string) => page.getByRole('listitem').filter({ hasText: text })
  const list = '**/api/facebook/conversations?**'
  for (const place of ['list', 'thread']) {
    // Looks the conversation up in the list's route if its row is not loaded.
    if (place === 'thread') await harness.navigateTo(first)
    await page.route(list, (route) => route.fulfill({ status: 403, json: { success: false } }))
    await sandbox.write(psidOf(second), unique('Sa iba'))
    await expect(toast('New message from')).toHaveCount(1)
    await page.getByRole('button', { name: 'Workspace', exact: true }).click()
    await page.getByRole('button', { name: 'Refresh', exact: true }).click()
    // The check of the list after the message is refused too.
    await expect(toast(refusal).first()).toBeVisible()
    await toastsAreStill(page)
    await page.screenshot({ path: `test-results/phone-${place}.png` })
    expect(await violationsOf(page, { within: toaster })).toEqual([])
    expect(await coveredByToasts(page)).toEqual([])
    await page.unroute(list)
    await page.clock.fastForward(20_000)
    await expect(toast(refusal)).toHaveCount(0)
  }
})

test('toasts cover nothing of an open dialog', async ({ harness, page, people, sandbox, unique }) => {
  const writer = people.shift()
  if (!writer) throw new Error('There are not enough people in the sandbox')
  await page.clock.install()
  await harness.signIn('administrator')
  await harness.isLive()
  const toast = page.getByRole('listitem').filter({ hasText: 'New message from' })
  for (const [name, width] of [
    ['FAQ Management', 390],
    ['Keyboard shortcuts', 620],
  ] as const) {
    await page.setViewportSize({ width, height: 844 })
    if (width === 390) {
      await page.getByRole('button', { name: 'Workspace', exact: true }).click()
      await page.getByRole('button', { name: 'Manage FAQ', exact: true }).click()
    } else await page.keyboard.press('?')
    await expect(page.getByRole('dialog', { name })).toBeVisible()
    await sandbox.write(psidOf(writer), unique('Sa harap ng dialog'))
    await expect(toast).toHaveCount(1)
    await toastsAreStill(page)
    await page.screenshot({ path: `test-results/phone-dialog-${width}.png` })
    expect(await coveredByToasts(page)).toEqual([])
    await page.clock.fastForward(20_000)
    await expect(toast).toHaveCount(0)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog', { name })).toBeHidden()
  }
})

test('the notice of saved conversations moves no row when it leaves', async ({ harness, page, person }) => {
  await harness.signInAt(person)
  await harness.isLive()
  await expect.poll(() => keptIn(page)).toContain(person.primary_user_id)
  const held = Promise.withResolvers<void>()
  await page.route('**/api/**', async (route) => {
    await held.promise
    await route.fallback()
  })
  await page.goto(`/${inAll}`)
  const notice = page.getByRole('status').filter({ hasText: 'Showing saved conversations…' })
  await expect(notice).toBeVisible()
  const top = async () => (await harness.list.getByRole('option').first().boundingBox())?.y
  const before = await top()
  await page.screenshot({ path: 'test-results/phone-saved.png' })
  held.resolve()
  await expect(notice).toBeHidden()
  await expect(page.getByRole('combobox', { name: 'Assignee' })).toBeVisible()
  expect(await top()).toBe(before)
})

test('above the keyboard, messages have 55 % of the screen and the tools open on demand', async ({
  context,
  createPerson,
  harness,
  page,
  person,
  multiPagePeople: [multiPagePerson],
  sandbox,
  unique,
}) => {
  if (!multiPagePerson) throw new Error('No person of the sandbox writes to several pages')
  await harness.signIn()
  await harness.isLive()
  await page.setViewportSize({ width: 390, height: 508 })
  const messages = harness.thread.getByRole('region', { name: 'Messages' })
  const share = async () => ((await messages.boundingBox())?.height ?? 0) / 508
  const header = page.getByRole('heading', { name: 'Inbox' })
  const tools = page.getByRole('button', { name: 'More tools' })
  const orders = page.getByRole('button', { name: 'Orders', exact: true })
  const tag = page.getByText('A reply leaves with the tag HUMAN_AGENT')
  const answers = page.getByRole('region', { name: 'Answers from the FAQ' })
  const hour = 60 * 60_000
  const asked = (hoursAgo: number) =>
    createPerson('Rita', unique('Kahapon').replace(' ', ''), [
      { wrote: 'Pwede po ba rush ang PVC ID?', at: Date.now() - hoursAgo * hour },
    ])
  const [late, tooLate] = [await asked(30), await asked(200)]
  // Opens the reply window.
  for (const opened of [person, multiPagePerson]) await sandbox.write(psidOf(opened), unique('Magkano po?'))
  for (const [name, conversation] of Object.entries({ person, late, tooLate, multiPagePerson })) {
    await harness.navigateTo(conversation)
    // An answer is offered only while it can be sent.
    if (conversation === late) await expect(answers).toBeVisible()
    if (conversation === tooLate) await expect(page.getByText('You cannot reply to Rita now')).toBeVisible()
    await expect(answers).toBeVisible({ visible: conversation === late })
    await expect.poll(share).toBeGreaterThan(0.55)
    await expect(tag).toBeHidden()
    await expect(orders).toBeHidden()
    await page.screenshot({ path: `test-results/phone-typing-${name}.png` })
  }
  await harness.navigateTo(late)
  await expect(tag).toBeHidden()
  await tools.click()
  await expect(tag).toBeVisible()
  await tools.click()
  await harness.navigateTo(multiPagePerson)
  await expect(page.getByLabel('Send from')).toHaveAccessibleDescription(/, where .* wrote last/)
  await expect(harness.thread.getByText('→')).toBeVisible()
  expect(await share()).toBeGreaterThan(0.55)
  await tools.click()
  await expect(orders).toBeVisible()
  await page.screenshot({ path: 'test-results/phone-tools.png' })
  await page.getByRole('button', { name: 'Note', exact: true }).click()
  await expect(page.getByRole('textbox', { name: 'Note' })).toBeFocused()
  expect(await share()).toBeGreaterThan(0.55)
  await page.screenshot({ path: 'test-results/phone-note.png' })
  await page.getByRole('button', { name: 'Reply', exact: true }).click()
  await tools.click()
  await expect(orders).toBeHidden()
  // A lost connection is never out of sight.
  await expect(header).toBeHidden()
  await context.setOffline(true)
  await expect(header).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: 'Offline' })).toBeVisible()
})
