import type { Page } from '@playwright/test'
import { pdf, photo } from '../../server/stand-ins/sandbox/media-files.ts'
import { thingKinds } from '../../server/stand-ins/sandbox/things.ts'
import { demoStaff } from '../../server/stand-ins/supabase/demo-staff.ts'
import type { SavedReplyBody } from '../../src/schemas/saved-reply.ts'
import { tokenPairOf } from './api.ts'
import { expect, test } from './fixtures.ts'
import type { Harness } from './harness.ts'
import { isAccessible } from './look.ts'
import type { TestServer } from './server.ts'

/** What the bubble of each kind shows. */
const shownAs: Readonly<Record<(typeof thingKinds)[number], string>> = {
  sticker: 'Sticker',
  gif: 'GIF',
  location: 'Open in Google Maps',
  story_reply: 'Replied to your story',
  story_mention: 'Mentioned you in a story',
  link: 'Shared link',
  post: 'Shared post',
  reel: 'Shared reel',
  product: 'Calling cards, 100 pieces',
  ad: 'Came from an ad',
  product_question: 'Asks about a product of the shop',
  referral: 'Came from a link',
  postback: 'Pressed a button',
  quick_reply: 'Chose a quick reply',
  opt_in: 'Agreed to get messages',
  call: 'Missed call',
  generic_template: 'Order now',
  button_template: 'Kausapin ang staff',
  receipt: 'Receipt SO-',
  media_template: 'See more',
  booking: 'This inbox cannot show this yet: appointment booking',
  unsupported: 'This inbox cannot show this yet: unsupported',
  heart: 'Heart',
}
const pictureKinds: readonly string[] = ['sticker', 'gif', 'heart']

/** High enough for all messages. */
const heights = { messages: 4_600, 'messages-staff': 1_500 } as const
const takesPictures = process.env['SCREENSHOTS'] === '1'

/** Pictures came, and all from these origins. */
async function picturesAreShown({ thread, page }: Harness): Promise<void> {
  const pictures = thread.getByRole('article').locator('img')
  await expect
    .poll(() => pictures.evaluateAll((all) => all.every((one) => (one as HTMLImageElement).naturalWidth > 0)))
    .toBe(true)
  // The first picture of each video, which a screenshot would miss.
  await expect
    .poll(() =>
      page.locator('video').evaluateAll((all) => all.every((one) => (one as HTMLVideoElement).readyState > 1)),
    )
    .toBe(true)
}

/** The parts of a message stand closer to each other than to the messages around it. */
async function messagesAreApart({ thread }: Harness): Promise<void> {
  const tooClose = await thread.getByRole('article').evaluateAll((articles) =>
    articles.flatMap((article, index) => {
      const next = articles[index + 1]
      const own = [...article.children].map((child) => child.getBoundingClientRect()).filter(({ height }) => height > 0)
      const first = [...(next?.children ?? [])].find((child) => child.getBoundingClientRect().height > 0)
      const [one, two] = own
      if (first === undefined || one === undefined || two === undefined) return []
      const within = two.top - one.bottom
      const between = first.getBoundingClientRect().top - Math.max(...own.map(({ bottom }) => bottom))
      return between > within ? [] : [`${article.textContent}: ${between} after, ${within} within`]
    }),
  )
  expect(tooClose).toEqual([])
}

/** Takes a picture of the thread for the gallery at each width. */
async function look(page: Page, { thread }: Harness, name: keyof typeof heights): Promise<void> {
  await isAccessible(page)
  for (const width of [1440, 1024, 390]) {
    await page.setViewportSize({ width, height: heights[name] })
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    if (takesPictures) {
      await page.mouse.move(0, 0)
      await thread.screenshot({ path: `test-results/screens/${name}-${width}.png` })
    }
  }
}

test('each kind of message that customers send is shown as what it is', async ({
  harness,
  createPerson,
  sandbox,
  page,
  unique,
}) => {
  const person = await createPerson('Lahat', unique('Uri').replace(' ', ''), [{ wrote: 'Hello po' }])
  const foreign = new Set<string>()
  page.on('request', (request) => {
    const { origin, protocol } = new URL(request.url())
    if (protocol.startsWith('http')) foreign.add(origin)
  })
  await harness.signInAt(person)
  await page.setViewportSize({ width: 1440, height: heights.messages })
  const bubbles = harness.thread.getByRole('article')
  for (const [index, kind] of thingKinds.entries()) {
    await sandbox.send(person.psid, kind, index + 1)
    const name = shownAs[kind]
    const shown = pictureKinds.includes(kind) ? bubbles.getByRole('img', { name }) : bubbles.getByText(name)
    await expect(shown).toHaveCount(1)
    await expect(bubbles).toHaveCount(index + 2)
  }
  await sandbox.write(person.psid, '', ['image', 'video', 'audio', 'file'])
  await expect(harness.thread.getByRole('button', { name: 'Playback speed 1×' })).toBeVisible()
  await expect(bubbles.last().locator('video')).toHaveCount(1)

  const mid = await sandbox.write(person.psid, 'sa Sabdo')
  await expect(harness.bubbles('sa Sabdo')).toBeVisible()
  await sandbox.edit(person.psid, mid, 'sa Sabado')
  await expect(harness.bubbles('sa Sabado')).toContainText(/Edited \d+:\d\d [AP]M/)
  await sandbox.write(person.psid, 'Ito po ang sagot', [], mid)
  await expect(harness.thread.getByRole('button', { name: /^Show the original message/ })).toContainText('sa Sabado')

  await picturesAreShown(harness)
  expect([...foreign]).toEqual([new URL(page.url()).origin])
  await messagesAreApart(harness)
  await look(page, harness, 'messages')
})

/** Stores a saved reply as the administrator. */
async function createReply(server: TestServer, body: SavedReplyBody): Promise<void> {
  const { token } = await tokenPairOf(server, demoStaff[0])
  const response = await fetch(`${server.url}/api/saved-replies`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  expect(response.ok).toBe(true)
}

test('each kind of message that staff send, a product and a heart by keyboard and once, is shown as what it is', async ({
  api,
  harness,
  page,
  sandbox,
  server,
  unique,
}) => {
  // Not every page has an Instagram account.
  const pageId = (await api.conversations('limit=100')).find(({ platform }) => platform === 'instagram')?.page_id ?? ''
  const family = unique('Uri').replace(' ', '')
  const psid = await sandbox.createPerson(pageId, 'Sagot', family, 'instagram')
  const asked = await sandbox.write(psid, 'Magkano po ang mug?')
  await expect.poll(async () => (await api.conversations(`search=${family}`)).length).toBe(1)
  const [person] = await api.conversations(`search=${family}`)
  if (person === undefined) throw new Error('unreachable')
  const picture = { contentType: 'image/png', body: photo(3) }
  await page.route('https://cdn.example/**', (route) => route.fulfill(picture))
  const product = unique('Mug')
  const choices = unique('mug').replace(' ', '-')
  const all = { page_ids: null }
  await createReply(server, {
    ...all,
    name: `${choices}-Pula`,
    text: 'Anong kulay po?',
    structure: { kind: 'quickReplies', titles: ['Pula'] },
  })
  await createReply(server, {
    ...all,
    name: `${choices}-Mapa`,
    text: 'Nasaan po kayo?',
    structure: { kind: 'buttons', buttons: [{ title: 'Mapa', url: null }] },
  })
  await harness.signIn('administrator')
  await page.getByRole('button', { name: /^Account: / }).click()
  await page.getByRole('button', { name: 'Products', exact: true }).click()
  const products = page.getByRole('dialog', { name: 'Products' })
  await products.getByRole('button', { name: 'Add product' }).click()
  await products.getByLabel('Name').fill(product)
  await products.getByLabel('Price').fill('150')
  await products.getByLabel('Address of a picture').fill('http://cdn.example/mug.png')
  await expect(products.getByText('Enter a whole https address').first()).toBeVisible()
  await products.getByLabel('Address of a picture').fill('https://cdn.example/mug.png')
  await products.getByLabel('Link to its page').fill('https://shop.example/mug')
  await products.getByRole('button', { name: 'Add product' }).click()
  await expect(products.getByRole('heading', { name: product })).toBeVisible()
  await page.keyboard.press('Escape')
  await harness.navigateTo(person)
  await page.setViewportSize({ width: 1440, height: heights['messages-staff'] })
  const delivered = (count: number) => expect.poll(async () => (await sandbox.repliesTo(psid)).length).toBe(count)

  // A reply to a certain message, with a reaction of each side.
  const question = harness.bubbles('Magkano po ang mug?')
  const open = 'Reply to this message or react'
  await question.getByRole('button', { name: open }).press('Enter')
  await question.getByRole('group', { name: open }).getByRole('button', { name: /❤/ }).press('Enter')
  await expect(question.getByRole('listitem')).toHaveText(/❤/)
  await question.getByRole('button', { name: open }).press('Enter')
  await question
    .getByRole('group', { name: open })
    .getByRole('button', { name: 'Reply to this message' })
    .press('Enter')
  await harness.answer('P150 po')
  await delivered(1)
  const [first] = await sandbox.repliesTo(psid)
  expect(first?.reply_to).toBe(asked)
  await sandbox.react(psid, first?.mid ?? '', '😍')
  await expect(harness.bubbles('P150 po').getByRole('listitem')).toHaveText(/😍/)

  for (const [count, title] of [
    [2, 'Pula'],
    [3, 'Mapa'],
  ] as const) {
    await harness.composer.fill(`/${choices}-${title}`)
    await expect(page.getByRole('listbox', { name: 'Saved replies' }).getByRole('option')).toHaveCount(1)
    await harness.composer.press('Enter')
    await expect(harness.send).toBeEnabled()
    await harness.composer.press('Enter')
    await delivered(count)
  }
  await harness.thread.getByRole('button', { name: 'Send a product' }).press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Send a product' })
  await expect(dialog.getByRole('textbox', { name: 'Search products' })).toBeFocused()
  await page.keyboard.type(product)
  await expect(dialog.getByRole('listitem')).toHaveCount(1)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(dialog.getByRole('button', { name: 'Send card' })).toBeFocused()
  await expect(dialog.getByRole('region', { name: 'Preview' })).toContainText(product)
  await isAccessible(page)
  await page.keyboard.press('Enter')
  await expect(dialog).toHaveCount(0)
  await delivered(4)
  const heart = harness.thread.getByRole('button', { name: 'Send a heart' })
  await expect(heart).not.toHaveAttribute('aria-disabled', 'true')
  await heart.focus()
  for (const _ of [1, 2]) await page.keyboard.press('Enter')
  await expect(heart).toBeFocused()
  await delivered(5)
  expect(await sandbox.deliveredTo(psid)).toContain(`${product}\n₱150.00`)
  const [, , card, ...others] = await sandbox.structuresDeliveredTo(psid)
  expect(card).toMatchObject({ elements: [{ image_url: 'https://cdn.example/mug.png' }] })
  expect(others).toEqual([{ type: 'like_heart' }])
  await harness.thread.locator('input[type=file][multiple]').setInputFiles([
    { name: 'mug.png', mimeType: 'image/png', buffer: photo(4) },
    { name: 'quotation.pdf', mimeType: 'application/pdf', buffer: pdf('Quotation') },
  ])
  await expect(harness.send).toBeEnabled()
  await harness.send.click()
  await delivered(7)
  await sandbox.read(psid)

  const bubbles = harness.thread.getByRole('article')
  await expect(bubbles.getByText('Pula', { exact: true })).toBeVisible()
  await expect(bubbles.getByText('Mapa', { exact: true })).toBeVisible()
  await expect(bubbles.getByRole('img', { name: product })).toBeVisible()
  await expect(bubbles.getByRole('link', { name: 'shop.example' })).toHaveAttribute('href', 'https://shop.example/mug')
  await expect(bubbles.getByRole('img', { name: 'Heart' })).toHaveCount(1)
  await expect(bubbles.filter({ hasText: 'quotation.pdf' })).toContainText(/Seen \d+:\d\d [AP]M/)
  await expect(harness.thread.getByText('Waiting to send')).toHaveCount(0)
  await picturesAreShown(harness)
  await messagesAreApart(harness)
  await look(page, harness, 'messages-staff')
})
