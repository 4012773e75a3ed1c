import type { Platform } from '../../src/schemas/conversation.ts'
import type { Db } from '../database/database.ts'
import { inTransaction } from '../database/transaction.ts'
import type { Logger } from '../logger.ts'
import type { KeepAddress } from './addresses.ts'
import { fromGraph } from './attachments.ts'
import type { Graph } from './graph.ts'
import { type GraphConversation, graphMessage } from './graph-shapes.ts'
import type { PageTokens } from './page-tokens.ts'
import { type Profile, type Profiles, profileOf } from './profiles.ts'
import { storable } from './storable.ts'
import { ensureIdentity, type Identity, type NetworkMessage, namelessPeople, storeMessages } from './store.ts'
import { unsupportedMessage } from './webhook-events.ts'

const pageOfConversations = 25

export type SyncResult = { conversations: number; messages: number; unreadable: number }

export type Sync = ReturnType<typeof createSync>

/** Reads what the network keeps of a page's conversations (spec section 2, Sync Historical Messages). */
export function createSync({
  db,
  graph,
  profiles,
  pageTokens,
  keep,
  logger,
}: {
  db: Db
  graph: Graph
  profiles: Profiles
  pageTokens: PageTokens
  keep: KeepAddress
  logger: Logger
}) {
  return {
    /**
     * Takes in the newest conversations of a page, each with the 20 newest messages that the network gives. Safe to
     * repeat: what is known already stays as it is. Returns what was new; throws GraphError when the network refuses.
     */
    async history(pageId: string, platform: Platform, limit: number): Promise<SyncResult> {
      const page = await db
        .selectFrom('pages')
        .select(['page_access_token_encrypted', 'instagram_id'])
        .where('page_id', '=', pageId)
        .executeTakeFirstOrThrow()
      const token = pageTokens.decrypt(pageId, page.page_access_token_encrypted)
      const own = new Set([pageId, page.instagram_id])
      const result: SyncResult = { conversations: 0, messages: 0, unreadable: 0 }
      let after: string | undefined
      while (result.conversations < limit) {
        const answer = await graph.conversations(token, {
          pageId,
          platform,
          limit: Math.min(pageOfConversations, limit - result.conversations),
          ...(after === undefined ? {} : { after }),
        })
        const read = answer.conversations.flatMap((conversation) => readConversation(conversation, own, keep) ?? [])
        result.conversations += answer.conversations.length
        result.unreadable += answer.unreadable + read.reduce((sum, { unreadable }) => sum + unreadable, 0)
        const strangers = await namelessPeople(db, pageId, psidsOf(read))
        const found = await profiles.of(token, pageId, strangers, platform)
        for (const conversation of read) {
          const more = found.get(conversation.psid)
          const profile = more?.name ? more : conversation.profile
          result.messages += await store({ pageId, psid: conversation.psid, platform }, profile, conversation.messages)
        }
        if (answer.next === null || answer.conversations.length === 0) break
        after = answer.next
      }
      logger.info({ pageId, platform, ...result }, 'history synced')
      return result
    },
  }

  async function store(identity: Identity, profile: Profile, messages: readonly NetworkMessage[]): Promise<number> {
    const fbUserId = await ensureIdentity(db, identity, profile)
    return inTransaction(db, (trx) => storeMessages(trx, fbUserId, messages))
  }
}

const psidsOf = (conversations: ReadConversation[]) => conversations.map(({ psid }) => psid)

type ReadConversation = { psid: string; profile: Profile; messages: NetworkMessage[]; unreadable: number }

function readConversation(
  conversation: GraphConversation,
  own: ReadonlySet<string | null>,
  keep: KeepAddress,
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
