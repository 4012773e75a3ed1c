import { sql } from 'kysely'
import type { Db } from '../../database/database.ts'
import { codeOf, inTransaction, isOutage } from '../../database/transaction.ts'
import type { AutoReply } from '../faq/auto-reply.ts'
import type { KeepAddress } from '../graph/addresses.ts'
import type { PageTokens } from '../graph/page-tokens.ts'
import { noProfile, type Profile, type Profiles } from '../store/profiles.ts'
import { type Database, ensureIdentity, namelessPeople, settleSend, storeMessages } from '../store/store.ts'
import { type NetworkEvent, readWebhook } from './webhook-events.ts'

export type Ingest = ReturnType<typeof createIngest>

/** A delivery that was read and whose unknown people were looked up: ready to be stored. */
export type PreparedWebhook = {
  platform: 'messenger' | 'instagram'
  events: { event: NetworkEvent; pageId: string; profile: Profile }[]
  problems: string[]
}

/** How far apart an echo without our key may be from the send that it settles. */
const echoWindowSeconds = 120

/**
 * The one path by which webhooks enter the database. `prepare` may call the network; `store` only writes, each event by
 * itself and so that it may be stored again: what is known stays as it is.
 */
export function createIngest({
  db,
  profiles,
  pageTokens,
  keep,
  appId,
  onIncoming,
}: {
  db: Db
  profiles: Profiles
  pageTokens: PageTokens
  keep: KeepAddress
  /** Ours: tells our own echoes from those of other apps. */
  appId?: string | undefined
  /** Who hears of what people write: in the transaction that stores it, and once that is committed. */
  onIncoming?: Pick<AutoReply, 'note' | 'wake'>
}) {
  async function prepare(body: unknown, receivedAt: Date): Promise<PreparedWebhook> {
    const { platform, events, problems } = readWebhook(body, { keep, receivedAt })
    const accounts = [...new Set(events.map(({ accountId }) => accountId))]
    if (accounts.length === 0) return { platform, events: [], problems }
    const pages = await db
      .selectFrom('pages')
      .select(['page_id', 'instagram_id', 'page_access_token_encrypted'])
      .where(platform === 'instagram' ? 'instagram_id' : 'page_id', 'in', accounts)
      .execute()
    const prepared: PreparedWebhook = { platform, events: [], problems: [...problems] }
    for (const accountId of accounts) {
      const page = pages.find((one) => (platform === 'instagram' ? one.instagram_id : one.page_id) === accountId)
      if (!page) {
        prepared.problems.push(`no connected page ${accountId}`)
        continue
      }
      const own = events.filter((event) => event.accountId === accountId)
      const people = [...new Set(own.flatMap((event) => (event.kind === 'message' ? [event.personId] : [])))]
      const token = readable(page.page_id, page.page_access_token_encrypted)
      if (token === null) prepared.problems.push(`the token of page ${page.page_id} cannot be read`)
      const nameless = token === null ? [] : await namelessPeople(db, page.page_id, people)
      const found = await profiles.of(token ?? '', page.page_id, nameless, platform)
      for (const event of own) {
        const profile = (event.kind === 'message' ? found.get(event.personId) : undefined) ?? noProfile
        prepared.events.push({ event, pageId: page.page_id, profile })
      }
    }
    return prepared
  }

  /** A token that cannot be read costs the name of a person, never the message. */
  function readable(pageId: string, encrypted: string): string | null {
    try {
      return pageTokens.decrypt(pageId, encrypted)
    } catch {
      return null
    }
  }

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
      .where('state', 'in', ['sending', 'unknown'])
      .where('message_text', '=', event.text)
      .where(sql<boolean>`abs(extract(epoch from created_at - ${event.at}::timestamptz)) < ${echoWindowSeconds}`)
      .orderBy('created_at')
      .executeTakeFirst()
    return open?.idempotency_key ?? null
  }

  async function storeEvent(
    platform: 'messenger' | 'instagram',
    { event, pageId, profile }: PreparedWebhook['events'][number],
  ): Promise<void> {
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
        return storeMessage(platform, event, pageId, profile)
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
    platform: 'messenger' | 'instagram',
    event: Extract<NetworkEvent, { kind: 'message' }>,
    pageId: string,
    profile: Profile,
  ): Promise<void> {
    const fbUserId = await ensureIdentity(db, { pageId, psid: event.personId, platform }, profile)
    const { messageId, direction, text, attachments, at } = event
    const isQuestion = direction === 'incoming' && text !== null
    await inTransaction(db, async (trx) => {
      const found = direction === 'outgoing' ? await keyOf(trx, pageId, event, platform) : null
      const key = found === null ? null : await settleSend(trx, found, messageId)
      const isRead = direction === 'outgoing'
      await storeMessages(trx, fbUserId, [{ messageId, direction, text, attachments, at, isRead, key }])
      if (isQuestion) await onIncoming?.note(trx, { messageId, fbUserId })
    })
    if (isQuestion) onIncoming?.wake()
  }

  return {
    prepare,

    /**
     * Stores what was prepared. One bad event does not stop its neighbours; returns what the database refused for good.
     * Throws what may go otherwise another time: an outage at once, a mistake of our own after the last event.
     */
    async store(prepared: PreparedWebhook): Promise<string[]> {
      const problems = [...prepared.problems]
      const mistakes: unknown[] = []
      for (const item of prepared.events) {
        try {
          await storeEvent(prepared.platform, item)
        } catch (error) {
          if (isOutage(error)) throw error
          if (!isOfData(error)) mistakes.push(error)
          else problems.push(`a ${item.event.kind} event of page ${item.pageId} was refused (${codeOf(error)})`)
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
