import type { Platform } from '../../../src/schemas/conversation.ts'
import { recordMissedWebhooks } from '../../alarms/webhook-health.ts'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/database.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { StoredFiles } from '../../files/stored-files.ts'
import type { Logger } from '../../logger.ts'
import type { ErasedPeople } from '../../people/erased-people.ts'
import { type ConversationsRequest, type Graph, readableMessages } from '../graph/graph.ts'
import { type GraphConversation, graphMessage } from '../graph/graph-shapes.ts'
import type { NormalizeUrl } from '../graph/normalize-url.ts'
import type { PageCalls } from '../graph/page-calls.ts'
import type { ProfileLookups } from '../store/profile-lookups.ts'
import { type Profile, profileOf } from '../store/profiles.ts'
import { readGraphMessage } from '../store/read-message.ts'
import { ensureIdentity, type IdentityKey, type NetworkMessage, storeMessages } from '../store/store.ts'

const batchSize = 25

export type SyncResult = { conversations: number; messages: number; unreadable: number }

/** One stored batch. `next` is the cursor of the next one. */
export type SyncStep = SyncResult & { next: string | null }

export type Sync = ReturnType<typeof createSync>

/** Reads a page's conversations from the network (spec section 2, Sync Historical Messages). */
export function createSync({
  db,
  graph,
  lookups,
  files,
  erasedPeople,
  calls,
  normalizeUrl,
  clock,
  logger,
}: {
  db: Db
  graph: Graph
  lookups: Pick<ProfileLookups, 'enqueue' | 'wake'>
  files: Pick<StoredFiles, 'prepare' | 'enqueue' | 'wake'>
  erasedPeople: ErasedPeople
  calls: Pick<PageCalls, 'call'>
  normalizeUrl: NormalizeUrl
  clock: Clock
  logger: Logger
}) {
  /** Reads and stores one batch of conversations, without those that `wanted` rejects. */
  async function step(
    request: ConversationsRequest,
    {
      isHistorical,
      wanted = () => true,
      signal,
    }: {
      isHistorical: boolean
      wanted?: (of: GraphConversation) => boolean
      /** The signal of the staff request. It cancels a wait, never a call that has begun. */
      signal?: AbortSignal | undefined
    },
  ): Promise<SyncStep & { sawUnwanted: boolean }> {
    const { pageId, platform } = request
    const { response, ownIds } = await calls.call(pageId, { paced: true, signal }, async (token, { instagramId }) => ({
      response: await graph.conversations(token, request),
      ownIds: new Set([pageId, instagramId]),
    }))
    const read = response.conversations
      .filter(wanted)
      .flatMap((conversation) => readConversation(conversation, ownIds, normalizeUrl, isHistorical) ?? [])
    let messages = 0
    for (const { psid, ...found } of read) messages += await store({ pageId, psid, platform }, found)
    return {
      conversations: response.conversations.length,
      unreadable: response.unreadable + read.reduce((sum, { unreadable }) => sum + unreadable, 0),
      messages,
      next: response.conversations.length + response.unreadable > 0 ? response.next : null,
      sawUnwanted: !response.conversations.every(wanted),
    }
  }

  return {
    /**
     * Stores the newest conversations of a page, each with the 20 newest messages, which is all that the network returns.
     * Idempotent. `from` resumes an earlier sync. `onStep` is called after each stored batch and may end the sync by
     * throwing. Returns what was read and how many messages were new. Throws GraphError, PagePaused and PageUnusable.
     */
    async history(
      pageId: string,
      platform: Platform,
      limit: number,
      {
        from = { conversations: 0, next: null },
        onStep = async () => undefined,
      }: {
        from?: { conversations: number; next: string | null }
        onStep?: (step: SyncStep) => Promise<void>
      } = {},
    ): Promise<SyncResult> {
      const result: SyncResult = { conversations: from.conversations, messages: 0, unreadable: 0 }
      let { next } = from
      while (result.conversations < limit) {
        const done = await step(
          {
            pageId,
            platform,
            limit: Math.min(batchSize, limit - result.conversations),
            ...(next === null ? {} : { after: next }),
          },
          { isHistorical: true },
        )
        result.conversations += done.conversations
        result.messages += done.messages
        result.unreadable += done.unreadable
        next = done.next
        await onStep(done)
        if (next === null) break
      }
      logger.info({ pageId, platform, ...result }, 'history synced')
      return result
    },

    /**
     * Stores the conversations of a page, on all its platforms, that changed after `since`. All returned messages of each
     * are stored, because a gap may begin before `since`. Returns the number of new messages; throws like `history`.
     */
    async recent(pageId: string, since: Date, signal?: AbortSignal): Promise<number> {
      const page = await db.selectFrom('pages').select('instagram_id').where('page_id', '=', pageId).executeTakeFirst()
      const platforms: Platform[] = page?.instagram_id ? ['messenger', 'instagram'] : ['messenger']
      const wanted = ({ updated_time }: GraphConversation) =>
        !updated_time || Date.parse(updated_time) >= since.getTime()
      let messages = 0
      for (const platform of platforms) {
        let next: string | null = null
        do {
          const done = await step(
            { pageId, platform, limit: batchSize, ...(next === null ? {} : { after: next }) },
            { isHistorical: false, wanted, signal },
          )
          messages += done.messages
          next = done.sawUnwanted ? null : done.next
        } while (next !== null)
      }
      return messages
    },

    /** Stores the conversation with one person. Returns the number of new messages; throws like `history`. */
    async conversation(pageId: string, platform: Platform, psid: string, signal?: AbortSignal): Promise<number> {
      return (await step({ pageId, platform, psid, limit: 1 }, { isHistorical: false, signal })).messages
    },
  }

  async function store(
    identity: IdentityKey,
    { profile, messages, isWhole }: Omit<ReadConversation, 'psid'>,
  ): Promise<number> {
    const newestAt = new Date(Math.max(0, ...messages.map(({ at }) => at.getTime())))
    const found = await ensureIdentity({ db, lookups, erasedPeople }, identity, newestAt, profile)
    // A later sync or webhook stores messages that are newer than an erasure that is not complete.
    if (typeof found === 'string') return 0
    const { fbUserId, needsProfile, erasedAt } = found
    const kept = erasedAt === null ? messages : messages.filter(({ at }) => at > erasedAt)
    const stored = await inTransaction(db, async (trx) => {
      // The first sync decides: a later one may find fewer messages because the network or retention removed some.
      // Before the messages, because writers lock identities first.
      if (isWhole !== null) {
        const first = await trx
          .insertInto('history_starts')
          .values({ fb_user_id: fbUserId, is_reached: isWhole && kept.length === messages.length })
          .onConflict((conflict) => conflict.doNothing())
          .returning('fb_user_id')
          .executeTakeFirst()
        if (first) await trx.updateTable('fb_users').set({ history_synced: true }).where('id', '=', fbUserId).execute()
      }
      const count = await storeMessages(
        trx,
        kept.map((message) => ({ ...message, fbUserId })),
        files,
      )
      const expected = kept.filter(({ isHistorical }) => isHistorical !== true)
      if (count > 0 && expected.length > 0) {
        const ids = expected.map(({ messageId }) => messageId)
        await recordMissedWebhooks(trx, identity.pageId, ids, clock.now())
      }
      return count
    })
    if (needsProfile) lookups.wake()
    if (kept.some(({ attachments }) => attachments !== null)) files.wake()
    return stored
  }
}

type ReadConversation = {
  psid: string
  profile: Profile
  messages: NetworkMessage[]
  unreadable: number
  /** Whether the network has returned the conversation from its start; null if it returned no messages. */
  isWhole: boolean | null
}

function readConversation(
  conversation: GraphConversation,
  ownIds: ReadonlySet<string | null>,
  normalizeUrl: NormalizeUrl,
  isHistorical: boolean,
): ReadConversation | null {
  const person = conversation.participants?.data.find(({ id }) => !ownIds.has(id))
  if (!person) return null
  const read = (conversation.messages?.data ?? []).map((value) => graphMessage.safeParse(value))
  const messages = read
    .flatMap(({ data }) => data ?? [])
    .map((message): NetworkMessage => {
      return {
        messageId: message.id,
        direction: message.from?.id === person.id ? 'incoming' : 'outgoing',
        ...readGraphMessage(message, normalizeUrl),
        at: new Date(message.created_time),
        isRead: true,
        isHistorical,
      }
    })
  const lastReplyAt = Math.max(
    0,
    ...messages.flatMap(({ direction, at }) => (direction === 'outgoing' ? [at.getTime()] : [])),
  )
  return {
    psid: person.id,
    profile: profileOf(person, normalizeUrl),
    // The network does not say what staff have read. Messages before the last reply count as read.
    messages: messages.map((message) => ({
      ...message,
      isRead: message.direction === 'outgoing' || message.at.getTime() < lastReplyAt,
    })),
    unreadable: read.length - messages.length,
    isWhole:
      conversation.messages == null ? null : read.length < readableMessages && !conversation.messages.paging?.next,
  }
}
