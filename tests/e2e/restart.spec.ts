import { expect, test } from './fixtures.ts'
import { psidOf } from './network.ts'

test('no message is lost or duplicated after the server was killed and restarted, and the connection is Live again', async ({
  harness,
  person,
  sandbox,
  server,
  unique,
}) => {
  test.slow()
  const psid = psidOf(person)
  const before = unique('Before the power cut')
  const answer = unique('Answered before it')
  await harness.signIn()
  await harness.open(person)
  await harness.isLive()
  await sandbox.write(psid, before)
  await expect(harness.bubbles(before)).toHaveCount(1)
  await harness.answer(answer)
  await expect.poll(() => sandbox.deliveredTo(psid)).toEqual([answer])

  await server.kill()
  await expect(harness.live).toBeHidden()
  const during = unique('Written while it was down')
  await harness.answer(during)
  const retry = harness.bubbles(during).getByRole('button', { name: 'Send again' })
  await expect(retry).toBeVisible({ timeout: 45_000 })

  await server.start()
  const after = unique('After the power cut')
  await sandbox.write(psid, after)
  await harness.isLive()
  await expect(harness.bubbles(after)).toHaveCount(1)

  expect(await sandbox.deliveredTo(psid)).toEqual([answer])
  await retry.click()
  await expect.poll(() => sandbox.deliveredTo(psid)).toEqual([answer, during])

  await harness.page.reload()
  for (const text of [before, answer, during, after]) await expect(harness.bubbles(text)).toHaveCount(1)
  expect(await sandbox.deliveredTo(psid)).toEqual([answer, during])
})

test('a message in flight when the server is killed is sent once and shown once', async ({
  harness,
  person,
  sandbox,
  server,
  unique,
}) => {
  const psid = psidOf(person)
  const text = unique('Cut off in the middle')
  await sandbox.write(psid, unique('Hello po'))
  await harness.signIn()
  await harness.open(person)
  await harness.isLive()
  await sandbox.setFaults({ delay: { times: 1, milliseconds: 30_000 }, holdWebhooks: true })
  await harness.answer(text)
  await expect.poll(() => sandbox.deliveredTo(psid)).toEqual([text])

  await server.kill()
  await server.start()
  await sandbox.setFaults({})
  await harness.isLive()
  await expect(harness.bubbles(text)).toHaveAccessibleName(/^You, \d/, { timeout: 30_000 })
  await expect(harness.bubbles(text)).toHaveCount(1)
  await harness.page.reload()
  await expect(harness.bubbles(text)).toHaveCount(1)
  expect(await sandbox.deliveredTo(psid)).toEqual([text])
})
