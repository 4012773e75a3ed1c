import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { deliberateFaults, scriptThatFinds } from './deliberate-faults.ts'
import { run } from './run.ts'

/** The invariant whose failure is also replayed from a problem report. */
const reported = 'own conversation'

const invariants = Object.keys(deliberateFaults)

/** Without the fault each script comes to rest within this time. Simulated minutes. */
const restsWithin = 6

describe('With each deliberate fault', () => {
  const found: Record<string, string[]> = {}
  beforeAll(async () => {
    const faults = invariants.map((invariant) => `--find-fault=${invariant}`)
    Object.assign(found, JSON.parse((await run(...faults, `--rests-within=${restsWithin}`)).output))
  }, 15 * 60_000)

  it.each(invariants)('a kept script finds the breach of "%s"', (invariant) => {
    expect(found[invariant]).toContain(invariant)
  })
})

it(`finds the deliberate fault for "${reported}", and turns its problem report into a script that fails in the same way, and passes without the fault`, async () => {
  const directory = mkdtempSync(join(tmpdir(), 'staff-inbox-simulation-'))
  try {
    const report = join(directory, 'report.json')
    const first = await findFault(reported, `--save-report=${report}`)
    const second = await run(`--report=${report}`, '--seed=1', `--with-fault=${reported}`)
    const found = [false, expect.stringContaining(`"${reported}": `)]
    expect([first, second].map(({ passed, output }) => [passed, output])).toEqual([found, found])
    expect(await run(`--report=${report}`, '--seed=1')).toMatchObject({ passed: true })
  } finally {
    rmSync(directory, { recursive: true })
  }
})

function findFault(invariant: string, ...options: string[]) {
  const script = scriptThatFinds(invariant)
  return run(`--script=${script}`, `--with-fault=${invariant}`, `--rests-within=${restsWithin}`, ...options)
}
