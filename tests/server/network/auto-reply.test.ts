import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { autoReplyTimes } from '../../../server/network/faq/auto-reply.ts'
import { automaticKeyOf } from '../../../src/domain/faq/automatic.ts'
import { describeOnDatabase } from '../databases.ts'
import { type Harness, openHarness, prints } from '../network-harness.ts'

const minute = 60_000
const hour = 60 * minute

const answer = 'Hi Amihan! We are open from 9 to 6.'
const question = 'What are your OPENING-hours po?'

describeOnDatabase('createAutoReply', (open) => {
  let harness: Harness

  beforeAll(async () => {
    harness = await openHarness(await open())
    await harness.connect(prints)
  })
  afterAll(() => harness.close())
  beforeEach(async () => {
    await harness.faults({})
    await harness.db.deleteFrom('faq_entries').execute()
    await addEntry({ id: 'hours', keywords: ['opening hours'], response: 'Hi {userName}! We are open from 9 to 6.' })
  })

  const addEntry = (values: {
    id: string
    keywords: string[]
    response: string
    priority?: number
    is_active?: boolean
  }) =>
    harness.db
      .insertInto('faq_entries')
      .values({ title: values.id, category_id: 'general', created_by: null, ...values })
      .execute()

  const write = async (psid: string, text: string) => {
    const { mid } = await harness.control<{ mid: string }>('POST', `/people/${psid}/messages`, { text })
    await harness.settle()
    await harness.settle()
    return mid
  }
  const stateOf = async (mid: string) =>
    await harness.db
      .selectFrom('auto_replies')
      .select(['state', 'faq_id'])
      .where('message_id', '=', mid)
      .executeTakeFirst()
  const passTime = async (milliseconds: number) => {
    harness.clock.advance(milliseconds)
    harness.autoReply.wake()
    await harness.settle()
    await harness.settle()
  }
  const setState = (mid: string, values: { state: 'due' | 'sending' }) =>
    harness.db
      .updateTable('auto_replies')
      .set({ ...values, due_at: new Date(harness.clock.now()) })
      .where('message_id', '=', mid)
      .execute()

  it('sends one reply with the key of the message and the name filled in, and leaves the question unread', async () => {
    const psid = await harness.createPerson()
    const mid = await write(psid, question)
    expect(await harness.deliveries(psid)).toEqual([answer])
    expect(
      (await harness.thread(psid)).map(({ message_text, is_read, idempotency_key }) => [
        message_text,
        is_read,
        idempotency_key,
      ]),
    ).toEqual([
      ['Hello po', false, null],
      [question, false, null],
      [answer, true, automaticKeyOf(mid)],
    ])
    expect(await stateOf(mid)).toEqual({ state: 'sent', faq_id: 'hours' })
  })

  it('sends replies on Instagram too', async () => {
    const psid = await harness.createPerson('instagram')
    const mid = await write(psid, question)
    expect(await harness.deliveries(psid)).toEqual(['Hi Amihan Dalisay! We are open from 9 to 6.'])
    expect((await harness.thread(psid)).at(-1)?.idempotency_key).toBe(automaticKeyOf(mid))
  })

  it('sends nothing without a matching active entry', async () => {
    await addEntry({ id: 'off', keywords: ['refund'], response: 'No refunds.', is_active: false })
    const psid = await harness.createPerson('messenger', 'Can I have a refund?')
    expect(await harness.deliveries(psid)).toEqual([])
  })

  it('uses the matching entry with the highest priority', async () => {
    await addEntry({ id: 'low', keywords: ['your opening hours po'], response: 'Low.' })
    await addEntry({ id: 'high', keywords: ['hours'], response: 'High.', priority: 9 })
    const psid = await harness.createPerson('messenger', question)
    expect(await harness.deliveries(psid)).toEqual(['High.'])
  })

  it('sends one reply for a repeated webhook, also in another process', async () => {
    await harness.faults({ duplicateWebhooks: true })
    const psid = await harness.createPerson()
    const mid = await write(psid, question)
    await setState(mid, { state: 'due' })
    await passTime(1 * hour)
    expect(await harness.deliveries(psid)).toEqual([answer])
  })

  it('sends one reply from two concurrent processes', async () => {
    const psid = await harness.createPerson()
    const other = harness.newAutoReply()
    const { mid } = await harness.control<{ mid: string }>('POST', `/people/${psid}/messages`, { text: question })
    other.start()
    await Promise.all([harness.settle(), other.settled()])
    other.wake()
    await Promise.all([harness.settle(), other.settled()])
    await other.stop()
    await harness.settle()
    expect([await harness.deliveries(psid), (await stateOf(mid))?.state]).toEqual([[answer], 'sent'])
  })

  it('sends one reply when the process died after the network accepted it', async () => {
    const psid = await harness.createPerson()
    const mid = await write(psid, question)
    await setState(mid, { state: 'sending' })
    await passTime(2 * minute)
    expect([await harness.deliveries(psid), (await stateOf(mid))?.state]).toEqual([[answer], 'sent'])
  })

  it('sends one reply when the response is lost', async () => {
    await harness.faults({ loseAnswers: 1 })
    const psid = await harness.createPerson()
    const mid = await write(psid, question)
    await passTime(2 * minute)
    expect([await harness.deliveries(psid), (await stateOf(mid))?.state]).toEqual([[answer], 'sent'])
  })

  it('retries after a rate limit, and sends one reply when the response of the retry is lost', async () => {
    await harness.faults({ refuse: { times: 1, code: 613, status: 400 } })
    const psid = await harness.createPerson()
    const mid = await write(psid, question)
    expect([await harness.deliveries(psid), (await stateOf(mid))?.state]).toEqual([[], 'sending'])
    await harness.faults({})
    await passTime(1 * minute)
    expect([await harness.deliveries(psid), (await stateOf(mid))?.state]).toEqual([[answer], 'sent'])

    await harness.faults({ refuse: { times: 1, code: 613, status: 400 } })
    const lost = await harness.createPerson()
    const lostMid = await write(lost, question)
    await harness.faults({ loseRequests: 1 })
    for (let minutes = 0; minutes < 20; minutes += 1) await passTime(1 * minute)
    expect([await harness.deliveries(lost), (await stateOf(lostMid))?.state]).toEqual([[], 'sent'])
  })

  it('drops a reply after 15 minutes of refusals, or when staff reply meanwhile', async () => {
    await harness.faults({ refuse: { times: 100, code: 613, status: 400 } })
    const late = await harness.createPerson()
    const lateMid = await write(late, question)
    await passTime(10 * minute)
    const answered = await harness.createPerson()
    const answeredMid = await write(answered, question)
    await harness.control('POST', `/people/${answered}/replies`, { text: 'We are here' })
    await passTime(6 * minute)
    await harness.faults({})
    await passTime(6 * minute)
    expect([
      await harness.deliveries(late),
      (await stateOf(lateMid))?.state,
      (await harness.deliveries(answered)).filter((text) => text === answer),
      (await stateOf(answeredMid))?.state,
    ]).toEqual([[], 'failed', [], 'none'])
  })

  it('does not retry after a permanent refusal', async () => {
    await harness.faults({ refuse: { times: 1, code: 10, subcode: 2018278, status: 403 } })
    const psid = await harness.createPerson()
    const mid = await write(psid, question)
    await passTime(1 * hour)
    expect([await harness.deliveries(psid), (await stateOf(mid))?.state]).toEqual([[], 'failed'])
  })

  it('sends nothing for echoes', async () => {
    const psid = await harness.createPerson()
    const { mid } = await harness.control<{ mid: string }>('POST', `/people/${psid}/replies`, { text: question })
    await harness.settle()
    await harness.settle()
    expect([(await harness.thread(psid)).at(-1)?.message_text, await stateOf(mid)]).toEqual([question, undefined])
    expect((await harness.deliveries(psid)).filter((text) => text === answer)).toEqual([])
  })

  it('sends nothing within an hour after staff wrote, here or in another tool', async () => {
    const psid = await harness.createPerson()
    await harness
      .newSending()
      .send({ key: `staff-${psid}`, staffId: 'staff-1', pageId: prints, psid, text: 'One moment' })
    await write(psid, question)
    await passTime(59 * minute)
    await write(psid, question)
    expect(await harness.deliveries(psid)).toEqual(['One moment'])
    await passTime(2 * minute)
    await write(psid, question)
    expect(await harness.deliveries(psid)).toEqual(['One moment', answer])

    const elsewhere = await harness.createPerson()
    await harness.control('POST', `/people/${elsewhere}/replies`, { text: 'From the phone' })
    await harness.settle()
    await write(elsewhere, question)
    expect((await harness.deliveries(elsewhere)).filter((text) => text === answer)).toEqual([])
  })

  it('sends at most one reply to a person within ten minutes', async () => {
    await addEntry({ id: 'place', keywords: ['where'], response: 'In Marikina.' })
    const psid = await harness.createPerson()
    await write(psid, question)
    await passTime(9 * minute)
    await write(psid, 'And where?')
    expect(await harness.deliveries(psid)).toEqual([answer])
    await passTime(1 * minute)
    await write(psid, 'And where?')
    expect(await harness.deliveries(psid)).toEqual([answer, 'In Marikina.'])
  })

  it('counts a temporarily refused reply as the one reply within ten minutes', async () => {
    await addEntry({ id: 'place', keywords: ['where'], response: 'In Marikina.' })
    await harness.faults({ refuse: { times: 1, code: 613, status: 400 } })
    const psid = await harness.createPerson()
    const [first, second] = [await write(psid, question), await write(psid, 'And where?')]
    expect([(await stateOf(first))?.state, (await stateOf(second))?.state]).toEqual(['sending', 'none'])
    await harness.faults({})
    await passTime(1 * minute)
    expect(await harness.deliveries(psid)).toEqual([answer])
  })

  it('sends one reply for two messages of a person in concurrent processes', async () => {
    const psid = await harness.createPerson()
    const others = [harness.newAutoReply(), harness.newAutoReply()]
    for (const other of others) other.start()
    await Promise.all([
      harness.control('POST', `/people/${psid}/messages`, { text: question }),
      harness.control('POST', `/people/${psid}/messages`, { text: `${question} Please?` }),
    ])
    await harness.settle()
    for (const other of others) {
      other.wake()
      await other.settled()
      await other.stop()
    }
    await harness.settle()
    expect(await harness.deliveries(psid)).toEqual([answer])
  })

  it('sends nothing for an inactive page or a too long response', async () => {
    await harness.db.updateTable('pages').set({ is_active: false }).where('page_id', '=', prints).execute()
    const first = await harness.createPerson('messenger', question)
    await harness.db.updateTable('pages').set({ is_active: true }).where('page_id', '=', prints).execute()
    await addEntry({ id: 'long', keywords: ['hours'], response: 'é'.repeat(600), priority: 9 })
    const second = await harness.createPerson('instagram', question)
    expect([await harness.deliveries(first), await harness.deliveries(second)]).toEqual([[], []])
  })

  it('greets a new person by name', async () => {
    expect(await harness.deliveries(await harness.createPerson('messenger', question))).toEqual([answer])
  })

  it('waits three seconds for a slow profile, and then sends the reply without the name', async () => {
    await harness.lookups.stop()
    const psid = await harness.createPerson('messenger', question)
    await passTime(autoReplyTimes.nameTimeout - 1)
    expect(await harness.deliveries(psid)).toEqual([])
    await passTime(1)
    expect(await harness.deliveries(psid)).toEqual(['Hi! We are open from 9 to 6.'])
    harness.lookups.start()
  })

  it('sends the reply without an unknown name', async () => {
    const { psid } = await harness.control<{ psid: string }>('POST', '/people', {
      pageId: prints,
      platform: 'messenger',
      firstName: 'Amihan',
      lastName: 'Dalisay',
      profileReadable: false,
    })
    await write(psid, question)
    expect(await harness.deliveries(psid)).toEqual(['Hi! We are open from 9 to 6.'])
  })

  it.each(['sending', 'unknown'] as const)('sends nothing while a message of staff is %s', async (state) => {
    const psid = await harness.createPerson()
    const at = new Date(harness.clock.now())
    const send = { page_id: prints, psid, message_text: 'One moment', created_at: at, updated_at: at }
    await harness.db
      .insertInto('sends')
      .values({ idempotency_key: `staff-${psid}`, staff_id: 'staff-1', state, ...send })
      .execute()
    const mid = await write(psid, question)
    expect([await harness.deliveries(psid), (await stateOf(mid))?.state]).toEqual([[], 'none'])
  })

  it('answers the next question although the result of an earlier reply is unknown', async () => {
    const psid = await harness.createPerson()
    await harness.faults({ loseRequests: 1 })
    await write(psid, question)
    await harness.faults({})
    await passTime(11 * minute)
    expect(await harness.deliveries(psid)).toEqual([])
    await write(psid, question)
    expect(await harness.deliveries(psid)).toEqual([answer])
  })

  it('sends nothing for synced messages and messages older than a day', async () => {
    const psid = await harness.createPerson()
    await harness.faults({ holdWebhooks: true })
    await harness.control('POST', `/people/${psid}/messages`, { text: question })
    await harness.sync.history(prints, 'messenger', 100)
    await harness.autoReply.settled()
    expect((await harness.thread(psid)).map(({ message_text }) => message_text)).toContain(question)
    expect(await harness.deliveries(psid)).toEqual([])
    harness.clock.advance(24 * hour)
    await harness.faults({})
    await harness.settle()
    await harness.settle()
    expect(await harness.deliveries(psid)).toEqual([])
  })

  it('sends nothing for a message that is older than the restore of a backup', async () => {
    const psid = await harness.createPerson()
    await harness.faults({ holdWebhooks: true })
    await harness.control('POST', `/people/${psid}/messages`, { text: question })
    harness.clock.advance(minute)
    await harness.db
      .insertInto('restores')
      .values({ restored_at: new Date(harness.clock.now()) })
      .execute()
    await harness.faults({})
    await harness.settle()
    await harness.settle()
    expect((await harness.thread(psid)).map(({ message_text }) => message_text)).toEqual(['Hello po', question])
    expect(await harness.deliveries(psid)).toEqual([])
    await harness.db.deleteFrom('restores').execute()
  })
})
