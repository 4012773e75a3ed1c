import { expect, test } from './fixtures.ts'
import type { Harness } from './harness.ts'
import { psidOf } from './network.ts'

const sendFrom = (harness: Harness) => harness.thread.getByLabel('Send from')

test('staff write in the composer', async ({
  api,
  harness,
  sandbox,
  multiPagePeople,
  page,
  person,
  unlinkedPerson,
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

  await test.step('an answer to a person of several pages shows its route and reason, and is sent there', async () => {
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
  })

  const greeting = unique('Hello po')
  await sandbox.write(psidOf(person), greeting)
  await harness.navigateTo(person)
  await test.step('the composer grows and breaks lines', async () => {
    await expect(sendFrom(harness)).toHaveCount(0)
    const height = async () => (await harness.composer.boundingBox())?.height ?? 0
    const before = await height()
    for (const line of ['isa', 'dalawa', 'tatlo', 'apat']) {
      await harness.composer.pressSequentially(line)
      await harness.composer.press('Shift+Enter')
    }
    await expect(harness.composer).toHaveValue('isa\ndalawa\ntatlo\napat\n')
    expect(await height()).toBeGreaterThan(before + 40)
  })

  await test.step('each conversation keeps its draft', async () => {
    await harness.composer.fill('para sa una')

    await harness.navigateTo(unlinkedPerson)
    await expect(harness.composer).toHaveValue('')
    await harness.composer.fill('para sa ikalawa')
    await harness.navigateTo(person)
    await expect(harness.composer).toHaveValue('para sa una')
    await harness.navigateTo(unlinkedPerson)
    await expect(harness.composer).toHaveValue('para sa ikalawa')
    await harness.composer.fill('')
  })

  await test.step('a refused message is discarded for good', async () => {
    const refused = unique('Hindi po ito aabot')
    await harness.navigateTo(person)
    await harness.isLive()
    await sandbox.setFaults({ refuse: { times: 1, code: 10, subcode: 2018278, status: 403 } })
    await harness.answer(refused)
    await expect(harness.bubbles(refused)).toContainText('Not sent')
    await harness.bubbles(refused).getByRole('button', { name: 'Discard' }).click()
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click()
    await expect(harness.bubbles(refused)).toHaveCount(0)
    await page.reload()
    await expect(harness.composer).toHaveValue('')
    await expect(harness.bubbles(greeting)).toHaveCount(1)
    await expect(harness.bubbles(refused)).toHaveCount(0)
    expect(await sandbox.deliveredTo(psidOf(person))).toEqual([])
  })
})
