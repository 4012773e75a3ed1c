import { globSync, mkdirSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import type { LogLevel, PartialStrykerOptions } from '@stryker-mutator/api/core'
import { Stryker } from '@stryker-mutator/core'

/**
 * `npm run mutate` breaks the machines and the domain rules in every way that Stryker knows, one way at a time, and
 * counts what no test noticed: hours. It fails where one module is below the lowest score. `npm run mutate -- outbox
 * money` does so with the modules whose path holds a word.
 */
const lowestScore = 85
const folder = 'test-results/mutation'

const words = process.argv.slice(2)
const modules = globSync(['src/machines/*.ts', 'src/domain/*.ts'])
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

type Tally = { killed: number; survived: number }
const scoreOf = ({ killed, survived }: Tally) => (killed + survived === 0 ? 100 : (100 * killed) / (killed + survived))
const line = (name: string, tally: Tally) =>
  `${name.padEnd(40)} ${scoreOf(tally).toFixed(1).padStart(5)} %  ${tally.killed} of ${tally.killed + tally.survived}`

mkdirSync(folder, { recursive: true })
const total: Tally = { killed: 0, survived: 0 }
let lowest = 100
for (const module of modules) {
  const results = await new Stryker(optionsFor(module)).runMutationTest()
  const survivors = results.filter(({ status }) => status === 'Survived')
  const killed = results.filter(({ status }) => status === 'Killed' || status === 'Timeout').length
  total.killed += killed
  total.survived += survivors.length
  lowest = Math.min(lowest, scoreOf({ killed, survived: survivors.length }))
  writeFileSync(`${folder}/${module.replaceAll('/', '.')}.json`, JSON.stringify(survivors, null, 1))
  console.log(line(module, { killed, survived: survivors.length }))
}
console.log(line('all', total))
if (lowest < lowestScore) process.exitCode = 1
