import { type Context, Hono } from 'hono'
import type * as z from 'zod/mini'
import type { SignInRefusal } from '../../src/schemas/audit.ts'
import {
  checkMigrationAnswer,
  checkMigrationBody,
  completeMigrationAnswer,
  completeMigrationBody,
  legacyLoginBody,
  loginAnswer,
} from '../../src/schemas/auth.ts'
import { recordAudit, staffActor } from '../audit/audit.ts'
import type { SignInRefusals } from '../audit/sign-in-refusals.ts'
import { createAttempts } from '../auth/attempts.ts'
import type { IdentityProvider } from '../auth/identity-provider.ts'
import { findLegacyStaff, type LegacyStaff, linkProviderUser, unlinkProviderUser } from '../auth/legacy-staff.ts'
import { createPasswordAttempts } from '../auth/password-attempts.ts'
import { verifyPassword } from '../auth/passwords.ts'
import type { StaffSessions } from '../auth/staff-sessions.ts'
import { networkOf } from '../client-address.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import { described, refuse, refuseInactive, refuseTooMany, valid } from './answers.ts'
import { bearerToken, sourceOf } from './authentication.ts'

const factorNeedsNewSignIn =
  'Your account needs a second factor. Ask an administrator to reset your password, then sign in again.'

/**
 * Authentication for staff with a legacy password, from before the identity provider: the migration check, the end of the
 * migration, and the legacy login (spec sections 4, 7 and 8). Mounted at /api/auth.
 */
export const createLegacyAuthRoutes = ({
  db,
  provider,
  sessions,
  refusals,
  clock,
  addressOf,
}: {
  db: Db
  provider: IdentityProvider
  sessions: StaffSessions
  refusals: SignInRefusals
  clock: Clock
  /** The client's IP address; attempts are counted per address. */
  addressOf: (c: Context) => string
}) => {
  const attempts = createAttempts({ db, clock })
  const passwords = createPasswordAttempts({ db, clock, login: 'legacy' })

  /** Checks a legacy password. Takes equally long for an unknown member. */
  const checkPassword = async (c: Context, email: string, password: string, member: LegacyStaff | null) => {
    const attempt = await passwords.begin({ address: addressOf(c), email })
    const recordRefusal = (reason: SignInRefusal) => refusals.record({ source: sourceOf(c, addressOf), email, reason })
    if (attempt === null) {
      await recordRefusal('too-many-attempts')
      return 'tooMany'
    }
    const isRight = await verifyPassword(password, member?.passwordHash).catch(async (error: unknown) => {
      await attempt.withdraw()
      throw error
    })
    if (member === null || !isRight) {
      if (await attempt.isUnrecorded()) await recordRefusal('wrong-password')
      return 'wrong'
    }
    await attempt.forgive()
    return 'right'
  }

  return new Hono()
    .post(
      '/check-migration',
      described({
        tag: 'Authentication',
        summary: 'Whether the staff member with this email must set a new password; false for an unknown email',
        answer: checkMigrationAnswer,
        done: 'Whether a migration is needed',
        guard: 'none',
        takesBody: true,
        refusals: {
          429: 'Too many calls from this address',
        },
      }),
      valid('json', checkMigrationBody),
      async (c) => {
        const check = { key: `migration check ${networkOf(addressOf(c))}`, max: 60, window: 5 * 60_000 }
        if ((await attempts.take([check])) === null) return refuseTooMany(c)
        const { email } = c.req.valid('json')
        const needsMigration = (await findLegacyStaff(db, email))?.needsMigration ?? false
        const data = { needsMigration, user: { email } }
        return c.json({ success: true, data } satisfies z.infer<typeof checkMigrationAnswer>)
      },
    )
    .post(
      '/complete-migration',
      described({
        tag: 'Authentication',
        summary: 'Link a legacy staff member to the provider user of the bearer token; idempotent',
        answer: completeMigrationAnswer,
        done: 'The staff member now signs in with the new password',
        guard: 'token',
        takesBody: true,
        refusals: {
          401: 'The provider token is missing or invalid',
          403: 'The token belongs to another email or id, or the legacy password is wrong or missing',
          409: 'No staff member with this email must set a new password',
          429: 'Too many wrong passwords',
          503: 'The identity provider cannot be reached, or too many passwords are being checked',
        },
      }),
      valid('json', completeMigrationBody),
      async (c) => {
        const { email, supabaseId, legacyPassword } = c.req.valid('json')
        const token = bearerToken(c.req.header('authorization'))
        if (token === null) return refuse(c, 401, 'Authentication required')
        const providerUser = await provider.verify(token)
        if (providerUser === null) return refuse(c, 401, 'Invalid or expired token')
        const providerEmail = await provider.emailOf(token, providerUser)
        if (providerUser.subject !== supabaseId || providerEmail?.address.toLowerCase() !== email.toLowerCase()) {
          return refuse(c, 403, 'Migration failed')
        }
        const done = () => c.json({ success: true } satisfies z.infer<typeof completeMigrationAnswer>)
        const member = await findLegacyStaff(db, email)
        if (member?.supabaseId === supabaseId) return done()
        if (member === null || !member.needsMigration) return refuse(c, 409, 'No migration in progress')
        if (!providerEmail.isProven) {
          const verdict = await checkPassword(c, email, legacyPassword ?? '', member)
          if (verdict === 'tooMany') return refuseTooMany(c)
          if (verdict === 'wrong') return refuse(c, 403, 'Migration failed', 'WRONG_PASSWORD')
        }
        const link = { staffId: member.user.id, supabaseId }
        if (!(await linkProviderUser(db, link))) return refuse(c, 409, 'No migration in progress')
        // The provider account may have been replaced by another sign-up meanwhile. Then undo the link.
        if ((await provider.verify(token)) !== null) {
          await recordAudit(db, {
            at: clock.now(),
            by: staffActor(member.user, sourceOf(c, addressOf)),
            action: 'password.changed',
            row: { kind: 'staff', id: member.user.id },
          })
          return done()
        }
        await unlinkProviderUser(db, link)
        return refuse(c, 409, 'No migration in progress')
      },
    )
    .post(
      '/login',
      described({
        tag: 'Authentication',
        summary: 'Sign in with a legacy password, from before the identity provider',
        answer: loginAnswer,
        done: 'The token pair and the staff member',
        guard: 'none',
        takesBody: true,
        refusals: {
          401: 'The email or the password is wrong',
          403: 'The code is the reason: INACTIVE_ACCOUNT, USE_NEW_LOGIN or MIGRATION_NEEDED',
          429: 'Too many wrong passwords',
          503: 'Too many passwords are being checked; retry after the time in Retry-After',
        },
      }),
      valid('json', legacyLoginBody),
      async (c) => {
        const { email, password } = c.req.valid('json')
        const member = await findLegacyStaff(db, email)
        const verdict = await checkPassword(c, email, password, member)
        if (verdict === 'tooMany') return refuseTooMany(c)
        if (member === null || verdict === 'wrong') {
          return refuse(c, 401, 'Invalid email or password. Please try again.')
        }
        const source = sourceOf(c, addressOf)
        if (!member.isActive) {
          await refusals.record({ source, email, reason: 'inactive' })
          return refuseInactive(c)
        }
        if (member.supabaseId !== null) {
          return refuse(c, 403, 'This account signs in with its new password.', 'USE_NEW_LOGIN')
        }
        if (member.needsMigration) return refuse(c, 403, 'Please set a new password to continue', 'MIGRATION_NEEDED')
        const started = await sessions.start(member.user, source, null)
        // A factor belongs to the new sign-in, which asks for its code.
        if (started === 'enrolment') return refuse(c, 403, factorNeedsNewSignIn)
        if (typeof started === 'string') {
          return refuse(c, 403, 'This account signs in with its new password.', 'USE_NEW_LOGIN')
        }
        return c.json(started)
      },
    )
}
