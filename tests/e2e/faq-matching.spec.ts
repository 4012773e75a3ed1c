import { demoStaff } from '../../server/stand-ins/supabase/demo-staff.ts'
import { tokenPairOf } from './api.ts'
import { expect, test } from './fixtures.ts'
import { look } from './look.ts'
import type { TestServer } from './server.ts'

/** Creates an entry by the API, as an administrator. */
async function addEntry(server: TestServer, entry: { title: string; keywords: string[]; priority?: number }) {
  const { token } = await tokenPairOf(server, demoStaff[0])
  const response = await fetch(`${server.url}/api/faq/entries`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ category_id: 'general', response: `${entry.title}: opo.`, ...entry }),
  })
  expect(response.status).toBe(200)
}

test('an entry of a chosen page answers on that page only, says which entry answers the same question, and runs dry before it is saved', async ({
  createPerson,
  harness,
  page,
  people,
  sandbox,
  server,
  unique,
}) => {
  const [one, other] = [...new Map(people.map((row) => [row.page_id, row])).values()]
  const [onePage, otherPage] = [one?.page_id ?? '', other?.page_id ?? '']
  expect(onePage).not.toBe(otherPage)
  const dialog = page.getByRole('dialog', { name: 'FAQ Management' })
  const keywords = dialog.getByRole('textbox', { name: 'Keywords' })
  const word = unique('laminasyon').replace(' ', '')
  const asked = await createPerson('Wena', unique('Dry').replace(' ', ''), [{ wrote: `May ${word} po ba?` }])
  await addEntry(server, { title: 'Covers', keywords: ['pabalat'], priority: 20 })

  await harness.signIn('administrator')
  await page.getByRole('button', { name: 'Manage FAQ' }).click()
  await dialog.getByRole('button', { name: 'Add FAQ' }).click()
  await dialog.getByLabel('Title', { exact: true }).fill('Lamination')
  await dialog.getByLabel('Category', { exact: true }).selectOption({ label: 'General' })
  await keywords.fill(word)
  await keywords.press('Enter')
  await dialog.getByLabel('Response', { exact: true }).fill('Opo, 50 pesos.')
  // A keyword that is typed and not added yet counts too.
  await keywords.fill('Pabalat po')
  await expect(
    dialog.getByText('“Pabalat po” is also answered by “Covers” (“pabalat”), which replies instead.'),
  ).toBeVisible()
  await dialog.getByLabel('Priority').fill('50')
  await expect(
    dialog.getByText('“Pabalat po” is also answered by “Covers” (“pabalat”). This FAQ replies.'),
  ).toBeVisible()

  await dialog.getByRole('button', { name: 'Start with your changes' }).click()
  await expect(dialog.getByText('With the FAQ that you are editing.')).toBeVisible()
  const wouldAnswer = dialog.getByRole('table', { name: 'Answered by FAQ' }).getByRole('row')
  await expect(wouldAnswer.filter({ hasText: 'Lamination' })).toContainText('1')
  expect(await sandbox.deliveredTo(asked.psid)).toEqual([])
  await dialog.getByRole('radio', { name: 'Chosen pages' }).check()
  await expect(dialog.getByText('Choose a page, or all pages.')).toBeVisible()
  await dialog.getByRole('list', { name: 'Chosen pages' }).getByRole('checkbox').first().check()
  const chosenName = await dialog.getByRole('list', { name: 'Chosen pages' }).getByRole('listitem').first().innerText()
  await look(page, 'faq-form-with-dry-run')
  await keywords.press('Enter')
  await dialog.getByRole('button', { name: 'Add FAQ' }).click()
  await expect(dialog.getByText(`Only on ${chosenName}`)).toBeVisible()
  await expect(
    dialog.getByText('“pabalat” is also answered by “Lamination” (“Pabalat po”), which replies instead.'),
  ).toBeVisible()

  const pageFilter = dialog.getByRole('combobox', { name: 'Page', exact: true })
  await pageFilter.selectOption({ label: chosenName })
  await expect(dialog.getByRole('heading', { name: 'Lamination' })).toBeVisible()
  const chosenId = await pageFilter.inputValue()
  const elsewhere = chosenId === onePage ? otherPage : onePage
  await pageFilter.selectOption(elsewhere)
  await expect(dialog.getByRole('heading', { name: 'Lamination' })).toBeHidden()
  await expect(dialog.getByRole('heading', { name: 'How to pay' })).toBeVisible()

  // The tester asks as a customer of a page.
  await dialog.getByLabel('Message to test').fill(`${word} po?`)
  await dialog.getByLabel('Page of the message').selectOption(elsewhere)
  await dialog.getByRole('button', { name: 'Test', exact: true }).click()
  await expect(dialog.getByText(`No FAQ would reply to “${word} po?”.`)).toBeVisible()
  await dialog.getByLabel('Page of the message').selectOption(chosenId)
  await dialog.getByRole('button', { name: 'Test', exact: true }).click()
  await expect(dialog.getByText('This FAQ would reply')).toBeVisible()

  const here = await sandbox.createPerson(chosenId, 'Amihan', unique('Here').replace(' ', ''))
  const there = await sandbox.createPerson(elsewhere, 'Amihan', unique('There').replace(' ', ''))
  await sandbox.write(there, `${word} po?`)
  await sandbox.write(here, `${word} po?`)
  await expect.poll(() => sandbox.deliveredTo(here)).toEqual(['Opo, 50 pesos.'])
  expect(await sandbox.deliveredTo(there)).toEqual([])
})

test('a misspelt question is answered, the tester shows why, and an administrator can want exact keywords only', async ({
  createPerson,
  harness,
  page,
  sandbox,
  server,
  unique,
}) => {
  const first = await createPerson('Wena', unique('Mali').replace(' ', ''), [{ wrote: 'Hello po' }])
  const second = await createPerson('Tala', unique('Mali').replace(' ', ''), [{ wrote: 'Hello po' }])
  await addEntry(server, { title: 'Bookbinding', keywords: ['bookbinding'] })
  await harness.signIn('administrator')

  const dialog = page.getByRole('dialog', { name: 'FAQ Management' })
  await page.getByRole('button', { name: 'Manage FAQ' }).click()
  await dialog.getByLabel('Message to test').fill('May bokbinding po ba kayo?')
  await dialog.getByLabel('Message to test').press('Enter')
  const similar = dialog.getByRole('list', { name: 'Similar FAQs' })
  await expect(similar.getByRole('listitem').first()).toContainText('This FAQ would reply')
  await expect(similar).toContainText('95% similar to “bookbinding”')
  await expect(similar).toContainText('“bokbinding” read as “bookbinding” (typing error)')
  await dialog.getByLabel('Message to test').fill('bukbinding po')
  await dialog.getByLabel('Message to test').press('Enter')
  await expect(similar).toContainText('“bukbinding” read as “bookbinding” (other spelling)')
  await dialog.getByLabel('Message to test').fill('wala po bang bookbindng')
  await dialog.getByLabel('Message to test').press('Enter')
  await expect(dialog.getByText('No automatic reply: the message says no to something.')).toBeVisible()
  await look(page, 'faq-similar')

  await sandbox.write(first.psid, 'May bookbindng po ba kayo?')
  await expect.poll(() => sandbox.deliveredTo(first.psid)).toEqual(['Bookbinding: opo.'])

  await dialog.getByRole('button', { name: 'FAQ matching' }).click()
  const settings = page.getByRole('dialog', { name: 'FAQ matching' })
  await expect(settings.getByRole('radio', { name: /^If it is nearly certain \(90%\)/ })).toBeChecked()
  await settings.getByRole('radio', { name: /^Never/ }).check()
  await look(page, 'faq-settings')
  await settings.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('FAQ matching saved').first()).toBeVisible()
  await sandbox.write(second.psid, 'May bookbindng po ba kayo?')
  await sandbox.write(second.psid, 'bookbinding')
  await expect.poll(() => sandbox.deliveredTo(second.psid)).toEqual(['Bookbinding: opo.'])
  await settings.getByRole('radio', { name: /^If it is nearly certain/ }).check()
  await settings.getByRole('button', { name: 'Save' }).click()
  await expect(settings.getByRole('button', { name: 'Save' })).toBeDisabled()
})

test('an agent marks an automatic answer wrong, colleagues see it, and the editor finds, opens and resolves it', async ({
  ana,
  api,
  createPerson,
  harness,
  page,
  sandbox,
  server,
  unique,
}) => {
  const person = await createPerson('Wena', unique('Wrong').replace(' ', ''), [{ wrote: 'Hello po' }])
  await addEntry(server, { title: 'Umbrellas', keywords: ['payong'] })
  const answer = 'Umbrellas: opo.'
  await harness.signInAt(person)
  await ana.navigateTo(person)
  await harness.isLive()
  await ana.isLive()
  await sandbox.write(person.psid, 'Naiwan ko yata ang payong ko diyan')
  const bubble = harness.bubbles(answer)
  await bubble.getByRole('button', { name: 'Mark wrong' }).click()
  await expect(bubble).toContainText('Marked wrong by you')
  await expect(ana.bubbles(answer)).toContainText('Marked wrong by Paolo Cruz')
  await look(page, 'wrong-answer')

  const dialog = ana.page.getByRole('dialog', { name: 'FAQ Management' })
  const list = dialog.getByRole('list', { name: 'Wrong answers' })
  const openList = async () => {
    await ana.page.getByRole('button', { name: 'Manage FAQ' }).click()
    await dialog.getByRole('button', { name: 'Wrong answers' }).click()
  }
  await openList()
  await expect(list.getByRole('listitem')).toHaveCount(1)
  await expect(list).toContainText('Naiwan ko yata ang payong ko diyan')
  await expect(list).toContainText('Marked wrong by Paolo Cruz')
  await list.getByRole('button', { name: 'Edit FAQ' }).click()
  await expect(dialog.getByLabel('Title', { exact: true })).toHaveValue('Umbrellas')
  await ana.page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()

  await bubble.getByRole('button', { name: 'Undo' }).click()
  await expect(bubble.getByRole('button', { name: 'Mark wrong' })).toBeVisible()
  await expect(ana.bubbles(answer)).not.toContainText('Marked wrong')
  await openList()
  await expect(dialog.getByText('No automatic answer is marked wrong.')).toBeVisible()

  await bubble.getByRole('button', { name: 'Mark wrong' }).click()
  await expect(bubble).toContainText('Marked wrong by you')
  await dialog.getByRole('button', { name: 'Refresh' }).click()
  await list.getByRole('button', { name: 'Resolved' }).click()
  await expect(dialog.getByText('No automatic answer is marked wrong.')).toBeVisible()
  const messages = await api.messages(person.primary_user_id ?? '')
  expect(messages.filter(({ wrong_answer }) => wrong_answer != null).length).toBe(1)
})
