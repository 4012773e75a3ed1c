import { expect, test } from './fixtures.ts'
import { postWebhook, webhookBody } from './network.ts'

test('a signed webhook posted twice appears once in an open browser', async ({
  api,
  harness,
  person,
  server,
  unique,
}) => {
  const text = unique('Recorded on the real network')
  await harness.signInAt(person)
  await harness.isLive()
  const body = webhookBody(person, text)

  expect((await postWebhook(server, body)).status).toBe(200)
  await expect(harness.bubbles(text)).toHaveCount(1)
  expect((await postWebhook(server, body)).status).toBe(200)

  const after = unique('A later one')
  await postWebhook(server, webhookBody(person, after))
  await expect(harness.bubbles(after)).toHaveCount(1)
  await expect(harness.bubbles(text)).toHaveCount(1)
  const stored = await api.messages(person.primary_user_id ?? person.fb_user_id)
  expect(stored.filter((message) => message.message_text === text)).toHaveLength(1)
})

test('a webhook with a wrong signature is rejected and not stored', async ({ api, person, server, unique }) => {
  const text = unique('Forged')
  const refused = await postWebhook(server, webhookBody(person, text), 'not the app secret')
  expect([401, 403]).toContain(refused.status)

  const genuine = unique('Genuine')
  await postWebhook(server, webhookBody(person, genuine))
  const texts = async () => {
    const stored = await api.messages(person.primary_user_id ?? person.fb_user_id)
    return stored.map((message) => message.message_text)
  }
  await expect.poll(texts).toContain(genuine)
  expect(await texts()).not.toContain(text)
})
