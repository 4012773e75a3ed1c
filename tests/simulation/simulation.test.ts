import { globSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { run } from './run.ts'

/** Beside the one that runs twice; each has 60 steps. `npm run simulate` runs new seeds. */
const otherSeeds = 3

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

  it(`finds nothing in ${otherSeeds} other seeds`, async () => {
    const { passed, output } = await run('--seed=101', `--seeds=${otherSeeds}`, '--steps=60')
    process.stdout.write(`Simulations: ${output.trimEnd().split('\n').at(-1)}\n`)
    expect([passed, passed ? '' : output]).toEqual([true, ''])
  })
})
