import type { Platform } from '../../../src/schemas/conversation.ts'
import type { Db } from '../../database/database.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Logger } from '../../logger.ts'
import type { KeepAddress } from '../graph/addresses.ts'
import type { ConversationsRequest, Graph } from '../graph/graph.ts'
import { type GraphConversation, graphMessage } from '../graph/graph-shapes.ts'
import type { PageCalls } from '../graph/page-calls.ts'
import { fromGraph } from '../store/attachments.ts'
import type { ProfileLookups } from '../store/profile-lookups.ts'
import { type Profile, profileOf } from '../store/profiles.ts'
import { storable } from '../store/storable.ts'
import { ensureIdentity, type Identity, type NetworkMessage, storeMessages } from '../store/store.ts'
import { unsupportedMessage } from '../webhooks/webhook-events.ts'

const pageOfConversations = 25

export type SyncResult = { conversations: number; messages: number; unreadable: number }

/** One answer of the network, stored: what it brought, and where the network goes on. */
export type SyncStep = SyncResult & { next: string | null }

export type Sync = ReturnType<typeof createSync>

/** Reads what the network keeps of a page's conversations (spec section 2, Sync Historical Messages). */
export function createSync({
  db,
  graph,
  lookups,
  calls,
  keep,
  logger,
}: {
  db: Db
  graph: Graph
  lookups: Pick<ProfileLookups, 'note' | 'wake'>
  calls: Pick<PageCalls, 'call'>
  keep: KeepAddress
  logger: Logger
}) {
  /** Reads and stores one answer's worth of conversations, of which those that `wanted` refuses are left out. */
  async function step(
    request: ConversationsRequest,
    { isHistorical, wanted = () => true }: { isHistorical: boolean; wanted?: (of: GraphConversation) => boolean },
  ): Promise<SyncStep & { sawUnwanted: boolean }> {
    const { pageId, platform } = request
    const { answer, own } = await calls.call(pageId, { paced: true }, async (token, { instagramId }) => ({
      answer: await graph.conversations(token, request),
      own: new Set([pageId, instagramId]),
    }))
    const read = answer.conversations
      .filter(wanted)
      .flatMap((conversation) => readConversation(conversation, own, keep, isHistorical) ?? [])
    let messages = 0
    for (const { psid, profile, messages: found } of read) {
      messages += await store({ pageId, psid, platform }, profile, found)
    }
    return {
      conversations: answer.conversations.length,
      unreadable: answer.unreadable + read.reduce((sum, { unreadable }) => sum + unreadable, 0),
      messages,
      next: answer.conversations.length + answer.unreadable > 0 ? answer.next : null,
      sawUnwanted: !answer.conversations.every(wanted),
    }
  }

  return {
    /**
     * Takes in the newest conversations of a page, each with the 20 newest messages that the network gives. Safe to
     * repeat: what is known already stays as it is. `from` goes on where an earlier sync ended; `onStep` hears of each
     * answer once it is stored, and may end the sync by throwing. Returns what was new; throws GraphError, PagePaused
     * and PageUnusable.
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
            limit: Math.min(pageOfConversations, limit - result.conversations),
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
     * Takes in the conversations of a page, on all its platforms, in which something happened since a moment. Of each
     * all that the network gives is stored, for the gap may be older than the moment. Returns how many messages were new;
     * throws as `history` does.
     */
    async recent(pageId: string, since: Date): Promise<number> {
      const page = await db.selectFrom('pages').select('instagram_id').where('page_id', '=', pageId).executeTakeFirst()
      const platforms: Platform[] = page?.instagram_id ? ['messenger', 'instagram'] : ['messenger']
      const wanted = ({ updated_time }: GraphConversation) =>
        !updated_time || Date.parse(updated_time) >= since.getTime()
      let messages = 0
      for (const platform of platforms) {
        let next: string | null = null
        do {
          const done = await step(
            { pageId, platform, limit: pageOfConversations, ...(next === null ? {} : { after: next }) },
            { isHistorical: false, wanted },
          )
          messages += done.messages
          next = done.sawUnwanted ? null : done.next
        } while (next !== null)
      }
      return messages
    },

    /** Takes in the conversation with one person. Returns how many messages were new; throws as `history` does. */
    async conversation(pageId: string, platform: Platform, psid: string): Promise<number> {
      return (await step({ pageId, platform, psid, limit: 1 }, { isHistorical: false })).messages
    },
  }

  async function store(identity: Identity, profile: Profile, messages: readonly NetworkMessage[]): Promise<number> {
    const { fbUserId, needsProfile } = await ensureIdentity({ db, lookups }, identity, profile)
    const stored = await inTransaction(db, (trx) => storeMessages(trx, fbUserId, messages))
    if (needsProfile) lookups.wake()
    return stored
  }
}

type ReadConversation = { psid: string; profile: Profile; messages: NetworkMessage[]; unreadable: number }

function readConversation(
  conversation: GraphConversation,
  own: ReadonlySet<string | null>,
  keep: KeepAddress,
  isHistorical: boolean,
): ReadConversation | null {
  const person = conversation.participants?.data.find(({ id }) => !own.has(id))
  if (!person) return null
  const read = (conversation.messages?.data ?? []).map((value) => graphMessage.safeParse(value))
  const messages = read
    .flatMap(({ data }) => data ?? [])
    .map((message): NetworkMessage => {
      const { attachments, lines } = fromGraph(message.id, message.attachments?.data ?? [], keep)
      const words = [message.message, ...lines].filter(Boolean).join('\n')
      const sticker = keep.picture(message.sticker)
      const shown = attachments ?? (sticker === null ? null : { data: [stickerOf(message.id, sticker)] })
      return {
        messageId: message.id,
        direction: message.from?.id === person.id ? 'incoming' : 'outgoing',
        text: words !== '' ? storable(words) : shown ? null : unsupportedMessage,
        attachments: shown,
        at: new Date(message.created_time),
        isRead: true,
        isHistorical,
      }
    })
  const answeredAt = Math.max(
    0,
    ...messages.flatMap(({ direction, at }) => (direction === 'outgoing' ? [at.getTime()] : [])),
  )
  return {
    psid: person.id,
    profile: profileOf(person, keep),
    // The network does not say what staff have read; what was answered since was read.
    messages: messages.map((message) => ({
      ...message,
      isRead: message.direction === 'outgoing' || message.at.getTime() < answeredAt,
    })),
    unreadable: read.length - messages.length,
  }
}

const stickerOf = (messageId: string, url: string) => ({
  id: `${messageId}:sticker`,
  name: null,
  size: null,
  image_data: { url, preview_url: url },
})
