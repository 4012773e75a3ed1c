import { sql } from 'kysely'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/database.ts'
import type { GraphError } from './graph-error.ts'

/** The network has rate-limited this page. */
export class PagePaused extends Error {
  override readonly name = 'PagePaused'
  readonly until: Date
  /** Milliseconds from now. */
  readonly wait: number
  /** The network's error code, if this call hit the limit. */
  readonly code: number | null

  constructor({ until, now, code = null }: { until: Date; now: number; code?: number | null }) {
    super('the network asked for a pause')
    this.until = until
    this.wait = until.getTime() - now
    this.code = code
  }
}

export type Pace = ReturnType<typeof createPace>

/** No pacing: for the sandbox, which has no rate limit, while it fills an empty inbox. */
export const unpaced: Pick<Pace, 'turn'> = { turn: async () => undefined }

/** Milliseconds: the network allows two reads of conversations per second and page. */
const callInterval = 500
const initialBackoff = 30_000
const maxBackoff = 15 * 60_000

/** Rate limiter for reading a page's conversations. Its state is in the database, so that all processes share it. */
export function createPace({ db, clock }: { db: Db; clock: Clock }) {
  return {
    /** Waits until the next call is allowed. Throws PagePaused while the page is paused. */
    async turn(pageId: string): Promise<void> {
      const now = clock.now()
      const { next_call_at, paused_until } = await db
        .insertInto('page_pace')
        .values({ page_id: pageId, next_call_at: new Date(now + callInterval) })
        .onConflict((conflict) =>
          conflict.column('page_id').doUpdateSet({
            next_call_at: sql`greatest(page_pace.next_call_at, ${new Date(now)}::timestamptz) + ${`${callInterval} milliseconds`}::interval`,
          }),
        )
        .returning(['next_call_at', 'paused_until'])
        .executeTakeFirstOrThrow()
      if (paused_until !== null && paused_until.getTime() > now) throw new PagePaused({ until: paused_until, now })
      const wait = next_call_at.getTime() - callInterval - clock.now()
      if (wait > 0) await new Promise<void>((resolve) => clock.after(wait, resolve))
    },

    /** Pauses the page after a rate limit, with exponential backoff and at least as long as the network asks. Returns the end. */
    async limited(pageId: string, error: Pick<GraphError, 'retryAfter'>): Promise<Date> {
      const row = await db
        .updateTable('page_pace')
        .set((pace) => ({ refusals: pace('refusals', '+', 1) }))
        .where('page_id', '=', pageId)
        .returning('refusals')
        .executeTakeFirst()
      const backoff = Math.min(initialBackoff * 2 ** Math.min((row?.refusals ?? 1) - 1, 10), maxBackoff)
      const until = new Date(clock.now() + Math.max(backoff, error.retryAfter ?? 0))
      await db.updateTable('page_pace').set({ paused_until: until }).where('page_id', '=', pageId).execute()
      return until
    },

    /** Resets the backoff after a successful call. */
    async accepted(pageId: string): Promise<void> {
      await db
        .updateTable('page_pace')
        .set({ refusals: 0, paused_until: null })
        .where('page_id', '=', pageId)
        .where('refusals', '>', 0)
        .execute()
    },
  }
}
