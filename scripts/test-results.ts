import { existsSync, readFileSync } from 'node:fs'
import { relative, sep } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import * as z from 'zod/mini'
import { projectRoot } from './project.ts'

export type Count = { passed: number; failed: number; skipped: number }
export type Ran = { counts: Record<string, Count>; files: Set<string>; failures: Failure[] }
/** A failed test, with the first lines of its first error. */
export type Failure = { title: string; message: string }

const vitestReport = z.object({
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.optional(z.string()),
      assertionResults: z.array(
        z.object({ status: z.string(), fullName: z.string(), failureMessages: z.nullish(z.array(z.string())) }),
      ),
    }),
  ),
})

/**
 * Reads a vitest report: the counts by kind (the directory under tests/, or the file's name) and the files that ran. A file
 * that could not be loaded counts as one failure, and so does an exit code without a failed test.
 */
export function readVitestReport(path: string, exitCode: number): Ran {
  const ran: Ran = { counts: {}, files: new Set(), failures: [] }
  for (const file of vitestReport.parse(readJson(path)).testResults) {
    const name = relative(projectRoot, file.name).split(sep).join('/')
    ran.files.add(name)
    const count = countOf(ran, kindOf(name))
    for (const { status } of file.assertionResults) tally(count, status)
    const failed = file.assertionResults.filter(({ status }) => status === 'failed')
    for (const { fullName, failureMessages } of failed) {
      ran.failures.push(failure(`${name} › ${fullName}`, failureMessages?.[0]))
    }
    if (file.status === 'failed' && failed.length === 0) {
      count.failed++
      ran.failures.push(failure(name, file.message))
    }
  }
  return withExitCode(ran, 'vitest', exitCode)
}

const playwrightSpec = z.object({
  file: z.string(),
  title: z.string(),
  tests: z.array(
    z.object({
      status: z.string(),
      results: z.array(z.object({ error: z.optional(z.object({ message: z.optional(z.string()) })) })),
    }),
  ),
})
type Suite = { specs: z.infer<typeof playwrightSpec>[]; suites?: Suite[] | undefined }
const suite: z.ZodMiniType<Suite> = z.object({
  specs: z.array(playwrightSpec),
  suites: z.optional(z.array(z.lazy(() => suite))),
})
const playwrightReport = z.object({ suites: z.array(suite), errors: z.array(z.unknown()) })

/** Reads a Playwright report; its kind is `e2e`. Flaky tests count as passed; Playwright lists them. */
export function readPlaywrightReport(path: string, exitCode: number): Ran {
  const ran: Ran = { counts: {}, files: new Set(), failures: [] }
  const count = countOf(ran, 'e2e')
  const read = ({ specs, suites = [] }: Suite): void => {
    for (const { file, title, tests } of specs) {
      ran.files.add(`tests/e2e/${file}`)
      for (const { status, results } of tests) {
        tally(count, status)
        if (status !== 'unexpected') continue
        ran.failures.push(failure(`tests/e2e/${file} › ${title}`, results.at(-1)?.error?.message))
      }
    }
    for (const inner of suites) read(inner)
  }
  const report = playwrightReport.parse(readJson(path))
  for (const outer of report.suites) read(outer)
  count.failed += report.errors.length
  return withExitCode(ran, 'playwright', exitCode)
}

function failure(title: string, message = ''): Failure {
  return { title, message: stripVTControlCharacters(message).split('\n').slice(0, 6).join('\n') }
}

function readJson(path: string): unknown {
  return existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : { testResults: [], suites: [], errors: [] }
}

function kindOf(file: string): string {
  const [, directory = ''] = /^tests\/([^/.]+)/.exec(file) ?? []
  return directory === 'domain' ? 'unit' : directory
}

function countOf(ran: Ran, kind: string): Count {
  const count = ran.counts[kind] ?? { passed: 0, failed: 0, skipped: 0 }
  ran.counts[kind] = count
  return count
}

function tally(count: Count, status: string): void {
  if (status === 'passed' || status === 'expected' || status === 'flaky') count.passed++
  else if (status === 'failed' || status === 'unexpected') count.failed++
  else count.skipped++
}

function withExitCode(ran: Ran, runner: string, exitCode: number): Ran {
  const explained = Object.values(ran.counts).some(({ failed }) => failed > 0)
  if (exitCode !== 0 && !explained) ran.counts[runner] = { passed: 0, failed: 1, skipped: 0 }
  return ran
}
