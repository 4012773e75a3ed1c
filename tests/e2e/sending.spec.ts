import { expect, test } from './fixtures.ts'
import { psidOf } from './network.ts'

test.beforeEach(async ({ desk, person, sandbox, unique }) => {
  await sandbox.write(psidOf(person), unique('Hello po'))
  await desk.signIn()
  await desk.open(person)
  await desk.isLive()
})

test('Enter pressed twice sends one message', async ({ desk, person, sandbox, unique }) => {
  const text = unique('Opo, available pa.')
  await desk.composer.fill(text)
  await desk.composer.evaluate((field) => {
    for (let press = 0; press < 2; press++) {
      field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))
    }
  })
  await expect(desk.bubbles(text)).toHaveCount(1)
  await expect.poll(() => sandbox.deliveredTo(psidOf(person))).toEqual([text])
  await desk.page.reload()
  await expect(desk.bubbles(text)).toHaveCount(1)
  expect(await sandbox.deliveredTo(psidOf(person))).toEqual([text])
})

test('the same text sent on purpose twice arrives twice', async ({ desk, person, sandbox, unique }) => {
  const text = unique('Sige po')
  await desk.answer(text)
  await expect(desk.bubbles(text)).toHaveCount(1)
  await expect(desk.composer).toHaveValue('')
  await desk.answer(text)
  await expect(desk.bubbles(text)).toHaveCount(2)
  await expect.poll(() => sandbox.deliveredTo(psidOf(person))).toEqual([text, text])
  await desk.page.reload()
  await expect(desk.bubbles(text)).toHaveCount(2)
})

test('a message whose answer the network lost is settled: one bubble, one delivery', async ({
  api,
  desk,
  person,
  sandbox,
  unique,
}) => {
  const text = unique('Ipapadala na po namin bukas.')
  await sandbox.setFaults({ loseAnswers: 1, holdWebhooks: true })
  await desk.answer(text)
  await expect(desk.bubbles(text)).toHaveCount(1)
  await expect(desk.bubbles(text)).toContainText('Unconfirmed')
  expect(await sandbox.deliveredTo(psidOf(person))).toEqual([text])

  await sandbox.setFaults({})
  await expect(desk.bubbles(text)).not.toContainText('Unconfirmed')
  await expect(desk.bubbles(text)).toHaveCount(1)
  expect(await sandbox.deliveredTo(psidOf(person))).toEqual([text])
  const stored = await api.messages(person.primary_user_id ?? person.fb_user_id)
  expect(stored.filter((message) => message.message_text === text)).toHaveLength(1)
})

test('an answer lost on the way to the browser is settled by itself, and nothing is sent twice', async ({
  desk,
  page,
  person,
  sandbox,
  unique,
}) => {
  const text = unique('Noted po.')
  let lost = 0
  await page.route(
    '**/api/facebook/send-message',
    async (route) => {
      await route.fetch()
      lost++
      await route.abort('connectionreset')
    },
    { times: 1 },
  )
  await desk.answer(text)
  await expect.poll(() => lost).toBe(1)
  await expect(desk.bubbles(text)).toHaveAccessibleName(/^You, \d/)
  await expect(desk.bubbles(text)).toHaveCount(1)
  await desk.page.reload()
  await expect(desk.bubbles(text)).toHaveCount(1)
  expect(await sandbox.deliveredTo(psidOf(person))).toEqual([text])
})

test('a message that the network never took stays unconfirmed until it is retried, and goes out once', async ({
  desk,
  person,
  sandbox,
  unique,
}) => {
  const text = unique('Bukas na po ang dating.')
  await sandbox.setFaults({ loseRequests: 1 })
  await desk.answer(text)
  await expect(desk.bubbles(text)).toContainText('Unconfirmed')
  await desk.bubbles(text).getByRole('button', { name: 'Retry' }).click()
  await expect(desk.bubbles(text)).toHaveAccessibleName(/^You, \d/)
  await desk.page.reload()
  await expect(desk.bubbles(text)).toHaveCount(1)
  expect(await sandbox.deliveredTo(psidOf(person))).toEqual([text])
})

test('a refused message keeps its text and says why', async ({ desk, person, sandbox, unique }) => {
  const text = unique('Hindi po ito aabot.')
  await sandbox.setFaults({ refuse: { times: 1, code: 10, subcode: 2018278, status: 403 } })
  await desk.answer(text)
  await expect(desk.bubbles(text)).toContainText('Not sent')
  expect(await sandbox.deliveredTo(psidOf(person))).toEqual([])
})
