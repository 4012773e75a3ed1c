import { fork } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { allMachines } from './machine-docs/machine-docs.ts'
import type { Outcome } from './mutation/break-statechart.ts'
import { folder, minScore, scoreLine, scoreOf, sumOf, type Tally } from './mutation/score.ts'
import { mutantsOf } from './mutation/statechart.ts'
import { remarksOn } from './mutation/tests-of.ts'

/**
 * `npm run mutate-statecharts` mutates the statechart of each machine: it retargets each transition and removes each guard
 * and each named action, one at a time, and counts the mutants that no test kills. Words select machines by name.
 */
/** Milliseconds. A mutant that runs longer is assumed to loop forever. */
const timeout = 60_000
const worker = fileURLToPath(new URL('mutation/break-statechart.ts', import.meta.url))

const words = process.argv.slice(2)
const machines = (await allMachines()).filter(
  ({ name }) => words.length === 0 || words.some((word) => name.toLowerCase().includes(word.toLowerCase())),
)

mkdirSync(folder, { recursive: true })
const tallies: Tally[] = []
let lowestScore = 100
for (const { name, machine, source } of machines) {
  const mutants = mutantsOf(machine.config)
  if (mutants.length === 0) continue
  const survivors: string[] = []
  let timedOut = 0
  for (let next = 0; next < mutants.length; ) {
    const end = await testFrom(name, next, survivors, mutants)
    next = end.next
    if (end.hasTimedOut) timedOut++
  }
  const of = mutants.length - timedOut
  const tally: Tally = { killed: of - survivors.length, of, timedOut }
  tallies.push(tally)
  lowestScore = Math.min(lowestScore, scoreOf(tally))
  writeFileSync(`${folder}/statechart.${name}.json`, JSON.stringify(survivors, null, 1))
  console.log(scoreLine(name, tally))
  for (const remark of remarksOn(source)) console.log(`    ${remark}`)
  for (const what of survivors) console.log(`    ${what}`)
}
console.log(scoreLine('all', sumOf(tallies)))
if (lowestScore < minScore) process.exitCode = 1

/** `next`: the index where the next process must start. `hasTimedOut`: the mutant before `next`. */
type End = { next: number; hasTimedOut: boolean }

/** Tests mutants from `from` on in one process. */
function testFrom(name: string, from: number, survivors: string[], mutants: readonly string[]): Promise<End> {
  return new Promise((resolve, reject) => {
    const child = fork(worker, [name, String(from)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    let next = from
    let hasTimedOut = false
    const kill = () => {
      hasTimedOut = true
      child.kill('SIGKILL')
    }
    let timer = setTimeout(kill, timeout)
    child.on('message', ({ index, what, killedBy }: Outcome) => {
      clearTimeout(timer)
      timer = setTimeout(kill, timeout)
      if (index < 0 && killedBy !== null) return reject(new Error(`${name} fails without a mutation: ${killedBy}`))
      if (index < 0) return
      next = index + 1
      if (killedBy === null) survivors.push(what)
    })
    child.on('error', reject)
    child.on('exit', () => {
      clearTimeout(timer)
      if (next === mutants.length) resolve({ next, hasTimedOut: false })
      else if (hasTimedOut) resolve({ next: next + 1, hasTimedOut })
      else reject(new Error(`The breaking of ${name} ended at ${next} of ${mutants.length}.`))
    })
  })
}
