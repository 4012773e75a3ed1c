import { expect, test } from './fixtures.ts'
import { psidOf } from './network.ts'

test('the server is killed and started again: nothing is lost, nothing doubled, and it is Live again', async ({
  desk,
  person,
  sandbox,
  server,
  unique,
}) => {
  test.slow()
  const psid = psidOf(person)
  const before = unique('Before the power cut')
  const answer = unique('Answered before it')
  await desk.signIn()
  await desk.open(person)
  await desk.isLive()
  await sandbox.write(psid, before)
  await expect(desk.bubbles(before)).toHaveCount(1)
  await desk.answer(answer)
  await expect.poll(() => sandbox.deliveredTo(psid)).toEqual([answer])

  await server.kill()
  await expect(desk.live).toBeHidden()
  const during = unique('Written while it was down')
  await desk.answer(during)
  const retry = desk.bubbles(during).getByRole('button', { name: 'Retry' })
  await expect(retry).toBeVisible({ timeout: 45_000 })

  await server.start()
  const after = unique('After the power cut')
  await sandbox.write(psid, after)
  await desk.isLive()
  await expect(desk.bubbles(after)).toHaveCount(1)

  expect(await sandbox.deliveredTo(psid)).toEqual([answer])
  await retry.click()
  await expect.poll(() => sandbox.deliveredTo(psid)).toEqual([answer, during])

  await desk.page.reload()
  for (const text of [before, answer, during, after]) await expect(desk.bubbles(text)).toHaveCount(1)
  expect(await sandbox.deliveredTo(psid)).toEqual([answer, during])
})

test('a message on its way out when the server is killed goes out once and stands there once', async ({
  desk,
  person,
  sandbox,
  server,
  unique,
}) => {
  const psid = psidOf(person)
  const text = unique('Cut off in the middle')
  await sandbox.write(psid, unique('Hello po'))
  await desk.signIn()
  await desk.open(person)
  await desk.isLive()
  await sandbox.setFaults({ delay: { times: 1, milliseconds: 30_000 }, holdWebhooks: true })
  await desk.answer(text)
  await expect.poll(() => sandbox.deliveredTo(psid)).toEqual([text])

  await server.kill()
  await server.start()
  await sandbox.setFaults({})
  await desk.isLive()
  await expect(desk.bubbles(text)).toHaveAccessibleName(/^You, \d/, { timeout: 30_000 })
  await expect(desk.bubbles(text)).toHaveCount(1)
  await desk.page.reload()
  await expect(desk.bubbles(text)).toHaveCount(1)
  expect(await sandbox.deliveredTo(psid)).toEqual([text])
})
