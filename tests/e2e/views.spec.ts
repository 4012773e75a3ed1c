import type { Page } from '@playwright/test'
import { demoStaff } from '../../server/stand-ins/supabase/demo-staff.ts'
import { nameOf } from '../../src/domain/list/conversation-text.ts'
import { createdApiKeyAnswer } from '../../src/schemas/api-key.ts'
import type { Conversation } from '../../src/schemas/conversation.ts'
import { tokenPairOf } from './api.ts'
import { expect, test } from './fixtures.ts'
import type { Harness } from './harness.ts'
import { isAccessible, look, screenshot } from './look.ts'
import type { TestServer } from './server.ts'

/** Resolves when the rows at the end are rendered. */
const scrollToEnd = (at: Harness) =>
  at.list.evaluate(async (list) => {
    list.parentElement?.scrollTo({ top: list.parentElement.scrollHeight })
    for (const _ of [1, 2]) await new Promise(requestAnimationFrame)
  })

/** The count that the rail shows for a view. */
const countOf = async (at: Harness, view: string) =>
  Number(/\d+/.exec(await at.views.getByRole('button', { name: view }).innerText())?.[0] ?? 0)

test('two people see who waits, what ends a wait, and the counts, on both screens, for merged conversations too', async ({
  ana,
  api,
  createPerson,
  harness,
  page,
  sandbox,
  unique,
}) => {
  test.slow()
  await harness.signIn()
  const family = unique('Waiting').replace(' ', '')
  const person = await createPerson('Wena', family, [{ wrote: 'Magkano po?' }])
  const both = [harness, ana]
  // Waiting is the first view.
  await ana.page.goto('/')
  await harness.chooseView('Waiting')
  for (const at of both) {
    await at.isLive()
    await expect(at.views.getByRole('button', { name: 'Waiting' })).toHaveAttribute('aria-current', 'true')
  }
  const rowOf = (at: Harness) => at.row(nameOf(person))
  // Who wrote last stands at the end of Waiting. Only rows in view are rendered.
  const shownAt = async (at: Harness) => {
    await scrollToEnd(at)
    return rowOf(at).count()
  }
  await Promise.all(both.map((at) => expect.poll(() => shownAt(at)).toBe(1)))
  const others = { Waiting: (await countOf(ana, 'Waiting')) - 1, Snoozed: await countOf(ana, 'Snoozed') }
  const bothShow = async (isShown: boolean) => {
    const shown = isShown ? 1 : 0
    await Promise.all(
      both.map((at) =>
        expect
          .poll(async () => [await shownAt(at), await countOf(at, 'Waiting')], { timeout: 15_000 })
          .toEqual([shown, others.Waiting + shown]),
      ),
    )
  }
  // The network knows only what was written through it.
  await sandbox.write(person.psid, 'Magkano po ang 50?')

  // Opening marks as read, and does not end the wait.
  await rowOf(harness).click()
  await expect(harness.composer).toBeEditable()
  await harness.leaveList()
  await expect(rowOf(harness)).toHaveAttribute('aria-selected', 'true')
  await bothShow(true)

  await harness.answer('Opo, 200 po')
  await expect(harness.bubbles('Opo, 200 po')).toHaveCount(1)
  await bothShow(false)

  // From here on the conversation is a merged one, and the customer writes in the other chat.
  const other = await createPerson('Weng', family, [{ wrote: 'Dito na lang po' }])
  await api.join(person.primary_user_id ?? '', other.primary_user_id ?? '')
  await bothShow(true)
  for (const at of both) await expect(at.row(nameOf(other))).toHaveCount(0)

  // Done by one leaves the list of the other, and the customer brings it back.
  await ana.actAt(rowOf(ana), 'Done')
  await bothShow(false)
  await expect(harness.thread.getByText(/^Done by Ana Reyes, /)).toBeVisible()
  await sandbox.write(other.psid, 'May tanong pa po')
  await bothShow(true)

  // Snoozed until they write: out of Waiting, in Snoozed, and back with their message.
  await ana.actAt(rowOf(ana), 'Snooze')
  await ana.page.getByRole('button', { name: 'Until they write' }).click()
  await bothShow(false)
  for (const at of both) await expect.poll(() => countOf(at, 'Snoozed')).toBe(others.Snoozed + 1)
  await harness.chooseView('Snoozed')
  await expect(rowOf(harness)).toHaveCount(1)
  await sandbox.write(other.psid, 'Nandito na po ako')
  await expect(rowOf(harness)).toHaveCount(0)
  await harness.chooseView('Waiting')
  await bothShow(true)
  for (const at of both) await expect.poll(() => countOf(at, 'Snoozed')).toBe(others.Snoozed)

  // Muted: no notice and in no view but All, until the undo.
  await rowOf(harness).click()
  await harness.leaveList()
  await page.getByRole('button', { name: 'More about this conversation' }).click()
  await page.getByRole('button', { name: 'Mute', exact: true }).click()
  await sandbox.write(other.psid, 'Spam po')
  const notices = (at: Harness) => at.page.getByRole('listitem').filter({ hasText: /New message|new messages/ })
  const heard = await createPerson('Rosa', unique('Heard').replace(' ', ''), [{ wrote: 'Hello po' }])
  others.Waiting += 1
  await Promise.all(
    both.map((at) => expect(notices(at).filter({ hasText: `New message from ${nameOf(heard)}` })).toBeVisible()),
  )
  for (const at of both) await expect(notices(at).filter({ hasText: 'Spam po' })).toHaveCount(0)
  await bothShow(false)
  await page.keyboard.press('z')
  await bothShow(true)

  // Marked as unread: back in the list, bold for both.
  const says = async (at: Harness) => ((await shownAt(at)) === 1 ? rowOf(at).innerText() : 'no row')
  for (const at of both) await expect.poll(() => says(at)).not.toMatch(/unread|no row/)
  await page.keyboard.press('Shift+U')
  await expect(harness.thread.getByText('Select a conversation')).toBeVisible()
  for (const at of both) await expect.poll(() => says(at)).toMatch(/unread/)

  // `u` opens who waits longest, for each of them.
  for (const at of both) {
    await at.list.evaluate((list) => list.parentElement?.scrollTo({ top: 0 }))
    const first = at.list.locator('[aria-posinset="1"]')
    await at.page.keyboard.press('u')
    await expect(first).toHaveAttribute('aria-selected', 'true')
  }
})

/** The rows of these people from top to bottom: their names and previews. */
const orderIn = async (at: Harness, people: readonly Conversation[]) =>
  (await at.list.getByRole('option').allInnerTexts()).flatMap(
    (text) => people.find((person) => text.includes(nameOf(person)))?.first_name ?? [],
  )

test('the order holds still under a mouse and a keyboard while a colleague and customers change it, and a press opens the row under it', async ({
  ana,
  createPerson,
  harness,
  page,
  sandbox,
  unique,
}) => {
  const family = unique('Hold').replace(' ', '')
  const una = await createPerson('Una', family, [{ wrote: 'Hello po' }])
  const dalawa = await createPerson('Dalawa', family, [{ wrote: 'Hello po' }])
  const tatlo = await createPerson('Tatlo', family, [{ wrote: 'Hello po' }])
  const people = [una, dalawa, tatlo]
  await harness.signIn()
  const both = [harness, ana]
  for (const at of both) {
    await at.chooseView('Unassigned')
    await at.isLive()
    await expect.poll(() => orderIn(at, people)).toEqual(['Tatlo', 'Dalawa', 'Una'])
  }
  const rowOf = (at: Harness, person: Conversation) => at.row(nameOf(person))
  const pill = (at: Harness, count: number) => at.page.getByRole('button', { name: `${count} new or moved` })

  // Paolo's mouse is over Dalawa, and Ana's keyboard focus is on Tatlo.
  await rowOf(harness, dalawa).hover()
  await ana.page.keyboard.press('j')
  const place = await rowOf(harness, dalawa).boundingBox()
  const holds = async () => {
    for (const at of both) expect(await orderIn(at, people)).toEqual(['Tatlo', 'Dalawa', 'Una'])
    expect(await rowOf(harness, dalawa).boundingBox()).toEqual(place)
  }

  // A message of Una and a new customer: the row changes at once, and nothing moves.
  await sandbox.write(una.psid, 'Ako ulit po')
  people.push(await createPerson('Apat', family, [{ wrote: 'Ako rin po' }]))
  for (const at of both) {
    await expect(rowOf(at, una)).toContainText('Ako ulit po')
    await expect(pill(at, 2)).toBeVisible()
  }
  await holds()

  // A press begins on Dalawa. Ana closes Tatlo above it, and Una writes, before it ends.
  await page.mouse.down()
  await ana.page.keyboard.press('e')
  for (const at of both) await expect(rowOf(at, tatlo)).toContainText('Done')
  await sandbox.write(una.psid, 'Nandiyan pa po ba?')
  for (const at of both) await expect(rowOf(at, una)).toContainText('Nandiyan pa po ba?')
  await holds()
  await page.mouse.up()
  await expect(harness.thread.getByRole('heading', { name: nameOf(dalawa) })).toBeVisible()
  await ana.page.keyboard.press('j')
  await ana.page.keyboard.press('Enter')
  await expect(ana.thread.getByRole('heading', { name: nameOf(dalawa) })).toBeVisible()
  await holds()

  // Ana presses the pill, and Paolo leaves the list.
  await pill(ana, 2).click()
  await harness.leaveList()
  for (const at of both) {
    await expect.poll(() => orderIn(at, people)).toEqual(['Una', 'Apat', 'Dalawa'])
    await expect(at.page.getByRole('button', { name: /new or moved/ })).toBeHidden()
  }
})

/** Stops the moves of rows at their beginning and records how long they are meant to take, by row. */
const recordMoves = (page: Page) =>
  page.evaluate(() => {
    const moves: Record<string, unknown> = {}
    const animate = Element.prototype.animate
    Element.prototype.animate = function (...of) {
      const animation = animate.apply(this, of)
      moves[this.id] = animation.effect?.getTiming().duration
      animation.pause()
      return animation
    }
    Object.assign(window, { moves })
  })
const movesOf = (page: Page) => page.evaluate(() => (window as unknown as { moves: Record<string, unknown> }).moves)
const finishMoves = (page: Page) =>
  page.evaluate(() => {
    for (const animation of document.getAnimations()) if (!(animation instanceof CSSAnimation)) animation.finish()
  })

test('every row that changes its place is moved there, for nobody who reduces motion, and a tap opens the row in which it began', async ({
  ana,
  createPerson,
  harness,
  page,
  sandbox,
  unique,
}) => {
  const family = unique('Galaw').replace(' ', '')
  const una = await createPerson('Una', family, [{ wrote: 'Hello po' }])
  const dalawa = await createPerson('Dalawa', family, [{ wrote: 'Hello po' }])
  const tatlo = await createPerson('Tatlo', family, [{ wrote: 'Hello po' }])
  const people = [una, dalawa, tatlo]
  // Ana's choice stays after a reload.
  await ana.page.getByRole('button', { name: /^Account/ }).click()
  await ana.page.getByRole('checkbox', { name: 'Reduce motion' }).check()
  await ana.page.reload()
  await harness.signIn()
  const both = [harness, ana]
  for (const at of both) {
    await at.chooseView('All')
    await at.isLive()
    await expect.poll(() => orderIn(at, people)).toEqual(['Tatlo', 'Dalawa', 'Una'])
    await recordMoves(at.page)
  }
  const topOf = async (at: Harness, person: Conversation) => (await at.row(nameOf(person)).boundingBox())?.y ?? 0
  const before = await topOf(harness, tatlo)

  // Una rises to the top, and the two above her go down: each of them begins where it was.
  await sandbox.write(una.psid, 'Ako ulit po')
  for (const at of both) await expect.poll(() => orderIn(at, people)).toEqual(['Una', 'Tatlo', 'Dalawa'])
  const moved = people.map(({ primary_user_id }) => [`conversation-${primary_user_id}`, 180])
  expect(await movesOf(page)).toEqual(Object.fromEntries(moved))
  expect(await topOf(harness, tatlo)).toBeCloseTo(before, 0)
  expect(await movesOf(ana.page)).toEqual({})
  expect(await topOf(ana, tatlo)).toBeGreaterThan(await topOf(ana, una))

  // A finger comes down on Tatlo, who then reaches her place, where the finger is over Una.
  const box = await harness.row(nameOf(tatlo)).boundingBox()
  const point = { x: (box?.x ?? 0) + 150, y: (box?.y ?? 0) + 20 }
  const finger = await page.context().newCDPSession(page)
  await finger.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point] })
  await finishMoves(page)
  await expect.poll(() => topOf(harness, una)).toBeCloseTo(before, 0)
  await finger.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await expect(harness.thread.getByRole('heading', { level: 2 })).toHaveText(nameOf(tatlo))
  expect(await topOf(harness, tatlo)).toBeGreaterThan(before + 50)
  expect(await topOf(harness, dalawa)).toBeGreaterThan(await topOf(harness, tatlo))
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

test('what a client owes stands in the row on both screens, follows the payments of another program, and orders Waiting for whoever chose that', async ({
  ana,
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

  // The list learns of amounts by the channel of colleagues, which joins after the first rows.
  const hasJoined = new Promise<void>((resolve) =>
    page.on('websocket', (socket) =>
      socket.on('framereceived', ({ payload }) => {
        if (/inbox-colleagues.*Subscribed to PostgreSQL/s.test(String(payload))) resolve()
      }),
    ),
  )
  await harness.signIn()
  await harness.chooseView('Waiting')
  await harness.isLive()
  await hasJoined
  await harness.leaveList()
  await ana.chooseView('Waiting')
  const two = harness.row(nameOf(second))
  const isFirst = async (at = harness) => {
    const places = [first, second].map((person) => at.row(nameOf(person)).getAttribute('aria-posinset'))
    const [place, other] = await Promise.all(places)
    return Number(place) < Number(other)
  }
  await expect(two).toContainText('Linked')
  await expect(two).not.toContainText('due')
  await expect.poll(() => isFirst()).toBe(true)

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
  for (const at of [harness, ana]) await expect(at.row(nameOf(second))).toContainText('₱11,000.50 due')
  expect(await isFirst()).toBe(true)

  await page.getByRole('combobox', { name: 'Order' }).selectOption('Most urgent first')
  await harness.leaveList()
  await expect.poll(() => isFirst()).toBe(false)
  expect(await isFirst(ana)).toBe(true)
  await expect(page).toHaveURL(/[?&]order=urgent/)
  await look(page, 'views-due')
  await page.reload()
  await harness.isLive()
  await harness.leaveList()
  await expect(page.getByRole('combobox', { name: 'Order' })).toHaveValue('urgent')
  await expect.poll(() => isFirst()).toBe(false)

  // What is paid is urgent no more.
  await send(payment(2, 11_000.5))
  await expect(two).not.toContainText('due')
  await expect(two).toContainText('Linked')
  await expect.poll(() => isFirst()).toBe(true)

  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: 'Find people and actions' })).toBeFocused()
  await page.keyboard.type('longest first')
  await page.keyboard.press('Enter')
  await expect(page).not.toHaveURL(/order=/)
  await expect(page.getByRole('combobox', { name: 'Order' })).toHaveValue('')
})

test('a conversation in Waiting and its snooze are accessible in both schemes, wide and narrow', async ({
  createPerson,
  harness,
  page,
  unique,
}) => {
  const hour = 3_600_000
  // Old enough to stand among the first rows, which alone are rendered.
  const [opened, hovered] = [
    await createPerson('Tao', unique('Look').replace(' ', ''), [{ wrote: 'Magkano?', at: Date.now() - 19 * hour }]),
    await createPerson('Tao', unique('Look').replace(' ', ''), [{ wrote: 'Magkano?', at: Date.now() - 14 * hour }]),
  ]
  await harness.signIn()
  await harness.chooseView('Waiting')
  await harness.isLive()
  await harness.row(nameOf(opened)).click()
  await page.keyboard.press('a')
  await page
    .getByRole('dialog', { name: 'Assign' })
    .getByRole('button', { name: /\(you\)/ })
    .click()
  await harness.row(nameOf(hovered)).hover()
  for (const width of [1440, 390]) {
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
  await harness.row(nameOf(hovered)).hover()
  await screenshot(page, 'views')
})
