import type { Locator } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import type { Harness } from './harness.ts'

const second = 1_000
const day = 24 * 60 * 60 * second

const messagesIn = (harness: Harness) => harness.thread.getByRole('region', { name: 'Messages' })
const headingsIn = (harness: Harness) => messagesIn(harness).getByRole('heading', { level: 3 })
const timeOf = (at: number) => new Date(at).toLocaleTimeString('en-PH', { timeStyle: 'short', timeZone: 'Asia/Manila' })

async function sidesOf(bubble: Locator, pane: Locator) {
  const [box, around] = [await bubble.locator('p').first().boundingBox(), await pane.boundingBox()]
  if (!box || !around) throw new Error('The bubble is not on the screen')
  const [left, right] = [box.x - around.x, around.x + around.width - box.x - box.width]
  return left < right ? 'left' : 'right'
}

test('a thread shows days, sides, times, links, long texts, emoji and right-to-left texts', async ({
  harness,
  createPerson,
  page,
  unique,
}) => {
  const now = Date.now()
  const [first, before] = [now - 10 * day, now - day]
  const links = unique(
    'Tingnan: https://example.com/a(1)?b=2, www.example.org. javascript:alert(1) https://me@example.net',
  )
  const long = `${'haba '.repeat(1_000)}dulo`
  const rightToLeft = 'مرحبا بكم'
  const newPerson = await createPerson('Gloria', unique('Habagat').replace(' ', ''), [
    { wrote: links, at: first },
    { answered: 'Nakita na po', at: before },
    { wrote: long, at: now - 20 * second },
    { wrote: '🎉👍🏽', at: now - 15 * second },
    { wrote: rightToLeft, at: now - 10 * second },
    { wrote: 'Huli na po', at: now - 5 * second },
  ])
  await harness.signInAt(newPerson)
  const thread = messagesIn(harness)
  await thread.evaluate((scroller) => scroller.scrollTo(0, 0))

  const longDate = new Date(first).toLocaleDateString('en-PH', {
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    timeZone: 'Asia/Manila',
  })
  await expect(headingsIn(harness)).toHaveText([longDate, 'Yesterday', 'Today', 'New'])
  expect(await sidesOf(harness.bubbles(links), thread)).toBe('left')
  expect(await sidesOf(harness.bubbles('Nakita na po'), thread)).toBe('right')
  await expect(harness.bubbles('Nakita na po').locator('time')).toHaveText(timeOf(before))
  await expect(thread.getByText('via ')).toHaveCount(0)

  const anchors = harness.bubbles(links).getByRole('link')
  await expect(anchors).toHaveText(['https://example.com/a(1)?b=2', 'www.example.org'])
  expect(
    await anchors.evaluateAll((all) =>
      all.map((link) => ['href', 'target', 'rel'].map((name) => link.getAttribute(name))),
    ),
  ).toEqual([
    ['https://example.com/a(1)?b=2', '_blank', 'noopener noreferrer'],
    ['https://www.example.org/', '_blank', 'noopener noreferrer'],
  ])

  const folded = harness.bubbles('haba haba')
  await expect(folded.locator('p').first()).toHaveText(`${long.slice(0, 4_000)}…`, { useInnerText: false })
  await folded.getByRole('button', { name: 'Show all' }).click()
  await expect(folded.locator('p').first()).toHaveText(long)
  await expect(folded.getByRole('button', { name: 'Show all' })).toHaveCount(0)

  await harness.bubbles('Huli na po').scrollIntoViewIfNeeded()
  const styleOf = (text: string, name: 'fontSize' | 'direction') =>
    harness
      .bubbles(text)
      .locator('p')
      .first()
      .evaluate((element, property) => getComputedStyle(element)[property], name)
  expect(await styleOf('🎉👍🏽', 'fontSize')).toBe('36px')
  expect(await styleOf('Huli na po', 'fontSize')).toBe('13.5px')
  expect(await styleOf(rightToLeft, 'direction')).toBe('rtl')
  expect(await styleOf('Huli na po', 'direction')).toBe('ltr')
  await expect(page.getByText('Older messages are not synced yet')).toHaveCount(1)
})

test('a file shows its size, a picture is at most 200 px high, and a click beside the preview closes it', async ({
  api,
  harness,
  page,
  people,
}) => {
  const findAttachment = async (kind: 'file_data' | 'image_data') => {
    for (const row of people) {
      const attachments = (await api.messages(row.primary_user_id ?? '')).flatMap((message) =>
        (message.attachments?.data ?? []).flatMap((one) => (one[kind] ? [one] : [])),
      )
      if (attachments[0]) return { row, attachment: attachments[0] }
    }
    throw new Error(`The sandbox has no ${kind}`)
  }
  const file = await findAttachment('file_data')
  // High enough to render the whole thread.
  await page.setViewportSize({ width: 1440, height: 6_000 })
  await harness.signIn()
  await harness.navigateTo(file.row)
  const link = messagesIn(harness).getByRole('link', { name: file.attachment.name ?? '' })
  await expect(link.first()).toContainText(/\d+(\.\d)? (B|KB)$/)
  await expect(link.first()).toHaveAttribute('download')

  const picture = await findAttachment('image_data')
  await harness.navigateTo(picture.row)
  const preview = messagesIn(harness)
    .getByRole('img', { name: picture.attachment.name ?? '' })
    .first()
  expect((await preview.boundingBox())?.height).toBeLessThanOrEqual(200)
  await preview.click()
  await expect(page.getByRole('dialog').getByRole('img')).toBeVisible()
  await page.mouse.click(4, 4)
  await expect(page.getByRole('dialog')).toBeHidden()
})

/** Records the top of a bubble in each frame. Returns a function that returns the recorded values. */
async function watchTop(bubble: Locator) {
  await bubble.evaluate((element) => {
    const tops = new Set<number>()
    Object.assign(window, { tops })
    const record = () => {
      tops.add(Math.round(element.getBoundingClientRect().top))
      requestAnimationFrame(record)
    }
    record()
  })
  return async () => bubble.evaluate(() => [...window.tops])
}

declare global {
  interface Window {
    tops: Set<number>
  }
}

test('a thread opens at the first unread message, is marked as read by its button, and loads older messages without a jump', async ({
  api,
  deliver,
  harness,
  createPerson,
  page,
  unique,
}) => {
  const now = Date.now()
  const lines = (count: number, name: string, from: number) =>
    Array.from({ length: count }, (_, index) => ({ wrote: `${name} ${index + 1}.`, at: now + from + index * 10 }))
  const newPerson = await createPerson('Hilda', unique('Salonga').replace(' ', ''), lines(90, 'luma', -2 * second))
  const id = newPerson.primary_user_id ?? ''
  await api.markRead(id)
  await deliver(lines(30, 'bago', -second).map((line) => ({ pageId: newPerson.pageId, psid: newPerson.psid, ...line })))
  const unread = async () => (await api.conversations(`search=${newPerson.last_name}`))[0]?.unread_messages
  await expect.poll(unread).toBe(30)

  await harness.signInAt(newPerson)
  const row = harness.list.getByRole('option', { selected: true })
  await expect(messagesIn(harness).getByRole('heading', { name: 'New', exact: true })).toBeInViewport()
  await expect(harness.bubbles('bago 1.')).toBeInViewport()
  await expect(harness.bubbles('bago 30.')).not.toBeInViewport()
  // Opening marked the thread as read. A new message below the visible part stays unread until it is seen or the button is pressed.
  await expect(row).not.toContainText('unread')
  await expect.poll(unread).toBe(0)
  await harness.isLive()
  await deliver([{ pageId: newPerson.pageId, psid: newPerson.psid, wrote: 'pinakabago' }])
  await expect(row).toContainText('pinakabago1 unread')
  await expect(harness.thread.getByRole('button', { name: /^\d+ new$/ })).toBeVisible()
  expect(await unread()).toBe(1)
  const markAsRead = harness.thread.getByRole('button', { name: 'Mark as Read' })
  await markAsRead.click()
  await expect(markAsRead).toBeHidden()
  await expect(row).not.toContainText('unread')
  await expect.poll(unread).toBe(0)

  const held = Promise.withResolvers<void>()
  await page.route(/\/messages\?.*page=2/, async (route) => {
    await held.promise
    await route.fallback()
  })
  const requested = page.waitForRequest(/\/messages\?.*page=2/)
  await messagesIn(harness).hover()
  await page.mouse.wheel(0, -10_000)
  await requested
  const reading = harness.bubbles('luma 74.')
  await expect(reading).toBeInViewport()
  const height = () => messagesIn(harness).evaluate((scroller) => scroller.scrollHeight)
  const before = await height()
  const tops = await watchTop(reading)
  held.resolve()
  await expect.poll(height).toBeGreaterThan(before + 1_000)
  await expect(reading).toBeInViewport()
  const recorded = await tops()
  expect(Math.max(...recorded) - Math.min(...recorded)).toBeLessThan(2)

  await expect(async () => {
    await page.mouse.wheel(0, -10_000)
    await expect(messagesIn(harness).getByText('Older messages are not synced yet')).toBeInViewport({ timeout: 1_000 })
  }).toPass()
  await expect(harness.bubbles('luma 1.')).toBeInViewport()
})

test('a hidden tab marks messages as read only when it becomes visible', async ({
  api,
  deliver,
  harness,
  createPerson,
  page,
  unique,
}) => {
  const newPerson = await createPerson('Ines', unique('Tabing').replace(' ', ''), [{ wrote: 'Una po' }])
  const unread = async () => (await api.conversations(`search=${newPerson.last_name}`))[0]?.unread_messages
  const marked: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/mark-read')) marked.push(request.url())
  })
  const show = (visible: boolean) =>
    page.evaluate((isVisible) => {
      Object.defineProperty(document, 'hidden', { configurable: true, value: !isVisible })
      document.dispatchEvent(new Event('visibilitychange'))
    }, visible)
  await harness.signIn()
  await harness.isLive()
  await show(false)
  await harness.row(`Ines ${newPerson.last_name}`).click()
  await expect(harness.bubbles('Una po')).toBeVisible()
  await deliver([{ pageId: newPerson.pageId, psid: newPerson.psid, wrote: 'Ikalawa po' }])
  await expect(harness.bubbles('Ikalawa po')).toBeVisible()
  expect([marked, await unread()]).toEqual([[], 2])
  await show(true)
  await expect.poll(unread).toBe(0)
  await expect(harness.list.getByRole('option', { selected: true })).not.toContainText('unread')
})
