import { thingKinds } from '../../server/stand-ins/sandbox/things.ts'
import { expect, test } from './fixtures.ts'
import { isAccessible } from './look.ts'

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
}

/** High enough for all messages. */
const height = 4_000
const takesPictures = process.env['SCREENSHOTS'] === '1'

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
  await page.setViewportSize({ width: 1440, height })
  for (const [index, kind] of thingKinds.entries()) {
    await sandbox.send(person.psid, kind, index + 1)
    const bubbles = harness.thread.getByRole('article')
    const name = shownAs[kind]
    const shown = kind === 'sticker' || kind === 'gif' ? bubbles.getByRole('img', { name }) : bubbles.getByText(name)
    await expect(shown).toHaveCount(1)
    await expect(bubbles).toHaveCount(index + 2)
  }
  await sandbox.write(person.psid, '', ['audio', 'file'])
  await expect(harness.thread.getByRole('button', { name: 'Playback speed 1×' })).toBeVisible()

  const mid = await sandbox.write(person.psid, 'sa Sabdo')
  await expect(harness.bubbles('sa Sabdo')).toBeVisible()
  await sandbox.edit(person.psid, mid, 'sa Sabado')
  await expect(harness.bubbles('sa Sabado')).toContainText(/Edited \d\d:\d\d/)

  // Pictures came, and all from here.
  const pictures = harness.thread.getByRole('article').locator('img')
  await expect
    .poll(() => pictures.evaluateAll((all) => all.every((one) => (one as HTMLImageElement).naturalWidth > 0)))
    .toBe(true)
  expect([...foreign]).toEqual([new URL(page.url()).origin])

  await isAccessible(page)
  for (const width of [1440, 1024, 390]) {
    await page.setViewportSize({ width, height })
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth <= innerWidth)).toBe(true)
    if (takesPictures) {
      await page.mouse.move(0, 0)
      await harness.thread.screenshot({ path: `test-results/screens/messages-${width}.png` })
    }
  }
})
