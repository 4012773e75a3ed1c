import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type HttpServer, listen } from '../../../server/http-server.ts'
import { GraphError } from '../../../server/network/graph/graph-error.ts'
import { maxWaitingCalls } from '../../../server/network/graph/pace.ts'
import { createSync, type Sync } from '../../../server/network/sync/sync.ts'
import type { HistorySync } from '../../../src/schemas/sync.ts'
import { describeOnDatabase } from '../databases.ts'
import { prints } from '../network-harness.ts'
import { openPageHarness, type PageHarness } from '../page-harness.ts'

const tarpaulin = '104200000000102'
const catering = '104200000000103'
const rateLimit = {
  status: 429,
  body: {
    success: false,
    code: 'NETWORK_613',
    error: 'The network asks for a pause. Try again in a few minutes.',
  },
}
const revokedToken = {
  status: 422,
  body: {
    success: false,
    code: 'NETWORK_190',
    error: 'The network no longer accepts the access token of this page. Give the page a new token.',
  },
}

describeOnDatabase('The sync routes', (open) => {
  let harness: PageHarness

  beforeAll(async () => {
    harness = await openPageHarness(await open())
    await harness.as('administrator', 'POST', '/auto-sync/stop')
    for (const pageId of [prints, tarpaulin, catering]) await harness.connect(pageId)
  })
  afterAll(() => harness.close())

  const ask = async (method: string, path: string, body?: unknown) => {
    const { status, body: response } = await harness.as('agent', method, path, body)
    return { status, body: response }
  }
  const startHistory = async (pageId: string, body: object = {}): Promise<HistorySync> => {
    const { body: response } = await ask('POST', `/pages/${pageId}/sync-history`, body)
    return response['data'] as HistorySync
  }
  const read = async ({ id }: HistorySync): Promise<HistorySync> =>
    (await ask('GET', `/history-syncs/${id}`)).body['data'] as HistorySync
  const waitForEnd = async (sync: HistorySync): Promise<HistorySync> => {
    await harness.passUntil(async () => (await read(sync)).finished_at !== null)
    return read(sync)
  }
  const stored = async (pageId: string) =>
    (await harness.db.selectFrom('messages').select('message_id').where('page_id', '=', pageId).execute()).length
  const network = (pageId: string, change: object) => harness.control('PUT', `/pages/${pageId}`, change)
  /** A person writes to Prints without a webhook. */
  const writeWithoutWebhook = async (text: string): Promise<string> => {
    const { psid } = await harness.control<{ psid: string }>('POST', '/people', {
      pageId: prints,
      firstName: 'Tala',
      lastName: 'Ramos',
    })
    await harness.faults({ holdWebhooks: true })
    await harness.control('POST', `/people/${psid}/messages`, { text })
    return psid
  }

  describe('POST /facebook/pages/:pageId/sync-history', () => {
    it('starts one job, reports its progress and stores the network’s messages', async () => {
      expect((await ask('GET', `/pages/${prints}/sync-status`)).body).toEqual({
        success: true,
        data: { totalMessages: 0, historicalMessages: 0, hasHistoricalSync: false, underWay: [] },
      })
      const sync = await startHistory(prints, { platform: 'messenger', limit: 40 })
      expect(sync).toEqual({
        id: expect.any(String),
        page_id: prints,
        platform: 'messenger',
        limit: 40,
        state: 'queued',
        conversations_done: 0,
        messages_stored: 0,
        unreadable: 0,
        error: null,
        code: null,
        started_by_name: 'Paolo Cruz',
        created_at: new Date(harness.clock.now()).toISOString(),
        finished_at: null,
      })
      expect((await startHistory(prints, { limit: 3 })).id).toBe(sync.id)
      expect((await ask('GET', `/pages/${prints}/sync-status`)).body).toMatchObject({ data: { underWay: [sync] } })
      const done = await waitForEnd(sync)
      const messages = await stored(prints)
      expect(done).toEqual({
        ...sync,
        state: 'completed',
        conversations_done: 40,
        messages_stored: messages,
        finished_at: expect.any(String),
      })
      expect(messages).toBeGreaterThan(500)
      expect((await ask('GET', `/pages/${prints}/sync-status`)).body).toEqual({
        success: true,
        data: { totalMessages: messages, historicalMessages: messages, hasHistoricalSync: true, underWay: [] },
      })
    })

    it('stores no message twice in a second sync', async () => {
      const before = await stored(prints)
      const again = await waitForEnd(await startHistory(prints, { limit: 40 }))
      expect(again).toMatchObject({ state: 'completed', conversations_done: 40, messages_stored: 0 })
      expect(await stored(prints)).toBe(before)
    })

    it('completes for a page without conversations', async () => {
      expect(await waitForEnd(await startHistory(tarpaulin, { platform: 'instagram', limit: 5 }))).toMatchObject({
        state: 'completed',
        conversations_done: 0,
        messages_stored: 0,
      })
      expect((await ask('GET', `/pages/${tarpaulin}/sync-status`)).body).toMatchObject({
        data: { historicalMessages: 0, hasHistoricalSync: true },
      })
    })

    it('pauses for a rate limit and resumes at its cursor', async () => {
      await harness.faults({})
      let answers = 0
      const limited: Sync = {
        ...harness.sync,
        history: (pageId, platform, limit, options) =>
          harness.sync.history(pageId, platform, limit, {
            ...options,
            onStep: async (step) => {
              await options?.onStep?.(step)
              answers += 1
              if (answers === 1) await harness.faults({ refuseReads: { times: 1, code: 613, status: 400 } })
            },
          }),
      }
      const other = await harness.open(undefined, limited)
      await harness.first.jobs.offWork('history-sync')
      const sync = await startHistory(tarpaulin, { limit: 50 })
      await harness.passUntil(async () => (await read(sync)).error !== null)
      expect(await read(sync)).toMatchObject({
        state: 'queued',
        conversations_done: 25,
        messages_stored: await stored(tarpaulin),
        ...{ error: rateLimit.body.error, code: 'NETWORK_613' },
      })
      const done = await waitForEnd(sync)
      expect(done).toMatchObject({ state: 'completed', conversations_done: 50, error: null, code: null })
      expect(done.messages_stored).toBe(await stored(tarpaulin))
      expect(answers).toBe(2)
      await harness.stop(other)
      await harness.first.historySyncs.work()
    })

    it('fails at once when the token is revoked, marks the page, and keeps what it has', async () => {
      await network(catering, { tokenValid: false })
      const sync = await waitForEnd(await startHistory(catering, { limit: 5 }))
      await network(catering, { tokenValid: true })
      expect(sync).toMatchObject({ state: 'failed', code: 'NETWORK_190', error: revokedToken.body.error })
      const page = await harness.db
        .selectFrom('pages')
        .select('token_invalid_since')
        .where('page_id', '=', catering)
        .executeTakeFirst()
      expect(page?.token_invalid_since).not.toBeNull()
    })

    it('ends when cancelled, and allows another sync', async () => {
      const sync = await startHistory(catering, { limit: 100 })
      const { body } = await ask('POST', `/history-syncs/${sync.id}/cancel`)
      expect(body).toMatchObject({ success: true, data: { id: sync.id, state: 'cancelled' } })
      await harness.pass(5_000)
      await harness.quiet()
      expect(await read(sync)).toMatchObject({ state: 'cancelled', conversations_done: 0 })
      expect(await stored(catering)).toBe(0)
      const next = await startHistory(catering, { platform: 'messenger', limit: 1 })
      expect(next.id).not.toBe(sync.id)
      expect(await waitForEnd(next)).toMatchObject({ state: 'completed', conversations_done: 1 })
      expect((await ask('POST', `/history-syncs/${next.id}/cancel`)).body).toMatchObject({
        data: { state: 'completed' },
      })
    })

    it('ends when its page is deleted', async () => {
      const sync = await startHistory(catering, { limit: 100 })
      await harness.db.deleteFrom('pages').where('page_id', '=', catering).execute()
      await harness.pass(5_000)
      await harness.quiet()
      expect((await ask('GET', `/history-syncs/${sync.id}`)).status).toBe(410)
      await harness.connect(catering)
    })

    it.each([{ limit: 0 }, { limit: 101 }, { limit: 1.5 }, { platform: 'fax' }])('rejects %j', async (body) => {
      expect((await ask('POST', `/pages/${prints}/sync-history`, body)).status).toBe(400)
    })

    it('returns 410 for an unknown page, like the sync status', async () => {
      expect((await ask('POST', '/pages/999/sync-history', {})).status).toBe(410)
      expect((await ask('GET', '/pages/999/sync-status')).status).toBe(410)
    })
  })

  describe('Syncing recent messages', () => {
    it('stores missed messages of the given hours once', async () => {
      await ask('POST', `/pages/${prints}/sync-recent`, { hoursBack: 24 })
      const before = await stored(prints)
      const psid = await writeWithoutWebhook('May tanong po')
      expect(await ask('POST', `/pages/${prints}/sync-recent`, { hoursBack: 1 })).toEqual({
        status: 200,
        body: { success: true, data: { syncedMessages: 1 } },
      })
      expect((await harness.thread(psid)).map(({ message_text, is_read }) => [message_text, is_read])).toEqual([
        ['May tanong po', false],
      ])
      expect(await ask('POST', `/pages/${prints}/sync-recent`)).toMatchObject({ status: 400 })
      expect(await ask('POST', `/pages/${prints}/sync-recent`, {})).toEqual({
        status: 200,
        body: { success: true, data: { syncedMessages: 0 } },
      })
      await harness.faults({})
      await harness.settle()
      expect(await stored(prints)).toBe(before + 1)
    })

    it('stops reading each platform at the first batch with an older conversation', async () => {
      const requests: string[] = []
      const sync = createSync({
        db: harness.db,
        files: harness.files,
        graph: {
          ...harness.graph,
          conversations: (token, request) => {
            requests.push(`${request.platform} ${request.after === undefined ? 'first' : 'next'}`)
            return harness.graph.conversations(token, request)
          },
        },
        lookups: harness.lookups,
        erasedPeople: harness.erasedPeople,
        calls: harness.calls,
        normalizeUrl: harness.normalizeUrl,
        clock: harness.clock,
        logger: harness.logger,
      })
      await sync.recent(prints, new Date(harness.clock.now() - 60 * 60 * 1000))
      expect(requests.splice(0)).toEqual(['messenger first', 'instagram first'])
      await sync.recent(prints, new Date(0))
      expect(requests).toEqual([
        'messenger first',
        'messenger next',
        'messenger next',
        'instagram first',
        'instagram next',
      ])
    })

    it('adds up the messages of all active pages, and lists the pages that failed', async () => {
      await harness.db.updateTable('pages').set({ is_active: false }).where('page_id', '=', tarpaulin).execute()
      const psid = await writeWithoutWebhook('Hello po')
      await network(catering, { tokenValid: false })
      const answer = await ask('POST', '/sync-all-recent', { hoursBack: 1 })
      await network(catering, { tokenValid: true })
      expect(answer).toEqual({
        status: 200,
        body: {
          success: true,
          data: {
            totalSyncedMessages: 1,
            pagesSynced: 1,
            failures: [
              {
                page_id: catering,
                page_name: 'Kusina ni Aling Rosa',
                code: 'NETWORK_190',
                error: revokedToken.body.error,
              },
            ],
          },
        },
      })
      expect(await harness.thread(psid)).toHaveLength(1)
      await harness.db.updateTable('pages').set({ is_active: true }).where('page_id', '=', tarpaulin).execute()
    })

    it('fails when every page fails', async () => {
      for (const pageId of [prints, tarpaulin, catering]) await network(pageId, { tokenValid: false })
      const answer = await ask('POST', '/sync-all-recent', { hoursBack: 1 })
      for (const pageId of [prints, tarpaulin, catering]) await network(pageId, { tokenValid: true })
      expect(answer).toEqual(revokedToken)
    })

    it('stores only the messages of the given conversation', async () => {
      const [psid, other] = [await writeWithoutWebhook('Isa'), await writeWithoutWebhook('Dalawa')]
      expect(await ask('POST', `/pages/${prints}/sync-conversation`, { userPsid: psid })).toEqual({
        status: 200,
        body: { success: true, data: { syncedMessages: 1 } },
      })
      expect(await ask('POST', `/pages/${prints}/sync-conversation`, { userPsid: '404' })).toEqual({
        status: 200,
        body: { success: true, data: { syncedMessages: 0 } },
      })
      expect(await harness.thread(psid)).toHaveLength(1)
      expect(await harness.thread(other)).toHaveLength(0)
    })

    it.each([
      [{ refuseReads: { times: 1, code: 613, status: 400 } }, rateLimit],
      [
        { refuseReads: { times: 1, code: 2, status: 500 } },
        {
          status: 503,
          body: {
            success: false,
            code: 'NETWORK_2',
            error: 'The network has a temporary problem. Try again in a moment.',
          },
        },
      ],
      [
        { loseReads: { times: 1 } },
        {
          status: 504,
          body: { success: false, code: 'NO_ANSWER', error: 'The network did not answer. Try again in a moment.' },
        },
      ],
      [
        { refuseReads: { times: 1, code: 200, status: 403 } },
        {
          status: 422,
          body: {
            success: false,
            code: 'NETWORK_200',
            error:
              'The access token of this page lacks a permission. Make a new token with all permissions of the inbox.',
          },
        },
      ],
    ])('reports with %j what staff can do', async (faults, refusal) => {
      await harness.faults(faults)
      expect(await ask('POST', `/pages/${prints}/sync-recent`, { hoursBack: 1 })).toEqual(refusal)
      await harness.faults({})
    })

    it.each([{ hoursBack: 0 }, { hoursBack: 25 }])('rejects %j', async (body) => {
      expect((await ask('POST', `/pages/${prints}/sync-recent`, body)).status).toBe(400)
      expect((await ask('POST', '/sync-all-recent', body)).status).toBe(400)
    })
  })
})

describeOnDatabase('Pacing of the calls of a page', (open) => {
  let harness: PageHarness

  beforeAll(async () => {
    harness = await openPageHarness(await open(), { paced: true })
    await harness.as('administrator', 'POST', '/auto-sync/stop')
    await harness.connect(prints)
    await harness.connect(tarpaulin)
  })
  afterAll(() => harness.close())

  it('allows two calls per second and page, and does not delay other pages', async () => {
    const startedAt = harness.clock.now()
    const times: Record<string, number[]> = { [prints]: [], [tarpaulin]: [] }
    const calls = [prints, prints, prints, tarpaulin, prints].map((pageId) =>
      harness.calls.call(pageId, { paced: true }, async () => {
        times[pageId]?.push(harness.clock.now() - startedAt)
      }),
    )
    const nextCallTimes = async () =>
      (await harness.db.selectFrom('page_pace').selectAll().orderBy('page_id').execute()).map(
        ({ next_call_at }) => next_call_at.getTime() - startedAt,
      )
    await vi.waitFor(async () => expect(await nextCallTimes()).toEqual([1_000, 500]))
    for (let second = 0; second < 8; second++) {
      await vi.waitFor(() =>
        expect([times[prints]?.length, times[tarpaulin]?.length]).toEqual([Math.min(4, Math.floor(second / 2) + 1), 1]),
      )
      harness.clock.advance(250)
    }
    await Promise.all(calls)
    expect(times).toEqual({ [prints]: [0, 500, 1_000, 1_500], [tarpaulin]: [0] })
  })

  describe('for people', () => {
    let http: HttpServer
    /** Responses that the server did not finish because the caller closed the connection. */
    let unfinished = 0
    beforeAll(async () => {
      http = await listen({ port: 0, host: '127.0.0.1' })
      http.server.on('request', (_, response) =>
        response.on('close', () => {
          if (!response.writableFinished) unfinished += 1
        }),
      )
      http.serve(harness.first.api)
    })
    afterAll(() => http.close(1_000))

    /** Asks over a real connection, so that the caller can go away. */
    const syncOne = async (signal?: AbortSignal) => {
      const answer = await fetch(`${http.address}/facebook/pages/${prints}/sync-conversation`, {
        method: 'POST',
        headers: { ...harness.staff.agent.headers, 'content-type': 'application/json' },
        body: JSON.stringify({ userPsid: 'nobody', platform: 'messenger' }),
        ...(signal === undefined ? {} : { signal }),
      })
      return { status: answer.status, retryAfter: answer.headers.get('retry-after'), body: await answer.json() }
    }
    const busy = {
      status: 429,
      retryAfter: '10',
      body: {
        success: false,
        error: 'Many syncs of this page are waiting already. Please try again in a few seconds.',
        code: 'PAGE_BUSY',
      },
    }

    it('releases the places of callers who went away, so that the next one does not wait for them', async () => {
      await harness.pass(10_000)
      const logged = harness.logged.length
      const leaving = new AbortController()
      let refused = 0
      const left = Array.from({ length: 60 }, () =>
        syncOne(leaving.signal).then(
          () => {
            refused += 1
          },
          () => undefined,
        ),
      )
      // One is answered at once, one holds the next turn, and as many as may wait do so.
      await expect.poll(() => refused, { timeout: 30_000 }).toBe(60 - 1 - maxWaitingCalls)
      expect(await syncOne()).toEqual(busy)
      unfinished = 0
      leaving.abort()
      await Promise.all(left)
      // The server notices closed connections in real time. Meanwhile the simulated clock does not advance.
      await expect.poll(() => unfinished, { timeout: 30_000 }).toBe(60 - refused)
      const startedAt = harness.clock.now()
      let isDone = false
      const next = syncOne().finally(() => {
        isDone = true
      })
      for (let waited = 0; waited < 100 && !isDone; waited++) {
        await new Promise((resolve) => setTimeout(resolve, 20))
        if (!isDone) await harness.pass(50)
      }
      expect((await next).status).toBe(200)
      // The callers who went away would take 10 s.
      expect(harness.clock.now() - startedAt).toBeLessThanOrEqual(5_000)
      expect(harness.logged.slice(logged).filter((line) => line.includes('a request failed'))).toEqual([])
    })
  })

  it('pauses for the time that the network asks for, else longer each time, until a call succeeds', async () => {
    const refuse = (minutes?: number) =>
      harness.faults({
        refuseReads: { times: 1, code: 613, status: 400, ...(minutes === undefined ? {} : { minutes }) },
      })
    const ask = () =>
      harness.calls.call(prints, { paced: true }, (token) =>
        harness.graph.conversations(token, { pageId: prints, platform: 'messenger', limit: 1 }),
      )
    const pauseOf = async (): Promise<number | null> => {
      const error: unknown = await ask().then(
        () => null,
        (reason: unknown) => reason,
      )
      if (error === null) return null
      if (!(error instanceof Error && 'until' in error && error.until instanceof Date)) throw error
      return error.until.getTime() - harness.clock.now()
    }
    await harness.pass(10_000)
    await refuse()
    expect(await pauseOf()).toBe(30_000)
    harness.clock.advance(10_000)
    expect(await pauseOf()).toBe(20_000)
    harness.clock.advance(20_000)
    await refuse()
    expect(await pauseOf()).toBe(60_000)
    const answer = await harness.as('agent', 'POST', `/pages/${prints}/sync-recent`, { hoursBack: 1 })
    expect([answer.status, answer.body['code'], answer.headers.get('retry-after')]).toEqual([429, 'PAGE_PAUSED', '60'])
    harness.clock.advance(60_000)
    await refuse(7)
    expect(await pauseOf()).toBe(420_000)
    harness.clock.advance(420_000)
    expect(await pauseOf()).toBeNull()
    await refuse()
    harness.clock.advance(1_000)
    expect(await pauseOf()).toBe(30_000)
  })

  it('does not pause after a refusal that is not a rate limit', async () => {
    await harness.pass(60_000)
    const refused = harness.calls.call(prints, { paced: true }, async () => {
      throw GraphError.refused('conversations', 400, 100, null)
    })
    await expect(refused).rejects.toMatchObject({ code: 100 })
    await harness.pass(1_000)
    await expect(harness.calls.call(prints, { paced: true }, async () => 'read')).resolves.toBe('read')
  })
})
