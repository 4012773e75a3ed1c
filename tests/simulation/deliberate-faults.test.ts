import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { deliberateFaults } from './deliberate-faults.ts'
import { run } from './run.ts'

const scriptOf = (invariant: string) => `tests/simulation/scripts/finds-${invariant.replaceAll(' ', '-')}.json`

it.each(Object.keys(deliberateFaults))('finds the deliberate fault for "%s"', async (invariant) => {
  const { passed, output } = await run(`--script=${scriptOf(invariant)}`, `--break=${invariant}`)
  expect([passed, output]).toEqual([false, expect.stringContaining(`"${invariant}": `)])
})

it('turns a problem report of a failure into a script that fails in the same way, and passes without the fault', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'staff-inbox-simulation-'))
  try {
    const report = join(directory, 'report.json')
    const invariant = 'own conversation'
    await run(`--script=${scriptOf(invariant)}`, `--break=${invariant}`, `--save-report=${report}`)
    const { passed, output } = await run(`--report=${report}`, '--seed=1', `--break=${invariant}`)
    expect([passed, output]).toEqual([false, expect.stringContaining(`"${invariant}": `)])
    expect(await run(`--report=${report}`, '--seed=1')).toMatchObject({ passed: true })
  } finally {
    rmSync(directory, { recursive: true })
  }
})
