import type { Browser, Locator, Page } from '@playwright/test'
import { demoStaff } from '../../server/stand-ins/supabase/demo-staff.ts'
import { nameOf } from '../../src/domain/list/conversation-text.ts'
import { createdApiKeyAnswer } from '../../src/schemas/api-key.ts'
import { tokenPairOf } from './api.ts'
import { expect, test } from './fixtures.ts'
import { type Harness, openBrowser } from './harness.ts'
import { isAccessible, look, screenshot } from './look.ts'
import type { TestServer } from './server.ts'

/** Chooses a view of the rail. */
const choose = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name }).click()

/** A second member of staff in a browser of their own. */
async function openColleague(browser: Browser, baseURL: string | undefined): Promise<Harness> {
  const colleague = await openBrowser(browser, baseURL)
  await colleague.signIn('administrator')
  return colleague
}

/** Moves the mouse out of the list, which holds still under it. */
const leaveList = async (...pages: Page[]) => {
  for (const page of pages) await page.mouse.move(700, 10)
}

/** Resolves when the rows at the end are rendered. */
const scrollToEnd = (at: Harness) =>
  at.list.evaluate(async (list) => {
    list.parentElement?.scrollTo({ top: list.parentElement.scrollHeight })
    for (const _ of [1, 2]) await new Promise(requestAnimationFrame)
  })

/** Does something at the row under the pointer. */
async function actAt(page: Page, row: Locator, action: string): Promise<void> {
  await row.hover()
  await page
    .getByRole('group', { name: /^Actions for/ })
    .getByRole('button', { name: action })
    .click()
  await leaveList(page)
}

test('two people see who waits, and what ends a wait, on both screens', async ({
  baseURL,
  browser,
  createPerson,
  harness,
  page,
  sandbox,
  unique,
}) => {
  const colleague = await openColleague(browser, baseURL)
  await harness.signIn()
  for (const person of [harness, colleague]) {
    await choose(person.page, 'Waiting')
    await person.isLive()
    await leaveList(person.page)
  }
  const person = await createPerson('Wena', unique('Waiting').replace(' ', ''), [{ wrote: 'Magkano po?' }])
  const rowOf = (at: Harness) => at.row(nameOf(person))
  // Who wrote last stands at the end of Waiting. Only rows in view are rendered.
  const countAt = async (at: Harness) => {
    await scrollToEnd(at)
    return rowOf(at).count()
  }
  const bothShow = async (isShown: boolean) => {
    for (const at of [harness, colleague])
      await expect.poll(() => countAt(at), { timeout: 15_000 }).toBe(isShown ? 1 : 0)
  }
  await bothShow(true)
  // The network knows only what was written through it.
  await sandbox.write(person.psid, 'Magkano po ang 50?')

  // Opening marks as read, and does not end the wait.
  await rowOf(harness).click()
  await expect(harness.composer).toBeEditable()
  await leaveList(page)
  await expect(rowOf(harness)).toHaveAttribute('aria-selected', 'true')
  await bothShow(true)

  await harness.answer('Opo, 200 po')
  await expect(harness.bubbles('Opo, 200 po')).toHaveCount(1)
  await leaveList(page, colleague.page)
  await bothShow(false)

  await sandbox.write(person.psid, 'Sige po, kukuha ako')
  await bothShow(true)

  // Done by one leaves the list of the other, and the customer brings it back.
  await actAt(colleague.page, rowOf(colleague), 'Done')
  await bothShow(false)
  await sandbox.write(person.psid, 'May tanong pa po')
  await bothShow(true)

  // Undo restores the conversation for both.
  await actAt(page, rowOf(harness), 'Done')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('is open again')).toBeVisible()
  await leaveList(page)
  await bothShow(true)

  // Snoozed until they write: out of Waiting, in Snoozed, and back with their message.
  await rowOf(colleague).hover()
  await colleague.page
    .getByRole('group', { name: /^Actions for/ })
    .getByRole('button', { name: 'Snooze' })
    .click()
  await colleague.page.getByRole('button', { name: 'Until they write' }).click()
  await leaveList(colleague.page)
  await bothShow(false)
  await choose(page, 'Snoozed')
  await expect(rowOf(harness)).toHaveCount(1)
  await sandbox.write(person.psid, 'Nandito na po ako')
  await expect(rowOf(harness)).toHaveCount(0)
  await choose(page, 'Waiting')
  await leaveList(page)
  await bothShow(true)

  // Assigned to the colleague: theirs in Mine, with the face on both screens.
  await rowOf(harness).click()
  await page.keyboard.press('a')
  const dialog = page.getByRole('dialog', { name: 'Assign' })
  await dialog.getByRole('button', { name: /\(you\)/ }).click()
  await choose(page, 'Mine')
  await expect(rowOf(harness)).toHaveCount(1)
  await expect(rowOf(colleague)).toContainText('Assigned to')

  // Muted: in no view but All, until the undo.
  await choose(page, 'Waiting')
  await leaveList(page)
  await page.getByRole('button', { name: 'More about this conversation' }).click()
  await page.getByRole('button', { name: 'Mute', exact: true }).click()
  await bothShow(false)
  await page.keyboard.press('z')
  await bothShow(true)

  // Marked as unread: back in the list, bold for both.
  await page.keyboard.press('Shift+U')
  await expect(harness.thread.getByText('Select a conversation')).toBeVisible()
  for (const at of [harness, colleague]) await expect(rowOf(at)).toContainText('unread')
  await colleague.page.context().close()
})

test('the list holds still under the mouse, and a pill takes the new rows in', async ({
  createPerson,
  harness,
  page,
  unique,
}) => {
  const name = () => unique('Hold').replace(' ', '')
  const first = await createPerson('Una', name(), [{ wrote: 'Una po' }])
  await harness.signIn()
  await choose(page, 'Waiting')
  await harness.isLive()
  await expect(async () => {
    await scrollToEnd(harness)
    await harness.row(nameOf(first)).hover({ timeout: 1_000 })
  }).toPass()
  const second = await createPerson('Dalawa', name(), [{ wrote: 'Ako rin po' }])
  const pill = page.getByRole('button', { name: /new or moved/ })
  await expect(pill).toBeVisible()
  await expect(harness.row(nameOf(second))).toHaveCount(0)
  await pill.click()
  await scrollToEnd(harness)
  await expect(harness.row(nameOf(second))).toBeVisible()
  await expect(pill).toBeHidden()
})

/** Sends rows to the API for other programs, with a new key. */
async function otherProgram(server: TestServer, name: string): Promise<(rows: object) => Promise<void>> {
  const post = async (path: string, token: string, body: object) => {
    const answer = await fetch(`${server.url}/api${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    expect(answer.ok).toBe(true)
    return answer.json()
  }
  const { token } = await tokenPairOf(server, demoStaff[0])
  const scopes = ['clients.import', 'orders.import']
  const { data } = createdApiKeyAnswer.parse(await post('/api-keys', token, { name, scopes }))
  return async (rows) => void (await post('/import', data.secret, rows))
}

test('what a client owes stands in the row, follows the payments of another program, and orders Waiting', async ({
  api,
  createPerson,
  harness,
  page,
  server,
  unique,
}) => {
  test.slow()
  const hour = 3_600_000
  const send = await otherProgram(server, unique('Till'))
  const [code, number] = [unique('Due').replace(' ', ''), unique('SO')]
  const wrote = (hours: number) => [{ wrote: 'Magkano po?', at: Date.now() - hours * hour }]
  const first = await createPerson('Una', unique('Due').replace(' ', ''), wrote(20))
  const second = await createPerson('Ikalawa', unique('Due').replace(' ', ''), wrote(19))
  const created_at = '2026-01-05T12:00:00Z'
  const payment = (id: number, amount: number) => ({
    payments: [{ external_id: `${number}-${id}`, order: number, amount, status: 'approved', created_at }],
  })
  await send({ clients: [{ external_id: code, first_name: 'Ikalawa', last_name: code }] })
  const [client] = await api.clients(code)
  await api.link(second.fb_user_id, client?.id ?? '')

  await harness.signIn()
  await choose(page, 'Waiting')
  await harness.isLive()
  await leaveList(page)
  const [one, two] = [harness.row(nameOf(first)), harness.row(nameOf(second))]
  const isFirst = async () => {
    const [place, other] = [await one.getAttribute('aria-posinset'), await two.getAttribute('aria-posinset')]
    return Number(place) < Number(other)
  }
  await expect(two).toContainText('Linked')
  await expect(two).not.toContainText('due')
  await expect.poll(isFirst).toBe(true)

  // An order, and a payment, while nobody touches this screen.
  await send({
    orders: [
      {
        external_id: number,
        client: code,
        order_number: number,
        status: 'ready',
        total_amount: '12000.50',
        created_at,
      },
    ],
  })
  await expect(two).toContainText('₱12,000.50 due')
  await send(payment(1, 1000))
  await expect(two).toContainText('₱11,000.50 due')
  expect(await isFirst()).toBe(true)

  await page.getByRole('combobox', { name: 'Order' }).selectOption('Most urgent first')
  await leaveList(page)
  await expect.poll(isFirst).toBe(false)
  await expect(page).toHaveURL(/[?&]order=urgent/)
  await look(page, 'views-due')
  await page.reload()
  await harness.isLive()
  await leaveList(page)
  await expect(page.getByRole('combobox', { name: 'Order' })).toHaveValue('urgent')
  await expect.poll(isFirst).toBe(false)

  // What is paid is urgent no more.
  await send(payment(2, 11_000.5))
  await expect(two).not.toContainText('due')
  await expect(two).toContainText('Linked')
  await expect.poll(isFirst).toBe(true)

  await page.keyboard.press('Control+k')
  await page.keyboard.type('longest first')
  await page.keyboard.press('Enter')
  await expect(page).not.toHaveURL(/order=/)
  await expect(page.getByRole('combobox', { name: 'Order' })).toHaveValue('')
})

test('the views are accessible in both schemes at three widths', async ({ createPerson, harness, page, unique }) => {
  const hour = 3_600_000
  const ages = [22, 14, 3, 0.4]
  const people = []
  for (const [index, age] of ages.entries()) {
    const at = Date.now() - age * hour
    people.push(
      await createPerson(`Tao${index}`, unique('Look').replace(' ', ''), [{ wrote: 'Magkano po ang 50 pcs?', at }]),
    )
  }
  await harness.signIn()
  await choose(page, 'Waiting')
  await harness.isLive()
  await harness.row(nameOf(people[1] ?? (people[0] as never))).click()
  await page.keyboard.press('a')
  await page
    .getByRole('dialog', { name: 'Assign' })
    .getByRole('button', { name: /\(you\)/ })
    .click()
  await harness.row(nameOf(people[2] ?? (people[0] as never))).hover()
  // A toast that fades is hard to read.
  await expect(page.getByRole('button', { name: 'Undo' })).toBeHidden({ timeout: 15_000 })
  for (const width of [1440, 1024, 390]) {
    await page.setViewportSize({ width, height: 800 })
    await isAccessible(page)
  }
  await page.setViewportSize({ width: 1440, height: 900 })
  await screenshot(page, 'views-thread')
  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Waiting' }).click()
  await page.keyboard.press('s')
  await expect(page.getByRole('dialog', { name: 'Snooze' })).toBeVisible()
  await isAccessible(page)
  await screenshot(page, 'views-snooze')
  await page.keyboard.press('Escape')
  await page.goto('/')
  await harness.isLive()
  await harness.row(nameOf(people[2] ?? (people[0] as never))).hover()
  await screenshot(page, 'views')
})
