import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { scriptThatFinds } from './deliberate-faults.ts'
import type { Invariant } from './invariants.ts'
import type { Script } from './script.ts'
import type { Run } from './tally.ts'
import { registerLoader, simulationWith } from './with-fault.ts'

/**
 * Runs simulations in this process: `--seeds N` of them from `--seed X` on with `--steps N` each, until `--minutes N` are
 * over, or those in the files `--script`. `--twice` runs each twice and compares the events. `--shrink N` spends up to N
 * minutes on making a failing script smaller. `--with-fault NAME` runs the product with the deliberate fault for that
 * invariant. `--find-fault NAME`, also several times, runs only the kept script that finds that fault, and prints as JSON
 * which invariants were breached with each fault.
 * `--report FILE` turns a problem report of the client into a script and runs it with so many seeds as `--seeds` says, until
 * one fails. `--save-report FILE` saves the problem report of the first tab of the last run.
 * `--tally FILE` adds a line for each run to a file; `--table FILE` prints the table of such a file, for docs/proof.md.
 * `--rests-within N` allows N simulated minutes for all to come to rest.
 * `--database postgres` uses the server that TEST_DATABASE_URL names, which `npm run simulate` starts.
 * Writes a failing script to test-results. Ends with code 1 after a failure.
 */
const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '1' },
    seed: { type: 'string' },
    steps: { type: 'string', default: '500' },
    minutes: { type: 'string' },
    script: { type: 'string', multiple: true },
    shrink: { type: 'string', default: '10' },
    twice: { type: 'boolean', default: false },
    log: { type: 'string' },
    'with-fault': { type: 'string' },
    'find-fault': { type: 'string', multiple: true },
    tally: { type: 'string' },
    table: { type: 'string' },
    report: { type: 'string' },
    'save-report': { type: 'string' },
    database: { type: 'string', default: 'embedded' },
    'rests-within': { type: 'string', default: '45' },
  },
})

registerLoader()
// Several clients in one process make the identity provider's client warn of each other.
console.warn = () => undefined

const print = (line: string) => process.stdout.write(`${line}\n`)

const { scriptOf } = await import('./script.ts')
const { shrink } = await import('./shrink.ts')
const { tableOf } = await import('./tally.ts')
const { scriptOfReport } = await import('./report.ts')
const { dropTemplate } = await import('./postgres.ts')
const { invariants } = await import('./invariants.ts')
const brokenInvariant = values['with-fault']
const simulate = await simulationWith(brokenInvariant)

const postgres = values.database === 'postgres' ? process.env['TEST_DATABASE_URL'] : undefined
if (values.database === 'postgres' && postgres === undefined) throw new Error('TEST_DATABASE_URL names no server')

const until =
  values.minutes === undefined ? Number.POSITIVE_INFINITY : performance.now() + Number(values.minutes) * 60_000
const first = values.seed === undefined ? Date.now() % 2 ** 31 : Number(values.seed)
const totals = { runs: 0, events: 0, duration: 0, failures: 0 }
const started = performance.now()

const keepReports = values['save-report'] !== undefined

async function runOne(script: Script): Promise<void> {
  const at = performance.now()
  const restsWithin = Number(values['rests-within'])
  const keepLog = values.twice || values.log !== undefined
  const outcome = await simulate(script, { keepLog, keepReports, postgres, restsWithin })
  totals.runs += 1
  totals.events += outcome.events
  totals.duration += outcome.duration
  const seconds = (performance.now() - at) / 1_000
  print(
    `seed ${script.seed}: ${script.steps.length} steps, ${script.servers} servers, ${script.clients} clients, ` +
      `${outcome.events} events, ${Math.round(outcome.duration / 1_000)} s simulated in ${seconds.toFixed(1)} s, ` +
      outcome.fingerprint.slice(0, 16),
  )
  if (values.tally !== undefined) {
    const steps: Run['steps'] = {}
    for (const { what } of script.steps.slice(0, outcome.stepsDone)) steps[what] = (steps[what] ?? 0) + 1
    const { events, duration, breaches } = outcome
    const found = breaches.map(({ invariant }) => invariant)
    const run: Run = { seed: script.seed, database: values.database, steps, events, duration, breaches: found }
    appendFileSync(values.tally, `${JSON.stringify(run)}\n`)
  }
  if (values['save-report'] !== undefined) writeFileSync(values['save-report'], outcome.reports[0] ?? '')
  if (values.log !== undefined) writeFileSync(values.log, outcome.lines.join('\n'))
  if (values.twice) {
    const second = await simulate(script, { keepLog: true, postgres })
    const index = outcome.lines.findIndex((line, number) => line !== second.lines[number])
    if (outcome.fingerprint !== second.fingerprint) {
      totals.failures += 1
      print(`  the second run differs at event ${index}:\n  ${outcome.lines[index]}\n  ${second.lines[index]}`)
    }
  }
  // A deliberate fault may show itself in another way first.
  const breach = outcome.breaches.find(
    ({ invariant }) => brokenInvariant === undefined || invariant === brokenInvariant,
  )
  if (breach === undefined) return
  totals.failures += 1
  for (const { invariant, detail } of outcome.breaches)
    print(`  "${invariant}": ${detail}\n    (${invariants[invariant]})`)
  print(
    outcome.lines
      .slice(-12)
      .map((line) => `    ${line}`)
      .join('\n'),
  )
  const file = `test-results/simulation-${brokenInvariant?.replaceAll(' ', '-') ?? script.seed}.json`
  const keep = (smaller: Script) =>
    writeFileSync(file, `${JSON.stringify({ breaches: breach.invariant, ...smaller })}\n`)
  keep(script)
  if (Number(values.shrink) > 0) {
    await shrink(simulate, script, breach.invariant, {
      postgres,
      limit: Number(values.shrink) * 60_000,
      tell: (smaller) => {
        keep(smaller)
        print(`  ${smaller.steps.length} steps, ${smaller.servers} servers, ${smaller.clients} clients fail too`)
      },
    })
  }
  print(`  kept in ${file}; repeat with: npm run simulate -- --script ${file}`)
}

if (values.table !== undefined) {
  const lines = readFileSync(values.table, 'utf8').trimEnd().split('\n')
  const runs = lines.map((line): Run => JSON.parse(line))
  print(tableOf(runs, new Date().toISOString().slice(0, 10)))
  process.exit(0)
}
if (values['find-fault'] !== undefined) {
  const found: Record<string, Invariant[]> = {}
  for (const invariant of values['find-fault']) {
    const script: Script = JSON.parse(readFileSync(scriptThatFinds(invariant), 'utf8'))
    const simulateFault = await simulationWith(invariant)
    const { breaches } = await simulateFault(script, { restsWithin: Number(values['rests-within']) })
    found[invariant] = breaches.map((breach) => breach.invariant)
  }
  print(JSON.stringify(found))
  process.exit(0)
}
if (values.script === undefined) {
  const report = values.report === undefined ? undefined : readFileSync(values.report, 'utf8')
  for (let number = 0; number < Number(values.seeds) && performance.now() < until; number++) {
    if ((brokenInvariant !== undefined || report !== undefined) && totals.failures > 0) break
    const seed = first + number
    await runOne(report === undefined ? scriptOf(seed, Number(values.steps)) : scriptOfReport(report, seed))
  }
} else {
  for (const file of values.script) await runOne(JSON.parse(readFileSync(file, 'utf8')))
}
const seconds = (performance.now() - started) / 1_000
print(
  `${totals.runs} runs, ${totals.failures} failed; ${totals.events} events (${Math.round(totals.events / seconds)} a second), ` +
    `${(totals.duration / 1_000 / seconds).toFixed(1)} simulated seconds a second`,
)
if (postgres !== undefined) await dropTemplate(postgres)
// The embedded database keeps the process alive.
process.exit(totals.failures > 0 ? 1 : 0)
