import { globSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { run } from './run.ts'

/** Simulations of 100 steps each. `npm run simulate` runs new seeds. */
const seeds = 4

describe('The simulation of the whole system', () => {
  it('runs a seed the same way twice, to the last event', async () => {
    expect(await run('--seed=1', '--steps=30', '--twice')).toMatchObject({ passed: true })
  })

  // Scripts of found bugs, and those that find a deliberate fault: without it they pass, and rest within the same time.
  it('passes every kept script', async () => {
    const scripts = globSync('tests/simulation/scripts/*.json').sort()
    const { passed, output } = await run('--rests-within=6', ...scripts.map((script) => `--script=${script}`))
    expect([passed, passed ? '' : output]).toEqual([true, ''])
  })

  it(`finds nothing in ${seeds} seeds`, async () => {
    const { passed, output } = await run('--seed=100', `--seeds=${seeds}`, '--steps=100')
    process.stdout.write(`Simulations: ${output.trimEnd().split('\n').at(-1)}\n`)
    expect([passed, passed ? '' : output]).toEqual([true, ''])
  })
})
