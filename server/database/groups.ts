import { sql, type Transaction } from 'kysely'
import { linkToasts } from '../../src/domain/client/dialog-toasts.ts'
import type { Db } from './database.ts'
import type { Tables } from './tables.ts'
import { inTransaction } from './transaction.ts'

/** An identity after a change, as realtime reports it. */
export type MovedIdentity = { id: string; primary_user_id: string; client_id: string | null }

/** A merge, a split, a link or its removal is not possible. The message is shown to staff. */
export class GroupingRefused extends Error {
  override name = 'GroupingRefused'
  readonly reason: 'unknown' | 'conflict'

  constructor(reason: 'unknown' | 'conflict', message: string) {
    super(message)
    this.reason = reason
  }
}

/** Runs in the transaction of a change, with the primary user id of the conversation. */
type OnChanged = (transaction: Db, conversationId: string) => Promise<void>
const nothing: OnChanged = async () => undefined

/** All identities of these conversations. */
export const identitiesOf = (trx: Db, ids: readonly string[]): Promise<MovedIdentity[]> =>
  trx
    .selectFrom('fb_users')
    .select(['id', 'primary_user_id', 'client_id'])
    .where('primary_user_id', 'in', ids)
    .orderBy('id')
    .execute()

/**
 * Merges two conversations: identities, messages, counts and the client of the second move to the first, and the second
 * is deleted. Takes primary or fb user ids, and returns the identities of the first. Throws GroupingRefused if a
 * conversation is unknown, or if they have different clients.
 */
export async function mergeConversations(
  db: Db,
  primaryId: string,
  otherId: string,
  onMerged: OnChanged = nothing,
): Promise<MovedIdentity[]> {
  return inTransaction(db, (trx) => mergeConversationsIn(trx, primaryId, otherId, onMerged))
}

/** `mergeConversations` within a transaction. */
export async function mergeConversationsIn(
  trx: Transaction<Tables>,
  primaryId: string,
  otherId: string,
  onMerged: OnChanged = nothing,
): Promise<MovedIdentity[]> {
  const groups = await lockIdentities(trx, [primaryId, otherId])
  const [primary, other] = [groups.get(primaryId), groups.get(otherId)]
  if (primary === undefined || other === undefined) throw unknownConversation()
  if (primary === other) return identitiesOf(trx, [primary])
  await trx.updateTable('messages').set({ primary_user_id: primary }).where('primary_user_id', '=', other).execute()

  const clients = await lockConversations(trx, [primary, other])
  const [own, others] = [clients.get(primary) ?? null, clients.get(other) ?? null]
  if (own !== null && others !== null) {
    throw new GroupingRefused(
      'conflict',
      'These chats are linked to two different clients. Remove one of the links first.',
    )
  }
  const clientId = own ?? others
  // In this order: `client_id` is unique.
  await trx.updateTable('conversations').set({ client_id: null }).where('primary_user_id', '=', other).execute()
  await trx.updateTable('conversations').set({ client_id: clientId }).where('primary_user_id', '=', primary).execute()
  await trx
    .updateTable('fb_users')
    .set({ primary_user_id: primary, client_id: clientId })
    .where('primary_user_id', 'in', [primary, other])
    .execute()
  await sql`select merge_states(${primary}, ${other})`.execute(trx)
  await trx.deleteFrom('conversations').where('primary_user_id', '=', other).execute()
  await sql`select recount_conversations(array[${primary}])`.execute(trx)
  await onMerged(trx, primary)
  return identitiesOf(trx, [primary])
}

/**
 * Undoes a merge for one identity: the identity with its messages moves to a conversation of its own, which has no
 * client. Client, state, labels, notes and drafts stay where they are, because nobody knows which identity they were
 * about. Idempotent. Throws GroupingRefused if the identity is unknown, or if the conversation has its id.
 */
export async function splitConversation(
  db: Db,
  fbUserId: string,
  onSplit: OnChanged = nothing,
): Promise<MovedIdentity[]> {
  return inTransaction(db, async (trx) => {
    const group = (await lockIdentities(trx, [fbUserId])).get(fbUserId)
    if (group === undefined) throw unknownConversation()
    if (group === fbUserId) {
      const identities = await identitiesOf(trx, [group])
      if (identities.length === 1) return identities
      throw new GroupingRefused('conflict', 'This is the first chat of the conversation. Split off the other chats.')
    }
    await trx.insertInto('conversations').values({ primary_user_id: fbUserId }).execute()
    await trx.updateTable('messages').set({ primary_user_id: fbUserId }).where('fb_user_id', '=', fbUserId).execute()
    await lockConversations(trx, [group, fbUserId])
    await trx
      .updateTable('fb_users')
      .set({ primary_user_id: fbUserId, client_id: null })
      .where('id', '=', fbUserId)
      .execute()
    const both = [group, fbUserId].sort()
    await sql`select recount_conversations(${both}), refresh_names(${both})`.execute(trx)
    await onSplit(trx, group)
    return identitiesOf(trx, both)
  })
}

/**
 * Links a person, with all identities, to a client and returns the primary user id. Idempotent. Takes a primary or fb
 * user id. `onLinked` runs in the transaction of a new link. Throws GroupingRefused if the person or the client is
 * unknown, or if either is linked to another (spec section 5).
 */
export async function linkClient(
  db: Db,
  fbUserId: string,
  clientId: string,
  onLinked: OnChanged = nothing,
): Promise<string> {
  try {
    return await inTransaction(db, async (trx) => {
      const client = await trx
        .selectFrom('clients')
        .select('id')
        .where('id', '=', clientId)
        .where('removed_at', 'is', null)
        .executeTakeFirst()
      if (client === undefined) throw new GroupingRefused('unknown', 'Client not found')
      const group = (await lockIdentities(trx, [fbUserId])).get(fbUserId)
      if (group === undefined) throw unknownConversation()
      const own = (await lockConversations(trx, [group])).get(group) ?? null
      if (own === clientId) return group
      if (own !== null) {
        throw new GroupingRefused('conflict', 'This Facebook user is already linked to another client')
      }
      await trx.updateTable('conversations').set({ client_id: clientId }).where('primary_user_id', '=', group).execute()
      await trx.updateTable('fb_users').set({ client_id: clientId }).where('primary_user_id', '=', group).execute()
      await onLinked(trx, group)
      return group
    })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === uniqueViolation)) throw error
    throw new GroupingRefused('conflict', linkToasts.alreadyLinked.text)
  }
}

/**
 * Removes the link of a person, with all identities, to a client. Idempotent. Takes a primary or fb user id. Throws
 * GroupingRefused if the person is unknown, or linked to another client by now.
 */
export async function unlinkClient(
  db: Db,
  fbUserId: string,
  clientId: string,
  onUnlinked: OnChanged = nothing,
): Promise<MovedIdentity[]> {
  return inTransaction(db, async (trx) => {
    const group = (await lockIdentities(trx, [fbUserId])).get(fbUserId)
    if (group === undefined) throw unknownConversation()
    const own = (await lockConversations(trx, [group])).get(group) ?? null
    if (own === null) return identitiesOf(trx, [group])
    if (own !== clientId) {
      throw new GroupingRefused('conflict', 'This person is linked to another client by now. Open the dialog again.')
    }
    await trx.updateTable('conversations').set({ client_id: null }).where('primary_user_id', '=', group).execute()
    await trx.updateTable('fb_users').set({ client_id: null }).where('primary_user_id', '=', group).execute()
    await onUnlinked(trx, group)
    return identitiesOf(trx, [group])
  })
}

/** The unique index on `conversations.client_id` decides between concurrent links. */
const uniqueViolation = '23505'

const unknownConversation = () => new GroupingRefused('unknown', 'Conversation not found')

/** Maps primary or fb user ids to their conversations and locks the identities of those. */
export async function lockIdentities(trx: Transaction<Tables>, ids: string[]): Promise<Map<string, string>> {
  const identities = await trx
    .selectFrom('fb_users')
    .select(['id', 'primary_user_id'])
    .where('primary_user_id', 'in', (query) =>
      query
        .selectFrom('fb_users as named')
        .select('named.primary_user_id')
        .where((where) => where.or([where('named.id', 'in', ids), where('named.primary_user_id', 'in', ids)])),
    )
    .orderBy('id')
    .forUpdate()
    .execute()
  return new Map(
    ids.flatMap((id) => {
      const named = identities.find((row) => row.id === id || row.primary_user_id === id)
      return named === undefined ? [] : [[id, named.primary_user_id]]
    }),
  )
}

/** Locks conversations and returns the client of each. */
export async function lockConversations(trx: Transaction<Tables>, ids: string[]): Promise<Map<string, string | null>> {
  const rows = await trx
    .selectFrom('conversations')
    .select(['primary_user_id', 'client_id'])
    .where('primary_user_id', 'in', ids)
    .orderBy('primary_user_id')
    .forUpdate()
    .execute()
  return new Map(rows.map((row) => [row.primary_user_id, row.client_id]))
}
