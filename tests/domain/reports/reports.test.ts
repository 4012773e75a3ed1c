import { describe, expect, it } from 'vitest'
import { questionForm } from '../../../src/domain/faq/questions.ts'
import { firstChoice, rangeProblem } from '../../../src/domain/reports/report-choice.ts'
import { durationText, rowLabel } from '../../../src/domain/reports/report-text.ts'

it.each([
  [null, '–'],
  [0, '0 s'],
  [59.4, '59 s'],
  [60, '1 min'],
  [3_569, '59 min'],
  [3_571, '1 h 0 min'],
  [7_500, '2 h 5 min'],
  [86_399, '1 d 0 h'],
  [180_000, '2 d 2 h'],
])('shows %s seconds as %s', (seconds, text) => expect(durationText(seconds)).toBe(text))

it.each([
  ['page', { key: 'p1', name: 'Bakery' }, 'Bakery'],
  ['page', { key: 'p1', name: null }, 'Removed page'],
  ['person', { key: 'staff:a', name: 'Ana' }, 'Ana'],
  ['person', { key: 'staff:a', name: null }, 'Former member'],
  ['person', { key: 'outside', name: null }, 'Business Suite'],
  ['person', { key: 'unknown', name: null }, 'Not known'],
  ['person', { key: 'nobody', name: null }, 'Nobody'],
  ['person', { key: 'automatic', name: null }, 'Automatic'],
  ['person', { key: 'automatic:Prices', name: null }, 'Automatic: Prices'],
  ['hour', { key: '09', name: null }, '9:00 AM'],
  ['date', { key: '2026-05', name: null }, 'May 2026'],
  ['date', { key: '2026-05-01', name: null }, 'May 1, 2026'],
] as const)('names a row of a %s %o', (by, row, label) => expect(rowLabel(by, row)).toBe(label))

it.each([
  ['', '2026-01-01', 'Choose the first and the last day.'],
  ['2026-01-02', '2026-01-01', 'The last day is before the first day.'],
  ['2024-01-01', '2026-01-01', 'Choose a range of at most two years.'],
  ['2024-01-01', '2025-12-31', null],
])('says of a range from "%s" to "%s": %s', (from, to, problem) => {
  const choice = { ...firstChoice, report: 'responses', range: 'own', from, to } as const
  expect(rangeProblem(choice)).toBe(problem)
  expect(rangeProblem({ ...choice, report: 'waiting' })).toBeNull()
})

describe('a text', () => {
  it.each([
    ['Do you deliver to Cebú?', 'do you deliver to cebu'],
    ['HM PO', 'hm po'],
    ['Magkano   ang cake', 'magkano ang cake'],
    ['Ok po, available pa', 'ok po available pa'],
    ['Talaga？', 'talaga'],
    ['Thank you so much', null],
    ['I was there yesterday and asked how it works', null],
    ['???', null],
    ['', null],
  ])('%s has the form of a question %s', (text, form) => expect(questionForm(text)).toBe(form))
})
