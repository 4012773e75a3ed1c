import { type Context, Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { cors } from 'hono/cors'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import * as z from 'zod/mini'
import type { SignInRefusal } from '../../../src/schemas/audit.ts'
import { bearerToken, sourceOf } from '../../api/authentication.ts'
import type { SignInRefusals } from '../../audit/sign-in-refusals.ts'
import { createAttempts } from '../../auth/attempts.ts'
import { findLegacyStaff } from '../../auth/legacy-staff.ts'
import { createPasswordAttempts } from '../../auth/password-attempts.ts'
import { PasswordsBusy, verifyPassword } from '../../auth/passwords.ts'
import type { RefreshTokens, Rotation } from '../../auth/refresh-tokens.ts'
import { networkOf } from '../../client-address.ts'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/database.ts'
import { hasEmail } from '../../database/email.ts'
import { inTransaction } from '../../database/transaction.ts'
import { type Account, accountOf, replaceAccount } from './accounts.ts'
import { type ProviderTokens, providerTokenLifetime } from './provider-tokens.ts'

const apiVersion = '2024-01-01'
const versionHeader = 'x-supabase-api-version'
const minPasswordLength = 8
const maxPasswordLength = 256

class AuthError extends Error {
  readonly status: ContentfulStatusCode
  readonly code: string
  readonly extra: Record<string, unknown>
  constructor(status: ContentfulStatusCode, code: string, message: string, extra: Record<string, unknown> = {}) {
    super(message)
    this.status = status
    this.code = code
    this.extra = extra
  }
}

const toAuthError = (error: Error): AuthError => {
  if (error instanceof AuthError) return error
  if (error instanceof PasswordsBusy) return new AuthError(503, 'unexpected_failure', error.message)
  return new AuthError(500, 'unexpected_failure', 'Internal Server Error')
}

// PostgreSQL rejects null characters.
const safeText = z.string().check(z.refine((text) => !text.includes('\0')))
const credentials = z.object({ email: safeText, password: z.string() })
const signUpBody = z.object({ email: z.email(), password: z.string() })
const refreshBody = z.object({ refresh_token: z.string() })
const scopes = z.enum(['global', 'local', 'others'])

const parseBody = async <Schema extends z.ZodMiniType>(
  c: Context,
  schema: Schema,
  refusal: string,
): Promise<z.infer<Schema>> => {
  const body: unknown = await c.req.json().catch(() => {
    throw new AuthError(400, 'bad_json', 'Could not parse request body as JSON')
  })
  const parsed = schema.safeParse(body)
  if (!parsed.success) throw new AuthError(400, 'validation_failed', refusal)
  return parsed.data
}

/** The user object of Supabase Auth. */
const userOf = ({ id, email, emailConfirmedAt, createdAt }: Account) => {
  const created = createdAt.toISOString()
  const confirmed = emailConfirmedAt === null ? {} : { email_confirmed_at: emailConfirmedAt.toISOString() }
  return {
    id,
    aud: 'authenticated',
    role: 'authenticated',
    email,
    ...confirmed,
    phone: '',
    app_metadata: { provider: 'email', providers: ['email'] },
    user_metadata: { email, email_verified: emailConfirmedAt !== null, phone_verified: false, sub: id },
    identities: [
      {
        identity_id: id,
        id,
        user_id: id,
        identity_data: { email, email_verified: emailConfirmedAt !== null, phone_verified: false, sub: id },
        provider: 'email',
        email,
        created_at: created,
        updated_at: created,
      },
    ],
    created_at: created,
    updated_at: created,
    is_anonymous: false,
  }
}

const rotationErrors = {
  unknown: ['refresh_token_not_found', 'Invalid Refresh Token: Refresh Token Not Found'],
  ended: ['refresh_token_not_found', 'Invalid Refresh Token: Refresh Token Not Found'],
  expired: ['session_expired', 'Invalid Refresh Token: Session Expired'],
  reused: ['refresh_token_already_used', 'Invalid Refresh Token: Already Used'],
} as const satisfies Record<Exclude<Rotation['outcome'], 'rotated'>, readonly [string, string]>

/**
 * The stand-in for Supabase Auth, to be mounted at /auth/v1: password sign-in, refresh, sign-up, user and sign-out, for
 * the unmodified client. Only staff who must set a new password may sign up. No confirmation emails are sent, so an
 * account does not prove its email: it is used only once a staff member is linked to it.
 */
export const createSupabaseAuth = ({
  db,
  tokens,
  refreshTokens,
  refusals,
  clock,
  addressOf,
  allowedOrigins,
  onError,
}: {
  db: Db
  tokens: ProviderTokens
  refreshTokens: RefreshTokens
  refusals: SignInRefusals
  clock: Clock
  /** The client's IP address; password attempts are counted per address. */
  addressOf: (c: Context) => string
  /** Other origins whose pages may call. */
  allowedOrigins: string[]
  onError: (error: Error) => void
}): Hono => {
  const attempts = createAttempts({ db, clock })
  const passwords = createPasswordAttempts({ db, clock, login: 'provider' })

  const findAccount = async (by: { email: string } | { id: string }) => {
    const query = db
      .selectFrom('auth_users')
      .select(['id', 'email', 'password_hash', 'email_confirmed_at', 'created_at'])
    const row = await ('id' in by ? query.where('id', '=', by.id) : query.where(hasEmail(by.email))).executeTakeFirst()
    if (row === undefined) return undefined
    return { account: accountOf(row), passwordHash: row.password_hash }
  }

  const sessionAnswer = async (account: Account, sessionId: string, refreshToken: string) => {
    const { token, expiresAt } = await tokens.issue({ userId: account.id, email: account.email, sessionId })
    return {
      access_token: token,
      token_type: 'bearer',
      expires_in: providerTokenLifetime,
      expires_at: expiresAt / 1000,
      refresh_token: refreshToken,
      user: userOf(account),
    }
  }

  /** Null if the account's password is no longer the one with this hash. */
  const startSession = async (account: Account, passwordHash?: string) => {
    const session = await inTransaction(db, async (transaction) => {
      const unchanged = await transaction
        .selectFrom('auth_users')
        .select('id')
        .where('id', '=', account.id)
        .$if(passwordHash !== undefined, (query) => query.where('password_hash', '=', passwordHash ?? ''))
        .forShare()
        .executeTakeFirst()
      if (unchanged === undefined) return null
      return transaction
        .insertInto('auth_sessions')
        .values({ user_id: account.id, created_at: new Date(clock.now()) })
        .returning('id')
        .executeTakeFirstOrThrow()
    })
    return session && sessionAnswer(account, session.id, await refreshTokens.issue(session.id))
  }

  const tooMany = () => new AuthError(429, 'over_request_rate_limit', 'Request rate limit reached')

  const wrongCredentials = () => new AuthError(400, 'invalid_credentials', 'Invalid login credentials')

  const alreadyRegistered = () => new AuthError(422, 'user_already_exists', 'User already registered')

  const signIn = async (c: Context) => {
    const { email, password } = await parseBody(c, credentials, 'missing email or password')
    const attempt = await passwords.begin({ address: addressOf(c), email })
    const recordRefusal = (reason: SignInRefusal) => refusals.record({ source: sourceOf(c, addressOf), email, reason })
    if (attempt === null) {
      await recordRefusal('too-many-attempts')
      throw tooMany()
    }
    const found = await findAccount({ email })
    const isRight = async () => {
      try {
        return password.length <= maxPasswordLength && (await verifyPassword(password, found?.passwordHash))
      } catch (error) {
        await attempt.withdraw()
        throw error
      }
    }
    const right = await isRight()
    if (found === undefined || !right) {
      // The legacy login judges this attempt of staff who have no account here.
      const isForLegacyLogin = found === undefined && (await findLegacyStaff(db, email))?.supabaseId === null
      if (!isForLegacyLogin && (await attempt.isUnrecorded())) await recordRefusal('wrong-password')
      throw wrongCredentials()
    }
    await attempt.forgive()
    if (found.account.emailConfirmedAt === null) {
      await recordRefusal('email-not-confirmed')
      throw new AuthError(400, 'email_not_confirmed', 'Email not confirmed')
    }
    const session = await startSession(found.account, found.passwordHash)
    if (session === null) throw wrongCredentials()
    return session
  }

  const refresh = async (c: Context) => {
    const body = await parseBody(c, refreshBody, 'refresh_token required')
    const rotation = await refreshTokens.rotate(body.refresh_token, sourceOf(c, addressOf))
    if (rotation.outcome !== 'rotated') {
      const [code, message] = rotationErrors[rotation.outcome]
      throw new AuthError(400, code, message)
    }
    const session = await db
      .selectFrom('auth_sessions')
      .select('user_id')
      .where('id', '=', rotation.sessionId)
      .executeTakeFirst()
    const found = session && (await findAccount({ id: session.user_id }))
    if (found === undefined) throw new AuthError(400, ...rotationErrors.ended)
    return sessionAnswer(found.account, rotation.sessionId, rotation.refreshToken)
  }

  const authenticateUser = async (c: Context): Promise<{ account: Account; sessionId: string }> => {
    const token = bearerToken(c.req.header('authorization'))
    if (token === null) throw new AuthError(401, 'no_authorization', 'This endpoint requires a valid Bearer token')
    const verdict = await tokens.verify(token)
    if (!verdict.valid)
      throw new AuthError(403, 'bad_jwt', `invalid JWT: unable to parse or verify signature, ${verdict.message}`)
    const { userId, sessionId } = verdict.claims
    const session = await db
      .selectFrom('auth_sessions')
      .select('id')
      .where('id', '=', sessionId)
      .where('user_id', '=', userId)
      .where('revoked_at', 'is', null)
      .executeTakeFirst()
    const found = session && (await findAccount({ id: userId }))
    if (found === undefined)
      throw new AuthError(403, 'session_not_found', 'Session from session_id claim in JWT does not exist')
    return { account: found.account, sessionId }
  }

  const app = new Hono()
  if (allowedOrigins.length > 0) {
    app.use(cors({ origin: allowedOrigins, exposeHeaders: [versionHeader, 'Retry-After'], maxAge: 600 }))
  }
  app.use(async (c, next) => {
    await next()
    c.header(versionHeader, apiVersion)
    c.header('cache-control', 'no-store')
  })
  app.use(
    bodyLimit({
      maxSize: 16 * 1024,
      onError: () => {
        throw new AuthError(413, 'validation_failed', 'Request body too large')
      },
    }),
  )
  app.onError((error, c) => {
    const known = toAuthError(error)
    if (known.status === 500) onError(error)
    if (error instanceof PasswordsBusy) c.header('retry-after', String(error.retryAfter))
    const { status, code, message, extra } = known
    return c.json({ code, error_code: code, message, msg: message, ...extra }, status, { [versionHeader]: apiVersion })
  })

  app.post('/token', async (c) => {
    const grant = c.req.query('grant_type')
    if (grant === 'password') return c.json(await signIn(c))
    if (grant === 'refresh_token') return c.json(await refresh(c))
    throw new AuthError(400, 'invalid_credentials', 'unsupported_grant_type')
  })

  app.post('/signup', async (c) => {
    const { email, password } = await parseBody(c, signUpBody, 'Unable to validate email address: invalid format')
    const limit = { key: `sign-up ${networkOf(addressOf(c))}`, max: 30, window: 60 * 60_000 }
    const attempt = await attempts.take([limit])
    if (attempt === null) throw tooMany()
    if (password.length > maxPasswordLength)
      throw new AuthError(400, 'validation_failed', `Password cannot be longer than ${maxPasswordLength} characters`)
    if (password.length < minPasswordLength) {
      const message = `Password should be at least ${minPasswordLength} characters.`
      throw new AuthError(422, 'weak_password', message, { weak_password: { reasons: ['length'] } })
    }
    // One answer and one query for every other email, so that a sign-up does not reveal who has an account. The client
    // of a person whose migration is complete signs in after this answer.
    if (!(await findLegacyStaff(db, email))?.needsMigration) throw alreadyRegistered()
    const account = await replaceAccount(db, { email, password, now: clock.now() }).catch(async (error: unknown) => {
      if (error instanceof PasswordsBusy) await attempt.giveBack()
      throw error
    })
    if (account === null) throw alreadyRegistered()
    return c.json(await startSession(account))
  })

  app.get('/user', async (c) => {
    const { account } = await authenticateUser(c)
    return c.json(userOf(account))
  })

  app.post('/logout', async (c) => {
    const scope = scopes.safeParse(c.req.query('scope') ?? 'global')
    if (!scope.success) throw new AuthError(400, 'validation_failed', 'Unsupported logout scope')
    const { account, sessionId } = await authenticateUser(c)
    const sessions = await db
      .selectFrom('auth_sessions')
      .select('id')
      .where('user_id', '=', account.id)
      .where('revoked_at', 'is', null)
      .execute()
    const ends = (id: string) => scope.data === 'global' || (id === sessionId) === (scope.data === 'local')
    for (const { id } of sessions) if (ends(id)) await refreshTokens.endSession(id)
    return c.body(null, 204)
  })

  return app
}
