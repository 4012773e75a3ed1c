import { fireEvent, render, screen, within } from '@testing-library/react'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { message } from '../../../src/schemas/message.ts'
import type { MessagePart } from '../../../src/schemas/message-part.ts'
import { Bubble } from '../../../src/views/thread/Bubble.tsx'
import { expectScreen } from '../screen.ts'
import { SignedIn } from '../signed-in.tsx'
import userEvent from '../user-event.ts'

const picture = (name: string) => ({
  id: name,
  name,
  image_data: { url: `/pictures/${name}`, preview_url: `/pictures/${name}` },
})

const show = (parts: readonly (MessagePart | object)[], fields: object = {}) =>
  render(
    <Bubble
      message={message.parse({
        message_id: 'm1',
        fb_user_id: 'u1',
        page_id: 'p1',
        direction: 'incoming',
        created_at: '2026-03-10T09:05:00',
        message_text: 'fallback',
        attachments: { data: [picture('a.png'), picture('b.png')] },
        content: { parts, fallback: 'fallback' },
        ...fields,
      })}
      author="Maria Clara"
      by={null}
      via={null}
      endsGroup
    />,
    { wrapper: SignedIn },
  )

const story = { story_id: '1', file: 0, link: null, expires_at: '2026-03-11T09:05:00' }
const referral = {
  kind: 'referral' as const,
  source: 'ad' as const,
  source_type: 'ADS',
  ref: 'promo-june',
  title: 'June promo',
  file: 0,
  link: 'https://ads.example/1',
  ad_id: '1',
  post_id: null,
  product_id: null,
}
const buttons = [
  { title: 'Visit', link: 'https://shop.example/' },
  { title: 'Order', link: null },
]
const template = {
  kind: 'template' as const,
  template_type: 'generic',
  text: 'How can we help?',
  cards: [{ title: 'Mug print', text: '₱150.00', file: 0, link: null, buttons }],
  buttons: [{ title: 'Talk to us', link: null }],
  receipt: { number: 'SO-1', total: 'PHP 300', items: [{ title: 'Mug', quantity: '2', price: 'PHP 150' }] },
}

/** What a bubble shows of each kind: texts, links and pictures. */
const kinds: readonly [name: string, part: MessagePart, texts: string[], links: string[], pictures: string[]][] = [
  [
    'a reply to a story',
    { kind: 'story_reply', ...story },
    ['Replied to your story', 'On Instagram until '],
    [],
    ['Story'],
  ],
  ['a mention in a story', { kind: 'story_mention', ...story }, ['Mentioned you in a story'], [], ['Story']],
  [
    'a shared post',
    {
      kind: 'share',
      what: 'post',
      file: 0,
      title: 'New samples',
      text: 'In blue',
      link: 'https://ig.example/p',
      media_id: '1',
    },
    ['Shared post', 'New samples', 'In blue', 'ig.example'],
    ['https://ig.example/p'],
    ['New samples'],
  ],
  [
    'a product',
    {
      kind: 'product',
      file: 0,
      title: 'Mug print',
      price: '₱150.00',
      link: 'https://shop.example/m',
      product_id: '1',
      retailer_id: null,
    },
    ['Product', 'Mug print', '₱150.00'],
    ['https://shop.example/m'],
    ['Mug print'],
  ],
  [
    'an ad',
    referral,
    ['Came from an ad', 'June promo', 'Reference: promo-june', 'Open the ad'],
    ['https://ads.example/1'],
    ['June promo'],
  ],
  [
    'a location',
    { kind: 'location', latitude: 14.65, longitude: 121.1, title: null },
    ['Location', '14.65000, 121.10000', 'Open in Google Maps'],
    ['https://www.google.com/maps/search/?api=1&query=14.65%2C121.1'],
    [],
  ],
  ['a sticker', { kind: 'sticker', file: 0, sticker_id: '1' }, [], [], ['Sticker']],
  ['a heart', { kind: 'sticker', file: null, sticker_id: 'like_heart' }, [], [], []],
  ['a GIF', { kind: 'gif', file: 0 }, [], [], ['GIF']],
  [
    'a template',
    template,
    [
      'How can we help?',
      'Talk to us',
      'Receipt SO-1',
      '2 × Mug',
      'PHP 150',
      'PHP 300',
      'Mug print',
      '₱150.00',
      'Order',
    ],
    ['https://shop.example/'],
    ['Mug print'],
  ],
  ['a press of a button', { kind: 'postback', payload: 'X' }, ['Pressed a button'], [], []],
  ['a quick reply', { kind: 'quick_reply', payload: 'X' }, ['Chose a quick reply'], [], []],
  ['a missed call', { kind: 'call', is_missed: true, seconds: null }, ['Missed call'], [], []],
  [
    'an opt-in',
    { kind: 'opt_in', title: 'Promos', ref: null, has_stopped: false },
    ['Agreed to get messages: Promos'],
    [],
    [],
  ],
  ['the end of an opt-in', { kind: 'opt_in', title: null, ref: null, has_stopped: true }, ['Stopped messages'], [], []],
  [
    'what is not known',
    { kind: 'unknown', type: 'appointment_booking', raw: '{"type":"appointment_booking"}' },
    ['This inbox cannot show this yet: appointment booking', 'What was sent', '{"type":"appointment_booking"}'],
    [],
    [],
  ],
]

describe('A bubble', () => {
  // The code of parts loads with the first one.
  beforeAll(async () => {
    const { unmount } = show([{ kind: 'postback', payload: null }])
    await screen.findByText('Pressed a button', {}, { timeout: 20_000 })
    unmount()
  })

  it.each(kinds)('shows %s as what it is, without its fallback', async (_, part, texts, links, pictures) => {
    const { container } = show([part])
    expect(screen.queryByText('fallback')).toBe(null)
    for (const text of texts) expect([text, container.textContent?.includes(text)]).toEqual([text, true])
    const own = [...container.querySelectorAll<HTMLAnchorElement>('a:not(:has(img))')]
    expect(own.map(({ href }) => href)).toEqual(links)
    expect(own.every(({ rel, target }) => rel === 'noopener noreferrer' && target === '_blank')).toBe(true)
    const usesFile = JSON.stringify(part).includes('"file":0')
    const names = [...container.querySelectorAll('img')].map(({ alt }) => alt)
    expect(names.toSorted()).toEqual([...pictures, ...(usesFile ? [] : ['a.png']), 'b.png'].toSorted())
    // jsdom computes no colours, and a bubble stands in no landmark.
    await expectScreen(container)
  })

  it('shows quick replies as such, not as buttons', () => {
    const buttons = ['Lunes', 'Martes'].map((title) => ({ title, link: null }))
    const sent = {
      kind: 'template',
      template_type: 'quick_replies',
      text: null,
      cards: [],
      buttons,
      receipt: null,
    } as const
    show([sent], { direction: 'outgoing', message_text: 'Anong araw po?', content: { parts: [sent] } })
    const list = screen.getByRole('list', { name: 'Sent quick replies' })
    expect([...list.children].map(({ textContent }) => textContent)).toEqual(['Lunes', 'Martes'])
    expect(screen.queryByRole('group', { name: 'Message with buttons' })).toBe(null)
  })

  it('names the heart for screen readers', () => {
    show([{ kind: 'sticker', file: null, sticker_id: 'like_heart' }])
    expect(screen.getByRole('img', { name: 'Heart' })).toBeTruthy()
  })

  it('tries what is no picture as a video, and then says that the story is gone', () => {
    const { container } = show([{ kind: 'story_mention', ...story }], { attachments: { data: [picture('a.png')] } })
    const image = container.querySelector('img')
    if (image) fireEvent.error(image)
    const video = container.querySelector('video')
    expect(video?.getAttribute('src')).toBe('/pictures/a.png')
    if (video) fireEvent.error(video)
    expect(screen.getByText('The story cannot be shown any more')).toBeTruthy()
    expect(container.querySelectorAll('img, video').length).toBe(0)
  })

  it('says when a message was edited, also inside of a group', () => {
    const content = { parts: [], edited_at: '2026-03-10T09:07:00' }
    show([], { message_text: 'sa Sabado', attachments: null, content })
    expect(screen.getByText('sa Sabado')).toBeTruthy()
    expect(screen.getByText(/Edited 9:07 AM/).title).toMatch(/^Edited on .*2026/)
  })

  it('plays a voice message at three speeds', async () => {
    const { container } = show([], {
      message_text: null,
      content: null,
      attachments: { data: [{ id: 'v', name: null, audio_data: { url: '/voice.wav' } }] },
    })
    const player = container.querySelector('audio')
    expect(player?.getAttribute('aria-label')).toBe('Audio')
    const speeds = []
    for (const speed of [1, 1.5, 2]) {
      const button = screen.getByRole('button', { name: `Playback speed ${speed}×` })
      speeds.push([button.textContent, player?.playbackRate])
      await userEvent.click(button)
    }
    expect(speeds).toEqual([
      ['1×', 1],
      ['1.5×', 1.5],
      ['2×', 2],
    ])
    expect(player?.playbackRate).toBe(1)
  })

  it('shows a file with its type and size', () => {
    show([], {
      message_text: null,
      content: null,
      attachments: { data: [{ id: 'f', name: 'menu.pdf', size: 2_048, file_data: { url: '/menu.pdf' } }] },
    })
    const link = screen.getByRole('link')
    expect(within(link).getByText('PDF · 2 KB')).toBeTruthy()
  })

  it('opens no address but http, and loads nothing that the policy forbids, whatever the parts say', () => {
    const text = fc.oneof(
      fc.string({ maxLength: 20 }),
      fc.constantFrom(
        'javascript:alert(1)',
        'data:text/html,x',
        'http://plain.example/a.png',
        '\u202egnp',
        'https://u:p@x.example/',
      ),
    )
    const part = fc.oneof(
      fc.record({
        kind: fc.constantFrom('share', 'product', 'story_reply', 'referral'),
        file: fc.nat(3),
        title: text,
        link: text,
        text,
      }),
      fc.record({
        kind: fc.constant('template'),
        text,
        cards: fc.array(
          fc.record({
            title: text,
            link: text,
            file: fc.nat(3),
            text,
            buttons: fc.array(fc.record({ title: text, link: text })),
          }),
        ),
      }),
      fc.record({ kind: fc.constant('unknown'), type: text, raw: text }),
      fc.jsonValue(),
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 4 }), text, (parts, address) => {
        const file = { id: 'a', image_data: { url: address } }
        const { container, unmount } = show(parts as object[], { attachments: { data: [file] } })
        const opened = [...container.querySelectorAll('a')].map((link) => link.getAttribute('href') ?? '')
        const loaded = [...container.querySelectorAll('img, video, audio')].map(
          (media) => media.getAttribute('src') ?? '',
        )
        expect(opened.filter((href) => !/^(https?:\/\/[^@]*$|\/)/.test(href))).toEqual([])
        expect(loaded.filter((src) => !/^(https:|\/)/.test(src))).toEqual([])
        unmount()
      }),
      { numRuns: 60 },
    )
  })
})
