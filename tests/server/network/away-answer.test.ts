import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { automaticKeyOf } from '../../../src/domain/faq/automatic.ts'
import type { PageHours } from '../../../src/schemas/business-hours.ts'
import { describeOnDatabase } from '../databases.ts'
import { type Harness, openHarness, prints } from '../network-harness.ts'

const minute = 60_000
const hour = 60 * minute

/** A Monday, 20:00 in Manila. */
const evening = Date.parse('2026-03-02T12:00:00Z')
const away = 'Hi Amihan! We are back at 9.'
const office: PageHours = {
  is_on: true,
  spans: [1, 2, 3, 4, 5].map((day) => ({ day, from: '09:00', to: '18:00' })),
  holidays: [],
  text: 'Hi {userName}! We are back at 9.',
}

describeOnDatabase('The away answer', (open) => {
  let harness: Harness

  beforeAll(async () => {
    harness = await openHarness(await open(), { start: evening })
    await harness.connect(prints)
  })
  afterAll(() => harness.close())
  beforeEach(async () => {
    await harness.faults({})
    await harness.db.deleteFrom('faq_entries').execute()
    await harness.db.deleteFrom('restores').execute()
    await setHours(office)
    // Each test begins in the evening of a Monday.
    const week = 7 * 24 * hour
    harness.clock.advance((week - ((harness.clock.now() - evening) % week)) % week)
    await harness.settle()
  })

  const setHours = async (hours: PageHours) => {
    const settings = JSON.stringify({ pages: { [prints]: hours } })
    await harness.db.deleteFrom('business_settings').execute()
    await harness.db
      .insertInto('business_settings')
      .values({ name: 'business-hours', settings, version: 1, updated_at: new Date(0) })
      .execute()
  }
  const createPerson: Harness['createPerson'] = async (...person) => {
    const psid = await harness.createPerson(...person)
    await harness.settle()
    return psid
  }
  const write = async (psid: string, text = 'Is my order ready?') => {
    const { mid } = await harness.control<{ mid: string }>('POST', `/people/${psid}/messages`, { text })
    await harness.settle()
    await harness.settle()
    return mid
  }
  const passTime = async (milliseconds: number) => {
    harness.clock.advance(milliseconds)
    harness.autoReply.wake()
    await harness.settle()
    await harness.settle()
  }
  const conversationOf = async (psid: string) =>
    await harness.db
      .selectFrom('conversations')
      .innerJoin('fb_users', 'fb_users.primary_user_id', 'conversations.primary_user_id')
      .selectAll('conversations')
      .where('psid', '=', psid)
      .executeTakeFirstOrThrow()

  it('is sent once in a closed period, again in the next one, and never while the business is open', async () => {
    const psid = await createPerson()
    const texts = [await harness.deliveries(psid)]
    for (const hours of [1, 5]) {
      await passTime(hours * hour)
      await write(psid)
      texts.push(await harness.deliveries(psid))
    }
    // Tuesday, 10:00 and 19:00.
    await passTime(8 * hour)
    await write(psid)
    texts.push(await harness.deliveries(psid))
    await passTime(9 * hour)
    await write(psid)
    texts.push(await harness.deliveries(psid))
    expect(texts).toEqual([[away], [away], [away], [away], [away, away]])
  })

  it('counts as automatic: the person waits, and the message has its author and key', async () => {
    const psid = await createPerson()
    const [question, answer] = await harness.db
      .selectFrom('messages')
      .innerJoin('fb_users', 'fb_users.id', 'messages.fb_user_id')
      .select(['message_text', 'author', 'idempotency_key', 'message_id', 'timestamp_fb'])
      .where('psid', '=', psid)
      .orderBy('messages.id')
      .execute()
    const { waiting_since, answered_at } = await conversationOf(psid)
    expect(answer).toMatchObject({
      message_text: away,
      author: { kind: 'automatic', title: null },
      idempotency_key: automaticKeyOf(question?.message_id ?? ''),
    })
    expect({ waiting_since, answered_at }).toEqual({
      waiting_since: question?.timestamp_fb,
      answered_at: null,
    })
  })

  it('is not sent for a message that a FAQ entry answers', async () => {
    await harness.db
      .insertInto('faq_entries')
      .values({
        title: 'Where',
        category_id: 'general',
        keywords: ['where'],
        response: 'In Marikina.',
        created_by: null,
      })
      .execute()
    const psid = await createPerson('messenger', 'Where are you?')
    expect(await harness.deliveries(psid)).toEqual(['In Marikina.'])
    await passTime(11 * minute)
    await write(psid)
    expect(await harness.deliveries(psid)).toEqual(['In Marikina.', away])
  })

  it('answers a picture too', async () => {
    const psid = await createPerson()
    await passTime(24 * hour)
    await harness.control('POST', `/people/${psid}/messages`, { attachments: ['image'] })
    await harness.settle()
    await harness.settle()
    expect((await harness.thread(psid)).map(({ message_text }) => message_text)).toEqual(['Hello po', away, null, away])
  })

  it('is not sent to a muted person, on a page without hours, or while they are off', async () => {
    await setHours({ ...office, is_on: false })
    const psid = await createPerson()
    await setHours(office)
    const { primary_user_id } = await conversationOf(psid)
    const mute = (muted_at: Date | null) =>
      harness.db.updateTable('conversations').set({ muted_at }).where('primary_user_id', '=', primary_user_id).execute()
    await mute(new Date(harness.clock.now()))
    await write(psid)
    expect(await harness.deliveries(psid)).toEqual([])
    await mute(null)
    await harness.db.deleteFrom('business_settings').execute()
    await write(psid)
    expect(await harness.deliveries(psid)).toEqual([])
    await setHours(office)
    await write(psid)
    expect(await harness.deliveries(psid)).toEqual([away])
  })

  it('is not sent for a message that arrives late, from before the closed period or after its end', async () => {
    const psid = await createPerson()
    // Tuesday, 17:00: open.
    await passTime(21 * hour)
    await harness.faults({ holdWebhooks: true })
    await harness.control('POST', `/people/${psid}/messages`, { text: 'Before closing' })
    await passTime(2 * hour)
    await harness.faults({})
    await harness.settle()
    await harness.settle()
    expect((await harness.thread(psid)).at(-1)?.message_text).toBe('Before closing')
    await harness.faults({ holdWebhooks: true })
    await harness.control('POST', `/people/${psid}/messages`, { text: 'At night' })
    // Wednesday, 09:00.
    await passTime(14 * hour)
    await harness.faults({})
    await harness.settle()
    await harness.settle()
    expect((await harness.thread(psid)).at(-1)?.message_text).toBe('At night')
    expect(await harness.deliveries(psid)).toEqual([away])
  })

  it('is sent once for two messages that two processes look at, and once if the answer of the network is lost', async () => {
    await setHours({ ...office, is_on: false })
    const [psid, lost] = [await createPerson(), await createPerson()]
    await setHours(office)
    const others = [harness.newAutoReply(), harness.newAutoReply()]
    for (const other of others) other.start()
    await Promise.all([
      harness.control('POST', `/people/${psid}/messages`, { text: 'Hello?' }),
      harness.control('POST', `/people/${psid}/messages`, { text: 'Anybody?' }),
    ])
    await harness.settle()
    for (const other of others) {
      other.wake()
      await other.settled()
      await other.stop()
    }
    await harness.settle()
    await harness.faults({ loseAnswers: 1 })
    await write(lost)
    await harness.faults({})
    await passTime(2 * minute)
    await passTime(hour)
    await write(lost)
    expect([await harness.deliveries(psid), await harness.deliveries(lost)]).toEqual([[away], [away]])
  })

  it('is sent for the next message after a permanent refusal', async () => {
    await harness.faults({ refuse: { times: 1, code: 10, subcode: 2018278, status: 403 } })
    const psid = await createPerson()
    expect(await harness.deliveries(psid)).toEqual([])
    await write(psid)
    expect(await harness.deliveries(psid)).toEqual([away])
  })

  it('is sent for the next message if staff wrote before the retry of a refused one', async () => {
    await harness.faults({ refuse: { times: 1, code: 613, status: 400 } })
    const psid = await createPerson()
    const answers = async () => (await harness.deliveries(psid)).filter((text) => text === away)
    await harness.control('POST', `/people/${psid}/replies`, { text: 'From the phone' })
    await harness.settle()
    await passTime(minute)
    expect(await answers()).toEqual([])
    await passTime(2 * hour)
    await write(psid)
    expect(await answers()).toEqual([away])
  })

  it('is dropped after a temporary refusal if the business opens before the retry', async () => {
    const psid = await createPerson()
    // Tuesday, 08:55.
    await passTime(24 * hour)
    await passTime(12 * hour + 55 * minute)
    await harness.faults({ refuse: { times: 1, code: 613, status: 400 } })
    const mid = await write(psid)
    await passTime(6 * minute)
    const { state } = await harness.db
      .selectFrom('auto_replies')
      .select('state')
      .where('message_id', '=', mid)
      .executeTakeFirstOrThrow()
    expect([state, await harness.deliveries(psid)]).toEqual(['none', [away]])
  })

  it('is dropped after a temporary refusal if the hours are switched off before the retry', async () => {
    await harness.faults({ refuse: { times: 1, code: 613, status: 400 } })
    const psid = await createPerson()
    await setHours({ ...office, is_on: false })
    await passTime(minute)
    expect(await harness.deliveries(psid)).toEqual([])
  })

  it('is not sent again in the closed period in which a backup was restored', async () => {
    const psid = await createPerson()
    await harness.db.deleteFrom('away_answers').execute()
    await harness.db
      .insertInto('restores')
      .values({ restored_at: new Date(harness.clock.now()) })
      .execute()
    await passTime(hour)
    await write(psid)
    expect(await harness.deliveries(psid)).toEqual([away])
  })

  it('is sent once to a person with two identities, and its record is deleted with the identity', async () => {
    const psid = await createPerson()
    const { primary_user_id } = await conversationOf(psid)
    const { id } = await harness.db
      .insertInto('fb_users')
      .values({ page_id: prints, psid: `other-${psid}`, platform: 'messenger', primary_user_id, name: 'Amihan' })
      .returning('id')
      .executeTakeFirstOrThrow()
    // The answer was given to the other identity of the person.
    await harness.db.updateTable('away_answers').set({ fb_user_id: id }).execute()
    await passTime(hour)
    await write(psid)
    expect(await harness.deliveries(psid)).toEqual([away])
    await harness.db.deleteFrom('fb_users').where('id', '=', id).execute()
    expect(await harness.db.selectFrom('away_answers').selectAll().execute()).toEqual([])
  })
})
