import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { listConversations } from '../../../server/database/conversation-list.ts'
import { listMessages } from '../../../server/database/thread.ts'
import type { Graph } from '../../../server/network/graph/graph.ts'
import { settleSend } from '../../../server/network/store/store.ts'
import { describeOnDatabase } from '../databases.ts'
import { type Harness, openHarness, prints } from '../network-harness.ts'

describeOnDatabase('The author of an outgoing message', (open) => {
  let harness: Harness

  beforeAll(async () => {
    harness = await openHarness(await open())
    await harness.connect(prints)
    await harness.db
      .insertInto('faq_entries')
      .values({ id: 'hours', title: 'Opening hours', category_id: 'general', keywords: ['bukas'], response: '9 to 6' })
      .execute()
  })
  afterAll(() => harness.close())

  const authorsOf = async (psid: string) => {
    const { id, primary_user_id } = await harness.db
      .selectFrom('fb_users')
      .select(['id', 'primary_user_id'])
      .where('psid', '=', psid)
      .executeTakeFirstOrThrow()
    const { messages } = await listMessages(harness.db, primary_user_id, { page: 1, limit: 50 })
    const { rows } = await listConversations(
      harness.db,
      { page: 1, limit: 1, search: primary_user_id },
      { staffId: 's1', now: harness.clock.now(), country: 'PH', seesAmounts: true },
    )
    return {
      fbUserId: id,
      messages: messages
        .filter(({ direction }) => direction === 'outgoing')
        .map(({ message_text, author }) => [message_text, author]),
      preview: rows.map((row) => row.last_message_author),
    }
  }
  const order = (psid: string, text: string, staffId: string) => ({
    key: randomUUID(),
    staffId,
    pageId: prints,
    psid,
    text,
  })

  it('is the staff member who sent it, the FAQ entry of an automatic reply, or outside', async () => {
    const psid = await harness.createPerson('messenger', 'Bukas po ba kayo?')
    await harness.settle()
    // The messages stand in the order of their times.
    harness.clock.advance(1000)
    await harness.newSending().send(order(psid, 'Opo', 'ana'))
    harness.clock.advance(1000)
    await harness.newSending().send(order(psid, 'Hanggang 6', 'ben'))
    harness.clock.advance(1000)
    await harness.control('POST', `/people/${psid}/replies`, { text: 'From the phone' })
    await harness.settle()
    const { messages, preview } = await authorsOf(psid)
    expect([messages, preview]).toEqual([
      [
        ['9 to 6', { kind: 'automatic', title: 'Opening hours', faq_id: expect.any(String) }],
        ['Opo', { kind: 'staff', id: 'ana' }],
        ['Hanggang 6', { kind: 'staff', id: 'ben' }],
        ['From the phone', { kind: 'outside' }],
      ],
      [{ kind: 'outside' }],
    ])
  })

  it('is not known while the message may be a send without a result, and is named when the send is settled', async () => {
    const psid = await harness.createPerson()
    const sent = order(psid, 'Sandali lang po', 'ana')
    const silent: Graph = {
      ...harness.graph,
      send: async () => {
        throw new Error('the connection broke')
      },
    }
    await harness
      .newSending(silent)
      .send(sent)
      .catch(() => {})
    const { fbUserId } = await authorsOf(psid)
    const store = (message_id: string, message_text: string) =>
      harness.db
        .insertInto('messages')
        .values({
          message_id,
          fb_user_id: fbUserId,
          message_text,
          direction: 'outgoing',
          timestamp_fb: new Date(harness.clock.now() + 1000),
        })
        .execute()
    await store('listed-1', 'Sandali lang po')
    const before = await authorsOf(psid)
    await settleSend(harness.db, sent.key, 'listed-1')
    await store('listed-2', 'Sandali lang po')
    const after = await authorsOf(psid)
    expect([before.messages, after.messages]).toEqual([
      [['Sandali lang po', null]],
      [
        ['Sandali lang po', { kind: 'staff', id: 'ana' }],
        ['Sandali lang po', { kind: 'outside' }],
      ],
    ])
  })
})
