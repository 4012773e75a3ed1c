import type { Db } from './database.ts'

/** The connected pages by name, but for those that are being deleted, without their access tokens (spec section 7, GET /facebook/pages). */
export const listPages = (db: Db) => listedPages(db).execute()

/** The query of `listPages`. */
export function listedPages(db: Db) {
  return db
    .selectFrom('pages')
    .select([
      'page_id',
      'page_name',
      'is_active',
      'page_username',
      'page_category',
      'page_profile_pic_url',
      'token_invalid_since',
      'shows_typing',
      'shows_seen',
      'created_at',
      'updated_at',
    ])
    .where('deletion_started_at', 'is', null)
    .orderBy('page_name')
    .orderBy('page_id')
}
