import type { Transaction } from 'kysely'
import type { BestPageReason } from '../../src/schemas/message.ts'
import type { Db } from './database.ts'
import type { Row, Tables } from './tables.ts'
import { inTransaction } from './transaction.ts'

/** Resolves a primary or fb user id to the conversation's primary user id; null if unknown. */
export async function findPrimaryUserId(db: Db, id: string): Promise<string | null> {
  const found = await db
    .selectFrom('fb_users')
    .select('primary_user_id')
    .where('id', '=', id)
    .unionAll(db.selectFrom('conversations').select('primary_user_id').where('primary_user_id', '=', id))
    .limit(1)
    .executeTakeFirst()
  return found?.primary_user_id ?? null
}

/** After this many look-ups, each overtaken by a merge, the conversation counts as unknown. */
const maxLookUps = 3

/**
 * Runs a write for the conversation of a primary or fb user id, in a transaction that keeps it from being merged or
 * deleted. Null if there is none. A merge before the lock moves the identity, so the look-up is repeated.
 */
export async function writeToConversation<T>(
  db: Db,
  id: string,
  write: (trx: Transaction<Tables>, primaryUserId: string) => Promise<T>,
): Promise<T | null> {
  for (let lookUp = 1; lookUp <= maxLookUps; lookUp++) {
    const primaryUserId = await findPrimaryUserId(db, id)
    if (primaryUserId === null) return null
    const written = await inTransaction(db, async (trx) => {
      const locked = await trx
        .selectFrom('conversations')
        .select('primary_user_id')
        .where('primary_user_id', '=', primaryUserId)
        .forKeyShare()
        .executeTakeFirst()
      return locked === undefined ? null : { result: await write(trx, primaryUserId) }
    })
    if (written !== null) return written.result
  }
  return null
}

/** The client linked to a conversation, or null. */
export async function findClientOfConversation(db: Db, primaryUserId: string): Promise<string | null> {
  const found = await db
    .selectFrom('conversations')
    .select('client_id')
    .where('primary_user_id', '=', primaryUserId)
    .executeTakeFirst()
  return found?.client_id ?? null
}

/** A person's identity on a page, or null. Of several, the one they last wrote with. */
export async function findIdentity(
  db: Db,
  primaryUserId: string,
  pageId: string,
): Promise<Pick<Row<'fb_users'>, 'psid' | 'platform'> | null> {
  const found = await db
    .selectFrom('fb_users')
    .select(['psid', 'platform'])
    .where('primary_user_id', '=', primaryUserId)
    .where('page_id', '=', pageId)
    .orderBy(
      (query) =>
        query
          .selectFrom('messages')
          .select((select) => select.fn.max('timestamp_fb').as('at'))
          .whereRef('messages.fb_user_id', '=', 'fb_users.id')
          .where('direction', '=', 'incoming'),
      (order) => order.desc().nullsLast(),
    )
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return found ?? null
}

/** The active page on which a person last wrote, with their psid and the reason for the choice (spec section 4), or null. */
export async function findBestPage(
  db: Db,
  primaryUserId: string,
): Promise<{ pageId: string; psid: string | null; reason: BestPageReason } | null> {
  const best = await db
    .selectFrom('conversation_pages')
    .innerJoin('pages', 'pages.page_id', 'conversation_pages.page_id')
    .select((select) => [
      'conversation_pages.page_id',
      'conversation_pages.last_incoming_at',
      'conversation_pages.last_message_at',
      select.fn.countAll<number>().over().as('pages'),
    ])
    .where('conversation_pages.primary_user_id', '=', primaryUserId)
    .where('pages.is_active', '=', true)
    .orderBy('conversation_pages.last_incoming_at', (order) => order.desc().nullsLast())
    .orderBy('conversation_pages.last_message_at', (order) => order.desc().nullsLast())
    .orderBy('conversation_pages.page_id')
    .limit(1)
    .executeTakeFirst()
  if (best === undefined) return null
  const identity = await findIdentity(db, primaryUserId, best.page_id)
  return { pageId: best.page_id, psid: identity?.psid ?? null, reason: reasonOf(best) }
}

function reasonOf(
  best: { pages: number } & Pick<Row<'conversation_pages'>, 'last_incoming_at' | 'last_message_at'>,
): BestPageReason {
  if (best.pages === 1) return 'only_page'
  if (best.last_incoming_at !== null) return 'last_incoming'
  return best.last_message_at === null ? 'first_page' : 'last_message'
}
