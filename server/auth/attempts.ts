import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'

/** At most `max` attempts with this key until the window ends. A window begins with its first attempt. */
type Limit = {
  key: string
  max: number
  /** Milliseconds. */
  window: number
}

export type Attempts = {
  /**
   * Counts one attempt against every limit. If one is reached, counts nothing and returns null. `giveBack` takes the
   * counts back.
   */
  take(limits: readonly Limit[]): Promise<{ giveBack(): Promise<void> } | null>
  /** Takes back one count of a window that has not ended. False if there is none. */
  takeBack(key: string): Promise<boolean>
}

/** The stored form of a key: a hash of fixed length, so that typed texts are not stored. */
export const hashedKey = (key: string): string => createHash('sha256').update(key).digest('base64url')

/** Counts attempts in the database, so that all processes share the limits and a restart keeps them. */
export function createAttempts({ db, clock }: { db: Db; clock: Clock }): Attempts {
  async function giveBack(keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return
    // Locked in one order, so that two requests with the same keys cannot deadlock.
    await sql`
      with locked as (
        select key from attempts where key in (${sql.join(keys)}) and count > 0 order by key for update
      )
      update attempts set count = count - 1 from locked where attempts.key = locked.key`.execute(db)
  }

  return {
    async take(limits) {
      const now = new Date(clock.now())
      const wanted = sql.join(
        limits.map(
          ({ key, max, window }) =>
            sql`(${hashedKey(key)}::text, ${max}::integer, ${new Date(now.getTime() + window)}::timestamptz)`,
        ),
      )
      // A reached limit is found before any write, so each refusal costs one read.
      const { rows } = await sql<{ key: string }>`
        with wanted (key, max, expires_at) as (values ${wanted})
        insert into attempts as known (key, count, expires_at)
        select key, 1, expires_at from wanted
        where not exists (
          select from attempts reached join wanted using (key)
          where reached.count >= wanted.max and reached.expires_at > ${now}
        )
        order by key
        on conflict (key) do update set
          count = case when known.expires_at <= ${now} then 1 else known.count + 1 end,
          expires_at = case when known.expires_at <= ${now} then excluded.expires_at else known.expires_at end
        where known.expires_at <= ${now}
          or known.count < (select max from wanted where wanted.key = excluded.key)
        returning key`.execute(db)
      const counted = rows.map(({ key }) => key)
      if (counted.length === limits.length) return { giveBack: () => giveBack(counted) }
      // A concurrent request reached one of the limits first.
      await giveBack(counted)
      return null
    },
    takeBack: async (key) => {
      const taken = await db
        .updateTable('attempts')
        .set(({ eb }) => ({ count: eb('count', '-', 1) }))
        .where('key', '=', hashedKey(key))
        .where('count', '>', 0)
        .where('expires_at', '>', new Date(clock.now()))
        .returning('key')
        .executeTakeFirst()
      return taken !== undefined
    },
  }
}
