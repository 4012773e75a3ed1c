import { globSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { scriptThatFinds } from './deliberate-faults.ts'
import { run } from './run.ts'

/**
 * The seeds that no run had before, beside the one that runs twice. `npm run simulate -- --seed N --steps 60` repeats a seed
 * and shrinks its script.
 */
const otherSeeds = 2

describe('The simulation of the whole system', () => {
  const scriptsOfBugs = globSync('tests/simulation/scripts/*.json', { exclude: ['**/finds-*'] })
  // The last one must come to rest within the time that it exceeds with its deliberate fault.
  const scripts = [...scriptsOfBugs, scriptThatFinds('comes to rest')]

  it('passes the scripts of bugs that it found', async () => {
    expect(await failureOf('--rests-within=6', ...scripts.map((script) => `--script=${script}`))).toBeNull()
  })

  it('runs a new seed the same way twice, to the last event, and finds nothing', async () => {
    expect(await failureOf('--steps=60', '--twice')).toBeNull()
  })

  it(`finds nothing in ${otherSeeds} other new seeds`, async () => {
    expect(await failureOf('--steps=60', `--seeds=${otherSeeds}`)).toBeNull()
  })
})

/** Prints the seeds. Returns the output of a run that failed. */
async function failureOf(...options: string[]): Promise<string | null> {
  const { passed, output } = await run(...options)
  process.stdout.write(output.replaceAll(/^seed/gm, 'Simulation of seed'))
  return passed ? null : output
}
