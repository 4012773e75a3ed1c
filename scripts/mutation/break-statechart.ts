import { allMachines } from '../machine-docs/machine-docs.ts'
import { NearestTests } from './nearest-tests.ts'
import { mutantsOf } from './statechart.ts'

/** The result of one mutant; `killedBy` is the failed test, null if it survived. Index -1 is the unmutated machine. */
export type Outcome = { index: number; what: string; killedBy: string | null }

/**
 * Runs in its own process, because a mutant may loop forever. Arguments: the machine and the index of the first mutant.
 * Sends an outcome for each mutant.
 */
const [name = '', from = ''] = process.argv.slice(2)
const found = (await allMachines()).find((machine) => machine.name === name)
if (!found) throw new Error(`No machine is named ${name}.`)
const tests = await NearestTests.open()
for (const [index, what] of ['nothing', ...mutantsOf(found.machine.config)].entries()) {
  if (index > 0 && index - 1 < Number(from)) continue
  process.env['MUTATED_STATECHART'] = index === 0 ? '' : `${name} ${index - 1}`
  const outcome: Outcome = {
    index: index - 1,
    what,
    killedBy: (await tests.firstFailure(found.source))?.message ?? null,
  }
  process.send?.(outcome)
}
await tests.close()
process.disconnect?.()
