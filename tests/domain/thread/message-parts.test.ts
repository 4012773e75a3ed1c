import { describe, expect, it } from 'vitest'
import { isEmojiOnly, partsOf } from '../../../src/domain/thread/message-parts.ts'

const links = (text: string) => partsOf(text).flatMap(({ text: shown, href }) => (href === null ? [] : [[shown, href]]))

describe('The links of a text', () => {
  it('are separated from the text around them', () => {
    expect(partsOf('See https://shop.example/a and www.shop.example.')).toEqual([
      { text: 'See ', href: null },
      { text: 'https://shop.example/a', href: 'https://shop.example/a' },
      { text: ' and ', href: null },
      { text: 'www.shop.example', href: 'https://www.shop.example/' },
      { text: '.', href: null },
    ])
  })

  it('are the only part if no text is around them', () => {
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
  ])('of %s are %s', (text, shown) => expect(links(text).map(([link]) => link)).toEqual([shown]))

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
  ])('are not found in %j', (text) => expect(partsOf(text)).toEqual([{ text, href: null }]))

  it('end before a direction character or an invisible character', () => {
    expect(links('https://a.example/\u202egnp.exe https://b.example/\u200bx')).toEqual([
      ['https://a.example/', 'https://a.example/'],
      ['https://b.example/', 'https://b.example/'],
    ])
  })

  it('and the text between them add up to the whole text', () => {
    for (const text of ['a https://a.example b', 'https://a.example', 'x'.repeat(1_000), '\u202ehttps://a.example)']) {
      expect(
        partsOf(text)
          .map((part) => part.text)
          .join(''),
      ).toBe(text)
    }
  })

  it('are found quickly in a text of 100 KB that is slow for a backtracking search', () => {
    const long = `${'https://a.example/((((((((('.repeat(2_000)}${')'.repeat(50_000)}`
    expect(
      partsOf(long)
        .map((part) => part.text)
        .join(''),
    ).toBe(long)
  })
})

describe('A text of emoji only', () => {
  it.each(['😀', '👍🏽', '❤️', '🇵🇭', '👨‍👩‍👧‍👦 🎉', ' 😂😂😂 ', '1️⃣'])('is %s', (text) =>
    expect(isEmojiOnly(text)).toBe(true),
  )
  it.each(['', ' ', '1', '#', 'ok 👍', '😀😀😀😀😀😀😀', '©', 'ñ'])('is not %j', (text) =>
    expect(isEmojiOnly(text)).toBe(false),
  )
  it.each([
    [98, true],
    [99, false],
  ])('may end in %i spaces: %s', (spaces, is) => expect(isEmojiOnly(`😀${' '.repeat(spaces)}`)).toBe(is))
})
