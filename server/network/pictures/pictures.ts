import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/database.ts'
import type { Logger } from '../../logger.ts'
import type { KeepAddress } from '../graph/addresses.ts'
import type { Graph } from '../graph/graph.ts'
import { GraphError } from '../graph/graph-error.ts'
import { type PageCalls, PageUnusable } from '../graph/page-calls.ts'
import { profileOf } from '../store/profiles.ts'

export type Pictures = ReturnType<typeof createPictures>

/** The network is not asked again for one picture before this. */
const askAgainAfter = 60_000

/** Asks the network anew for pictures whose addresses have expired, and keeps what it says. */
export function createPictures({
  db,
  graph,
  calls,
  keep,
  clock,
  logger,
}: {
  db: Db
  graph: Pick<Graph, 'person' | 'picture'>
  calls: Pick<PageCalls, 'call'>
  keep: KeepAddress
  clock: Pick<Clock, 'now'>
  logger: Pick<Logger, 'warn'>
}) {
  const asked = new Map<string, { at: number; answer: Promise<string | null> }>()

  /** Those who ask at once, or soon after, share one answer. */
  function once(what: string, ask: () => Promise<string | null>): Promise<string | null> {
    const now = clock.now()
    for (const [key, { at }] of asked) if (now - at >= askAgainAfter) asked.delete(key)
    const known = asked.get(what)
    if (known !== undefined) return known.answer
    const answer = ask()
    asked.set(what, { at: now, answer })
    answer.catch(() => asked.delete(what))
    return answer
  }

  async function askForPerson(id: string, pageId: string, psid: string, platform: 'messenger' | 'instagram') {
    const { profile_pic: current } = await db
      .selectFrom('fb_users')
      .select('profile_pic')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    const profile = await calls.call(pageId, { paced: false }, (token) => graph.person(token, psid, platform))
    const { picture } = profileOf(profile, keep)
    if (picture === null || picture === current) return current
    await db.updateTable('fb_users').set({ profile_pic: picture }).where('id', '=', id).execute()
    return picture
  }

  async function askForPage(pageId: string): Promise<string | null> {
    const picture = keep.picture(await calls.call(pageId, { paced: false }, (token) => graph.picture(token, pageId)))
    await db.updateTable('pages').set({ page_profile_pic_url: picture }).where('page_id', '=', pageId).execute()
    return picture
  }

  /**
   * A person's picture as the network has it now, null when it gives none (spec section 7, POST
   * /facebook/refresh-user-profile/{id}). Takes an fb or primary user id; undefined when nobody has it. Throws GraphError.
   */
  async function renewPerson(id: string): Promise<string | null | undefined> {
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
      askForPerson(identity.id, identity.page_id, identity.psid, identity.platform),
    )
  }

  return {
    renewPerson,

    /** A page's picture as the network has it now, null when it has none. Throws GraphError and PageUnusable. */
    renewPage: askForPage,

    /** What comes after an expired picture address of a person or a page; null when nothing does. */
    async renewAddress(address: string): Promise<string | null> {
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
            ? await renewPerson(person.id)
            : page !== undefined
              ? await once(`page ${page.page_id}`, () => askForPage(page.page_id))
              : null
        return fresh === address ? null : (fresh ?? null)
      } catch (error) {
        if (!(error instanceof GraphError || error instanceof PageUnusable)) throw error
        logger.warn({ code: error instanceof GraphError ? error.code : null }, 'A picture could not be renewed')
        return null
      }
    },
  }
}
