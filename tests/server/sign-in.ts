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

/** Product tokens with the key of the test server. */
export const productTokensOf = (key: Uint8Array): ProductTokens =>
  createProductTokens({ keys: [key], clock: systemClock })

/** Creates a staff member with a role, a session and valid tokens. */
export const signIn = async (db: Db, key: Uint8Array, role: Role = 'administrator'): Promise<SignedIn> => {
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
  const token = await productTokensOf(key).issue({ staffId: staff.id, sessionId: session.id })
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
