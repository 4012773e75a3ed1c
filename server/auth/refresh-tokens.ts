import { createHash, randomBytes } from 'node:crypto'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'

export type Issuer = 'provider' | 'product'

/** Milliseconds. */
export const refreshTokenLifetime = 90 * 24 * 60 * 60 * 1000
const grace = 10_000

export type Rotation =
  | { outcome: 'rotated'; sessionId: string; refreshToken: string }
  /** `reused`: used again after its grace, so its session was ended. `ended`: its session had ended before. */
  | { outcome: 'unknown' | 'expired' | 'ended' | 'reused' }

/**
 * The refresh tokens of one issuer: each works once, answers for 10 s more with another valid successor (two tabs may
 * refresh at once), and used later ends its session, for then a copy of it is about.
 */
export type RefreshTokens = {
  issue(sessionId: string): Promise<string>
  rotate(refreshToken: string): Promise<Rotation>
  /** The session a token belongs to, or null. */
  sessionOf(refreshToken: string): Promise<string | null>
  endSession(sessionId: string): Promise<void>
}

const hashOf = (refreshToken: string): string => createHash('sha256').update(refreshToken).digest('base64url')

export const createRefreshTokens = ({ db, issuer, clock }: { db: Db; issuer: Issuer; clock: Clock }): RefreshTokens => {
  const sessions = issuer === 'provider' ? 'auth_sessions' : 'staff_sessions'

  const insert = async (executor: Db, sessionId: string): Promise<string> => {
    const refreshToken = randomBytes(32).toString('base64url')
    const now = clock.now()
    await executor
      .insertInto('refresh_tokens')
      .values({
        token_hash: hashOf(refreshToken),
        issuer,
        session_id: sessionId,
        created_at: new Date(now),
        expires_at: new Date(now + refreshTokenLifetime),
      })
      .execute()
    return refreshToken
  }

  const end = async (executor: Db, sessionId: string): Promise<void> => {
    await executor
      .updateTable(sessions)
      .set({ revoked_at: new Date(clock.now()) })
      .where('id', '=', sessionId)
      .where('revoked_at', 'is', null)
      .execute()
    await executor
      .deleteFrom('refresh_tokens')
      .where('session_id', '=', sessionId)
      .where('issuer', '=', issuer)
      .execute()
  }

  return {
    issue: async (sessionId) => {
      await db.deleteFrom('refresh_tokens').where('expires_at', '<', new Date(clock.now())).execute()
      return insert(db, sessionId)
    },
    rotate: (refreshToken) =>
      db.transaction().execute(async (transaction): Promise<Rotation> => {
        const row = await transaction
          .selectFrom('refresh_tokens')
          .select(['session_id', 'expires_at', 'used_at'])
          .where('token_hash', '=', hashOf(refreshToken))
          .where('issuer', '=', issuer)
          .forUpdate()
          .executeTakeFirst()
        if (row === undefined) return { outcome: 'unknown' }
        const now = clock.now()
        const session = await transaction
          .selectFrom(sessions)
          .select('revoked_at')
          .where('id', '=', row.session_id)
          .executeTakeFirst()
        if (session === undefined || session.revoked_at !== null) return { outcome: 'ended' }
        if (row.used_at !== null && now - row.used_at.getTime() > grace) {
          await end(transaction, row.session_id)
          return { outcome: 'reused' }
        }
        if (row.expires_at.getTime() <= now) return { outcome: 'expired' }
        if (row.used_at === null) {
          await transaction
            .updateTable('refresh_tokens')
            .set({ used_at: new Date(now) })
            .where('token_hash', '=', hashOf(refreshToken))
            .execute()
        }
        return {
          outcome: 'rotated',
          sessionId: row.session_id,
          refreshToken: await insert(transaction, row.session_id),
        }
      }),
    sessionOf: async (refreshToken) => {
      const row = await db
        .selectFrom('refresh_tokens')
        .select('session_id')
        .where('token_hash', '=', hashOf(refreshToken))
        .where('issuer', '=', issuer)
        .executeTakeFirst()
      return row?.session_id ?? null
    },
    endSession: (sessionId) => end(db, sessionId),
  }
}
