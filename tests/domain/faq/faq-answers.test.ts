import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { comparable } from '../../../src/domain/comparable.ts'
import { editDistance } from '../../../src/domain/faq/edit-distance.ts'
import { type AnsweringFaq, answererOf, claimsOf } from '../../../src/domain/faq/faq-answers.ts'
import { conflictsOf } from '../../../src/domain/faq/faq-conflicts.ts'
import { matchesOf } from '../../../src/domain/faq/faq-matching.ts'
import { appliesTo, chosenPages, shareAPage } from '../../../src/domain/faq/faq-pages.ts'
import { tokensOf } from '../../../src/domain/faq/word-readings.ts'

const faqOf = (
  id: string,
  keywords: string[],
  { priority = 0, page_ids = null }: { priority?: number; page_ids?: string[] | null } = {},
): AnsweringFaq => ({ id, title: `Title ${id}`, category_name: null, keywords, priority, page_ids })

const shop = [
  faqOf('price', ['magkano']),
  faqOf('pay', ['GCash number', 'GCash', 'paano magbayad']),
  faqOf('discount', ['discount', 'bulk order', 'wholesale']),
  faqOf('cod', ['COD', 'cash on delivery']),
  faqOf('place', ['saan po kayo', 'pickup']),
  faqOf('order', ['order']),
]
const careful = { pageId: null, leastScore: 0.9 }
const reading = (message: string, entries: readonly AnsweringFaq[] = shop, leastScore: number | null = 0.9) => {
  const { matches, near, answerId, doubt } = answererOf(entries)(message, { pageId: null, leastScore })
  return {
    matches: matches.map(({ id }) => id),
    near: near.map(({ id, keyword, reasons }) => [
      id,
      keyword,
      reasons.map((one) => `${one.written}>${one.read} ${one.kind}`),
    ]),
    answerId,
    doubt,
  }
}

describe('A message without an exact keyword', () => {
  it.each([
    ['mgkano po?', 'price', 'magkano', ['mgkano>magkano typing']],
    ['magakno', 'price', 'magkano', ['magakno>magkano typing']],
    ['MAGKANU PO ITO', 'price', 'magkano', ['magkanu>magkano spelling']],
    ['magkanoooo', 'price', 'magkano', ['magkanoooo>magkano spelling']],
    ['hm', 'price', 'magkano', ['hm>magkano meaning']],
    ['How much is this po', 'price', 'magkano', ['how much>magkano meaning']],
    ['pila ni', 'price', 'magkano', ['pila>magkano meaning']],
    ['nasaan kayo', 'place', 'saan po kayo', ['nasaan>saan spelling']],
    ['san po ba kayo', 'place', 'saan po kayo', ['san>saan spelling', 'po> particle', 'ba> particle']],
    ['any discounts?', 'discount', 'discount', ['discounts>discount ending']],
    ['díscóunts', 'discount', 'discount', ['discounts>discount ending']],
    ['holsale po ba kayo', 'discount', 'wholesale', []],
    ['may gkash kayo', 'pay', 'GCash', ['gkash>gcash spelling']],
    ['g cash', 'pay', 'GCash', ['g cash>gcash spacing']],
    ['pick up', 'place', 'pickup', ['pick up>pickup spacing']],
    ['paorder po', 'order', 'order', ['paorder>order prefix']],
    ['magoorder ako', 'order', 'order', ['magoorder>order prefix']],
    ['pano po magbayad', 'pay', 'paano magbayad', ['pano>paano spelling', 'po> particle']],
    ['cash on delivry', 'cod', 'cash on delivery', ['delivry>delivery typing']],
  ])('is read with its reasons: %s', (message, id, keyword, reasons) => {
    const expected = reasons.map((one) => one.replace('>  ', '> '))
    const { matches, near, doubt } = reading(message)
    expect([matches, near[0]?.slice(0, 2)]).toEqual([[], [id, keyword]])
    if (expected.length > 0) expect([near[0]?.[2], doubt]).toEqual([expected, null])
  })

  it.each([
    'Good morning po',
    'salamat po!',
    'kod',
    'older',
    'border',
    'ok',
    'rash',
    'opo',
    'po',
    '?!',
    'sino ba yan',
    'Can you cover the table',
  ])('has no similar entry: %s', (message) => expect(reading(message).near).toEqual([]))

  it('has a score below 1, which a typing error in a short word and a second error lower', () => {
    const scoreOf = (message: string) => answererOf(shop)(message, careful).near[0]?.score ?? 0
    const scores = ['discounts', 'discuont', 'discoun', 'dicoun', 'ordrer'].map(scoreOf)
    expect(scores.map((score) => Math.round(score * 1000))).toEqual([960, 944, 925, 850, 880])
  })

  it('is not read as a typing error of a word that is a keyword of another entry', () => {
    const entries = [faqOf('a', ['printer']), faqOf('b', ['painter'])]
    expect(reading('painter', entries)).toMatchObject({ matches: ['b'], near: [] })
  })
})

describe('A similar entry replies by itself', () => {
  it('only from the score of the setting on', () => {
    expect(reading('dicoun po')).toMatchObject({ answerId: null, doubt: 'low-score' })
    expect(reading('dicoun po', shop, 0.8)).toMatchObject({ answerId: 'discount', doubt: null })
    expect(reading('mgkano', shop, null)).toMatchObject({ answerId: null, doubt: 'exact-only' })
  })

  it('not if two entries are about equally good, whatever their priorities', () => {
    const entries = [faqOf('a', ['magkano'], { priority: 90 }), faqOf('b', ['magkano po'])]
    const verdict = answererOf(entries)('mgkano', careful)
    expect([verdict.answerId, verdict.doubt, claimsOf(verdict).map(({ id }) => id)]).toEqual([
      null,
      'several',
      ['a', 'b'],
    ])
  })

  it('not if the message has a negation that is no part of the keyword', () => {
    expect(reading('wala po bang discuont')).toMatchObject({ answerId: null, doubt: 'negation' })
    expect(reading('hindi puwede', [faqOf('a', ['hindi pwede'])])).toMatchObject({ answerId: 'a', doubt: null })
  })

  it('not if the message is longer than 30 words', () => {
    const story = (words: number) => `discuont ${Array.from({ length: words - 1 }, () => 'kuwento').join(' ')}`
    expect([reading(story(30)).doubt, reading(story(31)).doubt]).toEqual([null, 'long'])
  })

  it('not if another entry has an exact keyword, however low its priority', () => {
    const entries = [faqOf('exact', ['delivery']), faqOf('similar', ['discount'], { priority: 100 })]
    expect(reading('discuont delivery', entries)).toMatchObject({
      matches: ['exact'],
      near: [['similar', 'discount', ['discuont>discount typing']]],
      answerId: 'exact',
    })
  })
})

describe('The pages of an entry', () => {
  const entries = [faqOf('all', ['hours']), faqOf('one', ['hours'], { priority: 5, page_ids: ['p1', 'gone'] })]
  it('decide whether it replies, exactly or similarly', () => {
    const on = (pageId: string | null, message: string) =>
      answererOf(entries)(message, { pageId, leastScore: 0.7 }).answerId
    expect([on('p1', 'hours'), on('p2', 'hours'), on(null, 'hours')]).toEqual(['one', 'all', 'one'])
    const only = answererOf([faqOf('one', ['discount'], { page_ids: ['p1'] })])
    expect([
      only('discuont', { pageId: 'p2', leastScore: 0.7 }).near,
      only('discuont', { ...careful, pageId: 'p1' }).answerId,
    ]).toEqual([[], 'one'])
  })

  it('are none if all chosen pages were removed', () => {
    const removed = { page_ids: ['gone'] }
    expect([appliesTo(removed, 'p1'), chosenPages(removed, [{ page_id: 'p1' }]), chosenPages({}, [])]).toEqual([
      false,
      { known: [], removed: 1 },
      null,
    ])
  })

  it('are common if one applies to all or both name one', () => {
    expect(
      [
        [null, ['a']],
        [['a'], ['b']],
        [['a', 'b'], ['b']],
        [null, null],
      ].map(([one, other]) => shareAPage({ page_ids: one ?? null }, { page_ids: other ?? null })),
    ).toEqual([true, false, true, true])
  })
})

describe('A conflict', () => {
  const of = (
    id: string,
    keywords: string[],
    rest: Partial<{ priority: number; page_ids: string[]; is_active: boolean }> = {},
  ) => ({
    ...faqOf(id, keywords),
    is_active: true,
    ...rest,
  })
  const told = (...entries: ReturnType<typeof of>[]) =>
    Object.fromEntries(
      [...conflictsOf(entries)].map(([id, all]) => [
        id,
        all.map(
          ({ keyword, other, otherKeyword, isAnswered }) => `${keyword}/${otherKeyword} of ${other.id}: ${isAnswered}`,
        ),
      ]),
    )

  it('is told for both entries with the same keyword, and which of them replies', () => {
    expect(told(of('a', ['GCash'], { priority: 2 }), of('b', ['g-cash', 'gcash'], { priority: 1 }))).toEqual({
      a: ['GCash/gcash of b: true'],
      b: ['gcash/GCash of a: false'],
    })
    expect(told(of('b', ['hours']), of('a', ['Hours?']))).toEqual({
      b: ['hours/Hours? of a: false'],
      a: ['Hours?/hours of b: true'],
    })
  })

  it('is told for known spellings and particles too', () => {
    expect(told(of('a', ['magkano po']), of('b', ['how much']))).toEqual({
      a: ['magkano po/how much of b: true'],
      b: ['how much/magkano po of a: false'],
    })
  })

  it('is told for a keyword within a longer one only if the shorter one always wins', () => {
    expect(told(of('a', ['order']), of('b', ['rush order']))).toEqual({})
    expect(told(of('a', ['order'], { priority: 1 }), of('b', ['rush order']))).toEqual({
      a: ['order/rush order of b: true'],
      b: ['rush order/order of a: false'],
    })
  })

  it('is none on different pages, with an inactive entry or within one entry', () => {
    expect(told(of('a', ['x1'], { page_ids: ['p'] }), of('b', ['x1'], { page_ids: ['q'] }))).toEqual({})
    expect(told(of('a', ['x1']), of('b', ['x1'], { is_active: false }))).toEqual({})
    expect(told(of('a', ['magkano', 'how much']))).toEqual({})
  })
})

describe('Of any messages and entries', () => {
  const word = fc.constantFrom(
    ...'magkano mgkano magkanu hm how much discount discuont discounts order older wholesale hindi po ba gcash g cash kayo saan nasaan pickup pick up delivery'.split(
      ' ',
    ),
  )
  const phrase = (most: number) => fc.array(word, { minLength: 1, maxLength: most }).map((words) => words.join(' '))
  const entry = fc.record({ keywords: fc.uniqueArray(phrase(3), { minLength: 1, maxLength: 3 }), priority: fc.nat(3) })
  const entries = fc
    .array(entry, { minLength: 1, maxLength: 5 })
    .map((all) => all.map(({ keywords, priority }, index) => faqOf(`e${index}`, keywords, { priority })))

  it('an exact keyword always beats a similar one, by the rule of the specification', () => {
    fc.assert(
      fc.property(entries, phrase(6), (known, message) => {
        const exact = matchesOf(message, known)
        const { matches, near, answerId } = answererOf(known)(message, careful)
        expect(matches).toEqual(exact)
        if (exact.length > 0) expect(answerId).toBe(exact[0]?.id)
        expect(near.filter(({ id }) => exact.some((match) => match.id === id))).toEqual([])
        for (const { score } of near) expect(score > 0 && score < 1).toBe(true)
      }),
    )
  })

  it('the order of entries and of keywords changes nothing', () => {
    fc.assert(
      fc.property(entries, phrase(6), (known, message) => {
        const turned = known.toReversed().map((one) => ({ ...one, keywords: one.keywords.toReversed() }))
        const [one, other] = [known, turned].map((all) => {
          const { near, answerId, doubt } = answererOf(all)(message, careful)
          return { near, answerId, doubt }
        })
        expect(other).toEqual(one)
      }),
    )
  })

  it('the normalised text is read as the text itself', () => {
    fc.assert(
      fc.property(entries, phrase(6), fc.constantFrom('!', ' ?? ', '...', ' - '), (known, message, mark) => {
        const answerTo = answererOf(known)
        const written = message.toUpperCase().replaceAll(' ', ` ${mark} `)
        expect(answerTo(comparable(written), careful)).toEqual(answerTo(written, careful))
      }),
    )
  })

  it('any text is read without an error', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), fc.string({ unit: 'grapheme' }), (keywords, message) => {
        expect(answererOf([faqOf('a', keywords)])(message, careful).near.length).toBeLessThanOrEqual(1)
        expect(tokensOf(comparable(message)).every(({ written }) => written !== '')).toBe(true)
      }),
    )
  })
})

describe('The edit distance', () => {
  it.each([
    ['magkano', 'magkano', 2, 0],
    ['mgkano', 'magkano', 2, 1],
    ['magakno', 'magkano', 2, 0.75],
    ['abcd', 'dcba', 2, Number.POSITIVE_INFINITY],
    ['', 'ab', 2, 2],
    ['a', 'abcd', 2, Number.POSITIVE_INFINITY],
  ])('of %j and %j up to %d is %d', (one, other, most, distance) =>
    expect([editDistance(one, other, most), editDistance(other, one, most)]).toEqual([distance, distance]),
  )
})
