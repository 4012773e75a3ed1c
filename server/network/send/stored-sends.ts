import { isDeepStrictEqual } from 'node:util'
import { sql, type Transaction } from 'kysely'
import type { FileKind } from '../../../src/schemas/outgoing-file.ts'
import type { StructuredContent } from '../../../src/schemas/structured-message.ts'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/database.ts'
import type { Row, Tables } from '../../database/tables.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { OutgoingFiles } from '../../files/outgoing-files.ts'
import type { Logger } from '../../logger.ts'
import { type ErasedPeople, findErased } from '../../people/erased-people.ts'
import { GraphError } from '../graph/graph-error.ts'
import { settleSend, storeMessages } from '../store/store.ts'
import { fileGone, keyReused, stillSending, textRemoved, unknownRecipient } from './send-refusals.ts'
import { attachmentsOfStructure, contentOfStructure } from './structured-parts.ts'

/**
 * `fileId`: a file is sent instead of a text, which is empty then. `structured`: what the message has beside its text.
 * `replyTo`: the message that this one replies to.
 */
export type SendOrder = {
  key: string
  staffId: string
  pageId: string
  psid: string
  text: string
  fileId?: string
  replyTo?: string
  structured?: StructuredContent
}
export type SentMessage = { messageId: string; createdAt: string }

/** The version of a send that this process last wrote or read. */
export type Claim = { state: Row<'sends'>['state']; updatedAt: Date }

/** Longer than a request to the network takes. A send still in 'sending' after this lost its process. */
export const sendTimeout = 20_000

/** Whether the process of a send in 'sending' is lost. */
export const hasTimedOut = ({ updated_at }: { updated_at: Date }, clock: Pick<Clock, 'now'>): boolean =>
  clock.now() - updated_at.getTime() >= sendTimeout

/** The table `sends`: one row for each idempotency key, claimed by one process at a time. */
export function createStoredSends({
  db,
  erasedPeople,
  files,
  clock,
  logger,
}: {
  db: Db
  erasedPeople: ErasedPeople
  files: Pick<OutgoingFiles, 'keep' | 'attachmentsOf' | 'moveToMessage'>
  clock: Clock
  logger: Logger
}) {
  /** The stored send of this key, with its result if it was sent. Throws if the key belongs to another message. */
  async function find(order: SendOrder) {
    const send = await db.selectFrom('sends').selectAll().where('idempotency_key', '=', order.key).executeTakeFirst()
    if (!send) return null
    const { page_id: pageId, psid, message_text: text, file_id: fileId, structured, reply_to: replyTo } = send
    if (text !== null && !sameMessage(order, { pageId, psid, text, fileId, structured, replyTo })) throw keyReused()
    const messageId = send.state === 'sent' ? send.message_id : null
    // The text that was sent with this key was removed, so the key is never used again.
    if (text === null && messageId === null) throw textRemoved()
    return { ...send, result: messageId === null ? null : await resultOf(messageId, send.updated_at) }
  }

  async function resultOf(messageId: string, fallback: Date): Promise<SentMessage> {
    const message = await db
      .selectFrom('messages')
      .select('timestamp_fb')
      .where('message_id', '=', messageId)
      .executeTakeFirst()
    return { messageId, createdAt: (message?.timestamp_fb ?? fallback).toISOString() }
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

  return {
    find,

    /** Marks a send whose process died as unconfirmed, even if the page cannot be queried now. */
    async markTimedOut({ key }: SendOrder): Promise<void> {
      await db
        .updateTable('sends')
        .set({ state: 'unknown' })
        .where('idempotency_key', '=', key)
        .where('message_text', 'is not', null)
        .where('state', '=', 'sending')
        .where('updated_at', '<=', new Date(clock.now() - sendTimeout))
        .execute()
    },

    /** Returns null if the key is already stored. */
    async claimNew(
      { key, staffId, pageId, psid, text, fileId, structured, replyTo }: SendOrder,
      fileKind: FileKind | null,
    ): Promise<Claim | null> {
      const now = new Date(clock.now())
      return inTransaction(db, async (trx) => {
        if (!(await lockRecipient(trx, { pageId, psid }))) throw unknownRecipient()
        if (fileId !== undefined && !(await files.keep(trx, fileId))) throw fileGone()
        const created = await trx
          .insertInto('sends')
          .values({
            idempotency_key: key,
            staff_id: staffId,
            page_id: pageId,
            psid,
            message_text: text,
            file_id: fileId ?? null,
            file_kind: fileKind,
            reply_to: replyTo ?? null,
            structured: structured === undefined ? null : JSON.stringify(structured),
            state: 'sending',
            created_at: now,
            updated_at: now,
          })
          .onConflict((conflict) => conflict.column('idempotency_key').doNothing())
          .returning('idempotency_key')
          .executeTakeFirst()
        return created ? { state: 'sending', updatedAt: now } : null
      })
    },

    /**
     * Claims a send that has not changed since `seen`. Returns null if another process was faster. `isNewTry` counts
     * another request for an unconfirmed message.
     */
    async takeOver(
      { key, pageId, psid, fileId }: SendOrder,
      seen: Claim,
      { isNewTry = false } = {},
    ): Promise<Claim | null> {
      const updatedAt = new Date(clock.now())
      return inTransaction(db, async (trx) => {
        if (!(await lockRecipient(trx, { pageId, psid }))) return null
        // Gone: another process delivered the send meanwhile, and the file moved to its message.
        if (fileId !== undefined && !(await files.keep(trx, fileId))) return null
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
    },

    /** Stores the message that the network took, with its send. */
    async commit(order: SendOrder, fbUserId: string, sent: SentMessage): Promise<SentMessage> {
      const { messageId, createdAt } = sent
      await inTransaction(db, async (trx) => {
        const key = await settleSend(trx, order.key, messageId)
        const at = new Date(createdAt)
        const hasFile = order.fileId !== undefined
        const sentFiles = hasFile ? ((await files.attachmentsOf(trx, [order.key])).get(order.key) ?? null) : null
        const text = hasFile ? null : order.text
        const { structured } = order
        const content = structured === undefined ? null : contentOfStructure(structured, order.text)
        const attachments = structured === undefined ? sentFiles : attachmentsOfStructure(structured)
        await storeMessages(trx, [
          { messageId, fbUserId, direction: 'outgoing', text, content, attachments, at, isRead: true, key },
        ])
        if (hasFile) await files.moveToMessage(trx, order.key, messageId)
        // An echo that arrived first may have the text alone, or none, because the network shows some structures as attachments.
        if (structured !== undefined) {
          await trx
            .updateTable('messages')
            .set({
              message_text: order.text,
              content: content === null ? null : JSON.stringify(content),
              ...(attachments === null ? {} : { attachments: JSON.stringify(attachments) }),
            })
            .where('message_id', '=', messageId)
            .where('content', 'is', null)
            .where((is) => (content === null ? is('message_text', 'is', null) : is.lit(true)))
            .execute()
        }
      })
      return resultOf(sent.messageId, new Date(sent.createdAt))
    },

    /**
     * Stores the failure and throws `refusal`. If an echo has confirmed the send meanwhile, returns its result instead. If
     * another process has claimed the send, changes nothing and throws STILL_SENDING.
     */
    async recordFailure(
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
      const settled = await find(order)
      if (settled?.result) return settled.result
      if (!recorded) throw stillSending()
      logger.warn({ pageId: order.pageId, state, ...numbers }, 'a message was not confirmed by the network')
      throw refusal
    },
  }
}

const matchesClaim = ({ updatedAt }: Claim) =>
  sql<boolean>`date_trunc('milliseconds', updated_at) = ${updatedAt}::timestamptz`

type Addressed = {
  pageId: string
  psid: string
  text: string
  fileId?: string | null
  structured?: StructuredContent | null
  replyTo?: string | null
}

const sameMessage = (one: Addressed, other: Addressed) =>
  one.pageId === other.pageId &&
  one.psid === other.psid &&
  one.text === other.text &&
  (one.fileId ?? null) === (other.fileId ?? null) &&
  isDeepStrictEqual(one.structured ?? null, other.structured ?? null) &&
  (one.replyTo ?? null) === (other.replyTo ?? null)
