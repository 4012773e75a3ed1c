import { nameOf } from '../../src/domain/list/conversation-text.ts'
import { expect, test } from './fixtures.ts'
import type { Harness } from './harness.ts'
import { look, violationsOf } from './look.ts'
import { psidOf } from './network.ts'

/** Writes a message while the browser is offline. */
async function write(harness: Harness, text: string): Promise<void> {
  await harness.composer.fill(text)
  await harness.composer.press('Enter')
  await expect(harness.composer).toHaveValue('')
}

test('what was written offline waits, is named with its age, and one press sends each message once; a colleague sees nothing of it before', async ({
  ana,
  harness,
  page,
  context,
  person,
  unlinkedPerson: other,
  sandbox,
  unique,
}) => {
  const [first, second, third] = [unique('Una'), unique('Pangalawa'), unique('Pangatlo')]
  for (const someone of [person, other]) await sandbox.write(psidOf(someone), unique('Hello po'))
  await harness.signInAt(other)
  await harness.navigateTo(person)
  await harness.isLive()
  await expect(page.getByRole('button', { name: /unsent message/ })).toHaveCount(0)
  await ana.navigateTo(person)
  await ana.isLive()

  await context.setOffline(true)
  await write(harness, first)
  await write(harness, second)
  await harness.navigateTo(other)
  await write(harness, third)
  await expect(page.getByRole('button', { name: '3 unsent messages' })).toBeVisible()
  await expect(page.getByText('Not sent yet:')).toHaveCount(0)

  await context.setOffline(false)
  const offer = page.getByRole('status').filter({ hasText: 'Not sent yet:' })
  await expect(offer).toContainText(nameOf(person))
  await expect(offer).toContainText(nameOf(other))
  await expect(offer.locator('time')).toHaveCount(3)
  expect([await sandbox.deliveredTo(psidOf(person)), await sandbox.deliveredTo(psidOf(other))]).toEqual([[], []])
  const answer = unique('Sandali lang po')
  await ana.answer(answer)
  await expect.poll(() => sandbox.deliveredTo(psidOf(person))).toEqual([answer])
  await expect(ana.bubbles(first)).toHaveCount(0)
  for (const mark of [/unsent message/, /^Send all/])
    await expect(ana.page.getByRole('button', { name: mark })).toHaveCount(0)
  await expect(ana.list).not.toContainText('Not sent')

  await page.getByRole('button', { name: 'Send all 3 waiting messages' }).click()
  await expect.poll(() => sandbox.deliveredTo(psidOf(person))).toEqual([answer, first, second])
  await expect.poll(() => sandbox.deliveredTo(psidOf(other))).toEqual([third])
  await expect(offer).toHaveCount(0)
  await expect(page.getByRole('button', { name: /unsent message/ })).toHaveCount(0)
  for (const text of [first, second])
    await expect(ana.thread.getByRole('article', { name: /^Paolo Cruz, / }).filter({ hasText: text })).toHaveCount(1)

  // What failed and what may have arrived stand in the same place, each with its state.
  const [failed, unconfirmed] = [unique('Hindi umabot'), unique('Baka umabot')]
  await sandbox.setFaults({ refuse: { times: 1, code: 10, subcode: 2018278, status: 403 } })
  await write(harness, failed)
  await expect(page.getByRole('button', { name: '1 unsent message' })).toBeVisible()
  await sandbox.setFaults({ loseRequests: 1 })
  await write(harness, unconfirmed)
  await page.getByRole('button', { name: '2 unsent messages' }).click()
  const items = page.getByRole('dialog', { name: 'Unsent messages' }).getByRole('listitem')
  await expect(items.filter({ hasText: failed })).toContainText('Not sent')
  await expect(items.filter({ hasText: unconfirmed })).toContainText('May not have arrived')
  await expect(ana.page.getByRole('button', { name: /unsent message/ })).toHaveCount(0)
})

test('the list of unsent messages has no accessibility errors and fits at every width, and discards what is not to be sent', async ({
  harness,
  page,
  context,
  openChat,
  person,
  sandbox,
  unique,
}) => {
  await openChat(person, 'Hello po')
  await harness.isLive()
  await context.setOffline(true)
  const text = unique('Opo, available pa po. '.repeat(20))
  await write(harness, text)
  await context.setOffline(false)
  await page.getByRole('button', { name: 'Show', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Unsent messages' })
  await expect(dialog.getByRole('listitem')).toContainText('Not sent yet')
  await expect(dialog.getByRole('button', { name: 'Send 1 waiting message' })).toBeFocused()
  await look(page, 'unsent')
  await page.setViewportSize({ width: 390, height: 844 })
  expect(await violationsOf(page)).toEqual([])

  await dialog.getByRole('button', { name: 'Discard' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click()
  await expect(dialog).toContainText('All messages are sent.')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  expect(await sandbox.deliveredTo(psidOf(person))).toEqual([])
})

test('the browser asks before a page is left whose unsent message it could not store, and only then', async ({
  harness,
  page,
  context,
  person,
  sandbox,
  unique,
}) => {
  await page.addInitScript(() => {
    const { setItem } = Storage.prototype
    Storage.prototype.setItem = function (key, value) {
      if (key.startsWith('staff-inbox.outbox.')) throw new DOMException('The storage is full', 'QuotaExceededError')
      setItem.call(this, key, value)
    }
  })
  await sandbox.write(psidOf(person), unique('Hello po'))
  await harness.signInAt(person)
  await harness.isLive()
  const asked: string[] = []
  page.on('dialog', (question) => {
    asked.push(question.type())
    void question.dismiss()
  })
  const text = unique('Hindi nakatago')
  await context.setOffline(true)
  await write(harness, text)
  await expect(harness.bubbles(text)).toContainText('no internet connection')
  await page.evaluate(() => location.reload())
  await expect.poll(() => asked).toEqual(['beforeunload'])
  await context.setOffline(false)
  await harness.bubbles(text).getByRole('button', { name: 'Send again' }).click()
  // The answer of the server, and not the network, ends the need to ask.
  await expect(page.getByText('Message sent successfully')).toBeVisible()
  expect(await sandbox.deliveredTo(psidOf(person))).toEqual([text])
  await page.reload()
  await expect(harness.bubbles(text)).toHaveCount(1)
  expect(asked).toEqual(['beforeunload'])
})
