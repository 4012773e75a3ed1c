import { expect, test } from './fixtures.ts'
import type { Harness } from './harness.ts'
import { psidOf } from './network.ts'

const sendFrom = (harness: Harness) => harness.thread.getByLabel('Send from')

test('an answer to a person of several pages shows its route and reason, and is sent there', async ({
  api,
  harness,
  page,
  sandbox,
  multiPagePeople,
  unique,
}) => {
  const multiPagePerson = multiPagePeople.pop()
  if (!multiPagePerson) throw new Error('No person of the sandbox writes to several pages')
  const id = multiPagePerson.primary_user_id ?? ''
  const first = multiPagePerson.first_name ?? ''
  const [ids, names] = [multiPagePerson.page_ids?.split(', ') ?? [], multiPagePerson.page_names?.split(', ') ?? []]
  const [here, there] = [await api.identityOn(id, ids[0] ?? ''), await api.identityOn(id, ids[1] ?? '')] as const
  const platforms = { messenger: 'Messenger', instagram: 'Instagram' }
  const on = (identity: typeof here) => platforms[identity.platform ?? 'messenger']
  await sandbox.write(there.psid, unique('Doon po'))
  await sandbox.write(here.psid, unique('Dito po'))
  await expect.poll(async () => (await api.messages(id)).at(-1)?.message_text).toContain('Dito po')

  await harness.signInAt(multiPagePerson)
  await expect(sendFrom(harness).getByRole('option')).toHaveText(['Auto-select', ...names])
  await expect(sendFrom(harness)).toHaveAccessibleDescription(`${names[0]} on ${on(here)}, where ${first} wrote last`)
  await sendFrom(harness).selectOption(ids[1] ?? '')
  await expect(sendFrom(harness)).toHaveAccessibleDescription(`to ${first} on ${on(there)}`)
  const text = unique('Mula sa kabila')
  await harness.answer(text)
  await expect.poll(() => sandbox.deliveredTo(there.psid)).toEqual([text])
  expect(await sandbox.deliveredTo(here.psid)).toEqual([])
  await expect(harness.bubbles(text)).toContainText(`via ${names[1]}`)

  const refused = { status: 404, json: { success: false, error: 'Not here' } }
  await page.route('**/best-page', (route) => route.fulfill(refused))
  await sendFrom(harness).selectOption('')
  const asFirst = 'the first page, because we could not check which page is best'
  await expect(sendFrom(harness)).toHaveAccessibleDescription(`${names[0]} on ${on(here)}, ${asFirst}`)
  await page.route('**/identity/**', (route) => route.fulfill(refused))
  let own: string | null | undefined = null
  // The row follows the server, whose row depends on the last message.
  await expect(async () => {
    own = (await api.conversations(`search=${multiPagePerson.fb_user_id}`))[0]?.page_id
    await sendFrom(harness).selectOption(own ?? '')
    await expect(sendFrom(harness)).toHaveAccessibleDescription(
      `We could not check the account of ${first} on this page. Your message goes to the account of this conversation.`,
      { timeout: 2_000 },
    )
  }).toPass()
  await sendFrom(harness).selectOption(ids.find((one) => one !== own) ?? '')
  await expect(sendFrom(harness)).toHaveAccessibleDescription(
    `${first} has not written to this page. Choose another page.`,
  )
})

test('the composer grows, breaks lines, counts by platform, keeps drafts, and discards a refused message', async ({
  api,
  harness,
  page,
  person,
  sandbox,
  unique,
}) => {
  const rows = await api.conversations('limit=100')
  const onInstagram = rows.find((row) => row.page_count === 1 && row.platform === 'instagram')
  if (!onInstagram) throw new Error('No person of the sandbox writes over Instagram')
  const greeting = unique('Hello po')
  await sandbox.write(psidOf(person), greeting)
  await harness.signInAt(person)
  await expect(sendFrom(harness)).toHaveCount(0)
  const height = async () => (await harness.composer.boundingBox())?.height ?? 0
  const before = await height()
  for (const line of ['isa', 'dalawa', 'tatlo', 'apat']) {
    await harness.composer.pressSequentially(line)
    await harness.composer.press('Shift+Enter')
  }
  await expect(harness.composer).toHaveValue('isa\ndalawa\ntatlo\napat\n')
  expect(await height()).toBeGreaterThan(before + 40)

  const form = harness.thread.getByRole('form', { name: 'Reply' })
  await harness.composer.fill('ñ'.repeat(1_999))
  await expect(form).toContainText('1,999 / 1,999')
  await expect(harness.send).toBeEnabled()
  await harness.composer.fill('ñ'.repeat(2_000))
  await expect(form).toContainText('Too long: 2,000 / 1,999')
  await expect(harness.send).toBeDisabled()
  await harness.composer.press('Enter')
  await expect(harness.bubbles('ññ')).toHaveCount(0)
  await harness.composer.fill('para sa una')

  await harness.navigateTo(onInstagram)
  await expect(harness.composer).toHaveValue('')
  await harness.composer.fill('ñ'.repeat(500))
  await expect(form).toContainText('1,000 / 1,000 bytes')
  await expect(harness.send).toBeEnabled()
  await harness.composer.fill('ñ'.repeat(501))
  await expect(form).toContainText('Too long: 1,002 / 1,000 bytes')
  await harness.composer.fill('para sa ikalawa')
  await harness.navigateTo(person)
  await expect(harness.composer).toHaveValue('para sa una')
  await harness.navigateTo(onInstagram)
  await expect(harness.composer).toHaveValue('para sa ikalawa')
  await harness.composer.fill('')

  const text = unique('Hindi po ito aabot')
  await harness.navigateTo(person)
  await harness.isLive()
  await sandbox.setFaults({ refuse: { times: 1, code: 10, subcode: 2018278, status: 403 } })
  await harness.answer(text)
  await expect(harness.bubbles(text)).toContainText('Not sent')
  await harness.bubbles(text).getByRole('button', { name: 'Discard' }).click()
  await expect(harness.bubbles(text)).toHaveCount(0)
  await page.reload()
  await expect(harness.composer).toHaveValue('')
  await expect(harness.bubbles(greeting)).toHaveCount(1)
  await expect(harness.bubbles(text)).toHaveCount(0)
  expect(await sandbox.deliveredTo(psidOf(person))).toEqual([])
})
