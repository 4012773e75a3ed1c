import { createHash, randomBytes } from 'node:crypto'
import { type AuditSource, recordAudit, staffActor } from '../audit/audit.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'

export type Issuer = 'provider' | 'product'

/** Milliseconds. */
const refreshTokenLifetime = 90 * 24 * 60 * 60 * 1000
const grace = 10_000

export type Rotation =
  | { outcome: 'rotated'; sessionId: string; refreshToken: string }
  /** `reused`: the token was probably copied, so its session was ended. `ended`: the session had ended before. */
  | { outcome: 'unknown' | 'expired' | 'ended' | 'reused' }

/**
 * The refresh tokens of one issuer, with rotation and reuse detection. A token works once, and for 10 s more with another
 * valid successor, because two tabs may refresh at once. After that it still works if none of its successors was used,
 * because the response may have been lost; the earlier successors become superseded. Using a token whose successor was
 * used, or a superseded token, means that the token was copied: the session ends.
 */
export type RefreshTokens = {
  issue(sessionId: string): Promise<string>
  /** `source`: who presents the token, for the audit log if it was copied. */
  rotate(refreshToken: string, source: AuditSource): Promise<Rotation>
  /** Null for an unknown token. */
  sessionOf(refreshToken: string): Promise<string | null>
  /** `executor`: the caller's transaction. */
  endSession(sessionId: string, executor?: Db): Promise<void>
}

const hashOf = (refreshToken: string): string => createHash('sha256').update(refreshToken).digest('base64url')

export const createRefreshTokens = ({ db, issuer, clock }: { db: Db; issuer: Issuer; clock: Clock }): RefreshTokens => {
  const sessions = issuer === 'provider' ? 'auth_sessions' : 'staff_sessions'

  const insert = async (executor: Db, sessionId: string, parentHash: string | null): Promise<string> => {
    const refreshToken = randomBytes(32).toString('base64url')
    const now = clock.now()
    await executor
      .insertInto('refresh_tokens')
      .values({
        token_hash: hashOf(refreshToken),
        issuer,
        session_id: sessionId,
        parent_hash: parentHash,
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

  const hasUsedSuccessor = async (executor: Db, hash: string): Promise<boolean> => {
    const used = await executor
      .selectFrom('refresh_tokens')
      .select('token_hash')
      .where('parent_hash', '=', hash)
      .where('used_at', 'is not', null)
      .limit(1)
      .executeTakeFirst()
    return used !== undefined
  }

  /** The client did not receive these tokens. If one is used later, it was copied. */
  const supersede = async (executor: Db, hash: string): Promise<void> => {
    await executor.updateTable('refresh_tokens').set({ is_superseded: true }).where('parent_hash', '=', hash).execute()
  }

  const recordTheft = async (executor: Db, sessionId: string, source: AuditSource): Promise<void> => {
    const owners = executor.selectFrom('staff').select(['staff.id', 'staff.email', 'staff.name'])
    const owner =
      issuer === 'provider'
        ? owners
            .innerJoin('auth_sessions', 'auth_sessions.user_id', 'staff.supabase_id')
            .where('auth_sessions.id', '=', sessionId)
        : owners
            .innerJoin('staff_sessions', 'staff_sessions.staff_id', 'staff.id')
            .where('staff_sessions.id', '=', sessionId)
    const staff = await owner.executeTakeFirst()
    // A user of the provider without a staff record can do nothing in the product.
    if (staff === undefined) return
    const by = staffActor(staff, source)
    await recordAudit(executor, { at: clock.now(), by, action: 'session.stolen', details: { issuer } })
  }

  return {
    issue: (sessionId) => insert(db, sessionId, null),
    rotate: (refreshToken, source) =>
      db.transaction().execute(async (transaction): Promise<Rotation> => {
        const hash = hashOf(refreshToken)
        const row = await transaction
          .selectFrom('refresh_tokens')
          .select(['session_id', 'expires_at', 'used_at', 'is_superseded'])
          .where('token_hash', '=', hash)
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
        const isLate = row.used_at !== null && now - row.used_at.getTime() > grace
        if (row.is_superseded || (isLate && (await hasUsedSuccessor(transaction, hash)))) {
          await end(transaction, row.session_id)
          await recordTheft(transaction, row.session_id, source)
          return { outcome: 'reused' }
        }
        if (isLate) await supersede(transaction, hash)
        if (row.expires_at.getTime() <= now) return { outcome: 'expired' }
        if (row.used_at === null) {
          await transaction
            .updateTable('refresh_tokens')
            .set({ used_at: new Date(now) })
            .where('token_hash', '=', hash)
            .execute()
        }
        return {
          outcome: 'rotated',
          sessionId: row.session_id,
          refreshToken: await insert(transaction, row.session_id, hash),
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
    endSession: (sessionId, executor = db) => end(executor, sessionId),
  }
}
