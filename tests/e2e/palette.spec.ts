import { nameOf } from '../../src/domain/list/conversation-text.ts'
import { expect, test } from './fixtures.ts'
import type { Harness } from './harness.ts'
import { isAccessible, screenshot } from './look.ts'

const paletteOf = ({ page }: Harness) => page.getByRole('dialog', { name: 'Find people and actions' })
const options = (harness: Harness) => paletteOf(harness).getByRole('option')

async function openPalette(harness: Harness) {
  await harness.page.keyboard.press('Control+k')
  await expect(paletteOf(harness).getByRole('combobox')).toBeFocused()
}

test('the palette finds a person under another view by keyboard alone, gives the focus back on Escape, and is accessible', async ({
  harness,
  page,
  person,
}) => {
  await harness.signIn()
  await harness.isLive()
  await page.getByRole('navigation', { name: 'Views' }).getByRole('button', { name: 'Snoozed' }).click()
  const search = page.getByRole('searchbox', { name: 'Search conversations' })
  await search.focus()
  await openPalette(harness)
  await page.keyboard.press('Escape')
  await expect(paletteOf(harness)).toBeHidden()
  await expect(search).toBeFocused()

  const name = nameOf(person)
  await openPalette(harness)
  await screenshot(page, 'palette')
  await page.setViewportSize({ width: 390, height: 844 })
  await isAccessible(page)
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.keyboard.type(name)
  const people = paletteOf(harness).getByRole('group', { name: 'People' })
  // Some people of the sandbox share a name.
  await expect(people.getByRole('option', { name }).first()).toBeVisible()
  // The list comes from the search alone: no command has such a name.
  await expect(options(harness).first()).toHaveAttribute('data-highlighted')
  await screenshot(page, 'palette-found')
  await isAccessible(page)
  await page.keyboard.press('Enter')
  await expect(paletteOf(harness)).toBeHidden()
  await expect(harness.thread.getByRole('heading', { name })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Snoozed' })).toHaveAttribute('aria-current', 'true')
})

test('a dialog of the palette gives the focus back to where the person was, else to the list', async ({
  harness,
  page,
  person,
}) => {
  const dialog = page.getByRole('dialog')
  const openByPalette = async (name: string) => {
    await openPalette(harness)
    await page.keyboard.type(name)
    await page.keyboard.press('Enter')
    await expect(dialog.getByRole('heading', { name, level: 2 })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  }
  await harness.signIn('administrator')
  await harness.isLive()
  const nowhere = () => page.evaluate(() => document.activeElement === document.body)
  await expect.poll(nowhere).toBe(true)
  await openByPalette('Manage labels')
  await expect(harness.list).toBeFocused()

  // A press beside all controls.
  await page.getByText('Select a conversation', { exact: true }).click()
  await expect(page.getByRole('region', { name: 'Thread' })).toBeFocused()
  await openPalette(harness)
  await page.keyboard.press('Escape')
  await expect(harness.list).toBeFocused()

  await harness.navigateTo(person)
  await harness.composer.focus()
  await openByPalette('Reports')
  await expect(harness.composer).toBeFocused()
})

test('what is typed while the code of the palette loads stands in its field, and runs no shortcut', async ({
  harness,
  page,
  person,
}) => {
  const loaded = Promise.withResolvers<void>()
  await page.route('**/assets/PaletteDialog*.js', async (route) => {
    await loaded.promise
    await route.fallback()
  })
  await harness.signInAt(person)
  await harness.isLive()
  const shortcuts = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await page.keyboard.press('Control+k')
  await page.keyboard.press('Escape')
  await page.keyboard.press('?')
  await expect(shortcuts).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(shortcuts).toBeHidden()

  await harness.composer.focus()
  await page.keyboard.press('Control+k')
  // Each of these keys alone is a shortcut, and Enter would send a message.
  await page.keyboard.type('sza')
  await page.keyboard.press('Backspace')
  await page.keyboard.press('Enter')
  loaded.resolve()
  const field = paletteOf(harness).getByRole('combobox')
  await expect(field).toBeFocused()
  await page.keyboard.type('x')
  await expect(field).toHaveValue('szx')
  await page.keyboard.press('Escape')
  await expect(harness.composer).toBeFocused()
  await expect(harness.composer).toHaveValue('')
})
