import { describe, expect, it } from 'vitest'
import { bodyOf, draftOf, type FaqDraft, keywordProblem, priorityOf } from '../../../src/domain/faq/faq-draft.ts'

const complete: FaqDraft = {
  ...draftOf(null),
  title: ' Prices ',
  categoryId: 'c1',
  keywords: ['Price', 'how much'],
  response: ' From 100 pesos. ',
}

describe('what stands in the field of keywords', () => {
  it.each([
    ['', null],
    ['  ', null],
    ['cost', null],
    ['?!', 'A keyword needs a letter or a number'],
    ['PRICE!', 'You already added this keyword'],
  ])('%j: %s', (keyword, problem) => expect(keywordProblem({ ...complete, keyword })).toBe(problem))
})

describe('a priority', () => {
  it.each([
    ['0', 0],
    [' 7 ', 7],
    ['100', 100],
    ['101', null],
    ['-1', null],
    ['1.5', null],
    ['', null],
  ])('typed as %j is %s', (priority, value) => expect(priorityOf({ ...complete, priority })).toBe(value))
})

describe('what is saved', () => {
  const saved = {
    title: 'Prices',
    category_id: 'c1',
    keywords: ['Price', 'how much'],
    response: 'From 100 pesos.',
    is_active: true,
    priority: 0,
  }
  it.each<[string, Partial<FaqDraft>, ReturnType<typeof bodyOf>]>([
    ['is what was typed, without spaces around it', {}, saved],
    [
      'holds a keyword that was not added yet',
      { keyword: ' cost ' },
      { ...saved, keywords: ['Price', 'how much', 'cost'] },
    ],
    ['holds no keyword twice', { keyword: 'price' }, saved],
    ['is nothing without a title', { title: ' ' }, null],
    ['is nothing without a category', { categoryId: '' }, null],
    ['is nothing without a keyword', { keywords: [] }, null],
    ['is nothing without a response', { response: ' ' }, null],
    ['is nothing without a priority in its range', { priority: '101' }, null],
  ])('%s', (_, typed, body) => expect(bodyOf({ ...complete, ...typed })).toEqual(body))
})
