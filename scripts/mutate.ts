import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { LogLevel, MutantResult, PartialStrykerOptions } from '@stryker-mutator/api/core'
import { Stryker } from '@stryker-mutator/core'
import { notInSample, sampleVariable } from './mutation/sample.ts'
import { folder, minScore, scoreLine, scoreOf, sumOf, type Tally, tallyOf } from './mutation/score.ts'
import { remarksOn } from './mutation/tests-of.ts'

/**
 * `npm run mutate` runs Stryker on the machines and the domain rules and counts the mutants that no test kills. It takes
 * hours, and fails if a module is below the minimum score. `npm run mutate -- outbox server/api` selects modules by path,
 * also those of the server, services, views and recorder.
 * `--sample 20` runs one mutant in 20 and fails if the score of all is below the minimum. `--resume` takes the results of
 * modules that an earlier run has measured.
 */
const { values, positionals: words } = parseArgs({
  options: { sample: { type: 'string', default: '1' }, resume: { type: 'boolean', default: false } },
  allowPositionals: true,
})
const sample = Number(values.sample)
process.env[sampleVariable] = values.sample

/** The folders of a run without words. The others have to be named, because their tests are slow. */
const core = ['src/machines/**/*.ts', 'src/domain/**/*.ts']
const others = ['src/{services,recorder,views}/**/*.{ts,tsx}', 'server/**/*.ts']
const modules = globSync(words.length === 0 ? core : [...core, ...others])
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .sort()

const optionsFor = (mutate: string[]): PartialStrykerOptions => ({
  testRunner: 'vitest',
  coverageAnalysis: 'off',
  // Many mutants make a test wait forever. The walks of views take minutes together.
  timeoutMS: mutate.some((file) => file.startsWith('src/views/')) ? 5 * 60_000 : 60_000,
  mutate,
  plugins: ['ignorer', 'vitest-runner'].map((name) => fileURLToPath(new URL(`mutation/${name}.ts`, import.meta.url))),
  ignorers: ['unmutated'],
  mutator: { plugins: [], excludedMutations: ['StringLiteral'] },
  concurrency: availableParallelism(),
  reporters: ['progress-append-only'],
  tempDirName: '.mutation',
  // Stryker would rewrite the settings with another TypeScript version than the project's.
  tsconfigFile: 'none',
  logLevel: 'error' as LogLevel,
})

/** The result of a module, as its file stores it. `unmeasured`: why a mutant could not be run. */
type Measured = { tally: Tally; survivors: MutantResult[]; unmeasured: string[] }

function measuredIn(results: readonly MutantResult[], module: string): Measured {
  const ofModule = results.filter(({ fileName }) => relative(process.cwd(), fileName) === module)
  const survivors = ofModule.filter(({ status }) => status === 'Survived')
  const errors = ofModule.flatMap(({ status, statusReason }) => (status === 'RuntimeError' ? (statusReason ?? '') : []))
  const unmeasured = [...new Set(errors.filter((error) => !error.includes(notInSample)))]
  return { tally: tallyOf(ofModule.map(({ status }) => status)), survivors, unmeasured }
}

mkdirSync(folder, { recursive: true })
const fileOf = (module: string): string => `${folder}/${module.replaceAll('/', '.')}.json`
const measured = new Map<string, Measured>()
for (const module of values.resume ? modules.filter((module) => existsSync(fileOf(module))) : []) {
  measured.set(module, JSON.parse(readFileSync(fileOf(module), 'utf8')))
}
const rest = modules.filter((module) => !measured.has(module))
// A full run starts Stryker for each module, so that it can be resumed. A sample has few mutants of each module: starting
// Stryker for each would take most of the time.
for (const group of sample > 1 ? [rest] : rest.map((module) => [module])) {
  const results = group.length === 0 ? [] : await new Stryker(optionsFor(group)).runMutationTest()
  for (const module of group) {
    measured.set(module, measuredIn(results, module))
    writeFileSync(fileOf(module), JSON.stringify(measured.get(module), null, 1))
  }
}

const total = sumOf([...measured.values()].map(({ tally }) => tally))
let lowestScore = 100
for (const [module, { tally, unmeasured }] of measured) {
  lowestScore = Math.min(lowestScore, scoreOf(tally))
  if (tally.of + tally.timedOut > 0) {
    console.log(scoreLine(module, tally))
    for (const remark of remarksOn(module)) console.log(`    ${remark}`)
  }
  for (const reason of unmeasured) console.log(`    not measured: ${reason}`)
}
console.log(scoreLine('all', total))
// The few mutants of one module in a sample say nothing about that module.
if ((sample > 1 ? scoreOf(total) : lowestScore) < minScore) process.exitCode = 1
