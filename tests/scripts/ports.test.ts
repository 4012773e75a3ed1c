import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { reservePort } from '../../scripts/ports.ts'

it('reserves each port once, leaves out a taken one, and fails when none is left', async () => {
  const range = { first: 18_000, pairs: 4 }
  const taken = createServer().listen(18_003, '127.0.0.1')
  await once(taken, 'listening')
  try {
    const reserved = await Promise.all([1, 2, 3].map(() => reservePort(range)))
    expect(reserved.toSorted()).toEqual([18_001, 18_005, 18_007])
    await expect(reservePort(range)).rejects.toThrow('No free port was found')
  } finally {
    taken.close()
  }
})
