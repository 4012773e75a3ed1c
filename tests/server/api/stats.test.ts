import { Hono } from 'hono'
import { beforeEach, expect, it } from 'vitest'
import { createStatsRoutes } from '../../../server/api/stats.ts'
import type { Db } from '../../../server/database/database.ts'
import { createSharedRead } from '../../../server/shared-read.ts'
import { describeOnDatabase } from '../databases.ts'
import { type ManualClock, manualClock } from '../manual-clock.ts'
import { addIdentity, addMessage, addPage } from '../people.ts'

const settle = () => new Promise((resolve) => setTimeout(resolve, 20))

describeOnDatabase('GET /facebook/stats', (open) => {
  let db: Db
  let clock: ManualClock
  let queries: number
  let ask: (query?: string) => Promise<number>
  beforeEach(async () => {
    db = (await open()).db
    clock = manualClock()
    queries = 0
    const counted = db.withPlugin({
      transformQuery: ({ node }) => {
        queries += 1
        return node
      },
      transformResult: async ({ result }) => result,
    })
    const app = new Hono<{ Variables: { staff: unknown } }>()
    app.use(async (c, next) => {
      c.set('staff', { permissions: ['stats.read'] })
      await next()
    })
    app.route('/', createStatsRoutes({ db: counted, clock }))
    ask = async (query = '') => {
      const answer = await app.request(`/stats${query}`)
      const { data } = (await answer.json()) as { data: { messages: { total: number } } }
      return data.messages.total
    }
  })

  it('one query a second answers all callers, with everything that was stored before they asked', async () => {
    expect(await Promise.all(Array.from({ length: 50 }, () => ask()))).toEqual(Array(50).fill(0))
    expect(queries).toBe(1)
    await addPage(db, 'p1')
    await addIdentity(db, 'u1', { page: 'p1' })
    await addMessage(db, 'm1', 'u1', 1)
    const waiting = Array.from({ length: 50 }, () => ask())
    await settle()
    clock.advance(999)
    await settle()
    expect(queries).toBe(1)
    clock.advance(1)
    expect(await Promise.all(waiting)).toEqual(Array(50).fill(1))
    expect(queries).toBe(2)
    expect(await Promise.all([ask('?pageId=p1'), ask('?pageId=p2')])).toEqual([1, 0])
  })
})

it('createSharedRead starts no second read while one runs, however long it takes, and reads again after a failure', async () => {
  const clock = manualClock()
  const reads: PromiseWithResolvers<string>[] = []
  const read = createSharedRead({
    read: () => {
      const reading = Promise.withResolvers<string>()
      reads.push(reading)
      return reading.promise
    },
    interval: 1_000,
    clock,
  })
  const first = read()
  await settle()
  const second = read()
  clock.advance(5_000)
  await settle()
  expect(reads).toHaveLength(1)
  reads[0]?.reject(new Error('the database is gone'))
  await expect(first).rejects.toThrow('the database is gone')
  await settle()
  expect(reads).toHaveLength(2)
  reads[1]?.resolve('counted')
  expect(await second).toBe('counted')
})
