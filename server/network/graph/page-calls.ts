import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/database.ts'
import type { Logger } from '../../logger.ts'
import { GraphError } from './graph-error.ts'
import { type Pace, PagePaused } from './pace.ts'
import type { PageTokens } from './page-tokens.ts'

/** A page that no call can be made for: it is not connected, or its stored token cannot be read any more. */
export class PageUnusable extends Error {
  override readonly name = 'PageUnusable'
  readonly reason: 'unknown' | 'unreadable'

  constructor(reason: PageUnusable['reason']) {
    super(reason === 'unknown' ? 'the page is not connected' : 'the token of the page cannot be read')
    this.reason = reason
  }
}

export type PageCalls = ReturnType<typeof createPageCalls>

/**
 * Calls to the network in a page's name. A token that the network refuses, or that cannot be read, marks its page, until it is renewed or
 * accepted again (spec section 8: staff must know what to do).
 */
export function createPageCalls({
  db,
  pageTokens,
  pace,
  clock,
  logger,
}: {
  db: Db
  pageTokens: PageTokens
  pace: Pace
  clock: Clock
  logger: Pick<Logger, 'warn'>
}) {
  /** Marks the page, unless its token was renewed since it was read. */
  async function markInvalid(pageId: string, storedToken: string): Promise<void> {
    const marked = await db
      .updateTable('pages')
      .set({ token_invalid_since: new Date(clock.now()) })
      .where('page_id', '=', pageId)
      .where('page_access_token_encrypted', '=', storedToken)
      .where('token_invalid_since', 'is', null)
      .returning('page_id')
      .executeTakeFirst()
    if (marked) logger.warn({ pageId }, 'the token of a page is of no use')
  }

  async function prove(pageId: string, storedToken: string): Promise<void> {
    await db
      .updateTable('pages')
      .set({ token_invalid_since: null })
      .where('page_id', '=', pageId)
      .where('page_access_token_encrypted', '=', storedToken)
      .execute()
  }

  /** The token to call with, of what is stored. Throws PageUnusable where that cannot be read, and marks the page. */
  async function tokenOf(pageId: string, storedToken: string): Promise<string> {
    try {
      return pageTokens.decrypt(pageId, storedToken)
    } catch {
      await markInvalid(pageId, storedToken)
      throw new PageUnusable('unreadable')
    }
  }

  return {
    tokenOf,

    /**
     * Makes one call with a page's token; `paced` for those that the network counts against the page. Throws
     * PageUnusable, PagePaused and whatever the call throws.
     */
    async call<T>(
      pageId: string,
      { paced }: { paced: boolean },
      run: (token: string, page: { instagramId: string | null }) => Promise<T>,
    ): Promise<T> {
      const page = await db
        .selectFrom('pages')
        .select(['page_access_token_encrypted as stored', 'instagram_id as instagramId', 'token_invalid_since'])
        .where('page_id', '=', pageId)
        .executeTakeFirst()
      if (page === undefined) throw new PageUnusable('unknown')
      const token = await tokenOf(pageId, page.stored)
      if (paced) await pace.turn(pageId)
      let answer: T
      try {
        answer = await run(token, page)
      } catch (error) {
        if (error instanceof GraphError && error.refusal === 'reconnectPage') await markInvalid(pageId, page.stored)
        if (!(error instanceof GraphError && error.refusal === 'rateLimited' && paced)) throw error
        throw new PagePaused({ until: await pace.limited(pageId, error), now: clock.now(), code: error.code })
      }
      if (page.token_invalid_since !== null) await prove(pageId, page.stored)
      if (paced) await pace.accepted(pageId)
      return answer
    },

    /** Takes note of a refusal that a call with a page's stored token met elsewhere. */
    async refused(pageId: string, storedToken: string, error: unknown): Promise<void> {
      if (error instanceof GraphError && error.refusal === 'reconnectPage') await markInvalid(pageId, storedToken)
    },
  }
}
