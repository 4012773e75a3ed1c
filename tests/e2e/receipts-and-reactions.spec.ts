import type { Locator } from '@playwright/test'
import { nameOf } from '../../src/domain/list/conversation-text.ts'
import type { Conversation } from '../../src/schemas/conversation.ts'
import { expect, test } from './fixtures.ts'
import type { Harness } from './harness.ts'
import { isAccessible, screenshot } from './look.ts'
import { psidOf } from './network.ts'

const rowOf = ({ list }: Harness, person: Conversation) =>
  list
    .getByRole('option')
    .filter({ hasText: nameOf(person) })
    .first()

const choices = 'Reply to this message or react'

/** Opens the choices at a bubble with the keyboard. */
async function openChoices(bubble: Locator): Promise<Locator> {
  await bubble.getByRole('button', { name: choices }).press('Enter')
  return bubble.getByRole('group', { name: choices })
}

test('staff see that a message was delivered and when the customer has seen it, in the thread and in the list', async ({
  harness,
  ana,
  openChat,
  person,
  sandbox,
  unique,
}) => {
  await openChat(person, 'Hello po')
  await harness.isLive()
  const text = unique('Pwede na po kunin bukas')
  await harness.answer(text)
  await expect(harness.bubbles(text)).toContainText('Delivered')
  await sandbox.read(psidOf(person))
  await expect(harness.bubbles(text)).toContainText(/Seen \d+:\d\d [AP]M/)
  await expect(rowOf(harness, person)).toContainText(/seen \d+:\d\d [AP]M/)
  await expect(rowOf(ana, person)).toContainText(/seen \d+:\d\d [AP]M/)
  await sandbox.write(psidOf(person), unique('Salamat po'))
  await expect(rowOf(harness, person)).not.toContainText('seen')
})

test('a customer reacts and takes it back, staff react by keyboard, also after a reload, and a refused reaction is undone with its reason', async ({
  harness,
  openChat,
  person,
  page,
  sandbox,
  unique,
}) => {
  await openChat(person, 'Hello po')
  await harness.isLive()
  const [asked, answered] = [unique('Magkano po?'), unique('350 po')]
  await sandbox.write(psidOf(person), asked)
  await harness.answer(answered)
  await expect.poll(async () => (await sandbox.repliesTo(psidOf(person))).length).toBe(1)
  const [delivered] = await sandbox.repliesTo(psidOf(person))
  await sandbox.react(psidOf(person), delivered?.mid ?? '', '❤')
  await expect(harness.bubbles(answered).getByRole('listitem')).toHaveText(/❤/)
  await sandbox.react(psidOf(person), delivered?.mid ?? '', null)
  await expect(harness.bubbles(answered).getByRole('listitem')).toHaveCount(0)

  const group = await openChoices(harness.bubbles(asked))
  await expect(group.getByRole('button', { name: 'Reply to this message' })).toBeFocused()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(harness.bubbles(asked).getByRole('listitem')).toHaveText(/❤/)
  await expect.poll(() => sandbox.shownTo(psidOf(person))).toEqual(['react ❤'])
  await page.reload()
  await expect(harness.bubbles(asked).getByRole('listitem')).toHaveText(/❤/)
  await (await openChoices(harness.bubbles(asked))).getByRole('button', { name: 'Take ❤ back' }).press('Enter')
  await expect.poll(() => sandbox.shownTo(psidOf(person))).toEqual(['react ❤', 'unreact'])
  await expect(harness.bubbles(asked).getByRole('listitem')).toHaveCount(0)

  await sandbox.setFaults({ refuse: { times: 1, code: 551 } })
  await (await openChoices(harness.bubbles(asked))).getByRole('button', { name: 'React with 👍' }).click()
  await expect(page.getByText('This person cannot be reached at the moment.')).toBeVisible()
  await expect(harness.bubbles(asked).getByRole('listitem')).toHaveCount(0)
})

test('staff reply to a certain message, also after a reload, and the quote leads to the original', async ({
  harness,
  openChat,
  person,
  page,
  sandbox,
  unique,
}) => {
  await openChat(person, 'Hello po')
  await harness.isLive()
  const [asked, answered] = [unique('May blue po ba?'), unique('Opo, meron')]
  const mid = await sandbox.write(psidOf(person), asked)
  await (await openChoices(harness.bubbles(asked)))
    .getByRole('button', { name: 'Reply to this message' })
    .press('Enter')
  await expect(harness.composer).toBeFocused()
  await harness.composer.fill(answered)
  await page.reload()
  await expect(page.getByText(/^Replying to/)).toBeVisible()
  await expect(harness.composer).toHaveValue(answered)
  await isAccessible(page)
  await screenshot(page, 'reply-to-a-message')
  await harness.composer.press('Enter')
  await expect
    .poll(async () => (await sandbox.repliesTo(psidOf(person))).map(({ text, reply_to }) => [text, reply_to]))
    .toEqual([[answered, mid]])
  await expect(page.getByText(/^Replying to/)).toHaveCount(0)
  await sandbox.write(psidOf(person), unique('Sige po'), [], mid)
  const quote = harness.bubbles(answered).getByRole('button', { name: /^Show the original message/ })
  await expect(quote).toBeVisible()
  await screenshot(page, 'quoted-messages')
  await quote.press('Enter')
  await expect(page.getByRole('region', { name: 'Messages around the message that you found' })).toBeVisible()
  await expect(page.locator('[data-found]')).toContainText(asked)
})
