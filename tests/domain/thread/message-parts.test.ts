import { describe, expect, it } from 'vitest'
import { isEmojiOnly, partsOf } from '../../../src/domain/thread/message-parts.ts'

const links = (text: string) => partsOf(text).flatMap(({ text: shown, href }) => (href === null ? [] : [[shown, href]]))

describe('the links of a text', () => {
  it('stand between what is not one', () => {
    expect(partsOf('See https://shop.example/a and www.shop.example.')).toEqual([
      { text: 'See ', href: null },
      { text: 'https://shop.example/a', href: 'https://shop.example/a' },
      { text: ' and ', href: null },
      { text: 'www.shop.example', href: 'https://www.shop.example/' },
      { text: '.', href: null },
    ])
  })

  it('are all there is where nothing stands around them', () => {
    expect(partsOf('https://a.example/www.html')).toEqual([
      { text: 'https://a.example/www.html', href: 'https://a.example/www.html' },
    ])
  })

  it.each([
    ['(https://a.example/x)', 'https://a.example/x'],
    ['https://a.example/wiki/Tarp_(print)', 'https://a.example/wiki/Tarp_(print)'],
    ['https://a.example/?q=1&r=2#part!', 'https://a.example/?q=1&r=2#part'],
    ['“https://a.example/x”', 'https://a.example/x'],
    ['HTTP://A.EXAMPLE/X', 'HTTP://A.EXAMPLE/X'],
    ['https://niño.example/ñ', 'https://niño.example/ñ'],
    ['tingnan:https://a.example', 'https://a.example'],
    ['https://a.example/<script>', 'https://a.example/'],
  ])('of %s is %s', (text, shown) => expect(links(text).map(([link]) => link)).toEqual([shown]))

  it.each([
    'javascript:alert(1)',
    'data:text/html,<b>hi</b>',
    'ftp://a.example/x',
    'file:///etc/passwd',
    'https://',
    'https://nodots',
    'https://bank.example@evil.example/',
    'https://user:secret@evil.example/',
    'https://:secret@evil.example/',
    'https://[a.example',
    'here: https://nodots now',
    'ana@www.example.com',
    'awww.nice',
    '',
  ])('of %j are none', (text) => expect(partsOf(text)).toEqual([{ text, href: null }]))

  it('end where the direction would be turned or something stands that is not seen', () => {
    expect(links('https://a.example/\u202egnp.exe https://b.example/\u200bx')).toEqual([
      ['https://a.example/', 'https://a.example/'],
      ['https://b.example/', 'https://b.example/'],
    ])
  })

  it('and what is between them are the whole text, whatever it is', () => {
    for (const text of ['a https://a.example b', 'https://a.example', 'x'.repeat(1_000), '\u202ehttps://a.example)']) {
      expect(
        partsOf(text)
          .map((part) => part.text)
          .join(''),
      ).toBe(text)
    }
  })

  it('are found in a text of 100 KB that would keep a backtracking search busy for good', () => {
    const long = `${'https://a.example/((((((((('.repeat(2_000)}${')'.repeat(50_000)}`
    expect(
      partsOf(long)
        .map((part) => part.text)
        .join(''),
    ).toBe(long)
  })
})

describe('a text of emoji alone', () => {
  it.each(['😀', '👍🏽', '❤️', '🇵🇭', '👨‍👩‍👧‍👦 🎉', ' 😂😂😂 ', '1️⃣'])('is %s', (text) =>
    expect(isEmojiOnly(text)).toBe(true),
  )
  it.each(['', ' ', '1', '#', 'ok 👍', '😀😀😀😀😀😀😀', '©', 'ñ'])('is not %j', (text) =>
    expect(isEmojiOnly(text)).toBe(false),
  )
  it.each([
    [98, true],
    [99, false],
  ])('may have %i spaces after it: %s', (spaces, is) => expect(isEmojiOnly(`😀${' '.repeat(spaces)}`)).toBe(is))
})
