import type { Platform } from '../../../src/schemas/conversation.ts'
import { recordDeliveredWebhook } from '../../alarms/webhook-health.ts'
import type { Db } from '../../database/database.ts'
import { codeOf, inTransaction, isOutage } from '../../database/transaction.ts'
import type { StoredFiles } from '../../files/stored-files.ts'
import { type ErasedPeople, findErased } from '../../people/erased-people.ts'
import type { AutoReply } from '../faq/auto-reply.ts'
import type { NormalizeUrl } from '../graph/normalize-url.ts'
import { clockTolerance } from '../send/sending.ts'
import type { ProfileLookups } from '../store/profile-lookups.ts'
import { type Database, ensureIdentity, settleSend, storeMessages } from '../store/store.ts'
import { type NetworkEvent, readWebhook } from './webhook-events.ts'

export type Ingest = ReturnType<typeof createIngest>

/** An echo on Instagram settles a send of the same text that was created at most this long before it. Milliseconds. */
const echoWindow = 120_000

/** Stores webhooks. Never calls the network, so that a slow network cannot delay a message. */
export function createIngest({
  db,
  lookups,
  files,
  erasedPeople,
  normalizeUrl,
  appId,
  onIncoming,
}: {
  db: Db
  erasedPeople: ErasedPeople
  lookups: Pick<ProfileLookups, 'enqueue' | 'wake'>
  files: Pick<StoredFiles, 'prepare' | 'enqueue' | 'wake'>
  normalizeUrl: NormalizeUrl
  /** Our app's id. */
  appId?: string | undefined
  /** `enqueue` runs in the transaction that stores an incoming message, `wake` after its commit. */
  onIncoming?: Pick<AutoReply, 'enqueue' | 'wake'>
}) {
  /**
   * The key of the send that an echo confirms; null without proof. Messenger returns our key as metadata. Instagram does
   * not: there the echo must name our app, and exactly one open send must have its text.
   */
  async function keyOf(
    trx: Database,
    pageId: string,
    event: Extract<NetworkEvent, { kind: 'message' }>,
    platform: Platform,
  ): Promise<string | null> {
    const sends = trx
      .selectFrom('sends')
      .select('idempotency_key')
      .where('page_id', '=', pageId)
      .where('psid', '=', event.personId)
    if (event.metadata !== null) {
      const send = await sends.where('idempotency_key', '=', event.metadata).executeTakeFirst()
      return send?.idempotency_key ?? null
    }
    if (platform !== 'instagram' || event.appId === null || event.appId !== appId || event.text === null) return null
    // A message that is stored already belongs to another send, or came by a sync.
    const known = await trx
      .selectFrom('messages')
      .select('message_id')
      .where('message_id', '=', event.messageId)
      .executeTakeFirst()
    if (known) return null
    const alike = await sends
      .where('state', 'in', ['sending', 'unknown', 'discarded'])
      .where('message_text', '=', event.text)
      .where('created_at', '>=', new Date(event.at.getTime() - echoWindow))
      .where('created_at', '<=', new Date(event.at.getTime() + clockTolerance))
      .limit(2)
      .execute()
    const [only] = alike
    return alike.length === 1 && only !== undefined ? only.idempotency_key : null
  }

  /** False if the event belongs to an erased person and nothing was stored. */
  async function storeEvent(
    platform: Platform,
    event: NetworkEvent,
    pageId: string,
    receivedAt: Date,
  ): Promise<boolean> {
    switch (event.kind) {
      case 'deleted':
        await deleteMessage(event.messageId, pageId)
        return true
      case 'edited':
        await db
          .updateTable('messages')
          .set({ message_text: event.text })
          .where('message_id', '=', event.messageId)
          .where('page_id', '=', pageId)
          .execute()
        return true
      case 'other':
        return (await findErased(db, erasedPeople, { pageId, psid: event.personId })) === null
      case 'message':
        return storeMessage(platform, event, pageId, receivedAt)
    }
  }

  const deleteMessage = (messageId: string, pageId: string) =>
    inTransaction(db, async (trx) => {
      await trx
        .insertInto('deleted_messages')
        .values({ message_id: messageId })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      await trx.deleteFrom('messages').where('message_id', '=', messageId).where('page_id', '=', pageId).execute()
    })

  async function storeMessage(
    platform: Platform,
    event: Extract<NetworkEvent, { kind: 'message' }>,
    pageId: string,
    receivedAt: Date,
  ): Promise<boolean> {
    const person = { pageId, psid: event.personId, platform }
    const found = await ensureIdentity({ db, lookups, erasedPeople }, person, event.at)
    if (found === 'erased') return false
    // The worker retries the delivery.
    if (found === 'being erased') throw new Error('a person who writes again is still being erased')
    const { fbUserId, needsProfile } = found
    const { messageId, direction, text, attachments, at } = event
    const isQuestion = direction === 'incoming' && text !== null
    await inTransaction(db, async (trx) => {
      const found = direction === 'outgoing' ? await keyOf(trx, pageId, event, platform) : null
      const key = found === null ? null : await settleSend(trx, found, messageId)
      const isRead = direction === 'outgoing'
      await storeMessages(trx, fbUserId, [{ messageId, direction, text, attachments, at, isRead, key }], files)
      if (isQuestion) await onIncoming?.enqueue(trx, { messageId, fbUserId })
    })
    if (direction === 'incoming') await recordDeliveredWebhook(db, pageId, receivedAt)
    if (needsProfile) lookups.wake()
    if (attachments !== null) files.wake()
    if (isQuestion) onIncoming?.wake()
    return true
  }

  /** The connected page of each account that a delivery is for, by the account's id. */
  async function pagesOf(platform: Platform, accounts: string[]): Promise<Map<string, string>> {
    if (accounts.length === 0) return new Map()
    const column = platform === 'instagram' ? 'instagram_id' : 'page_id'
    const pages = await db
      .selectFrom('pages')
      .select(['page_id', `${column} as account`])
      .where(column, 'in', accounts)
      .where('deletion_started_at', 'is', null)
      .execute()
    return new Map(pages.map(({ page_id, account }) => [account ?? page_id, page_id]))
  }

  return {
    /**
     * Stores the events of a delivery, each in its own transaction. Idempotent. `problems` describes each event that can
     * never be stored; the other events are stored. `mustForget`: some events belong to an erased person, so the body
     * must not be kept. Throws retryable errors: an outage at once, any other error after the last event.
     */
    async store(body: unknown, receivedAt: Date): Promise<{ problems: string[]; mustForget: boolean }> {
      const { platform, events, problems: unreadable } = readWebhook(body, { normalizeUrl, receivedAt })
      const accounts = [...new Set(events.map(({ accountId }) => accountId))]
      const pages = await pagesOf(platform, accounts)
      const problems = [...unreadable]
      for (const account of accounts) if (!pages.has(account)) problems.push(`no connected page ${account}`)
      const errors: unknown[] = []
      let mustForget = false
      for (const event of events) {
        const pageId = pages.get(event.accountId)
        if (pageId === undefined) continue
        try {
          if (!(await storeEvent(platform, event, pageId, receivedAt))) mustForget = true
        } catch (error) {
          if (isOutage(error)) throw error
          if (!isDataError(error)) errors.push(error)
          else problems.push(`a ${event.kind} event of page ${pageId} was refused (${codeOf(error)})`)
        }
      }
      if (errors.length > 0) throw errors[0]
      return { problems, mustForget }
    },
  }
}

/** SQLSTATE classes 22 (data exception) and 23 (constraint violation): a retry cannot help. */
function isDataError(error: unknown): boolean {
  return /^2[23]...$/.test(codeOf(error))
}
