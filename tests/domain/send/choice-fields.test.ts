import { describe, expect, it } from 'vitest'
import { choiceFieldsOf, choiceProblem, structureOf, withKind } from '../../../src/domain/send/choice-fields.ts'
import { fitsStructure } from '../../../src/domain/send/reply-structure.ts'

const row = (title: string, url = '') => ({ title, url })
const quick = (...titles: string[]) => ({ kind: 'quickReplies' as const, rows: titles.map((title) => row(title)) })
const buttons = (...rows: { title: string; url: string }[]) => ({ kind: 'buttons' as const, rows })

describe('The fields of quick replies and buttons', () => {
  it.each([
    [{ kind: 'quickReplies' as const, titles: ['Yes', 'No'] }],
    [
      {
        kind: 'buttons' as const,
        buttons: [
          { title: 'Map', url: 'https://example.com/' },
          { title: 'Call', url: null },
        ],
      },
    ],
    [null],
  ])('give back what they were made of: %j', (structure) => {
    expect(structureOf(choiceFieldsOf(structure))).toEqual(structure)
  })

  it('begin with an empty row, keep rows when the kind changes, and no more than the network takes', () => {
    const none = choiceFieldsOf(null)
    expect(withKind(none, 'buttons')).toEqual(buttons(row('')))
    const five = quick('1', '2', '3', '4', '5')
    expect(withKind(five, 'buttons').rows).toHaveLength(3)
    expect(withKind(five, 'none')).toEqual({ ...five, kind: 'none' })
    expect(withKind(withKind(five, 'none'), 'quickReplies')).toEqual(five)
  })

  it.each([
    ['nothing', choiceFieldsOf(null), '', null],
    ['whole quick replies', quick(' Yes ', 'No'), '', null],
    ['no row', quick(), '', 'Enter a title for each, or remove the empty ones.'],
    ['an empty title', quick('Yes', ' '), '', 'Enter a title for each, or remove the empty ones.'],
    ['one title twice', quick('Yes', ' Yes'), '', 'Use each title once.'],
    ['a long title', quick('a'.repeat(21)), '', 'Use at most 20 characters.'],
    ['a link', buttons(row('Map', 'https://example.com/map?at=1')), '', null],
    ['no whole link', buttons(row('Map', 'example')), '', 'Enter a whole link, for example https://example.com.'],
    ['a script', buttons(row('Map', 'javascript:x()')), '', 'Enter a whole link, for example https://example.com.'],
    ['a long text', quick('Yes'), 'a'.repeat(641), null],
    [
      'a long text above buttons',
      buttons(row('Yes')),
      'a'.repeat(641),
      'A message with buttons can have at most 640 characters. Shorten the text, or send it without the buttons.',
    ],
  ])('with %s say what is wrong', (_, fields, text, problem) => {
    expect(choiceProblem(fields, text)).toBe(problem)
  })
})

it.each([
  ['buttons', 640, true],
  ['buttons', 641, false],
  ['quickReplies', 641, true],
  ['template', 641, true],
] as const)('a text with %s may have %i characters: %s', (kind, length, expected) => {
  expect(fitsStructure(` ${'😀'.repeat(length)} `, { kind })).toBe(expected)
})
