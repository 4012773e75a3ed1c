import { expect, it } from 'vitest'
import { createAttempts } from '../../../server/auth/attempts.ts'
import { describeOnDatabase } from '../databases.ts'
import { manualClock } from '../manual-clock.ts'

const minute = 60_000

describeOnDatabase('Attempts', (open) => {
  it('are limited anew in each window, which begins with its first attempt', async () => {
    const clock = manualClock()
    const attempts = createAttempts({ db: (await open()).db, clock })
    const take = async () => (await attempts.take([{ key: 'windows', max: 2, window: 5 * minute }])) !== null
    const allowed: boolean[] = []
    for (const minutes of [0, 4, 0, 1, 0, 0, 4, 1, 0, 0]) {
      clock.advance(minutes * minute)
      allowed.push(await take())
    }
    expect(allowed).toEqual([true, true, false, true, true, false, false, true, true, false])
  })

  it('count against all limits or none, and can be given back', async () => {
    const attempts = createAttempts({ db: (await open()).db, clock: manualClock() })
    const take = (...keys: string[]) => attempts.take(keys.map((key) => ({ key, max: 2, window: minute })))
    const first = await take('a', 'b')
    await take('a')
    expect(await take('a', 'b')).toBeNull()
    await first?.giveBack()
    expect([await take('a', 'b'), await take('b'), await take('b'), await take('a')]).toEqual([
      expect.anything(),
      expect.anything(),
      null,
      null,
    ])
    expect([await attempts.takeBack('a'), await attempts.takeBack('unknown')]).toEqual([true, false])
  })
})
