import type { IncomingMessage } from 'node:http'
import type { Context, Hono } from 'hono'
import { createSignInRefusals } from '../../audit/sign-in-refusals.ts'
import type { IdentityProvider } from '../../auth/identity-provider.ts'
import { createRefreshTokens } from '../../auth/refresh-tokens.ts'
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

/** Both Supabase stand-ins on one database. `key` must be derived for the provider's tokens only. */
export const createEmbeddedSupabase = ({
  database,
  key,
  logger,
  clock,
  addressOf,
  addressOfRequest,
  socketLimits,
  allowedOrigins,
}: {
  database: Pick<OpenDatabase, 'db' | 'listen'>
  key: Uint8Array
  logger: Pick<Logger, 'info' | 'warn' | 'error'>
  clock: Clock
  /** The client's IP address. */
  addressOf: (c: Context) => string
  /** The same, for a request that does not reach the routes. */
  addressOfRequest: (request: IncomingMessage) => string
  socketLimits: SocketLimits
  /** Other origins whose pages may call the identity provider. */
  allowedOrigins: string[]
}): EmbeddedSupabase => {
  const { db, listen } = database
  const tokens = createProviderTokens({ key, issuer: 'staff-inbox/auth/v1', clock })
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
      listen,
      verifyToken: createRealtimeAccess({ db, tokens }),
      addressOf: addressOfRequest,
      limits: socketLimits,
      logger,
      clock,
    }),
    provider: embeddedProvider({ db, tokens }),
    tokens,
  }
}
