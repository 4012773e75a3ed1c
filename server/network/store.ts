import { sql, type Transaction } from 'kysely'
import type { Platform } from '../../src/schemas/conversation.ts'
import type { Db } from '../database/database.ts'
import type { Tables } from '../database/tables.ts'
import type { Attachments } from './attachments.ts'
import { noProfile, type Profile } from './profiles.ts'

export type Database = Db | Transaction<Tables>

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
}

/** Those of these people of a page whom the inbox does not know by name. */
export async function namelessPeople(db: Database, pageId: string, psids: string[]): Promise<string[]> {
  if (psids.length === 0) return []
  const named = await db
    .selectFrom('fb_users')
    .select('psid')
    .where('page_id', '=', pageId)
    .where('psid', 'in', psids)
    .where('name', 'is not', null)
    .execute()
  const known = new Set(named.map(({ psid }) => psid))
  return psids.filter((psid) => !known.has(psid))
}

/**
 * Finds or makes identities of one page and returns their ids by psid. A new one becomes a conversation of its own; a
 * known one that has no name takes it from the profile.
 */
export async function ensureIdentities(
  db: Database,
  pageId: string,
  platform: Platform,
  people: ReadonlyMap<string, Profile>,
): Promise<Map<string, string>> {
  const psids = [...people.keys()]
  if (psids.length === 0) return new Map()
  const known = await db
    .selectFrom('fb_users')
    .select(['id', 'psid', 'name'])
    .where('page_id', '=', pageId)
    .where('psid', 'in', psids)
    .execute()
  const ids = new Map(known.map(({ id, psid }) => [psid, id]))

  for (const { id, psid, name } of known) {
    const profile = people.get(psid)
    if (name !== null || !profile?.name) continue
    await db
      .updateTable('fb_users')
      .set({
        name: profile.name,
        first_name: profile.firstName,
        last_name: profile.lastName,
        ...(profile.picture === null ? {} : { profile_pic: profile.picture }),
      })
      .where('id', '=', id)
      .execute()
  }

  const fresh = psids.filter((psid) => !ids.has(psid))
  if (fresh.length > 0) {
    const made = await db
      .insertInto('fb_users')
      .values(
        fresh.map((psid) => {
          const { name, firstName, lastName, picture } = people.get(psid) ?? noProfile
          return {
            page_id: pageId,
            psid,
            platform,
            name,
            first_name: firstName,
            last_name: lastName,
            profile_pic: picture,
          }
        }),
      )
      .onConflict((conflict) => conflict.columns(['page_id', 'psid']).doNothing())
      .returning(['id', 'psid'])
      .execute()
    for (const { id, psid } of made) ids.set(psid, id)
    const lost = fresh.filter((psid) => !ids.has(psid))
    if (lost.length > 0) {
      const others = await db
        .selectFrom('fb_users')
        .select(['id', 'psid'])
        .where('page_id', '=', pageId)
        .where('psid', 'in', lost)
        .execute()
      for (const { id, psid } of others) ids.set(psid, id)
    }
  }
  return ids
}

/** Stores messages of identities, each once, in any order; those that were taken back stay away. Returns how many were new. */
export async function storeMessages(
  db: Database,
  rows: ReadonlyArray<{ fbUserId: string; message: NetworkMessage }>,
): Promise<number> {
  if (rows.length === 0) return 0
  const deleted = await db
    .selectFrom('deleted_messages')
    .select('message_id')
    .where(
      'message_id',
      'in',
      rows.map(({ message }) => message.messageId),
    )
    .execute()
  const gone = new Set(deleted.map(({ message_id }) => message_id))
  const kept = rows.filter(({ message }) => !gone.has(message.messageId))
  if (kept.length === 0) return 0
  const stored = await db
    .insertInto('messages')
    .values(
      kept.map(({ fbUserId, message }) => ({
        message_id: message.messageId,
        fb_user_id: fbUserId,
        message_text: message.text,
        direction: message.direction,
        is_read: message.isRead,
        timestamp_fb: message.at,
        attachments: message.attachments === null ? null : JSON.stringify(message.attachments),
        idempotency_key: message.key ?? null,
      })),
    )
    .onConflict((conflict) => conflict.column('message_id').doNothing())
    .returning('message_id')
    .execute()
  return stored.length
}

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
