import fc from 'fast-check'
import { type KyselyPlugin, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { OpenDatabase } from '../../../server/database/database.ts'
import { openDatabase } from '../../../server/database/open-database.ts'
import { createDeliveryInbox } from '../../../server/network/webhooks/delivery-inbox.ts'
import { splitByPerson } from '../../../server/network/webhooks/lanes.ts'
import { createMigratedOnServer, describeOnEachDatabase } from '../databases.ts'
import { type Harness, openHarness, prints } from '../network-harness.ts'

const start = 1_790_000_000_000

type Event =
  | { kind: 'incoming' | 'echo' | 'edited' | 'deleted'; message: number; minute: number }
  | { kind: 'decided'; done: boolean }

/** The body of a delivery of one event. */
function bodyOf(psid: string, event: Exclude<Event, { kind: 'decided' }>): string {
  const mid = `${psid}-${event.message}`
  const timestamp = start + event.minute * 60_000
  const parties = [{ id: psid }, { id: prints }]
  const [sender, recipient] = event.kind === 'echo' ? parties.toReversed() : parties
  const content =
    event.kind === 'edited'
      ? { message_edit: { mid, text: `edited ${event.minute}` } }
      : {
          message: {
            mid,
            text: `text ${event.message}`,
            ...(event.kind === 'echo' ? { is_echo: true } : {}),
            ...(event.kind === 'deleted' ? { is_deleted: true } : {}),
          },
        }
  return JSON.stringify({
    object: 'page',
    entry: [{ id: prints, messaging: [{ sender, recipient, timestamp, ...content }] }],
  })
}

async function addDeliveries(harness: Harness, bodies: readonly string[]): Promise<void> {
  const rows = bodies.flatMap((body) => splitByPerson(body, JSON.parse(body)))
  const due_at = new Date(harness.clock.now())
  await harness.db
    .insertInto('webhook_inbox')
    .values(rows.map((row) => ({ ...row, due_at })))
    .execute()
}

describeOnEachDatabase('Deliveries that are stored in batches', (open, isMain) => {
  let harness: Harness

  beforeAll(async () => {
    harness = await openHarness(await open())
    await harness.connect(prints)
  })
  afterAll(() => harness.close())

  const storeTogether = async (bodies: readonly string[]) => {
    await addDeliveries(harness, bodies)
    harness.worker.wake()
    await harness.worker.settled()
  }

  /** All that is derived from the messages of a person, without ids. */
  const stateOf = async (psid: string) => {
    const { rows } = await sql<{ state: unknown }>`
      select jsonb_build_object(
        'conversation', to_jsonb(c) - array['primary_user_id', 'created_at', 'state_version', 'search_text', 'settled_up_to']
          || jsonb_build_object('last_message_id', replace(c.last_message_id, ${psid}, '')),
        'page', (select to_jsonb(p) - array['primary_user_id', 'fb_user_id']
          || jsonb_build_object('last_message_id', replace(p.last_message_id, ${psid}, ''))
          from conversation_pages p where p.primary_user_id = c.primary_user_id),
        'messages', (select jsonb_agg(jsonb_build_array(replace(message_id, ${psid}, ''), message_text, direction,
          timestamp_fb) order by message_id) from messages m where m.primary_user_id = c.primary_user_id)
      ) as state
      from conversations c join fb_users f on f.primary_user_id = c.primary_user_id
      where f.psid = ${psid}`.execute(harness.db)
    return rows.map(({ state }) => state)
  }

  it('give an edit to the first message of a new person', async () => {
    const first = { kind: 'incoming', message: 1, minute: 0 } as const
    await storeTogether([bodyOf('newcomer', first), bodyOf('newcomer', { ...first, kind: 'edited', minute: 1 })])
    expect(await stateOf('newcomer')).toMatchObject([
      { messages: [['-1', 'edited 1', 'incoming', expect.any(String)]] },
    ])
  })

  it('are written to the inbox together when they arrive together, and each caller learns of its own', async () => {
    const statements: number[] = []
    const counting: KyselyPlugin = {
      transformQuery: ({ node }) => {
        statements.push(1)
        return node
      },
      transformResult: async ({ result }) => result,
    }
    const db = harness.db.withPlugin(counting)
    const add = createDeliveryInbox({ db, clock: harness.clock })
    const last = await harness.db
      .selectFrom('webhook_inbox')
      .select(({ fn }) => fn.max('id').as('id'))
      .executeTakeFirst()
    const bodies = Array.from({ length: 20 }, (_, message) => bodyOf('inbox', { kind: 'incoming', message, minute: 0 }))
    await Promise.all(bodies.map((body) => add(body, JSON.parse(body))))
    const rows = harness.db
      .selectFrom('webhook_inbox')
      .select('body')
      .where('id', '>', last?.id ?? 0)
      .orderBy('id')
    expect((await rows.execute()).map(({ body }) => body)).toEqual(bodies)
    expect(statements.length).toBe(1)
    harness.worker.wake()
    await harness.worker.settled()

    await sql`alter table webhook_inbox add constraint refuses check (body <> '"refused"')`.execute(harness.db)
    await expect(add('"refused"', 'refused')).rejects.toThrow()
    await add(bodies[0] ?? '', JSON.parse(bodies[0] ?? ''))
    await sql`alter table webhook_inbox drop constraint refuses`.execute(harness.db)
  })

  it('keep the others when one can never be stored', async () => {
    const bodies = Array.from({ length: 5 }, (_, message) => bodyOf('victim', { kind: 'incoming', message, minute: 1 }))
    await storeTogether([bodyOf('victim', { kind: 'incoming', message: 9, minute: 0 })])
    await sql`create function refuse_third() returns trigger language plpgsql as
      'begin if new.message_id = ''victim-2'' then raise exception using errcode = ''22000''; end if; return new; end'`.execute(
      harness.db,
    )
    await sql`create trigger refuse_third before insert on messages for each row execute function refuse_third()`.execute(
      harness.db,
    )
    await storeTogether(bodies)
    await sql`drop trigger refuse_third on messages`.execute(harness.db)
    expect((await harness.thread('victim')).map(({ message_id }) => message_id).sort()).toEqual(
      ['0', '1', '3', '4', '9'].map((message) => `victim-${message}`),
    )
    const errors = await harness.db
      .selectFrom('webhook_inbox')
      .select(['error', 'processed_at', 'attempts'])
      .orderBy('id', 'desc')
      .limit(5)
      .execute()
    expect(errors.map(({ error, attempts }) => [error, attempts])).toEqual([
      [null, 1],
      [null, 1],
      [`a message event of page ${prints} was refused (22000)`, 1],
      [null, 1],
      [null, 1],
    ])
  })

  it('are announced in the form that the previous release reads, each row alone', async () => {
    const { listen } = await open()
    const heard: unknown[] = []
    const stop = await listen(
      'realtime',
      (payload) => {
        const change = JSON.parse(payload)
        if (change.table === 'messages') heard.push([change.type, change.record.message_id])
      },
      () => undefined,
    )
    await storeTogether([bodyOf('heard', { kind: 'incoming', message: 9, minute: 0 })])
    await storeTogether([0, 1, 2].map((message) => bodyOf('heard', { kind: 'incoming', message, minute: message })))
    await expect.poll(() => heard.length).toBe(4)
    await stop()
    expect(heard).toEqual(['9', '0', '1', '2'].map((message) => ['INSERT', `heard-${message}`]))
  })

  // What follows does not depend on the kind of database.
  if (!isMain) return

  it('give the state that they give one by one, in any grouping', async () => {
    const number = fc.integer({ min: 0, max: 5 })
    const event = fc.oneof(
      {
        weight: 6,
        arbitrary: fc.record({
          kind: fc.constantFrom('incoming', 'incoming', 'echo', 'edited', 'deleted'),
          message: number,
          minute: number,
        }),
      },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant('decided'), done: fc.boolean() }) },
    ) as fc.Arbitrary<Event>
    let round = 0
    await fc.assert(
      fc.asyncProperty(fc.array(event, { minLength: 2, maxLength: 14 }), async (events) => {
        round += 1
        const [alone, together] = [`alone-${round}`, `group-${round}`]
        for (const psid of [alone, together])
          await storeTogether([bodyOf(psid, { kind: 'incoming', message: 9, minute: 0 })])
        let waiting: string[] = []
        for (const event of events) {
          if (event.kind === 'decided') {
            if (waiting.length > 0) await storeTogether(waiting)
            waiting = []
            for (const psid of [alone, together]) {
              const done_at = event.done ? new Date(start) : null
              await sql`update conversations set done_at = ${done_at}, waiting_since = case when ${event.done} then null
                else waiting_since end, settled_up_to = (select max(id) from messages), settled_incoming_at = last_incoming_at
                where primary_user_id in (select primary_user_id from fb_users where psid = ${psid})`.execute(
                harness.db,
              )
            }
            continue
          }
          await storeTogether([bodyOf(alone, event)])
          waiting.push(bodyOf(together, event))
        }
        if (waiting.length > 0) await storeTogether(waiting)
        expect(await stateOf(together)).toEqual(await stateOf(alone))
      }),
      { numRuns: 30, seed: 26 },
    )
  }, 120_000)
})

describe('A delivery to several people', () => {
  const event = (psid: string, text: string) => ({ sender: { id: psid }, recipient: { id: 'page' }, message: { text } })
  const split = (delivery: unknown) => {
    const text = JSON.stringify(delivery)
    return splitByPerson(text, delivery).map(({ body, lane }) => ({ lane, body: JSON.parse(body) }))
  }

  it('keeps a call in the lane of its person', () => {
    const call = (from: string, to: string) => ({ id: 'c1', from, to, event: 'terminate' })
    const [called, message] = [call('a', 'page'), event('a', '1')]
    const parts = split({
      object: 'page',
      entry: [{ id: 'page', calls: [called, call('b', 'page')], messaging: [message] }],
    })
    expect(parts.map(({ body }) => body.entry)).toEqual([
      [{ id: 'page', calls: [called], messaging: [message] }],
      [{ id: 'page', calls: [call('b', 'page')], messaging: [] }],
    ])
  })

  it('is stored by person, with the events of each in their order', () => {
    const [a1, b1, a2] = [event('a', '1'), event('b', '1'), event('a', '2')]
    const parts = split({
      object: 'page',
      entry: [
        { id: 'page', messaging: [a1, b1, a2] },
        { id: 'page', standby: [b1] },
      ],
    })
    expect(parts.map(({ body }) => body)).toEqual([
      {
        object: 'page',
        entry: [
          { id: 'page', messaging: [a1, a2] },
          { id: 'page', standby: [] },
        ],
      },
      {
        object: 'page',
        entry: [
          { id: 'page', messaging: [b1] },
          { id: 'page', standby: [b1] },
        ],
      },
    ])
    expect(new Set(parts.map(({ lane }) => lane)).size).toBe(2)
  })

  it.each([
    ['of unknown form', { object: 'page' }],
    ['without a person', { object: 'page', entry: [{ id: 'page', messaging: [{ reaction: {} }] }] }],
    ['to one person', { object: 'page', entry: ['nonsense', { id: 1, messaging: [event('a', '1'), 'nonsense'] }] }],
  ])('%s stays as it is', (_, delivery) => {
    expect(split(delivery).map(({ body }) => body)).toEqual([delivery])
  })
})

describe.skipIf(process.env['TEST_DATABASE_URL'] === undefined)('Two processes on one inbox', () => {
  let server: Awaited<ReturnType<typeof createMigratedOnServer>>
  let other: OpenDatabase
  let harness: Harness

  beforeAll(async () => {
    server = await createMigratedOnServer()
    harness = await openHarness(await openDatabase({ databaseUrl: server.url }))
    other = await openDatabase({ databaseUrl: server.url })
    await harness.connect(prints)
  })
  afterAll(async () => {
    await harness.close()
    await other.close()
    await server.drop()
  })

  it('leave the deliveries of a person to the process that holds the first, and share the others', async () => {
    const incoming = (psid: string, message: number) => bodyOf(psid, { kind: 'incoming', message, minute: message })
    await harness.worker.stop()
    await addDeliveries(harness, [incoming('held', 1), incoming('free', 1)])
    const stored = async (psid: string) => (await harness.thread(psid)).map(({ message_id }) => message_id)
    await other.db.transaction().execute(async (trx) => {
      await trx.selectFrom('webhook_inbox').select('id').orderBy('id').limit(1).forUpdate().execute()
      await addDeliveries(harness, [incoming('held', 2), incoming('free', 2)])
      harness.worker.start()
      await harness.worker.settled()
      expect(await stored('held')).toEqual([])
      expect(await stored('free')).toEqual(['free-1', 'free-2'])
    })
    harness.worker.wake()
    await harness.worker.settled()
    expect(await stored('held')).toEqual(['held-1', 'held-2'])
  })
})
