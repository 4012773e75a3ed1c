import { describe, expect, it } from 'vitest'
import { clockText } from '../../src/domain/clock-text.ts'
import {
  nameOf,
  type PreviewReader,
  pagesOf,
  previewOf,
  shortNameOf,
  unreadBadge,
} from '../../src/domain/list/conversation-text.ts'
import { momentOf } from '../../src/domain/message-order.ts'
import { dateAndTime, dayKey, dayLabel, relativeTime, timeOfDay } from '../../src/domain/moments.ts'
import { safeName, safeText, safeUrl } from '../../src/domain/shown-text.ts'
import { fileSize } from '../../src/domain/thread/file-size.ts'
import type { Author } from '../../src/schemas/author.ts'
import { conversation } from '../../src/schemas/conversation.ts'
import { asName, asSentence } from '../e2e/hostile/judgement.ts'
import { hostileStrings } from '../e2e/hostile/strings.ts'
import { messageOf } from './message-fixture.ts'

const now = Date.parse('2026-03-10T12:00:00Z')
const ago = (milliseconds: number) => new Date(now - milliseconds).toISOString()
const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

const conversationWith = (fields: object) => conversation.parse({ fb_user_id: 'u1', ...fields })

describe('A relative time', () => {
  it.each([
    [-5 * minute, 'Just now'],
    [0, 'Just now'],
    [minute - 1, 'Just now'],
    [minute, '1m ago'],
    [hour - 1, '59m ago'],
    [hour, '1h ago'],
    [day - 1, '23h ago'],
    [day, '1d ago'],
    [7 * day - 1, '6d ago'],
    [7 * day, new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' }).format(now - 7 * day)],
  ])('of %d ms is %s', (age, text) => {
    expect(relativeTime(ago(age), now)).toBe(text)
  })
})

describe('The heading of a day', () => {
  it('is Today, Yesterday or the date', () => {
    const noon = new Date(2026, 2, 10, 12).getTime()
    const at = (dayOfMarch: number) => new Date(2026, 2, dayOfMarch, 23, 59).toISOString()
    expect([at(10), at(9), at(8)].map((moment) => dayLabel(moment, noon))).toEqual([
      'Today',
      'Yesterday',
      new Intl.DateTimeFormat(undefined, { dateStyle: 'full' }).format(new Date(2026, 2, 8)),
    ])
  })
})

describe('A time', () => {
  const local = (dayOfMarch: number, hours: number, minutes: number) => new Date(2026, 2, dayOfMarch, hours, minutes)

  it('is shown as the locale writes it, also a time without a date and a time beside its date', () => {
    const moments = [local(10, 0, 5), local(10, 9, 5), local(10, 23, 59)]
    const times = moments.map((moment) => moment.toLocaleTimeString([], { timeStyle: 'short' }))
    expect(moments.map((moment) => timeOfDay(moment.toISOString()))).toEqual(times)
    expect(['00:05', '09:05', '23:59', ''].map(clockText)).toEqual([...times, ''])
    moments.forEach((moment, index) => {
      expect(dateAndTime(moment.toISOString()).endsWith(`, ${times[index]}`)).toBe(true)
    })
  })

  it('is shown with date and time in the long format', () => {
    const moment = local(10, 9, 5)
    expect(dateAndTime(moment.toISOString())).toBe(
      moment.toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' }),
    )
  })

  it('has the same day key as every time of the same local day, and no other', () => {
    const [first, last, before, yearAfter] = [
      local(10, 0, 0),
      local(10, 23, 59),
      local(9, 23, 59),
      new Date(2027, 2, 10),
    ].map((moment) => dayKey(moment.toISOString()))
    expect([last === first, before === first, yearAfter === first]).toEqual([true, false, false])
  })

  it('of a message is the time of the network, or the time when it was stored', () => {
    const created_at = ago(hour)
    expect(
      [ago(day), null, undefined].map((timestamp_fb) => momentOf(messageOf('m1', 0, { created_at, timestamp_fb }))),
    ).toEqual([ago(day), ago(hour), ago(hour)])
  })
})

describe('A file size', () => {
  it.each([
    [0, '0 B'],
    [1023, '1023 B'],
    [1024, '1 KB'],
    [1536, '1.5 KB'],
    [1024 ** 2 - 6, '1 MB'],
    [5 * 1024 ** 2, '5 MB'],
    [2.25 * 1024 ** 3, '2.3 GB'],
    [5000 * 1024 ** 3, '5000 GB'],
  ])('of %d bytes is %s', (bytes, text) => {
    expect(fileSize(bytes)).toBe(text)
  })
})

describe('A name from outside', () => {
  it('loses its direction characters', () => {
    expect(safeName('invoice\u202Efdp.exe')).toBe('invoicefdp.exe')
  })
  it('is put on one line', () => {
    expect(safeName(' Maria\n\tClara\u0007 ')).toBe('Maria Clara')
  })
})

describe('A sentence from outside', () => {
  const turns = '\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069'
  it('loses its direction characters', () => {
    expect(safeText(`The page${turns} is gone`)).toBe('The page is gone')
  })
  it('loses its control characters', () => {
    expect(safeText('\u0000The\u001b[31m page\u0085is\tgone\u009f\u007f')).toBe(' The [31m page is gone  ')
  })
  it.each([
    ['joined emoji', '\ud83d\udc69\u200d\ud83d\udc67 \u{1f3f4}\u200d\u2620\ufe0f'],
    ['combining marks', 'Z\u0336a\u0335l\u0337'],
    ['invisible characters', 'a\u200bb\u2060c\u00ad'],
    ['an unpaired surrogate', 'a\ud83db'],
    ['harmless direction marks', '\u200eabc\u200f \u05d0'],
  ])('keeps %s', (_, text) => {
    expect([safeText(text), safeName(text)]).toEqual([text, text])
  })
})

describe('A URL from outside', () => {
  it.each([
    ['https://cdn.example/a.png', 'https://cdn.example/a.png'],
    ['http://cdn.example/a.png', 'http://cdn.example/a.png'],
    ['/sandbox/files/a.png', '/sandbox/files/a.png'],
    ['javascript:alert(1)', null],
    ['data:text/html,x', null],
    ['not an address', null],
    ['https://inbox@evil.example/', null],
    ['https://:secret@evil.example/', null],
    ['https:evil.example', 'https://evil.example/'],
    ['https:\\\\evil.example\\a', 'https://evil.example/a'],
    ['https://evil\u3002example/', 'https://evil.example/'],
    [' https://evil.example', 'https://evil.example/'],
    ['ht\ntps://evil.example', 'https://evil.example/'],
    ['java\nscript:alert(1)', null],
    ['\u0001javascript:alert(1)', null],
    ['', null],
    ['/', '/'],
    ['/a//b', '/a//b'],
    ['/@evil.example', '/@evil.example'],
    ['/a\tb', '/a\tb'],
  ])('%j is opened as %j', (url, opened) => {
    expect(safeUrl(url)).toBe(opened)
  })

  it.each([
    '//evil.example/a',
    '/\\evil.example/a',
    '/\t/evil.example',
    '/\n\\evil.example',
    '/\r\n/evil.example',
    '/\t\t\\\tevil.example',
    '///evil.example',
    '/\\/evil.example',
    '/\t/inbox@evil.example',
    '//evil\u3002example',
    '//one.invalid/a',
    '//another.invalid/a',
    '/\t/[::1',
  ])('%j is rejected, because it leaves this origin', (url) => {
    expect(safeUrl(url)).toBeNull()
  })

  it.each([
    '/.//evil.example',
    '/%2e%2e//evil.example',
    '/a/..//evil.example',
    '/\u3002/evil.example',
    '/a:b@evil.example',
  ])('%j stays on this origin', (url) => {
    const origins = ['https://inbox.example', 'http://127.0.0.1:4000']
    expect(origins.map((origin) => new URL(safeUrl(url) ?? '//none', `${origin}/c1`).origin)).toEqual(origins)
  })
})

describe('A row of the list', () => {
  it('shows the unified name or Unknown User', () => {
    expect(
      [{ unified_name: 'Ana Lim' }, { user_name: 'ana.lim' }, {}].map((fields) => nameOf(conversationWith(fields))),
    ).toEqual(['Ana Lim', 'ana.lim', 'Unknown User'])
  })

  it('shows names of people and pages without direction characters', () => {
    const turned = '\u202ecod.ang\u2066\nAna'
    const row = conversationWith({ unified_name: turned, first_name: turned, page_ids: 'p1', page_names: turned })
    expect([
      nameOf(row),
      shortNameOf(row),
      pagesOf(row, new Map()),
      pagesOf(row, new Map([['p1', { page_name: turned }]])),
    ]).toEqual(['cod.ang Ana', 'cod.ang Ana', [{ id: 'p1', name: 'cod.ang Ana' }], [{ id: 'p1', name: 'cod.ang Ana' }]])
  })

  it('shows its preview without direction characters', () => {
    const row = conversationWith({ last_message_at: ago(hour), last_message_text: '\u202ecod\u0007.ang' })
    expect(previewOf(row)).toBe('cod .ang')
  })

  it('says who wrote last, or that there are no messages', () => {
    const last = { last_message_at: ago(hour), last_message_text: 'Salamat po!' }
    expect(
      [
        { ...last, last_message_direction: 'outgoing' },
        { ...last, last_message_direction: 'incoming' },
        { ...last, last_message_direction: 'incoming', last_message_text: ' Salamat\n' },
        { ...last, last_message_direction: 'incoming', last_message_text: null },
        { ...last, last_message_direction: 'incoming', last_message_text: ' \n' },
        {},
      ].map((fields) => previewOf(conversationWith(fields))),
    ).toEqual(['You: Salamat po!', 'Salamat po!', 'Salamat', 'Attachment', 'Attachment', 'No messages'])
  })

  const byAuthor: [string, Author | null, PreviewReader, string][] = [
    ['this person', { kind: 'staff', id: 's1' }, { userId: 's1', nameOfMember: 'Ana Reyes' }, 'You: Salamat po!'],
    ['a colleague', { kind: 'staff', id: 's2' }, { userId: 's1', nameOfMember: 'Ben Cruz' }, 'Ben: Salamat po!'],
    ['an unnamed colleague', { kind: 'staff', id: 's2' }, { userId: 's1', nameOfMember: null }, 'Staff: Salamat po!'],
    [
      'an automatic reply',
      { kind: 'automatic', title: 'Hours' },
      { userId: 's1', nameOfMember: null },
      'Auto: Salamat po!',
    ],
    ['Business Suite', { kind: 'outside' }, { userId: 's1', nameOfMember: null }, 'You: Salamat po!'],
    ['an unknown author', null, { userId: 's1', nameOfMember: null }, 'You: Salamat po!'],
    ['an API without authors', { kind: 'staff', id: 's2' }, null, 'You: Salamat po!'],
  ]
  it.each(byAuthor)('names the author of the last message: %s', (_author, author, reader, preview) => {
    const row = conversationWith({
      last_message_at: ago(hour),
      last_message_text: 'Salamat po!',
      last_message_direction: 'outgoing',
      last_message_author: author,
    })
    expect(previewOf(row, reader)).toBe(preview)
  })

  it('caps the unread badge at 9+', () => {
    expect([0, 1, 9, 10, 120].map(unreadBadge)).toEqual([null, '1', '9', '9+', '9+'])
  })
})

describe('Within a sentence, a person', () => {
  it.each([
    ['by the first name', { first_name: ' Ana Maria ', unified_name: 'A. Lim' }, 'Ana Maria'],
    ['by the first word of the name without a first name', { unified_name: 'Ana Lim' }, 'Ana'],
    ['by the first word of the name if the first name is empty', { first_name: ' ', user_name: 'Ben Cruz' }, 'Ben'],
    ['this person if no name is known', {}, 'this person'],
  ])('is called %s', (_, fields, name) => expect(shortNameOf(conversationWith(fields))).toBe(name))
})

describe('The pages of a conversation', () => {
  const known = new Map([
    ['p1', { page_name: 'Kapamilya Prints' }],
    ['p2', { page_name: 'Tarps, Tents & Co' }],
  ])

  it('have the names of the page list', () => {
    const row = conversationWith({ page_ids: 'p1, p2', page_names: 'Kapamilya Prints, Tarps, Tents & Co' })
    expect(pagesOf(row, known)).toEqual([
      { id: 'p1', name: 'Kapamilya Prints' },
      { id: 'p2', name: 'Tarps, Tents & Co' },
    ])
  })

  it('have the names of the conversation if the page list does not hold them', () => {
    const row = conversationWith({ page_ids: 'p3, p4', page_names: 'Alpha, Beta' })
    expect(pagesOf(row, known)).toEqual([
      { id: 'p3', name: 'Alpha' },
      { id: 'p4', name: 'Beta' },
    ])
  })

  it('are shown by their ids if the names cannot be split', () => {
    const row = conversationWith({ page_ids: 'p3, p4', page_names: 'Alpha, Beta, Gamma' })
    expect(pagesOf(row, known)).toEqual([
      { id: 'p3', name: 'p3' },
      { id: 'p4', name: 'p4' },
    ])
  })

  it('have the name of the conversation if it has one page, even with a comma', () => {
    const row = conversationWith({ page_ids: 'p3', page_names: 'Bread, Cakes & Co' })
    expect(pagesOf(row, known)).toEqual([{ id: 'p3', name: 'Bread, Cakes & Co' }])
  })

  it('are its single page if the conversation has no page list', () => {
    expect(pagesOf(conversationWith({ page_id: 'p1' }), known)).toEqual([{ id: 'p1', name: 'Kapamilya Prints' }])
  })
})

it('Every hostile string is shown as the browser tests expect, as a sentence and as a name', () => {
  expect(hostileStrings.map((text) => [safeText(text), safeName(text)])).toEqual(
    hostileStrings.map((text) => [asSentence(text), asName(text)]),
  )
})
