import { sql } from 'kysely'
import type { Platform } from '../../../src/schemas/conversation.ts'
import type { Db } from '../../database/database.ts'
import { codeOf, inTransaction, isOutage } from '../../database/transaction.ts'
import type { AutoReply } from '../faq/auto-reply.ts'
import type { KeepAddress } from '../graph/addresses.ts'
import type { ProfileLookups } from '../store/profile-lookups.ts'
import { type Database, ensureIdentity, settleSend, storeMessages } from '../store/store.ts'
import { type NetworkEvent, readWebhook } from './webhook-events.ts'

export type Ingest = ReturnType<typeof createIngest>

/** How far apart an echo without our key may be from the send that it settles. */
const echoWindowSeconds = 120

/** The one path by which webhooks enter the database. It never calls the network: nothing there can hold a message up. */
export function createIngest({
  db,
  lookups,
  keep,
  appId,
  onIncoming,
}: {
  db: Db
  lookups: Pick<ProfileLookups, 'note' | 'wake'>
  keep: KeepAddress
  /** Ours: tells our own echoes from those of other apps. */
  appId?: string | undefined
  /** Who hears of what people write: in the transaction that stores it, and once that is committed. */
  onIncoming?: Pick<AutoReply, 'note' | 'wake'>
}) {
  /** Which of our sends an echo settles: the one whose key it carries, else an open one of the same text. */
  async function keyOf(
    trx: Database,
    pageId: string,
    event: Extract<NetworkEvent, { kind: 'message' }>,
    platform: string,
  ): Promise<string | null> {
    const sends = trx
      .selectFrom('sends')
      .select('idempotency_key')
      .where('page_id', '=', pageId)
      .where('psid', '=', event.personId)
    if (event.metadata !== null) {
      const ours = await sends.where('idempotency_key', '=', event.metadata).executeTakeFirst()
      return ours?.idempotency_key ?? null
    }
    const mayBeOurs = event.appId === null ? platform === 'instagram' : event.appId === appId
    if (!mayBeOurs || event.text === null) return null
    const known = await trx
      .selectFrom('messages')
      .select('message_id')
      .where('message_id', '=', event.messageId)
      .executeTakeFirst()
    if (known) return null
    const open = await sends
      .where('state', 'in', ['sending', 'unknown', 'discarded'])
      .where('message_text', '=', event.text)
      .where(sql<boolean>`abs(extract(epoch from created_at - ${event.at}::timestamptz)) < ${echoWindowSeconds}`)
      .orderBy('created_at')
      .executeTakeFirst()
    return open?.idempotency_key ?? null
  }

  async function storeEvent(platform: Platform, event: NetworkEvent, pageId: string): Promise<void> {
    switch (event.kind) {
      case 'deleted':
        return takeBack(event.messageId, pageId)
      case 'edited':
        await db
          .updateTable('messages')
          .set({ message_text: event.text })
          .where('message_id', '=', event.messageId)
          .where('page_id', '=', pageId)
          .execute()
        return
      case 'message':
        return storeMessage(platform, event, pageId)
    }
  }

  const takeBack = (messageId: string, pageId: string) =>
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
  ): Promise<void> {
    const person = { pageId, psid: event.personId, platform }
    const { fbUserId, needsProfile } = await ensureIdentity({ db, lookups }, person)
    const { messageId, direction, text, attachments, at } = event
    const isQuestion = direction === 'incoming' && text !== null
    await inTransaction(db, async (trx) => {
      const found = direction === 'outgoing' ? await keyOf(trx, pageId, event, platform) : null
      const key = found === null ? null : await settleSend(trx, found, messageId)
      const isRead = direction === 'outgoing'
      await storeMessages(trx, fbUserId, [{ messageId, direction, text, attachments, at, isRead, key }])
      if (isQuestion) await onIncoming?.note(trx, { messageId, fbUserId })
    })
    if (needsProfile) lookups.wake()
    if (isQuestion) onIncoming?.wake()
  }

  /** The connected page of each account that a delivery is for, by the account's id. */
  async function pagesOf(platform: Platform, accounts: string[]): Promise<Map<string, string>> {
    if (accounts.length === 0) return new Map()
    const column = platform === 'instagram' ? 'instagram_id' : 'page_id'
    const pages = await db
      .selectFrom('pages')
      .select(['page_id', `${column} as account`])
      .where(column, 'in', accounts)
      .execute()
    return new Map(pages.map(({ page_id, account }) => [account ?? page_id, page_id]))
  }

  return {
    /**
     * Stores what a delivery tells of, each event by itself. A delivery may be stored again: what is known stays as it
     * is. One bad event does not stop its neighbours; returns what can never be stored, in words. Throws what may go
     * otherwise another time: an outage at once, a mistake of our own after the last event.
     */
    async store(body: unknown, receivedAt: Date): Promise<string[]> {
      const { platform, events, problems: unreadable } = readWebhook(body, { keep, receivedAt })
      const accounts = [...new Set(events.map(({ accountId }) => accountId))]
      const pages = await pagesOf(platform, accounts)
      const problems = [...unreadable]
      for (const account of accounts) if (!pages.has(account)) problems.push(`no connected page ${account}`)
      const mistakes: unknown[] = []
      for (const event of events) {
        const pageId = pages.get(event.accountId)
        if (pageId === undefined) continue
        try {
          await storeEvent(platform, event, pageId)
        } catch (error) {
          if (isOutage(error)) throw error
          if (!isOfData(error)) mistakes.push(error)
          else problems.push(`a ${event.kind} event of page ${pageId} was refused (${codeOf(error)})`)
        }
      }
      if (mistakes.length > 0) throw mistakes[0]
      return problems
    },
  }
}

/** Whether these data can never be stored. */
function isOfData(error: unknown): boolean {
  return /^2[23]...$/.test(codeOf(error))
}
