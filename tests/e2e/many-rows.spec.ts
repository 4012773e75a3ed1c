import { nameOf } from '../../src/domain/list/conversation-text.ts'
import { expect, test } from './fixtures.ts'
import { isAccessible, screenshot } from './look.ts'

const found = <Value>(value: Value | null): Value => {
  if (value === null) throw new Error('a row is shown')
  return value
}

test('several conversations are closed, snoozed and assigned at once, on the screen of a colleague too, and undone', async ({
  ana,
  createPerson,
  harness,
  page,
  unique,
}) => {
  test.slow()
  await harness.signIn()
  const family = unique('Many').replace(' ', '')
  const names = [
    nameOf(await createPerson('Una', family, [{ wrote: 'Magkano po?' }])),
    nameOf(await createPerson('Dalawa', family, [{ wrote: 'Available pa po?' }])),
  ]
  for (const at of [harness, ana]) {
    await at.chooseView('Unassigned')
    await at.isLive()
  }
  const bothShow = async (count: number) => {
    for (const at of [harness, ana]) {
      await at.leaveList()
      for (const name of names) await expect(at.row(name)).toHaveCount(count, { timeout: 15_000 })
    }
  }
  const mark = async () => {
    for (const name of names) {
      await harness.row(name).hover()
      await page.getByRole('checkbox', { name: `Choose ${name}` }).check()
    }
    await expect(page.getByText('2 chosen')).toBeVisible()
  }
  const toolbar = page.getByRole('toolbar')
  await bothShow(1)

  await mark()
  await isAccessible(page)
  await toolbar.getByRole('button', { name: 'Done' }).click()
  await bothShow(0)
  await page.keyboard.press('z')
  await bothShow(1)

  await mark()
  await toolbar.getByRole('button', { name: 'Snooze' }).click()
  await page.getByRole('button', { name: 'Until they write' }).click()
  await bothShow(0)
  await page.keyboard.press('z')
  await bothShow(1)

  await mark()
  await toolbar.getByRole('button', { name: 'Assign' }).click()
  const dialog = page.getByRole('dialog', { name: 'Assign' })
  await expect(dialog.getByRole('button', { name: 'Ana Reyes' })).toBeVisible()
  // A viewer cannot answer.
  await expect(dialog.getByRole('button', { name: 'Liza Santos' })).toHaveCount(0)
  await dialog.getByRole('button', { name: 'Ana Reyes' }).click()
  await bothShow(0)
  await ana.chooseView('Mine')
  for (const name of names) await expect(ana.row(name)).toContainText('Assigned to you')
  await page.keyboard.press('z')
  for (const name of names) {
    await expect(ana.row(name)).toHaveCount(0)
    await expect(harness.row(name)).toHaveCount(1)
  }
})

test('choosing the first rows moves no row, the bar for them is whole at every width of the list, and Shift chooses a range by the mouse and by keys', async ({
  createPerson,
  harness,
  page,
  unique,
}) => {
  const family = unique('Range').replace(' ', '')
  for (const first of ['Una', 'Dalawa', 'Tatlo', 'Apat']) await createPerson(first, family, [{ wrote: 'Magkano po?' }])
  await harness.signIn()
  await harness.isLive()
  const bar = page.getByRole('toolbar')
  for (const width of [800, 1024, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    const first = harness.list.getByRole('option').first()
    const box = async () => found(await first.boundingBox())
    const before = await box()
    await first.hover()
    await page.getByRole('checkbox', { name: /^Choose / }).check()
    await expect(bar).toBeVisible()
    expect(await box()).toEqual(before)
    const parts = await bar.evaluate((element) => {
      const { left, right } = element.getBoundingClientRect()
      const isWhole = (part: Element) => {
        const place = part.getBoundingClientRect()
        return part.scrollWidth <= part.clientWidth && place.left >= left && place.right <= right
      }
      return [...element.querySelectorAll('p, button')].map((part) => [part.textContent, isWhole(part)])
    })
    expect(parts.length).toBeGreaterThan(6)
    expect(parts.filter(([, isWhole]) => !isWhole)).toEqual([])
    // The way from the search to the rows leads over the bar, and not over the filters that it covers.
    await page.getByRole('searchbox').focus()
    await page.keyboard.press('Tab')
    expect(await bar.evaluate((element) => element.contains(document.activeElement))).toBe(true)
    await page.getByRole('button', { name: 'Clear the choice' }).click()
    await expect(harness.list).toBeFocused()
  }

  await page.getByRole('searchbox').fill(family)
  await expect(harness.list.getByRole('option')).toHaveCount(4)
  const chosen = () =>
    harness.list
      .getByRole('option')
      .evaluateAll((rows) =>
        rows.map((row) => [/chosen/.test(row.textContent ?? ''), row.getAttribute('aria-checked')]),
      )
  const [yes, no] = [
    [true, 'true'],
    [false, 'false'],
  ]
  const [first, last] = [harness.list.getByRole('option').first(), harness.list.getByRole('option').last()]
  await first.hover()
  await page.getByRole('checkbox', { name: /^Choose / }).click()
  await last.click({ modifiers: ['Shift'] })
  expect(await chosen()).toEqual([yes, yes, yes, yes])
  expect([await page.evaluate(() => String(getSelection())), new URL(page.url()).pathname]).toEqual(['', '/'])
  await page.keyboard.press('Shift+ArrowUp')
  expect(await chosen()).toEqual([yes, yes, yes, no])
  await page.getByRole('button', { name: 'Clear the choice' }).click()
  await page.keyboard.press('ControlOrMeta+a')
  await expect(page.getByRole('toolbar')).toContainText('4 chosen')
  await screenshot(page, 'many-rows')
})
