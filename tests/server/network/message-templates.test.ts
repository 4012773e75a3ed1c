import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { Graph } from '../../../server/network/graph/graph.ts'
import { createMessageTemplates } from '../../../server/network/send/message-templates.ts'
import { SendRefused } from '../../../server/network/send/send-refusals.ts'
import type { SendOrder } from '../../../server/network/send/stored-sends.ts'
import type { StructuredContent } from '../../../src/schemas/structured-message.ts'
import { describeOnDatabase } from '../databases.ts'
import { type Harness, openHarness, prints } from '../network-harness.ts'

const day = 24 * 60 * 60_000

async function codeOf(sending: Promise<unknown>) {
  const error = await sending.then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof SendRefused)) throw new Error('the send was not refused', { cause: error })
  return error.code
}

const reminder: StructuredContent = {
  kind: 'template',
  name: 'payment_reminder',
  language: 'en',
  header: [{ name: 'order_id', value: '1042' }],
  body: [
    { name: 'customer_name', value: 'Ana' },
    { name: 'amount', value: '₱300.00' },
  ],
}
const reminderText = 'Payment for order 1042\nHello Ana, an amount of ₱300.00 is still open. Thank you for your order!'

describeOnDatabase('Templates of a page', (open) => {
  let harness: Harness

  beforeAll(async () => {
    harness = await openHarness(await open())
    await harness.connect(prints)
  })
  afterAll(() => harness.close())
  beforeEach(() => harness.faults({}))

  const order = (psid: string, change: Partial<SendOrder> = {}): SendOrder => ({
    key: randomUUID(),
    staffId: 'staff-1',
    pageId: prints,
    psid,
    text: reminderText,
    structured: reminder,
    ...change,
  })
  /** A person whom the network refuses every other message to. */
  const silentPerson = async () => {
    const psid = await harness.createPerson()
    harness.clock.advance(8 * day)
    return psid
  }
  const outgoing = async (psid: string) =>
    (await harness.thread(psid))
      .filter(({ direction }) => direction === 'outgoing')
      .map(({ message_text, idempotency_key }) => ({ text: message_text, key: idempotency_key }))

  it('are listed if they are approved and need only texts', async () => {
    const templates = createMessageTemplates({ graph: harness.graph, calls: harness.calls, clock: harness.clock })
    expect(await templates.list(prints)).toEqual([
      expect.objectContaining({ name: 'delivery_today', language: 'fil', header: null, buttons: [] }),
      expect.objectContaining({ name: 'order_ready', language: 'en', header: null, buttons: [] }),
      {
        id: '7635027653257091',
        name: 'payment_reminder',
        language: 'en',
        header: 'Payment for order {{order_id}}',
        body: 'Hello {{customer_name}}, an amount of {{amount}} is still open. Thank you for your order!',
        buttons: [{ title: 'I have paid', url: null }],
      },
    ])
  })

  it('are asked for once a minute, and again after a failure', async () => {
    let reads = 0
    let fails = true
    const graph: Pick<Graph, 'templates'> = {
      templates: async (...input) => {
        reads += 1
        if (fails) throw new Error('no answer')
        return harness.graph.templates(...input)
      },
    }
    const templates = createMessageTemplates({ graph, calls: harness.calls, clock: harness.clock })
    await expect(templates.list(prints)).rejects.toThrow('no answer')
    fails = false
    await Promise.all([templates.list(prints), templates.list(prints)])
    harness.clock.advance(59_000)
    await templates.list(prints)
    expect(reads).toBe(2)
    harness.clock.advance(1_000)
    await templates.list(prints)
    expect(reads).toBe(3)
  })

  it('reach a person who wrote more than seven days ago, once for each key', async () => {
    const psid = await silentPerson()
    const { structured: _, ...text } = order(psid, { text: 'Hello po' })
    expect(await codeOf(harness.newSending().send(text))).toBe('NETWORK_10')
    const sent = order(psid)
    const answer = await harness.newSending().send(sent)
    expect(await harness.newSending().send(sent)).toEqual(answer)
    await harness.settle()
    expect(await harness.deliveries(psid)).toEqual([reminderText])
    expect(await outgoing(psid)).toEqual([{ text: reminderText, key: sent.key }])
  })

  it('refuse a key that was used with other values', async () => {
    const psid = await silentPerson()
    const sent = order(psid)
    await harness.newSending().send(sent)
    const other = { ...reminder, header: [{ name: 'order_id', value: '7' }] }
    expect(await codeOf(harness.newSending().send({ ...sent, structured: other }))).toBe('KEY_REUSED')
    const { structured: _, ...text } = sent
    expect(await codeOf(harness.newSending().send(text))).toBe('KEY_REUSED')
  })

  it.each<[string, Partial<SendOrder>]>([
    ['a text that the template does not give', { text: 'Buy now!' }],
    ['a template that is not approved', { structured: { ...reminder, name: 'review_pending' } }],
    ['a template in another language', { structured: { ...reminder, language: 'fil' } }],
    ['a missing value', { structured: { ...reminder, header: [] } }],
  ])('are not sent with %s', async (_, change) => {
    const psid = await silentPerson()
    expect(await codeOf(harness.newSending().send(order(psid, change)))).toBe('TEMPLATE_CHANGED')
    expect(await harness.deliveries(psid)).toEqual([])
  })

  it('are not sent on Instagram', async () => {
    const psid = await harness.createPerson('instagram')
    expect(await codeOf(harness.newSending().send(order(psid)))).toBe('TEMPLATES_NOT_OFFERED')
  })

  it('are found again on the network after an answer was lost, so that a retry does not send twice', async () => {
    const psid = await silentPerson()
    const sent = order(psid)
    await harness.faults({ loseAnswers: 1 })
    expect(await codeOf(harness.newSending().send(sent))).toBe('NO_ANSWER')
    expect(await codeOf(harness.newSending().send(sent))).toBe('LISTED_ALIKE')
    expect(await harness.deliveries(psid)).toEqual([reminderText])
  })

  it('are forgotten with the texts of an erased person', async () => {
    const psid = await silentPerson()
    const sent = order(psid)
    await harness.newSending().send(sent)
    const { removeTextsOfSends } = await import('../../../server/people/erased-rows.ts')
    await removeTextsOfSends({ db: harness.db, erasedPeople: harness.erasedPeople }, prints, psid, async () => {})
    const rows = await harness.db
      .selectFrom('sends')
      .select(['message_text', 'structured'])
      .where('idempotency_key', '=', sent.key)
      .execute()
    expect(rows).toEqual([{ message_text: null, structured: null }])
  })
})
