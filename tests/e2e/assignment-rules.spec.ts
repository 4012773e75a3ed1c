import type { Page } from '@playwright/test'
import { nameOf } from '../../src/domain/list/conversation-text.ts'
import { expect, test } from './fixtures.ts'
import { look } from './look.ts'

const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Assignment rules' })

async function open(page: Page): Promise<void> {
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('button', { name: 'Assignment rules' }).click()
  await expect(dialogOf(page).getByText('When a customer starts to wait')).toBeVisible()
}

async function save(page: Page): Promise<void> {
  // The toast of an earlier save may still be shown.
  const answered = page.waitForResponse((response) => response.request().method() === 'PUT')
  await dialogOf(page).getByRole('button', { name: 'Save' }).click()
  await answered
  await expect(page.getByText('Assignment rules saved').first()).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialogOf(page)).toBeHidden()
}

test('a rule gives a new conversation to a present colleague, live on both screens, it can be undone by hand, and a first answer takes it', async ({
  ana,
  createPerson,
  harness,
  page,
  sandbox,
  unique,
}) => {
  test.slow()
  await harness.signIn()
  const first = await createPerson('Wena', unique('Rule').replace(' ', ''), [{ wrote: 'Kumusta po' }])

  await open(ana.page)
  const dialog = dialogOf(ana.page)
  await dialog.getByRole('button', { name: 'Add rule' }).click()
  await dialog.getByRole('button', { name: 'Add rule' }).click()
  await expect(dialog.getByText('Never used: rule 1 is for all conversations.')).toBeVisible()
  await dialog.getByLabel('Assign to').nth(1).selectOption({ label: 'One colleague' })
  await dialog.getByLabel('Colleague').selectOption({ label: 'Paolo Cruz' })
  await look(ana.page, 'assignment-rules')
  await dialog.getByRole('button', { name: 'Remove rule 2' }).click()
  await save(ana.page)

  // Paolo is present: a conversation is open on his screen. Ana has none open.
  const isPresent = page.waitForResponse((response) => response.url().endsWith('/presence'))
  await harness.navigateTo(first)
  await Promise.all([harness.isLive(), isPresent])
  const name = unique('Turn').replace(' ', '')
  const second = await createPerson('Rosa', name, [{ wrote: 'Magkano po?' }])
  await harness.chooseView('Mine')
  await expect(harness.row(nameOf(second))).toBeVisible()
  await ana.navigateTo(second)
  const assigned = ana.page.getByRole('button', { name: 'Assigned to Paolo Cruz' })
  await expect(assigned).toBeVisible()

  await assigned.click()
  await ana.page.getByRole('dialog', { name: 'Assign' }).getByRole('button', { name: 'Nobody' }).click()
  await expect(harness.row(nameOf(second))).toHaveCount(0)

  // Without rules, whoever answers first takes the conversation.
  const firstAnswer = dialog.getByRole('checkbox', { name: 'Assign unassigned conversations to whoever answers first' })
  await open(ana.page)
  await dialog.getByRole('button', { name: 'Remove rule 1' }).click()
  await firstAnswer.check()
  await save(ana.page)
  await sandbox.write(second.psid, 'May tao po ba?')
  await harness.navigateTo(second)
  await harness.answer('Opo, meron po')
  await expect(assigned).toBeVisible()
  await harness.chooseView('Mine')
  await expect(harness.row(nameOf(second))).toBeVisible()

  await open(ana.page)
  await firstAnswer.uncheck()
  await save(ana.page)
})
