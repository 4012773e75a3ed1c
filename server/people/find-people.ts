import type { Db } from '../database/database.ts'

/**
 * The conversations that an id names, by primary user id: a primary or fb user id, a client id, or a psid. A psid can be
 * known to several pages for different people.
 */
export async function findPeople(db: Db, id: string): Promise<string[]> {
  const found = await db
    .selectFrom('fb_users')
    .select('primary_user_id')
    .distinct()
    .where((is) =>
      is.or([is('id', '=', id), is('primary_user_id', '=', id), is('client_id', '=', id), is('psid', '=', id)]),
    )
    .orderBy('primary_user_id')
    .execute()
  return found.map(({ primary_user_id }) => primary_user_id)
}
