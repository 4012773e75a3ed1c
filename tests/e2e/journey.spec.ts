import { Desk } from './desk.ts'
import { expect, test } from './fixtures.ts'
import { psidOf } from './network.ts'

test('a person writes, a staff member answers, and a colleague sees both', async ({
  browser,
  desk,
  person,
  sandbox,
  server,
  unique,
}) => {
  const question = unique('Magkano po ang delivery?')
  const answer = unique('150 pesos po within Metro Manila.')
  const psid = psidOf(person)
  await desk.signIn()
  await desk.isLive()
  const context = await browser.newContext({ baseURL: server.url })
  const colleague = new Desk(await context.newPage())
  await colleague.signIn('administrator')
  await colleague.isLive()

  await sandbox.write(psid, question)
  await desk.row(question).click()
  await expect(desk.page).toHaveURL(`/${person.primary_user_id}`)
  await expect(desk.bubbles(question)).toHaveCount(1)

  await desk.answer(answer)
  await expect.poll(() => sandbox.deliveredTo(psid)).toEqual([answer])
  await expect(desk.bubbles(answer)).toHaveCount(1)
  await expect(desk.bubbles(answer)).not.toContainText('Sending')
  await expect(desk.composer).toHaveValue('')

  await colleague.open(person)
  await expect(colleague.bubbles(question)).toHaveCount(1)
  await expect(colleague.bubbles(answer)).toHaveCount(1)

  const thanks = unique('Salamat po!')
  await sandbox.write(psid, thanks)
  await expect(desk.bubbles(thanks)).toHaveCount(1)
  await expect(colleague.bubbles(thanks)).toHaveCount(1)

  await desk.page.reload()
  for (const text of [question, answer, thanks]) await expect(desk.bubbles(text)).toHaveCount(1)
  await context.close()
})

test('the list holds several pages, searches, filters, and goes on when scrolled', async ({ api, desk, person }) => {
  await desk.signIn()
  const pages = desk.page.getByRole('combobox', { name: 'Page', exact: true }).getByRole('option')
  await expect(pages).toHaveCount(5)
  await expect(pages.first()).toHaveText('All Pages')

  const first = desk.list.locator('[aria-posinset="1"]')
  await expect(first).toBeVisible()
  await expect(async () => {
    await desk.list.press('End')
    await expect(desk.list.locator('[aria-posinset="40"]')).toBeVisible({ timeout: 1_000 })
  }).toPass()

  const name = person.unified_name ?? ''
  await desk.page.getByRole('searchbox', { name: 'Search conversations' }).fill(name)
  const found = await api.conversations(`search=${encodeURIComponent(name)}`)
  await expect(desk.list.getByRole('option')).toHaveCount(found.length)
  await expect(desk.list.getByRole('option').first()).toContainText(name)
})
