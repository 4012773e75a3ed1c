import { expect, test } from './fixtures.ts'
import { psidOf } from './network.ts'

const widthOf = async (pane: { boundingBox(): Promise<{ width: number } | null> }) =>
  Math.round((await pane.boundingBox())?.width ?? 0)

test('searching, reading, answering and the page filter work by keyboard alone, and a pane is resized by mouse and keys', async ({
  harness,
  person,
  sandbox,
  unique,
}) => {
  const question = unique('May available po ba?')
  const answer = unique('Opo, meron po.')
  await harness.signIn()
  await harness.isLive()
  await sandbox.write(psidOf(person), question)
  await expect(harness.row(question)).toBeVisible()

  await harness.page.keyboard.press('j')
  await expect(harness.list).toBeFocused()
  await harness.page.keyboard.press('Enter')
  await expect(harness.bubbles(question)).toHaveCount(1)
  await harness.page.keyboard.press('r')
  await expect(harness.composer).toBeFocused()
  await harness.page.keyboard.type(answer)
  await harness.page.keyboard.press('Enter')
  await expect.poll(() => sandbox.deliveredTo(psidOf(person))).toEqual([answer])

  const select = harness.page.getByRole('combobox', { name: 'Page', exact: true })
  const isListOpen = () => select.evaluate((element) => element.matches(':open'))
  await select.focus()
  await harness.page.keyboard.press('Space')
  expect(await isListOpen()).toBe(true)
  await harness.page.keyboard.press('Escape')
  expect(await isListOpen()).toBe(false)
  await expect(select).toBeFocused()
  // Escape closes nothing but its list.
  await expect(harness.composer).toBeVisible()
  await harness.page.keyboard.press('Space')
  await harness.page.keyboard.press('ArrowDown')
  await harness.page.keyboard.press('Enter')
  expect(await isListOpen()).toBe(false)
  await expect(select).toBeFocused()
  await expect(select).not.toHaveValue('')

  const more = harness.thread.getByRole('button', { name: 'More about this conversation' })
  const sync = harness.thread.getByRole('button', { name: 'Sync conversation' })
  await more.press('Enter')
  await expect(sync).toBeVisible()
  await harness.page.keyboard.press('Escape')
  await expect(sync).toBeHidden()
  await expect(more).toBeFocused()

  await harness.page.keyboard.press('Escape')
  await harness.page.keyboard.press('/')
  const search = harness.page.getByRole('searchbox', { name: 'Search conversations' })
  await expect(search).toBeFocused()
  await harness.page.keyboard.type('nobody')
  await harness.page.getByRole('button', { name: 'Clear the search' }).click()
  await expect(search).toHaveValue('')
  await expect(search).toBeFocused()
  await harness.page.keyboard.press('Escape')

  await harness.list.focus()
  await harness.page.keyboard.press('?')
  const shortcuts = harness.page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(shortcuts).toBeVisible()
  await harness.page.keyboard.press('Escape')
  await expect(shortcuts).toBeHidden()

  // A pane is resized by mouse and keys, and keeps its width after a reload.
  const divider = harness.page.getByRole('separator', { name: 'Width of the conversation list' })
  const before = await widthOf(harness.list)
  const box = await divider.boundingBox()
  if (!box) throw new Error('the divider is not shown')
  await harness.page.mouse.move(box.x + box.width / 2, box.y + 200)
  await harness.page.mouse.down()
  await harness.page.mouse.move(box.x + box.width / 2 - 64, box.y + 200, { steps: 4 })
  await harness.page.mouse.up()
  expect(await widthOf(harness.list)).toBe(before - 64)
  await divider.press('ArrowLeft')
  await expect.poll(() => widthOf(harness.list)).toBe(before - 80)
  await harness.page.reload()
  await expect.poll(() => widthOf(harness.list)).toBe(before - 80)
  await divider.dblclick()
  await expect.poll(() => widthOf(harness.list)).toBe(before)
})
