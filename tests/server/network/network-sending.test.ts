import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Graph, SendRequest } from '../../../server/network/graph/graph.ts'
import { GraphError } from '../../../server/network/graph/graph-error.ts'
import { SendRefused } from '../../../server/network/send/send-refusals.ts'
import type { SendOrder } from '../../../server/network/send/stored-sends.ts'
import { describeOnEachDatabase } from '../databases.ts'
import { appId, type Harness, openHarness, prints, printsInstagram } from '../network-harness.ts'

const staffId = 'staff-1'
const hour = 60 * 60 * 1000

async function refusalOf(sending: Promise<unknown>) {
  const error = await sending.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof SendRefused)) throw new Error('the send was not refused', { cause: error })
  return { status: error.status, code: error.code, text: error.message }
}

const listedAlike = {
  status: 504,
  code: 'LISTED_ALIKE',
  text: 'The page has sent a message with this text: see the conversation. Discard this one, or send it again if it has to arrive twice.',
}

const deferred = () => Promise.withResolvers<void>()

const noAnswer = {
  status: 504,
  code: 'NO_ANSWER',
  text: 'The network did not answer. It is not certain whether the message arrived.',
}

describeOnEachDatabase('createSending', (open, isMain) => {
  let harness: Harness

  beforeAll(async () => {
    harness = await openHarness(await open())
    await harness.connect(prints)
  })
  afterAll(() => harness.close())

  const order = (psid: string, text: string, key: string = randomUUID()): SendOrder => ({
    key,
    staffId,
    pageId: prints,
    psid,
    text,
  })
  const outgoingMessages = async (psid: string) =>
    (await harness.thread(psid))
      .filter(({ direction }) => direction === 'outgoing')
      .map(({ message_text, idempotency_key }) => ({ text: message_text, key: idempotency_key }))
  const stateOf = async (key: string) =>
    (await harness.db.selectFrom('sends').select('state').where('idempotency_key', '=', key).executeTakeFirst())?.state

  /** A network whose responses never arrive, as for a process that dies. */
  const neverAnswering = (graph: Graph, request: (token: string, send: SendRequest) => Promise<unknown>): Graph => ({
    ...graph,
    send: async (token, send) => {
      await request(token, send)
      return new Promise<never>(() => undefined)
    },
  })

  it('delivers a message, stores it once with its key and answers with the network’s id', async () => {
    const psid = await harness.createPerson()
    const sent = order(psid, 'Opo, available po')
    const answer = await harness.newSending().send(sent)
    await harness.settle()
    expect(await harness.deliveries(psid)).toEqual(['Opo, available po'])
    expect(await outgoingMessages(psid)).toEqual([{ text: 'Opo, available po', key: sent.key }])
    expect(answer).toEqual({
      messageId: (await harness.thread(psid)).at(-1)?.message_id,
      createdAt: new Date(harness.clock.now()).toISOString(),
    })
  })

  it('returns the same result for the same key, also in another process and on an inactive page', async () => {
    const psid = await harness.createPerson()
    const sent = order(psid, 'Isa lang po ito')
    const sending = harness.newSending()
    const answer = await sending.send(sent)
    const again = [await sending.send(sent), await harness.newSending().send(sent)]
    await harness.db.updateTable('pages').set({ is_active: false }).where('page_id', '=', prints).execute()
    again.push(await harness.newSending().send(sent))
    await harness.db.updateTable('pages').set({ is_active: true }).where('page_id', '=', prints).execute()
    expect(again).toEqual([answer, answer, answer])
    expect(await harness.deliveries(psid)).toEqual(['Isa lang po ito'])
  })

  it('delivers once when one key is posted twice at the same time', async () => {
    const psid = await harness.createPerson()
    const sent = order(psid, 'Sabay po')
    const sending = harness.newSending()
    const [one, other] = await Promise.all([sending.send(sent), sending.send(sent)])
    expect(one).toEqual(other)
    expect(await harness.deliveries(psid)).toEqual(['Sabay po'])
  })

  it('waits for another process that is sending the same key', async () => {
    const psid = await harness.createPerson()
    const sent = order(psid, 'Dalawang server')
    const [requested, release] = [deferred(), deferred()]
    const slow: Graph = {
      ...harness.graph,
      send: async (token, send) => {
        requested.resolve()
        await release.promise
        return harness.graph.send(token, send)
      },
    }
    const first = harness.newSending(slow).send(sent)
    await requested.promise
    const second = harness.newSending().send(sent)
    release.resolve()
    const answer = await first
    const ticking = setInterval(() => harness.clock.advance(250), 5)
    expect(await second).toEqual(answer)
    clearInterval(ticking)
    expect(await harness.deliveries(psid)).toEqual(['Dalawang server'])
  })

  it('refuses a key that was used for another message', async () => {
    const psid = await harness.createPerson()
    const sent = order(psid, 'Una')
    await harness.newSending().send(sent)
    expect(await refusalOf(harness.newSending().send({ ...sent, text: 'Iba na' }))).toEqual({
      status: 409,
      code: 'KEY_REUSED',
      text: 'This idempotency key was already used for another message.',
    })
    expect(await harness.deliveries(psid)).toEqual(['Una'])
  })

  it('delivers the same text twice under two keys', async () => {
    const psid = await harness.createPerson()
    const sending = harness.newSending()
    const [one, other] = [order(psid, 'Ok po'), order(psid, 'Ok po')]
    await sending.send(one)
    await sending.send(other)
    await harness.settle()
    expect(await harness.deliveries(psid)).toEqual(['Ok po', 'Ok po'])
    expect(new Set(await outgoingMessages(psid))).toEqual(
      new Set([
        { text: 'Ok po', key: one.key },
        { text: 'Ok po', key: other.key },
      ]),
    )
  })

  it('stores one message when the echo comes before the response', async () => {
    const psid = await harness.createPerson()
    const sent = order(psid, 'Mabilis ang echo')
    const echoing: Graph = {
      ...harness.graph,
      send: async (token, send) => {
        const messageId = await harness.graph.send(token, send)
        await harness.settle()
        return messageId
      },
    }
    const answer = await harness.newSending(echoing).send(sent)
    expect(await outgoingMessages(psid)).toEqual([{ text: 'Mabilis ang echo', key: sent.key }])
    expect(answer.messageId).toBe((await harness.thread(psid)).at(-1)?.message_id)
  })

  // What follows does not depend on the kind of database.
  if (!isMain) return

  describe.each(['messenger', 'instagram'] as const)('On %s, after a lost response', (platform) => {
    it('reports an uncertain result; the first retry shows the message that the network lists and sends nothing', async () => {
      const psid = await harness.createPerson(platform)
      const sent = order(psid, `Nawala ang sagot ${platform}`)
      await harness.faults({ loseAnswers: 1, holdWebhooks: true })
      expect(await refusalOf(harness.newSending().send(sent))).toEqual(noAnswer)
      expect(await stateOf(sent.key)).toBe('unknown')
      expect(await refusalOf(harness.newSending().send(sent))).toEqual(listedAlike)
      expect(await stateOf(sent.key)).toBe('unknown')
      expect(await outgoingMessages(psid)).toEqual([{ text: sent.text, key: null }])
      expect(await harness.deliveries(psid)).toEqual([sent.text])
      await harness.faults({})
      await harness.settle()
      // Only Messenger returns the key.
      const [state, key] = platform === 'messenger' ? ['sent', sent.key] : ['unknown', null]
      expect([await stateOf(sent.key), await outgoingMessages(psid)]).toEqual([state, [{ text: sent.text, key }]])
    })

    it('keeps the message unconfirmed after a colleague sends the same text in another tool', async () => {
      const psid = await harness.createPerson(platform)
      const sent = order(psid, `Parehong salita ${platform}`)
      await harness.faults({ loseRequests: 1, holdWebhooks: true })
      expect(await refusalOf(harness.newSending().send(sent))).toEqual(noAnswer)
      await harness.control('POST', `/people/${psid}/replies`, { text: sent.text })
      expect(await refusalOf(harness.newSending().send(sent))).toEqual(listedAlike)
      await harness.faults({})
      await harness.settle()
      expect(await stateOf(sent.key)).toBe('unknown')
      expect(await outgoingMessages(psid)).toEqual([{ text: sent.text, key: null }])
      expect(await harness.deliveries(psid)).toEqual([])
      const answer = await harness.newSending().send(sent)
      expect(await harness.deliveries(psid)).toEqual([sent.text])
      expect((await harness.thread(psid)).at(-1)).toMatchObject({
        message_id: answer.messageId,
        idempotency_key: sent.key,
      })
    })

    it('confirms the message by its echo', async () => {
      const psid = await harness.createPerson(platform)
      const sent = order(psid, `Echo lang ${platform}`)
      await harness.faults({ loseAnswers: 1 })
      expect(await refusalOf(harness.newSending().send(sent))).toEqual(noAnswer)
      await harness.settle()
      expect(await stateOf(sent.key)).toBe('sent')
      expect(await outgoingMessages(psid)).toEqual([{ text: sent.text, key: sent.key }])
      await harness.newSending().send(sent)
      expect(await harness.deliveries(psid)).toEqual([sent.text])
    })

    it('sends again with the same key when the request never reached the network', async () => {
      const psid = await harness.createPerson(platform)
      const sent = order(psid, `Hindi umabot ${platform}`)
      await harness.faults({ loseRequests: 1 })
      expect(await refusalOf(harness.newSending().send(sent))).toEqual(noAnswer)
      expect(await harness.deliveries(psid)).toEqual([])
      await harness.newSending().send(sent)
      expect(await harness.deliveries(psid)).toEqual([sent.text])
    })

    it('does not match an earlier message with the same text', async () => {
      const psid = await harness.createPerson(platform)
      await harness.newSending().send(order(psid, `Salamat po ${platform}`))
      const sent = order(psid, `Salamat po ${platform}`)
      await harness.faults({ loseRequests: 1 })
      expect(await refusalOf(harness.newSending().send(sent))).toEqual(noAnswer)
      await harness.newSending().send(sent)
      expect(await harness.deliveries(psid)).toEqual([sent.text, sent.text])
    })

    it('stays uncertain while the network’s list cannot be read', async () => {
      const psid = await harness.createPerson(platform)
      const sent = order(psid, `Bulag ${platform}`)
      await harness.faults({ loseAnswers: 1, holdWebhooks: true })
      expect(await refusalOf(harness.newSending().send(sent))).toEqual(noAnswer)
      const { graph } = harness
      const unreadable: Graph = {
        ...graph,
        conversations: () => graph.conversations('wrong token', { pageId: prints, platform }),
      }
      expect(await refusalOf(harness.newSending(unreadable).send(sent))).toEqual({ ...noAnswer, code: 'NOT_CERTAIN' })
      await harness.db.updateTable('pages').set({ is_active: false }).where('page_id', '=', prints).execute()
      const inactive = await refusalOf(harness.newSending().send(sent))
      await harness.db.updateTable('pages').set({ is_active: true }).where('page_id', '=', prints).execute()
      expect(inactive).toEqual({ ...noAnswer, code: 'NOT_CERTAIN' })
      expect(await stateOf(sent.key)).toBe('unknown')
      await harness.faults({})
      expect(await harness.deliveries(psid)).toEqual([sent.text])
    })
  })

  it.each<[string, (psid: string, text: string) => Promise<void>, (psid: string, text: string) => Promise<void>]>([
    [
      'was sent before it',
      async (psid, text) => {
        await harness.control('POST', `/people/${psid}/replies`, { text })
        harness.clock.advance(hour)
      },
      async () => {},
    ],
    ['is incoming', async () => {}, (psid, text) => harness.control('POST', `/people/${psid}/messages`, { text })],
    [
      'has another text',
      async () => {},
      (psid) => harness.control('POST', `/people/${psid}/replies`, { text: 'Iba po' }),
    ],
  ])('does not take a message that %s for the lost message', async (name, before, after) => {
    const psid = await harness.createPerson()
    const sent = order(psid, `Nasaan na: ${name}`)
    await before(psid, sent.text)
    await harness.settle()
    await harness.faults({ loseRequests: 1 })
    expect(await refusalOf(harness.newSending().send(sent))).toEqual(noAnswer)
    await after(psid, sent.text)
    await harness.settle()
    const others = await harness.deliveries(psid)
    await harness.newSending().send(sent)
    expect(await harness.deliveries(psid)).toEqual([...others, sent.text])
  })

  it('sends once when a retry times out during its lookup and another retry takes over', async () => {
    const psid = await harness.createPerson()
    const sent = order(psid, 'Isa lang po')
    await harness.faults({ loseRequests: 1 })
    expect(await refusalOf(harness.newSending().send(sent))).toEqual(noAnswer)
    const { graph } = harness
    const lookupStarted = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    const slow: Graph = {
      ...graph,
      conversations: async (...request) => {
        const found = await graph.conversations(...request)
        lookupStarted.resolve()
        await release.promise
        return found
      },
    }
    const first = refusalOf(harness.newSending(slow).send(sent))
    await lookupStarted.promise
    harness.clock.advance(21_000)
    await harness.newSending().send(sent)
    release.resolve()
    expect((await first).code).toBe('STILL_SENDING')
    expect(await harness.deliveries(psid)).toEqual([sent.text])
  })

  it('confirms the message by its echo when the process died between the network’s acceptance and our commit', async () => {
    const psid = await harness.createPerson()
    const sent = order(psid, 'Namatay ang server')
    await harness.faults({ holdWebhooks: true })
    const accepted = Promise.withResolvers<void>()
    const killed = neverAnswering(harness.graph, async (token, send) => {
      await harness.graph.send(token, send)
      accepted.resolve()
    })
    void harness.newSending(killed).send(sent)
    await accepted.promise
    expect(await stateOf(sent.key)).toBe('sending')
    harness.clock.advance(20_000)
    expect(await refusalOf(harness.newSending().send(sent))).toEqual(listedAlike)
    await harness.faults({})
    await harness.settle()
    expect(await stateOf(sent.key)).toBe('sent')
    expect(await harness.deliveries(psid)).toEqual(['Namatay ang server'])
    expect(await outgoingMessages(psid)).toEqual([{ text: 'Namatay ang server', key: sent.key }])
  })

  it('sends the message when the process died before its request reached the network', async () => {
    const psid = await harness.createPerson()
    const sent = order(psid, 'Bago pa umalis')
    const reached = Promise.withResolvers<void>()
    void harness.newSending(neverAnswering(harness.graph, async () => reached.resolve())).send(sent)
    await reached.promise
    harness.clock.advance(20_000)
    await harness.newSending().send(sent)
    expect(await harness.deliveries(psid)).toEqual(['Bago pa umalis'])
  })

  it('leaves a send to the process that has claimed it meanwhile', async () => {
    const psid = await harness.createPerson()
    const sent = order(psid, 'Hindi na akin')
    const [requested, lookupStarted, release] = [deferred(), deferred(), deferred()]
    const slow: Graph = {
      ...harness.graph,
      send: async () => {
        requested.resolve()
        await release.promise
        throw GraphError.refused('send', 400, 100, null)
      },
    }
    const endless: Graph = {
      ...harness.graph,
      conversations: () => {
        lookupStarted.resolve()
        return new Promise<never>(() => undefined)
      },
    }
    const first = refusalOf(harness.newSending(slow).send(sent))
    await requested.promise
    harness.clock.advance(20_000)
    void harness.newSending(endless).send(sent)
    await lookupStarted.promise
    release.resolve()
    expect((await first).code).toBe('STILL_SENDING')
    expect(await stateOf(sent.key)).toBe('sending')
  })

  it('reports a refusal after a lost attempt, and still searches before it sends again', async () => {
    const psid = await harness.createPerson('instagram')
    const sent = order(psid, 'Baka dumating na')
    await harness.faults({ loseAnswers: 1, holdWebhooks: true })
    expect(await refusalOf(harness.newSending().send(sent))).toEqual(noAnswer)
    const { graph } = harness
    let lookups = 0
    const late: Graph = {
      ...graph,
      conversations: async (...request) => {
        lookups += 1
        return { ...(await graph.conversations(...request)), conversations: [] }
      },
      send: async () => {
        throw GraphError.refused('send', 400, 551, null)
      },
    }
    expect(await refusalOf(harness.newSending(late).send(sent))).toEqual({
      status: 422,
      code: 'NETWORK_551',
      text: 'This person cannot be reached at the moment. Try again later, or reach them another way.',
    })
    expect({ lookups, state: await stateOf(sent.key) }).toEqual({ lookups: 1, state: 'unknown' })
    expect(await refusalOf(harness.newSending().send(sent))).toEqual(listedAlike)
    await harness.faults({})
    await harness.settle()
    expect(await harness.deliveries(psid)).toEqual([sent.text])
    expect(await outgoingMessages(psid)).toEqual([{ text: sent.text, key: null }])
  })

  it.each(['40P01', '40001'])('stores the message on retry after database error %s', async (code) => {
    const psid = await harness.createPerson()
    const sent = order(psid, `Banggaan ${code}`)
    await sql`create sequence collisions`.execute(harness.db)
    await sql`create function collide() returns trigger language plpgsql as ${sql.lit(
      `begin if nextval('collisions') = 1 then raise exception using errcode = '${code}'; end if; return new; end`,
    )}`.execute(harness.db)
    await sql`create trigger collide before insert on messages for each row when (new.idempotency_key = ${sql.lit(sent.key)})
      execute function collide()`.execute(harness.db)
    await harness.faults({ holdWebhooks: true })
    const answer = await harness.newSending().send(sent)
    const stored = await harness.thread(psid)
    await sql`drop trigger collide on messages`.execute(harness.db)
    await sql`drop function collide()`.execute(harness.db)
    await sql`drop sequence collisions`.execute(harness.db)
    await harness.faults({})
    await harness.settle()
    expect(stored.at(-1)).toMatchObject({ message_id: answer.messageId, idempotency_key: sent.key })
    expect(await harness.deliveries(psid)).toEqual([sent.text])
  })

  it('reports an uncertain result after a 5xx, whatever the response says', async () => {
    const psid = await harness.createPerson()
    const sent = order(psid, 'Sira ang network')
    await harness.faults({ refuse: { times: 1, code: 100, subcode: 33, status: 500 } })
    expect(await refusalOf(harness.newSending().send(sent))).toEqual({
      status: 503,
      code: 'NETWORK_100',
      text: 'The network has a temporary problem. It is not certain whether the message arrived.',
    })
    expect(await stateOf(sent.key)).toBe('unknown')
  })

  const ownApp = { app_id: Number(appId) }
  const otherApp = { app_id: 263902037430900 }
  it.each<
    ['messenger' | 'instagram', string, boolean, { echo: (key: string) => object; alike?: number; late?: number }]
  >([
    ['messenger', 'with the key', true, { echo: (key) => ({ ...ownApp, metadata: key }) }],
    ['messenger', 'with the key and no app', true, { echo: (key) => ({ metadata: key }) }],
    ['messenger', 'of our app without a key', false, { echo: () => ownApp }],
    ['messenger', 'of another app', false, { echo: () => otherApp }],
    ['messenger', 'without an app', false, { echo: () => ({}) }],
    ['messenger', 'of our app with other metadata', false, { echo: () => ({ ...ownApp, metadata: 'other' }) }],
    ['instagram', 'of our app', true, { echo: () => ownApp }],
    ['instagram', 'of our app, 2 minutes later', false, { echo: () => ownApp, late: 121_000 }],
    ['instagram', 'of our app, written before the send', false, { echo: () => ownApp, late: -6_000 }],
    ['instagram', 'of our app, while a second send has the same text', false, { echo: () => ownApp, alike: 1 }],
    ['instagram', 'of another app', false, { echo: () => otherApp }],
    ['instagram', 'without an app', false, { echo: () => ({}) }],
  ])('on %s, an echo of the same text %s confirms an open send: %s', async (platform, _, confirms, about) => {
    const psid = await harness.createPerson(platform)
    const sent = order(psid, 'Opo, bukas po kami')
    const others = Array.from({ length: about.alike ?? 0 }, () => order(psid, sent.text))
    await harness.faults({ loseRequests: 1 + others.length })
    for (const one of [sent, ...others]) expect(await refusalOf(harness.newSending().send(one))).toEqual(noAnswer)
    const account = platform === 'instagram' ? printsInstagram : prints
    const message = { mid: `echo-${psid}`, text: sent.text, is_echo: true, ...about.echo(sent.key) }
    const timestamp = harness.clock.now() + (about.late ?? 0)
    const event = { sender: { id: account }, recipient: { id: psid }, timestamp, message }
    const object = platform === 'instagram' ? 'instagram' : 'page'
    await harness.post({ object, entry: [{ id: account, time: timestamp, messaging: [event] }] })
    const states = await Promise.all([sent, ...others].map(({ key }) => stateOf(key)))
    expect([states, await outgoingMessages(psid)]).toEqual([
      [confirms ? 'sent' : 'unknown', ...others.map(() => 'unknown')],
      [{ text: sent.text, key: confirms ? sent.key : null }],
    ])
  })

  const uncertain = 'The network has a temporary problem. It is not certain whether the message arrived.'
  const pause = 'The network asks for a pause. Try again in a few minutes.'
  const reconnect = 'The connection to this page has expired. Reconnect the page, then send the message again.'
  const closed = 'The reply window is closed: this person wrote too long ago. You can reply once they write again.'
  const unreachable = 'This person cannot be reached at the moment. Try again later, or reach them another way.'
  const unknownPerson =
    'The network does not know this person on the selected page. Send from another page they wrote to.'
  const forbidden =
    'This page does not allow the inbox to send messages. Give it a token with all permissions of the inbox.'

  it.each([
    [190, undefined, 422, reconnect],
    [190, 458, 422, reconnect],
    [10, 2018278, 422, closed],
    [10, 2534022, 422, closed],
    [551, undefined, 422, unreachable],
    [10, 2018108, 422, unreachable],
    [200, 1545041, 422, unreachable],
    [10, undefined, 422, forbidden],
    [200, undefined, 422, forbidden],
    [100, 33, 422, unknownPerson],
    [100, 2018001, 422, unknownPerson],
    [100, 2534014, 422, unknownPerson],
    [
      100,
      undefined,
      422,
      'The network refused the message. Change it and try again; if that is refused too, tell an administrator.',
    ],
    [368, undefined, 422, 'The network has restricted this page for now. Try again later.'],
    [4, undefined, 429, pause],
    [613, undefined, 429, pause],
    [80006, undefined, 429, pause],
    [1, undefined, 503, uncertain],
    [2, undefined, 503, uncertain],
  ])(
    'explains the refusal %s/%s to staff, and accepts a retry with the same key',
    async (code, subcode, status, text) => {
      const psid = await harness.createPerson()
      const sent = order(psid, `Refused ${code}/${subcode}`)
      const refuse = { times: 1, code, status: 400, ...(subcode === undefined ? {} : { subcode }) }
      await harness.faults({ refuse })
      expect(await refusalOf(harness.newSending().send(sent))).toEqual({ status, code: `NETWORK_${code}`, text })
      expect(await stateOf(sent.key)).toBe(status === 503 ? 'unknown' : 'failed')
      expect(await outgoingMessages(psid)).toEqual([])
      await harness.newSending().send(sent)
      expect(await harness.deliveries(psid)).toEqual([sent.text])
    },
  )

  it('rejects a message that the network would refuse, without calling the network', async () => {
    const [person, onInstagram] = [await harness.createPerson(), await harness.createPerson('instagram')]
    const sending = harness.newSending()
    const codes = async (sent: SendOrder) => {
      const { status, code } = await refusalOf(sending.send(sent))
      return { status, code }
    }
    const tooLong = { status: 422, code: 'TEXT_TOO_LONG' }
    expect(await codes(order('nobody', 'Hi'))).toEqual({ status: 422, code: 'RECIPIENT_UNKNOWN' })
    expect(await codes(order(person, 'x'.repeat(2_000)))).toEqual(tooLong)
    expect(await codes(order(onInstagram, 'ñ'.repeat(501)))).toEqual(tooLong)
    await harness.db.updateTable('pages').set({ is_active: false }).where('page_id', '=', prints).execute()
    expect(await codes(order(person, 'Hi'))).toEqual({ status: 422, code: 'PAGE_INACTIVE' })
    await harness.db.updateTable('pages').set({ is_active: true }).where('page_id', '=', prints).execute()

    await sending.send(order(person, '😊'.repeat(1_999)))
    await sending.send(order(onInstagram, 'ñ'.repeat(500)))
    expect([(await harness.deliveries(person)).length, (await harness.deliveries(onInstagram)).length]).toEqual([1, 1])
  })

  it('tells staff to reconnect the page when its token was revoked', async () => {
    const psid = await harness.createPerson()
    await harness.control('PUT', `/pages/${prints}`, { tokenValid: false })
    expect(await refusalOf(harness.newSending().send(order(psid, 'Hi')))).toEqual({
      status: 422,
      code: 'NETWORK_190',
      text: reconnect,
    })
    await harness.control('PUT', `/pages/${prints}`, { tokenValid: true })
  })

  it('marks a page with a revoked token, also when a lookup fails', async () => {
    const [one, other] = [await harness.createPerson(), await harness.createPerson()]
    const lost = order(other, 'Naputol')
    await harness.faults({ loseRequests: 1 })
    expect(await refusalOf(harness.newSending().send(lost))).toEqual(noAnswer)
    await harness.control('PUT', `/pages/${prints}`, { tokenValid: false })
    const marked: boolean[] = []
    for (const sent of [order(one, 'Hi'), lost]) {
      await harness.db.updateTable('pages').set({ token_invalid_since: null }).where('page_id', '=', prints).execute()
      await refusalOf(harness.newSending().send(sent))
      const page = await harness.db
        .selectFrom('pages')
        .select('token_invalid_since')
        .where('page_id', '=', prints)
        .executeTakeFirst()
      marked.push(page?.token_invalid_since?.getTime() === harness.clock.now())
    }
    await harness.control('PUT', `/pages/${prints}`, { tokenValid: true })
    expect(marked).toEqual([true, true])
  })

  it('treats an undecryptable stored token like a revoked one, and marks the page', async () => {
    const psid = await harness.createPerson()
    const { stored } = await harness.db
      .selectFrom('pages')
      .select('page_access_token_encrypted as stored')
      .where('page_id', '=', prints)
      .executeTakeFirstOrThrow()
    const store = (token: string) =>
      harness.db
        .updateTable('pages')
        .set({ page_access_token_encrypted: token, token_invalid_since: null })
        .where('page_id', '=', prints)
        .returning('token_invalid_since')
        .execute()
    await store('of another key')
    const refusal = await refusalOf(harness.newSending().send(order(psid, 'Hi')))
    const { token_invalid_since: marked } = await harness.db
      .selectFrom('pages')
      .select('token_invalid_since')
      .where('page_id', '=', prints)
      .executeTakeFirstOrThrow()
    await store(stored)
    expect([refusal, marked?.getTime(), await harness.deliveries(psid)]).toEqual([
      { status: 422, code: 'PAGE_TOKEN_UNREADABLE', text: reconnect },
      harness.clock.now(),
      [],
    ])
  })

  it('sends with the HUMAN_AGENT tag within 7 days, and reports the closed reply window afterwards', async () => {
    const psid = await harness.createPerson()
    harness.clock.advance(25 * hour)
    await harness.newSending().send(order(psid, 'Kahapon pa po'))
    harness.clock.advance(6 * 24 * hour)
    expect((await refusalOf(harness.newSending().send(order(psid, 'Huli na po')))).text).toBe(closed)
    expect(await harness.deliveries(psid)).toEqual(['Kahapon pa po'])
  })
})
