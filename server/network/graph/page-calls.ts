import { recordAudit, serverActor } from '../../audit/audit.ts'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/database.ts'
import { inTransaction } from '../../database/transaction.ts'
import type { Logger } from '../../logger.ts'
import { GraphError } from './graph-error.ts'
import { type Pace, PagePaused } from './pace.ts'
import type { PageTokens } from './page-tokens.ts'

/** The page is not connected, or its stored token cannot be decrypted. */
export class PageUnusable extends Error {
  override readonly name = 'PageUnusable'
  readonly reason: 'unknown' | 'unreadable'

  constructor(reason: PageUnusable['reason']) {
    super(reason === 'unknown' ? 'the page is not connected' : 'the token of the page cannot be decrypted')
    this.reason = reason
  }
}

export type PageCalls = ReturnType<typeof createPageCalls>

/**
 * Calls the network with a page's token. If the network rejects the token, or it cannot be decrypted, the page is marked
 * (`token_invalid_since`) until the token is renewed or accepted again (spec section 8: staff must know what to do).
 */
export function createPageCalls({
  db,
  pageTokens,
  pace,
  clock,
  logger,
  onTokenAccepted,
}: {
  db: Db
  pageTokens: PageTokens
  pace: Pace
  clock: Clock
  logger: Pick<Logger, 'warn'>
  /** Called after the mark of a page was removed. */
  onTokenAccepted: () => void
}) {
  /** Marks the page, unless its token was renewed since it was read. */
  async function markInvalid(pageId: string, storedToken: string): Promise<void> {
    const marked = await inTransaction(db, async (trx) => {
      const at = clock.now()
      const row = await trx
        .updateTable('pages')
        .set({ token_invalid_since: new Date(at) })
        .where('page_id', '=', pageId)
        .where('page_access_token_encrypted', '=', storedToken)
        .where('token_invalid_since', 'is', null)
        .returning('page_name')
        .executeTakeFirst()
      if (row === undefined) return false
      const details = { name: row.page_name }
      await recordAudit(trx, {
        at,
        by: serverActor,
        action: 'token.invalid',
        row: { kind: 'page', id: pageId },
        details,
      })
      return true
    })
    if (marked) logger.warn({ pageId }, 'the token of a page is not valid')
  }

  async function clearInvalid(pageId: string, storedToken: string): Promise<void> {
    const cleared = await db
      .updateTable('pages')
      .set({ token_invalid_since: null })
      .where('page_id', '=', pageId)
      .where('page_access_token_encrypted', '=', storedToken)
      .where('token_invalid_since', 'is not', null)
      .returning('page_id')
      .executeTakeFirst()
    if (cleared !== undefined) onTokenAccepted()
  }

  /** Decrypts a stored token. If that fails, marks the page and throws PageUnusable. */
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
     * Makes one call with a page's token. `paced` calls count against the page's rate limit; `signal` gives up their wait.
     * Throws PageUnusable, the errors of `Pace.turn` and those of `run`.
     */
    async call<T>(
      pageId: string,
      { paced, signal }: { paced: boolean; signal?: AbortSignal | undefined },
      run: (token: string, page: { instagramId: string | null }) => Promise<T>,
    ): Promise<T> {
      const page = await db
        .selectFrom('pages')
        .select(['page_access_token_encrypted as stored', 'instagram_id as instagramId', 'token_invalid_since'])
        .where('page_id', '=', pageId)
        .where('deletion_started_at', 'is', null)
        .executeTakeFirst()
      if (page === undefined) throw new PageUnusable('unknown')
      const token = await tokenOf(pageId, page.stored)
      if (paced) await pace.turn(pageId, signal)
      let result: T
      try {
        result = await run(token, page)
      } catch (error) {
        if (error instanceof GraphError && error.refusal === 'reconnectPage') await markInvalid(pageId, page.stored)
        if (!(error instanceof GraphError && error.refusal === 'rateLimited' && paced)) throw error
        throw new PagePaused({ until: await pace.limited(pageId, error), now: clock.now(), code: error.code })
      }
      if (page.token_invalid_since !== null) await clearInvalid(pageId, page.stored)
      if (paced) await pace.accepted(pageId)
      return result
    },

    /** Removes the mark of the page after a call made elsewhere with this token. */
    recordAcceptance: clearInvalid,

    /** Marks the page if `error`, from a call made elsewhere with this token, rejects the token. */
    async recordRefusal(pageId: string, storedToken: string, error: unknown): Promise<void> {
      if (error instanceof GraphError && error.refusal === 'reconnectPage') await markInvalid(pageId, storedToken)
    },
  }
}
