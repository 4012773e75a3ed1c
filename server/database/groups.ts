import { sql, type Transaction } from 'kysely'
import type { Db } from './database.ts'
import type { Tables } from './tables.ts'

/** Why a merge or a link cannot be: the message is a sentence for staff. */
export class GroupingRefused extends Error {
  override name = 'GroupingRefused'
  readonly reason: 'unknown' | 'linked'

  constructor(reason: 'unknown' | 'linked', message: string) {
    super(message)
    this.reason = reason
  }
}

/**
 * Makes two conversations one: identities, messages and counts go to the first, and the other is gone; so is the
 * difference of their clients, if one had none. Takes primary or fb user ids. Throws GroupingRefused when a conversation
 * is unknown or each is linked to a client of its own.
 */
export async function mergeConversations(db: Db, primaryId: string, otherId: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const groups = await lockGroups(trx, [primaryId, otherId])
    const [primary, other] = [groups.get(primaryId), groups.get(otherId)]
    if (primary === undefined || other === undefined) throw unknownConversation()
    if (primary.id === other.id) return
    if (primary.clientId !== null && other.clientId !== null) {
      throw new GroupingRefused('linked', 'These conversations are linked to two different clients')
    }
    const clientId = primary.clientId ?? other.clientId
    await trx.updateTable('conversations').set({ client_id: null }).where('primary_user_id', '=', other.id).execute()
    await trx
      .updateTable('conversations')
      .set({ client_id: clientId })
      .where('primary_user_id', '=', primary.id)
      .execute()
    await trx
      .updateTable('fb_users')
      .set({ primary_user_id: primary.id, client_id: clientId })
      .where('primary_user_id', 'in', [primary.id, other.id])
      .execute()
    await trx
      .updateTable('messages')
      .set({ primary_user_id: primary.id })
      .where('primary_user_id', '=', other.id)
      .execute()
    await trx.deleteFrom('conversations').where('primary_user_id', '=', other.id).execute()
    await sql`select recount_conversations(array[${primary.id}])`.execute(trx)
  })
}

/**
 * Links a person, with all their identities, to a client. Takes a primary or fb user id. Throws GroupingRefused when
 * the person or the client is unknown, or the client belongs to another person (spec section 5).
 */
export async function linkClient(db: Db, fbUserId: string, clientId: string): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const client = await trx
      .selectFrom('clients')
      .select('id')
      .where('id', '=', clientId)
      .forUpdate()
      .executeTakeFirst()
    if (client === undefined) throw new GroupingRefused('unknown', 'Client not found')
    const group = (await lockGroups(trx, [fbUserId])).get(fbUserId)
    if (group === undefined) throw unknownConversation()
    const holder = await trx
      .selectFrom('conversations')
      .select('primary_user_id')
      .where('client_id', '=', clientId)
      .where('primary_user_id', '!=', group.id)
      .executeTakeFirst()
    if (holder !== undefined) {
      throw new GroupingRefused('linked', 'This client is already linked to another Facebook user')
    }
    await trx
      .updateTable('conversations')
      .set({ client_id: clientId })
      .where('primary_user_id', '=', group.id)
      .execute()
    await trx.updateTable('fb_users').set({ client_id: clientId }).where('primary_user_id', '=', group.id).execute()
  })
}

const unknownConversation = () => new GroupingRefused('unknown', 'Conversation not found')

/** Locks identities before conversations, as a new message does, and always in the order of their ids. */
async function lockGroups(
  trx: Transaction<Tables>,
  ids: string[],
): Promise<Map<string, { id: string; clientId: string | null }>> {
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
  const primaryIds = [...new Set(identities.map(({ primary_user_id }) => primary_user_id))]
  if (primaryIds.length === 0) return new Map()
  const conversations = await trx
    .selectFrom('conversations')
    .select(['primary_user_id', 'client_id'])
    .where('primary_user_id', 'in', primaryIds)
    .orderBy('primary_user_id')
    .forUpdate()
    .execute()
  const clientOf = new Map(conversations.map(({ primary_user_id, client_id }) => [primary_user_id, client_id]))
  return new Map(
    ids.flatMap((id) => {
      const primaryId = identities.find((row) => row.id === id || row.primary_user_id === id)?.primary_user_id
      return primaryId === undefined ? [] : [[id, { id: primaryId, clientId: clientOf.get(primaryId) ?? null }]]
    }),
  )
}
