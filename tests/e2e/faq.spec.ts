import { expect, test } from './fixtures.ts'
import { look } from './look.ts'

test('an administrator creates and tests an entry, and a person gets its answer once, marked as automatic', async ({
  createPerson,
  harness,
  page,
  sandbox,
  unique,
}) => {
  const word = unique('warranty').replace(' ', '')
  const dialog = page.getByRole('dialog', { name: 'FAQ Management' })
  const toast = (text: string) => expect(page.getByText(text, { exact: true }).first()).toBeVisible()

  // Staff wrote to all other people recently, so these get no automatic reply.
  const person = await createPerson('Amihan', unique('Dalisay').replace(' ', ''), [{ wrote: 'Hello po' }])
  const { psid } = person

  await harness.signInAt(person, 'administrator')
  await harness.isLive()
  await page.getByRole('button', { name: 'Manage FAQ' }).click()
  await expect(dialog.getByRole('heading', { name: 'How to pay' })).toBeVisible()

  await dialog.getByRole('button', { name: 'Add FAQ' }).click()
  await expect(dialog.getByLabel('Title', { exact: true })).toBeFocused()
  await dialog.getByLabel('Title', { exact: true }).fill('Guarantee')
  await dialog.getByLabel('Category', { exact: true }).selectOption({ label: 'Products and prices' })
  await dialog.getByRole('textbox', { name: 'Keywords' }).fill(`  ${word} card `)
  await dialog.getByRole('textbox', { name: 'Keywords' }).press('Enter')
  await dialog.getByRole('textbox', { name: 'Keywords' }).fill(word)
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await dialog.getByRole('textbox', { name: 'Keywords' }).fill('slip')
  await dialog.getByRole('textbox', { name: 'Keywords' }).press('Enter')
  await dialog.getByRole('button', { name: 'Remove slip' }).press('Enter')
  await expect(dialog.getByRole('list', { name: 'Added keywords' }).getByRole('listitem')).toHaveText([
    `${word} card`,
    word,
  ])
  await dialog.getByLabel('Response', { exact: true }).fill('Hi {userName}! All prints have a guarantee of 7 days.')
  await dialog.getByLabel('Priority').fill('80')
  await dialog.getByRole('button', { name: 'Add FAQ' }).click()
  await toast('FAQ created successfully')
  await expect(dialog.getByRole('heading', { name: 'Guarantee' })).toBeVisible()

  await dialog.getByLabel('Message to test').fill(`May ${word.toUpperCase()} po ba kayo?`)
  await dialog.getByLabel('Message to test').press('Enter')
  await expect(dialog.getByText('1 match for')).toBeVisible()
  await expect(dialog.getByText('This FAQ would reply')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()

  const answer = 'Hi Amihan! All prints have a guarantee of 7 days.'
  await sandbox.write(psid, `May ${word.toUpperCase()} po ba kayo?`)
  await expect(harness.bubbles(answer)).toHaveCount(1)
  await expect(harness.bubbles(answer)).toHaveAccessibleName(/^Automatic reply: Guarantee, \d/)
  await expect(harness.bubbles(answer)).toContainText('Automatic')
  await sandbox.write(psid, `${word}?`)
  await expect(harness.bubbles(`${word}?`)).toHaveCount(1)
  expect(await sandbox.deliveredTo(psid)).toEqual([answer])
  await look(page, 'automatic-answer')

  await page.getByRole('button', { name: 'Manage FAQ' }).click()
  await dialog.getByRole('button', { name: 'Delete Guarantee' }).click()
  const question = page.getByRole('alertdialog')
  await expect(question).toContainText('Are you sure you want to delete this FAQ entry?')
  await expect(question.getByRole('button', { name: 'Cancel' })).toBeFocused()
  await question.getByRole('button', { name: 'Delete' }).click()
  await toast('FAQ deleted successfully')
  await expect(dialog.getByRole('heading', { name: 'Guarantee' })).toBeHidden()
})
