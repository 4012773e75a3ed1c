import { expect, test } from 'vitest'
import { selectTests } from '../../scripts/test-selection.ts'

const list = 'tests/domain/list/conversation-list.test.ts'

test.each([
  [['walls'], ['walls'], ['tests/walls.test.ts']],
  [['types', 'lint'], ['types', 'lint'], []],
  [['browsers'], ['browsers'], ['tests/browsers/journeys.test.ts']],
  [['unit', 'conversation-list'], ['unit'], [list]],
  [
    ['unit', 'walls', 'conversation-list', 'walls.test'],
    ['unit', 'walls'],
    [list, 'tests/walls.test.ts'],
  ],
])('npm test -- %j selects the kinds %j and the files %j', (words, kinds, files) => {
  const selected = selectTests(words)
  expect([selected.kinds, Object.values(selected.files).flat()]).toEqual([kinds, files])
})

test('a filter without a kind selects from all kinds, without types and lint', () => {
  const { kinds, files } = selectTests(['security-headers'])
  expect([kinds.includes('types'), kinds.includes('lint'), Object.keys(files)]).toEqual([false, false, ['e2e']])
})

test('without words everything is selected', () => {
  const { kinds, files } = selectTests([])
  expect(kinds).toEqual(['types', 'lint', ...Object.keys(files)])
})

test.each([
  [['walls', 'faq.test'], 'No test file of the kind "walls" has "faq.test" in its path.'],
  [['unit', 'walls', 'conversation-list'], 'No test file of the kind "walls" has "conversation-list" in its path.'],
  [['types', 'faq'], '"types" has no test files, so the filter "faq" selects nothing of it.'],
  [['unit', 'conversation-list', 'no-such-file'], 'No test file has "no-such-file" in its path.'],
  [['no-such-file'], 'No test file has "no-such-file" in its path.'],
])('npm test -- %j fails', (words, reason) => {
  expect(() => selectTests(words)).toThrow(reason)
})
