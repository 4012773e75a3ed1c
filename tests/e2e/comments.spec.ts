import type { Locator } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { look, toaster, violationsOf } from './look.ts'
import { psidOf } from './network.ts'

// Axe takes a second each time, and there are many.
test.describe.configure({ timeout: 180_000 })
test.use({ actionTimeout: 10_000 })

const pageId = '104200000000101'
const postId = `${pageId}_122100000000000`

const cardOf = (dialog: Locator, text: string) => dialog.getByRole('listitem').filter({ hasText: text }).last()

test('a comment arrives live, is answered in public, once in private with the chat that follows, and is liked, hidden and deleted', async ({
  ana: colleague,
  harness,
  page,
  sandbox,
  unique,
}) => {
  const familyName = unique('Cruz')
  const psid = await sandbox.createPerson(pageId, 'Dalisay', familyName)
  const question = unique('Magkano po ang tarpaulin?')
  await colleague.isLive()
  await harness.signIn()
  await harness.isLive()

  // The dialog is open on one of the screens when the comment arrives. The other one leads to it.
  await colleague.views.getByRole('button', { name: /^Comments/ }).click()
  const other = colleague.page.getByRole('dialog', { name: 'Comments' })
  await expect(other.getByText('Choose a comment to answer it.')).toBeVisible()
  const comment = await sandbox.comment(psid, postId, question)
  const row = (shown: Locator) => shown.getByRole('button').filter({ hasText: question })
  await expect(row(other)).toBeVisible({ timeout: 15_000 })
  const toast = page.getByRole('listitem').filter({ hasText: question })
  await expect(toast).toContainText(`New comment from Dalisay ${familyName}`)
  // The toast alone, because it leaves after 3 s.
  expect(await violationsOf(page, { within: toaster })).toEqual([])
  await toast.getByRole('button', { name: /^New comment from/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Comments' })
  await row(other).click()
  const card = cardOf(dialog, question)
  await expect(card).toContainText('Private reply possible until')
  await expect(dialog.getByRole('figure', { name: 'The post' })).toContainText('Tarpaulin promo', { timeout: 20_000 })

  // In public.
  const answer = unique('P250 po')
  await card.getByRole('button', { name: /^Answer: / }).click()
  await expect(card.getByLabel('Public answer')).toBeFocused()
  await look(page, 'comments-answer')
  await card.getByLabel('Public answer').fill(answer)
  await card.getByRole('button', { name: 'Send' }).dblclick()
  await expect(cardOf(dialog, answer)).toContainText('by ')
  await expect(cardOf(other, answer)).toBeVisible({ timeout: 10_000 })
  // The list shows the threads without an answer.
  await expect(row(dialog)).toHaveCount(0, { timeout: 10_000 })
  expect((await sandbox.comments()).filter(({ message }) => message === answer).length).toBe(1)

  // In private, once.
  const reply = unique('Hi! Dito na po tayo')
  await card.getByRole('button', { name: /^Answer in private: / }).click()
  await card.getByLabel('Private reply, once').fill(reply)
  await card.getByRole('button', { name: 'Send' }).click()
  await expect(card).toContainText('Answered in private')
  await expect(card.getByRole('button', { name: /^Answer in private: / })).toHaveCount(0)
  await expect(cardOf(other, question)).toContainText('Answered in private', { timeout: 10_000 })
  expect(await sandbox.deliveredTo(psid)).toEqual([reply])

  // Like, hide, show, edited by the person.
  await card.getByRole('button', { name: /^Like: / }).click()
  await expect(card).toContainText('Liked')
  await card.getByRole('button', { name: /^Hide: / }).click()
  await expect(card).toContainText('Hidden')
  await expect(cardOf(other, question)).toContainText('Hidden', { timeout: 10_000 })
  await card.getByRole('button', { name: /^Show again: / }).click()
  await expect(card.getByRole('button', { name: /^Hide: / })).toBeVisible()
  await sandbox.editComment(comment, `${question} (edited)`)
  await expect(cardOf(dialog, `${question} (edited)`)).toContainText('edited', { timeout: 10_000 })

  // The chat that follows, and back.
  await card.getByRole('button', { name: 'Go to the chat' }).click()
  await expect(dialog).toBeHidden()
  await expect(harness.bubbles(reply)).toBeVisible({ timeout: 15_000 })
  await page
    .getByRole('complementary', { name: 'Client details' })
    .getByRole('button', { name: 'Comments', exact: true })
    .click()
  const ofPerson = page.getByRole('dialog', { name: 'Comments of this person' })
  await ofPerson.getByRole('button').filter({ hasText: question }).click()

  // Deleted by the page, after a question.
  const back = cardOf(ofPerson, question)
  await back.getByRole('button', { name: /^Delete: / }).click()
  const asked = page.getByRole('alertdialog', { name: 'Delete the comment?' })
  await asked.getByRole('button', { name: 'Delete' }).click()
  await expect(ofPerson.getByText('Deleted by the page')).toBeVisible()
  await expect(other.getByText('Deleted by the page')).toBeVisible({ timeout: 10_000 })
  expect((await sandbox.comments()).some(({ id }) => id === comment)).toBe(false)
})

test('a comment in a live sale makes an order of the person, and the first one gets the last piece', async ({
  api,
  harness,
  linkedPerson,
  page,
  sandbox,
  unique,
}) => {
  const post = `${linkedPerson.page_id}_122100000000002`
  const product = unique('Mug')
  await harness.signInAt(linkedPerson, 'administrator')
  await page.getByRole('button', { name: /^Account: / }).click()
  await page.getByRole('button', { name: 'Live sale' }).last().click()
  const sale = page.getByRole('dialog', { name: 'Live sale' })
  // The post is known from its first comment.
  const other = await sandbox.createPerson(linkedPerson.page_id ?? '', 'Tala', unique('Ramos'))
  await sandbox.comment(other, post, unique('Hello po'))
  await sale.getByLabel('Take claims now').check()
  await sale.getByRole('button', { name: 'Add product' }).click()
  await sale.getByLabel('Number').fill('3')
  await sale.getByLabel('Name').fill(product)
  await sale.getByLabel('Price').fill('250.50')
  await sale.getByLabel('Pieces').fill('1')
  await look(page, 'live-sale')
  await sale.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Live sale saved')).toBeVisible()
  // Every live video while it is broadcast: the server has read that this one is.
  await expect
    .poll(async () => (await api.salePosts()).some(({ id, is_live }) => id === post && is_live), { timeout: 30_000 })
    .toBe(true)

  await page.keyboard.press('Escape')
  await harness.isLive()
  await sandbox.comment(psidOf(linkedPerson), post, 'Mine #3 po')
  const orders = page.getByRole('complementary', { name: 'Client details' }).getByRole('listitem')
  await expect(orders.filter({ hasText: '₱250.50' }).first()).toBeVisible({ timeout: 20_000 })
  const late = unique('mine 3')
  await sandbox.comment(other, post, `mine 3 ${late}`)
  await harness.views.getByRole('button', { name: /^Comments/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Comments' })
  await dialog.getByRole('button').filter({ hasText: late }).click()
  await expect(cardOf(dialog, late)).toContainText(`Sold out: 1 × ${product}.`)
})

test('an answer with an unknown result is unconfirmed until somebody looks again; one that is typed survives a reload, and one without a connection waits among the unsent messages', async ({
  harness,
  page,
  context,
  sandbox,
  unique,
}) => {
  const [first, second] = [unique('Avail pa po?'), unique('Pwede po bang COD?')]
  for (const question of [first, second])
    await sandbox.comment(await sandbox.createPerson(pageId, 'Ligaya', unique('Reyes')), postId, question)
  await harness.signIn()
  const dialog = page.getByRole('dialog', { name: 'Comments' })
  const open = async (question: string) => {
    await dialog.getByRole('searchbox', { name: 'Search names and comments' }).fill(question)
    await dialog.getByRole('button').filter({ hasText: question }).click()
    return cardOf(dialog, question)
  }
  const showComments = () => harness.views.getByRole('button', { name: /^Comments/ }).click()
  const sent = async (text: string) => (await sandbox.comments()).filter(({ message }) => message === text).length
  await showComments()

  const answer = unique('Opo')
  await sandbox.setFaults({ loseAnswers: 1, holdWebhooks: true })
  try {
    const card = await open(first)
    await card.getByRole('button', { name: /^Answer: / }).click()
    await card.getByLabel('Public answer').fill(answer)
    await card.getByRole('button', { name: 'Send' }).click()
    await expect(card).toContainText('It is not certain whether this answer arrived:', { timeout: 15_000 })
    await look(page, 'comments-unconfirmed')
    await card.getByRole('button', { name: 'Look again' }).click()
    await expect(cardOf(dialog, answer)).toContainText('by ')
    await expect(card).not.toContainText('It is not certain')
  } finally {
    await sandbox.setFaults({})
  }
  expect(await sent(answer)).toBe(1)

  const later = unique('Opo, COD')
  const card = await open(second)
  await card.getByRole('button', { name: /^Answer: / }).click()
  await card.getByLabel('Public answer').fill(later)
  await page.reload()
  await showComments()
  await open(second)
  await expect(card.getByLabel('Public answer')).toHaveValue(later)
  await context.setOffline(true)
  await card.getByRole('button', { name: 'Send' }).click()
  await expect(card).toContainText(later)
  await context.setOffline(false)
  await page.reload()
  await page.getByRole('button', { name: '1 unsent message' }).click()
  const unsent = page.getByRole('dialog', { name: 'Unsent messages' })
  await expect(unsent.getByRole('listitem')).toContainText(later)
  await look(page, 'comments-unsent')
  await unsent.getByRole('button', { name: 'Send again' }).click()
  await expect(unsent).toContainText('All messages are sent.')
  await expect.poll(() => sent(later)).toBe(1)
  await expect(page.getByRole('button', { name: '1 unsent message' })).toHaveCount(0)
})
