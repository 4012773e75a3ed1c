import { globSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { run } from './run.ts'

/** Seeds that no run had before. Each has 60 steps. `npm run simulate -- --seed N --steps 60` repeats one and shrinks its script. */
const newSeeds = 3

describe('The simulation of the whole system', () => {
  // Scripts of found bugs, and those that find a deliberate fault: without it they pass, and rest within the same time.
  const scripts = globSync('tests/simulation/scripts/*.json').sort()

  it('passes every kept script', async () => {
    const { passed, output } = await run('--rests-within=6', ...scripts.map((script) => `--script=${script}`))
    expect([passed, passed ? '' : output]).toEqual([true, ''])
  })

  it('runs a seed the same way twice, to the last event, and finds nothing', async () => {
    const { passed, output } = await run('--seed=100', '--steps=60', '--twice')
    expect([passed, passed ? '' : output]).toEqual([true, ''])
  })

  it(`finds nothing in ${newSeeds} new seeds`, async () => {
    const { passed, output } = await run(`--seeds=${newSeeds}`, '--steps=60')
    process.stdout.write(output.replaceAll(/^seed/gm, 'Simulation of seed'))
    expect([passed, passed ? '' : output]).toEqual([true, ''])
  })
})
