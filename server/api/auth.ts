import { type Context, Hono } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type * as z from 'zod/mini'
import type { SignInRefusal } from '../../src/schemas/audit.ts'
import {
  loginAnswer,
  logoutAnswer,
  logoutBody,
  meAnswer,
  refreshAnswer,
  refreshBody,
  supabaseLoginBody,
} from '../../src/schemas/auth.ts'
import type { Business } from '../../src/schemas/business.ts'
import { features } from '../../src/schemas/feature.ts'
import { type AuditSource, recordAudit, staffActor } from '../audit/audit.ts'
import { createSignInRefusals } from '../audit/sign-in-refusals.ts'
import { type IdentityProvider, ProviderUnavailable, type ProviderUser } from '../auth/identity-provider.ts'
import { findLegacyStaff } from '../auth/legacy-staff.ts'
import type { PasswordReset } from '../auth/password-reset.ts'
import type { RefreshTokens } from '../auth/refresh-tokens.ts'
import type { SecondFactors } from '../auth/second-factors.ts'
import {
  findStaffBySession,
  findStaffBySupabaseId,
  keepLastSeen,
  linkStaffByEmail,
  type StaffMember,
} from '../auth/staff.ts'
import { createStaffSessions } from '../auth/staff-sessions.ts'
import type { ProductTokens } from '../auth/tokens.ts'
import type { Clock } from '../clock.ts'
import type { Db } from '../database/database.ts'
import { inTransaction } from '../database/transaction.ts'
import { described, refuse, refuseInactive, valid } from './answers.ts'
import { authenticate, bearerToken, sourceOf } from './authentication.ts'
import { createLegacyAuthRoutes } from './legacy-auth.ts'
import { createPasswordResetRoutes } from './password-reset.ts'
import { createPasswordRoutes } from './passwords.ts'
import { createSecondFactorRoutes } from './second-factor.ts'

const migrationPending = 'Your new password is not in use yet. Sign in with the old one to finish setting it.'

/** The steps that a sign-in may still need: the error and its code. */
const nextSteps = {
  code: { error: 'Please enter the code of your second factor to continue', code: 'SECOND_FACTOR_NEEDED' },
  newPassword: { error: 'Please set a new password to continue', code: 'PASSWORD_CHANGE_NEEDED' },
  enrolment: { error: 'Please set up a second factor to continue', code: 'ENROLMENT_NEEDED' },
} as const

/** The product's own authentication, to be mounted at /api/auth (spec sections 4 and 7). */
export const createAuthRoutes = ({
  db,
  provider,
  tokens,
  refreshTokens,
  secondFactors,
  passwordReset,
  clock,
  addressOf,
  deviceCache,
  offersFacebookLogin = false,
  offersFiles = false,
  business,
}: {
  db: Db
  provider: IdentityProvider
  tokens: ProductTokens
  refreshTokens: RefreshTokens
  secondFactors: SecondFactors
  /** Undefined if the server cannot email a link for a new password. */
  passwordReset?: PasswordReset | undefined
  clock: Clock
  /** The client's IP address; attempts are counted per address. */
  addressOf: (c: Context) => string
  /** Whether browsers may keep a copy of conversations for the next start. */
  deviceCache: boolean
  /** Whether pages can be connected by a login at the network. */
  offersFacebookLogin?: boolean
  /** Whether staff can send files: the network must be able to fetch them. */
  offersFiles?: boolean
  business: Business
}) => {
  const offered = {
    deviceCache,
    business,
    features: features.filter(
      (feature) =>
        (feature !== 'facebook-login' || offersFacebookLogin) &&
        ((feature !== 'files' && feature !== 'reply-pictures') || offersFiles),
    ),
  }
  const refusals = createSignInRefusals({ db, clock })
  const sessions = createStaffSessions({ db, tokens, refreshTokens, secondFactors, clock, offered })

  const findStaff = async (
    supabaseToken: string,
    providerUser: ProviderUser,
  ): Promise<StaffMember | null | 'isMigrating'> => {
    const known = await findStaffBySupabaseId(db, providerUser.subject)
    if (known !== null) return known
    const email = await provider.emailOf(supabaseToken, providerUser)
    if (email === null) return null
    if (email.isProven) return linkStaffByEmail(db, { email: email.address, supabaseId: providerUser.subject })
    return (await findLegacyStaff(db, email.address))?.needsMigration ? 'isMigrating' : null
  }

  /** Ends a session and records who signed out, unless the session had ended before. */
  const signOut = (sessionId: string, source: AuditSource) =>
    inTransaction(db, async (trx) => {
      const staff = await trx
        .selectFrom('staff_sessions')
        .innerJoin('staff', 'staff.id', 'staff_sessions.staff_id')
        .select(['staff.id', 'staff.email', 'staff.name'])
        .where('staff_sessions.id', '=', sessionId)
        .where('staff_sessions.revoked_at', 'is', null)
        .forUpdate('staff_sessions')
        .executeTakeFirst()
      if (staff !== undefined) {
        await recordAudit(trx, { at: clock.now(), by: staffActor(staff, source), action: 'sign-out' })
      }
      await refreshTokens.endSession(sessionId, trx)
    })

  return new Hono()
    .onError((error, c) => {
      if (error instanceof ProviderUnavailable)
        return refuse(c, 503, 'The sign-in service cannot be reached. Please try again later.')
      if (error instanceof HTTPException) return refuse(c, error.status, error.message)
      throw error
    })
    .route('/', createLegacyAuthRoutes({ db, provider, sessions, refusals, clock, addressOf }))
    .route('/', createPasswordRoutes({ db, provider, secondFactors, clock, addressOf }))
    .route('/', createPasswordResetRoutes({ db, reset: passwordReset, clock, addressOf }))
    .route('/', createSecondFactorRoutes({ db, provider, tokens, secondFactors, refusals, clock, addressOf }))
    .post(
      '/supabase-login',
      described({
        tag: 'Authentication',
        summary: "Exchange the identity provider's token for the product's own token pair",
        answer: loginAnswer,
        done: 'The token pair and the staff member',
        guard: 'none',
        takesBody: true,
        refusals: {
          401: 'The provider token is invalid',
          403: 'The code is the reason: NO_STAFF_ACCOUNT, INACTIVE_ACCOUNT, MIGRATION_NEEDED, SECOND_FACTOR_NEEDED, PASSWORD_CHANGE_NEEDED or ENROLMENT_NEEDED',
          503: 'The identity provider cannot be reached',
        },
      }),
      valid('json', supabaseLoginBody),
      async (c) => {
        const source = sourceOf(c, addressOf)
        const recordRefusal = (reason: SignInRefusal, email: string | null = null) =>
          refusals.record({ source, email, reason })
        const { supabaseToken } = c.req.valid('json')
        const providerUser = await provider.verify(supabaseToken)
        if (providerUser === null) {
          await recordRefusal('invalid-token')
          return refuse(c, 401, 'Invalid or expired token')
        }
        const member = await findStaff(supabaseToken, providerUser)
        if (member === 'isMigrating') {
          await recordRefusal('migration-pending')
          return refuse(c, 403, migrationPending, 'MIGRATION_NEEDED')
        }
        if (member === null) {
          await recordRefusal('no-staff-account')
          return refuse(c, 403, 'There is no staff account for this email.', 'NO_STAFF_ACCOUNT')
        }
        if (!member.isActive) {
          await recordRefusal('inactive', member.user.email)
          return refuseInactive(c)
        }
        const started = await sessions.start(member.user, source, providerUser)
        if (started === 'ended') return refuse(c, 401, 'Invalid or expired token')
        if (typeof started === 'string') return refuse(c, 403, nextSteps[started].error, nextSteps[started].code)
        return c.json(started)
      },
    )
    .post(
      '/refresh',
      described({
        tag: 'Authentication',
        summary: 'Exchange a refresh token for a new pair; a used token works for 10 s more',
        answer: refreshAnswer,
        done: 'The new token pair and the staff member',
        guard: 'none',
        takesBody: true,
        refusals: {
          401: 'The refresh token is invalid, or its session has ended',
          403: 'The account is inactive (code INACTIVE_ACCOUNT)',
        },
      }),
      valid('json', refreshBody),
      async (c) => {
        const rotation = await refreshTokens.rotate(c.req.valid('json').refreshToken, sourceOf(c, addressOf))
        if (rotation.outcome !== 'rotated') return refuse(c, 401, 'Invalid or expired refresh token')
        const { sessionId, refreshToken } = rotation
        const session = await db
          .selectFrom('staff_sessions')
          .select(['staff_id', 'provider_session_id'])
          .where('id', '=', sessionId)
          .executeTakeFirstOrThrow()
        const member = await findStaffBySession(db, { staffId: session.staff_id, sessionId })
        if (member === null) return refuse(c, 401, 'Invalid or expired refresh token')
        if (!member.isActive) return refuseInactive(c)
        // A session from before the setting that requires a factor. The next sign-in asks to set one up.
        const { id: staffId, role } = member.user
        const providerSessionId = session.provider_session_id
        if ((await secondFactors.needOf(db, { staffId, role, providerSessionId })) === 'enrolment') {
          await refreshTokens.endSession(sessionId)
          return refuse(c, 401, 'Invalid or expired refresh token')
        }
        await keepLastSeen(db, member.user.id, clock.now())
        const accessToken = await tokens.issue({ staffId: member.user.id, sessionId })
        return c.json({
          success: true,
          data: { accessToken, refreshToken, user: { ...member.user, ...offered } },
        } satisfies z.infer<typeof refreshAnswer>)
      },
    )
    .get(
      '/me',
      described({
        tag: 'Authentication',
        summary: 'The staff member of the token, with their permissions',
        answer: meAnswer,
        done: 'The staff member',
        guard: 'token',
      }),
      authenticate({ db, tokens, addressOf }),
      (c) =>
        c.json({ success: true, data: { user: { ...c.get('staff'), ...offered } } } satisfies z.infer<typeof meAnswer>),
    )
    .post(
      '/logout',
      described({
        tag: 'Authentication',
        summary: 'End the sessions of the refresh token and of the bearer token, if present',
        answer: logoutAnswer,
        done: 'The session has ended',
        guard: 'none',
        takesBody: true,
        refusals: {
          401: 'The request has neither a refresh token nor a valid bearer token',
        },
      }),
      valid('json', logoutBody),
      async (c) => {
        const { refreshToken } = c.req.valid('json')
        const token = bearerToken(c.req.header('authorization'))
        const claims = token === null ? null : await tokens.verify(token)
        if (refreshToken === undefined && claims === null) return refuse(c, 401, 'Authentication required')
        const sessions = new Set([
          claims?.sessionId ?? null,
          refreshToken === undefined ? null : await refreshTokens.sessionOf(refreshToken),
        ])
        for (const id of sessions) if (id !== null) await signOut(id, sourceOf(c, addressOf))
        return c.json({ success: true } satisfies z.infer<typeof logoutAnswer>)
      },
    )
}
