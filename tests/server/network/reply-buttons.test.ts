import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Graph } from '../../../server/network/graph/graph.ts'
import { SendRefused } from '../../../server/network/send/send-refusals.ts'
import type { SendOrder } from '../../../server/network/send/stored-sends.ts'
import { likeHeart, textOfHeart } from '../../../src/domain/send/like-heart.ts'
import { writtenText } from '../../../src/domain/written-text.ts'
import { parsePart } from '../../../src/schemas/message-part.ts'
import type { StructuredContent } from '../../../src/schemas/structured-message.ts'
import { describeOnDatabase } from '../databases.ts'
import { appId, type Harness, openHarness, prints, printsInstagram } from '../network-harness.ts'

const yesNo: StructuredContent = { kind: 'quickReplies', titles: ['Opo', 'Hindi po'] }
const buttons: StructuredContent = {
  kind: 'buttons',
  buttons: [
    { title: 'Mapa', url: 'https://example.com/map' },
    { title: 'Tawagan ako', url: null },
  ],
}

describeOnDatabase('Quick replies, buttons and cards', (open) => {
  let harness: Harness

  beforeAll(async () => {
    harness = await openHarness(await open())
    await harness.connect(prints)
  })
  afterAll(() => harness.close())

  const order = (psid: string, structured: StructuredContent, text = 'Kukunin ninyo po?'): SendOrder => ({
    key: randomUUID(),
    staffId: 'staff-1',
    pageId: prints,
    psid,
    text,
    structured,
  })
  const delivered = (psid: string) =>
    harness.control<{ text: string; structure: unknown }[]>('GET', `/people/${psid}/deliveries`)
  const texts = async (psid: string) =>
    (await harness.thread(psid)).map(({ direction, message_text }) => [direction, message_text])

  const refusalOf = (sent: SendOrder) =>
    harness
      .newSending()
      .send(sent)
      .then(
        () => null,
        (error: unknown) => error instanceof SendRefused && error.code,
      )

  it.each(['messenger', 'instagram'] as const)(
    'arrive with their text on %s, once for each key, and a tap comes back as a message',
    async (platform) => {
      const psid = await harness.createPerson(platform)
      const sent = order(psid, yesNo)
      const answer = await harness.newSending().send(sent)
      expect(await harness.newSending().send(sent)).toEqual(answer)
      await harness.newSending().send(order(psid, buttons, 'Saan po?'))
      await harness.settle()
      expect(await delivered(psid)).toMatchObject([
        {
          text: 'Kukunin ninyo po?',
          structure: ['Opo', 'Hindi po'].map((title) => ({ content_type: 'text', title, payload: title })),
        },
        {
          text: 'Saan po?',
          structure: {
            template_type: 'button',
            buttons: [
              { type: 'web_url', title: 'Mapa', url: 'https://example.com/map' },
              { type: 'postback', title: 'Tawagan ako', payload: 'Tawagan ako' },
            ],
          },
        },
      ])
      await harness.control('POST', `/people/${psid}/taps`, { title: 'Tawagan ako' })
      await harness.settle()
      expect(await texts(psid)).toEqual([
        ['incoming', 'Hello po'],
        ['outgoing', 'Kukunin ninyo po?'],
        ['outgoing', 'Saan po?'],
        ['incoming', 'Tawagan ako'],
      ])
    },
  )

  it('are kept with the sent message, so that the thread shows them as they looked', async () => {
    const psid = await harness.createPerson()
    const card: StructuredContent = { kind: 'card', title: 'Mug', subtitle: '₱125.50' }
    for (const [structured, text] of [[yesNo], [buttons], [card, 'Mug\n₱125.50']] as const)
      await harness.newSending().send(order(psid, structured, text))
    await harness.settle()
    const shown = (await harness.thread(psid))
      .slice(1)
      .map(({ message_text, content }) => [
        writtenText({ message_text, content }),
        content?.parts
          .map(parsePart)
          .map((part) => part.kind === 'template' && [part.template_type, part.buttons, part.cards]),
      ])
    expect(shown).toEqual([
      [
        'Kukunin ninyo po?',
        [
          [
            'quick_replies',
            [
              { title: 'Opo', link: null },
              { title: 'Hindi po', link: null },
            ],
            [],
          ],
        ],
      ],
      [
        'Kukunin ninyo po?',
        [
          [
            'button',
            [
              { title: 'Mapa', link: 'https://example.com/map' },
              { title: 'Tawagan ako', link: null },
            ],
            [],
          ],
        ],
      ],
      ['', [['generic', [], [{ title: 'Mug', text: '₱125.50', file: null, link: null, buttons: [] }]]]],
    ])
  })

  it('come back as the title of the quick reply that was tapped', async () => {
    const psid = await harness.createPerson()
    await harness.newSending().send(order(psid, yesNo))
    await harness.control('POST', `/people/${psid}/taps`, { title: 'Opo' })
    await harness.settle()
    expect((await texts(psid)).at(-1)).toEqual(['incoming', 'Opo'])
  })

  it('do the same for the card of a product, whose text must be its own', async () => {
    const psid = await harness.createPerson('instagram')
    const card: StructuredContent = { kind: 'card', title: 'Mug', subtitle: '₱125.50' }
    const sent = order(psid, card, 'Mug\n₱125.50')
    const refused = harness.newSending().send(order(psid, card, 'Mug'))
    await expect(refused).rejects.toMatchObject({ status: 400, code: 'CARD_TEXT' })
    await harness.newSending().send(sent)
    await harness.newSending().send(sent)
    await harness.settle()
    expect(await delivered(psid)).toMatchObject([
      { structure: { template_type: 'generic', elements: [{ title: 'Mug', subtitle: '₱125.50' }] } },
    ])
    expect((await texts(psid)).slice(1)).toEqual([['outgoing', 'Mug\n₱125.50']])
  })

  it.each([false, true])(
    'show the picture and the link of a product, also if the echo comes first: %s',
    async (isFirst) => {
      const psid = await harness.createPerson('instagram')
      const [picture, link] = ['https://cdn.example/mug.jpg', 'https://www.shop.example/mug']
      const card: StructuredContent = { kind: 'card', title: 'Mug', subtitle: '₱125.50', picture, link }
      const echoing: Graph = {
        ...harness.graph,
        send: async (token, send) => {
          const messageId = await harness.graph.send(token, send)
          if (isFirst) await harness.settle()
          return messageId
        },
      }
      await harness.newSending(echoing).send(order(psid, card, 'Mug\n₱125.50'))
      await harness.settle()
      const button = { title: 'shop.example', url: link }
      const element = { title: 'Mug', subtitle: '₱125.50', image_url: picture }
      const opens = { default_action: { type: 'web_url', url: link }, buttons: [{ type: 'web_url', ...button }] }
      expect(await delivered(psid)).toMatchObject([
        { structure: { template_type: 'generic', elements: [{ ...element, ...opens }] } },
      ])
      const [sent] = (await harness.thread(psid)).slice(1)
      const shown = { title: 'Mug', text: '₱125.50', file: 0, link: null, buttons: [{ title: 'shop.example', link }] }
      expect([sent?.content?.parts, sent?.attachments?.data.map(({ image_data }) => image_data?.url)]).toEqual([
        [{ kind: 'template', template_type: 'generic', text: null, cards: [shown], buttons: [], receipt: null }],
        [picture],
      ])
      const insecure = { ...card, picture: 'http://cdn.example/mug.jpg' }
      expect(await refusalOf(order(psid, insecure, 'Mug\n₱125.50'))).toBe('NETWORK_100')
    },
  )

  it('are settled by an echo that has the card as an attachment', async () => {
    const psid = await harness.createPerson('instagram')
    const card: StructuredContent = {
      kind: 'card',
      title: 'Mug',
      subtitle: '₱125.50',
      picture: 'https://cdn.example/m.jpg',
    }
    const sent = order(psid, card, 'Mug\n₱125.50')
    await harness.faults({ loseRequests: 1 })
    expect(await refusalOf(sent)).toBe('NO_ANSWER')
    const elements = [{ title: 'Mug', subtitle: '₱125.50', image_url: 'https://cdn.example/m.jpg' }]
    const attachments = [{ type: 'template', payload: { template_type: 'generic', elements } }]
    const message = { mid: `echo-${psid}`, is_echo: true, app_id: Number(appId), attachments }
    const timestamp = harness.clock.now()
    const event = { sender: { id: printsInstagram }, recipient: { id: psid }, timestamp, message }
    await harness.post({ object: 'instagram', entry: [{ id: printsInstagram, time: timestamp, messaging: [event] }] })
    expect((await harness.newSending().send(sent)).messageId).toBe(message.mid)
    expect(await delivered(psid)).toEqual([])
  })

  const heart = (psid: string) => order(psid, likeHeart, textOfHeart)
  const heartShown = [['outgoing', textOfHeart, [{ kind: 'sticker', file: null, sticker_id: 'like_heart' }]]]
  const shownTo = async (psid: string) =>
    (await harness.thread(psid))
      .slice(1)
      .map(({ direction, message_text, content }) => [direction, message_text, content?.parts])
  it('leave as a heart on Instagram, once for each key, and its echo changes nothing', async () => {
    const psid = await harness.createPerson('instagram')
    const sent = heart(psid)
    const answer = await harness.newSending().send(sent)
    expect(await harness.newSending().send(sent)).toEqual(answer)
    await harness.settle()
    expect(await delivered(psid)).toMatchObject([{ text: null, structure: { type: 'like_heart' } }])
    expect(await shownTo(psid)).toEqual(heartShown)
    expect(await refusalOf(order(psid, likeHeart, 'Heart'))).toBe('HEART_TEXT')
    expect(await refusalOf(heart(await harness.createPerson('messenger')))).toBe('STICKERS_NOT_OFFERED')
  })

  it.each([
    ['its echo settles it', false, null],
    ['without an echo the network lists it, and staff are asked before it leaves again', true, 'LISTED_ALIKE'],
  ])('leave as a heart once when the answer is lost: %s', async (_, holdWebhooks, code) => {
    const psid = await harness.createPerson('instagram')
    const sent = heart(psid)
    await harness.faults({ loseAnswers: 1, holdWebhooks })
    expect(await refusalOf(sent)).toBe('NO_ANSWER')
    if (!holdWebhooks) await harness.settle()
    expect(await refusalOf(sent)).toBe(code)
    await harness.faults({})
    await harness.settle()
    expect(await delivered(psid)).toHaveLength(1)
    expect(await shownTo(psid)).toEqual(heartShown)
  })

  it('leave with the tag after 24 hours, as a text does', async () => {
    const psid = await harness.createPerson()
    harness.clock.advance(30 * 60 * 60_000)
    await harness.newSending().send(order(psid, yesNo))
    expect((await delivered(psid)).map(({ text }) => text)).toEqual(['Kukunin ninyo po?'])
  })

  it('are refused below a text that is too long for buttons, and under a key that was used without them', async () => {
    const psid = await harness.createPerson()
    expect(await refusalOf(order(psid, buttons, 'a'.repeat(641)))).toBe('TEXT_TOO_LONG')
    const { structured, ...plain } = order(psid, yesNo)
    expect([await refusalOf(plain), await refusalOf({ ...plain, structured: yesNo })]).toEqual([null, 'KEY_REUSED'])
    expect(structured).toEqual(yesNo)
  })
})
