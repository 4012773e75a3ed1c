import { expect, test } from './fixtures.ts'
import { psidOf } from './network.ts'

test.beforeEach(async ({ harness, openChat, person }) => {
  await openChat(person, 'Hello po')
  await harness.isLive()
})

test('Enter pressed twice sends one message', async ({ harness, person, sandbox, unique }) => {
  const text = unique('Opo, available pa.')
  await harness.composer.fill(text)
  await harness.composer.evaluate((field) => {
    for (let press = 0; press < 2; press++) {
      field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))
    }
  })
  await expect(harness.bubbles(text)).toHaveCount(1)
  await expect.poll(() => sandbox.deliveredTo(psidOf(person))).toEqual([text])
  await harness.page.reload()
  await expect(harness.bubbles(text)).toHaveCount(1)
  expect(await sandbox.deliveredTo(psidOf(person))).toEqual([text])
})

test('the same text sent twice arrives twice', async ({ harness, person, sandbox, unique }) => {
  const text = unique('Sige po')
  await harness.answer(text)
  await expect(harness.bubbles(text)).toHaveCount(1)
  await expect(harness.composer).toHaveValue('')
  await harness.answer(text)
  await expect(harness.bubbles(text)).toHaveCount(2)
  await expect.poll(() => sandbox.deliveredTo(psidOf(person))).toEqual([text, text])
  await harness.page.reload()
  await expect(harness.bubbles(text)).toHaveCount(2)
})

test('a message is shown and delivered once when the network loses the response', async ({
  api,
  harness,
  person,
  sandbox,
  unique,
}) => {
  const text = unique('Ipapadala na po namin bukas.')
  await sandbox.setFaults({ loseAnswers: 1, holdWebhooks: true })
  await harness.answer(text)
  await expect(harness.bubbles(text)).toHaveCount(1)
  await expect(harness.bubbles(text)).toContainText('May not have arrived')
  expect(await sandbox.deliveredTo(psidOf(person))).toEqual([text])

  await sandbox.setFaults({})
  await expect(harness.bubbles(text)).not.toContainText('May not have arrived')
  await expect(harness.bubbles(text)).toHaveCount(1)
  expect(await sandbox.deliveredTo(psidOf(person))).toEqual([text])
  const stored = await api.messages(person.primary_user_id ?? person.fb_user_id)
  expect(stored.filter((message) => message.message_text === text)).toHaveLength(1)
})

test('a message is sent once when the response to the browser is lost', async ({
  harness,
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
  await harness.answer(text)
  await expect.poll(() => lost).toBe(1)
  await expect(harness.bubbles(text)).toHaveAccessibleName(/^You, \d/)
  await expect(harness.bubbles(text)).toHaveCount(1)
  await harness.page.reload()
  await expect(harness.bubbles(text)).toHaveCount(1)
  expect(await sandbox.deliveredTo(psidOf(person))).toEqual([text])
})

test('a message that the network never received stays unconfirmed until a retry, and is sent once', async ({
  harness,
  person,
  sandbox,
  unique,
}) => {
  const text = unique('Bukas na po ang dating.')
  await sandbox.setFaults({ loseRequests: 1 })
  await harness.answer(text)
  await expect(harness.bubbles(text)).toContainText('May not have arrived')
  await harness.bubbles(text).getByRole('button', { name: 'Send again' }).click()
  await expect(harness.bubbles(text)).toHaveAccessibleName(/^You, \d/)
  await harness.page.reload()
  await expect(harness.bubbles(text)).toHaveCount(1)
  expect(await sandbox.deliveredTo(psidOf(person))).toEqual([text])
})

test('a refused message keeps its text and shows the reason', async ({ harness, person, sandbox, unique }) => {
  const text = unique('Hindi po ito aabot.')
  await sandbox.setFaults({ refuse: { times: 1, code: 10, subcode: 2018278, status: 403 } })
  await harness.answer(text)
  await expect(harness.bubbles(text)).toContainText('Not sent')
  expect(await sandbox.deliveredTo(psidOf(person))).toEqual([])
})
