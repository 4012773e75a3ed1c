import { sql } from 'kysely'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/database.ts'
import type { GraphError } from './graph-error.ts'

/** The network asks that this page be left alone for a while. */
export class PagePaused extends Error {
  override readonly name = 'PagePaused'
  readonly until: Date
  /** Milliseconds from now. */
  readonly wait: number
  /** The network's number, where this very call met the limit. */
  readonly code: number | null

  constructor({ until, now, code = null }: { until: Date; now: number; code?: number | null }) {
    super('the network asked for a pause')
    this.until = until
    this.wait = until.getTime() - now
    this.code = code
  }
}

export type Pace = ReturnType<typeof createPace>

/** For a network that counts nothing: the stand-in, while it fills an empty inbox. */
export const unpaced: Pick<Pace, 'turn'> = { turn: async () => undefined }

/** Conversations may be read twice a second a page. */
const betweenCalls = 500
const firstPause = 30_000
const longestPause = 15 * 60_000

/** Keeps the reading of a page's conversations to the network's pace, across processes: the database holds the turns. */
export function createPace({ db, clock }: { db: Db; clock: Clock }) {
  return {
    /** Resolves when it is this call's turn. Throws PagePaused while the page is to be left alone. */
    async turn(pageId: string): Promise<void> {
      const now = clock.now()
      const { next_call_at, paused_until } = await db
        .insertInto('page_pace')
        .values({ page_id: pageId, next_call_at: new Date(now + betweenCalls) })
        .onConflict((conflict) =>
          conflict.column('page_id').doUpdateSet({
            next_call_at: sql`greatest(page_pace.next_call_at, ${new Date(now)}::timestamptz) + ${`${betweenCalls} milliseconds`}::interval`,
          }),
        )
        .returning(['next_call_at', 'paused_until'])
        .executeTakeFirstOrThrow()
      if (paused_until !== null && paused_until.getTime() > now) throw new PagePaused({ until: paused_until, now })
      // Asking took its time.
      const wait = next_call_at.getTime() - betweenCalls - clock.now()
      if (wait > 0) await new Promise<void>((resolve) => clock.after(wait, resolve))
    },

    /** A rate limit was met: the page pauses, longer each time, and as long as the network says. Returns until when. */
    async limited(pageId: string, error: Pick<GraphError, 'retryAfter'>): Promise<Date> {
      const row = await db
        .updateTable('page_pace')
        .set((pace) => ({ refusals: pace('refusals', '+', 1) }))
        .where('page_id', '=', pageId)
        .returning('refusals')
        .executeTakeFirst()
      const growing = Math.min(firstPause * 2 ** Math.min((row?.refusals ?? 1) - 1, 10), longestPause)
      const until = new Date(clock.now() + Math.max(growing, error.retryAfter ?? 0))
      await db.updateTable('page_pace').set({ paused_until: until }).where('page_id', '=', pageId).execute()
      return until
    },

    /** A call went well: the next rate limit is the first again. */
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
