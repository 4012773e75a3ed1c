import { Hono } from 'hono'
import { type ApiParts, createApi } from '../../server/api/api.ts'
import { authenticate } from '../../server/api/authentication.ts'
import { systemClock } from '../../server/clock.ts'
import type { Db } from '../../server/database/database.ts'
import { createLogger } from '../../server/logger.ts'
import { defaultBusiness } from '../../src/schemas/business.ts'
import { absentParts } from './absent-parts.ts'
import { productTokens } from './sign-in.ts'

/** The parts of an API. Those that a test does not give refuse every call. */
export const apiParts = (db: Db, parts: Partial<ApiParts> = {}): ApiParts => ({
  db,
  tokens: productTokens,
  auth: new Hono(),
  ...absentParts,
  clock: systemClock,
  logger: createLogger('silent'),
  addressOf: () => 'test',
  staffAccounts: null,
  allowedOrigins: [],
  business: defaultBusiness,
  ...parts,
})

/** The whole API; see `apiParts`. */
export const wholeApi = (db: Db, parts?: Partial<ApiParts>): Hono => createApi(apiParts(db, parts))

/** An API without routes, which asks for the token of staff. */
export function apiBehindSignIn(db: Db, address = 'test'): Hono {
  const api = new Hono()
  api.use(authenticate({ db, tokens: productTokens, addressOf: () => address }))
  return api
}

type Caller = { headers: Record<string, string> }

/** Requests an API as a member of staff, with a body in JSON if there is one. */
export const requestAs = async (who: Caller, api: Hono, method: string, path: string, body?: unknown) =>
  api.request(path, {
    method,
    headers: { ...who.headers, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })

/** The same for routes that answer with JSON. */
export async function callAs(who: Caller, api: Hono, method: string, path: string, body?: unknown) {
  const response = await requestAs(who, api, method, path, body)
  return { status: response.status, body: await response.json() }
}
