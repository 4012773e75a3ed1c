import type { IncomingMessage } from 'node:http'
import type { Context, Hono } from 'hono'
import { createSignInRefusals } from '../../audit/sign-in-refusals.ts'
import type { IdentityProvider } from '../../auth/identity-provider.ts'
import { createRefreshTokens } from '../../auth/refresh-tokens.ts'
import type { RequiredFor } from '../../auth/second-factors.ts'
import { type ChangeTransport, notifyTransport } from '../../changes/transport.ts'
import type { Clock } from '../../clock.ts'
import type { OpenDatabase } from '../../database/database.ts'
import { type Logger, traceOf } from '../../logger.ts'
import { createSupabaseAuth } from './auth.ts'
import { embeddedProvider } from './identity-provider.ts'
import { createProviderTokens, type ProviderTokens } from './provider-tokens.ts'
import { createRealtimeAccess } from './realtime/access.ts'
import { createRealtime, type Realtime, type SocketLimits } from './realtime/realtime.ts'

export type EmbeddedSupabase = {
  /** To be mounted at /auth/v1. */
  auth: Hono
  /** To be attached to the http server and started. */
  realtime: Realtime
  provider: IdentityProvider
  tokens: ProviderTokens
}

/** Both Supabase stand-ins on one database. `keys` must be derived for the provider's tokens only; the first signs. */
export const createEmbeddedSupabase = ({
  database,
  transport = notifyTransport(database),
  keys,
  logger,
  clock,
  addressOf,
  requireSecondFactor,
  addressOfRequest,
  socketLimits,
  allowedOrigins,
}: {
  database: Pick<OpenDatabase, 'db' | 'listen'>
  /** How this process hears of changes. Undefined: by NOTIFY. */
  transport?: ChangeTransport | undefined
  keys: readonly [Uint8Array, ...Uint8Array[]]
  logger: Pick<Logger, 'info' | 'warn' | 'error'>
  clock: Clock
  /** The client's IP address. */
  addressOf: (c: Context) => string
  requireSecondFactor?: RequiredFor
  /** The same, for a request that does not reach the routes. */
  addressOfRequest: (request: IncomingMessage) => string
  socketLimits: SocketLimits
  /** Other origins whose pages may call the identity provider. */
  allowedOrigins: string[]
}): EmbeddedSupabase => {
  const { db } = database
  const tokens = createProviderTokens({ keys, issuer: 'staff-inbox/auth/v1', clock })
  return {
    auth: createSupabaseAuth({
      db,
      tokens,
      refreshTokens: createRefreshTokens({ db, issuer: 'provider', clock }),
      refusals: createSignInRefusals({ db, clock }),
      clock,
      addressOf,
      allowedOrigins,
      onError: (error) => logger.error(traceOf(error), 'a call to the identity provider failed'),
    }),
    realtime: createRealtime({
      db,
      transport,
      verifyToken: createRealtimeAccess({ db, tokens, requireSecondFactor }),
      addressOf: addressOfRequest,
      limits: socketLimits,
      logger,
      clock,
    }),
    provider: embeddedProvider({ db, tokens, clock }),
    tokens,
  }
}
