import fc from 'fast-check'
import { type Step, type StepName, walk, weights } from './walk.ts'

const names = Object.keys(weights) as StepName[]
const step: fc.Arbitrary<Step> = fc.record({
  what: fc.oneof(...names.map((name) => ({ weight: weights[name], arbitrary: fc.constant(name) }))),
  which: fc.nat(59),
})
const steps = fc.array(step, { minLength: 20, maxLength: 200, size: 'max' })

/**
 * Runs this many random walks and returns the total number of steps. Throws if a walk breaks an invariant; the error
 * contains the seed and the shortest failing steps.
 */
export async function walkAtRandom(sessions: number, seed: number): Promise<number> {
  let count = 0
  const property = fc.asyncProperty(steps, async (taken) => {
    count += taken.length
    const breaches = await walk(taken)
    if (breaches.length > 0) throw new Error(breaches.join('\n'))
  })
  await fc.assert(property, { numRuns: sessions, seed })
  return count
}
