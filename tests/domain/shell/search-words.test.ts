import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { excerptOf, marksIn, searchWords } from '../../../src/domain/shell/search-words.ts'

const marked = (text: string, search: string) => marksIn(text, search).map(({ start, end }) => text.slice(start, end))

describe('searchWords', () => {
  it.each([
    ['Magkano  PO, ang señorita?', ['magkano', 'po', 'ang', 'senorita']],
    ["'Yung don’t", ['yung', 'dont']],
    ['ana@example.com', ['ana', 'example', 'com']],
    ['№5 ﬁne ½', ['no5', 'fine', '1', '2']],
    ['ПРИВЕТ Σίσυφος', ['привет', 'σισυφοσ']],
    ['po po', ['po']],
    ['...', []],
  ])('of %j are %j', (text, words) => {
    expect(searchWords(text)).toEqual(words)
  })
})

describe('marksIn', () => {
  it.each([
    ['Magkano po ang señorita', 'SEÑOR po', ['po', 'señor']],
    ['Magkano po', 'agkano', []],
    ['Núñez Nunez', 'nunez', ['Núñez', 'Nunez']],
    ['po popo', 'p pop', ['po'.slice(0, 1), 'pop']],
    ['call 0917-123-4567 po', '+639171234567', ['0917-123-4567']],
    ['call +63 917 123 4567', '09171234567', ['63 917 123 4567']],
    ['1234567', '1234567', ['1234567']],
    ['👋🏽 hello', 'hello', ['hello']],
    ['', 'a', []],
  ])('of %j, %j marks %j', (text, search, parts) => {
    expect(marked(text, search)).toEqual(parts)
  })

  it('marks the beginning of each word that is typed, in order and without overlaps', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'grapheme' }), (text, search) => {
        const marks = marksIn(text, search)
        let end = 0
        for (const mark of marks) {
          expect(mark.start).toBeGreaterThanOrEqual(end)
          expect(mark.end).toBeGreaterThan(mark.start)
          end = mark.end
        }
        expect(end).toBeLessThanOrEqual(text.length)
        const isFound = searchWords(text).some((word) => searchWords(search).some((typed) => word.startsWith(typed)))
        if (isFound) expect(marks).not.toEqual([])
        expect(marksIn(text, text).length > 0).toBe(searchWords(text).length > 0)
      }),
    )
  })
})

describe('excerptOf', () => {
  const long = `${'lorem '.repeat(50)}kumusta ${'ipsum '.repeat(50)}`
  it.each([
    ['a short text whole, on one line', excerptOf(' one\n two ', 'two', 20), 'one two'],
    ['the beginning of a long one', excerptOf(long, 'lorem', 20), 'lorem lorem lorem lo…'],
    ['the beginning if nothing is found', excerptOf(long, 'zzz', 20), 'lorem lorem lorem lo…'],
    [
      'the place that is found',
      excerptOf(long, 'kumu', 60),
      `…${'lorem '.repeat(3)}kumusta${' ipsum'.repeat(5)} ipsu…`,
    ],
    [
      'the place that is found near the end',
      excerptOf(`${'lorem '.repeat(20)}kumusta`, 'kumu', 200),
      '…lorem lorem lorem kumusta',
    ],
    ['the place in a long word', excerptOf(`${'-'.repeat(50)}kumusta`, 'kumu', 60), `…${'-'.repeat(20)}kumusta`],
  ])('is %s', (_, excerpt, expected) => {
    expect(excerpt).toBe(expected)
  })

  it('holds what was found, whole characters, and no more than the length', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 100 }), fc.nat(100), (filler, at) => {
        const text = `${filler.slice(0, at).toWellFormed()} 😀needle ${filler.repeat(5).toWellFormed()}`
        const excerpt = excerptOf(text, '😀needle', 60)
        expect(excerpt).toContain('😀needle')
        expect(excerpt.isWellFormed()).toBe(true)
        expect([...excerpt].length).toBeLessThanOrEqual(62)
      }),
    )
  })
})
