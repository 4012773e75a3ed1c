import type { Page } from '@playwright/test'
import { photo } from '../../server/stand-ins/sandbox/media-files.ts'
import { expect, test } from './fixtures.ts'
import { isAccessible, look, screenshot } from './look.ts'
import { psidOf } from './network.ts'

// Axe takes a second each time, and there are many.
test.describe.configure({ timeout: 180_000 })
test.use({ actionTimeout: 10_000 })

const orders = [
  { number: 5, month: 5, status: 'processing', total: '399.69', paid: 0 },
  { number: 7, month: 7, status: 'pending', total: '1000.10', paid: 0.3 },
  { number: 8, month: 8, status: 'cancelled', total: '250.00', paid: 0 },
].map(({ number, month, status, total, paid }) => ({
  id: `order-${number}`,
  order_number: `SO-${number}`,
  status,
  total_amount: total,
  created_at: `2026-0${month}-15T04:00:00.000Z`,
  payments: [{ id: `${number}`, amount: paid, status: 'approved' }],
}))

const manager = (page: Page) => page.getByRole('dialog', { name: 'Saved replies' })
const openManager = async (page: Page) => {
  await page.getByRole('button', { name: /^Account: / }).click()
  await page.getByRole('button', { name: 'Saved replies' }).last().click()
  await expect(manager(page)).toBeVisible()
}
const list = (page: Page) => page.getByRole('listbox', { name: 'Saved replies' })

test('a saved reply is written on one screen, found by / on another, filled, counted, and refused while a value is missing', async ({
  ana,
  context,
  harness,
  linkedPerson,
  page,
  sandbox,
  unique,
  unlinkedPerson,
}) => {
  const [name, elsewhere] = [unique('balance').replace(' ', '-'), unique('bakery').replace(' ', '-')]
  await context.route(/\/api\/orders\?/, (route) => route.fulfill({ json: { success: true, data: orders } }))
  await ana.isLive()

  await openManager(ana.page)
  const dialog = manager(ana.page)
  await dialog.getByRole('button', { name: 'Add saved reply' }).click()
  await expect(dialog.getByLabel('Short name')).toBeFocused()
  await dialog.getByLabel('Short name').fill(name)
  await dialog.getByLabel('Text').fill('Hi {first_name}! You owe {balance} for {order_number}. ')
  await dialog.getByRole('button', { name: 'page', exact: true }).click()
  await expect(dialog.getByLabel('Text')).toHaveValue('Hi {first_name}! You owe {balance} for {order_number}. {page}')
  const written = await dialog.getByLabel('Text').inputValue()
  await dialog.getByLabel('Text').fill(`${written} {total}`)
  await expect(dialog.getByText('{total} is not a variable. It is sent as written.')).toBeVisible()
  await dialog.getByLabel('Text').fill(written)
  await expect(dialog.getByRole('figure')).toContainText('Hi Maria! You owe ₱1,250.00 for 1042.')
  await look(ana.page, 'saved-reply-form')
  await dialog.getByRole('button', { name: 'Add saved reply' }).click()
  await expect(ana.page.getByText('Saved reply created', { exact: true }).first()).toBeVisible()
  await dialog.getByRole('button', { name: 'Add saved reply' }).click()
  await dialog.getByLabel('Short name').fill(elsewhere)
  await dialog.getByLabel('Text').fill('For another page.')
  await dialog.getByRole('checkbox', { name: 'All Pages' }).uncheck()
  const pageName = linkedPerson.page_names ?? ''
  for (const box of await dialog.getByRole('checkbox').all()) {
    const label = (await box.locator('xpath=..').innerText()).trim()
    if (label !== 'All Pages' && label !== pageName) await box.check()
  }
  await dialog.getByRole('button', { name: 'Add saved reply' }).click()
  const item = (text: string) =>
    dialog.getByRole('listitem').filter({ has: ana.page.getByRole('heading', { name: text }) })
  await expect(item(name)).toContainText('Not used yet')
  await expect(item(elsewhere)).not.toContainText('All Pages')
  await look(ana.page, 'saved-replies-list')

  await harness.signIn()
  const psid = psidOf(linkedPerson)
  await sandbox.write(psid, unique('Magkano po?'))
  await harness.navigateTo(linkedPerson)
  await harness.isLive()
  await expect(page.getByText('#SO-7')).toBeVisible()
  await harness.composer.fill('Opo. ')
  await harness.composer.pressSequentially(`/${name.slice(0, 9)}`)
  const option = list(page).getByRole('option').filter({ hasText: name })
  await expect(option).toHaveAttribute('aria-selected', 'true')
  await expect(harness.composer).toHaveAttribute('aria-activedescendant', (await option.getAttribute('id')) ?? '')
  const filled = `Hi ${linkedPerson.first_name}! You owe ₱1,399.49 for SO-7. ${pageName}`
  await expect(option).toContainText(filled)
  await look(page, 'saved-replies-picker')
  await harness.composer.press('Enter')
  await expect(list(page)).toBeHidden()
  await expect(harness.composer).toHaveValue(`Opo. ${filled}`)
  await expect(harness.composer).toBeFocused()
  await harness.composer.press('Enter')
  await expect.poll(() => sandbox.deliveredTo(psid)).toContain(`Opo. ${filled}`)

  // Only what is for the page of the conversation is offered. Escape leaves what was typed.
  await harness.composer.fill(`/`)
  await harness.composer.pressSequentially(elsewhere)
  await expect(page.getByRole('option').filter({ hasText: elsewhere })).toBeHidden()
  await harness.composer.fill('/')
  await expect(option).toBeVisible()
  await harness.composer.press('Escape')
  await expect(list(page)).toBeHidden()
  await expect(harness.composer).toHaveValue('/')
  await harness.composer.fill('')

  // A value that is not known is marked, and the message cannot be sent before it is replaced.
  const unknown = psidOf(unlinkedPerson)
  await sandbox.write(unknown, unique('Magkano po?'))
  await harness.navigateTo(unlinkedPerson)
  await harness.composer.fill(`/${name}`)
  await expect(option).toContainText('You owe balance? for order number?.')
  await harness.composer.press('Tab')
  await expect(harness.composer).toHaveValue(/You owe ⟦balance⟧ for ⟦order_number⟧\./)
  await expect(
    page.getByText(
      'The balance and order number of this person are not known. Replace ⟦balance⟧ and ⟦order_number⟧ before you send.',
    ),
  ).toBeVisible()
  await expect(harness.send).toBeDisabled()
  await harness.composer.press('Enter')
  await look(page, 'saved-reply-missing')
  // The first placeholder is selected, so that typing replaces it.
  await harness.composer.pressSequentially('₱5')
  await expect(harness.composer).toHaveValue(/You owe ₱5 for ⟦order_number⟧\./)
  await expect(harness.send).toBeDisabled()
  await harness.composer.fill('You owe ₱5.')
  await expect(page.getByText('before you send')).toBeHidden()
  await harness.composer.press('Enter')
  await expect.poll(() => sandbox.deliveredTo(unknown)).toEqual(['You owe ₱5.'])
  await harness.navigateTo(linkedPerson)
  await expect(page.getByText('#SO-7')).toBeVisible()

  // The other screen edits the text; the next list has it.
  await item(name).getByRole('button', { name: /^Edit/ }).click()
  await dialog.getByLabel('Text').fill('Please pay {balance}.')
  await dialog.getByRole('button', { name: 'Update saved reply' }).click()
  await expect(item(name)).toContainText('Used in 2 messages')
  await expect(item(name)).toContainText('Please pay {balance}.')

  // The button opens the same list, and takes its / back.
  await harness.thread.getByRole('button', { name: 'Saved replies (/)' }).click()
  await expect(option).toContainText('Please pay ₱1,399.49.')
  await harness.composer.press('Escape')
  await expect(harness.composer).toHaveValue('')

  await item(name)
    .getByRole('button', { name: /^Delete/ })
    .click()
  await isAccessible(ana.page)
  await ana.page.getByRole('alertdialog').getByRole('button', { name: 'Delete saved reply' }).click()
  await expect(item(name)).toBeHidden()
})

const front = { name: 'front.png', mimeType: 'image/png', buffer: photo(1) }
const back = { name: 'back.png', mimeType: 'image/png', buffer: photo(2) }

/** Writes a reply with two pictures in the dialog, which is open, until it can be saved. */
const writePictures = async (page: Page, name: string, text: string) => {
  const dialog = manager(page)
  await dialog.getByRole('button', { name: 'Add saved reply' }).click()
  await dialog.getByLabel('Short name').fill(name)
  await dialog.getByLabel('Text').fill(text)
  await dialog.locator('input[type=file]').setInputFiles([back, front])
  const pictures = dialog.getByRole('list', { name: 'Pictures' }).getByRole('listitem')
  await expect(pictures).toHaveText([/back\.png/, /front\.png/])
  await dialog.getByRole('button', { name: 'Move front.png one place earlier' }).click()
  await expect(pictures).toHaveText([/front\.png/, /back\.png/])
  await expect(dialog.getByRole('button', { name: 'Add saved reply' })).not.toHaveAttribute('aria-disabled', 'true')
}

test('a saved reply with two pictures attaches both, through a lost answer and a reload, each arrives once after the text or alone, and those of a deleted reply are named as gone', async ({
  ana,
  context,
  harness,
  page,
  person,
  sandbox,
  unique,
}) => {
  const name = unique('menu').replace(' ', '-')
  await openManager(ana.page)
  await writePictures(ana.page, name, 'Our menu po')
  await look(ana.page, 'saved-reply-pictures-form')
  const dialog = manager(ana.page)
  await dialog.getByRole('button', { name: 'Add saved reply' }).click()
  const item = dialog.getByRole('listitem').filter({ has: ana.page.getByRole('heading', { name }) })
  await expect(item).toContainText('2 pictures')
  await expect(item.locator('img')).toHaveCount(2)
  await item.scrollIntoViewIfNeeded()
  await screenshot(ana.page, 'saved-reply-pictures-list')
  // The form shows the stored pictures, and a change of the text keeps them.
  await item.getByRole('button', { name: /^Edit/ }).click()
  await dialog.getByLabel('Text').fill('Our new menu po')
  await expect(dialog.getByRole('list', { name: 'Pictures' }).getByRole('listitem')).toHaveText([
    /front\.png/,
    /back\.png/,
  ])
  await dialog.getByRole('button', { name: 'Update saved reply' }).click()
  await expect(item).toContainText('Our new menu po')
  await expect(item.locator('img')).toHaveCount(2)

  await harness.signIn()
  const psid = psidOf(person)
  await sandbox.write(psid, unique('Menu po?'))
  await harness.navigateTo(person)
  await harness.isLive()
  // The server makes the copy of the second picture, and its answer is lost.
  let copies = 0
  await context.route(/\/copies\//, async (route) => {
    copies += 1
    if (copies !== 2) return route.fallback()
    await route.fetch()
    await route.abort()
  })
  await harness.composer.pressSequentially(`/${name}`)
  const option = list(page).getByRole('option').filter({ hasText: name })
  await expect(option.locator('img')).toHaveCount(2)
  await screenshot(page, 'saved-reply-pictures-picker')
  await harness.composer.press('Enter')
  await expect(harness.composer).toHaveValue('Our new menu po')
  const chips = harness.thread.getByRole('list', { name: 'Attached files' }).getByRole('listitem')
  await expect(chips).toHaveText([/front\.png/, /back\.png/])
  await expect(harness.thread.getByRole('button', { name: 'Retry back.png' })).toBeVisible()
  await expect(harness.send).toBeDisabled()
  expect(await sandbox.filesDeliveredTo(psid)).toEqual([])
  await page.reload()
  await expect(chips).toHaveText([/front\.png/, /back\.png/])
  await expect(harness.composer).toHaveValue('Our new menu po')
  await expect(harness.send).toBeEnabled()
  await expect(chips.locator('img')).toHaveCount(2)
  await look(page, 'saved-reply-pictures-composer')
  await harness.send.click()
  const sent = ['Our new menu po', `image ${front.buffer.length}`, `image ${back.buffer.length}`]
  await expect.poll(() => sandbox.filesDeliveredTo(psid)).toEqual(sent)
  await expect(chips).toHaveCount(0)

  // Without its text, one of the pictures is sent alone.
  await item.getByRole('button', { name: /^Edit/ }).click()
  await dialog.getByLabel('Text').fill('')
  await dialog.getByRole('button', { name: 'Update saved reply' }).click()
  await expect(item).not.toContainText('Our new menu po')
  await harness.composer.fill(`/${name}`)
  await option.click()
  await expect(harness.composer).toHaveValue('')
  await expect(chips).toHaveCount(2)
  await harness.thread.getByRole('button', { name: /^(Remove|Cancel) front\.png$/ }).click()
  await expect(harness.send).toBeEnabled()
  await harness.send.click()
  await expect.poll(() => sandbox.filesDeliveredTo(psid)).toEqual([...sent, `image ${back.buffer.length}`])

  // The list is open while the other screen deletes the reply.
  await harness.composer.fill(`/${name}`)
  await expect(option).toBeVisible()
  await item.getByRole('button', { name: /^Delete/ }).click()
  const deleted = ana.page.waitForResponse((response) => response.request().method() === 'DELETE')
  await ana.page.getByRole('alertdialog').getByRole('button', { name: 'Delete saved reply' }).click()
  expect((await deleted).ok()).toBe(true)
  await expect(item).toBeHidden()
  await option.click()
  await expect(chips).toHaveText([
    /front\.png.*removed from the saved reply/,
    /back\.png.*removed from the saved reply/,
  ])
  await expect(harness.send).toBeDisabled()
  for (const file of ['front', 'back']) {
    await harness.thread.getByRole('button', { name: `Remove ${file}.png` }).click()
  }
  await expect(chips).toHaveCount(0)
})

test('answers from the FAQ are offered for the last question, and a key inserts one without sending it', async ({
  harness,
  page,
  person,
  sandbox,
  unique,
}) => {
  await harness.signInAt(person)
  await harness.isLive()
  const psid = psidOf(person)
  // Staff wrote just now, so that no automatic reply answers.
  const greeting = unique('Good day')
  await sandbox.write(psid, unique('Hello po'))
  await harness.answer(greeting)
  await expect.poll(() => sandbox.deliveredTo(psid)).toEqual([greeting])
  // The server has stored it.
  await expect(harness.bubbles(greeting)).toHaveAccessibleName(/^You, \d/)
  const offer = page.getByRole('region', { name: 'Answers from the FAQ' })
  await expect(offer).toBeHidden()
  await sandbox.write(psid, unique('Pwede po ba COD? Rush order po, GCash'))
  await expect(offer.getByRole('listitem')).toHaveCount(3)
  await expect(page.getByRole('status').filter({ hasText: '3 answers from the FAQ fit.' })).toBeAttached()
  await look(page, 'faq-suggestions')
  const second = (await offer.getByRole('listitem').nth(1).getByRole('button').getAttribute('title')) ?? ''
  await harness.composer.fill('Opo!')
  await harness.composer.press('Alt+2')
  await expect(harness.composer).toHaveValue(/^Opo!\n\n/)
  expect((await harness.composer.inputValue()).slice(6, 20)).toBe(
    second.replace('{userName}', person.first_name ?? '').slice(0, 14),
  )
  await expect(offer).toBeHidden()
  expect(await sandbox.deliveredTo(psid)).toEqual([greeting])
  await sandbox.write(psid, unique('COD?'))
  await expect(offer.getByRole('listitem')).toHaveCount(1)
  await offer.getByRole('button', { name: 'Hide these answers' }).click()
  await expect(offer).toBeHidden()
})
