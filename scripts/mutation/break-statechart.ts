import { allMachines } from '../machine-docs/machine-docs.ts'
import { NearestTests } from './nearest-tests.ts'
import { breaksOf } from './statechart.ts'

/** Of which break it is the outcome, and the test that noticed it; null where none did. `index` -1 is the whole machine. */
export type Outcome = { index: number; what: string; noticedBy: string | null }

/**
 * A process of its own, for a broken machine may never come to rest: breaks the machine that is named first, from the
 * break on that is named second, and sends an outcome for each.
 */
const [name = '', from = ''] = process.argv.slice(2)
const found = (await allMachines()).find((machine) => machine.name === name)
if (!found) throw new Error(`No machine is named ${name}.`)
const tests = await NearestTests.open([found.source])
for (const [index, what] of ['nothing', ...breaksOf(found.machine.config)].entries()) {
  if (index > 0 && index - 1 < Number(from)) continue
  process.env['BROKEN_STATECHART'] = index === 0 ? '' : `${name} ${index - 1}`
  const outcome: Outcome = { index: index - 1, what, noticedBy: (await tests.firstFailure()) ?? null }
  process.send?.(outcome)
}
await tests.close()
process.disconnect?.()
