import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OpenDatabase } from '../../../server/database/database.ts'
import { openDatabase } from '../../../server/database/open-database.ts'
import type { Sync } from '../../../server/network/sync/sync.ts'
import type { AutoSyncRun, AutoSyncStatus } from '../../../src/schemas/auto-sync.ts'
import { describeOnDatabase, withMigratedServerDatabase } from '../databases.ts'
import { prints } from '../network-harness.ts'
import { openPageHarness, type PageHarness } from '../page-harness.ts'

const tarpaulin = '104200000000102'
const minute = 60_000
/** Milliseconds; longer than the polling interval of the job queue. */
const queueDelay = 10_000

const defaults = { interval_minutes: 5, hours_back: 2, enabled: true }

describeOnDatabase('createAutoSync', (open) => {
  let harness: PageHarness

  beforeAll(async () => {
    harness = await openPageHarness(await open())
    await harness.connect(prints)
    await harness.connect(tarpaulin)
  })
  afterAll(() => harness.close())

  const status = async () => (await harness.as('viewer', 'GET', '/auto-sync/status')).body['data'] as AutoSyncStatus
  const configure = (config: object) => harness.as('administrator', 'PUT', '/auto-sync/config', config)
  const runs = () => harness.db.selectFrom('auto_sync_runs').selectAll().orderBy('started_at').execute()
  /** Advances the time until the call has ended. */
  const advanceUntilDone = async <T>(call: Promise<T>): Promise<T> => {
    let isDone = false
    const watched = call.finally(() => {
      isDone = true
    })
    await harness.passUntil(() => isDone)
    return watched
  }

  it('is enabled by default, every five minutes for the last two hours', async () => {
    expect(await status()).toEqual({
      isRunning: true,
      enabled: true,
      isSyncing: false,
      lastSyncTime: null,
      nextSyncIn: expect.any(Number),
      config: defaults,
      settings: { ...defaults, last_updated_by: null, last_updated_at: null },
      lastRun: null,
    })
    const { nextSyncIn } = await status()
    expect([(nextSyncIn ?? 0) > 4 * 60, (nextSyncIn ?? 0) <= 5 * 60]).toEqual([true, true])
  })

  it('runs on schedule and reports the result', async () => {
    await harness.jumpTo(harness.clock.now() + ((await status()).nextSyncIn ?? 0) * 1_000 - 2 * queueDelay)
    await harness.pass(queueDelay)
    expect(await runs()).toEqual([])
    await harness.pass(3 * queueDelay)
    await harness.quiet()
    const { lastRun, lastSyncTime, nextSyncIn } = await status()
    expect(lastRun).toEqual({
      id: expect.any(String),
      state: 'completed',
      trigger: 'schedule',
      started_by_name: null,
      started_at: expect.any(String),
      finished_at: lastSyncTime,
      messages: expect.any(Number),
      pages: expect.any(Array),
    })
    expect(lastRun?.pages.toSorted((one, other) => (one.page_id < other.page_id ? -1 : 1))).toEqual([
      {
        page_id: prints,
        page_name: 'Lakbay Print Studio',
        messages: expect.any(Number),
        error: null,
        code: null,
        retry_at: null,
      },
      {
        page_id: tarpaulin,
        page_name: 'Tarpaulin Express Marikina',
        messages: expect.any(Number),
        error: null,
        code: null,
        retry_at: null,
      },
    ])
    expect(lastRun?.messages).toBe(lastRun?.pages.reduce((sum, { messages }) => sum + messages, 0))
    expect((nextSyncIn ?? 0) > 4 * 60).toBe(true)
  })

  it('stores settings with their author and time, and rejects values out of range', async () => {
    const config = { interval_minutes: 2, hours_back: 24, enabled: true }
    const at = new Date(harness.clock.now()).toISOString()
    const { status: code, body } = await configure(config)
    expect([code, body]).toMatchObject([
      200,
      {
        success: true,
        data: {
          isRunning: true,
          nextSyncIn: 2 * 60,
          config,
          settings: { ...config, last_updated_by: 'Ana Reyes', last_updated_at: at },
        },
      },
    ])
    for (const wrong of [
      { interval_minutes: 0 },
      { interval_minutes: 61 },
      { interval_minutes: 2.5 },
      { hours_back: 0 },
      { hours_back: 25 },
      { enabled: 'yes' },
    ]) {
      expect((await configure({ ...config, ...wrong })).status).toBe(400)
    }
    expect((await configure({ interval_minutes: 2, hours_back: 3 })).status).toBe(400)
    expect((await status()).config).toEqual(config)
    const before = (await runs()).length
    await harness.pass(4 * minute + queueDelay)
    await harness.quiet()
    expect((await runs()).length - before).toBe(2)
  })

  it('does not delay the next run when only hours_back changes', async () => {
    await harness.pass(minute / 2)
    const before = (await status()).nextSyncIn
    await configure({ interval_minutes: 2, hours_back: 1, enabled: true })
    expect((await status()).nextSyncIn).toBe(before)
  })

  it('does not run when stopped, and runs at once when started', async () => {
    const { body } = await harness.as('administrator', 'POST', '/auto-sync/stop')
    expect(body).toMatchObject({
      data: { isRunning: false, enabled: false, nextSyncIn: null, config: { enabled: false } },
    })
    const before = (await runs()).length
    await harness.pass(3 * minute)
    expect((await runs()).length).toBe(before)
    const started = await harness.as('administrator', 'POST', '/auto-sync/start')
    expect(started.body).toMatchObject({ data: { isRunning: true, enabled: true, nextSyncIn: 2 * 60 } })
    await harness.pass(queueDelay)
    await harness.quiet()
    expect((await runs()).length).toBe(before + 1)
  })

  it('runs when forced although disabled, and responds when the run has ended', async () => {
    await harness.as('administrator', 'POST', '/auto-sync/stop')
    const force = () => harness.as('agent', 'POST', '/auto-sync/force-sync')
    const answers = await advanceUntilDone(Promise.all([force(), force()]))
    const [first, second] = answers.map(({ body }) => body['data'] as AutoSyncRun)
    expect(first).toMatchObject({ state: 'completed', trigger: 'forced', started_by_name: 'Paolo Cruz' })
    expect(second?.id).toBe(first?.id)
  })

  it('reports a failed page with its reason and pause, and syncs the others', async () => {
    await harness.faults({ refuseReads: { times: 1, code: 613, status: 400, minutes: 3, pageId: tarpaulin } })
    const pagesOf = async () => {
      const { body } = await advanceUntilDone(harness.as('agent', 'POST', '/auto-sync/force-sync'))
      const { pages, state } = body['data'] as AutoSyncRun
      expect(state).toBe('completed')
      return Object.fromEntries(pages.map(({ page_id, error, code }) => [page_id, { error, code }]))
    }
    const noError = { error: null, code: null }
    const paused = 'The network asks for a pause. Try again in a few minutes.'
    const requestedAt = harness.clock.now()
    expect(await pagesOf()).toEqual({ [prints]: noError, [tarpaulin]: { error: paused, code: 'NETWORK_613' } })
    const retryAt = Date.parse((await status()).lastRun?.pages.find(({ code }) => code !== null)?.retry_at ?? '')
    expect(retryAt).toBeGreaterThanOrEqual(requestedAt + 3 * minute)
    expect(retryAt).toBeLessThanOrEqual(harness.clock.now() + 3 * minute)
    await harness.control('PUT', `/pages/${prints}`, { tokenValid: false })
    const afterRevocation = await pagesOf()
    await harness.control('PUT', `/pages/${prints}`, { tokenValid: true })
    expect(afterRevocation).toMatchObject({ [prints]: { code: 'NETWORK_190' }, [tarpaulin]: noError })
  })

  it('keeps its settings and schedule after a restart, and runs once for all missed runs', async () => {
    await configure({ interval_minutes: 3, hours_back: 4, enabled: true })
    const before = await status()
    const count = (await runs()).length
    await harness.stop(harness.first)
    await harness.jumpTo(harness.clock.now() + 30 * minute)
    expect((await runs()).length).toBe(count)
    const next = await harness.open()
    const { body } = await next.call(harness.staff.viewer, 'GET', '/auto-sync/status')
    expect(body).toMatchObject({ data: { isRunning: true, settings: before.settings } })
    await harness.pass(minute / 2)
    await harness.quiet()
    expect((await runs()).length).toBe(count + 1)
  })

  it('refreshes the pictures of pages at 2:00 in the business’s time zone, once a day', async () => {
    const pictureOf = async () =>
      (
        await harness.db
          .selectFrom('pages')
          .select('page_profile_pic_url')
          .where('page_id', '=', prints)
          .executeTakeFirstOrThrow()
      ).page_profile_pic_url
    const schedules = await harness.db
      .withTables<{ 'jobs.schedule': { name: string; cron: string; timezone: string } }>()
      .selectFrom('jobs.schedule')
      .select(['cron', 'timezone'])
      .where('name', '=', 'page-pictures')
      .execute()
    expect(schedules).toEqual([{ cron: '0 2 * * *', timezone: 'Asia/Manila' }])
    const before = await pictureOf()
    await harness.control('PUT', `/pages/${prints}`, { pictureSeed: 77 })
    const twoInManila = new Date(harness.clock.now())
    twoInManila.setUTCHours(18, 0, 0, 0)
    if (twoInManila.getTime() <= harness.clock.now()) twoInManila.setUTCDate(twoInManila.getUTCDate() + 1)
    await harness.jumpTo(twoInManila.getTime() - minute)
    await harness.pass(queueDelay)
    expect(await pictureOf()).toBe(before)
    await harness.pass(minute + queueDelay)
    await harness.quiet()
    expect(await pictureOf()).toBe('/sandbox/media/pages/77.png')
  })
})

/** A sync that never ends, for a process that is killed meanwhile. */
const stuck = (sync: Sync, started: () => void): Sync => ({
  ...sync,
  history: async (pageId, platform, limit, options) =>
    sync.history(pageId, platform, limit, {
      ...options,
      onStep: async (step) => {
        await options?.onStep?.(step)
        started()
        return new Promise<never>(() => undefined)
      },
    }),
  recent: async (pageId, since) => {
    if (pageId === prints) return sync.recent(pageId, since)
    started()
    return new Promise<never>(() => undefined)
  },
})

describeOnDatabase('An interrupted auto-sync run', (open) => {
  let harness: PageHarness

  beforeAll(async () => {
    harness = await openPageHarness(await open())
    await harness.connect(prints)
    await harness.connect(tarpaulin)
  })
  afterAll(() => harness.close())

  const status = async () => (await harness.as('viewer', 'GET', '/auto-sync/status')).body['data'] as AutoSyncStatus
  const jobOf = async (id: string) => {
    const [job] = await harness.first.jobs.findJobs('auto-sync', { id })
    return job
  }

  it('is stopped when staff disabled auto-sync before the retry', async () => {
    await harness.first.jobs.offWork('auto-sync')
    let started = 0
    const killed = await harness.open(
      undefined,
      stuck(harness.sync, () => started++),
    )
    await harness.as('administrator', 'POST', '/auto-sync/start')
    await harness.passUntil(async () => started === 1 && (await status()).lastRun?.pages.length === 1)
    harness.kill(killed)
    await harness.as('administrator', 'POST', '/auto-sync/stop')
    const interrupted = await status()
    expect(interrupted).toMatchObject({
      enabled: false,
      isSyncing: true,
      lastRun: { state: 'running', finished_at: null },
    })
    const id = interrupted.lastRun?.id ?? ''
    await harness.first.autoSync.work()
    await harness.passUntil(async () => (await jobOf(id))?.state === 'completed')
    const { isSyncing, lastSyncTime, lastRun } = await status()
    expect({ isSyncing, lastRun }).toEqual({
      isSyncing: false,
      lastRun: { ...interrupted.lastRun, state: 'stopped', finished_at: lastSyncTime },
    })
    expect(Date.parse(lastSyncTime ?? '')).toBeGreaterThan(Date.parse(interrupted.lastRun?.started_at ?? ''))
  })

  it('is stopped when auto-sync is disabled, and a forced sync that joined it runs afterwards', async () => {
    await harness.first.jobs.offWork('auto-sync')
    let started = 0
    const killed = await harness.open(
      undefined,
      stuck(harness.sync, () => started++),
    )
    await harness.as('administrator', 'POST', '/auto-sync/start')
    await harness.passUntil(async () => started === 1 && (await status()).lastRun?.state === 'running')
    const id = (await status()).lastRun?.id ?? ''
    harness.kill(killed)
    await harness.as('administrator', 'POST', '/auto-sync/stop')
    await harness.passUntil(async () => (await jobOf(id))?.state === 'retry')
    let isAnswered = false
    void harness.as('agent', 'POST', '/auto-sync/force-sync').then(() => {
      isAnswered = true
    })
    await harness.pass(1_000)
    await harness.first.autoSync.work()
    await harness.passUntil(async () => (await jobOf(id))?.state === 'completed')
    await harness.passUntil(async () => {
      const { lastRun } = await status()
      return lastRun?.trigger === 'forced' && lastRun.state === 'completed'
    })
    await harness.passUntil(() => isAnswered)
    expect(await jobOf(id)).toMatchObject({ state: 'completed', data: { trigger: 'schedule' } })
  })

  it.each([
    ['its status is read', () => status()],
    ['a process starts', () => harness.first.autoSync.work()],
  ])('is marked as failed when %s, if its last attempt was interrupted', async (_, trigger) => {
    await harness.first.jobs.offWork('auto-sync')
    let started = 0
    const killed = await harness.open(
      undefined,
      stuck(harness.sync, () => started++),
    )
    void harness.as('agent', 'POST', '/auto-sync/force-sync')
    await harness.passUntil(async () => started === 1 && (await status()).lastRun?.state === 'running')
    const id = (await status()).lastRun?.id ?? ''
    await sql`update jobs.job set retry_limit = 0 where id = ${id}::uuid`.execute(harness.db)
    expect((await status()).isSyncing).toBe(true)
    harness.kill(killed)
    await harness.passUntil(async () => (await jobOf(id))?.state === 'failed')
    const stateOf = async () =>
      (await harness.db.selectFrom('auto_sync_runs').select(['state', 'finished_at']).where('id', '=', id).execute())[0]
    expect(await stateOf()).toEqual({ state: 'running', finished_at: null })
    await trigger()
    expect(await stateOf()).toEqual({ state: 'failed', finished_at: expect.any(Date) })
    await harness.first.jobs.offWork('auto-sync')
    await harness.first.autoSync.work()
  })

  it('is marked as failed after its last retry while auto-sync is disabled', async () => {
    await sql`alter table auto_sync_runs add constraint takes_no_outcome check (pages = '[]') not valid`.execute(
      harness.db,
    )
    const before = (await status()).lastRun?.id
    void harness.as('agent', 'POST', '/auto-sync/force-sync')
    await harness.passUntil(async () => (await status()).lastRun?.id !== before)
    const id = (await status()).lastRun?.id ?? ''
    const between = new Set<string | undefined>()
    await harness.passUntil(async () => {
      const job = await jobOf(id)
      if (job?.state === 'retry') between.add((await status()).lastRun?.state)
      return job?.state === 'failed'
    })
    expect([...between]).toEqual(['running'])
    const { enabled, isSyncing, lastSyncTime, lastRun } = await status()
    expect({ enabled, isSyncing, lastRun }).toEqual({
      enabled: false,
      isSyncing: false,
      lastRun: {
        id,
        state: 'failed',
        trigger: 'forced',
        started_by_name: 'Paolo Cruz',
        started_at: expect.any(String),
        finished_at: lastSyncTime,
        messages: 0,
        pages: [],
      },
    })
  })
})

describe.skipIf(process.env['TEST_DATABASE_URL'] === undefined)(
  'Auto-sync in two processes on one PostgreSQL database',
  () => {
    const withTwo = (run: (harness: PageHarness, other: OpenDatabase) => Promise<void>) =>
      withMigratedServerDatabase(async (databaseUrl) => {
        const [database, other] = [await openDatabase({ databaseUrl }), await openDatabase({ databaseUrl })]
        const harness = await openPageHarness(database)
        try {
          await harness.connect(prints)
          await harness.connect(tarpaulin)
          await run(harness, other)
        } finally {
          await harness.close()
          await other.close()
          await database.close()
        }
      })

    it(
      'runs one schedule, and stores every message of the network despite ten minutes of faults',
      () =>
        withTwo(async (harness, other) => {
          await harness.open(other)
          await harness.faults({ holdWebhooks: true })
          for (const pageId of [prints, tarpaulin]) await harness.sync.history(pageId, 'messenger', 1_000)
          await harness.sync.history(prints, 'instagram', 1_000)
          const people = await harness.control<{ psid: string; page_id: string }[]>('GET', '/people')
          const ours = people.filter(({ page_id }) => [prints, tarpaulin].includes(page_id))
          await harness.as('administrator', 'PUT', '/auto-sync/config', {
            interval_minutes: 1,
            hours_back: 1,
            enabled: true,
          })
          // Each run falls into the middle of a round.
          await harness.passAndSettle(minute / 2)
          for (let round = 0; round < 10; round++) {
            for (const person of ours.slice(round * 4, round * 4 + 6)) {
              await harness.control('POST', `/people/${person.psid}/messages`, { text: `Round ${round}` })
            }
            await harness.faults({
              holdWebhooks: true,
              ...(round === 1 ? { refuseReads: { times: 1, code: 613, status: 400, pageId: prints } } : {}),
              ...(round === 3 ? { loseReads: { times: 2 } } : {}),
              ...(round === 4 ? { refuseReads: { times: 2, code: 2, status: 500 } } : {}),
            })
            if (round === 6) await harness.control('PUT', `/pages/${tarpaulin}`, { tokenValid: false })
            if (round === 7) await harness.control('PUT', `/pages/${tarpaulin}`, { tokenValid: true })
            await harness.pass(minute)
          }
          await harness.pass(minute + queueDelay)
          await harness.quiet()
          const runs = await harness.db.selectFrom('auto_sync_runs').selectAll().orderBy('started_at').execute()
          expect([runs.length >= 10, runs.length <= 12]).toEqual([true, true])
          const gaps = runs
            .slice(1)
            .map((run, index) => run.started_at.getTime() - (runs[index]?.started_at.getTime() ?? 0))
          expect(gaps.filter((gap) => gap < 45_000)).toEqual([])
          const codes = new Set(runs.flatMap(({ pages }) => pages.map(({ code }) => code)))
          for (const code of ['NETWORK_613', 'NO_ANSWER', 'NETWORK_2', 'NETWORK_190'])
            expect([...codes]).toContain(code)
          expect(runs.at(-1)?.pages.map(({ code }) => code)).toEqual([null, null])
          for (const pageId of [prints, tarpaulin]) {
            expect(await harness.differences(pageId)).toEqual({ lost: [], invented: [] })
          }
          const before = await harness.db.selectFrom('messages').select('message_id').execute()
          await harness.faults({})
          await harness.settle()
          expect(await harness.db.selectFrom('messages').select('message_id').execute()).toHaveLength(before.length)
          const marks = await harness.db.selectFrom('pages').select('token_invalid_since').execute()
          expect(marks).toEqual([{ token_invalid_since: null }, { token_invalid_since: null }])
        }),
      120_000,
    )

    it('joins two simultaneous forced runs', () =>
      withTwo(async (harness, other) => {
        const second = await harness.open(other)
        await harness.as('administrator', 'POST', '/auto-sync/stop')
        let isDone = false
        const both = Promise.all([
          harness.as('agent', 'POST', '/auto-sync/force-sync'),
          second.call(harness.staff.agent, 'POST', '/auto-sync/force-sync'),
        ]).finally(() => {
          isDone = true
        })
        await harness.passUntil(() => isDone)
        const ids = (await both).map(({ body }) => (body['data'] as AutoSyncRun).id)
        expect(new Set(ids).size).toBe(1)
        expect(await harness.db.selectFrom('auto_sync_runs').select('state').execute()).toEqual([
          { state: 'completed' },
        ])
      }))

    it('continues with the remaining pages and conversations when one process is killed', () =>
      withTwo(async (harness, other) => {
        await harness.as('administrator', 'POST', '/auto-sync/stop')
        for (const queue of ['history-sync', 'auto-sync']) await harness.first.jobs.offWork(queue)
        let started = 0
        const killed = await harness.open(
          other,
          stuck(harness.sync, () => started++),
        )
        void harness.as('agent', 'POST', '/auto-sync/force-sync')
        await harness.as('agent', 'POST', `/pages/${tarpaulin}/sync-history`, { limit: 50 })
        await harness.passUntil(() => started === 2)
        await harness.passUntil(async () => {
          const [run] = await harness.db.selectFrom('auto_sync_runs').select('pages').execute()
          return run?.pages.length === 1
        })
        const [interruptedSync] = await harness.db.selectFrom('history_syncs').selectAll().execute()
        expect(interruptedSync).toMatchObject({ state: 'running', conversations_done: 25 })
        harness.kill(killed)
        await harness.first.historySyncs.work()
        await harness.first.autoSync.work()
        await harness.passUntil(async () => {
          const [sync] = await harness.db.selectFrom('history_syncs').select('state').execute()
          const [run] = await harness.db.selectFrom('auto_sync_runs').select('state').execute()
          return sync?.state === 'completed' && run?.state === 'completed'
        })
        const [sync] = await harness.db.selectFrom('history_syncs').selectAll().execute()
        const stored = await harness.db
          .selectFrom('messages')
          .select('page_id')
          .where('page_id', '=', tarpaulin)
          .execute()
        expect(sync?.conversations_done).toBe(50)
        expect(stored.length).toBeGreaterThanOrEqual(sync?.messages_stored ?? 0)
        const [run] = await harness.db.selectFrom('auto_sync_runs').selectAll().execute()
        expect(run?.pages.map(({ page_id, code }) => [page_id, code])).toEqual([
          [prints, null],
          [tarpaulin, null],
        ])
      }))
  },
)
