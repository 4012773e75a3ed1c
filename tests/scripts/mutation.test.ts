import { afterEach, describe, expect, it, vi } from 'vitest'
import { isInPass, sampleVariable, secondPassVariable } from '../../scripts/mutation/pass.ts'
import { scoreLine, scoreOf, sumOf, tallyOf } from '../../scripts/mutation/score.ts'
import { remarksOn, subjectOf, testsOf } from '../../scripts/mutation/tests-of.ts'

const statuses = ['Killed', 'Survived', 'Timeout', 'Killed', 'Killed', 'RuntimeError', 'Ignored']

describe('The score of mutants', () => {
  it('counts a mutant that timed out neither as noticed nor as a survivor, and nothing that was not measured', () => {
    const tally = tallyOf(statuses)
    expect([tally, scoreOf(tally)]).toEqual([{ killed: 3, of: 4, timedOut: 1 }, 75])
  })

  it('is 100 if nothing was measured', () => {
    expect(['Timeout', 'NoCoverage'].map((status) => scoreOf(tallyOf([status])))).toEqual([100, 100])
  })

  it('names the mutants that timed out, if there are any', () => {
    const name = 'a'.repeat(40)
    expect([scoreLine(name, tallyOf(statuses)), scoreLine(name, tallyOf(['Killed']))]).toEqual([
      `${name}  75.0 %  3 of 4, and 1 timed out`,
      `${name} 100.0 %  1 of 1`,
    ])
  })

  it('of all is that of the sum', () => {
    expect(sumOf([tallyOf(statuses), tallyOf(['Timeout', 'Survived'])])).toEqual({ killed: 3, of: 5, timedOut: 2 })
  })
})

describe('The tests of a mutated module', () => {
  it.each([
    ['src/machines/thread/message-prefetch.ts', 'thread'],
    ['tests/model/thread/message-prefetch.test.ts', 'thread'],
    ['server/network/faq/away-answer.ts', 'network'],
    ['tests/server/network/away-answer.test.ts', 'network'],
    ['src/machines/reading.ts', null],
    ['server/main.ts', null],
    ['tests/domain/moments.test.ts', null],
  ])('%s has the subject %s', (path, subject) => expect(subjectOf(path)).toBe(subject))

  it('begin with the test named like the module', () => {
    expect(testsOf('src/machines/thread/message-prefetch.ts').nearest[0]).toBe(
      'tests/model/thread/message-prefetch.test.ts',
    )
  })

  it('are the 15 nearest, and the others that reach the module', () => {
    const { nearest, others } = testsOf('src/views/components/Button.tsx')
    const all = [...nearest, ...others]
    expect([nearest.length, others.length > 15, new Set(all).size]).toEqual([15, true, all.length])
  })

  it('are nearest if they are of its subject, and others if only the whole inbox leads to the module', () => {
    const { nearest, others } = testsOf('src/views/list/ListFilters.tsx')
    expect([
      nearest.map(subjectOf).every((subject) => subject === 'list'),
      others.includes('tests/views/client/clients.test.tsx'),
    ]).toEqual([true, true])
  })

  it('may be none, which is told', () => {
    expect([remarksOn('src/main.tsx'), remarksOn('src/views/App.tsx')]).toEqual([['no test reaches this module'], []])
  })
})

describe('The mutants of a pass', () => {
  afterEach(() => vi.unstubAllEnvs())

  it.each([
    ['one in so many', '', ['0', '3', '6']],
    ['in a second pass those that survived, without the sample', '1,4,6', ['1', '4', '6']],
  ])('are %s', (_, secondPass, expected) => {
    vi.stubEnv(sampleVariable, '3')
    vi.stubEnv(secondPassVariable, secondPass)
    expect(['0', '1', '2', '3', '4', '5', '6'].filter(isInPass)).toEqual(expected)
  })
})
