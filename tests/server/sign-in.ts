import { createRefreshTokens } from '../../server/auth/refresh-tokens.ts'
import type { Role } from '../../server/auth/roles.ts'
import { createProductTokens, type ProductTokens } from '../../server/auth/tokens.ts'
import { systemClock } from '../../server/clock.ts'
import type { Db } from '../../server/database/database.ts'

export type SignedIn = {
  staffId: string
  sessionId: string
  email: string
  token: string
  refreshToken: string
  /** Ready for a request. */
  headers: { authorization: string }
}

const names: Record<Role, string> = { administrator: 'Ana Reyes', agent: 'Paolo Cruz', viewer: 'Liza Santos' }

export const productTokensOf = (key: Uint8Array): ProductTokens =>
  createProductTokens({ keys: [key], clock: systemClock })

/** The tokens of the APIs that tests create. */
export const productTokens = productTokensOf(new Uint8Array(32).fill(7))

/** Creates a staff member with a role, a session and valid tokens. */
export const signIn = async (db: Db, role: Role = 'administrator', tokens = productTokens): Promise<SignedIn> => {
  const email = `${role}-${crypto.randomUUID()}@example.com`
  const staff = await db
    .insertInto('staff')
    .values({ email, name: names[role], role })
    .returning('id')
    .executeTakeFirstOrThrow()
  const session = await db
    .insertInto('staff_sessions')
    .values({ staff_id: staff.id })
    .returning('id')
    .executeTakeFirstOrThrow()
  const token = await tokens.issue({ staffId: staff.id, sessionId: session.id })
  const refreshToken = await createRefreshTokens({ db, issuer: 'product', clock: systemClock }).issue(session.id)
  return {
    staffId: staff.id,
    sessionId: session.id,
    email,
    token,
    refreshToken,
    headers: { authorization: `Bearer ${token}` },
  }
}

/** A staff member of each role. */
export const signInEachRole = async (db: Db): Promise<Record<Role, SignedIn>> => ({
  administrator: await signIn(db),
  agent: await signIn(db, 'agent'),
  viewer: await signIn(db, 'viewer'),
})
