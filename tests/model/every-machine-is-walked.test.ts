import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const textsOf = (pattern: string) => globSync(pattern).map((file) => readFileSync(file, 'utf8'))

const machines = textsOf('src/machines/**/*.ts').flatMap((text) =>
  [...text.matchAll(/^export const (\w+Machine)\b/gm)].map(([, name]) => name ?? ''),
)
const tests = textsOf('tests/model/**/*.test.ts')
const viewTests = textsOf('tests/views/**/*.test.tsx')

const isCounted = (machine: string) => (text: string) => {
  const coverage = new RegExp(`^const (\\w+) = createCoverage\\(${machine}\\)$`, 'm').exec(text)?.[1]
  return (
    coverage !== undefined &&
    text.includes(`${coverage}.inspect`) &&
    text.includes(`${coverage}.statesMissed()`) &&
    text.includes(`${coverage}.transitionsMissed()`)
  )
}

test('every machine has a test that counts the states it entered and the transitions it took', () => {
  expect(machines).toContain('threadMachine')
  expect(machines.filter((machine) => !tests.some(isCounted(machine)))).toEqual([])
})

test('every machine also has a view test that counts the states it entered and the transitions it took', () => {
  expect(machines.filter((machine) => !viewTests.some(isCounted(machine)))).toEqual([])
})
