import type { Page } from '@playwright/test'
import { nameOf } from '../../src/domain/list/conversation-text.ts'
import type { Conversation } from '../../src/schemas/conversation.ts'
import { expect, test } from './fixtures.ts'
import { type Harness, openBrowser } from './harness.ts'
import { look } from './look.ts'

const rail = (page: Page) => page.getByRole('navigation', { name: 'Views' })
const dialog = (page: Page) => page.getByRole('dialog', { name: 'Saved filters' })
const assignee = (page: Page) => page.getByRole('combobox', { name: 'Assignee' })
/** The list holds still while the pointer or the focus is in it. */
const leaveList = async (page: Page) => {
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
  await page.mouse.move(700, 10)
}
const rowOf = (at: Harness, person: Conversation) => at.row(nameOf(person))

/** Types into the palette, whose code is loaded when it opens. */
async function type(page: Page, term: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('dialog', { name: 'Find people and actions' }).getByRole('combobox').fill(term)
}

test('the list is filtered by assignee, and follows what a colleague gives and takes', async ({
  ana,
  createPerson,
  harness,
  page,
  unique,
}) => {
  await harness.signIn()
  await harness.isLive()
  const person = await createPerson('Wena', unique('Given').replace(' ', ''), [{ wrote: 'Kumusta po' }])
  await assignee(page).selectOption({ label: 'Ana Reyes' })
  await leaveList(page)
  await expect(page).toHaveURL(/assigned=/)
  await expect(rowOf(harness, person)).toHaveCount(0)

  await ana.navigateTo(person)
  await ana.isLive()
  await ana.page.keyboard.press('a')
  await ana.page
    .getByRole('dialog', { name: 'Assign' })
    .getByRole('button', { name: /\(you\)/ })
    .click()
  await expect(rowOf(harness, person)).toBeVisible()
  await assignee(page).selectOption({ label: 'Assigned to nobody' })
  await leaveList(page)
  await expect(rowOf(harness, person)).toHaveCount(0)
  await ana.page.keyboard.press('z')
  await expect(rowOf(harness, person)).toBeVisible()
  await assignee(page).selectOption({ label: 'Paolo Cruz (you)' })
  await expect(rowOf(harness, person)).toHaveCount(0)
  await page.reload()
  await expect(assignee(page)).toHaveValue(/./)
  await expect(rowOf(harness, person)).toHaveCount(0)
})

test('a filter is saved, reached by the palette on another device, renamed, says what was deleted, and is deleted', async ({
  ana,
  baseURL,
  browser,
  harness,
  page,
  unique,
}) => {
  test.slow()
  const second = await openBrowser(browser, baseURL)
  await harness.signIn()
  await second.signIn()
  for (const at of [harness, second]) await at.isLive()
  const [label, name, other] = [unique('Refund'), unique('My refunds'), unique('Money back')]

  // Ana makes the label.
  await rail(ana.page).getByRole('button', { name: 'Manage labels' }).click()
  await ana.page.getByRole('button', { name: 'New label' }).click()
  await ana.page.getByLabel('Name').fill(label)
  await ana.page.getByRole('button', { name: 'Save label' }).click()
  await expect(ana.page.getByRole('button', { name: `Delete ${label}` })).toBeVisible()
  await ana.page.keyboard.press('Escape')
  await rail(page).getByRole('button', { name: label }).click()
  await assignee(page).selectOption({ label: 'Assigned to nobody' })
  await page.getByRole('button', { name: 'Save this filter' }).click()
  await dialog(page).getByRole('textbox', { name: 'Name' }).fill(name)
  await look(page, 'saved-filter-form')
  await page.keyboard.press('Enter')
  await expect(dialog(page)).toBeHidden()
  await expect(rail(page).getByRole('button', { name })).toHaveAttribute('aria-current', 'true')
  await expect(page.getByRole('button', { name: 'Save this filter' })).toHaveCount(0)
  await look(page, 'saved-filter-shown')

  // The other device of the person shows the filter without a reload, and Ana does not.
  await expect(rail(second.page).getByRole('button', { name })).toBeVisible()
  await expect(rail(ana.page).getByRole('button', { name })).toHaveCount(0)
  await type(second.page, 'Saved filters')
  await second.page.keyboard.press('Enter')
  await expect(dialog(second.page).getByRole('button', { name, exact: true })).toBeVisible()
  await dialog(second.page).getByRole('button', { name, exact: true }).press('Enter')
  await expect(second.page).toHaveURL(/label=.*assigned=nobody/)
  await rail(second.page).getByRole('button', { name: /^All/ }).click()
  await rail(second.page).getByRole('button', { name: label }).click()
  await type(second.page, name)
  await second.page.getByRole('option', { name: `Filter: ${name}` }).click()
  await expect(rail(second.page).getByRole('button', { name })).toHaveAttribute('aria-current', 'true')

  await rail(second.page).getByRole('button', { name: 'Manage saved filters' }).click()
  await dialog(second.page)
    .getByRole('button', { name: `Rename ${name}` })
    .click()
  await dialog(second.page).getByRole('textbox', { name: 'Name' }).fill(other)
  await second.page.keyboard.press('Enter')
  await expect(rail(page).getByRole('button', { name: other })).toBeVisible()
  await second.page.keyboard.press('Escape')

  // Without its label the filter shows no other rows, and says why.
  await rail(ana.page).getByRole('button', { name: 'Manage labels' }).click()
  await ana.page.getByRole('button', { name: `Delete ${label}` }).click()
  await ana.page.getByRole('alertdialog').getByRole('button', { name: 'Delete label' }).click()
  await rail(page)
    .getByRole('button', { name: `${other} (no longer works)` })
    .click()
  await expect(dialog(page)).toContainText('The label of this filter was deleted.')
  await look(page, 'saved-filter-gone')
  await dialog(page)
    .getByRole('button', { name: `Delete ${other}` })
    .click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete filter' }).click()
  await page.keyboard.press('Escape')
  for (const at of [harness, second]) await expect(rail(at.page).getByText(other)).toHaveCount(0)
  await second.page.context().close()
})
