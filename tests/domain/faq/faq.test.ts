import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { comparable } from '../../../src/domain/comparable.ts'
import { automaticKeyOf, isAutomatic } from '../../../src/domain/faq/automatic.ts'
import { type MatchableFaq, matchesOf } from '../../../src/domain/faq/faq-matching.ts'
import { replyOf, unfilledVariable } from '../../../src/domain/faq/faq-reply.ts'

const faqOf = (id: string, keywords: string[], priority = 0): MatchableFaq => ({
  id,
  title: `Title ${id}`,
  category_name: 'General',
  keywords,
  priority,
})

const idsFor = (message: string, ...entries: MatchableFaq[]) => matchesOf(message, entries).map(({ id }) => id)
const finds = (keyword: string, message: string) => idsFor(message, faqOf('a', [keyword])).length === 1

describe('The keyword match', () => {
  it.each([
    ['price', 'What is the PRICE?'],
    ['GCash number', 'ano po   gcash-number niyo'],
    ['Piñata', 'may pinata po ba kayo'],
    ['pinata', 'May PIÑATA po ba kayo'],
    ['cafe', 'the café, please'],
    ["what's new", 'whats new?'],
    ['whats new', 'What’s new'],
    ['👍', 'ok 👍 po'],
    ['20% off', 'is it 20 % OFF?'],
    ['ﬁle', 'which file'],
  ])('finds %j in %j', (keyword, message) => expect(finds(keyword, message)).toBe(true))

  it.each([
    ['rice', 'What is the price?'],
    ['price', 'pricey'],
    ['cash on delivery', 'cash and delivery'],
    ['cash on delivery', 'delivery on cash'],
    ['?!', 'what?!'],
    ['?!', '...'],
    ['strasse', 'Straße'],
    ['', 'anything'],
    ['anything', ''],
  ])('does not find %j in %j', (keyword, message) => expect(finds(keyword, message)).toBe(false))
})

describe('The order of several matching entries', () => {
  it('sorts by higher priority, then by longer keyword, then by id', () => {
    const entries = [
      faqOf('d', ['delivery'], 1),
      faqOf('b', ['cash on delivery'], 1),
      faqOf('c', ['delivery'], 1),
      faqOf('a', ['cash'], 2),
    ]
    expect(idsFor('Cash on delivery po?', ...entries)).toEqual(['a', 'b', 'c', 'd'])
  })

  it('names the matched keywords of each entry as staff wrote them, longest first', () => {
    expect(matchesOf('COD or cash on delivery', [faqOf('a', ['cod', 'refund', 'Cash on Delivery'], 7)])).toEqual([
      { id: 'a', title: 'Title a', category: 'General', priority: 7, matched_keywords: ['Cash on Delivery', 'cod'] },
    ])
  })
})

const word = fc.stringMatching(/^[a-z0-9]{1,6}$/)
const phrase = fc.array(word, { minLength: 1, maxLength: 4 })
const noise = fc.stringMatching(/^[ .,!?;:()\n-]{1,4}$/)

describe('The keyword match for any text', () => {
  it('normalises a normalised text to the same text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(comparable(comparable(text))).toBe(comparable(text))
      }),
    )
  })

  it('ignores case, accents, punctuation and spaces', () => {
    const accented = (text: string) => text.replaceAll('a', 'á').replaceAll('n', 'ñ')
    fc.assert(
      fc.property(phrase, noise, fc.boolean(), fc.boolean(), (words, between, upper, marked) => {
        const plain = words.join(between)
        const dressed = marked ? accented(plain) : plain
        expect(comparable(upper ? dressed.toUpperCase() : dressed)).toBe(words.join(' '))
      }),
    )
  })

  it('finds a phrase only if its words are adjacent', () => {
    fc.assert(
      fc.property(phrase, fc.array(word, { maxLength: 12 }), (keyword, message) => {
        const stands = message.some((_, at) => keyword.every((one, index) => message[at + index] === one))
        expect(finds(keyword.join(' '), message.join(' '))).toBe(stands)
        expect(finds(keyword.join(' '), [...message, ...keyword, ...message].join(' '))).toBe(true)
      }),
    )
  })

  it('does not depend on the order of the entries, and matches each entry once', () => {
    const entries = fc.uniqueArray(
      fc.record({ id: word, keywords: fc.array(phrase.map((words) => words.join(' '))), priority: fc.nat(3) }),
      { selector: ({ id }) => id },
    )
    fc.assert(
      fc.property(entries, phrase, (some, words) => {
        const known = some.map(({ id, keywords, priority }) => faqOf(id, [...keywords, words[0] ?? ''], priority))
        const ids = idsFor(words.join(' '), ...known)
        expect(ids).toEqual(idsFor(words.join(' '), ...known.toReversed()))
        expect([...ids].sort()).toEqual(known.map(({ id }) => id).sort())
        const priorities = ids.map((id) => known.find((one) => one.id === id)?.priority ?? 0)
        expect(priorities).toEqual(priorities.toSorted((one, other) => other - one))
      }),
    )
  })
})

describe('The placeholder {userName}', () => {
  it.each([
    ['Hi {userName}!', 'Ana', 'Hi Ana!'],
    ['{userName}, {userName}', 'Ana', 'Ana, Ana'],
    ['Hi {userName}!', '$& {userName}', 'Hi $& {userName}!'],
    ['Hi {userName}!', '  ', 'Hi!'],
    ['Hi {userName}!', null, 'Hi!'],
    ['Hello, {userName}. We are open.', null, 'Hello. We are open.'],
    ['Hello {userName}, we are open.', null, 'Hello, we are open.'],
    ['{userName}, we are open.', null, 'We are open.'],
    ['{userName}! We are open.', null, 'We are open.'],
    ['Good news! {userName}, élan is back.', null, 'Good news! Élan is back.'],
    ['Thank you {userName} for asking', null, 'Thank you for asking'],
    ['Thank you, {userName}, for asking', null, 'Thank you, for asking'],
    ['{userName} we are open.', null, 'We are open.'],
    ['{userName} ,  we are open.', null, 'We are open.'],
    ['{userName}we are open.', null, 'We are open.'],
    ['Yes.{userName},we are open.', null, 'Yes.We are open.'],
    ['Yes.  {userName}, we are open.', null, 'Yes.  We are open.'],
    ['{userName}, 5 are left.', null, '5 are left.'],
    ['See you, {userName}', null, 'See you'],
    [' We are open. ', null, 'We are open.'],
    ['{userName}', null, ''],
    ['No name here', null, 'No name here'],
  ])('in %j for %j makes %j', (response, name, reply) => expect(replyOf(response, name)).toBe(reply))

  it('never appears in the reply to an identity without a name', () => {
    const part = fc.oneof(fc.constant('{userName}'), fc.stringMatching(/^[a-z ,.!\n]{0,6}$/))
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        expect(replyOf(parts.join(''), null)).not.toContain('{userName}')
      }),
    )
  })

  it.each([
    ['Hi {userName}!', null],
    ['Hi {first_name}, from {userName} and {page}', '{first_name}'],
    ['{username}', '{username}'],
    ['{ userName } costs { } or {5 pesos}', null],
  ])('in %j leaves the variable %j as it is', (response, variable) => expect(unfilledVariable(response)).toBe(variable))

  it('is replaced by at most 100 characters', () => {
    expect(replyOf('Hi {userName}!', 'a'.repeat(101))).toBe(`Hi ${'a'.repeat(100)}!`)
  })

  it('is replaced by a name without direction characters or line breaks', () => {
    expect(replyOf('Hi {userName}!', 'A\u202eB\nC')).toBe('Hi AB C!')
  })
})

describe('An automatic reply', () => {
  it('is recognised by the prefix of its key', () => {
    expect([
      isAutomatic({ idempotency_key: automaticKeyOf('m1') }),
      isAutomatic({ idempotency_key: '5f3c' }),
      isAutomatic({ idempotency_key: null }),
      isAutomatic({}),
    ]).toEqual([true, false, false, false])
  })
})
