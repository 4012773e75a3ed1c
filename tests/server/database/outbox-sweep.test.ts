import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { startSweepingOutbox } from '../../../server/database/maintenance.ts'
import { createLogger } from '../../../server/logger.ts'
import { readSettings } from '../../../server/settings.ts'
import { startServer } from '../../../server/start-server.ts'
import { describeOnEachDatabase, openEmbedded } from '../databases.ts'
import { manualClock } from '../manual-clock.ts'

const minutes = 60_000
const changeOf = (name: string) => JSON.stringify({ name })

describeOnEachDatabase('startSweepingOutbox', (open) => {
  it('deletes rows older than five minutes every minute', async () => {
    const { db } = await open()
    const clock = manualClock()
    const created = (age: number) => new Date(Date.now() - age)
    await db
      .insertInto('realtime_outbox')
      .values([
        { change: changeOf('old'), created_at: created(5 * minutes) },
        { change: changeOf('recent'), created_at: created(4 * minutes) },
      ])
      .execute()
    const stop = startSweepingOutbox({ db, clock, logger: createLogger('silent') })
    clock.advance(1 * minutes)
    await stop()
    const kept = await db.selectFrom('realtime_outbox').select('change').execute()
    expect(kept).toEqual([{ change: { name: 'recent' } }])
  })
})

afterEach(() => {
  vi.useRealTimers()
})

it.each([
  ['the built-in realtime', {}],
  ['a hosted Supabase project', { SUPABASE_URL: 'http://127.0.0.1:1', SUPABASE_JWT_SECRET: 'secret' }],
])('a server with %s sweeps the outbox', async (_, env) => {
  const directory = mkdtempSync(join(tmpdir(), 'staff-inbox-outbox-'))
  const network = {
    GRAPH_API_URL: 'http://127.0.0.1:1',
    META_APP_ID: '1',
    META_APP_SECRET: 'a',
    META_VERIFY_TOKEN: 'v',
  }
  const settings = readSettings({ PORT: '0', DATA_DIR: directory, ...network, ...env })
  const database = await openEmbedded()
  await database.db
    .insertInto('realtime_outbox')
    .values({ change: changeOf('old'), created_at: new Date(Date.now() - 6 * minutes) })
    .execute()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldAdvanceTime: true })
  const server = await startServer(settings, { logger: createLogger('silent'), openDatabase: async () => database })
  try {
    await vi.advanceTimersByTimeAsync(1 * minutes)
    vi.useRealTimers()
    await expect.poll(() => database.db.selectFrom('realtime_outbox').select('id').execute()).toEqual([])
  } finally {
    await server.close()
    rmSync(directory, { recursive: true })
  }
})
