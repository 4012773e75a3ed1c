import { fork } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { allMachines } from './machine-docs/machine-docs.ts'
import type { Outcome } from './mutation/break-statechart.ts'
import { folder, minScore, scoreLine, scoreOf } from './mutation/score.ts'
import { mutantsOf } from './mutation/statechart.ts'

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
const totals = { killed: 0, of: 0 }
let lowestScore = 100
for (const { name, machine } of machines) {
  const mutants = mutantsOf(machine.config)
  if (mutants.length === 0) continue
  const survivors: string[] = []
  for (let next = 0; next < mutants.length; ) next = await testFrom(name, next, survivors, mutants)
  const killed = mutants.length - survivors.length
  totals.killed += killed
  totals.of += mutants.length
  lowestScore = Math.min(lowestScore, scoreOf({ killed, of: mutants.length }))
  writeFileSync(`${folder}/statechart.${name}.json`, JSON.stringify(survivors, null, 1))
  console.log(scoreLine(name, { killed, of: mutants.length }))
  for (const what of survivors) console.log(`    ${what}`)
}
console.log(scoreLine('all', totals))
if (lowestScore < minScore) process.exitCode = 1

/** Tests mutants from `from` on in one process. Returns the index where the next process must start. */
function testFrom(name: string, from: number, survivors: string[], mutants: readonly string[]): Promise<number> {
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
      if (hasTimedOut) resolve(next + 1)
      else if (next === mutants.length) resolve(next)
      else reject(new Error(`The breaking of ${name} ended at ${next} of ${mutants.length}.`))
    })
  })
}
