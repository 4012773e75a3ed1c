import { parseArgs } from 'node:util'
import { walkAtRandom } from '../tests/model/composed/random-walk.ts'

/**
 * `npm run walk` walks the composed session 1,000,000 random steps: some minutes, for the night.
 * `npm run walk -- --steps 50000 --seed 7` walks fewer, or the same ones again.
 */
const { values } = parseArgs({ options: { steps: { type: 'string' }, seed: { type: 'string' } } })
const wanted = Number(values.steps ?? 1_000_000)
const sessionsAtOnce = 200

let seed = Number(values.seed ?? Date.now() % 2 ** 31)
for (let walked = 0; walked < wanted; seed += 1) {
  walked += await walkAtRandom(sessionsAtOnce, seed)
  console.log(`${walked} random steps, the last with seed ${seed}`)
}
