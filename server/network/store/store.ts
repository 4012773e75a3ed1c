import { sql, type Transaction } from 'kysely'
import type { Platform } from '../../../src/schemas/conversation.ts'
import type { Db } from '../../database/database.ts'
import type { Tables } from '../../database/tables.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Attachments } from './attachments.ts'
import { noProfile, type Profile } from './profiles.ts'

export type Database = Db | Transaction<Tables>

/** The queue of identities whose profile is to be read. */
export type ProfileQueue = { enqueue(db: Database, fbUserId: string): Promise<void> }

/** The key of an identity on the network, with its platform. A psid is valid on its own page only. */
export type IdentityKey = { pageId: string; psid: string; platform: Platform }

export type NetworkMessage = {
  messageId: string
  direction: 'incoming' | 'outgoing'
  text: string | null
  attachments: Attachments
  at: Date
  isRead: boolean
  /** The idempotency key, if it was sent from here. */
  key?: string | null
  /** Stored by a historical sync. */
  isHistorical?: boolean
}

/**
 * Finds or creates the identity of a person on a page. A new identity starts a conversation. An identity without a name
 * takes the given one. If the identity is new or has no name, its profile is queued (`needsProfile`); the caller wakes the
 * lookups after storing the messages. Do not call this in a transaction: creating an identity locks the conversation
 * first, storing a message locks it last, and both orders together can deadlock.
 */
export async function ensureIdentity(
  { db, lookups }: { db: Db; lookups: ProfileQueue },
  { pageId, psid, platform }: IdentityKey,
  { name, firstName, lastName, picture }: Profile = noProfile,
): Promise<{ fbUserId: string; needsProfile: boolean }> {
  const existing = await identityOf(db, pageId, psid)
  if (existing) {
    if (existing.name !== null) return { fbUserId: existing.id, needsProfile: false }
    await lookups.enqueue(db, existing.id)
    if (name !== null) {
      await db
        .updateTable('fb_users')
        .set({
          name,
          first_name: firstName,
          last_name: lastName,
          ...(picture === null ? {} : { profile_pic: picture }),
        })
        .where('id', '=', existing.id)
        .where('name', 'is', null)
        .execute()
    }
    return { fbUserId: existing.id, needsProfile: true }
  }
  const created = await inTransaction(db, async (trx) => {
    const row = await trx
      .insertInto('fb_users')
      .values({
        page_id: pageId,
        psid,
        platform,
        name,
        first_name: firstName,
        last_name: lastName,
        profile_pic: picture,
      })
      .onConflict((conflict) => conflict.columns(['page_id', 'psid']).doNothing())
      .returning('id')
      .executeTakeFirst()
    if (row) await lookups.enqueue(trx, row.id)
    return row
  })
  const found = created ?? (await identityOf(db, pageId, psid))
  if (!found) throw new Error('an identity was deleted while it was being created')
  return { fbUserId: found.id, needsProfile: true }
}

const identityOf = (db: Db, pageId: string, psid: string) =>
  db
    .selectFrom('fb_users')
    .select(['id', 'name'])
    .where('page_id', '=', pageId)
    .where('psid', '=', psid)
    .executeTakeFirst()

/** Stores messages of one identity. Idempotent; skips messages that the person deleted. Returns the number of new messages. */
export async function storeMessages(
  db: Database,
  fbUserId: string,
  messages: readonly NetworkMessage[],
): Promise<number> {
  if (messages.length === 0) return 0
  const deleted = await db
    .selectFrom('deleted_messages')
    .select('message_id')
    .where(
      'message_id',
      'in',
      messages.map(({ messageId }) => messageId),
    )
    .execute()
  const deletedIds = new Set(deleted.map(({ message_id }) => message_id))
  // A fixed order prevents deadlocks between transactions that store the same messages.
  const kept = messages.filter(({ messageId }) => !deletedIds.has(messageId)).sort(byId)
  if (kept.length === 0) return 0
  const stored = await db
    .insertInto('messages')
    .values(
      kept.map((message) => ({
        message_id: message.messageId,
        fb_user_id: fbUserId,
        message_text: message.text,
        direction: message.direction,
        is_read: message.isRead,
        timestamp_fb: message.at,
        attachments: message.attachments === null ? null : JSON.stringify(message.attachments),
        idempotency_key: message.key ?? null,
        is_historical: message.isHistorical ?? false,
      })),
    )
    .onConflict((conflict) => conflict.column('message_id').doNothing())
    .returning('message_id')
    .execute()
  return stored.length
}

const byId = (one: NetworkMessage, other: NetworkMessage) => (one.messageId < other.messageId ? -1 : 1)

/**
 * Marks a send as sent and gives its key to the message, unless another message has the key. Returns the key for the
 * caller to store with a message that does not exist yet, else null.
 */
export async function settleSend(db: Database, key: string, messageId: string): Promise<string | null> {
  await db
    .updateTable('sends')
    .set({ state: 'sent', message_id: messageId, error: null, updated_at: sql`now()` })
    .where('idempotency_key', '=', key)
    .where('state', '!=', 'sent')
    .execute()
  const holder = await db
    .selectFrom('messages')
    .select('message_id')
    .where('idempotency_key', '=', key)
    .executeTakeFirst()
  if (holder) return holder.message_id === messageId ? key : null
  await db
    .updateTable('messages')
    .set({ idempotency_key: key })
    .where('message_id', '=', messageId)
    .where('idempotency_key', 'is', null)
    .execute()
  return key
}
