import { Hono } from 'hono'
import { Secret, TOTP } from 'otpauth'
import { createAuthRoutes } from '../../server/api/auth.ts'
import { unexpectedError } from '../../server/api/errors.ts'
import type { IdentityProvider } from '../../server/auth/identity-provider.ts'
import type { PasswordReset } from '../../server/auth/password-reset.ts'
import { createRefreshTokens } from '../../server/auth/refresh-tokens.ts'
import type { RequiredFor } from '../../server/auth/second-factors.ts'
import { createProductTokens } from '../../server/auth/tokens.ts'
import { clientAddressOfRequest } from '../../server/client-address.ts'
import type { OpenDatabase } from '../../server/database/database.ts'
import { createLogger } from '../../server/logger.ts'
import type { Keyring } from '../../server/secrets.ts'
import { createEmbeddedSupabase } from '../../server/stand-ins/supabase/embedded.ts'
import { defaultBusiness } from '../../src/schemas/business.ts'
import { type ManualClock, manualClock } from './manual-clock.ts'
import { secondFactorsOf } from './second-factors.ts'
import { password, providerKey } from './supabase-server.ts'

export type Answer = { status: number; body: { [name: string]: unknown } }
type Data = { token: string; refreshToken: string; secret: string; uri: string; recoveryCodes: string[] }

export const dataOf = (answer: Answer): Data => {
  if (answer.status !== 200) throw new Error(`answered ${answer.status} ${JSON.stringify(answer.body)}`)
  return answer.body['data'] as Data
}

/** The actions of the audit log by a member of staff, or on that member. */
export async function auditedActions({ db }: Pick<OpenDatabase, 'db'>, staffId: string): Promise<string[]> {
  const entries = await db
    .selectFrom('audit_entries')
    .select('action')
    .where((entry) => entry.or([entry('staff_id', '=', staffId), entry('row_id', '=', staffId)]))
    .orderBy('id')
    .execute()
  return entries.map(({ action }) => action)
}

/** The code that an authenticator app shows for a secret. */
export const codeAt = (secret: string, clock: ManualClock, stepsAhead = 0) =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: clock.now() + stepsAhead * 30_000 })

/** The product's sign-in and the built-in provider as one app, with a manual clock. */
export function accountsApp(
  database: Pick<OpenDatabase, 'db' | 'listen'>,
  {
    required,
    passwordReset,
    provider,
    keyring,
    clock = manualClock(),
  }: {
    required?: RequiredFor
    passwordReset?: PasswordReset
    /** Instead of the built-in one. */
    provider?: IdentityProvider
    /** Encrypts the secrets of factors. */
    keyring?: Keyring
    clock?: ManualClock
  } = {},
) {
  const { db } = database
  const address = { now: '192.0.2.1' }
  const addressOf = () => address.now
  const logger = createLogger('silent')
  const supabase = createEmbeddedSupabase({
    database,
    keys: [providerKey],
    logger,
    clock,
    addressOf,
    addressOfRequest: clientAddressOfRequest(0),
    socketLimits: { inAll: 1_000, perAddress: 1_000 },
    allowedOrigins: [],
    ...(required === undefined ? {} : { requireSecondFactor: required }),
  })
  const app = new Hono()
    .route('/auth/v1', supabase.auth)
    .route(
      '/api/auth',
      createAuthRoutes({
        db,
        provider: provider ?? supabase.provider,
        tokens: createProductTokens({ keys: [new Uint8Array(32)], clock }),
        refreshTokens: createRefreshTokens({ db, issuer: 'product', clock }),
        secondFactors: secondFactorsOf(db, clock, required, keyring),
        passwordReset,
        clock,
        addressOf,
        deviceCache: true,
        business: defaultBusiness,
      }),
    )
    .onError(unexpectedError(logger))
  const call = async (method: string, path: string, body?: unknown, token?: string): Promise<Answer> => {
    const answer = await app.request(path, {
      method,
      headers: {
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    return { status: answer.status, body: (await answer.json()) as Answer['body'] }
  }
  const post = (path: string, body?: unknown, token?: string) => call('POST', `/api/auth/${path}`, body, token)
  /** Signs in at the provider; the provider tokens. */
  const atProvider = async (email: string, word = password) => {
    const { status, body } = await call('POST', '/auth/v1/token?grant_type=password', { email, password: word })
    if (status !== 200) throw new Error(`the provider answered ${status} ${JSON.stringify(body)}`)
    return { token: String(body['access_token']), refreshToken: String(body['refresh_token']) }
  }
  const exchange = (supabaseToken: string) => post('supabase-login', { supabaseToken })
  return {
    ...supabase,
    clock,
    address,
    call,
    post,
    atProvider,
    exchange,
    me: (token: string) => call('GET', '/api/auth/me', undefined, token),
    refresh: (refreshToken: string) => post('refresh', { refreshToken }),
    refreshAtProvider: (refresh_token: string) =>
      call('POST', '/auth/v1/token?grant_type=refresh_token', { refresh_token }),
    /** Both sign-in steps. */
    signIn: async (email: string, word = password) => {
      const provider = await atProvider(email, word)
      const { token, refreshToken } = dataOf(await exchange(provider.token))
      return { provider, token, refreshToken }
    },
    changePassword: (providerToken: string, current: string, next: string) =>
      post('change-password', { supabaseToken: providerToken, currentPassword: current, password: next }),
    /** Sets up a factor with the bearer token; moves the clock on, so that the next code is a new one. */
    enrol: async (token: string) => {
      const { secret } = dataOf(await post('second-factor/begin', { password }, token))
      const { recoveryCodes } = dataOf(await post('second-factor/confirm', { code: codeAt(secret, clock) }, token))
      clock.advance(30_000)
      return { secret, recoveryCodes }
    },
  }
}
