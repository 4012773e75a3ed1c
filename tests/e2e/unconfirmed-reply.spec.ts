import { expect, test } from './fixtures.ts'
import { look } from './look.ts'

test('an automatic reply without a result is shown as unconfirmed, and a retry by staff delivers it once', async ({
  api,
  harness,
  page,
  person,
  sandbox,
  unique,
}) => {
  const family = unique('Magsaysay').replace(' ', '')
  const psid = await sandbox.createPerson(person.page_id ?? '', 'Ligaya', family)
  await sandbox.write(psid, 'Hello po')
  const found = () => api.conversations(`page=1&limit=1&search=${family}`)
  await expect.poll(async () => (await found()).length).toBe(1)
  const [newPerson] = await found()
  if (newPerson === undefined) throw new Error('the created person was not found')
  await harness.signInAt(newPerson, 'agent')
  await harness.isLive()

  await sandbox.setFaults({ loseRequests: 1 })
  await sandbox.write(psid, 'Is COD possible?')
  const answer = 'Hello Ligaya, cash on delivery is possible within Metro Manila for orders up to ₱3,000.'
  const unconfirmed = page.getByRole('article', { name: /^Automatic reply, May not have arrived/ })
  await expect(unconfirmed).toContainText(answer)
  expect(await sandbox.deliveredTo(psid)).toEqual([])
  await look(page, 'unconfirmed-reply')

  await unconfirmed.getByRole('button', { name: 'Send again' }).click()
  await expect.poll(() => sandbox.deliveredTo(psid)).toEqual([answer])
  await expect(harness.bubbles(answer)).toHaveAccessibleName(/^Automatic reply: Cash on delivery, \d/)
  await expect(harness.bubbles(answer)).toHaveCount(1)
  await expect(unconfirmed).toBeHidden()
})
