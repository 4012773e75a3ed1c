import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { splitByPerson } from '../../../server/network/webhooks/lanes.ts'
import { mergedReactions } from '../../../src/domain/thread/merged-reactions.ts'
import type { Reaction } from '../../../src/schemas/reactions-receipts-replies.ts'
import { describeOnDatabase } from '../databases.ts'
import { type Harness, openHarness, prints, printsInstagram } from '../network-harness.ts'

const start = 1_790_000_000_000
const minutes = (count: number) => start + count * 60_000
const moment = (count: number) => new Date(minutes(count)).toISOString()

type Event =
  | { kind: 'incoming' | 'echo'; message: number; replyTo: number | null }
  | { kind: 'read' | 'delivered'; minute: number }
  | { kind: 'reaction'; message: number; side: 'person' | 'page'; emoji: string | null; minute: number }

/** Message `n` of a person was written in minute `n`; even ones are of the page. */
const isOfPage = (message: number) => message % 2 === 0

function eventBody(psid: string, event: Event, platform: 'page' | 'instagram' = 'page'): string {
  const account = platform === 'page' ? prints : printsInstagram
  const person = [{ id: psid }, { id: account }]
  const mid = (message: number) => `${psid}-${message}`
  const body = (isFromPage: boolean, minute: number, content: object) => {
    const [sender, recipient] = isFromPage ? person.toReversed() : person
    const messaging = [{ sender, recipient, timestamp: minutes(minute), ...content }]
    return JSON.stringify({ object: platform, entry: [{ id: account, messaging }] })
  }
  if (event.kind === 'reaction') {
    const { message, side, emoji, minute } = event
    const action = emoji === null ? { action: 'unreact' } : { action: 'react', emoji }
    return body(side === 'page', minute, { reaction: { mid: mid(message), ...action } })
  }
  if ('minute' in event) {
    if (event.kind === 'delivered') return body(false, 30, { delivery: { watermark: minutes(event.minute) } })
    const read = platform === 'page' ? { watermark: minutes(event.minute) } : { mid: mid(event.minute) }
    return body(false, event.minute + 1, { read })
  }
  const isFromPage = event.kind === 'echo'
  const reply = event.replyTo === null ? {} : { reply_to: { mid: mid(event.replyTo) } }
  const message = { mid: mid(event.message), text: `text ${event.message}`, ...reply }
  return body(isFromPage, event.message, { message: { ...message, ...(isFromPage ? { is_echo: true } : {}) } })
}

describeOnDatabase('Receipts, reactions and replies', (open) => {
  let harness: Harness

  beforeAll(async () => {
    harness = await openHarness(await open(), { start: minutes(60) })
    await harness.connect(prints)
  })
  afterAll(() => harness.close())

  const store = async (bodies: readonly string[]) => {
    const rows = bodies.flatMap((body) => splitByPerson(body, JSON.parse(body)))
    const due_at = new Date(harness.clock.now())
    if (rows.length === 0) return
    await harness.db
      .insertInto('webhook_inbox')
      .values(rows.map((row) => ({ ...row, due_at })))
      .execute()
    harness.worker.wake()
    await harness.worker.settled()
  }

  let people = 0
  /** A new person who wrote message 1. */
  const newPerson = async (platform: 'page' | 'instagram' = 'page') => {
    people += 1
    const psid = `reader-${people}`
    await store([eventBody(psid, { kind: 'incoming', message: 1, replyTo: null }, platform)])
    return psid
  }

  const stateOf = async (psid: string) => {
    const { rows: messages } = await sql<{
      id: string
      reactions: Reaction[] | null
      reply_to: { state: string } | null
    }>`
      select replace(message_id, ${`${psid}-`}, '') as id, reactions, reply_to from messages m
      join fb_users f on f.id = m.fb_user_id where f.psid = ${psid} order by message_id`.execute(harness.db)
    const identity = await harness.db
      .selectFrom('fb_users')
      .select(['id', 'delivered_up_to', 'read_up_to', 'read_at'])
      .where('psid', '=', psid)
      .executeTakeFirstOrThrow()
    const { id: fbUserId, ...times } = identity
    const early = await harness.db.selectFrom('early_events').selectAll().where('fb_user_id', '=', fbUserId).execute()
    return {
      reactions: Object.fromEntries(messages.flatMap(({ id, reactions }) => (reactions ? [[id, reactions]] : []))),
      replies: Object.fromEntries(messages.flatMap(({ id, reply_to }) => (reply_to ? [[id, reply_to.state]] : []))),
      receipts: Object.values(times).map((time) => time?.toISOString() ?? null),
      early: early.map(({ message_id, kind }) => `${message_id.replace(`${psid}-`, '')} ${kind}`).sort(),
    }
  }

  const number = fc.integer({ min: 2, max: 6 })
  const emoji = fc.constantFrom('❤', '👍', null)
  const eventOf: fc.Arbitrary<Event> = fc.oneof(
    fc.record({ message: number, replyTo: fc.option(number) }).map(({ message, replyTo }) => ({
      kind: isOfPage(message) ? ('echo' as const) : ('incoming' as const),
      message,
      replyTo: replyTo === message ? null : replyTo,
    })),
    fc.record({ kind: fc.constantFrom('read' as const, 'delivered' as const), minute: number }),
    fc.record({
      kind: fc.constant('reaction' as const),
      message: number,
      side: fc.constantFrom('person' as const, 'page' as const),
      emoji,
      minute: number,
    }),
  )

  /** What all events say together, whatever their order. The first echo of a message says what it replies to. */
  function expectedOf(events: readonly Event[]) {
    const messages = new Set([1, ...events.flatMap((event) => ('replyTo' in event ? [event.message] : []))])
    const reactions: Record<string, Reaction[]> = {}
    const early = new Set<string>()
    for (const event of events) {
      if (event.kind !== 'reaction') continue
      const { message, side, minute } = event
      if (!messages.has(message)) early.add(`${message} ${side}`)
      else {
        const given: Reaction = { by: side, emoji: event.emoji, at: moment(minute) }
        reactions[message] = mergedReactions(reactions[message], [given]) ?? []
      }
    }
    const times = (kind: 'read' | 'delivered') => events.flatMap((event) => (event.kind === kind ? [event.minute] : []))
    const read = times('read').length > 0 ? Math.max(...times('read')) : null
    const delivered = [...times('read'), ...times('delivered')]
    return {
      reactions,
      receipts: [
        delivered.length > 0 ? moment(Math.max(...delivered)) : null,
        read === null ? null : moment(read),
        read === null ? null : moment(read + 1),
      ],
      early: [...early].sort(),
    }
  }

  it('are stored alike in any order, any grouping and any number of copies', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(eventOf, { minLength: 1, maxLength: 12 }),
        fc.infiniteStream(fc.nat(3)),
        async (events, sizes) => {
          const psid = await newPerson()
          const bodies = [...events, ...events.slice(0, 3)].map((event) => eventBody(psid, event))
          for (let from = 0; from < bodies.length; ) {
            const size = 1 + (sizes.next().value ?? 0)
            await store(bodies.slice(from, from + size))
            from += size
          }
          const { replies, ...state } = await stateOf(psid)
          expect(state).toEqual(expectedOf(events))
          const stored = new Set([1, ...events.flatMap((event) => ('replyTo' in event ? [event.message] : []))])
          const first = new Map<number, number | null>()
          for (const event of events)
            if ('replyTo' in event && !first.has(event.message)) first.set(event.message, event.replyTo)
          const expected = [...first].flatMap(([message, original]) =>
            original === null ? [] : [[String(message), stored.has(original) ? 'known' : 'unknown']],
          )
          expect(replies).toEqual(Object.fromEntries(expected))
        },
      ),
      { numRuns: 40 },
    )
  })

  it('cost one update of an identity for a batch, and none if they say nothing new', async () => {
    const psid = await newPerson()
    await store(Array.from({ length: 40 }, (_, minute) => eventBody(psid, { kind: 'read', minute: minute % 7 })))
    const version = async () => {
      const { rows } = await sql<{ xmin: string }>`select xmin::text from fb_users where psid = ${psid}`.execute(
        harness.db,
      )
      return rows[0]?.xmin
    }
    const before = await version()
    const names = sql<{ xmin: string }>`select c.xmin::text from conversations c join fb_users f using (primary_user_id)
      where psid = ${psid}`
    const row = (await names.execute(harness.db)).rows
    await store([eventBody(psid, { kind: 'read', minute: 6 }), eventBody(psid, { kind: 'delivered', minute: 3 })])
    expect(await version()).toBe(before)
    await store([eventBody(psid, { kind: 'read', minute: 20 })])
    expect((await names.execute(harness.db)).rows).toEqual(row)
  })

  it('change no order, no wait and no state of the conversation', async () => {
    const psid = await newPerson()
    const stateOfRow = async () =>
      (
        await sql`select to_jsonb(c) from conversations c join fb_users f using (primary_user_id) where psid = ${psid}`.execute(
          harness.db,
        )
      ).rows
    const before = await stateOfRow()
    await store([
      eventBody(psid, { kind: 'read', minute: 3 }),
      eventBody(psid, { kind: 'delivered', minute: 4 }),
      eventBody(psid, { kind: 'reaction', message: 1, side: 'page', emoji: '❤', minute: 5 }),
    ])
    expect(await stateOfRow()).toEqual(before)
  })

  it('do not make an identity of somebody who never wrote', async () => {
    await store([
      eventBody('stranger', { kind: 'read', minute: 3 }),
      eventBody('stranger', { kind: 'reaction', message: 2, side: 'person', emoji: '❤', minute: 3 }),
    ])
    expect(await harness.db.selectFrom('fb_users').select('id').where('psid', '=', 'stranger').execute()).toEqual([])
  })

  describe('on Instagram', () => {
    it.each([
      ['after the message', [4, 'read'] as const],
      ['before the message', ['read', 4] as const],
    ])('count up to the message that was read, %s', async (_, order) => {
      const psid = await newPerson('instagram')
      for (const step of order) {
        const event: Event = step === 'read' ? { kind: 'read', minute: 4 } : { kind: 'echo', message: 4, replyTo: null }
        await store([eventBody(psid, event, 'instagram')])
      }
      expect((await stateOf(psid)).receipts).toEqual([moment(4), moment(4), moment(5)])
    })
  })

  it('say that an original was deleted, and quote it as it was edited', async () => {
    const psid = await newPerson()
    await store([eventBody(psid, { kind: 'echo', message: 2, replyTo: 1 })])
    const quoted = async () => {
      const row = await harness.db
        .selectFrom('messages')
        .select('reply_to')
        .where('message_id', '=', `${psid}-2`)
        .executeTakeFirstOrThrow()
      return row.reply_to
    }
    const original = { message_id: `${psid}-1`, direction: 'incoming', author: null }
    expect(await quoted()).toEqual({ ...original, state: 'known', text: 'text 1' })
    await harness.db
      .updateTable('messages')
      .set({ message_text: 'edited' })
      .where('message_id', '=', `${psid}-1`)
      .execute()
    expect(await quoted()).toEqual({ ...original, state: 'known', text: 'edited' })
    await harness.db.deleteFrom('messages').where('message_id', '=', `${psid}-1`).execute()
    expect(await quoted()).toEqual({ message_id: `${psid}-1`, state: 'deleted' })
  })

  it('never quote a message of another chat', async () => {
    const [one, other] = [await newPerson(), await newPerson()]
    const reply = eventBody(one, { kind: 'incoming', message: 3, replyTo: 1 }).replace(
      JSON.stringify(`${one}-1`),
      JSON.stringify(`${other}-1`),
    )
    await store([reply])
    expect((await stateOf(one)).replies).toEqual({ 3: 'unknown' })
  })

  it('read a message of ours that the network dated a little earlier', async () => {
    const psid = await harness.createPerson()
    const sending = harness.newSending()
    const key = `key-of-${psid}`
    const sent = await sending.send({ key, staffId: 'staff', pageId: prints, psid, text: 'Salamat' })
    await harness.db
      .updateTable('messages')
      .set({ timestamp_fb: new Date(harness.clock.now() + 400) })
      .where('message_id', '=', sent.messageId)
      .execute()
    await harness.control('POST', `/people/${psid}/reads`)
    await harness.settle()
    const { read_up_to } = await harness.db
      .selectFrom('fb_users')
      .select('read_up_to')
      .where('psid', '=', psid)
      .executeTakeFirstOrThrow()
    expect(read_up_to?.getTime()).toBe(harness.clock.now() + 400)
  })
})
