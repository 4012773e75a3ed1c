import { describe, expect, it } from 'vitest'
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
    const { files, notRun } = testsOf('src/machines/thread/message-prefetch.ts')
    expect([files[0], notRun, remarksOn('src/machines/thread/message-prefetch.ts')]).toEqual([
      'tests/model/thread/message-prefetch.test.ts',
      0,
      [],
    ])
  })

  it('are 15 files at most, and the number of the others is told', () => {
    const { files, notRun } = testsOf('src/views/components/Button.tsx')
    expect([files.length, notRun > 1]).toEqual([15, true])
    expect(remarksOn('src/views/components/Button.tsx')).toEqual([`${notRun} test files not run`])
  })

  it('may be none, which is told', () => {
    expect(remarksOn('src/main.tsx')).toEqual(['no test reaches this module'])
  })
})
