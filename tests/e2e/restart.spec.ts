import { expect, test } from './fixtures.ts'
import { psidOf } from './network.ts'

test('the server is killed and started again: nothing is lost, nothing doubled, and it is Live again', async ({
  desk,
  person,
  sandbox,
  server,
  unique,
}) => {
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
  await expect(desk.page.getByText('Live', { exact: true })).toBeHidden()
  const during = unique('Written while it was down')
  await desk.answer(during)
  await expect(desk.bubbles(during)).toHaveCount(1)

  await server.start()
  const after = unique('After the power cut')
  await sandbox.write(psid, after)
  await desk.isLive()
  await expect(desk.bubbles(after)).toHaveCount(1)

  const retry = desk.bubbles(during).getByRole('button', { name: 'Retry' })
  if (await retry.isVisible()) await retry.click()
  await expect.poll(() => sandbox.deliveredTo(psid)).toEqual([answer, during])

  await desk.page.reload()
  for (const text of [before, answer, during, after]) await expect(desk.bubbles(text)).toHaveCount(1)
  expect(await sandbox.deliveredTo(psid)).toEqual([answer, during])
})
