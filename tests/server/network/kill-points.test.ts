import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { KyselyPlugin } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Clock } from '../../../server/clock.ts'
import { createAutoReply } from '../../../server/network/faq/auto-reply.ts'
import { createUnconfirmedReplies } from '../../../server/network/faq/unconfirmed-replies.ts'
import type { Graph } from '../../../server/network/graph/graph.ts'
import { GraphError } from '../../../server/network/graph/graph-error.ts'
import { createMessageTemplates } from '../../../server/network/send/message-templates.ts'
import { createSending } from '../../../server/network/send/sending.ts'
import { photo } from '../../../server/stand-ins/sandbox/media-files.ts'
import { automaticKeyOf } from '../../../src/domain/faq/automatic.ts'
import { describeOnDatabase } from '../databases.ts'
import { type Harness, openHarness, prints } from '../network-harness.ts'

const second = 1_000
const minute = 60 * second
const question = 'What are your opening hours po?'
const answer = 'We are open from 9 to 6.'
/** More than any of these processes makes. */
const manyStatements = 60

/**
 * The world around a process that is killed.
 *   answers: whether the network answers the send that it takes
 *   echoes: whether its webhooks arrive before the next process or person acts
 *   skew: by how much the next process's clock is ahead, in milliseconds
 */
type Around = { platform: 'messenger' | 'instagram'; answers: boolean; echoes: boolean; skew: number }
type Content = 'text' | 'file'
/** Each pair of platform, answers and echoes. */
const cases: Around[] = [
  { platform: 'messenger', answers: true, echoes: true, skew: 0 },
  { platform: 'messenger', answers: false, echoes: false, skew: -minute },
  { platform: 'instagram', answers: true, echoes: false, skew: minute },
  { platform: 'instagram', answers: false, echoes: true, skew: -minute },
]

class Killed extends Error {}

describeOnDatabase('A process killed before any statement of its work', (open) => {
  let harness: Harness

  beforeAll(async () => {
    // Times more than a day after the real time would be refused.
    harness = await openHarness(await open(), { start: Date.now() - 20 * 60 * minute })
    await harness.autoReply.stop()
    await harness.connect(prints)
    await harness.db
      .insertInto('faq_entries')
      .values({ id: 'hours', title: 'Hours', category_id: 'general', keywords: ['hours'], response: answer })
      .execute()
  })
  afterAll(() => harness.close())
  beforeEach(() => harness.faults({}))

  const clockAhead = (skew: number): Clock => ({ ...harness.clock, now: () => harness.clock.now() + skew })

  /** A process that is killed before its statement number `kill`, or lives. From then on nothing leaves it. */
  function startProcess({ kill = Number.POSITIVE_INFINITY, answers = true, skew = 0 } = {}) {
    let statements = 0
    const assertAlive = () => {
      if (statements > kill) throw new Killed()
    }
    const plugin: KyselyPlugin = {
      transformQuery: ({ node }) => {
        statements += 1
        assertAlive()
        return node
      },
      transformResult: async ({ result }) => result,
    }
    const db = harness.db.withPlugin(plugin)
    const graph: Graph = {
      ...harness.graph,
      send: async (token, request) => {
        assertAlive()
        const sent = await harness.graph.send(token, request)
        if (!answers) throw GraphError.unanswered('send', 'none within 15000 ms')
        return sent
      },
    }
    const { calls, erasedPeople, outgoingFiles: files, normalizeUrl, logger } = harness
    const clock = clockAhead(skew)
    const sending = createSending({
      db,
      graph,
      calls,
      erasedPeople,
      files,
      templates: createMessageTemplates({ graph, calls, clock }),
      normalizeUrl,
      clock,
      logger,
    })
    const autoReply = createAutoReply({ db, sending, timeZone: 'UTC', clock, logger })
    const staff = createUnconfirmedReplies({ db, sending, clock })
    return { sending, autoReply, staff, wasKilled: () => statements > kill }
  }

  /** Sends everything that is due, until every lease of a killed process has ended. */
  async function work({ autoReply }: ReturnType<typeof startProcess>): Promise<void> {
    autoReply.start()
    await autoReply.settled()
    for (let turn = 0; turn < 4; turn += 1) {
      harness.clock.advance(40 * second)
      await autoReply.settled()
    }
    await autoReply.stop()
  }

  const stored = async (psid: string) =>
    (await harness.thread(psid)).filter(({ direction }) => direction === 'outgoing')

  async function upload(): Promise<string> {
    const id = randomUUID()
    await harness.outgoingFiles.receive('staff-1', {
      id,
      name: 'poster.png',
      declaredType: 'image/png',
      content: Readable.from([photo(1)]),
      signal: new AbortController().signal,
    })
    return id
  }

  it.each([
    ...cases.map((one): Around & { content: Content } => ({ ...one, content: 'text' })),
    ...cases.slice(1).map((one): Around & { content: Content } => ({ ...one, content: 'file' })),
  ])(
    'sends a $content of staff once by itself and loses none: $platform, answers $answers, echoes $echoes, clock $skew ms ahead',
    async ({ platform, answers, echoes, skew, content }) => {
      const psid = await harness.createPerson(platform)
      const all = () => harness.control<{ mid: string }[]>('GET', `/people/${psid}/deliveries`)
      let finished = 0
      for (let kill = 0; finished === 0 && kill < manyStatements; kill += 1) {
        const address = { key: randomUUID(), staffId: 'staff-1', pageId: prints, psid }
        const order =
          content === 'text'
            ? { ...address, text: `Opo, numero ${kill}` }
            : { ...address, text: '', fileId: await upload() }
        const before = new Set((await all()).map(({ mid }) => mid))
        const deliveries = async () => (await all()).filter(({ mid }) => !before.has(mid)).length
        if (!echoes) await harness.faults({ holdWebhooks: true })
        const process = startProcess({ kill, answers })
        const isSent = await process.sending.send(order).then(
          () => true,
          () => false,
        )
        if (!process.wasKilled()) finished = kill
        await harness.settle()
        // Long enough for the next process to see an abandoned claim, although its clock may be behind.
        harness.clock.advance(21 * second + minute)
        const byItself = await deliveries()
        const { state } = (await harness.db
          .selectFrom('sends')
          .select('state')
          .where('idempotency_key', '=', order.key)
          .executeTakeFirst()) ?? { state: 'not claimed' }
        expect({ kill, byItself }).toEqual({ kill, byItself: byItself === 0 ? 0 : 1 })
        if (byItself === 1 && echoes) expect({ kill, state }).toEqual({ kill, state: 'sent' })

        // The person has no answer, sees what the network lists, and chooses to send it again.
        const next = startProcess({ skew })
        const press = () =>
          next.sending.send(order).then(
            () => 'sent',
            ({ code }) => code,
          )
        const presses = isSent ? ['sent'] : [await press()]
        const afterFirst = await deliveries()
        if (presses[0] !== 'sent') presses.push(await press())
        await harness.faults({})
        await harness.settle()
        const isCertain = byItself === 0 || state === 'sent'
        expect({ kill, presses, afterFirst, deliveries: await deliveries() }).toEqual({
          kill,
          presses: isCertain ? ['sent'] : ['LISTED_ALIKE', 'sent'],
          afterFirst: 1,
          deliveries: isCertain ? 1 : 2,
        })
        const keys = (await stored(psid))
          .filter(({ message_id: mid }) => !before.has(mid))
          .map((row) => row.idempotency_key)
        expect({ kill, keys: keys.toSorted() }).toEqual({ kill, keys: isCertain ? [order.key] : [order.key, null] })
      }
      expect(finished).toBeGreaterThan(5)
    },
    120_000,
  )

  it.each(cases)(
    'sends an automatic reply at most once and shows one that may be lost: $platform, answers $answers, echoes $echoes, clock $skew ms ahead',
    async ({ platform, answers, echoes, skew }) => {
      let finished = 0
      for (let kill = 0; finished === 0 && kill < manyStatements; kill += 1) {
        const psid = await harness.createPerson(platform)
        const { mid } = await harness.control<{ mid: string }>('POST', `/people/${psid}/messages`, { text: question })
        await harness.settle()
        if (!echoes) await harness.faults({ holdWebhooks: true })
        const process = startProcess({ kill, answers })
        process.autoReply.start()
        await process.autoReply.settled()
        void process.autoReply.stop()
        const wasKilled = process.wasKilled()
        await harness.settle()
        const next = startProcess({ skew })
        await work(next)

        const { unconfirmed_reply: shown } = await harness.db
          .selectFrom('messages')
          .select('unconfirmed_reply')
          .where('message_id', '=', mid)
          .executeTakeFirstOrThrow()
        const kept = (await stored(psid)).map(({ message_text, idempotency_key }) => [message_text, idempotency_key])
        const outcome = { deliveries: await harness.deliveries(psid), stored: kept, shown }
        const confirmed = { deliveries: [answer], stored: [[answer, automaticKeyOf(mid)]], shown: null }
        const unconfirmed = { text: answer, tries: 1 }
        const delivered = { deliveries: [answer], stored: [], shown: unconfirmed }
        const lost = { deliveries: [], stored: [], shown: unconfirmed }
        expect({ kill, outcome }).toEqual({
          kill,
          outcome: shown === null ? confirmed : outcome.deliveries.length === 0 ? lost : delivered,
        })
        if (outcome.deliveries.length > 0 && echoes) expect({ kill, shown }).toEqual({ kill, shown: null })
        if (!wasKilled) finished = kill
        await harness.faults({})
        await harness.settle()
        if (outcome.deliveries.length === 0) {
          expect(await next.staff.decide(mid, 'retry', 1)).toMatchObject({ state: 'sent' })
          expect(await harness.deliveries(psid)).toEqual([answer])
        }
      }
      expect(finished).toBeGreaterThan(5)
    },
    240_000,
  )
})
