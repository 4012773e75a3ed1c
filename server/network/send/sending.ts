import { sql, type Transaction } from 'kysely'
import { isAutomaticKey } from '../../../src/domain/faq/automatic.ts'
import { type ReplyWindow, replyWindow } from '../../../src/domain/send/reply-window.ts'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/database.ts'
import type { Row, Tables } from '../../database/tables.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Logger } from '../../logger.ts'
import { type ErasedPeople, findErased } from '../../people/erased-people.ts'
import type { Graph } from '../graph/graph.ts'
import { GraphError } from '../graph/graph-error.ts'
import { graphMessage } from '../graph/graph-shapes.ts'
import { type PageCalls, PageUnusable } from '../graph/page-calls.ts'
import { cleanText } from '../store/clean-text.ts'
import { settleSend, storeMessages } from '../store/store.ts'
import {
  alreadyDecided,
  checkLength,
  keyReused,
  notListedYet,
  pageInactive,
  refusalOf,
  stillSending,
  textRemoved,
  tokenUnreadable,
  uncertainResult,
  unknownRecipient,
} from './send-refusals.ts'

export type SendOrder = { key: string; staffId: string; pageId: string; psid: string; text: string }
export type SentMessage = { messageId: string; createdAt: string }

export type Sending = ReturnType<typeof createSending>

/** Longer than a request to the network takes. A send still in 'sending' after this lost its process. */
export const sendTimeout = 20_000
const pollInterval = 250
/** Allows for clock differences and for the network's times in whole seconds. */
const clockTolerance = 5_000

/**
 * What to do with an unconfirmed message, whose earlier request may have delivered it. The network's list is always read
 * first. If the message is not listed:
 *   'resend': send again, because staff retried.
 *   'never': leave it unconfirmed.
 *   { tries }: send again only if `sends.tries` still has this value, so that two such calls send once.
 */
type WhenUnconfirmed = 'resend' | 'never' | { tries: number }

/**
 * Sends messages under idempotency keys (spec section 7, POST /facebook/send-message). The same key with the same message
 * returns the same result. Before a message with an unknown result is sent again, the network's list is searched for it.
 * A delivered message that the network does not list yet can therefore arrive twice.
 */
export function createSending({
  db,
  graph,
  calls,
  erasedPeople,
  clock,
  logger,
}: {
  db: Db
  graph: Graph
  calls: Pick<PageCalls, 'recordRefusal' | 'tokenOf'>
  erasedPeople: ErasedPeople
  clock: Clock
  logger: Logger
}) {
  const inFlight = new Map<string, { order: SendOrder; result: Promise<SentMessage> }>()

  async function run(order: SendOrder, whenUnconfirmed: WhenUnconfirmed): Promise<SentMessage> {
    if (whenUnconfirmed === 'never') await markTimedOut(order)
    const earlier = await findSend(order)
    if (earlier?.result) return earlier.result
    const mayBeDelivered = earlier !== null && earlier.state !== 'failed'
    const route = await findSendRoute(order).catch((error: unknown) => {
      // With `tries` staff already know that the message is unconfirmed, so the actual error is shown.
      throw mayBeDelivered && typeof whenUnconfirmed !== 'object' ? uncertainResult(error) : error
    })
    const claim = earlier ? null : await claimNew(order)
    return claim ? deliver(order, route, claim) : resume(order, route, whenUnconfirmed)
  }

  /** Marks a send whose process died as unconfirmed, even if the page cannot be queried now. */
  async function markTimedOut({ key }: SendOrder): Promise<void> {
    await db
      .updateTable('sends')
      .set({ state: 'unknown' })
      .where('idempotency_key', '=', key)
      .where('message_text', 'is not', null)
      .where('state', '=', 'sending')
      .where('updated_at', '<=', new Date(clock.now() - sendTimeout))
      .execute()
  }

  /** Joins a running request with the same key and `whenUnconfirmed`. Between processes the claims do this. */
  async function start(requested: SendOrder, whenUnconfirmed: WhenUnconfirmed): Promise<SentMessage> {
    const order = { ...requested, text: cleanText(requested.text) }
    const id = JSON.stringify([order.key, whenUnconfirmed])
    const same = inFlight.get(id)
    if (same) {
      if (!sameMessage(order, same.order)) throw keyReused()
      return same.result
    }
    const result = run(order, whenUnconfirmed).finally(() => inFlight.delete(id))
    inFlight.set(id, { order, result })
    return result
  }

  /** The stored send of this key, with its result if it was sent. Throws if the key belongs to another message. */
  async function findSend(order: SendOrder) {
    const send = await db.selectFrom('sends').selectAll().where('idempotency_key', '=', order.key).executeTakeFirst()
    if (!send) return null
    const { page_id: pageId, psid, message_text: text } = send
    if (text !== null && !sameMessage(order, { pageId, psid, text })) throw keyReused()
    const messageId = send.state === 'sent' ? send.message_id : null
    // What left under this key is not known any more, so nothing is sent under it again.
    if (text === null && messageId === null) throw textRemoved()
    return { ...send, result: messageId === null ? null : await storedResult(messageId, send.updated_at) }
  }

  async function findSendRoute(order: SendOrder): Promise<SendRoute> {
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
      replyWindow: replyWindow(row.last_incoming_at?.toISOString(), clock.now())?.state ?? 'standard',
    }
  }

  async function tokenOf(pageId: string, storedToken: string): Promise<string> {
    try {
      return await calls.tokenOf(pageId, storedToken)
    } catch (error) {
      throw error instanceof PageUnusable ? tokenUnreadable() : error
    }
  }

  /** Returns null if the key is already stored. */
  async function claimNew({ key, staffId, pageId, psid, text }: SendOrder): Promise<Claim | null> {
    const now = new Date(clock.now())
    return inTransaction(db, async (trx) => {
      if (!(await lockRecipient(trx, { pageId, psid }))) throw unknownRecipient()
      const created = await trx
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
      return created ? { state: 'sending', updatedAt: now } : null
    })
  }

  /** Handles a key that is already stored: returns its result, waits for another process, or takes the send over. */
  async function resume(order: SendOrder, route: SendRoute, whenUnconfirmed: WhenUnconfirmed): Promise<SentMessage> {
    const deadline = clock.now() + sendTimeout + pollInterval
    for (;;) {
      const send = await findSend(order)
      if (send === null) throw new Error('a stored send is missing')
      if (send.result) return send.result
      const isOutdated = typeof whenUnconfirmed === 'object' && whenUnconfirmed.tries !== send.tries
      if (send.state === 'discarded' || isOutdated) throw alreadyDecided()

      const hasTimedOut = clock.now() - send.updated_at.getTime() >= sendTimeout
      if (send.state !== 'sending' || hasTimedOut) {
        const claim = await takeOver(order, { state: send.state, updatedAt: send.updated_at })
        if (claim) {
          return send.state === 'failed'
            ? deliver(order, route, claim)
            : findBeforeRetry(order, route, { createdAt: send.created_at, claim, whenUnconfirmed })
        }
      }
      if (clock.now() >= deadline) throw stillSending()
      await new Promise<void>((resolve) => clock.after(pollInterval, resolve))
    }
  }

  /**
   * Claims a send that has not changed since `seen`. Returns null if another process was faster. `isNewTry` counts
   * another request for an unconfirmed message.
   */
  async function takeOver(
    { key, pageId, psid }: SendOrder,
    seen: Claim,
    { isNewTry = false } = {},
  ): Promise<Claim | null> {
    const updatedAt = new Date(clock.now())
    return inTransaction(db, async (trx) => {
      if (!(await lockRecipient(trx, { pageId, psid }))) return null
      const claimed = await trx
        .updateTable('sends')
        .set((send) => ({
          state: 'sending',
          updated_at: updatedAt,
          ...(isNewTry ? { tries: send('tries', '+', 1) } : {}),
        }))
        .where('idempotency_key', '=', key)
        .where('state', '=', seen.state)
        .where(matchesClaim(seen))
        .returning('idempotency_key')
        .executeTakeFirst()
      return claimed ? { state: 'sending', updatedAt } : null
    })
  }

  /**
   * Locks the person and the page against deletion until the transaction ends. False if either is gone or being deleted.
   */
  async function lockRecipient(
    trx: Transaction<Tables>,
    { pageId, psid }: { pageId: string; psid: string },
  ): Promise<boolean> {
    const locked = await trx
      .selectFrom('fb_users')
      .innerJoin('pages', 'pages.page_id', 'fb_users.page_id')
      .select('fb_users.id')
      .where('fb_users.page_id', '=', pageId)
      .where('psid', '=', psid)
      .where('deletion_started_at', 'is', null)
      .forKeyShare()
      .executeTakeFirst()
    if (locked === undefined) return false
    const erased = await findErased(trx, erasedPeople, { pageId, psid })
    return erased === null || erased.isCompleted
  }

  async function storedResult(messageId: string, fallback: Date): Promise<SentMessage> {
    const message = await db
      .selectFrom('messages')
      .select('timestamp_fb')
      .where('message_id', '=', messageId)
      .executeTakeFirst()
    return { messageId, createdAt: (message?.timestamp_fb ?? fallback).toISOString() }
  }

  async function findBeforeRetry(
    order: SendOrder,
    route: SendRoute,
    { createdAt, claim, whenUnconfirmed }: { createdAt: Date; claim: Claim; whenUnconfirmed: WhenUnconfirmed },
  ): Promise<SentMessage> {
    let found: SentMessage | null
    try {
      found = await findOnNetwork(order, route, createdAt)
    } catch (error) {
      await calls.recordRefusal(order.pageId, route.storedToken, error)
      return recordFailure(order, claim, { state: 'unknown', error, refusal: uncertainResult(error) })
    }
    if (found === null && whenUnconfirmed === 'never') {
      return recordFailure(order, claim, { state: 'unknown', error: null, refusal: notListedYet() })
    }
    if (found === null) {
      // Another process may have claimed the send while the list was read. Then that process sends.
      const renewed = await takeOver(order, claim, { isNewTry: true })
      if (!renewed) throw stillSending()
      return deliver(order, route, renewed, { mayBeDelivered: true })
    }
    logger.info({ pageId: order.pageId, messageId: found.messageId }, 'an unconfirmed message was found on the network')
    return commit(order, route, found)
  }

  /** Finds a message with this text that the page sent after `createdAt` and that belongs to no other send. */
  async function findOnNetwork(order: SendOrder, route: SendRoute, createdAt: Date): Promise<SentMessage | null> {
    const { conversations } = await graph.conversations(route.token, {
      pageId: order.pageId,
      platform: route.platform,
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
          Date.parse(message.created_time) >= createdAt.getTime() - clockTolerance,
      )
      .sort((one, other) => Date.parse(one.created_time) - Date.parse(other.created_time))
    for (const { id, created_time } of candidates) {
      const otherSend = await db
        .selectFrom('sends')
        .select('idempotency_key')
        .where('message_id', '=', id)
        .executeTakeFirst()
      // The network's whole seconds could sort the reply before the message that it answers.
      const at = Math.max(Date.parse(created_time), createdAt.getTime())
      if (!otherSend) return { messageId: id, createdAt: new Date(at).toISOString() }
    }
    return null
  }

  /** `mayBeDelivered`: an earlier request had an unknown result, and the network does not list the message. */
  async function deliver(
    order: SendOrder,
    route: SendRoute,
    claim: Claim,
    { mayBeDelivered = false } = {},
  ): Promise<SentMessage> {
    let messageId: string
    try {
      messageId = await graph.send(route.token, {
        pageId: order.pageId,
        psid: order.psid,
        text: order.text,
        humanAgent: route.replyWindow !== 'standard' && !isAutomaticKey(order.key),
        ...(route.platform === 'messenger' ? { metadata: order.key } : {}),
      })
    } catch (error) {
      await calls.recordRefusal(order.pageId, route.storedToken, error)
      const isRefused = error instanceof GraphError && !error.uncertain
      return recordFailure(order, claim, {
        state: isRefused && !mayBeDelivered ? 'failed' : 'unknown',
        error,
        refusal: isRefused ? refusalOf(error) : uncertainResult(error),
      })
    }
    return commit(order, route, { messageId, createdAt: new Date(clock.now()).toISOString() })
  }

  async function commit(order: SendOrder, { fbUserId }: SendRoute, sent: SentMessage): Promise<SentMessage> {
    const { messageId, createdAt } = sent
    await inTransaction(db, async (trx) => {
      const key = await settleSend(trx, order.key, messageId)
      const at = new Date(createdAt)
      await storeMessages(trx, fbUserId, [
        { messageId, direction: 'outgoing', text: order.text, attachments: null, at, isRead: true, key },
      ])
    })
    return storedResult(sent.messageId, new Date(sent.createdAt))
  }

  /**
   * Stores the failure and throws `refusal`. If an echo has confirmed the send meanwhile, returns its result instead. If
   * another process has claimed the send, changes nothing and throws STILL_SENDING.
   */
  async function recordFailure(
    order: SendOrder,
    claim: Claim,
    { state, error, refusal }: { state: 'unknown' | 'failed'; error: unknown; refusal: unknown },
  ): Promise<SentMessage> {
    const numbers =
      error instanceof GraphError ? { status: error.status, code: error.code, subcode: error.subcode } : {}
    const recorded = await db
      .updateTable('sends')
      .set({ state, error: JSON.stringify(numbers), updated_at: new Date(clock.now()) })
      .where('idempotency_key', '=', order.key)
      .where('state', '=', 'sending')
      .where(matchesClaim(claim))
      .returning('idempotency_key')
      .executeTakeFirst()
    const settled = await findSend(order)
    if (settled?.result) return settled.result
    if (!recorded) throw stillSending()
    logger.warn({ pageId: order.pageId, state, ...numbers }, 'a message was not confirmed by the network')
    throw refusal
  }

  return {
    /** Sends a message that staff wrote, or retries it. Throws SendRefused. */
    send: (order: SendOrder): Promise<SentMessage> => start(order, 'resend'),

    /**
     * Sends an automatic message at most once. It is sent again only if every earlier request was definitely refused;
     * otherwise the network's list is searched and nothing is sent. Throws SendRefused; with status 503 or 504 the message
     * may have arrived or is still being sent.
     */
    sendOnce: (order: SendOrder): Promise<SentMessage> => start(order, 'never'),

    /**
     * Sends an unconfirmed message again; `tries` is the number of requests that staff saw. Throws SendRefused, with
     * code DECIDED_MEANWHILE if the message was sent again or discarded since.
     */
    retry: (order: SendOrder, tries: number): Promise<SentMessage> => start(order, { tries }),
  }
}

const matchesClaim = ({ updatedAt }: Claim) =>
  sql<boolean>`date_trunc('milliseconds', updated_at) = ${updatedAt}::timestamptz`

/** The version of a send that this process last wrote or read. */
type Claim = { state: Row<'sends'>['state']; updatedAt: Date }

/** The identity that a message goes out by, with the page's token. */
type SendRoute = {
  fbUserId: string
  platform: 'messenger' | 'instagram'
  token: string
  storedToken: string
  replyWindow: ReplyWindow['state']
}

type Addressed = { pageId: string; psid: string; text: string }

const sameMessage = (one: Addressed, other: Addressed) =>
  one.pageId === other.pageId && one.psid === other.psid && one.text === other.text
