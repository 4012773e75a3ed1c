import { expect, test } from './fixtures.ts'
import { psidOf } from './network.ts'

const widthOf = async (pane: { boundingBox(): Promise<{ width: number } | null> }) =>
  Math.round((await pane.boundingBox())?.width ?? 0)

test('a day’s work goes by the keyboard alone', async ({ desk, person, sandbox, unique }) => {
  const question = unique('May available po ba?')
  const answer = unique('Opo, meron po.')
  await desk.signIn()
  await desk.isLive()
  await sandbox.write(psidOf(person), question)
  await expect(desk.row(question)).toBeVisible()

  await desk.page.keyboard.press('j')
  await expect(desk.list).toBeFocused()
  await desk.page.keyboard.press('u')
  await expect(desk.bubbles(question)).toHaveCount(1)
  await desk.page.keyboard.press('r')
  await expect(desk.composer).toBeFocused()
  await desk.page.keyboard.type(answer)
  await desk.page.keyboard.press('Enter')
  await expect.poll(() => sandbox.deliveredTo(psidOf(person))).toEqual([answer])

  const more = desk.thread.getByRole('button', { name: 'More about this conversation' })
  const sync = desk.thread.getByRole('button', { name: 'Sync conversation' })
  await more.press('Enter')
  await expect(sync).toBeVisible()
  await desk.page.keyboard.press('Escape')
  await expect(sync).toBeHidden()
  await expect(more).toBeFocused()

  await desk.page.keyboard.press('Escape')
  await desk.page.keyboard.press('/')
  const search = desk.page.getByRole('searchbox', { name: 'Search conversations' })
  await expect(search).toBeFocused()
  await desk.page.keyboard.type('nobody')
  await desk.page.getByRole('button', { name: 'Clear the search' }).click()
  await expect(search).toHaveValue('')
  await expect(search).toBeFocused()
  await desk.page.keyboard.press('Escape')

  await desk.list.focus()
  await desk.page.keyboard.press('?')
  const shortcuts = desk.page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await expect(shortcuts).toBeVisible()
  await desk.page.keyboard.press('Escape')
  await expect(shortcuts).toBeHidden()
})

test('a pane is dragged, moved by keys, and keeps its width over a reload', async ({ desk }) => {
  await desk.signIn()
  const divider = desk.page.getByRole('separator', { name: 'Width of the conversation list' })
  const before = await widthOf(desk.list)
  const box = await divider.boundingBox()
  if (!box) throw new Error('the divider has no place')
  await desk.page.mouse.move(box.x + box.width / 2, box.y + 200)
  await desk.page.mouse.down()
  await desk.page.mouse.move(box.x + box.width / 2 + 64, box.y + 200, { steps: 4 })
  await desk.page.mouse.up()
  expect(await widthOf(desk.list)).toBe(before + 64)

  await divider.press('ArrowLeft')
  await expect.poll(() => widthOf(desk.list)).toBe(before + 48)
  await desk.page.reload()
  await expect.poll(() => widthOf(desk.list)).toBe(before + 48)
  await divider.dblclick()
  await expect.poll(() => widthOf(desk.list)).toBe(before)
})
