import { expect, test } from './fixtures.ts'
import { inAll } from './harness.ts'
import { psidOf } from './network.ts'

test('the inbox shows three panes on a wide screen, two on a tablet, and one with a back button on a phone; the theme follows the system until one is chosen, motion is reduced on request, and new messages are announced', async ({
  harness,
  page,
  people,
  person,
  sandbox,
  unique,
}) => {
  const details = page.getByRole('complementary', { name: 'Client details' })
  const panes = async () => [
    await harness.list.isVisible(),
    await harness.thread.isVisible(),
    await details.isVisible(),
  ]
  await harness.signInAt(person)
  expect(await panes()).toEqual([true, true, true])

  await page.setViewportSize({ width: 1024, height: 768 })
  expect(await panes()).toEqual([true, true, false])
  const toggle = page.getByRole('button', { name: 'Client details' })
  await toggle.click()
  expect(await panes()).toEqual([true, true, true])
  await expect(details.getByRole('button', { name: 'Close details' })).toBeFocused()
  await page.keyboard.press('Escape')
  expect(await panes()).toEqual([true, true, false])
  await expect(toggle).toBeFocused()

  await page.setViewportSize({ width: 390, height: 844 })
  expect(await panes()).toEqual([false, true, false])
  // The thread has the screen: the composer is at its end.
  const composer = await harness.composer.boundingBox()
  expect((composer?.y ?? 0) > 600).toBe(true)
  await page.getByRole('button', { name: 'Back to conversations' }).click()
  await expect(page).toHaveURL(`/${inAll}`)
  expect(await panes()).toEqual([true, false, false])
  await harness.list.getByRole('option').first().click()
  await expect(harness.thread.getByRole('heading', { level: 2 })).toBeVisible()
  expect(await panes()).toEqual([false, true, false])

  const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
  const [light, dark] = ['rgb(251, 251, 250)', 'rgb(20, 20, 19)']
  await page.emulateMedia({ colorScheme: 'light' })
  await page.setViewportSize({ width: 1440, height: 900 })
  await harness.navigateTo(person)
  await harness.isLive()
  expect(await background()).toBe(light)
  await page.emulateMedia({ colorScheme: 'dark' })
  expect(await background()).toBe(dark)
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByText('Light', { exact: true }).click()
  expect(await background()).toBe(light)
  await page.reload()
  await harness.isLive()
  expect(await background()).toBe(light)
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByText('System', { exact: true }).click()
  expect(await background()).toBe(dark)
  await page.keyboard.press('Escape')

  const unread = async () => Number(/^\((\d+)\) Inbox$/.exec(await page.title())?.[1])
  await expect.poll(unread).not.toBeNaN()
  const before = await unread()
  const text = unique('Balita')
  await sandbox.write(psidOf(person), text)
  await expect(page.locator('[aria-live="polite"]', { hasText: `${person.unified_name}: ${text}` })).toHaveCount(1)
  // The open thread is read at once, so the count returns to its earlier value.
  await expect.poll(unread).toBe(before)

  const other = people.shift()
  if (!other) throw new Error('There are not enough people in the sandbox')
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await sandbox.write(psidOf(other), unique('Sa iba'))
  await expect(page.getByText(`New message from ${other.unified_name}`)).toBeVisible()
  await expect.poll(unread).toBe(before + 1)
  const longest = await page.evaluate(() =>
    Math.max(0, ...document.getAnimations().map(({ effect }) => Number(effect?.getComputedTiming().duration ?? 0))),
  )
  expect(longest).toBeLessThanOrEqual(1)

  // The choice of the person, whatever the system's setting.
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.getByRole('button', { name: /^Account/ }).click()
  await page.getByRole('checkbox', { name: 'Reduce motion' }).check()
  await page.keyboard.press('Escape')
  const durations = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('[data-sonner-toast], button')].map(
        (element) => getComputedStyle(element).transitionDuration,
      ),
    )
  expect(new Set((await durations()).flatMap((list) => list.split(', ').map(Number.parseFloat)))).toEqual(
    new Set([0.00001]),
  )
})
