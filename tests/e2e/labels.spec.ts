import type { Page } from '@playwright/test'
import { nameOf } from '../../src/domain/list/conversation-text.ts'
import type { Conversation } from '../../src/schemas/conversation.ts'
import { expect, test } from './fixtures.ts'
import type { Harness } from './harness.ts'
import { look } from './look.ts'

const rail = (page: Page) => page.getByRole('navigation', { name: 'Views' })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })
const searchField = (page: Page) => dialog(page, 'Labels').getByRole('combobox')
const rowOf = (at: Harness, person: Conversation) => at.row(nameOf(person))

test('a label is made, put on by key and by keyword, seen live by a colleague, filtered by, and deleted; a client has labels of its own', async ({
  ana,
  createPerson,
  harness,
  linkedPerson,
  page,
  sandbox,
  unique,
}) => {
  test.slow()
  await harness.signIn()
  for (const at of [harness, ana]) await at.isLive()
  const family = unique('Label').replace(' ', '')
  const [first, second] = [
    await createPerson('Wena', family, [{ wrote: 'Kumusta po' }]),
    await createPerson('Rosa', unique('Other').replace(' ', ''), [{ wrote: 'Hello po' }]),
  ]
  const [vip, order] = [unique('VIP'), unique('Order')]

  // By keyboard: `l`, a new name, Enter, Escape.
  await ana.navigateTo(first)
  await ana.page
    .getByRole('heading', { name: nameOf(first) })
    .first()
    .click()
  await ana.page.keyboard.press('l')
  await expect(searchField(ana.page)).toBeFocused()
  await ana.page.keyboard.type(vip)
  await expect(dialog(ana.page, 'Labels').getByRole('option', { name: `Create “${vip}”` })).toBeVisible()
  await look(ana.page, 'labels-picker')
  await ana.page.keyboard.press('Enter')
  const option = dialog(ana.page, 'Labels').getByRole('option', { name: vip, exact: true })
  await expect(option).toHaveAttribute('aria-selected', 'true')
  await ana.page.keyboard.press('Escape')
  await expect(dialog(ana.page, 'Labels')).toBeHidden()
  await expect(rowOf(ana, first)).toContainText(vip)
  await expect(ana.page.getByText(`Labels of ${nameOf(first)} are changed`).first()).toBeVisible()

  // The agent sees the label and the filter without a reload, and has no way to make one.
  await expect(rowOf(harness, first)).toContainText(vip)
  await expect(rail(page).getByRole('button', { name: vip })).toBeVisible()
  await expect(rail(page).getByRole('button', { name: 'Manage labels' })).toHaveCount(0)

  // The administrator makes a label with a keyword, and a customer writes it.
  await rail(ana.page).getByRole('button', { name: 'Manage labels' }).click()
  await dialog(ana.page, 'Manage labels').getByRole('button', { name: 'New label' }).click()
  await ana.page.getByLabel('Name').fill(order)
  await ana.page.getByText('Orange', { exact: true }).click()
  await ana.page.getByLabel('Keywords', { exact: true }).fill('magkano')
  await look(ana.page, 'labels-form')
  await ana.page.getByRole('button', { name: 'Save label' }).click()
  await expect(dialog(ana.page, 'Manage labels').getByText(order, { exact: true })).toBeVisible()
  await ana.page.keyboard.press('Escape')
  await sandbox.write(second.psid, 'Magkano po ang 50 na frame?')
  for (const at of [harness, ana]) {
    await at.leaveList()
    await expect(rowOf(at, second)).toContainText(order)
  }

  // Many rows at once, and undone.
  for (const person of [first, second]) {
    await rowOf(harness, person).hover()
    await page.getByRole('checkbox', { name: `Choose ${nameOf(person)}` }).check()
  }
  await page.getByRole('toolbar').getByRole('button', { name: 'Labels' }).click()
  await expect(
    dialog(page, 'Labels').getByRole('option', { name: new RegExp(`${vip}.*on some of them`) }),
  ).toBeVisible()
  await searchField(page).fill(vip)
  await page.keyboard.press('Enter')
  await dialog(page, 'Labels').getByRole('button', { name: 'Apply' }).click()
  await harness.leaveList()
  for (const at of [harness, ana])
    for (const person of [first, second]) await expect(rowOf(at, person)).toContainText(vip)
  await page.keyboard.press('z')
  for (const at of [harness, ana]) {
    await expect(rowOf(at, second)).not.toContainText(vip)
    await expect(rowOf(at, first)).toContainText(vip)
  }

  // The filter stays through a reload, and follows what a colleague changes.
  await rail(page).getByRole('button', { name: vip }).click()
  await harness.leaveList()
  await expect(page).toHaveURL(/label=/)
  await page.reload()
  await expect(rail(page).getByRole('button', { name: vip })).toHaveAttribute('aria-pressed', 'true')
  await expect(rowOf(harness, first)).toBeVisible()
  await expect(rowOf(harness, second)).toHaveCount(0)
  await harness.isLive()
  await ana.page
    .getByRole('complementary', { name: 'Client details' })
    .getByRole('button', { name: 'Change the labels of the conversation' })
    .click()
  await dialog(ana.page, 'Labels').getByRole('option', { name: vip, exact: true }).click()
  await ana.page.keyboard.press('Escape')
  await expect(rowOf(harness, first)).toHaveCount(0)
  await expect(page.getByText('No conversations found')).toBeVisible()
  await ana.page.keyboard.press('z')
  await expect(rowOf(harness, first)).toBeVisible()

  // Deleting says how many conversations have the label, and ends the filter.
  await rail(ana.page).getByRole('button', { name: 'Manage labels' }).click()
  await dialog(ana.page, 'Manage labels')
    .getByRole('button', { name: `Delete ${vip}` })
    .click()
  const question = ana.page.getByRole('alertdialog', { name: 'Delete label' })
  await expect(question).toContainText('1 conversation has it. It is taken off everywhere.')
  // Behind the question is the manager, with what two labels need.
  await look(ana.page, 'labels-delete')
  await question.getByRole('button', { name: 'Delete label' }).click()
  await expect(page).not.toHaveURL(/label=/)
  await expect(rail(page).getByRole('button', { name: vip })).toHaveCount(0)
  await expect(rowOf(harness, first)).toBeVisible()
  await expect(rowOf(harness, first)).not.toContainText(vip)

  // A client has labels of its own.
  await ana.page.keyboard.press('Escape')
  for (const at of [harness, ana]) await at.navigateTo(linkedPerson)
  const name = unique('Reseller')
  const details = (at: Harness) => at.page.getByRole('complementary', { name: 'Client details' })
  const change = (at: Harness) => details(at).getByRole('button', { name: 'Change the labels of the client' })
  await change(ana).click()
  await searchField(ana.page).fill(name)
  await ana.page.keyboard.press('Enter')
  const ofClient = dialog(ana.page, 'Labels').getByRole('option', { name, exact: true })
  await expect(ofClient).toHaveAttribute('aria-selected', 'true')
  await dialog(ana.page, 'Labels').getByRole('button', { name: 'Apply' }).click()
  await expect(dialog(ana.page, 'Labels')).toBeHidden()
  for (const at of [harness, ana]) await expect(details(at).getByText(name)).toBeVisible()
  await look(page, 'labels-client')
  await change(harness).click()
  await searchField(page).fill(name)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  for (const at of [harness, ana]) await expect(details(at).getByText(name)).toHaveCount(0)
})
