import { parseArgs } from 'node:util'
import { walkAtRandom } from '../tests/model/composed/random-walk.ts'

/**
 * `npm run walk` runs a random walk of 1,000,000 steps through the composed session. It takes some minutes.
 * `npm run walk -- --steps 50000 --seed 7` runs fewer steps, or repeats a walk.
 */
const { values } = parseArgs({ options: { steps: { type: 'string' }, seed: { type: 'string' } } })
const steps = Number(values.steps ?? 1_000_000)
const concurrentSessions = 200

let seed = Number(values.seed ?? Date.now() % 2 ** 31)
for (let walked = 0; walked < steps; seed += 1) {
  walked += await walkAtRandom(concurrentSessions, seed)
  console.log(`${walked} random steps, the last with seed ${seed}`)
}
