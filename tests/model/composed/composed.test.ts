import { expect, it } from 'vitest'
import { walkAtRandom } from './random-walk.ts'

it('a session loses no message, sends none twice and shows the server’s data, in any order of events', async () => {
  const seed = Date.now() % 2 ** 31
  const steps = await walkAtRandom(150, seed)
  process.stdout.write(`${steps} random steps of the composed session, seed ${seed}\n`)
  expect(steps).toBeGreaterThan(3_000)
}, 120_000)
