import { sql, type Transaction } from 'kysely'
import { isAutomaticKey } from '../../../src/domain/faq/automatic.ts'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/database.ts'
import type { Tables } from '../../database/tables.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Logger } from '../../logger.ts'
import type { Graph } from '../graph/graph.ts'
import { GraphError } from '../graph/graph-error.ts'
import { graphMessage } from '../graph/graph-shapes.ts'
import { type PageCalls, PageUnusable } from '../graph/page-calls.ts'
import { storable } from '../store/storable.ts'
import { settleSend, storeMessages } from '../store/store.ts'
import {
  beingSent,
  checkLength,
  decidedMeanwhile,
  notCertain,
  notFound,
  otherMessage,
  pageInactive,
  refusalOf,
  tokenUnreadable,
  unknownRecipient,
} from './send-refusals.ts'

export type SendOrder = { key: string; staffId: string; pageId: string; psid: string; text: string }
export type SentMessage = { messageId: string; createdAt: string }

export type Sending = ReturnType<typeof createSending>

const day = 24 * 60 * 60 * 1000
/** A request to the network ends before this; a send that is still marked as under way then lost its process. */
export const abandonedAfter = 20_000
const lookEvery = 250
/** The network's clock and ours may differ; its times are whole seconds. */
const clockTolerance = 5_000

/**
 * What happens to a message of which nobody knows whether an earlier request delivered it. The network's list is read
 * first in every case; where the message is not listed:
 *   'resend': it is sent again, because the person asked for it again.
 *   'never': it stays unconfirmed.
 *   { tries }: it is sent again if it has left that often until now, so that two such orders send once.
 */
type WhenUnconfirmed = 'resend' | 'never' | { tries: number }

/**
 * Sends messages, each under an idempotency key (spec section 7, POST /facebook/send-message). The same key with the same
 * message gets the same answer. A request whose result is unknown may have delivered the message: the network's list is
 * read before the message is sent again, and a message that the list does not show yet may then arrive twice.
 */
export function createSending({
  db,
  graph,
  calls,
  clock,
  logger,
}: {
  db: Db
  graph: Graph
  calls: Pick<PageCalls, 'refused' | 'tokenOf'>
  clock: Clock
  logger: Logger
}) {
  const underWay = new Map<string, { order: SendOrder; answer: Promise<SentMessage> }>()

  async function run(order: SendOrder, whenUnconfirmed: WhenUnconfirmed): Promise<SentMessage> {
    if (whenUnconfirmed === 'never') await noteAbandoned(order)
    const earlier = await earlierSend(order)
    if (earlier?.answer) return earlier.answer
    const mayHaveLeft = earlier !== null && earlier.state !== 'failed'
    const recipient = await checkedRecipient(order).catch((error: unknown) => {
      // A person who retries knows that it may have arrived, and is told why it did not leave again.
      throw mayHaveLeft && typeof whenUnconfirmed !== 'object' ? notCertain(error) : error
    })
    const claim = earlier ? null : await claimNew(order)
    return claim ? deliver(order, recipient, claim) : again(order, recipient, whenUnconfirmed)
  }

  /** A send whose process was killed is unconfirmed, even if its page cannot be asked about it now. */
  async function noteAbandoned({ key }: SendOrder): Promise<void> {
    await db
      .updateTable('sends')
      .set({ state: 'unknown' })
      .where('idempotency_key', '=', key)
      .where('state', '=', 'sending')
      .where('updated_at', '<=', new Date(clock.now() - abandonedAfter))
      .execute()
  }

  /** One request at a time for the same key and the same `whenUnconfirmed`; across processes the claims see to that. */
  async function start(asked: SendOrder, whenUnconfirmed: WhenUnconfirmed): Promise<SentMessage> {
    const order = { ...asked, text: storable(asked.text) }
    const id = JSON.stringify([order.key, whenUnconfirmed])
    const same = underWay.get(id)
    if (same) {
      if (!sameMessage(order, same.order)) throw otherMessage()
      return same.answer
    }
    const answer = run(order, whenUnconfirmed).finally(() => underWay.delete(id))
    underWay.set(id, { order, answer })
    return answer
  }

  /** What is remembered of this key, with the answer where it was sent. Throws when it was another message. */
  async function earlierSend(order: SendOrder) {
    const send = await db.selectFrom('sends').selectAll().where('idempotency_key', '=', order.key).executeTakeFirst()
    if (!send) return null
    if (!sameMessage(order, { pageId: send.page_id, psid: send.psid, text: send.message_text })) throw otherMessage()
    const messageId = send.state === 'sent' ? send.message_id : null
    return { ...send, answer: messageId === null ? null : await storedAnswer(messageId, send.updated_at) }
  }

  async function checkedRecipient(order: SendOrder): Promise<Recipient> {
    const row = await db
      .selectFrom('fb_users')
      .innerJoin('pages', 'pages.page_id', 'fb_users.page_id')
      .select((select) => [
        'fb_users.id as fbUserId',
        'fb_users.platform',
        'pages.is_active',
        'pages.page_access_token_encrypted',
        select
          .selectFrom('messages')
          .select((newest) => newest.fn.max('timestamp_fb').as('at'))
          .whereRef('messages.fb_user_id', '=', 'fb_users.id')
          .where('direction', '=', 'incoming')
          .as('last_incoming_at'),
      ])
      .where('fb_users.page_id', '=', order.pageId)
      .where('fb_users.psid', '=', order.psid)
      .executeTakeFirst()
    if (!row) throw unknownRecipient()
    if (!row.is_active) throw pageInactive()
    checkLength(row.platform, order.text)
    return {
      fbUserId: row.fbUserId,
      platform: row.platform,
      token: await tokenOf(order.pageId, row.page_access_token_encrypted),
      storedToken: row.page_access_token_encrypted,
      humanAgent: row.last_incoming_at !== null && clock.now() - row.last_incoming_at.getTime() > day,
    }
  }

  async function tokenOf(pageId: string, storedToken: string): Promise<string> {
    try {
      return await calls.tokenOf(pageId, storedToken)
    } catch (error) {
      throw error instanceof PageUnusable ? tokenUnreadable() : error
    }
  }

  /** Answers null where the key is remembered already. */
  async function claimNew({ key, staffId, pageId, psid, text }: SendOrder): Promise<Claim | null> {
    const now = new Date(clock.now())
    return inTransaction(db, async (trx) => {
      if (!(await holdPage(trx, pageId))) throw unknownRecipient()
      const made = await trx
        .insertInto('sends')
        .values({
          idempotency_key: key,
          staff_id: staffId,
          page_id: pageId,
          psid,
          message_text: text,
          state: 'sending',
          created_at: now,
          updated_at: now,
        })
        .onConflict((conflict) => conflict.column('idempotency_key').doNothing())
        .returning('idempotency_key')
        .executeTakeFirst()
      return made ? { state: 'sending', updatedAt: now } : null
    })
  }

  /** The key was used before: answer as then, or find out what became of it. */
  async function again(order: SendOrder, recipient: Recipient, whenUnconfirmed: WhenUnconfirmed): Promise<SentMessage> {
    const deadline = clock.now() + abandonedAfter + lookEvery
    for (;;) {
      const send = await earlierSend(order)
      if (send === null) throw new Error('a remembered send vanished')
      if (send.answer) return send.answer
      const isOutdated = typeof whenUnconfirmed === 'object' && whenUnconfirmed.tries !== send.tries
      if (send.state === 'discarded' || isOutdated) throw decidedMeanwhile()

      const abandoned = clock.now() - send.updated_at.getTime() >= abandonedAfter
      if (send.state !== 'sending' || abandoned) {
        const claim = await claimAgain(order, { state: send.state, updatedAt: send.updated_at })
        if (claim) {
          return send.state === 'failed'
            ? deliver(order, recipient, claim)
            : lookFirst(order, recipient, { askedAt: send.created_at, claim, whenUnconfirmed })
        }
      }
      if (clock.now() >= deadline) throw beingSent()
      await new Promise<void>((resolve) => clock.after(lookEvery, resolve))
    }
  }

  /**
   * Takes over a send as it was last seen; returns the new claim, or null where another process was faster. `isNewTry`
   * says that an unconfirmed message is about to leave once more.
   */
  async function claimAgain({ key, pageId }: SendOrder, seen: Claim, { isNewTry = false } = {}): Promise<Claim | null> {
    const updatedAt = new Date(clock.now())
    return inTransaction(db, async (trx) => {
      if (!(await holdPage(trx, pageId))) return null
      const claimed = await trx
        .updateTable('sends')
        .set((send) => ({
          state: 'sending',
          updated_at: updatedAt,
          ...(isNewTry ? { tries: send('tries', '+', 1) } : {}),
        }))
        .where('idempotency_key', '=', key)
        .where('state', '=', seen.state)
        .where(asOf(seen))
        .returning('idempotency_key')
        .executeTakeFirst()
      return claimed ? { state: 'sending', updatedAt } : null
    })
  }

  async function storedAnswer(messageId: string, fallback: Date): Promise<SentMessage> {
    const message = await db
      .selectFrom('messages')
      .select('timestamp_fb')
      .where('message_id', '=', messageId)
      .executeTakeFirst()
    return { messageId, createdAt: (message?.timestamp_fb ?? fallback).toISOString() }
  }

  async function lookFirst(
    order: SendOrder,
    recipient: Recipient,
    { askedAt, claim, whenUnconfirmed }: { askedAt: Date; claim: Claim; whenUnconfirmed: WhenUnconfirmed },
  ): Promise<SentMessage> {
    let found: SentMessage | null
    try {
      found = await findOnNetwork(order, recipient, askedAt)
    } catch (error) {
      await calls.refused(order.pageId, recipient.storedToken, error)
      return settledMeanwhile(order, claim, { state: 'unknown', error, told: notCertain(error) })
    }
    if (found === null && whenUnconfirmed === 'never') {
      return settledMeanwhile(order, claim, { state: 'unknown', error: null, told: notFound() })
    }
    if (found === null) {
      // Reading the list takes time. If another process took the send over meanwhile, that one sends and this one stops.
      const renewed = await claimAgain(order, claim, { isNewTry: true })
      if (!renewed) throw beingSent()
      return deliver(order, recipient, renewed, { mayHaveLeft: true })
    }
    logger.info({ pageId: order.pageId, messageId: found.messageId }, 'an unconfirmed message was found on the network')
    return commit(order, recipient, found)
  }

  /** A message of this text that the page sent since it was asked for, and that no other send accounts for. */
  async function findOnNetwork(order: SendOrder, recipient: Recipient, askedAt: Date): Promise<SentMessage | null> {
    const { conversations } = await graph.conversations(recipient.token, {
      pageId: order.pageId,
      platform: recipient.platform,
      psid: order.psid,
      limit: 1,
    })
    const candidates = conversations
      .flatMap(({ messages }) => messages?.data ?? [])
      .flatMap((value) => {
        const read = graphMessage.safeParse(value)
        return read.success ? [read.data] : []
      })
      .filter(
        (message) =>
          message.from?.id !== order.psid &&
          message.message === order.text &&
          Date.parse(message.created_time) >= askedAt.getTime() - clockTolerance,
      )
      .sort((one, other) => Date.parse(one.created_time) - Date.parse(other.created_time))
    for (const { id, created_time } of candidates) {
      const taken = await db
        .selectFrom('sends')
        .select('idempotency_key')
        .where('message_id', '=', id)
        .executeTakeFirst()
      // Whole seconds would put it before what it answers.
      const at = Math.max(Date.parse(created_time), askedAt.getTime())
      if (!taken) return { messageId: id, createdAt: new Date(at).toISOString() }
    }
    return null
  }

  /** `mayHaveLeft`: an earlier try was never heard of, and the network did not show it. */
  async function deliver(
    order: SendOrder,
    recipient: Recipient,
    claim: Claim,
    { mayHaveLeft = false } = {},
  ): Promise<SentMessage> {
    let messageId: string
    try {
      messageId = await graph.send(recipient.token, {
        pageId: order.pageId,
        psid: order.psid,
        text: order.text,
        humanAgent: recipient.humanAgent && !isAutomaticKey(order.key),
        ...(recipient.platform === 'messenger' ? { metadata: order.key } : {}),
      })
    } catch (error) {
      await calls.refused(order.pageId, recipient.storedToken, error)
      const isRefused = error instanceof GraphError && !error.uncertain
      return settledMeanwhile(order, claim, {
        state: isRefused && !mayHaveLeft ? 'failed' : 'unknown',
        error,
        told: isRefused ? refusalOf(error) : notCertain(error),
      })
    }
    return commit(order, recipient, { messageId, createdAt: new Date(clock.now()).toISOString() })
  }

  async function commit(order: SendOrder, { fbUserId }: Recipient, sent: SentMessage): Promise<SentMessage> {
    const { messageId, createdAt } = sent
    await inTransaction(db, async (trx) => {
      const key = await settleSend(trx, order.key, messageId)
      const at = new Date(createdAt)
      await storeMessages(trx, fbUserId, [
        { messageId, direction: 'outgoing', text: order.text, attachments: null, at, isRead: true, key },
      ])
    })
    return storedAnswer(sent.messageId, new Date(sent.createdAt))
  }

  /**
   * Remembers what went wrong and throws what is told of it, unless an echo has settled the send in the meantime. A
   * send that somebody else has taken over by now is theirs to settle.
   */
  async function settledMeanwhile(
    order: SendOrder,
    claim: Claim,
    { state, error, told }: { state: 'unknown' | 'failed'; error: unknown; told: unknown },
  ): Promise<SentMessage> {
    const numbers =
      error instanceof GraphError ? { status: error.status, code: error.code, subcode: error.subcode } : {}
    const remembered = await db
      .updateTable('sends')
      .set({ state, error: JSON.stringify(numbers), updated_at: new Date(clock.now()) })
      .where('idempotency_key', '=', order.key)
      .where('state', '=', 'sending')
      .where(asOf(claim))
      .returning('idempotency_key')
      .executeTakeFirst()
    const settled = await earlierSend(order)
    if (settled?.answer) return settled.answer
    if (!remembered) throw beingSent()
    logger.warn({ pageId: order.pageId, state, ...numbers }, 'a message was not confirmed by the network')
    throw told
  }

  return {
    /** Sends a message that a person wrote, or retries it. Throws SendRefused with what staff are told. */
    send: (order: SendOrder): Promise<SentMessage> => start(order, 'resend'),

    /**
     * Sends a message that nobody asked for. It is sent again only while every earlier request was refused in a way that
     * proves that nothing was delivered; otherwise the network's list is read, and nothing is sent. Throws SendRefused:
     * a status of 503 or 504 says that the message may have arrived or is still being sent.
     */
    sendOnce: (order: SendOrder): Promise<SentMessage> => start(order, 'never'),

    /**
     * Sends an unconfirmed message once more, for a person who saw it after `tries` requests. Throws SendRefused, with
     * code DECIDED_MEANWHILE where it was sent again since then or discarded.
     */
    retry: (order: SendOrder, tries: number): Promise<SentMessage> => start(order, { tries }),
  }
}

const asOf = ({ updatedAt }: Claim) => sql<boolean>`date_trunc('milliseconds', updated_at) = ${updatedAt}::timestamptz`

/** A send as this process last wrote or saw it. */
type Claim = { state: 'sending' | 'sent' | 'unknown' | 'failed' | 'discarded'; updatedAt: Date }

type Recipient = {
  fbUserId: string
  platform: 'messenger' | 'instagram'
  token: string
  storedToken: string
  humanAgent: boolean
}

/** Keeps a page from being removed until the claim is in; false when it was removed. */
const holdPage = async (trx: Transaction<Tables>, pageId: string) =>
  (await trx.selectFrom('pages').select('page_id').where('page_id', '=', pageId).forKeyShare().executeTakeFirst()) !==
  undefined

type Addressed = { pageId: string; psid: string; text: string }

const sameMessage = (one: Addressed, other: Addressed) =>
  one.pageId === other.pageId && one.psid === other.psid && one.text === other.text
