import { sql, type Transaction } from 'kysely'
import type { Platform } from '../../../src/schemas/conversation.ts'
import type { MessageContent } from '../../../src/schemas/message-content.ts'
import type { Db } from '../../database/database.ts'
import { formerPlaceOf, identityReturned, linkReturned } from '../../database/former-identities.ts'
import { applyLabelRules } from '../../database/label-rules.ts'
import type { Tables } from '../../database/tables.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { StoredFiles } from '../../files/stored-files.ts'
import type { Erased, ErasedPeople } from '../../people/erased-people.ts'
import { applyEarlyEdits } from './edits.ts'
import { noProfile, type Profile } from './profiles.ts'
import type { Attachments } from './read-message.ts'

export type Database = Db | Transaction<Tables>

/** The queue of identities whose profile is to be read. */
export type ProfileQueue = { enqueue(db: Database, fbUserIds: readonly string[]): Promise<void> }

/** The queue of the files that customers send (`createStoredFiles`). */
export type FileQueue = Pick<StoredFiles, 'prepare' | 'enqueue'>

/** The key of an identity on the network, with its platform. A psid is valid on its own page only. */
export type IdentityKey = { pageId: string; psid: string; platform: Platform }

export type NetworkMessage = {
  messageId: string
  direction: 'incoming' | 'outgoing'
  text: string | null
  /** What the writer wrote of the text; the whole text if absent. Rules look at it. */
  written?: string | null
  attachments: Attachments
  content?: MessageContent | null
  at: Date
  isRead: boolean
  /** The idempotency key, if it was sent from here. */
  key?: string | null
  /** Stored by a historical sync. */
  isHistorical?: boolean
  /** The message that this one replies to. */
  replyTo?: string | null
}

/** A message with the identity of its person. */
export type IdentifiedMessage = NetworkMessage & { fbUserId: string }

/**
 * The identity under which events of a person are stored. `erasedAt`: the person was erased, and events up to this time
 * must not be stored.
 */
export type StorableIdentity = { fbUserId: string; needsProfile: boolean; erasedAt: Date | null }

/**
 * Finds or creates the identity of a person on a page. A new identity starts a conversation, unless its person wrote to the
 * page before the page was removed (`formerPlaceOf`). An identity without a name takes the given one. If the identity is new or has no name, its profile is queued (`needsProfile`); the caller wakes the
 * lookups after storing the messages. Do not call this in a transaction: creating an identity locks the conversation
 * first, storing a message locks it last, and both orders together can deadlock.
 *
 * Returns 'erased' if the person was erased and none of the events is later (`newestAt`), and 'being erased' if there are
 * later events but the erasure is not complete.
 */
export async function ensureIdentity(
  { db, lookups, erasedPeople }: { db: Db; lookups: ProfileQueue; erasedPeople: ErasedPeople },
  { pageId, psid, platform }: IdentityKey,
  newestAt: Date,
  { name, firstName, lastName, picture }: Profile = noProfile,
): Promise<StorableIdentity | 'erased' | 'being erased'> {
  const hash = erasedPeople.hashOf(pageId, psid)
  const { identity, erased } = await findIdentity(db, { pageId, psid }, hash)
  const dropped = reasonToDrop(erased, newestAt)
  if (dropped !== null) return dropped
  const erasedAt = erased?.erasedAt ?? null
  if (identity !== null) {
    const fbUserId = identity.id
    if (identity.name !== null) return { fbUserId, needsProfile: false, erasedAt }
    await lookups.enqueue(db, [fbUserId])
    if (name !== null) {
      await db
        .updateTable('fb_users')
        .set({
          name,
          first_name: firstName,
          last_name: lastName,
          ...(picture === null ? {} : { profile_pic: picture }),
        })
        .where('id', '=', fbUserId)
        .where('name', 'is', null)
        .execute()
    }
    return { fbUserId, needsProfile: true, erasedAt }
  }
  const created = await inTransaction(db, async (trx) => {
    const former = await formerPlaceOf(trx, hash)
    const row = await trx
      .insertInto('fb_users')
      .values({
        ...(former === null || former.conversationId === null
          ? {}
          : { primary_user_id: former.conversationId, client_id: former.clientId }),
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
    if (row === undefined) return undefined
    // Checked again after the insert: an erasure that ran since the first check has been committed by now.
    const late = reasonToDrop((await findIdentity(trx, { pageId, psid }, hash)).erased, newestAt)
    if (late !== null) throw new ErasedMeanwhile(late)
    if (former !== null && former.conversationId === null) await linkReturned(trx, row.id, former.clientId)
    await identityReturned(trx, hash, row.id)
    await lookups.enqueue(trx, [row.id])
    return row
  }).catch((error: unknown) => {
    if (error instanceof ErasedMeanwhile) return error.reason
    throw error
  })
  if (typeof created === 'string') return created
  const fbUserId = created?.id ?? (await findIdentity(db, { pageId, psid }, hash)).identity?.id
  if (fbUserId === undefined) throw new Error('an identity was deleted while it was being created')
  return { fbUserId, needsProfile: true, erasedAt }
}

/** Rolls the creation of an identity back. */
class ErasedMeanwhile extends Error {
  override name = 'ErasedMeanwhile'
  readonly reason: 'erased' | 'being erased'

  constructor(reason: 'erased' | 'being erased') {
    super(reason)
    this.reason = reason
  }
}

function reasonToDrop(erased: Erased | null, newestAt: Date): 'erased' | 'being erased' | null {
  if (erased === null) return null
  if (newestAt <= erased.erasedAt) return 'erased'
  return erased.isCompleted ? null : 'being erased'
}

/** The identity, and whether its person was erased, in one query. */
async function findIdentity(db: Database, { pageId, psid }: { pageId: string; psid: string }, hash: string) {
  const row = await db
    .selectFrom(sql`(select 1)`.as('one'))
    .leftJoin('fb_users', (join) => join.on('page_id', '=', pageId).on('psid', '=', psid))
    .leftJoin('erased_people', (join) => join.on('person_hash', '=', hash))
    .select(['fb_users.id', 'fb_users.name', 'erased_people.erased_at', 'erased_people.completed_at'])
    .executeTakeFirstOrThrow()
  return {
    identity: row.id === null ? null : { id: row.id, name: row.name },
    erased: row.erased_at === null ? null : { erasedAt: row.erased_at, isCompleted: row.completed_at !== null },
  }
}

/**
 * Stores messages in one statement. Idempotent; skips messages that the person deleted. Returns the number of new messages.
 * The keyword rules of labels apply to new messages of people, not to stored history. `files` copies the files of new incoming messages; call its `wake` after the commit.
 */
export async function storeMessages(
  db: Database,
  messages: readonly IdentifiedMessage[],
  files?: FileQueue,
): Promise<number> {
  if (messages.length === 0) return 0
  const prepared = messages.map((message) => prepareFiles(message, files))
  const given = prepared.map((message, position) => ({
    position,
    message_id: message.messageId,
    fb_user_id: message.fbUserId,
    message_text: message.text,
    direction: message.direction,
    is_read: message.isRead,
    timestamp_fb: message.at,
    attachments: message.attachments,
    content: message.content ?? null,
    idempotency_key: message.key ?? null,
    is_historical: message.isHistorical ?? false,
    reply_to: message.replyTo == null ? null : { message_id: message.replyTo },
  }))
  // Of two with one id the first is stored. The lock keeps an identity in its conversation until its messages are stored.
  // The fixed orders prevent deadlocks between transactions that store the same messages.
  const { rows: stored } = await sql<{ message_id: string }>`
    with given as materialized (
      select * from json_to_recordset(${JSON.stringify(given)}::json) as given (position integer, message_id text, fb_user_id text,
        message_text text, direction text, is_read boolean, timestamp_fb timestamptz, attachments jsonb,
        content jsonb, idempotency_key text, is_historical boolean, reply_to jsonb)
    ),
    identities as materialized (
      select id, primary_user_id, page_id from fb_users where id in (select fb_user_id from given)
      order by id for key share
    )
    insert into messages (message_id, primary_user_id, page_id, fb_user_id, message_text, direction, is_read,
      timestamp_fb, attachments, content, idempotency_key, is_historical, reply_to)
    select message_id, primary_user_id, page_id, fb_user_id, message_text, direction, is_read, timestamp_fb, attachments,
      content, idempotency_key, is_historical, reply_to
    from given left join identities on identities.id = given.fb_user_id
    where not exists (select from deleted_messages where deleted_messages.message_id = given.message_id)
    order by message_id collate "C", position
    on conflict (message_id) do nothing
    returning message_id`.execute(db)
  await applyEarlyEdits(
    db,
    messages.map(({ messageId }) => messageId),
  )
  const storedIds = new Set(stored.map(({ message_id }) => message_id))
  await files?.enqueue(
    db,
    prepared
      .filter(({ messageId }) => storedIds.has(messageId))
      .flatMap(({ messageId, sources }) => sources.map((source) => ({ messageId, ...source }))),
  )
  // A message that comes again does not bring back a label that staff took off.
  await applyLabelRules(
    db,
    messages.flatMap(({ messageId, fbUserId, direction, text: shown, written: text = shown, isHistorical = false }) =>
      direction === 'incoming' && !isHistorical && text !== null && storedIds.has(messageId) ? { fbUserId, text } : [],
    ),
  )
  return stored.length
}

function prepareFiles(message: IdentifiedMessage, files: FileQueue | undefined) {
  const { attachments, direction } = message
  if (files === undefined || attachments === null || direction === 'outgoing') return { ...message, sources: [] }
  const prepared = files.prepare(attachments.data)
  return { ...message, attachments: { data: prepared.attachments }, sources: prepared.sources }
}

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
