import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { isDeepStrictEqual, parseArgs } from 'node:util'
import type { LogLevel, MutantResult, PartialStrykerOptions } from '@stryker-mutator/api/core'
import { Stryker } from '@stryker-mutator/core'
import { notInPass, sampleVariable, secondPassVariable } from './mutation/pass.ts'
import { folder, minScore, scoreLine, scoreOf, sumOf, type Tally, tallyOf } from './mutation/score.ts'
import { remarksOn, testsOf } from './mutation/tests-of.ts'

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

const optionsFor = (mutate: string[], timeoutMS: number): PartialStrykerOptions => ({
  testRunner: 'vitest',
  coverageAnalysis: 'off',
  timeoutMS,
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

const moduleOf = ({ fileName }: MutantResult): string => relative(process.cwd(), fileName)

/** Runs the nearest tests, then the other tests of the mutants that survive. */
async function resultsOf(group: string[]): Promise<MutantResult[]> {
  // Many mutants make a test wait forever. The walks of views take minutes together.
  const timeout = group.some((file) => file.startsWith('src/views/')) ? 5 * 60_000 : 60_000
  process.env[secondPassVariable] = ''
  const first = await new Stryker(optionsFor(group, timeout)).runMutationTest()
  const survivors = first.filter(
    (result) => result.status === 'Survived' && testsOf(moduleOf(result)).others.length > 0,
  )
  if (survivors.length === 0) return first
  console.log(`second pass, with the other tests; mutants that survived the first: ${survivors.length}`)
  process.env[secondPassVariable] = survivors.map(({ id }) => id).join(',')
  // Up to 120 files run in the second pass, and at most 15 in the first.
  const second = await new Stryker(optionsFor(group, 8 * timeout)).runMutationTest()
  const byId = new Map(second.map((result) => [result.id, result]))
  return first.map((result) => (survivors.includes(result) ? sameMutantIn(byId, result) : result))
}

/** The result of the same mutant in a second pass. Throws if the number is of another mutant, because a module changed. */
function sameMutantIn(byId: ReadonlyMap<string, MutantResult>, first: MutantResult): MutantResult {
  const second = byId.get(first.id)
  const identityOf = ({ fileName, location, mutatorName, replacement }: MutantResult) => [
    fileName,
    location,
    mutatorName,
    replacement,
  ]
  if (second === undefined || !isDeepStrictEqual(identityOf(first), identityOf(second)))
    throw new Error(`${moduleOf(first)} changed while its mutants ran.`)
  // A test file that fails without a mutant says nothing: the mutant has survived the nearest tests.
  return second.status === 'RuntimeError' ? { ...second, status: first.status } : second
}

/** The result of a module, as its file stores it. `unmeasured`: why a mutant could not be run. */
type Measured = { tally: Tally; survivors: MutantResult[]; unmeasured: string[] }

function measuredIn(results: readonly MutantResult[], module: string): Measured {
  const ofModule = results.filter((result) => moduleOf(result) === module)
  const survivors = ofModule.filter(({ status }) => status === 'Survived')
  const errors = ofModule.flatMap(({ status, statusReason }) =>
    status === 'RuntimeError' || status === 'Survived' ? (statusReason ?? []) : [],
  )
  const unmeasured = [...new Set(errors.filter((error) => !error.includes(notInPass)))]
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
  const results = group.length === 0 ? [] : await resultsOf(group)
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
