import { expect, test } from './fixtures.ts'
import { isAccessible, screenshot } from './look.ts'

test('colleagues see each other at work in a conversation', async ({
  ana,
  createPerson,
  harness,
  page,
  sandbox,
  unique,
}) => {
  test.slow()
  await harness.signIn()
  const person = await createPerson('Wena', unique('Team').replace(' ', ''), [{ wrote: 'Magkano po?' }])
  const both = [harness, ana]
  for (const at of both) {
    await at.navigateTo(person)
    await at.isLive()
  }
  const looks = page.getByText('Ana Reyes is looking at this conversation')
  await test.step('both see who looks', async () => {
    await expect(looks).toBeAttached()
    await expect(ana.page.getByText('Paolo Cruz is looking at this conversation')).toBeAttached()
  })

  await test.step('each message and its preview name the author', async () => {
    // A robot answers, and the person waits on.
    await sandbox.write(person.psid, 'Is COD possible?')
    const automatic = 'Hello Wena, cash on delivery is possible'
    for (const at of both) {
      await expect(at.bubbles(automatic)).toHaveAccessibleName(/^Automatic reply: Cash on delivery, /)
      await expect(at.row(`Auto: ${automatic}`)).toContainText('waits for')
    }
    const [own, outside] = [unique('Five hundred'), unique('From the phone')]
    await harness.answer(own)
    await expect(harness.thread.getByRole('article', { name: /^You, / }).filter({ hasText: own })).toBeVisible()
    await expect(ana.thread.getByRole('article', { name: /^Paolo Cruz, / }).filter({ hasText: own })).toBeVisible()
    await expect(ana.row(`Paolo: ${own}`)).toBeVisible()
    await expect(harness.row(`You: ${own}`)).toBeVisible()
    for (const at of both) await expect(at.row(own)).not.toContainText('waits for')
    await sandbox.answerElsewhere(person.psid, outside)
    await expect(
      ana.thread.getByRole('article', { name: /^Business Suite, / }).filter({ hasText: outside }),
    ).toBeVisible()
    await expect(ana.row(`You: ${outside}`)).toBeVisible()
    await screenshot(ana.page, 'team-authors')
  })

  const [first, mine] = [unique('It is 500'), unique('It is 450')]
  const typing = page.getByText('Ana Reyes is typing a reply…')
  await test.step('both see who is typing', async () => {
    await sandbox.write(person.psid, unique('Magkano po ulit?'))
    await harness.composer.fill(mine)
    await expect(ana.page.getByText('Paolo Cruz is typing a reply…')).toBeVisible()
    await ana.composer.pressSequentially('It')
    await expect(typing).toBeVisible()
    await isAccessible(page)
    await screenshot(page, 'team-typing')
  })

  await test.step('the answer of a colleague is shown first, and asked about once', async () => {
    await ana.answer(first)
    await expect(harness.bubbles(first)).toBeVisible()
    await harness.composer.press('Enter')
    const question = page.getByRole('alertdialog', { name: 'Somebody has answered since you began to write' })
    await expect(question).toContainText(first)
    await expect(question).toContainText('Ana Reyes')
    await isAccessible(page)
    await screenshot(page, 'team-collision')
    await question.getByRole('button', { name: 'Edit' }).click()
    await expect(question).toBeHidden()
    await expect(harness.composer).toHaveValue(mine)
    await expect(harness.composer).toBeFocused()
    await harness.composer.press('Enter')
    await expect(harness.composer).toHaveValue('')
    await expect.poll(async () => (await sandbox.deliveredTo(person.psid)).slice(-2)).toEqual([first, mine])
  })

  await test.step('a colleague without a connection is gone within 10 s', async () => {
    await ana.page.context().setOffline(true)
    await expect(typing.or(looks)).toHaveCount(0, { timeout: 10_000 })
  })
})

test('a note mentions a colleague and never reaches the customer', async ({
  ana,
  createPerson,
  harness,
  page,
  sandbox,
  unique,
}) => {
  await harness.signIn()
  const person = await createPerson('Wena', unique('Noted').replace(' ', ''), [{ wrote: 'Bukas na lang po' }])
  await sandbox.write(person.psid, 'Bukas po')
  await ana.isLive()
  await harness.navigateTo(person)
  await page.getByRole('button', { name: 'Note', exact: true }).click()
  const box = page.getByRole('textbox', { name: 'Internal note' })
  await box.pressSequentially('@Ana')
  await page.getByRole('list', { name: 'Mention' }).getByRole('button', { name: 'Ana Reyes' }).click()
  const text = unique('asked for a discount')
  await box.pressSequentially(text)
  await isAccessible(page)
  await screenshot(page, 'team-note')
  await box.press('Enter')
  await expect(page.getByRole('article', { name: /^Note of You, / }).filter({ hasText: text })).toBeVisible()
  await expect(box).toHaveValue('')
  const mention = ana.page
    .getByRole('listitem')
    .filter({ hasText: `Paolo Cruz mentioned you in a note about ${person.unified_name}` })
  await expect(mention).toContainText(`@Ana Reyes ${text}`)
  await mention.getByRole('button', { name: 'mentioned you' }).click()
  await expect(ana.page.getByRole('article', { name: /^Note of Paolo Cruz, / })).toContainText(text)
  await page.getByRole('button', { name: 'Reply', exact: true }).click()
  await harness.answer('Sige po')
  await expect.poll(() => sandbox.deliveredTo(person.psid)).toEqual(['Sige po'])
  await page.getByRole('button', { name: 'Delete this note' }).click()
  await expect(ana.page.getByRole('article', { name: /^Note of/ })).toHaveCount(0)
})

test('a viewer has no composer and is told why, and no form that would be refused, where a colleague has them', async ({
  ana,
  harness,
  page,
  person,
}) => {
  await harness.signIn('viewer')
  await ana.navigateTo(person)
  await page.goto(`/${encodeURIComponent(person.primary_user_id ?? '')}?view=all`)
  await expect(page.getByText('You can read this conversation.')).toBeVisible()
  // Most of the thread's head loads on demand.
  await expect(page.getByText('Ana Reyes is looking at this conversation')).toBeAttached()
  await expect(ana.composer).toBeEditable()
  await isAccessible(page)
  await screenshot(page, 'team-viewer')
  await expect(harness.composer).toHaveCount(0)
  for (const name of ['Note', 'Assigned to nobody', 'Done']) {
    await expect(ana.thread.getByRole('button', { name, exact: true })).toBeVisible()
    await expect(harness.thread.getByRole('button', { name, exact: true })).toHaveCount(0)
  }
  await expect(page.getByRole('button', { name: 'Link to Client' })).toHaveCount(0)
})
