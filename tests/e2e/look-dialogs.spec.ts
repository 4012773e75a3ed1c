import { expect, test } from './fixtures.ts'
import { isAccessible, look } from './look.ts'
import { psidOf } from './network.ts'

// Axe takes a second each time, and there are many.
test.describe.configure({ timeout: 180_000 })

test.describe('no accessibility violation in light and dark, and no overflow', () => {
  test('the dialogs of pages, sync and FAQ', async ({ harness, page }) => {
    const header = (name: string | RegExp) => page.getByRole('banner').getByRole('button', { name, exact: true })
    const close = async () => {
      await page.keyboard.press('Escape')
      await expect(page.getByRole('dialog')).toBeHidden()
    }
    await harness.signIn('administrator')
    await harness.isLive()

    await header('Manage pages').click()
    const pages = page.getByRole('dialog', { name: 'Manage Facebook Pages' })
    await expect(pages.getByRole('listitem')).toHaveCount(4)
    await look(page, 'pages')
    await pages
      .getByRole('button', { name: /^Delete/ })
      .first()
      .click()
    await expect(page.getByRole('alertdialog')).toBeVisible()
    await look(page, 'page-deletion')
    await page.keyboard.press('Escape')
    await pages.getByRole('button', { name: /^Edit/ }).first().click()
    await expect(pages.getByRole('form', { name: 'Edit page' })).toBeVisible()
    await look(page, 'page-form')
    await close()

    await header('Sync').click()
    const history = page.getByRole('dialog', { name: 'Sync Historical Messages' })
    await history.getByRole('combobox', { name: 'Page' }).selectOption({ index: 1 })
    await look(page, 'history')
    await close()

    await header(/^Auto-sync/).click()
    await expect(page.getByRole('dialog', { name: 'Auto-Sync' }).getByText('On', { exact: true })).toBeVisible()
    await look(page, 'auto-sync')
    await close()

    await header('Manage FAQ').click()
    const faq = page.getByRole('dialog', { name: 'FAQ Management' })
    await expect(faq.getByRole('heading', { name: 'How to pay' })).toBeVisible()
    await faq.getByLabel('Message to test').fill('GCash number niyo po for a rush order?')
    await faq.getByLabel('Message to test').press('Enter')
    await expect(faq.getByText('2 matches for')).toBeVisible()
    await look(page, 'faq-list')
    await faq.getByRole('button', { name: 'Edit How to pay' }).click()
    await faq.getByRole('textbox', { name: 'Keywords' }).fill('gcash')
    await look(page, 'faq-form')
  })

  test('the client, the link dialog, the picture preview and the shortcuts', async ({
    harness,
    page,
    linkedPerson,
    unlinkedPerson,
    sandbox,
    unique,
  }) => {
    const text = unique('Ito po yung design')
    await harness.signIn()
    await harness.isLive()
    await harness.open(linkedPerson)
    await sandbox.write(psidOf(linkedPerson), text, ['image', 'video', 'audio', 'file'])
    await expect(harness.bubbles(text)).toHaveCount(1)
    await harness.thread.getByRole('button', { name: 'Orders' }).click()
    await expect(harness.composer).not.toHaveValue('')
    await look(page, 'summary')

    const picture = harness.bubbles(text).getByRole('img').first()
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
    await picture.click()
    await expect(page.getByRole('dialog').getByRole('img')).toBeVisible()
    await look(page, 'picture')
    await page.keyboard.press('Escape')

    await page.goto(`/clients/${linkedPerson.client_id}`)
    await expect(page.getByText('Total Orders')).toBeVisible()
    await look(page, 'client')

    await harness.open(unlinkedPerson)
    await page
      .getByRole('complementary', { name: 'Client details' })
      .getByRole('button', { name: 'Link to Client' })
      .click()
    const link = page.getByRole('dialog', { name: 'Link Client' })
    await expect(link.getByPlaceholder('Search by name, email, phone, or company...')).toBeFocused()
    await page.keyboard.type('example')
    await expect(link.getByText('Already linked').first()).toBeVisible()
    await look(page, 'link-client')
    await link.getByRole('button', { name: 'Create new client' }).click()
    await expect(link.getByLabel('First Name')).toBeVisible()
    await look(page, 'new-client')
    await page.keyboard.press('Escape')

    await page.getByRole('button', { name: 'Chats and client…' }).click()
    const chats = page.getByRole('dialog', { name: 'Chats and client' })
    await chats.getByRole('textbox', { name: 'Search conversations' }).fill('an')
    await expect(chats.getByRole('button', { name: /^Join the chats of/ }).first()).toBeVisible()
    await look(page, 'chats')
    await page.keyboard.press('Escape')

    await harness.list.focus()
    await page.keyboard.press('?')
    await expect(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible()
    await isAccessible(page)
  })
})
