import { describe, expect, it } from 'vitest'
import { bodyOf, type FaqFields, faqKeywords, fieldsOf, priorityOf } from '../../../src/domain/faq/faq-fields.ts'

const complete: FaqFields = {
  ...fieldsOf(null),
  title: ' Prices ',
  categoryId: 'c1',
  keywords: ['Price', 'how much'],
  response: ' From 100 pesos. ',
}

describe('The validation of the keyword field', () => {
  it.each([
    ['', null],
    ['  ', null],
    ['cost', null],
    ['?!', 'A keyword needs a letter or a number'],
    ['PRICE!', 'You already added this keyword'],
  ])('%j has the problem: %s', (keyword, problem) =>
    expect(faqKeywords.problem({ ...complete, keyword })).toBe(problem),
  )
})

describe('A priority', () => {
  it.each([
    ['0', 0],
    [' 7 ', 7],
    ['100', 100],
    ['101', null],
    ['-1', null],
    ['1.5', null],
    ['', null],
  ])('typed as %j is read as %s', (priority, value) => expect(priorityOf({ ...complete, priority })).toBe(value))
})

describe('The request body of a saved FAQ entry', () => {
  const saved = {
    title: 'Prices',
    category_id: 'c1',
    keywords: ['Price', 'how much'],
    response: 'From 100 pesos.',
    is_active: true,
    priority: 0,
  }
  it.each<[string, Partial<FaqFields>, ReturnType<typeof bodyOf>]>([
    ['holds the typed values, trimmed', {}, saved],
    [
      'includes the keyword that is still in the input',
      { keyword: ' cost ' },
      { ...saved, keywords: ['Price', 'how much', 'cost'] },
    ],
    ['holds each keyword once', { keyword: 'price' }, saved],
    ['is null without a title', { title: ' ' }, null],
    ['is null without a category', { categoryId: '' }, null],
    ['is null without a keyword', { keywords: [] }, null],
    ['is null without a response', { response: ' ' }, null],
    ['is null if the priority is out of range', { priority: '101' }, null],
  ])('%s', (_, typed, body) => expect(bodyOf({ ...complete, ...typed }, null)).toEqual(body))
})
