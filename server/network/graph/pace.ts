import { sql } from 'kysely'
import PQueue from 'p-queue'
import { Busy, CallerGone } from '../../busy.ts'
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

/** Too many calls of staff wait for the rate limit of this page. */
export class PageBusy extends Busy {
  constructor() {
    super(
      'Many syncs of this page are waiting already. Please try again in a few seconds.',
      Math.ceil((maxWaitingCalls * callInterval) / 1_000),
    )
  }
}

export type Pace = ReturnType<typeof createPace>

/** No pacing: for the sandbox, which has no rate limit, while it fills an empty inbox. */
export const unpaced: Pick<Pace, 'turn'> = { turn: async () => undefined }

/** Milliseconds: the network allows two reads of conversations per second and page. */
const callInterval = 500
/** The maximum number of staff calls that wait for one page in this process; the last waits about 10 s. */
export const maxWaitingCalls = 20
const initialBackoff = 30_000
const maxBackoff = 15 * 60_000

/** Rate limiter for reading a page's conversations. Its state is in the database, so that all processes share it. */
export function createPace({ db, clock }: { db: Db; clock: Clock }) {
  /** One call of each page has reserved the next slot in the database. The other calls wait here, where they can be cancelled. */
  const queues = new Map<string, PQueue>()
  const queueOf = (pageId: string) => {
    const queue = queues.get(pageId) ?? new PQueue({ concurrency: 1 })
    queues.set(pageId, queue)
    return queue
  }

  /** Reserves the next slot of the page and waits for it. */
  async function takePlace(pageId: string): Promise<void> {
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
  }

  return {
    /**
     * Waits until the next call is allowed. `signal` belongs to a person's request; a job has none. Throws PagePaused while
     * the page is paused, PageBusy if too many calls wait, and CallerGone as soon as `signal` is aborted.
     */
    async turn(pageId: string, signal?: AbortSignal): Promise<void> {
      const queue = queueOf(pageId)
      if (signal === undefined) return queue.add(() => takePlace(pageId))
      if (queue.size >= maxWaitingCalls) throw new PageBusy()
      try {
        await queue.add(() => takePlace(pageId), { signal })
      } catch (error) {
        throw signal.aborted ? new CallerGone() : error
      }
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
