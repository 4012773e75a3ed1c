import { expect, test } from './fixtures.ts'
import { toaster, toastsAreStill, violationsOf } from './look.ts'
import { psidOf } from './network.ts'

test('the toast of a new message has its line, covers only free space on a wide screen, and opens the conversation', async ({
  harness,
  page,
  person,
  unlinkedPerson: other,
  sandbox,
  unique,
}) => {
  await sandbox.write(psidOf(person), unique('Hello po'))
  await sandbox.write(psidOf(other), unique('Hello po'))
  await page.clock.install()
  await harness.signInAt(person)
  await harness.isLive()
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const text = unique('Magkano po ang isang daang piraso ng tarpaulin')
    await sandbox.write(psidOf(other), text)
    const toast = page.getByRole('listitem').filter({ hasText: `New message from ${other.unified_name}` })
    await expect(toast).toContainText(text.slice(0, 40))
    await toast.hover()
    await toastsAreStill(page)

    expect(await violationsOf(page, { within: toaster })).toEqual([])
    const [box, rail] = [await toast.boundingBox(), await page.getByRole('navigation', { name: 'Views' }).boundingBox()]
    if (!box || !rail) throw new Error('The toast is not on the screen')
    expect(box.x + box.width).toBeLessThanOrEqual(rail.x + rail.width)
    const last = await page.getByRole('navigation', { name: 'Views' }).getByRole('button').last().boundingBox()
    expect(box.y).toBeGreaterThan((last?.y ?? 0) + (last?.height ?? 0))
    await page.mouse.move(700, 500)
    await page.clock.fastForward(20_000)
    await expect(toast).toHaveCount(0)
  }

  const text = unique('Opo, sige po')
  await sandbox.write(psidOf(other), text)
  await page.getByRole('button', { name: `New message from ${other.unified_name}` }).click()
  await expect(harness.thread.getByRole('heading', { name: other.unified_name ?? '' })).toBeVisible()
  await expect(page.getByText('New message from')).toHaveCount(0)
})
