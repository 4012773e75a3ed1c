import { clientNameOf } from '../../src/domain/client/client-linking.ts'
import { expect, test } from './fixtures.ts'
import type { Harness } from './harness.ts'
import { isAccessible } from './look.ts'

const detailsOf = (at: Harness) => at.page.getByRole('complementary', { name: 'Client details' })
const dialogOf = (at: Harness, name: string) => at.page.getByRole('dialog', { name })
const toast = (at: Harness, text: string) => at.page.getByRole('listitem').filter({ hasText: text })

async function restore(at: Harness, name: string): Promise<void> {
  await at.page.getByRole('button', { name: /^Account/ }).click()
  await at.page.getByRole('button', { name: 'Deleted clients' }).click()
  const dialog = dialogOf(at, 'Deleted clients')
  await dialog
    .getByRole('button', { name: `Restore ${name}` })
    .first()
    .click()
  await expect(toast(at, 'Client restored')).toBeVisible()
  await at.page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
}

test('an edit is seen live by a colleague, whose own edit shows both values; a deleted client leaves its conversation at once, and comes back with the link', async ({
  ana,
  harness,
  linkedPerson,
  unique,
}) => {
  test.slow()
  const [company, other] = [unique('Tindahan'), unique('Panaderya')]
  await harness.signIn()
  for (const at of [harness, ana]) {
    await at.navigateTo(linkedPerson)
    await at.isLive()
    await detailsOf(at).getByRole('button', { name: 'Edit', exact: true }).click()
    await expect(dialogOf(at, 'Edit client').getByLabel('First Name')).toBeFocused()
  }
  const [mine, theirs] = [dialogOf(harness, 'Edit client'), dialogOf(ana, 'Edit client')]
  await theirs.getByLabel('Company').fill(other)
  await mine.getByLabel('Company').fill(company)
  await mine.getByRole('button', { name: 'Save' }).click()
  await expect(mine).toBeHidden()
  await expect(detailsOf(harness).getByText(company)).toBeVisible()

  await theirs.getByRole('button', { name: 'Save' }).click()
  const news = theirs.getByRole('region', { name: 'Changed by a colleague meanwhile' })
  await expect(news.getByText(`Company: ${company}`)).toBeVisible()
  await expect(theirs.getByLabel('Company')).toHaveValue(other)
  await isAccessible(ana.page)
  await news.getByRole('button', { name: `Take theirs: ${company}` }).click()
  await news.getByRole('button', { name: `Keep mine: ${other}` }).click()
  await theirs.getByRole('button', { name: 'Save' }).click()
  await expect(theirs).toBeHidden()
  await expect(detailsOf(harness).getByText(other)).toBeVisible()

  // Agents edit clients and delete none.
  await expect(detailsOf(harness).getByRole('button', { name: 'Edit', exact: true })).toBeVisible()
  await expect(detailsOf(harness).getByRole('button', { name: 'Delete', exact: true })).toHaveCount(0)
  await detailsOf(ana).getByRole('button', { name: 'Delete', exact: true }).click()
  const question = dialogOf(ana, 'Delete client')
  await expect(question.getByText('The conversation stays and is not linked any more.')).toBeVisible()
  await isAccessible(ana.page)
  await question.getByRole('button', { name: 'Delete client' }).click()
  await expect(question).toBeHidden()
  for (const at of [ana, harness]) await expect(detailsOf(at).getByText('Not linked to a client')).toBeVisible()

  const name = clientNameOf({
    first_name: linkedPerson.client_first_name,
    last_name: linkedPerson.client_last_name,
  })
  await restore(ana, name)
  for (const at of [ana, harness]) await expect(detailsOf(at).getByText('Linked to Client')).toBeVisible()
})

test('two clients are merged with a preview, and the undo separates them again; a client whose email address the person wrote is suggested, and linked after one press and a confirmation', async ({
  api,
  createPerson,
  harness,
  linkedPerson,
  unique,
}) => {
  test.slow()
  const family = unique('Kambal').replace(' ', '')
  const twin = await createPerson('Ligaya', family, [{ wrote: 'Kumusta po' }])
  await harness.signInAt(twin, 'administrator')
  await detailsOf(harness).getByRole('button', { name: 'Link to Client' }).click()
  const linking = dialogOf(harness, 'Link Client')
  await linking.getByRole('textbox').fill(family)
  await linking.getByRole('button', { name: 'Create new client' }).click()
  await linking.getByLabel('Phone').fill('0917 555 0142')
  await linking.getByRole('button', { name: 'Create & Link' }).click()
  await expect(linking).toBeHidden()

  await harness.navigateTo(linkedPerson)
  await detailsOf(harness).getByRole('button', { name: 'Merge', exact: true }).click()
  const dialog = dialogOf(harness, 'Merge clients')
  await dialog.getByRole('textbox').fill(family)
  await dialog.getByRole('button', { name: /^Compare with Ligaya/ }).click()
  await expect(dialog.getByText('Both conversations become one.')).toBeVisible()
  await dialog.getByRole('group', { name: 'Phone' }).getByRole('radio', { name: '0917 555 0142' }).check()
  await isAccessible(harness.page)
  await dialog.getByRole('button', { name: 'Merge clients' }).click()
  await expect(dialog).toBeHidden()
  await expect(detailsOf(harness).getByText('0917 555 0142')).toBeVisible()
  expect((await api.clients(family)).map(({ id }) => id)).toEqual([])
  const joined = await api.conversations(`search=${twin.primary_user_id}`)
  expect(joined.map(({ client_id }) => client_id)).toEqual([linkedPerson.client_id])

  await restore(harness, `Ligaya ${family}`)
  await expect(detailsOf(harness).getByText('0917 555 0142')).toHaveCount(0)
  const [restored] = await api.clients(family)
  expect(restored?.fb_user_id).toBe(twin.primary_user_id)
  await harness.navigateTo(twin)
  await expect(detailsOf(harness).getByText('0917 555 0142')).toBeVisible()

  const client = (await api.clients('example')).find(({ fb_user_id, email }) => fb_user_id == null && email != null)
  if (client === undefined) throw new Error('the sandbox has no client without a chat')
  const person = await createPerson('Mayumi', unique('Mungkahi').replace(' ', ''), [
    { wrote: `Ito po ang email ko: ${client.email}` },
  ])
  await harness.navigateTo(person)
  const suggestions = detailsOf(harness).getByRole('region', { name: 'Is this one of your clients?' })
  await expect(suggestions.getByText(/^Wrote the email address/).first()).toBeVisible()
  await suggestions.getByRole('button', { name: `Link to ${clientNameOf(client)}` }).click()
  await expect(linking.getByRole('radio').first()).toBeChecked()
  await expect(detailsOf(harness).getByText('Linked to Client')).toHaveCount(0)
  await linking.getByRole('button', { name: 'Link Client' }).click()
  await expect(toast(harness, 'Client linked successfully')).toBeVisible()
  await expect(detailsOf(harness).getByText('Linked to Client')).toBeVisible()
})
