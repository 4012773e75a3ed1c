import type { Locator } from '@playwright/test'
import { clientNameOf } from '../../src/domain/client/client-linking.ts'
import { nameOf } from '../../src/domain/list/conversation-text.ts'
import { expect, test } from './fixtures.ts'
import { Harness } from './harness.ts'
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

test('a client is found and linked, and a linked client cannot be chosen', async ({ harness, unlinkedPerson }) => {
  await harness.signInAt(unlinkedPerson)
  await expect(detailsOf(harness).getByText('Not linked to a client')).toBeVisible()
  const dialog = await openDialog(harness)
  await harness.page.keyboard.type('example')
  await expect(free(dialog)).toBeVisible()

  await expect(dialog.getByText('Already linked').first()).toBeVisible()
  await linked(dialog).click({ force: true })
  await expect(toast(harness, 'This client is already linked to another Facebook user')).toBeVisible()
  const submit = dialog.getByRole('button', { name: 'Link Client' })
  await expect(submit).toBeDisabled()

  await free(dialog).check({ force: true })
  await expect(dialog.getByRole('img', { name: 'Selected' })).toHaveCount(1)
  await submit.click()
  await expect(toast(harness, 'Client linked successfully')).toBeVisible()
  await expect(dialog).toBeHidden()
  await expect(detailsOf(harness).getByText('Linked to Client')).toBeVisible()
  await expect(harness.list.getByRole('option', { selected: true }).getByText('Linked')).toBeVisible()
})

test('a new client is created with the name of the chat and linked', async ({ harness, unlinkedPerson, unique }) => {
  const company = unique('Aklatan ng Bayan')
  await harness.signInAt(unlinkedPerson)
  const dialog = await openDialog(harness)
  await harness.page.keyboard.type('zzzzzz')
  await expect(dialog.getByText('No clients found matching "zzzzzz"')).toBeVisible()
  await dialog.getByRole('button', { name: 'Create new client' }).click()
  const [first = '', ...rest] = nameOf(unlinkedPerson).split(' ')
  await expect(dialog.getByLabel('First Name')).toHaveValue(first)
  await expect(dialog.getByLabel('Last Name')).toHaveValue(rest.join(' '))
  await dialog.getByLabel('Last Name').fill(rest.join(' ') || 'Santos')
  await dialog.getByLabel('Company').fill(company)
  await dialog.getByRole('button', { name: 'Create & Link' }).click()
  await expect(toast(harness, 'Client created and linked successfully')).toBeVisible()
  await expect(detailsOf(harness).getByText(company)).toBeVisible()
  await expect(detailsOf(harness).getByText('Total Orders')).toBeVisible()
})

test('the dialog stays open and reports a link that a colleague made first', async ({
  browser,
  harness,
  server,
  unlinkedPerson,
  people,
}) => {
  const other = people.splice(
    people.findIndex(({ client_id }) => client_id == null),
    1,
  )[0]
  if (!other) throw new Error('There are not enough people in the sandbox')
  const context = await browser.newContext({ baseURL: server.url })
  const colleague = new Harness(await context.newPage())
  await Promise.all([harness.signIn(), colleague.signIn('administrator')])
  await Promise.all([harness.open(unlinkedPerson), colleague.open(other)])
  const choose = async (who: Harness) => {
    const dialog = await openDialog(who)
    await who.page.keyboard.type('example')
    await free(dialog).check({ force: true })
    return dialog
  }
  const [mine, theirs] = [await choose(harness), await choose(colleague)]
  await theirs.getByRole('button', { name: 'Link Client' }).click()
  await expect(toast(colleague, 'Client linked successfully')).toBeVisible()
  await mine.getByRole('button', { name: 'Link Client' }).click()
  await expect(mine.getByRole('alert')).toHaveText('This client is already linked to another Facebook user')
  await expect(mine).toBeVisible()
  await context.close()
})

test('an order summary is shown before it is sent, and is sent unchanged', async ({
  harness,
  linkedPerson,
  sandbox,
}) => {
  await harness.signInAt(linkedPerson)
  await harness.thread.getByRole('button', { name: 'Orders' }).click()
  await expect(harness.composer).not.toHaveValue('')
  const text = await harness.composer.inputValue()
  expect(text).toContain('₱')
  expect(await sandbox.deliveredTo(psidOf(linkedPerson))).toEqual([])
  await expect(harness.send).toBeEnabled()
  await harness.send.click()
  await expect.poll(() => sandbox.deliveredTo(psidOf(linkedPerson))).toEqual([text.trim()])
})

test('an unlinked conversation has no order summary', async ({ harness, unlinkedPerson }) => {
  await harness.signInAt(unlinkedPerson)
  await expect(harness.thread.getByRole('button', { name: 'Orders' })).toBeDisabled()
  await expect(harness.thread.getByRole('button', { name: 'Payments' })).toBeDisabled()
})

test('View Client opens the client in a new tab', async ({ context, harness, linkedPerson }) => {
  await harness.signInAt(linkedPerson)
  const opened = context.waitForEvent('page')
  await detailsOf(harness).getByRole('link', { name: 'View Client' }).click()
  const page = await opened
  await expect(page).toHaveURL(`/clients/${linkedPerson.client_id}`)
  for (const name of ['Orders', 'Payments', 'Linked conversations']) {
    await expect(page.getByRole('heading', { name })).toBeVisible()
  }
  await expect(page.getByText('Total Orders')).toBeVisible()
})

test('the search waits for two characters and a pause, and each step shows its progress', async ({
  api,
  harness,
  page,
  unlinkedPerson,
}) => {
  const hold = async (path: RegExp) => {
    const held = Promise.withResolvers<void>()
    await page.route(path, async (route) => {
      await held.promise
      await route.fallback()
    })
    return held
  }
  const asked: (string | null)[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname.endsWith('/search-clients')) asked.push(searchParams.get('search'))
  })
  const [searching, creating] = [await hold(/search-clients/), await hold(/\/api\/clients$/)]
  await page.clock.install()
  await harness.signInAt(unlinkedPerson)
  const dialog = await openDialog(harness)
  await expect(dialog.getByText(nameOf(unlinkedPerson))).toBeVisible()
  await page.clock.pauseAt(Date.now() + 60_000)
  await page.keyboard.press('e')
  await page.clock.runFor(1_000)
  await page.keyboard.press('x')
  await page.clock.runFor(299)
  expect(asked).toEqual([])
  await page.clock.runFor(1)
  await expect.poll(() => asked).toEqual(['ex'])
  await page.clock.resume()
  await expect(dialog.getByText('Searching...')).toBeVisible()
  searching.resolve()
  const [first] = await api.clients('ex')
  const facts = [clientNameOf(first ?? {}), first?.email, first?.phone, first?.company_name].filter(Boolean)
  for (const fact of facts) await expect(dialog.locator('label').first()).toContainText(fact ?? '')

  await dialog.getByRole('button', { name: 'Create new client' }).click()
  await dialog.getByLabel('Email').fill('not an address')
  await dialog.getByLabel('Last Name').fill('Magtanggol')
  const submit = dialog.getByRole('button', { name: 'Create & Link' })
  await expect(submit).toBeDisabled()
  await expect(submit).toHaveAccessibleDescription('Enter an email address, like name@example.com.')
  await dialog.getByLabel('Email').fill('')
  await submit.click()
  await expect(dialog.getByRole('button', { name: 'Creating...' })).toBeDisabled()
  const linking = await hold(/link-client/)
  creating.resolve()
  await expect(dialog.getByRole('button', { name: /^(Creating|Linking)\.\.\.$/ })).toBeDisabled()
  linking.resolve()
  await expect(toast(harness, 'Client created and linked successfully')).toBeVisible()
})

test('a wrong link is removed, and the person can be linked again', async ({ harness, linkedPerson }) => {
  await harness.signInAt(linkedPerson)
  await detailsOf(harness).getByRole('button', { name: 'Chats and client…' }).click()
  const dialog = harness.page.getByRole('dialog', { name: 'Chats and client' })
  await dialog.getByRole('button', { name: 'Remove link…' }).click()
  await harness.page.getByRole('button', { name: 'Remove Link', exact: true }).click()
  await expect(toast(harness, 'The link was removed')).toBeVisible()
  await expect(dialog).toBeHidden()
  await expect(detailsOf(harness).getByRole('button', { name: 'Link to Client' })).toBeVisible()
  await expect(harness.list.getByRole('option', { selected: true }).getByText('Linked')).toBeHidden()
  await openDialog(harness)
})

test('two chats are joined, on every screen, and split off again', async ({
  browser,
  createPerson,
  harness,
  server,
  unique,
}) => {
  const family = unique('Lakandula').replace(' ', '')
  const first = await createPerson('Tala', family, [{ wrote: 'I wrote to the first page' }])
  const second = await createPerson('Mayumi', family, [{ wrote: 'I wrote to the second page' }])
  const context = await browser.newContext({ baseURL: server.url })
  const colleague = new Harness(await context.newPage())
  await Promise.all([harness.signIn(), colleague.signIn('administrator')])
  await Promise.all([harness.open(first), colleague.open(first)])
  await detailsOf(harness).getByRole('button', { name: 'Chats and client…' }).click()
  const dialog = harness.page.getByRole('dialog', { name: 'Chats and client' })
  await dialog.getByRole('textbox', { name: 'Search conversations' }).fill(family)
  await dialog.getByRole('button', { name: `Join the chats of ${nameOf(second)} (` }).click()
  await harness.page.getByRole('button', { name: 'Join Chats', exact: true }).click()
  await expect(toast(harness, 'The chats are one conversation now')).toBeVisible()
  for (const who of [harness, colleague]) {
    await expect(who.bubbles('I wrote to the first page')).toBeVisible()
    await expect(who.bubbles('I wrote to the second page')).toBeVisible()
  }

  await detailsOf(harness).getByRole('button', { name: 'Chats and client…' }).click()
  await dialog.getByRole('button', { name: /^Split off the chat on/ }).click()
  await harness.page.getByRole('button', { name: 'Split Off', exact: true }).click()
  await expect(toast(harness, 'The chat has a conversation of its own now')).toBeVisible()
  for (const who of [harness, colleague]) {
    await expect(who.bubbles('I wrote to the first page')).toBeVisible()
    await expect(who.bubbles('I wrote to the second page')).toBeHidden()
  }
  await harness.open(second)
  await expect(harness.bubbles('I wrote to the second page')).toBeVisible()
  await context.close()
})
