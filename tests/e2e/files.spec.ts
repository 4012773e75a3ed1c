import { writeFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { pdf, photo, voice } from '../../server/stand-ins/sandbox/media-files.ts'
import { expect, test } from './fixtures.ts'
import type { Harness } from './harness.ts'
import { Harness as Browser } from './harness.ts'
import { isAccessible } from './look.ts'
import { psidOf } from './network.ts'

const poster = { name: 'poster.png', mimeType: 'image/png', buffer: photo(1) }
const quotation = { name: 'quotation.pdf', mimeType: 'application/pdf', buffer: pdf('Quotation') }
const recording = { name: 'recording.wav', mimeType: 'audio/wav', buffer: voice(2) }

const chips = ({ thread }: Harness) => thread.getByRole('list', { name: 'Attached files' }).getByRole('listitem')
const chooser = ({ thread }: Harness) => thread.locator('input[type=file][multiple]')
/** The bubbles of files that this server keeps: the sandbox keeps those of its own people. */
const sentFiles = ({ thread }: Harness) =>
  thread.getByRole('article').filter({ has: thread.page().locator('a[href^="/pictures/"]') })

/** Fires an event with files, as a paste or a drop does. */
const withFiles = (page: Page, selector: string, type: 'paste' | 'dragenter' | 'drop') =>
  page.locator(selector).evaluate(
    (element, { type, bytes }) => {
      const data = new DataTransfer()
      data.items.add(new File([new Uint8Array(bytes)], `by-${type}.png`, { type: 'image/png' }))
      const about = { bubbles: true, cancelable: true }
      element.dispatchEvent(
        type === 'paste'
          ? new ClipboardEvent(type, { ...about, clipboardData: data })
          : new DragEvent(type, { ...about, dataTransfer: data }),
      )
    },
    { type, bytes: [...poster.buffer] },
  )

test('pasted, dropped and chosen files are attached, show a preview, change their order, and leave once and in order after the text', async ({
  harness,
  openChat,
  page,
  person,
  sandbox,
  unique,
}) => {
  const psid = psidOf(person)
  await openChat(person, 'Pa-send po')
  await expect(harness.thread.getByRole('button', { name: 'Attach files' })).toBeVisible()
  const drop = harness.thread.getByText('Drop the files here to attach them')
  await withFiles(page, 'textarea[data-message-box]', 'paste')
  await expect(chips(harness)).toHaveText([/by-paste\.png/])
  await withFiles(page, '[data-drops-files] form', 'dragenter')
  await expect(drop).toBeVisible()
  await withFiles(page, '[data-drops-files] form', 'drop')
  await expect(drop).toHaveCount(0)
  await expect(chips(harness)).toHaveText([/by-paste\.png/, /by-drop\.png/])
  for (const name of ['by-paste.png', 'by-drop.png'])
    await harness.thread.getByRole('button', { name: new RegExp(`^(Remove|Cancel) ${name}$`) }).click()
  await expect(chips(harness)).toHaveCount(0)

  await chooser(harness).setInputFiles([poster, quotation, recording])
  await expect(chips(harness)).toHaveText([/poster\.png/, /quotation\.pdf/, /recording\.wav/])
  await expect(chips(harness).first().locator('img')).toBeVisible()
  const later = harness.thread.getByRole('button', { name: 'Move poster.png one place later' })
  await later.focus()
  await page.keyboard.press('Enter')
  await expect(chips(harness)).toHaveText([/quotation\.pdf/, /poster\.png/, /recording\.wav/])
  const removed = harness.thread.getByRole('button', { name: /^(Remove|Cancel) recording\.wav$/ })
  await removed.focus()
  await page.keyboard.press('Enter')
  await expect(chips(harness)).toHaveCount(2)
  await isAccessible(page)
  const text = unique('Ito po')
  await harness.answer(text)
  await expect
    .poll(() => sandbox.filesDeliveredTo(psid))
    .toEqual([text, `file ${quotation.buffer.length}`, `image ${poster.buffer.length}`])
  await expect(chips(harness)).toHaveCount(0)
  await expect(sentFiles(harness)).toHaveCount(2)
  await expect(harness.thread.getByText('Waiting to send')).toHaveCount(0)
  // The message shows the file from this server, after a reload too.
  await page.reload()
  const picture = sentFiles(harness).locator('img')
  await expect(picture).toBeVisible()
  expect(await picture.getAttribute('src')).toMatch(/^\/pictures\//)
  await expect(sentFiles(harness)).toHaveCount(2)
})

test('a phone offers its camera', async ({ browser, person, sandbox, unique }) => {
  const psid = psidOf(person)
  await sandbox.write(psid, unique('Picture po?'))
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true })
  const phone = new Browser(await context.newPage())
  await phone.signInAt(person)
  await phone.thread.getByRole('button', { name: 'More tools' }).click()
  // A touch screen shows no title that could tell the limits.
  await expect(phone.thread.getByText('Pictures can have up to 8 MB, other files up to 25 MB.')).toBeVisible()
  const opened = phone.page.waitForEvent('filechooser')
  await phone.thread.getByRole('button', { name: 'Take a photo' }).click()
  const camera = await opened
  expect(await camera.element().getAttribute('capture')).toBe('environment')
  await camera.setFiles([poster])
  await expect(chips(phone)).toHaveText([/poster\.png/])
  await expect(phone.send).toBeEnabled()
  await phone.send.click()
  await expect.poll(() => sandbox.filesDeliveredTo(psid)).toEqual([`image ${poster.buffer.length}`])
  await context.close()
})

test('an upload continues after a reload and after a lost connection, and a sent file whose answer is lost survives a reload; each is delivered once', async ({
  context,
  harness,
  openChat,
  page,
  person,
  sandbox,
}) => {
  const psid = psidOf(person)
  await openChat(person, 'Nasaan na po')
  // The first upload never ends: the reload comes in its middle.
  let uploads = 0
  await page.route('**/outgoing-files/**', () => {
    uploads += 1
  })
  await chooser(harness).setInputFiles([poster])
  await expect.poll(() => uploads).toBe(1)
  await expect(harness.thread.getByRole('status').filter({ hasText: '1 file is still uploading' })).toBeVisible()
  await harness.composer.fill('Sandali po')
  await expect(harness.send).toBeDisabled()
  await page.reload()
  await expect(chips(harness)).toHaveText([/poster\.png/])
  await expect.poll(() => uploads).toBe(2)

  // The connection is lost in the middle of the second one.
  // The later route comes first. Between removing the first one and adding this one an upload could end.
  await page.route('**/outgoing-files/**', (route) => route.abort('connectionreset'))
  await page.reload()
  await expect(chips(harness)).toContainText(['Network error'])
  // All code has arrived.
  await page.waitForLoadState('networkidle')
  await context.setOffline(true)
  await page.unroute('**/outgoing-files/**')
  await context.setOffline(false)
  await expect(chips(harness)).not.toContainText(['Network error'])
  await expect(harness.send).toBeEnabled()
  await harness.send.click()
  await expect.poll(() => sandbox.filesDeliveredTo(psid)).toEqual(['Sandali po', `image ${poster.buffer.length}`])
  await expect(sentFiles(harness)).toHaveCount(1)
  await expect(chips(harness)).toHaveCount(0)

  // The answer to the next file is lost.
  await chooser(harness).setInputFiles(quotation)
  await expect(harness.send).toBeEnabled()
  await page.route('**/send-message', async (route) => void (await route.fetch()))
  await harness.send.click()
  const delivered = ['Sandali po', `image ${poster.buffer.length}`, `file ${quotation.buffer.length}`]
  await expect.poll(() => sandbox.filesDeliveredTo(psid)).toEqual(delivered)
  await page.unrouteAll({ behavior: 'ignoreErrors' })
  await page.reload()
  // The file is found by its key.
  await expect(sentFiles(harness)).toHaveCount(2)
  await chooser(harness).setInputFiles(poster)
  await expect(harness.send).toBeEnabled()
  await harness.send.click()
  await expect.poll(() => sandbox.filesDeliveredTo(psid)).toEqual([...delivered, `image ${poster.buffer.length}`])
  await expect(sentFiles(harness)).toHaveCount(3)
})

test('tells the limits before an upload, and makes a picture that is too large smaller', async ({
  harness,
  openChat,
  page,
  person,
  sandbox,
}) => {
  const psid = psidOf(person)
  await openChat(person, 'Ang laki po')
  await expect(harness.thread.getByRole('button', { name: 'Attach files' })).toHaveAttribute('title', /up to 25 MB/)
  const uploads: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'PUT' && request.url().includes('/outgoing-files/')) uploads.push(request.url())
  })
  // From a path, because a buffer of this size takes seconds to reach the browser.
  const film = test.info().outputPath('film.mp4')
  await writeFile(film, Buffer.alloc(25_000_001))
  await chooser(harness).setInputFiles(film)
  await expect(chips(harness)).toContainText(['This file is too large.'])
  await expect(harness.send).toBeDisabled()
  expect(uploads).toEqual([])
  await harness.thread.getByRole('button', { name: 'Remove film.mp4' }).click()
  await expect(chips(harness)).toHaveCount(0)
  // Noise does not compress, so the PNG is larger than the network takes.
  await page.evaluate(async () => {
    const canvas = new OffscreenCanvas(2000, 1500)
    const context = canvas.getContext('2d')
    if (context === null) throw new Error('no canvas')
    const noise = context.createImageData(2000, 1500)
    for (let start = 0; start < noise.data.length; start += 65_536) {
      crypto.getRandomValues(noise.data.subarray(start, start + 65_536))
    }
    for (let alpha = 3; alpha < noise.data.length; alpha += 4) noise.data[alpha] = 255
    context.putImageData(noise, 0, 0)
    const file = new File([await canvas.convertToBlob()], 'noise.png', { type: 'image/png' })
    const data = new DataTransfer()
    data.items.add(file)
    document
      .querySelector('[data-message-box]')
      ?.dispatchEvent(new ClipboardEvent('paste', { bubbles: true, cancelable: true, clipboardData: data }))
    return file.size
  })
  await expect(chips(harness)).toContainText(['noise.jpg'])
  await expect(harness.send).toBeEnabled()
  await harness.send.click()
  await expect.poll(async () => (await sandbox.filesDeliveredTo(psid))[0] ?? '').toMatch(/^image [1-7]\d{6}$/)
})
