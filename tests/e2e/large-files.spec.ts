import { writeFile } from 'node:fs/promises'
import { expect, test } from './fixtures.ts'
import { Harness as Tab } from './harness.ts'
import { psidOf } from './network.ts'

/** Two whole parts and a rest. */
const film = Buffer.concat([Buffer.from('\0\0\0\x18ftypisom', 'latin1'), Buffer.alloc(11_000_000, 7)])

test('a large file goes in parts, continues with the first missing one after a lost connection and a reload, and is delivered once; a file in two tabs leaves both when it is sent', async ({
  context,
  harness,
  openChat,
  page,
  person,
  sandbox,
}) => {
  const psid = psidOf(person)
  await openChat(person, 'Pa-send po ng video')
  const chip = harness.thread.getByRole('list', { name: 'Attached files' }).getByRole('listitem')
  const sent: string[] = []
  await page.route('**/outgoing-files/*/parts/*', async (route) => {
    const number = route.request().url().split('/').at(-1) ?? ''
    sent.push(number)
    // The connection is lost in the middle of the second part.
    if (number === '2' && sent.length === 2) await route.abort('connectionreset')
    // The third never ends: the reload comes in its middle.
    else if (number !== '3' || sent.filter((each) => each === '3').length > 1) await route.continue()
  })
  // From a path, because a buffer of this size takes seconds to reach the browser.
  const path = test.info().outputPath('film.mp4')
  await writeFile(path, film)
  await harness.thread.locator('input[type=file][multiple]').setInputFiles(path)
  await expect(chip).toContainText('Network error')
  await context.setOffline(true)
  await context.setOffline(false)
  await expect.poll(() => sent).toEqual(['1', '2', '2', '3'])
  await page.reload()
  await expect.poll(() => sent).toEqual(['1', '2', '2', '3', '3'])
  await expect(harness.send).toBeEnabled()
  await harness.send.click()
  await expect.poll(() => sandbox.filesDeliveredTo(psid), { timeout: 30_000 }).toEqual([`video ${film.length}`])
  await page.reload()
  await expect(harness.thread.locator('video[src^="/pictures/"]')).toHaveCount(1)
  await expect(chip).toHaveCount(0)

  // A file in two tabs leaves both when one of them sends it.
  const note = { name: 'note.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.4 note') }
  await harness.thread.locator('input[type=file][multiple]').setInputFiles(note)
  await expect(harness.send).toBeEnabled()
  const other = new Tab(await context.newPage())
  await other.page.goto(page.url())
  const chipOfOther = other.thread.getByRole('list', { name: 'Attached files' }).getByRole('listitem')
  await expect(chipOfOther).toHaveText([/note\.pdf/])
  await harness.send.click()
  await expect
    .poll(() => sandbox.filesDeliveredTo(psid))
    .toEqual([`video ${film.length}`, `file ${note.buffer.length}`])
  await expect(chipOfOther).toHaveCount(0)
})
