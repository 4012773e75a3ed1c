import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { deliberateFaults } from './deliberate-faults.ts'
import { run } from './run.ts'

/** The invariant whose failure is also replayed from a problem report. */
const reported = 'own conversation'

/** Without the fault each script comes to rest within this time. Simulated minutes. */
const restsWithin = 6

it.each(Object.keys(deliberateFaults).filter((invariant) => invariant !== reported))(
  'finds the deliberate fault for "%s"',
  async (invariant) => {
    const { passed, output } = await findFault(invariant)
    expect([passed, output]).toEqual([false, expect.stringContaining(`"${invariant}": `)])
  },
)

it(`finds the deliberate fault for "${reported}", and turns its problem report into a script that fails in the same way, and passes without the fault`, async () => {
  const directory = mkdtempSync(join(tmpdir(), 'staff-inbox-simulation-'))
  try {
    const report = join(directory, 'report.json')
    const first = await findFault(reported, `--save-report=${report}`)
    const second = await run(`--report=${report}`, '--seed=1', `--break=${reported}`)
    const found = [false, expect.stringContaining(`"${reported}": `)]
    expect([first, second].map(({ passed, output }) => [passed, output])).toEqual([found, found])
    expect(await run(`--report=${report}`, '--seed=1')).toMatchObject({ passed: true })
  } finally {
    rmSync(directory, { recursive: true })
  }
})

function findFault(invariant: string, ...options: string[]) {
  const script = `tests/simulation/scripts/finds-${invariant.replaceAll(' ', '-')}.json`
  return run(`--script=${script}`, `--break=${invariant}`, `--rests-within=${restsWithin}`, ...options)
}
