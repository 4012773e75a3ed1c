import { globSync, mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { LogLevel, PartialStrykerOptions } from '@stryker-mutator/api/core'
import { Stryker } from '@stryker-mutator/core'
import { folder, lowestScore, scoreLine, scoreOf } from './mutation/score.ts'

/**
 * `npm run mutate` breaks the machines and the domain rules in every way that Stryker knows, one way at a time, and
 * counts what no test noticed: hours. It fails where one module is below the lowest score. `npm run mutate -- outbox
 * money` does so with the modules whose path holds a word.
 */
const words = process.argv.slice(2)
const modules = globSync(['src/machines/**/*.ts', 'src/domain/**/*.ts'])
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .sort()

const optionsFor = (module: string): PartialStrykerOptions => ({
  testRunner: 'vitest',
  coverageAnalysis: 'off',
  // Many breaks leave a test waiting for what never comes.
  timeoutMS: 6_000,
  mutate: [module],
  plugins: ['ignorer', 'vitest-runner'].map((name) => fileURLToPath(new URL(`mutation/${name}.ts`, import.meta.url))),
  ignorers: ['unbroken'],
  mutator: { plugins: [], excludedMutations: ['StringLiteral'] },
  concurrency: availableParallelism(),
  reporters: [],
  tempDirName: '.mutation',
  // The compiler that Stryker asks to rewrite the settings is of another kind than this project's.
  tsconfigFile: 'none',
  logLevel: 'error' as LogLevel,
})

mkdirSync(folder, { recursive: true })
const total = { noticed: 0, of: 0 }
let lowest = 100
for (const module of modules) {
  const results = await new Stryker(optionsFor(module)).runMutationTest()
  const survivors = results.filter(({ status }) => status === 'Survived')
  const noticed = results.filter(({ status }) => status === 'Killed' || status === 'Timeout').length
  const tally = { noticed, of: noticed + survivors.length }
  total.noticed += tally.noticed
  total.of += tally.of
  lowest = Math.min(lowest, scoreOf(tally))
  writeFileSync(`${folder}/${module.replaceAll('/', '.')}.json`, JSON.stringify(survivors, null, 1))
  console.log(scoreLine(module, tally))
}
console.log(scoreLine('all', total))
if (lowest < lowestScore) process.exitCode = 1
