import { expect, test } from './fixtures.ts'
import { inAll } from './harness.ts'
import { psidOf } from './network.ts'

test('a person writes, a staff member answers, and a colleague sees both', async ({
  ana: colleague,
  harness,
  person,
  sandbox,
  unique,
}) => {
  const question = unique('Magkano po ang delivery?')
  const answer = unique('150 pesos po within Metro Manila.')
  const psid = psidOf(person)
  await harness.signInByForm()
  await harness.isLive()
  await colleague.isLive()

  await sandbox.write(psid, question)
  await harness.row(question).click()
  await expect(harness.page).toHaveURL(`/${person.primary_user_id}${inAll}`)
  await expect(harness.bubbles(question)).toHaveCount(1)

  await harness.answer(answer)
  await expect.poll(() => sandbox.deliveredTo(psid)).toEqual([answer])
  await expect(harness.bubbles(answer)).toHaveCount(1)
  await expect(harness.bubbles(answer)).not.toContainText('Sending')
  await expect(harness.composer).toHaveValue('')

  await colleague.open(person)
  await expect(colleague.bubbles(question)).toHaveCount(1)
  await expect(colleague.bubbles(answer)).toHaveCount(1)

  const thanks = unique('Salamat po!')
  await sandbox.write(psid, thanks)
  await expect(harness.bubbles(thanks)).toHaveCount(1)
  await expect(colleague.bubbles(thanks)).toHaveCount(1)

  await harness.page.reload()
  for (const text of [question, answer, thanks]) await expect(harness.bubbles(text)).toHaveCount(1)
})

test('the list searches, filters, and loads more result pages when scrolled', async ({ api, harness, person }) => {
  await harness.signIn()
  const pages = harness.page.getByRole('combobox', { name: 'Page', exact: true }).getByRole('option')
  await expect(pages).toHaveCount(5)
  await expect(pages.first()).toHaveText('All Pages')

  const first = harness.list.locator('[aria-posinset="1"]')
  await expect(first).toBeVisible()
  await expect(async () => {
    await harness.list.press('End')
    await expect(harness.list.locator('[aria-posinset="40"]')).toBeVisible({ timeout: 1_000 })
  }).toPass()

  const name = person.unified_name ?? ''
  await harness.page.getByRole('searchbox', { name: 'Search conversations' }).fill(name)
  const found = await api.conversations(`search=${encodeURIComponent(name)}`)
  await expect(harness.list.getByRole('option')).toHaveCount(found.length)
  await expect(harness.list.getByRole('option').first()).toContainText(name)
})
