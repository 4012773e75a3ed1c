import { fork } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { allMachines } from './machine-docs/machine-docs.ts'
import type { Outcome } from './mutation/break-statechart.ts'
import { folder, lowestScore, scoreLine, scoreOf } from './mutation/score.ts'
import { breaksOf } from './mutation/statechart.ts'

/**
 * `npm run mutate-statecharts` breaks the statechart of each machine: leads each transition astray, takes away each
 * guard and each action that is given by name, one at a time, and counts what no test noticed. With words: of the
 * machines whose name holds one.
 */
/** After this a machine never comes to rest. Milliseconds. */
const patience = 60_000
const worker = fileURLToPath(new URL('mutation/break-statechart.ts', import.meta.url))

const words = process.argv.slice(2)
const machines = (await allMachines()).filter(
  ({ name }) => words.length === 0 || words.some((word) => name.toLowerCase().includes(word.toLowerCase())),
)

mkdirSync(folder, { recursive: true })
const total = { noticed: 0, of: 0 }
let lowest = 100
for (const { name, machine } of machines) {
  const breaks = breaksOf(machine.config)
  if (breaks.length === 0) continue
  const unnoticed: string[] = []
  for (let next = 0; next < breaks.length; ) next = await breakFrom(name, next, unnoticed, breaks)
  const noticed = breaks.length - unnoticed.length
  total.noticed += noticed
  total.of += breaks.length
  lowest = Math.min(lowest, scoreOf({ noticed, of: breaks.length }))
  writeFileSync(`${folder}/statechart.${name}.json`, JSON.stringify(unnoticed, null, 1))
  console.log(scoreLine(name, { noticed, of: breaks.length }))
  for (const what of unnoticed) console.log(`    ${what}`)
}
console.log(scoreLine('all', total))
if (lowest < lowestScore) process.exitCode = 1

/** Breaks a machine from one break on, as far as a process goes; answers where the next one has to begin. */
function breakFrom(name: string, from: number, unnoticed: string[], breaks: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = fork(worker, [name, String(from)], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    let next = from
    let isAstray = false
    const giveUp = () => {
      isAstray = true
      child.kill('SIGKILL')
    }
    let timer = setTimeout(giveUp, patience)
    child.on('message', ({ index, what, noticedBy }: Outcome) => {
      clearTimeout(timer)
      timer = setTimeout(giveUp, patience)
      if (index < 0 && noticedBy !== null) return reject(new Error(`${name} fails as it is: ${noticedBy}`))
      if (index < 0) return
      next = index + 1
      if (noticedBy === null) unnoticed.push(what)
    })
    child.on('error', reject)
    child.on('exit', () => {
      clearTimeout(timer)
      if (isAstray) resolve(next + 1)
      else if (next === breaks.length) resolve(next)
      else reject(new Error(`The breaking of ${name} ended at ${next} of ${breaks.length}.`))
    })
  })
}
