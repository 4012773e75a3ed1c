import { globSync, mkdirSync, rmSync } from 'node:fs'
import { sep } from 'node:path'
import { runCommand } from './command.ts'
import { type RunningPostgres, startPostgres } from './postgres.ts'
import { buildIfStale } from './spa.ts'
import { type Count, type Ran, readPlaywrightReport, readVitestReport } from './test-results.ts'
import { walksTable } from './walks-table.ts'

/**
 * `npm test` runs everything. `npm test -- types server` runs those kinds, `npm test -- search` the test files
 * whose path holds "search", and `npm test -- server search` those of that kind.
 */
const testFiles: Record<string, string> = {
  walls: 'tests/walls.test.ts',
  unit: 'tests/domain/**/*.test.ts',
  model: 'tests/model/**/*.test.ts',
  faults: 'tests/faults/**/*.test.ts',
  views: 'tests/views/**/*.test.tsx',
  server: 'tests/server/**/*.test.ts',
  e2e: 'tests/e2e/**/*.spec.ts',
}
const kinds = ['types', 'lint', ...Object.keys(testFiles)]
const vitestReport = 'test-results/vitest.json'
const playwrightReport = 'test-results/e2e.json'
const walks = 'test-results/walks'

const words = process.argv.slice(2)
const filters = words.filter((word) => !kinds.includes(word))
const wanted = wantedKinds()
const files = wantedFiles()
const results: Record<string, Count> = {}

mkdirSync('test-results', { recursive: true })
for (const report of [vitestReport, playwrightReport, walks]) rmSync(report, { force: true, recursive: true })

if (wanted.includes('types')) results['types'] = asOne(await runCommand('tsc', []))
if (wanted.includes('lint')) results['lint'] = asOne(await lint())

if (files['server'] || files['e2e']) results['build'] = asOne((await buildIfStale()) ? 0 : 1)
const postgres = ['server', 'e2e'].some((kind) => files[kind]) ? await postgresForTests() : null
try {
  const projects = Object.keys(files).filter((kind) => kind !== 'e2e')
  if (projects.length > 0) keep(await runVitest(projects), projects)
  if (files['e2e']) keep(await runPlaywright(), ['e2e'])
} finally {
  await postgres?.stop()
}
report()

/** Runs both linters, so that one failure does not hide another. */
async function lint(): Promise<number> {
  const biome = await runCommand('biome', ['ci', '--error-on-warnings', '.'])
  const unusedExports = await runCommand('knip', ['--no-progress', '--no-config-hints'])
  return biome || unusedExports
}

function wantedKinds(): string[] {
  const named = words.filter((word) => kinds.includes(word))
  if (named.length > 0) return named
  return filters.length > 0 ? Object.keys(testFiles) : kinds
}

/** The test files of every wanted kind that has some. */
function wantedFiles(): Record<string, string[]> {
  const found = wanted.flatMap((kind): [string, string[]][] => {
    const all = globSync(testFiles[kind] ?? []).map((file) => file.split(sep).join('/'))
    const matching = filters.length === 0 ? all : all.filter((file) => filters.some((filter) => file.includes(filter)))
    return matching.length > 0 ? [[kind, matching]] : []
  })
  return Object.fromEntries(found)
}

async function postgresForTests(): Promise<RunningPostgres | null> {
  const given = process.env['TEST_DATABASE_URL']
  if (given) return { url: given, stop: async () => {} }
  const started = await startPostgres()
  if (started === null) {
    console.log(
      'No PostgreSQL was found: the server is tested on the embedded database alone. (TEST_DATABASE_URL names one.)',
    )
  }
  return started
}

async function runVitest(projects: string[]): Promise<Ran> {
  const selected = projects.flatMap((project) => ['--project', project])
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${vitestReport}`]
  const code = await runCommand('vitest', ['run', ...filters, ...selected, ...reporters], databaseSetting())
  return readVitestReport(vitestReport, code)
}

async function runPlaywright(): Promise<Ran> {
  const code = await runCommand('playwright', ['test', ...filters], databaseSetting())
  return readPlaywrightReport(playwrightReport, code)
}

function databaseSetting(): Record<string, string> {
  return postgres === null ? {} : { TEST_DATABASE_URL: postgres.url }
}

/** A test file that is there but did not run is a failure: silence proves nothing. */
function keep(ran: Ran, ranKinds: string[]): void {
  Object.assign(results, ran.counts)
  const missing = ranKinds.flatMap((kind) => files[kind] ?? []).filter((file) => !ran.files.has(file))
  if (missing.length > 0) {
    console.log(`\nDid not run: ${missing.join(', ')}`)
    results['not run'] = { passed: 0, failed: (results['not run']?.failed ?? 0) + missing.length, skipped: 0 }
  }
}

function asOne(exitCode: number): Count {
  return exitCode === 0 ? { passed: 1, failed: 0, skipped: 0 } : { passed: 0, failed: 1, skipped: 0 }
}

function report(): void {
  if (results['walls']) results['walls'] = asOne(results['walls'].failed)
  for (const line of ['', ...walksTable(walks)]) console.log(line)
  const counts = Object.values(results)
  const passed = counts.reduce((sum, count) => sum + count.passed, 0)
  const failed = counts.reduce((sum, count) => sum + count.failed, 0)
  console.log()
  for (const [kind, count] of Object.entries(results)) {
    const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : ''
    console.log(`${kind.padEnd(8)} ${count.passed} passed, ${count.failed} failed${skipped}`)
  }
  console.log(`\n${passed} passed, ${failed} failed`)
  if (failed > 0 || passed === 0) process.exitCode = 1
}
