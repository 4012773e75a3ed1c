import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { reportFile } from '../src/recorder/report-file.ts'
import { allMachines } from './machine-docs/machine-docs.ts'
import { type Replayed, replay, Unreplayable } from './replay/replay.ts'

/** `npm run replay <file>`: replays a problem report and compares the final state of each actor. */
const [file] = process.argv.slice(2)
process.exitCode = await main()

async function main(): Promise<number> {
  if (file === undefined) return fail('Say which report to replay: npm run replay staff-inbox-report.json')
  const read = readText(file)
  if (read === null) return fail(`${file} cannot be read.`)
  const report = reportFile.safeParse(parseJson(read))
  if (!report.success)
    return fail(
      `${file} is not a report of Staff Inbox, or one of another version ("Save a problem report" saves one).`,
    )
  try {
    const machines = new Map((await allMachines()).map(({ name, machine }) => [name, machine]))
    console.log(`Of ${report.data.takenAt}, built from ${report.data.commit ?? 'no known commit'}.\n`)
    return printResult(replay(report.data, machines))
  } catch (error) {
    if (error instanceof Unreplayable) return fail(error.message)
    throw error
  }
}

function printResult(actors: readonly Replayed[]): number {
  for (const { id, machine, events, dropped, value, status, differences } of actors) {
    const verdict = differences.length === 0 ? 'as recorded' : 'DIFFERS'
    const before = dropped > 0 ? `, ${dropped} before` : ''
    const ended = status === 'active' ? '' : `, ${status}`
    console.log(
      `${verdict.padEnd(11)}  ${id.startsWith('x:') ? machine : id}  ${JSON.stringify(value)}${ended}  (${events} events${before})`,
    )
    for (const difference of differences.slice(0, 5)) console.log(`             ${difference}`)
    if (differences.length > 5) console.log(`             and ${differences.length - 5} more`)
  }
  const differing = actors.filter(({ differences }) => differences.length > 0).length
  console.log(
    differing === 0
      ? `\nAll ${actors.length} actors came to the state that was recorded.`
      : `\n${differing} of ${actors.length} actors came to another state than was recorded.`,
  )
  return differing === 0 ? 0 : 1
}

function fail(sentence: string): number {
  console.error(sentence)
  return 1
}

function readText(path: string): string | null {
  try {
    return readFileSync(resolve(path), 'utf8')
  } catch {
    return null
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
