import fc from 'fast-check'
import { expect, it } from 'vitest'
import { createNormalizeUrl } from '../../../server/network/graph/normalize-url.ts'
import { createPartReader } from '../../../server/network/store/part-reader.ts'
import { assemble, partsOfWebhook } from '../../../server/network/store/read-message.ts'
import { fileType } from '../../../src/domain/thread/file-type.ts'
import { shownContentOf } from '../../../src/domain/thread/shown-content.ts'
import { writtenText } from '../../../src/domain/written-text.ts'
import { type Message, message } from '../../../src/schemas/message.ts'
import { parsePart } from '../../../src/schemas/message-part.ts'

const messageWith = (fields: object): Message =>
  message.parse({
    message_id: 'm1',
    fb_user_id: 'u1',
    page_id: 'p1',
    direction: 'incoming',
    created_at: '2026-03-10T09:05:00Z',
    ...fields,
  })

it.each([
  ['no content', 'Hello', null, 'Hello'],
  ['no fallback', 'Hello', { parts: [] }, 'Hello'],
  ['only a fallback', '📍 Location', { parts: [], fallback: '📍 Location' }, ''],
  ['a text before the fallback', 'Dito\n📍 Location', { parts: [], fallback: '📍 Location' }, 'Dito'],
  ['another text than the fallback', 'Dito', { parts: [], fallback: '📍 Location' }, 'Dito'],
  ['a fallback that ends a word', 'xFall', { parts: [], fallback: 'Fall' }, 'xFall'],
  ['no text', null, { parts: [], fallback: 'Fall' }, ''],
])('writtenText leaves out the fallback: %s', (_, message_text, content, expected) => {
  expect(writtenText(messageWith({ message_text, content }))).toBe(expected)
})

it('shownContentOf gives each attachment to one place', () => {
  const [first, second, third] = ['a', 'b', 'c'].map((id) => ({ id, image_data: { url: `/${id}.png` } }))
  const card = { title: 'Card', text: null, file: 2, link: null, buttons: [] }
  const content = {
    parts: [
      { kind: 'sticker', file: 0, sticker_id: '1' },
      { kind: 'template', template_type: 'generic', text: null, cards: [card], buttons: [], receipt: null },
    ],
    edited_at: '2026-03-10T09:06:00Z',
  }
  const { attachments, parts, editedAt } = shownContentOf(
    messageWith({ attachments: { data: [first, second, third] }, content }),
  )
  expect([attachments.map(({ id }) => id), parts, editedAt]).toEqual([['b'], content.parts, content.edited_at])
})

it.each([
  ['a kind of a later version', { kind: 'hologram', depth: 3 }, 'hologram'],
  ['a known kind of another form', { kind: 'location', latitude: 'far' }, 'location'],
  ['a place that is not on the globe', { kind: 'location', latitude: 91, longitude: 0, title: null }, 'location'],
  ['no object', 'hello', null],
])('parsePart reads %s as an unknown part', (_, value, type) => {
  expect(parsePart(value)).toEqual({ kind: 'unknown', type, raw: null })
})

it('a message stays when its content cannot be read', () => {
  expect(messageWith({ message_text: 'Hi', content: { parts: 'none' } })).toMatchObject({
    message_text: 'Hi',
    content: null,
  })
})

it('fileType names the type by the ending of the name', () => {
  expect(['menu.pdf', 'a.tar.gz', 'README', '.env', 'x.verylongending', 'evil.\u202efdp'].map(fileType)).toEqual([
    'PDF',
    'GZ',
    '',
    'ENV',
    '',
    '',
  ])
})

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom(
    'javascript:alert(1)',
    'https://a@b.example/',
    'https://shop.example/x',
    '\u0000\ud83d',
    '\u202e',
    '',
  ),
)
const types = [
  'image',
  'video',
  'audio',
  'file',
  'sticker',
  'location',
  'fallback',
  'share',
  'ig_post',
  'ig_reel',
  'story_mention',
  'template',
  'appointment_booking',
] as const
const button = fc.record({ type: hostile, title: hostile, url: hostile })
const payload = fc.record(
  {
    url: hostile,
    title: hostile,
    text: hostile,
    sticker_id: fc.oneof(hostile, fc.integer()),
    template_type: fc.oneof(hostile, fc.constantFrom('generic', 'button', 'receipt', 'media')),
    coordinates: fc.oneof(fc.record({ lat: fc.double(), long: fc.double() }), fc.jsonValue()),
    product: fc.oneof(
      fc.record({
        elements: fc.array(fc.record({ id: hostile, title: hostile, image_url: hostile, subtitle: hostile })),
      }),
      fc.jsonValue(),
    ),
    elements: fc.oneof(
      fc.array(fc.record({ title: hostile, url: hostile, buttons: fc.array(button) })),
      fc.jsonValue(),
    ),
    buttons: fc.oneof(fc.array(button), fc.jsonValue()),
    order_number: hostile,
    summary: fc.jsonValue(),
  },
  { requiredKeys: [] },
)
const attachment = fc.oneof(
  fc.record({
    type: fc.constantFrom(...types),
    title: hostile,
    url: hostile,
    payload: fc.oneof(payload, fc.jsonValue()),
  }),
  fc.jsonValue(),
)

it('whatever the network sends: no error, no address but http, nothing that the database refuses, and the browser reads it', () => {
  const normalizeUrl = createNormalizeUrl('https://here.example')
  fc.assert(
    fc.property(fc.array(attachment, { maxLength: 30 }), fc.oneof(hostile, fc.constant(null)), (values, text) => {
      const reader = createPartReader('m1', normalizeUrl)
      const read = assemble(text, partsOfWebhook(values, new Date(0), reader), reader.files)
      const texts: string[] = []
      const stored = JSON.stringify([read.content, read.attachments, read.text], (_, value) => {
        if (typeof value === 'string') texts.push(value)
        return value
      })
      expect(texts.filter((one) => one.includes('\u0000') || !one.isWellFormed())).toEqual([])
      expect(/"(?:url|link|preview_url)":"(?!https?:|\/)/.test(stored)).toBe(false)
      expect(JSON.stringify(read.content).length).toBeLessThan(30_000)
      const row = messageWith({ message_text: read.text, content: read.content, attachments: read.attachments })
      const { parts, text: own } = shownContentOf(row)
      expect(parts).toEqual(read.content?.parts ?? [])
      expect(own).toBe(read.written ?? '')
    }),
    { numRuns: 300 },
  )
})
