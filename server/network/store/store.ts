import { sql, type Transaction } from 'kysely'
import type { Platform } from '../../../src/schemas/conversation.ts'
import type { Db } from '../../database/database.ts'
import type { Tables } from '../../database/tables.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Attachments } from './attachments.ts'
import { noProfile, type Profile } from './profiles.ts'

export type Database = Db | Transaction<Tables>

/** Where an identity is noted whose profile is to be read. */
export type ProfileNotes = { note(db: Database, fbUserId: string): Promise<void> }

/** Who wrote, and to which page: one identity. */
export type Identity = { pageId: string; psid: string; platform: Platform }

export type NetworkMessage = {
  messageId: string
  direction: 'incoming' | 'outgoing'
  text: string | null
  attachments: Attachments
  at: Date
  isRead: boolean
  /** The idempotency key under which our own staff sent it. */
  key?: string | null
  /** A historical sync brought it. */
  isHistorical?: boolean
}

/**
 * Finds or makes the identity of a person on a page. A new one becomes a conversation of its own. A known one that has
 * no name takes the one that is given. The profile of a new or nameless one is noted as to be read (`needsProfile`); the
 * caller wakes the lookups once the messages are stored. Not for use in a transaction: whoever makes an identity holds
 * its conversation first, whoever stores a message holds it last.
 */
export async function ensureIdentity(
  { db, lookups }: { db: Db; lookups: ProfileNotes },
  { pageId, psid, platform }: Identity,
  { name, firstName, lastName, picture }: Profile = noProfile,
): Promise<{ fbUserId: string; needsProfile: boolean }> {
  const known = await identityOf(db, pageId, psid)
  if (known) {
    if (known.name !== null) return { fbUserId: known.id, needsProfile: false }
    await lookups.note(db, known.id)
    if (name !== null) {
      await db
        .updateTable('fb_users')
        .set({
          name,
          first_name: firstName,
          last_name: lastName,
          ...(picture === null ? {} : { profile_pic: picture }),
        })
        .where('id', '=', known.id)
        .where('name', 'is', null)
        .execute()
    }
    return { fbUserId: known.id, needsProfile: true }
  }
  const made = await inTransaction(db, async (trx) => {
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
    if (row) await lookups.note(trx, row.id)
    return row
  })
  const found = made ?? (await identityOf(db, pageId, psid))
  if (!found) throw new Error('an identity vanished while it was made')
  return { fbUserId: found.id, needsProfile: true }
}

const identityOf = (db: Db, pageId: string, psid: string) =>
  db
    .selectFrom('fb_users')
    .select(['id', 'name'])
    .where('page_id', '=', pageId)
    .where('psid', '=', psid)
    .executeTakeFirst()

/**
 * Stores messages of one identity, each once, in any order; those that were taken back stay away. Returns how many were
 * new.
 */
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
  const gone = new Set(deleted.map(({ message_id }) => message_id))
  // In one order, whoever stores them: who is second waits for the first, and not each for the other.
  const kept = messages.filter(({ messageId }) => !gone.has(messageId)).sort(byId)
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
 * Ties a message to the send that caused it, if no other message is: the message takes the key, the send is settled.
 * A message that is not stored yet is left to the caller, who gets the key to store with it.
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
