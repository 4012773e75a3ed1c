import { randomUUID } from 'node:crypto'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { renewSubscriptions } from '../../../server/network/pages/renew-subscriptions.ts'
import { createReacting } from '../../../server/network/send/reacting.ts'
import { SendRefused } from '../../../server/network/send/send-refusals.ts'
import { createSenderActions } from '../../../server/network/send/sender-actions.ts'
import type { Reaction } from '../../../src/schemas/reactions-receipts-replies.ts'
import { describeOnDatabase } from '../databases.ts'
import { type Harness, openHarness, prints } from '../network-harness.ts'

type Action = { action: string; mid: string | null; reaction: string | null }
const hour = 60 * 60_000

describeOnDatabase('Reactions and sender actions of a page', (open) => {
  let harness: Harness
  let reacting: ReturnType<typeof createReacting>
  let senderActions: ReturnType<typeof createSenderActions>

  beforeAll(async () => {
    harness = await openHarness(await open())
    await harness.connect(prints)
    reacting = createReacting(harness)
    senderActions = createSenderActions(harness)
  })
  afterAll(async () => {
    await senderActions.stop()
    await harness.close()
  })

  const actionsOf = async (psid: string) =>
    (await harness.control<Action[]>('GET', `/people/${psid}/actions`)).map(({ action, mid, reaction }) =>
      mid === null ? action : `${action} ${reaction}`,
    )
  const messageOf = async (psid: string) => {
    const row = await harness.db
      .selectFrom('messages')
      .innerJoin('fb_users', 'fb_users.id', 'messages.fb_user_id')
      .select(['message_id', 'messages.primary_user_id', 'reactions'])
      .where('psid', '=', psid)
      .orderBy('timestamp_fb')
      .executeTakeFirstOrThrow()
    return { id: row.message_id, conversation: row.primary_user_id, reactions: row.reactions }
  }
  const shown = (reactions: Reaction[] | null) => reactions?.map(({ by, emoji }) => [by, emoji])
  const refusalOf = (promise: Promise<unknown>) =>
    promise.then(
      () => 'none',
      (error: unknown) => (error instanceof SendRefused ? [error.status, error.code] : error),
    )

  describe('a reaction', () => {
    it.each([
      ['messenger', '👍', 'react 👍'],
      ['instagram', '❤', 'react ❤'],
    ] as const)('reaches the person on %s, is stored, changed and taken back', async (platform, emoji, sent) => {
      const psid = await harness.createPerson(platform)
      const { id } = await messageOf(psid)
      expect(await reacting.react(id, emoji)).toBe(true)
      expect(shown((await messageOf(psid)).reactions)).toEqual([['page', emoji]])
      harness.clock.advance(1_000)
      await reacting.react(id, null)
      await harness.settle()
      expect(shown((await messageOf(psid)).reactions)).toEqual([['page', null]])
      expect(await actionsOf(psid)).toEqual([sent, 'unreact null'])
    })

    it('stays as it was if the network refuses', async () => {
      const psid = await harness.createPerson()
      const { id } = await messageOf(psid)
      await harness.faults({ refuse: { times: 1, code: 551, status: 400 } })
      expect(await refusalOf(reacting.react(id, '❤'))).toEqual([422, 'NETWORK_551'])
      expect((await messageOf(psid)).reactions).toBe(null)
    })

    it.each([
      ['an emoji that Instagram does not take', 'instagram', '👍', 0, [422, 'REACTION_NOT_OFFERED']],
      ['an emoji that is none', 'messenger', 'hello', 0, [422, 'REACTION_NOT_OFFERED']],
      ['a reaction after the reply window', 'messenger', '❤', 25 * hour, [422, 'TOO_LATE_TO_REACT']],
    ] as const)('is refused before the network is asked: %s', async (_, platform, emoji, age, refusal) => {
      const psid = await harness.createPerson(platform)
      const { id } = await messageOf(psid)
      const at = new Date(harness.clock.now() - age)
      await harness.db.updateTable('messages').set({ timestamp_fb: at }).where('message_id', '=', id).execute()
      expect([await refusalOf(reacting.react(id, emoji)), await actionsOf(psid)]).toEqual([refusal, []])
    })

    it('needs a message', async () => expect(await reacting.react('no such message', '❤')).toBe(false))

    it('of the person arrives by a webhook, and the page reacts beside it', async () => {
      const psid = await harness.createPerson()
      const { id } = await messageOf(psid)
      await harness.control('POST', `/people/${psid}/reactions`, { mid: id, emoji: '😮' })
      await harness.settle()
      await reacting.react(id, '❤')
      expect(shown((await messageOf(psid)).reactions)).toEqual([
        ['page', '❤'],
        ['person', '😮'],
      ])
    })
  })

  describe('a reply to a certain message', () => {
    it('names it to the network, is stored with it, and leaves once with its key', async () => {
      const psid = await harness.createPerson('messenger', 'Open na po ba?')
      const { id } = await messageOf(psid)
      const order = { key: randomUUID(), staffId: 's', pageId: prints, psid, text: 'Opo', replyTo: id }
      const sending = harness.newSending()
      const [one, other] = await Promise.all([sending.send(order), sending.send(order)])
      await harness.settle()
      expect(one).toEqual(other)
      const delivered = await harness.control<{ reply_to: string }[]>('GET', `/people/${psid}/deliveries`)
      expect(delivered.map(({ reply_to }) => reply_to)).toEqual([id])
      const row = await harness.db
        .selectFrom('messages')
        .select('reply_to')
        .where('message_id', '=', one.messageId)
        .executeTakeFirstOrThrow()
      expect(row.reply_to).toEqual({
        message_id: id,
        state: 'known',
        direction: 'incoming',
        author: null,
        text: 'Open na po ba?',
      })
      expect(await refusalOf(sending.send({ ...order, replyTo: one.messageId }))).toEqual([409, 'KEY_REUSED'])
    })

    it('is refused if the original is not in the chat', async () => {
      const [psid, other] = [await harness.createPerson(), await harness.createPerson()]
      const order = { key: randomUUID(), staffId: 's', pageId: prints, psid, text: 'Opo' }
      const replyTo = (await messageOf(other)).id
      expect(await refusalOf(harness.newSending().send({ ...order, replyTo }))).toEqual([422, 'ORIGINAL_GONE'])
      expect(await harness.deliveries(psid)).toEqual([])
    })
  })

  describe('what customers see of staff', () => {
    const allow = (change: { shows_typing?: boolean; shows_seen?: boolean }) =>
      harness.db.updateTable('pages').set(change).where('page_id', '=', prints).execute()

    it('is nothing unless the settings of the page say so', async () => {
      await allow({ shows_typing: false, shows_seen: false })
      const psid = await harness.createPerson()
      const { conversation } = await messageOf(psid)
      senderActions.typing('tab-1', conversation, true)
      senderActions.seen(conversation, null)
      await senderActions.settled()
      expect(await actionsOf(psid)).toEqual([])
    })

    it('is that somebody writes, at most once in 10 s by all processes, until nobody does', async () => {
      await allow({ shows_typing: true })
      const psid = await harness.createPerson()
      const { conversation } = await messageOf(psid)
      const other = createSenderActions(harness)
      for (const process of [senderActions, other, senderActions]) {
        process.typing('tab-1', conversation, true)
        await process.settled()
      }
      expect(await actionsOf(psid)).toEqual(['typing_on'])
      harness.clock.advance(10_000)
      senderActions.typing('tab-2', conversation, true)
      await senderActions.settled()
      senderActions.left('tab-2')
      await senderActions.settled()
      expect(await actionsOf(psid)).toEqual(['typing_on', 'typing_on'])
      senderActions.typing('tab-1', conversation, false)
      await senderActions.settled()
      expect(await actionsOf(psid)).toEqual(['typing_on', 'typing_on', 'typing_off'])
    })

    it('is that their messages were read, on the page that was read', async () => {
      await allow({ shows_typing: false, shows_seen: true })
      const psid = await harness.createPerson()
      const { conversation } = await messageOf(psid)
      senderActions.seen(conversation, 'another page')
      senderActions.seen(conversation, prints)
      await senderActions.settled()
      expect(await actionsOf(psid)).toEqual(['mark_seen'])
    })

    it('waits for at most a hundred calls', async () => {
      await allow({ shows_seen: true })
      const { conversation } = await messageOf(await harness.createPerson())
      const { promise, resolve } = Promise.withResolvers<void>()
      let calls = 0
      const act = () => {
        calls += 1
        return promise
      }
      const slow = createSenderActions({ ...harness, graph: { act } })
      for (let count = 0; count < 150; count++) slow.seen(conversation, null)
      resolve()
      await slow.settled()
      expect(calls).toBe(104)
    })

    it('fails in silence, and outside of the reply window is not tried', async () => {
      await allow({ shows_seen: true })
      const psid = await harness.createPerson()
      const { conversation } = await messageOf(psid)
      const failing = createSenderActions({
        ...harness,
        graph: { act: () => Promise.reject(new Error('the network is away')) },
      })
      failing.seen(conversation, null)
      await failing.settled()
      harness.clock.advance(25 * hour)
      senderActions.seen(conversation, null)
      await senderActions.settled()
      expect(await actionsOf(psid)).toEqual([])
    })
  })

  it('subscribes each page once to the fields that this release reads, and again after a failure', async () => {
    const logger = pino({ level: 'silent' })
    const subscribed: string[] = []
    let isAway = true
    const graph = {
      subscribe: async (_: string, pageId: string) => {
        if (isAway) throw new Error('the network is away')
        subscribed.push(pageId)
      },
    }
    await harness.db.updateTable('pages').set({ webhook_fields: 'messages' }).execute()
    await renewSubscriptions({ ...harness, graph, logger })
    isAway = false
    await renewSubscriptions({ ...harness, graph, logger })
    await renewSubscriptions({ ...harness, graph, logger })
    expect(subscribed).toEqual([prints])
  })
})
