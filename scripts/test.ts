import { mkdirSync, rmSync } from 'node:fs'
import { changedFiles } from './changed-files.ts'
import { runCommand } from './command.ts'
import { postgresForTests } from './postgres.ts'
import { projectRoot } from './project.ts'
import { buildIfStale } from './spa.ts'
import { speedUpProcesses } from './test-environment.ts'
import { type Count, type Failure, type Ran, readPlaywrightReport, readVitestReport } from './test-results.ts'
import { type Selection, selectTests, testFiles } from './test-selection.ts'
import { checkTypes } from './types.ts'
import { walksTable } from './walks-table.ts'

/**
 * `npm test` runs everything. `npm test -- types server` runs those kinds, `npm test -- search` the test files with "search"
 * in their path, `npm test -- server search` those of one kind. A kind or word that selects no file is an error.
 * `npm test -- --changed` runs types, lint and the tests that import a file changed since the last commit; `--changed=main`
 * compares with that branch. Browser tests run only if they were edited.
 * `npm run test:watch` runs the tests of the changed files, and after each save those of the saved file.
 */
const vitestReport = 'test-results/vitest.json'
const playwrightReport = 'test-results/e2e.json'
const walks = 'test-results/walks'

const changedOption = /^--changed(?:=(.+))?$/
const words = process.argv.slice(2).filter((word) => word !== '--watch' && !changedOption.test(word))
const { kinds: selectedKinds, files: selectedFiles, filters } = selectOrExit()
const results: Record<string, Count> = {}
const failures: Failure[] = []

speedUpProcesses()
if (process.argv.includes('--watch')) {
  process.exitCode = await watch()
} else {
  mkdirSync('test-results', { recursive: true })
  for (const report of [vitestReport, playwrightReport, walks]) rmSync(report, { force: true, recursive: true })
  try {
    await run()
  } catch (error) {
    console.error(error)
    results['run'] = asOne(1)
  }
  report()
}

async function run(): Promise<void> {
  const changed = process.argv.map((word) => changedOption.exec(word)).find((option) => option !== null)
  const [types, linted] = await Promise.all([
    selectedKinds.includes('types') ? checkTypes() : null,
    selectedKinds.includes('lint') ? lint() : null,
  ])
  if (types !== null) results['types'] = asOne(types)
  if (linted !== null) results['lint'] = asOne(linted)
  if (changed) await runChanged(changed[1] ?? 'HEAD')
  else await runFiles(selectedFiles)
}

async function runFiles(files: Selection['files']): Promise<void> {
  const { e2e = [], ...others } = files
  const projects = Object.keys(others)
  if (files['browsers'] || e2e.length > 0) results['build'] = asOne((await buildIfStale()) ? 0 : 1)
  if (projects.length > 0) record(await runVitest(projects), Object.values(others).flat())
  if (e2e.length > 0) record(await runPlaywright(filters), e2e)
}

async function runChanged(reference: string): Promise<void> {
  const changed = changedFiles(reference, projectRoot)
  console.log(`\n${changed.length} files differ from ${reference}. Only the tests that import them run.`)
  // The walls test reads the source files instead of importing them.
  const isSource = changed.some((file) => file.startsWith('src/') || file.startsWith('server/'))
  if (isSource && selectedFiles['walls']) await runFiles({ walls: selectedFiles['walls'] })
  const projects = Object.keys(selectedFiles).filter((kind) => !['walls', 'browsers', 'e2e'].includes(kind))
  if (changed.length > 0 && projects.length > 0) {
    record(await runVitest(projects, [`--changed=${reference}`, '--passWithNoTests']), [])
  }
  const specs = (selectedFiles['e2e'] ?? []).filter((file) => changed.includes(file))
  if (specs.length > 0) {
    results['build'] = asOne((await buildIfStale()) ? 0 : 1)
    record(await runPlaywright(specs), specs)
  } else if (selectedFiles['e2e']) {
    console.log('\nNo browser test was edited, so none ran. `npm test -- e2e <words>` runs them.')
  }
}

/** Runs vitest in watch mode, first with the tests of uncommitted files or those that the words select. */
function watch(): Promise<number> {
  const projects = selectedKinds.filter(
    (kind) => testFiles[kind] !== undefined && kind !== 'browsers' && kind !== 'e2e',
  )
  const selected = projects.flatMap((project) => ['--project', project, '--project', `${project}-isolated`])
  return runCommand('vitest', ['watch', ...filters, ...selected, ...(filters.length > 0 ? [] : ['--changed'])])
}

/** Runs both linters, so that one failure does not hide another. */
async function lint(): Promise<number> {
  const [biome, unusedExports] = await Promise.all([
    runCommand('biome', ['ci', '--error-on-warnings', '.']),
    runCommand('knip', ['--no-progress', '--no-config-hints']),
  ])
  return biome || unusedExports
}

function selectOrExit(): Selection {
  try {
    return selectTests(words)
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}

async function runVitest(projects: string[], options: string[] = []): Promise<Ran> {
  const selected = projects.flatMap((project) => ['--project', project, '--project', `${project}-isolated`])
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${vitestReport}`]
  const code = await runCommand('vitest', ['run', ...filters, ...selected, ...options, ...reporters])
  return readVitestReport(vitestReport, code)
}

async function runPlaywright(specs: readonly string[]): Promise<Ran> {
  const postgres = await postgresForTests()
  try {
    const env: Record<string, string> = postgres === null ? {} : { TEST_DATABASE_URL: postgres.url }
    return readPlaywrightReport(playwrightReport, await runCommand('playwright', ['test', ...specs], env))
  } finally {
    await postgres?.stop()
  }
}

/** Records the results. A selected test file that did not run counts as a failure. */
function record(ran: Ran, files: string[]): void {
  Object.assign(results, ran.counts)
  failures.push(...ran.failures)
  const missing = files.filter((file) => !ran.files.has(file))
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
  // Repeated at the end, because the beginning of a long output may be cut off.
  for (const { title, message } of failures) console.log(`\nFailed: ${title}\n${message}`)
  const counts = Object.values(results)
  const passed = counts.reduce((sum, count) => sum + count.passed, 0)
  const failed = counts.reduce((sum, count) => sum + count.failed, 0)
  console.log()
  for (const [kind, count] of Object.entries(results)) {
    const skipped = count.skipped > 0 ? `, ${count.skipped} skipped` : ''
    console.log(`${kind.padEnd(10)} ${count.passed} passed, ${count.failed} failed${skipped}`)
  }
  console.log(`\n${passed} passed, ${failed} failed`)
  if (failed > 0 || passed === 0) process.exitCode = 1
}
