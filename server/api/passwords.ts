import { type Context, Hono } from 'hono'
import type * as z from 'zod/mini'
import { isNewPassword } from '../../src/domain/session/password-rules.ts'
import { changePasswordAnswer, changePasswordBody } from '../../src/schemas/auth.ts'
import { recordAudit, staffActor } from '../audit/audit.ts'
import { endSessionsOf } from '../auth/end-sessions.ts'
import type { IdentityProvider } from '../auth/identity-provider.ts'
import { createOwnPasswordCheck } from '../auth/own-password.ts'
import type { SecondFactors } from '../auth/second-factors.ts'
import { findStaffBySupabaseId } from '../auth/staff.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import { inTransaction } from '../database/transaction.ts'
import { described, refuse, refuseTooMany, refuseWeakPassword, valid } from './answers.ts'
import { sourceOf } from './authentication.ts'

/**
 * The change of one's own password, in a session or in the middle of a sign-in with a one-time password. Mounted at
 * /api/auth. The provider's token is the proof, because a sign-in with a one-time password has no product session yet.
 */
export const createPasswordRoutes = ({
  db,
  provider,
  secondFactors,
  clock,
  addressOf,
}: {
  db: Db
  provider: IdentityProvider
  secondFactors: Pick<SecondFactors, 'needOf'>
  clock: Clock
  /** The client's IP address; attempts are counted per address. */
  addressOf: (c: Context) => string
}) => {
  const checkPassword = createOwnPasswordCheck({ db, provider, clock })

  return new Hono().post(
    '/change-password',
    described({
      tag: 'Authentication',
      summary: "Change one's own password; ends the person's other sessions",
      answer: changePasswordAnswer,
      done: 'The new password is set, and only the session of the token is left',
      guard: 'none',
      takesBody: true,
      refusals: {
        401: 'The provider token is invalid',
        403: 'The code of the second factor was not entered (code SECOND_FACTOR_NEEDED)',
        422: 'The code is the reason: WRONG_PASSWORD for the current password, WEAK_PASSWORD for the new one',
        429: 'Too many wrong passwords',
        503: 'The identity provider cannot be reached, or too many passwords are being checked',
      },
    }),
    valid('json', changePasswordBody),
    async (c) => {
      const { supabaseToken, currentPassword, password } = c.req.valid('json')
      const user = await provider.verify(supabaseToken)
      const member = user === null ? null : await findStaffBySupabaseId(db, user.subject)
      if (user === null || member === null || !member.isActive) return refuse(c, 401, 'Invalid or expired token')
      const { id: staffId, role, email } = member.user
      const providerSessionId = user.sessionId
      if ((await secondFactors.needOf(db, { staffId, role, providerSessionId })) === 'code') {
        return refuse(c, 403, 'Please enter the code of your second factor to continue', 'SECOND_FACTOR_NEEDED')
      }
      if (!isNewPassword({ password, repeatedPassword: password, email })) return refuseWeakPassword(c)
      const credentials = { email, subject: user.subject, password: currentPassword }
      const verdict = await checkPassword({ ...credentials, address: addressOf(c) })
      if (verdict === 'tooMany') return refuseTooMany(c)
      if (verdict === 'wrong') return refuse(c, 422, 'This is not your current password.', 'WRONG_PASSWORD')
      if (password === currentPassword) {
        return refuseWeakPassword(c, 'Choose a password that differs from the current one.')
      }
      const refusal = await provider.setPassword(supabaseToken, user, { currentPassword, password })
      if (refusal !== null) return refuseWeakPassword(c, refusal)
      // The built-in provider has ended them with the change; a hosted one does not know the sessions of the product.
      const keep = { providerSessionId }
      const now = clock.now()
      await inTransaction(db, async (transaction) => {
        await endSessionsOf(transaction, { staffId, keep, now })
        const by = staffActor(member.user, sourceOf(c, addressOf))
        await recordAudit(transaction, { at: now, by, action: 'password.changed' })
      })
      return c.json({ success: true } satisfies z.infer<typeof changePasswordAnswer>)
    },
  )
}
