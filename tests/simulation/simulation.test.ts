import { globSync, statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { run } from './run.ts'

/** Simulations of 60 steps each. `npm run simulate` runs new seeds. */
const seeds = 4

describe('The simulation of the whole system', () => {
  // Scripts of found bugs, and those that find a deliberate fault: without it they pass, and rest within the same time.
  const scripts = globSync('tests/simulation/scripts/*.json').sort()
  const longest = scripts.reduce((one, other) => (statSync(other).size > statSync(one).size ? other : one))

  it('runs the longest kept script the same way twice, to the last event, and it passes', async () => {
    const { passed, output } = await run('--rests-within=6', '--twice', `--script=${longest}`)
    expect([passed, passed ? '' : output]).toEqual([true, ''])
  })

  it('passes every other kept script', async () => {
    const others = scripts.filter((script) => script !== longest)
    const { passed, output } = await run('--rests-within=6', ...others.map((script) => `--script=${script}`))
    expect([passed, passed ? '' : output]).toEqual([true, ''])
  })

  it(`finds nothing in ${seeds} seeds`, async () => {
    const { passed, output } = await run('--seed=100', `--seeds=${seeds}`, '--steps=60')
    process.stdout.write(`Simulations: ${output.trimEnd().split('\n').at(-1)}\n`)
    expect([passed, passed ? '' : output]).toEqual([true, ''])
  })
})
