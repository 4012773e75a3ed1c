import type { Locator } from '@playwright/test'
import { nameOf } from '../../src/domain/list/conversation-text.ts'
import { expect, test } from './fixtures.ts'
import type { Harness } from './harness.ts'
import { psidOf } from './network.ts'

/** The first unlinked client and the first linked one. */
const radios = (dialog: Locator) => dialog.getByRole('radio')
const free = (dialog: Locator) => radios(dialog).and(dialog.locator('[aria-disabled=false]')).first()
const linked = (dialog: Locator) => radios(dialog).and(dialog.locator('[aria-disabled=true]')).first()

const detailsOf = (harness: Harness) => harness.page.getByRole('complementary', { name: 'Client details' })
const toast = (harness: Harness, text: string) => harness.page.getByRole('listitem').filter({ hasText: text })

async function openDialog(harness: Harness): Promise<Locator> {
  await detailsOf(harness).getByRole('button', { name: 'Link to Client' }).click()
  const dialog = harness.page.getByRole('dialog', { name: 'Link Client' })
  await expect(dialog.getByPlaceholder('Search by name, email, phone, or company...')).toBeFocused()
  return dialog
}

test('staff write to a client and change the link of a conversation', async ({
  harness,
  linkedPerson,
  page,
  sandbox,
  unique,
}) => {
  const details = detailsOf(harness)
  await harness.signInAt(linkedPerson)
  await test.step('an order summary is sent as shown', async () => {
    await harness.thread.getByRole('button', { name: 'Orders' }).click()
    await expect(harness.composer).not.toHaveValue('')
    const text = await harness.composer.inputValue()
    expect(text).toContain('₱')
    expect(await sandbox.deliveredTo(psidOf(linkedPerson))).toEqual([])
    await expect(harness.send).toBeEnabled()
    await harness.send.click()
    await expect.poll(() => sandbox.deliveredTo(psidOf(linkedPerson))).toEqual([text.trim()])
  })

  const badge = harness.list.getByRole('option', { selected: true }).getByText('Linked')
  const removeLink = async () => {
    await details.getByRole('button', { name: 'Chats and client…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Chats and client' })
    await dialog.getByRole('button', { name: 'Remove link…' }).click()
    await page.getByRole('button', { name: 'Remove Link', exact: true }).click()
    await expect(dialog).toBeHidden()
    await expect(details.getByText('Not linked to a client')).toBeVisible()
    await expect(badge).toBeHidden()
  }
  await test.step('a wrong link is removed', async () => {
    await expect(badge).toBeVisible()
    await removeLink()
    await expect(toast(harness, 'The link was removed')).toBeVisible()
  })

  await test.step('a free client is found and linked, and one of another conversation is refused', async () => {
    const dialog = await openDialog(harness)
    await page.keyboard.type('example')
    await expect(free(dialog)).toBeVisible()
    await linked(dialog).click({ force: true })
    await expect(toast(harness, 'This client is already linked to another Facebook user')).toBeVisible()
    const submit = dialog.getByRole('button', { name: 'Link Client' })
    await expect(submit).toBeDisabled()
    await free(dialog).check({ force: true })
    await submit.click()
    await expect(toast(harness, 'Client linked successfully')).toBeVisible()
    await expect(dialog).toBeHidden()
    await expect(details.getByText('Linked to Client')).toBeVisible()
    await expect(badge).toBeVisible()
  })

  await test.step('a new client is created and linked', async () => {
    await removeLink()
    const company = unique('Aklatan ng Bayan')
    const dialog = await openDialog(harness)
    await page.keyboard.type('zzzzzz')
    await expect(dialog.getByText('No clients found matching "zzzzzz"')).toBeVisible()
    await dialog.getByRole('button', { name: 'Create new client' }).click()
    const [first = '', ...rest] = nameOf(linkedPerson).split(' ')
    await expect(dialog.getByLabel('First Name')).toHaveValue(first)
    await expect(dialog.getByLabel('Last Name')).toHaveValue(rest.join(' '))
    await dialog.getByLabel('Last Name').fill(rest.join(' ') || 'Santos')
    await dialog.getByLabel('Company').fill(company)
    await dialog.getByRole('button', { name: 'Create & Link' }).click()
    await expect(toast(harness, 'Client created and linked successfully')).toBeVisible()
    await expect(details.getByText(company)).toBeVisible()
    await expect(details.getByText('Total Orders')).toBeVisible()
  })
})

test('two chats are joined, on every screen, and split off again', async ({ ana, createPerson, harness, unique }) => {
  const family = unique('Lakandula').replace(' ', '')
  const first = await createPerson('Tala', family, [{ wrote: 'I wrote to the first page' }])
  const second = await createPerson('Mayumi', family, [{ wrote: 'I wrote to the second page' }])
  await harness.signIn()
  for (const who of [harness, ana]) {
    await who.navigateTo(first)
    await who.isLive()
  }
  await detailsOf(harness).getByRole('button', { name: 'Chats and client…' }).click()
  const dialog = harness.page.getByRole('dialog', { name: 'Chats and client' })
  await dialog.getByRole('textbox', { name: 'Search conversations' }).fill(family)
  await dialog.getByRole('button', { name: `Join the chats of ${nameOf(second)} (` }).click()
  await harness.page.getByRole('button', { name: 'Join Chats', exact: true }).click()
  await expect(toast(harness, 'The chats are one conversation now')).toBeVisible()
  for (const who of [harness, ana]) {
    await expect(who.bubbles('I wrote to the first page')).toBeVisible()
    await expect(who.bubbles('I wrote to the second page')).toBeVisible()
  }

  await detailsOf(harness).getByRole('button', { name: 'Chats and client…' }).click()
  await dialog.getByRole('button', { name: /^Split off the chat on/ }).click()
  await harness.page.getByRole('button', { name: 'Split Off', exact: true }).click()
  await expect(toast(harness, 'The chat has a conversation of its own now')).toBeVisible()
  for (const who of [harness, ana]) {
    await expect(who.bubbles('I wrote to the first page')).toBeVisible()
    await expect(who.bubbles('I wrote to the second page')).toBeHidden()
  }
  await harness.navigateTo(second)
  await expect(harness.bubbles('I wrote to the second page')).toBeVisible()
})
