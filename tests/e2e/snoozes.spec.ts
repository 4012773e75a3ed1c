import { limits } from '../../src/domain/limits.ts'
import { nameOf } from '../../src/domain/list/conversation-text.ts'
import { expect, test } from './fixtures.ts'

const second = 1_000
const hour = 3_600 * second
/** A snooze "until the window closes" ends this long after the last message. */
const untilWindow = limits.replyWindows.standard - hour
/** The server looks for ended snoozes every 10 s. */
const timeout = 45 * second

test('snoozes until a time and until shortly before the reply window closes end by themselves, marked on both screens', async ({
  ana,
  createPerson,
  harness,
  unique,
}) => {
  test.slow()
  const family = unique('Snooze').replace(' ', '')
  const timed = await createPerson('Oras', family, [{ wrote: 'Mamaya na lang po' }])
  await harness.signIn()
  await harness.chooseView('Snoozed')
  await harness.isLive()
  await ana.isLive()
  const search = (at: typeof ana) => at.page.getByRole('searchbox', { name: 'Search conversations' }).fill(family)
  // Its snooze must begin before this time, and both must be seen before they end.
  const closing = await createPerson('Bintana', family, [
    { wrote: 'Pag-isipan ko po', at: Date.now() - untilWindow + 15 * second },
  ])
  await search(ana)

  await ana.actAt(ana.row(nameOf(closing)), 'Snooze')
  const dialog = ana.page.getByRole('dialog', { name: 'Snooze' })
  const widths = await dialog
    .locator('.scroller')
    .evaluate(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth])
  expect(widths[0]).toBe(widths[1])
  await dialog.getByRole('button', { name: 'Before the reply window closes' }).click()
  await expect(dialog).toBeHidden()
  await ana.actAt(ana.row(nameOf(timed)), 'Snooze')
  const soon = await ana.page.evaluate((wait) => {
    const local = Date.now() - new Date().getTimezoneOffset() * 60_000
    return new Date(local + wait).toISOString().slice(0, 19)
  }, 8 * second)
  await dialog.getByLabel('At a time').fill(soon)
  await dialog.getByRole('button', { name: 'Snooze until then' }).click()

  for (const person of [timed, closing]) {
    await harness.row(nameOf(person)).click()
    await expect(harness.thread.getByRole('button', { name: /^Snoozed until / })).toBeVisible()
  }
  await harness.leaveList()
  for (const person of [timed, closing]) {
    await expect(ana.row(nameOf(person))).toContainText('Back from snooze', { timeout })
    await expect(harness.row(nameOf(person))).toHaveCount(0)
  }
  await search(harness)
  for (const person of [timed, closing]) await expect(harness.row(nameOf(person))).toContainText('Back from snooze')

  // The mark ends with what somebody does about the conversation.
  await ana.actAt(ana.row(nameOf(timed)), 'Done')
  for (const at of [harness, ana]) {
    await expect(at.row(nameOf(timed))).not.toContainText('Back from snooze')
    await expect(at.row(nameOf(closing))).toContainText('Back from snooze')
  }
})
