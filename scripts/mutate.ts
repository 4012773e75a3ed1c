import { globSync, mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { LogLevel, PartialStrykerOptions } from '@stryker-mutator/api/core'
import { Stryker } from '@stryker-mutator/core'
import { folder, minScore, scoreLine, scoreOf } from './mutation/score.ts'

/**
 * `npm run mutate` runs Stryker on the machines and the domain rules and counts the mutants that no test kills. It takes
 * hours, and fails if a module is below the minimum score. `npm run mutate -- outbox money` selects modules by path.
 */
const words = process.argv.slice(2)
const modules = globSync(['src/machines/**/*.ts', 'src/domain/**/*.ts'])
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .sort()

const optionsFor = (module: string): PartialStrykerOptions => ({
  testRunner: 'vitest',
  coverageAnalysis: 'off',
  // Many mutants make a test wait forever.
  timeoutMS: 6_000,
  mutate: [module],
  plugins: ['ignorer', 'vitest-runner'].map((name) => fileURLToPath(new URL(`mutation/${name}.ts`, import.meta.url))),
  ignorers: ['unmutated'],
  mutator: { plugins: [], excludedMutations: ['StringLiteral'] },
  concurrency: availableParallelism(),
  reporters: [],
  tempDirName: '.mutation',
  // Stryker would rewrite the settings with another TypeScript version than the project's.
  tsconfigFile: 'none',
  logLevel: 'error' as LogLevel,
})

mkdirSync(folder, { recursive: true })
const total = { killed: 0, of: 0 }
let lowestScore = 100
for (const module of modules) {
  const results = await new Stryker(optionsFor(module)).runMutationTest()
  const survivors = results.filter(({ status }) => status === 'Survived')
  const killed = results.filter(({ status }) => status === 'Killed' || status === 'Timeout').length
  const tally = { killed, of: killed + survivors.length }
  total.killed += tally.killed
  total.of += tally.of
  lowestScore = Math.min(lowestScore, scoreOf(tally))
  writeFileSync(`${folder}/${module.replaceAll('/', '.')}.json`, JSON.stringify(survivors, null, 1))
  console.log(scoreLine(module, tally))
}
console.log(scoreLine('all', total))
if (lowestScore < minScore) process.exitCode = 1
