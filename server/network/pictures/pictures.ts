import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/database.ts'
import type { Logger } from '../../logger.ts'
import type { Graph } from '../graph/graph.ts'
import { GraphError } from '../graph/graph-error.ts'
import type { NormalizeUrl } from '../graph/normalize-url.ts'
import { type PageCalls, PageUnusable } from '../graph/page-calls.ts'
import { profileOf } from '../store/profiles.ts'

export type Pictures = ReturnType<typeof createPictures>

/** Minimum time between two requests for the same picture. */
const refreshInterval = 60_000

/** Fetches new URLs from the network for pictures whose URLs have expired, and stores them. */
export function createPictures({
  db,
  graph,
  calls,
  normalizeUrl,
  clock,
  logger,
}: {
  db: Db
  graph: Pick<Graph, 'person' | 'picture'>
  calls: Pick<PageCalls, 'call'>
  normalizeUrl: NormalizeUrl
  clock: Pick<Clock, 'now'>
  logger: Pick<Logger, 'warn'>
}) {
  const recent = new Map<string, { at: number; result: Promise<string | null> }>()

  /** Calls within `refreshInterval` share one result. */
  function once(key: string, fetchPicture: () => Promise<string | null>): Promise<string | null> {
    const now = clock.now()
    for (const [other, { at }] of recent) if (now - at >= refreshInterval) recent.delete(other)
    const known = recent.get(key)
    if (known !== undefined) return known.result
    const result = fetchPicture()
    recent.set(key, { at: now, result })
    result.catch(() => recent.delete(key))
    return result
  }

  async function fetchForPerson(id: string, pageId: string, psid: string, platform: 'messenger' | 'instagram') {
    const { profile_pic: current } = await db
      .selectFrom('fb_users')
      .select('profile_pic')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const profile = await calls.call(pageId, { paced: false }, (token) => graph.person(token, psid, platform))
    const { picture } = profileOf(profile, normalizeUrl)
    if (picture === null || picture === current) return current
    await db.updateTable('fb_users').set({ profile_pic: picture }).where('id', '=', id).execute()
    return picture
  }

  async function fetchForPage(pageId: string): Promise<string | null> {
    const picture = normalizeUrl.picture(
      await calls.call(pageId, { paced: false }, (token) => graph.picture(token, pageId)),
    )
    await db.updateTable('pages').set({ page_profile_pic_url: picture }).where('page_id', '=', pageId).execute()
    return picture
  }

  /**
   * Fetches a person's current picture, null if there is none (spec section 7, POST /facebook/refresh-user-profile/{id}).
   * `id` is an fb or primary user id. Undefined if the id is unknown. Throws GraphError.
   */
  async function refreshPerson(id: string): Promise<string | null | undefined> {
    const identity = await db
      .selectFrom('fb_users')
      .select(['id', 'page_id', 'psid', 'platform'])
      .where((where) => where.or([where('id', '=', id), where('primary_user_id', '=', id)]))
      .orderBy((order) => order('id', '=', id), 'desc')
      .orderBy('created_at')
      .orderBy('id')
      .limit(1)
      .executeTakeFirst()
    if (identity === undefined) return undefined
    return once(`person ${identity.id}`, () =>
      fetchForPerson(identity.id, identity.page_id, identity.psid, identity.platform),
    )
  }

  return {
    refreshPerson,

    /** Fetches a page's current picture, null if there is none. Throws GraphError and PageUnusable. */
    refreshPage: fetchForPage,

    /** Replaces an expired picture URL of a person or page. Null if there is no newer one. */
    async refreshAddress(address: string): Promise<string | null> {
      const person = await db
        .selectFrom('fb_users')
        .select('id')
        .where('profile_pic', '=', address)
        .limit(1)
        .executeTakeFirst()
      const page = await db
        .selectFrom('pages')
        .select('page_id')
        .where('page_profile_pic_url', '=', address)
        .executeTakeFirst()
      try {
        const fresh =
          person !== undefined
            ? await refreshPerson(person.id)
            : page !== undefined
              ? await once(`page ${page.page_id}`, () => fetchForPage(page.page_id))
              : null
        return fresh === address ? null : (fresh ?? null)
      } catch (error) {
        if (!(error instanceof GraphError || error instanceof PageUnusable)) throw error
        logger.warn({ code: error instanceof GraphError ? error.code : null }, 'refreshing a picture failed')
        return null
      }
    },
  }
}
