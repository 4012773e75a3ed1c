import { randomUUID } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { remainderOf, wholeShare } from '../../../server/changes/delivery-shares.ts'
import { mergeConversations } from '../../../server/database/groups.ts'
import { openDatabase } from '../../../server/database/open-database.ts'
import { markRead } from '../../../server/database/thread.ts'
import type { Ingest } from '../../../server/network/webhooks/ingest.ts'
import { createWebhookWorker } from '../../../server/network/webhooks/webhook-worker.ts'
import { describeOnDatabase, withMigratedServerDatabase } from '../databases.ts'
import { manualClock } from '../manual-clock.ts'
import { type Harness, openHarness, prints } from '../network-harness.ts'

const people = 8

describeOnDatabase('Concurrent webhooks, syncs, sends, reads and merges', (open) => {
  let harness: Harness
  let rounds: number

  beforeAll(async () => {
    const database = await open()
    // The embedded database runs one transaction at a time, so nothing can conflict there.
    rounds = database.kind === 'pglite' ? 2 : 6
    harness = await openHarness(database)
    await harness.connect(prints)
  })
  afterAll(() => harness.close())

  it('lose, duplicate and reject no message, whatever conversations they share', async () => {
    const errors: unknown[] = []
    const logger = { error: (fields: unknown) => errors.push(fields), warn: (fields: unknown) => errors.push(fields) }
    const workers = [1, 2].map(() => createWebhookWorker({ ...harness, logger }))

    const psids: string[] = []
    for (let i = 0; i < people; i++) psids.push(await harness.createPerson())
    const [kept, merged] = await idsOf(psids.slice(0, 2))
    const all = await idsOf(psids)
    await harness.worker.stop()
    for (const worker of workers) worker.start()

    /** Wakes both workers for each delivery, like two processes. */
    const deliver = async (body: unknown) => {
      await harness.post(body)
      for (const worker of workers) worker.wake()
      await Promise.all(workers.map((worker) => worker.settled()))
    }
    const incoming = new Set<string>()
    const outgoing = new Set<string>()
    for (let round = 0; round < rounds; round++) {
      // Each delivery contains every person, in a different order.
      const orders = [psids, psids.toReversed(), psids, psids.toReversed()]
      const deliveries = orders.map((order) => ({
        object: 'page',
        entry: order.map((psid) => {
          const mid = `m_${randomUUID()}`
          incoming.add(mid)
          const parties = { sender: { id: psid }, recipient: { id: prints } }
          return {
            id: prints,
            time: Date.now(),
            messaging: [{ ...parties, timestamp: Date.now(), message: { mid, text: 'Meron pa po?' } }],
          }
        }),
      }))
      const sends = psids.map(async (psid, at) => {
        const text = `Opo ${round}.${at}`
        const sending = harness.newSending()
        outgoing.add(
          (await sending.send({ key: randomUUID(), staffId: 'staff-1', pageId: prints, psid, text })).messageId,
        )
      })
      await Promise.all([
        ...deliveries.map((body) => deliver(body)),
        ...sends,
        harness.sync.history(prints, 'messenger', people),
        harness.sync.history(prints, 'messenger', people),
        ...all.map((id) => markRead(harness.db, id, null)),
        ...all.map((id) => markRead(harness.db, id, null)),
        ...(round === 1 && kept && merged ? [mergeConversations(harness.db, kept, merged)] : []),
      ])
    }
    await harness.sandbox.settle()
    for (const worker of workers) {
      worker.wake()
      await worker.settled()
      await worker.stop()
    }

    const rows = await harness.db.selectFrom('messages').select(['message_id', 'direction']).execute()
    const stored = (direction: string) => rows.filter((row) => row.direction === direction).map((row) => row.message_id)
    expect(new Set(stored('outgoing'))).toEqual(outgoing)
    expect(stored('incoming').filter((id) => incoming.has(id)).length).toBe(incoming.size)
    // Plus the first message of each person.
    expect(stored('incoming').length).toBe(incoming.size + people)
    const total = await harness.db
      .selectFrom('conversations')
      .select((query) => query.fn.sum<number>('total_messages').as('messages'))
      .executeTakeFirstOrThrow()
    expect(Number(total.messages)).toBe(rows.length)
    expect(errors).toEqual([])
  })

  it('take the deliveries of their own share first, and after a second those that another one left', async () => {
    harness.worker.start()
    const psids: string[] = []
    for (let count = 0; count < 8; count++) psids.push(await harness.createPerson())
    await harness.worker.stop()
    const mids = new Map<string, number>()
    for (const psid of psids) {
      const mid = `m_${randomUUID()}`
      mids.set(mid, remainderOf(crc32(psid) | 0, 2))
      const parties = { sender: { id: psid }, recipient: { id: prints } }
      const messaging = [{ ...parties, timestamp: Date.now(), message: { mid, text: 'Meron pa po?' } }]
      await harness.post({ object: 'page', entry: [{ id: prints, time: Date.now(), messaging }] })
    }
    const shares = { ...wholeShare, own: () => ({ index: 1, count: 2 }) }
    const worker = createWebhookWorker({ ...harness, shares })
    const stored = async () => {
      await worker.settled()
      const rows = await harness.db
        .selectFrom('messages')
        .select('message_id')
        .where('message_id', 'in', [...mids.keys()])
        .execute()
      return rows.map(({ message_id }) => message_id).toSorted()
    }
    worker.start()
    const own = [...mids].filter(([, remainder]) => remainder === 1).map(([mid]) => mid)
    expect(await stored()).toEqual(own.toSorted())
    harness.clock.advance(1_000)
    expect(await stored()).toEqual([...mids.keys()].toSorted())
    await worker.stop()
  })

  const idsOf = async (psids: string[]) =>
    (await harness.db.selectFrom('fb_users').select('id').where('psid', 'in', psids).orderBy('id').execute()).map(
      ({ id }) => id,
    )
})

it.skipIf(process.env['TEST_DATABASE_URL'] === undefined)(
  'a worker stores the delivery of another person when a process holds the person of the 2,000 oldest',
  () =>
    withMigratedServerDatabase(async (databaseUrl) => {
      const { db, close } = await openDatabase({ databaseUrl })
      try {
        const clock = manualClock()
        const due = new Date(clock.now())
        const waiting = Array.from({ length: 2_001 }, () => ({ body: '{}', lane: 1, due_at: due }))
        const rows = [...waiting, { body: '{}', lane: 2, due_at: due }]
        const ids = (await db.insertInto('webhook_inbox').values(rows).returning('id').execute()).map(({ id }) => id)
        const taken: number[] = []
        const ingest: Ingest = {
          store: async (_trx, deliveries) => {
            taken.push(...deliveries.map(({ id }) => id))
            const stored = deliveries.map(({ id }) => ({ id, problems: [], mustForget: false, error: null }))
            return { stored, newPeople: [], wake: () => undefined }
          },
          addPerson: async () => undefined,
        }
        const worker = createWebhookWorker({
          db,
          ingest,
          clock,
          logger: { warn: () => undefined, error: () => undefined },
        })
        await db.transaction().execute(async (trx) => {
          await trx
            .selectFrom('webhook_inbox')
            .select('id')
            .where('id', '=', ids[0] ?? 0)
            .forUpdate()
            .execute()
          worker.start()
          await worker.settled()
        })
        await worker.stop()
        expect(taken).toEqual([ids.at(-1)])
      } finally {
        await close()
      }
    }),
)
