import { Hono } from 'hono'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Authenticated } from '../../../server/api/authentication.ts'
import { createConversationRoutes } from '../../../server/api/conversations.ts'
import { createUnconfirmedReplyRoutes } from '../../../server/api/unconfirmed-replies.ts'
import { createAutoReply } from '../../../server/network/faq/auto-reply.ts'
import { createUnconfirmedReplies, type UnconfirmedReplies } from '../../../server/network/faq/unconfirmed-replies.ts'
import type { Graph } from '../../../server/network/graph/graph.ts'
import { GraphError } from '../../../server/network/graph/graph-error.ts'
import { automaticKeyOf } from '../../../src/domain/faq/automatic.ts'
import { messagesAnswer, replyDecisionAnswer } from '../../../src/schemas/message.ts'
import { noSenderActions } from '../absent-parts.ts'
import { describeOnDatabase } from '../databases.ts'
import { appId, type Harness, openHarness, prints } from '../network-harness.ts'

const second = 1_000
const minute = 60 * second

const question = 'What are your opening hours po?'
const answer = 'We are open from 9 to 6.'

/** How the network handles a send request. */
type Send = Graph['send']
const timeOut: Send = async () => {
  throw GraphError.unanswered('send', 'none within 15000 ms')
}
const serverError: Send = async () => {
  throw GraphError.refused('send', 500, 2, null)
}
const unreadable: Send = async () => {
  throw GraphError.unanswered('send', 'an answer of another shape', 200)
}
/** The process dies before the network responds. */
const processKilled: Send = () => new Promise<never>(() => undefined)

describeOnDatabase('createUnconfirmedReplies', (open) => {
  let harness: Harness
  let posts: number
  let reads: number
  let stopListening: () => Promise<void>
  let notified: string[]

  beforeAll(async () => {
    const database = await open()
    harness = await openHarness(database)
    await harness.autoReply.stop()
    await harness.connect(prints)
    await harness.db
      .insertInto('faq_entries')
      .values({ id: 'hours', title: 'Hours', category_id: 'general', keywords: ['hours'], response: answer })
      .execute()
    stopListening = await database.listen(
      'realtime',
      (text) => void notified.push(text),
      () => undefined,
    )
  })
  afterAll(async () => {
    await stopListening()
    await harness.close()
  })
  beforeEach(async () => {
    await harness.faults({})
    posts = 0
    reads = 0
    notified = []
  })

  /** The sending service of one process. */
  const sendingWith = (send: Send) =>
    harness.newSending({
      ...harness.graph,
      send: (token, request) => {
        posts += 1
        return send(token, request)
      },
      conversations: (token, request) => {
        reads += 1
        return harness.graph.conversations(token, request)
      },
    })
  const processWith = (send: Send) => {
    const autoReply = createAutoReply({
      db: harness.db,
      sending: sendingWith(send),
      timeZone: 'UTC',
      clock: harness.clock,
      logger: harness.logger,
    })
    autoReply.start()
    return autoReply
  }
  const staffOf = (send: Send = timeOut): UnconfirmedReplies =>
    createUnconfirmedReplies({ db: harness.db, sending: sendingWith(send), clock: harness.clock })

  const advance = async (process: { settled: () => Promise<void> }[], count: number, step = 5 * second) => {
    for (let turn = 0; turn < count; turn += 1) {
      harness.clock.advance(step)
      await Promise.all(process.map((one) => one.settled()))
    }
  }
  /** Sends an automatic reply with an unknown result. */
  async function sendUnconfirmed() {
    const psid = await harness.createPerson()
    harness.clock.advance(second)
    const { mid } = await harness.control<{ mid: string }>('POST', `/people/${psid}/messages`, { text: question })
    await harness.settle()
    const process = processWith(timeOut)
    await process.settled()
    await process.stop()
    return { psid, mid, key: automaticKeyOf(mid) }
  }
  const echoOf = (psid: string, about: { metadata?: string }) =>
    harness.post({
      object: 'page',
      entry: [
        {
          id: prints,
          time: harness.clock.now(),
          messaging: [
            {
              sender: { id: prints },
              recipient: { id: psid },
              timestamp: harness.clock.now(),
              message: { mid: `echo-${psid}`, text: answer, is_echo: true, app_id: Number(appId), ...about },
            },
          ],
        },
      ],
    })

  const unconfirmedReplyOf = async (mid: string) =>
    (
      await harness.db
        .selectFrom('messages')
        .select('unconfirmed_reply')
        .where('message_id', '=', mid)
        .executeTakeFirstOrThrow()
    ).unconfirmed_reply
  const outgoing = async (psid: string) =>
    (await harness.thread(psid))
      .filter(({ direction }) => direction === 'outgoing')
      .map(({ message_text, idempotency_key }) => [message_text, idempotency_key])
  const countsOf = (psid: string) =>
    harness.db
      .selectFrom('conversations')
      .innerJoin('fb_users', 'fb_users.primary_user_id', 'conversations.primary_user_id')
      .select(['total_messages', 'unread_messages', 'last_message_text', 'last_message_direction'])
      .where('psid', '=', psid)
      .executeTakeFirst()

  it.each<[string, Send]>([
    ['never responds', timeOut],
    ['responds with a server error', serverError],
    ['sends an unreadable response', unreadable],
    ['has not responded when the process is killed', processKilled],
  ])(
    'sends one request in ten minutes of restarts and two processes when the network %s and does not list the reply',
    async (_, send) => {
      const psid = await harness.createPerson()
      const { mid } = await harness.control<{ mid: string }>('POST', `/people/${psid}/messages`, { text: question })
      await harness.settle()
      for (let round = 0; round < 10; round += 1) {
        const processes = [processWith(send), processWith(send)]
        if (send !== processKilled) await Promise.all(processes.map((one) => one.settled()))
        else await new Promise((resolve) => setTimeout(resolve, 50))
        // Wait for all processes except the killed one.
        await Promise.race([advance(processes, 12), new Promise((resolve) => setTimeout(resolve, 500))])
        await Promise.race([
          Promise.all(processes.map((one) => one.stop())),
          new Promise((resolve) => setTimeout(resolve, 100)),
        ])
        harness.clock.advance(round === 0 ? minute : 0)
      }
      expect([posts, await unconfirmedReplyOf(mid), await outgoing(psid)]).toEqual([1, { text: answer, tries: 1 }, []])
      expect(reads).toBe(0)
    },
    60_000,
  )

  it('shows a reply of a dead process although its page was deactivated', async () => {
    const psid = await harness.createPerson()
    const { mid } = await harness.control<{ mid: string }>('POST', `/people/${psid}/messages`, { text: question })
    await harness.settle()
    processWith(processKilled)
    await expect.poll(() => posts).toBe(1)
    await harness.db.updateTable('pages').set({ is_active: false }).where('page_id', '=', prints).execute()
    const process = processWith(timeOut)
    await advance([process], 2, minute)
    await process.stop()
    await harness.db.updateTable('pages').set({ is_active: true }).where('page_id', '=', prints).execute()
    expect([posts, await unconfirmedReplyOf(mid)]).toEqual([1, { text: answer, tries: 1 }])
  })

  it('stores the reply with its question, notifies realtime, and does not count the reply as a message', async () => {
    const { psid, mid } = await sendUnconfirmed()
    expect(await unconfirmedReplyOf(mid)).toEqual({ text: answer, tries: 1 })
    expect(await countsOf(psid)).toEqual({
      total_messages: 2,
      unread_messages: 2,
      last_message_text: question,
      last_message_direction: 'incoming',
    })
    await expect
      .poll(() =>
        notified.map((text) => JSON.parse(text)).filter(({ table, type }) => table === 'messages' && type === 'UPDATE'),
      )
      .toMatchObject([
        { table: 'messages', record: { message_id: mid, unconfirmed_reply: { text: answer, tries: 1 } } },
      ])
  })

  it('starts the same cooldown as for a confirmed reply', async () => {
    const { psid } = await sendUnconfirmed()
    const process = processWith(timeOut)
    await harness.control('POST', `/people/${psid}/messages`, { text: 'And your hours on Sunday?' })
    await harness.settle()
    await advance([process], 1)
    await process.stop()
    expect(posts).toBe(1)
  })

  it('confirms a reply by its echo, also after staff discarded the reply', async () => {
    for (const discards of [false, true]) {
      const { psid, mid, key } = await sendUnconfirmed()
      if (discards) expect(await staffOf().decide(mid, 'discard', 1)).toEqual({ state: 'discarded' })
      await echoOf(psid, { metadata: key })
      expect([await unconfirmedReplyOf(mid), await outgoing(psid)]).toEqual([null, [[answer, key]]])
      expect(await staffOf().decide(mid, 'retry', 1)).toEqual({ state: 'sent', messageId: `echo-${psid}` })
    }
    expect(posts).toBe(2)
  })

  it('does not confirm a reply by an echo without its key', async () => {
    const { psid, mid } = await sendUnconfirmed()
    await echoOf(psid, {})
    expect([await unconfirmedReplyOf(mid), await outgoing(psid)]).toEqual([
      { text: answer, tries: 1 },
      [[answer, null]],
    ])
  })

  it.each(['look', 'retry'] as const)(
    'shows a message with the same text that the network lists when staff choose %s, and neither confirms nor sends the reply',
    async (decision) => {
      const { psid, mid, key } = await sendUnconfirmed()
      await harness.faults({ holdWebhooks: true })
      await harness.control('POST', `/people/${psid}/replies`, { text: answer })
      expect(await staffOf().decide(mid, decision, 1)).toEqual({ state: 'unconfirmed' })
      expect([posts, await unconfirmedReplyOf(mid), await outgoing(psid)]).toEqual([
        1,
        { text: answer, tries: 1 },
        [[answer, null]],
      ])
      const state = await staffOf(harness.graph.send).decide(mid, 'retry', 1)
      expect([state?.state, posts, await harness.deliveries(psid)]).toEqual(['sent', 2, [answer]])
      await harness.faults({})
      await harness.settle()
      expect((await outgoing(psid)).toSorted()).toEqual(
        [
          [answer, null],
          [answer, key],
        ].toSorted(),
      )
    },
  )

  it('keeps a reply unconfirmed when a requested lookup does not find it', async () => {
    const { mid } = await sendUnconfirmed()
    expect(await staffOf().decide(mid, 'look', 1)).toEqual({ state: 'unconfirmed' })
    expect([posts, await unconfirmedReplyOf(mid)]).toEqual([1, { text: answer, tries: 1 }])
  })

  it('sends a reply exactly once more when staff retry, and adds it to the thread', async () => {
    const { psid, mid, key } = await sendUnconfirmed()
    const state = await staffOf(harness.graph.send).decide(mid, 'retry', 1)
    await harness.settle()
    expect([state?.state, posts, await harness.deliveries(psid)]).toEqual(['sent', 2, [answer]])
    expect([await unconfirmedReplyOf(mid), await outgoing(psid)]).toEqual([null, [[answer, key]]])
  })

  it('sends once for simultaneous retries in two processes, and again only with the new number of tries', async () => {
    const { mid } = await sendUnconfirmed()
    const [one, other] = [staffOf(), staffOf()]
    const decisions = [one, one, other, other].map((staff) => staff.decide(mid, 'retry', 1))
    const ticking = setInterval(() => harness.clock.advance(250), 10)
    expect(await Promise.all(decisions)).toEqual(Array.from({ length: 4 }, () => ({ state: 'unconfirmed' })))
    clearInterval(ticking)
    expect([posts, await unconfirmedReplyOf(mid)]).toEqual([2, { text: answer, tries: 2 }])
    await other.decide(mid, 'retry', 1)
    expect(posts).toBe(2)
    await other.decide(mid, 'retry', 2)
    expect([posts, await unconfirmedReplyOf(mid)]).toEqual([3, { text: answer, tries: 3 }])
  })

  it('accepts a retry after the process died during a retry', async () => {
    const { psid, mid } = await sendUnconfirmed()
    void staffOf(processKilled).decide(mid, 'retry', 1)
    await expect.poll(() => posts).toBe(2)
    expect(await unconfirmedReplyOf(mid)).toEqual({ text: answer, tries: 1 })
    harness.clock.advance(21 * second)
    expect(await staffOf().decide(mid, 'retry', 1)).toEqual({ state: 'unconfirmed' })
    expect(posts).toBe(2)
    expect(await unconfirmedReplyOf(mid)).toEqual({ text: answer, tries: 2 })
    const state = await staffOf(harness.graph.send).decide(mid, 'retry', 2)
    await harness.settle()
    expect([state?.state, posts, await harness.deliveries(psid)]).toEqual(['sent', 3, [answer]])
  })

  it('hides a discarded reply, and never sends it again', async () => {
    const { psid, mid } = await sendUnconfirmed()
    expect(await staffOf().decide(mid, 'discard', 1)).toEqual({ state: 'discarded' })
    expect([await unconfirmedReplyOf(mid), await outgoing(psid)]).toEqual([null, []])
    for (const decision of ['retry', 'look', 'discard'] as const)
      expect(await staffOf(harness.graph.send).decide(mid, decision, 1)).toEqual({ state: 'discarded' })
    const process = processWith(timeOut)
    await advance([process], 5, minute)
    await process.stop()
    expect([posts, await harness.deliveries(psid)]).toEqual([1, []])
  })

  it('does not discard with an outdated number of tries', async () => {
    const { mid } = await sendUnconfirmed()
    await staffOf().decide(mid, 'retry', 1)
    expect(await staffOf().decide(mid, 'discard', 1)).toEqual({ state: 'unconfirmed' })
    expect(await unconfirmedReplyOf(mid)).toEqual({ text: answer, tries: 2 })
  })

  it('keeps a reply unconfirmed when the page refuses the retry, and reports the reason', async () => {
    const { mid } = await sendUnconfirmed()
    await harness.db.updateTable('pages').set({ is_active: false }).where('page_id', '=', prints).execute()
    await expect(staffOf().decide(mid, 'retry', 1)).rejects.toMatchObject({ status: 422, code: 'PAGE_INACTIVE' })
    await harness.db.updateTable('pages').set({ is_active: true }).where('page_id', '=', prints).execute()
    expect([posts, await unconfirmedReplyOf(mid)]).toEqual([1, { text: answer, tries: 1 }])
  })

  it('shows, looks up, retries and discards replies over the API', async () => {
    const api = (send: Send) => {
      const staff = { id: 's1', email: 'maria@example.com', name: null, role: 'agent' }
      const app = new Hono<Authenticated>().use(async (c, next) => {
        c.set('staff', { ...staff, permissions: ['conversations.read', 'messages.send'] })
        await next()
      })
      app.route(
        '/',
        createConversationRoutes({
          db: harness.db,
          senderActions: noSenderActions,
          clock: harness.clock,
          country: 'PH',
        }),
      )
      return app.route('/', createUnconfirmedReplyRoutes({ db: harness.db, unconfirmedReplies: staffOf(send) }))
    }
    const decide = async (mid: string, body: object, send: Send = timeOut) => {
      const headers = { 'content-type': 'application/json' }
      const path = `/messages/${encodeURIComponent(mid)}/unconfirmed-reply`
      const response = await api(send).request(path, { method: 'POST', headers, body: JSON.stringify(body) })
      return { status: response.status, body: await response.json() }
    }
    const responseWith = (state: string, mid: string, tries: number | null, reply: object | null = null) => ({
      status: 200,
      body: {
        success: true,
        data: {
          state,
          question: { message_id: mid, unconfirmed_reply: tries === null ? null : { text: answer, tries } },
          reply,
        },
      },
    })
    const { psid, mid, key } = await sendUnconfirmed()
    const { id } = await harness.db
      .selectFrom('fb_users')
      .select('id')
      .where('psid', '=', psid)
      .executeTakeFirstOrThrow()
    const thread = await api(timeOut).request(`/conversations/${id}/messages`)
    expect(messagesAnswer.parse(await thread.json()).data.messages.map((one) => one.unconfirmed_reply)).toEqual([
      null,
      { text: answer, tries: 1 },
    ])
    expect(await decide(mid, { decision: 'look', tries: 1 })).toMatchObject(responseWith('unconfirmed', mid, 1))
    expect(await decide(mid, { decision: 'retry', tries: 1 }, serverError)).toMatchObject(
      responseWith('unconfirmed', mid, 2),
    )
    const sent = await decide(mid, { decision: 'retry', tries: 2 }, harness.graph.send)
    expect(sent).toMatchObject(responseWith('sent', mid, null, { message_text: answer, idempotency_key: key }))
    expect(replyDecisionAnswer.safeParse(sent.body).success).toBe(true)
    await harness.settle()

    const other = await sendUnconfirmed()
    expect(await decide(other.mid, { decision: 'discard', tries: 1 })).toMatchObject(
      responseWith('discarded', other.mid, null),
    )
    expect((await decide('none', { decision: 'look', tries: 1 })).status).toBe(404)
    for (const body of [{ decision: 'look' }, { decision: 'keep', tries: 1 }, { decision: 'retry', tries: 0 }])
      expect((await decide(mid, body)).status).toBe(400)
  })

  it('returns null for a message without an automatic reply', async () => {
    expect(await staffOf().decide('no such message', 'retry', 1)).toBe(null)
  })
})
