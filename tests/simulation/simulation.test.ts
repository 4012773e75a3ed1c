import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { deliberateFaults } from './deliberate-faults.ts'

const main = 'tests/simulation/main.ts'
/** Simulations of 100 steps each. `npm run simulate` runs new seeds. */
const seeds = 6

/** Runs simulations in a process of their own, for they replace the globals. Returns the output and whether all passed. */
async function run(...options: string[]): Promise<{ passed: boolean; output: string }> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [main, '--shrink=0', ...options], {
      maxBuffer: 100 * 1024 * 1024,
    })
    return { passed: true, output: stdout }
  } catch (error) {
    if (typeof error === 'object' && error !== null && 'stdout' in error && 'stderr' in error) {
      return { passed: false, output: `${error.stdout}${error.stderr}` }
    }
    throw error
  }
}

describe('The simulation of the whole system', () => {
  it('runs a seed the same way twice, to the last event', async () => {
    expect(await run('--seed=1', '--steps=40', '--twice')).toMatchObject({ passed: true })
  })

  // Scripts of found bugs, and those that find a deliberate fault: without it they pass.
  it('passes every kept script', async () => {
    const scripts = globSync('tests/simulation/scripts/*.json').sort()
    const { passed, output } = await run(...scripts.map((script) => `--script=${script}`))
    expect([passed, passed ? '' : output]).toEqual([true, ''])
  })

  it.each(Object.keys(deliberateFaults))('finds the deliberate fault for "%s"', async (invariant) => {
    const script = `tests/simulation/scripts/finds-${invariant.replaceAll(' ', '-')}.json`
    const { passed, output } = await run(`--script=${script}`, `--break=${invariant}`)
    expect([passed, output]).toEqual([false, expect.stringContaining(`"${invariant}": `)])
  })

  it(`finds nothing in ${seeds} seeds`, async () => {
    const { passed, output } = await run('--seed=100', `--seeds=${seeds}`, '--steps=100')
    process.stdout.write(`Simulations: ${output.trimEnd().split('\n').at(-1)}\n`)
    expect([passed, passed ? '' : output]).toEqual([true, ''])
  })
})
