import { expect, test } from './fixtures.ts'
import { violationsOf } from './look.ts'
import { psidOf } from './network.ts'

test('signing out says how many unsaved drafts and unsent messages it deletes, in this tab and in others, even offline; a colleague sees nothing of it', async ({
  ana,
  harness,
  page,
  context,
  person,
  unlinkedPerson: other,
  sandbox,
  unique,
}) => {
  for (const someone of [person, other]) await sandbox.write(psidOf(someone), unique('Hello po'))
  await harness.signInAt(person)
  await harness.isLive()
  await ana.navigateTo(person)
  await ana.isLive()
  const account = page.getByRole('button', { name: /^Account: / })
  const signOut = async () => {
    await account.click()
    await page.getByRole('button', { name: 'Sign out' }).click()
  }

  await harness.composer.fill('half a sentence')
  await context.setOffline(true)
  await harness.navigateTo(other)
  await harness.composer.fill(unique('Una'))
  await harness.composer.press('Enter')
  await expect(page.getByRole('button', { name: '1 unsent message' })).toBeVisible()
  await expect(harness.list).toContainText('Draft: half a sentence')
  await expect(harness.list).toContainText('Not sent: Una')

  await signOut()
  const question = page.getByRole('dialog', { name: 'Sign out?' })
  await expect(question).toContainText('You have 1 draft. It will be deleted.')
  await expect(question).toContainText('1 message is not sent or not confirmed. It will be deleted here.')
  await expect(question.getByRole('button', { name: 'Stay signed in' })).toBeFocused()
  expect(await violationsOf(page)).toEqual([])
  await page.keyboard.press('Enter')
  await expect(question).toHaveCount(0)
  await expect(account).toBeFocused()
  const anaIsUnaffected = async () => {
    await expect(ana.composer).toHaveValue('')
    await expect(ana.list).not.toContainText(/Draft:|Not sent:/)
    await expect(ana.page.getByRole('button', { name: /unsent message/ })).toHaveCount(0)
  }
  await anaIsUnaffected()

  await context.setOffline(false)
  await harness.navigateTo(person)
  await expect(harness.composer).toHaveValue('half a sentence')
  await harness.composer.fill('')

  const second = await context.newPage()
  await second.goto('/')
  await expect(second.getByRole('listbox', { name: 'Conversations' })).toBeVisible()
  await second.getByRole('button', { name: /^Account: / }).click()
  await second.getByRole('button', { name: 'Sign out' }).click()
  await expect(second.getByRole('dialog', { name: 'Sign out?' })).toContainText('1 message is not sent')
  await second.getByRole('button', { name: 'Sign out anyway' }).click()
  await expect(page).toHaveURL(/\/login$/)
  await harness.signIn()
  await expect(page.getByRole('button', { name: /unsent message/ })).toHaveCount(0)
  expect(await sandbox.deliveredTo(psidOf(other))).toEqual([])

  // She is asked nothing when she signs out herself, and was signed out by nobody else.
  await anaIsUnaffected()
  await ana.page.getByRole('button', { name: /^Account: / }).click()
  await ana.page.getByRole('button', { name: 'Sign out' }).click()
  await expect(ana.page).toHaveURL(/\/login$/)
})
