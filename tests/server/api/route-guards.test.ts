import { createHmac } from 'node:crypto'
import { Hono } from 'hono'
import { generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createAuthRoutes } from '../../../server/api/auth.ts'
import { createApp } from '../../../server/app.ts'
import { createRefreshTokens } from '../../../server/auth/refresh-tokens.ts'
import { type Permission, permissions } from '../../../server/auth/roles.ts'
import { systemClock } from '../../../server/clock.ts'
import type { OpenDatabase } from '../../../server/database/database.ts'
import { createLogger } from '../../../server/logger.ts'
import { readSettings } from '../../../server/settings.ts'
import { createEmbeddedSupabase } from '../../../server/stand-ins/supabase/embedded.ts'
import { createNetwork } from '../../../server/start-network.ts'
import { defaultBusiness } from '../../../src/schemas/business.ts'
import { calls } from '../absent-parts.ts'
import { apiParts } from '../api-harness.ts'
import { openAny } from '../databases.ts'
import { ringOf } from '../derived-keys.ts'
import { noOperations } from '../no-operations.ts'
import { secondFactorsOf } from '../second-factors.ts'
import { productTokensOf } from '../sign-in.ts'
import { addStaffAccount, providerKey } from '../supabase-server.ts'

/**
 * Calls every route of the server with every state of a token. The routes are read from the app, so a route without an
 * entry in `guards` fails. The sandbox is excluded, because its routes are open.
 */

type Guard =
  /** Staff with this permission. */
  | { staff: Permission }
  /** Any staff. */
  | { staff: null; body?: object; takesProviderToken?: true }
  /** Needs the provider's token; the response to an invalid one. */
  | { provider: number; body?: object }
  /** Needs the key of another program; no token of staff is accepted. */
  | 'api key'
  /** Needs no token. */
  | 'open'

const staff = (permission: Permission): Guard => ({ staff: permission })

const guards: Record<string, Guard> = {
  'GET /api/health': 'open',
  'GET /api/openapi.json': 'open',

  'POST /api/auth/check-migration': 'open',
  'POST /api/auth/complete-migration': { provider: 401, body: { email: 'a@example.com', supabaseId: '1' } },
  'POST /api/auth/login': 'open',
  'POST /api/auth/supabase-login': 'open',
  'POST /api/auth/refresh': 'open',
  'GET /api/auth/me': { staff: null },
  'POST /api/auth/logout': { staff: null, body: {} },
  // The provider's token is in the body.
  'POST /api/auth/change-password': 'open',
  'GET /api/auth/password-reset': 'open',
  'POST /api/auth/password-reset/request': 'open',
  'POST /api/auth/password-reset/complete': 'open',
  'GET /api/auth/second-factor': { staff: null },
  'POST /api/auth/second-factor/begin': { staff: null, takesProviderToken: true, body: { password: 'a' } },
  'POST /api/auth/second-factor/confirm': { staff: null, takesProviderToken: true, body: { code: '000000' } },
  'POST /api/auth/second-factor/verify': { provider: 401, body: { code: '000000' } },
  'POST /api/auth/second-factor/disable': { staff: null, body: { password: 'a', code: '000000' } },
  'POST /api/auth/second-factor/recovery-codes': { staff: null, body: { password: 'a', code: '000000' } },

  'GET /api/facebook/conversations': staff('conversations.read'),
  'GET /api/facebook/conversations/:id/messages': staff('conversations.read'),
  'GET /api/facebook/conversations/:id/messages-around': staff('conversations.read'),
  'POST /api/facebook/conversations/:id/mark-read': staff('conversations.mark_read'),
  'POST /api/facebook/conversations/state': staff('conversations.manage'),
  'GET /api/facebook/team': staff('conversations.read'),
  'GET /api/facebook/drafts': staff('messages.send'),
  'PUT /api/facebook/drafts/:id': staff('messages.send'),
  'POST /api/facebook/conversations/:id/presence': staff('conversations.read'),
  'DELETE /api/facebook/presence/:tab': staff('conversations.read'),
  'GET /api/facebook/conversations/:id/notes': staff('conversations.read'),
  'POST /api/facebook/conversations/:id/notes': staff('notes.write'),
  'DELETE /api/facebook/notes/:id': staff('notes.write'),
  'GET /api/labels': staff('conversations.read'),
  'POST /api/labels': staff('labels.manage'),
  'PUT /api/labels/:id': staff('labels.manage'),
  'DELETE /api/labels/:id': staff('labels.manage'),
  'GET /api/labels/:id/usage': staff('labels.manage'),
  'POST /api/clients/:id/labels': staff('conversations.manage'),
  'PUT /api/clients/:id/language': staff('conversations.manage'),
  'GET /api/facebook/notification-settings': staff('conversations.read'),
  'PUT /api/facebook/notification-settings': staff('conversations.read'),
  'GET /api/facebook/push': staff('conversations.read'),
  'PUT /api/facebook/push/subscription': staff('conversations.read'),
  'DELETE /api/facebook/push/subscription/:id': staff('conversations.read'),
  'PUT /api/facebook/push/tabs/:tab': staff('conversations.read'),
  'DELETE /api/facebook/push/tabs/:tab': staff('conversations.read'),
  'GET /api/facebook/saved-filters': staff('conversations.read'),
  'PUT /api/facebook/saved-filters/:id': staff('conversations.read'),
  'DELETE /api/facebook/saved-filters/:id': staff('conversations.read'),
  'GET /api/facebook/users/:userId/best-page': staff('conversations.read'),
  'GET /api/facebook/users/:userId/identity/:pageId': staff('conversations.read'),
  'POST /api/facebook/refresh-user-profile/:id': staff('conversations.read'),
  'POST /api/facebook/send-message': staff('messages.send'),
  'GET /api/facebook/pages/:pageId/message-templates': staff('messages.send'),
  'PUT /api/facebook/outgoing-files/:id': staff('messages.send'),
  'POST /api/facebook/outgoing-files/:id/parts': staff('messages.send'),
  'PUT /api/facebook/outgoing-files/:id/parts/:number': staff('messages.send'),
  'POST /api/facebook/outgoing-files/:id/completion': staff('messages.send'),
  'DELETE /api/facebook/outgoing-files/:id': staff('messages.send'),
  'POST /api/facebook/messages/:messageId/unconfirmed-reply': staff('messages.send'),
  'GET /api/facebook/stats': staff('stats.read'),
  'POST /api/facebook/link-client': staff('clients.link'),
  'GET /api/facebook/client-suggestions/:id': staff('clients.link'),
  'POST /api/facebook/client-suggestions/:id/dismiss': staff('clients.link'),
  'GET /api/facebook/chats/:id': staff('clients.link'),
  'POST /api/facebook/unlink-client': staff('clients.link'),
  'POST /api/facebook/join-chats': staff('clients.link'),
  'POST /api/facebook/split-chat': staff('clients.link'),
  'GET /api/facebook/search-clients': staff('clients.read'),
  'GET /api/facebook/orders/:primaryUserId': staff('orders.read'),

  'GET /api/clients/:id': staff('clients.read'),
  'PUT /api/clients/:id': staff('clients.manage'),
  'GET /api/clients/:id/summary': staff('clients.remove'),
  'DELETE /api/clients/:id': staff('clients.remove'),
  'POST /api/clients/:id/merge': staff('clients.remove'),
  'GET /api/client-removals': staff('clients.remove'),
  'POST /api/client-removals/:id/undo': staff('clients.remove'),
  'GET /api/clients/:id/orders': staff('orders.read'),
  'POST /api/clients': staff('clients.create'),
  'GET /api/orders': staff('orders.read'),
  'GET /api/orders/:id/payments': staff('orders.read'),
  'POST /api/orders': staff('orders.manage'),
  'GET /api/orders/:id': staff('orders.read'),
  'PUT /api/orders/:id/status': staff('orders.manage'),
  'POST /api/orders/:id/payments': staff('orders.manage'),
  'PUT /api/orders/:id/payments/:paymentId/status': staff('payments.approve'),
  'GET /api/products': staff('orders.read'),
  'POST /api/products': staff('faq.manage'),
  'PUT /api/products/:id': staff('faq.manage'),
  'DELETE /api/products/:id': staff('faq.manage'),

  'GET /api/comments/count': staff('conversations.read'),
  'GET /api/comments/threads': staff('conversations.read'),
  'GET /api/comments/threads/:id': staff('conversations.read'),
  'PUT /api/comments/threads/:id/done': staff('conversations.manage'),
  'POST /api/comments/sends/:key': staff('messages.send'),
  'POST /api/comments/:id/replies': staff('messages.send'),
  'PUT /api/comments/:id/hidden': staff('conversations.manage'),
  'PUT /api/comments/:id/like': staff('conversations.manage'),
  'DELETE /api/comments/:id': staff('conversations.manage'),
  'GET /api/comments/live-sale': staff('orders.manage'),
  'PUT /api/comments/live-sale': staff('orders.manage'),

  'GET /api/facebook/pages': staff('pages.read'),
  'POST /api/facebook/pages': staff('pages.manage'),
  'PUT /api/facebook/pages/:pageId': staff('pages.manage'),
  'DELETE /api/facebook/pages/:pageId': staff('pages.manage'),
  'GET /api/facebook/pages/:pageId/deletion': staff('pages.manage'),
  'POST /api/facebook/pages/verify-token': staff('pages.manage'),
  'POST /api/facebook/logins': staff('pages.manage'),
  'POST /api/facebook/logins/complete': staff('pages.manage'),
  'POST /api/facebook/logins/connect': staff('pages.manage'),
  'POST /api/facebook/pages/refresh-profile-pictures': staff('pages.manage'),
  'POST /api/facebook/refresh-all-profile-pictures': staff('pages.manage'),

  'GET /api/facebook/pages/:pageId/sync-status': staff('pages.read'),
  'POST /api/facebook/pages/:pageId/sync-history': staff('sync.run'),
  'GET /api/facebook/history-syncs/:syncId': staff('pages.read'),
  'POST /api/facebook/history-syncs/:syncId/cancel': staff('sync.run'),
  'POST /api/facebook/pages/:pageId/sync-conversation': staff('sync.run'),
  'POST /api/facebook/pages/:pageId/sync-recent': staff('sync.run'),
  'POST /api/facebook/sync-all-recent': staff('sync.run'),
  'GET /api/facebook/auto-sync/status': staff('pages.read'),
  'PUT /api/facebook/auto-sync/config': staff('sync.manage'),
  'POST /api/facebook/auto-sync/start': staff('sync.manage'),
  'POST /api/facebook/auto-sync/stop': staff('sync.manage'),
  'POST /api/facebook/auto-sync/force-sync': staff('sync.run'),

  'GET /api/faq/categories': staff('faq.read'),
  'GET /api/faq/entries': staff('faq.read'),
  'POST /api/faq/entries': staff('faq.manage'),
  'PUT /api/faq/entries/:id': staff('faq.manage'),
  'DELETE /api/faq/entries/:id': staff('faq.manage'),
  'POST /api/faq/test-match': staff('faq.read'),
  'GET /api/faq/matching': staff('faq.read'),
  'PUT /api/faq/matching': staff('faq.manage'),
  'GET /api/faq/wrong-answers': staff('faq.manage'),
  'POST /api/faq/wrong-answers/:messageId/resolve': staff('faq.manage'),
  'POST /api/faq/dry-run': staff('faq.manage'),
  'PUT /api/facebook/messages/:messageId/wrong-answer': staff('messages.send'),
  'PUT /api/facebook/messages/:messageId/reaction': staff('messages.send'),
  'DELETE /api/facebook/messages/:messageId/wrong-answer': staff('messages.send'),
  'GET /api/search': staff('conversations.read'),
  'GET /api/saved-replies': staff('messages.send'),
  'POST /api/saved-replies': staff('faq.manage'),
  'PUT /api/saved-replies/:id': staff('faq.manage'),
  'DELETE /api/saved-replies/:id': staff('faq.manage'),
  'PUT /api/saved-replies/:id/pictures/:picture/copies/:copy': staff('messages.send'),
  'POST /api/saved-replies/:id/used': staff('messages.send'),

  'GET /api/persons/:id/export': staff('persons.export'),
  'GET /api/persons/:id/erasable': staff('persons.erase'),
  'POST /api/persons/:id/erase': staff('persons.erase'),
  'GET /api/erasures/:id': staff('persons.erase'),
  'GET /api/staff': staff('staff.manage'),
  'POST /api/staff': staff('staff.manage'),
  'PUT /api/staff/:id': staff('staff.manage'),
  'POST /api/staff/:id/reset-password': staff('staff.manage'),
  'POST /api/staff/:id/remove-second-factor': staff('staff.manage'),
  'GET /api/api-keys': staff('api-keys.manage'),
  'POST /api/api-keys': staff('api-keys.manage'),
  'DELETE /api/api-keys/:id': staff('api-keys.manage'),
  'GET /api/shops': staff('shops.manage'),
  'POST /api/shops': staff('shops.manage'),
  'POST /api/shops/:id/sync': staff('shops.manage'),
  'POST /api/shops/:id/cancel': staff('shops.manage'),
  'DELETE /api/shops/:id': staff('shops.manage'),
  'GET /api/webhooks': staff('webhooks.manage'),
  'POST /api/webhooks': staff('webhooks.manage'),
  'PUT /api/webhooks/:id': staff('webhooks.manage'),
  'DELETE /api/webhooks/:id': staff('webhooks.manage'),
  'POST /api/webhooks/:id/secret': staff('webhooks.manage'),
  'POST /api/webhooks/:id/test': staff('webhooks.manage'),
  'GET /api/webhooks/:id/deliveries': staff('webhooks.manage'),
  'POST /api/webhooks/:id/deliveries/:deliveryId/resend': staff('webhooks.manage'),
  'PUT /api/import/clients/:external_id': 'api key',
  'PUT /api/import/orders/:external_id': 'api key',
  'PUT /api/import/payments/:external_id': 'api key',
  'POST /api/import': 'api key',
  'GET /api/imports': staff('imports.manage'),
  'POST /api/imports': staff('imports.manage'),
  'GET /api/imports/:id': staff('imports.manage'),
  'PUT /api/imports/:id/parts/:number': staff('imports.manage'),
  'POST /api/imports/:id/read': staff('imports.manage'),
  'POST /api/imports/:id/check': staff('imports.manage'),
  'POST /api/imports/:id/run': staff('imports.manage'),
  'POST /api/imports/:id/cancel': staff('imports.manage'),
  'GET /api/imports/:id/rows': staff('imports.manage'),
  'POST /api/imports/:id/refused-rows': staff('imports.manage'),
  'POST /api/exports': staff('data.export'),
  // The ticket in the address is the permission.
  'GET /api/exports/file': 'open',
  'GET /api/alarms': staff('alarms.read'),
  'GET /api/audit': staff('audit.read'),
  'POST /api/audit/export': staff('audit.read'),
  'GET /api/assignment-rules': staff('staff.manage'),
  'PUT /api/assignment-rules': staff('staff.manage'),
  'GET /api/business-hours': staff('faq.read'),
  'PUT /api/business-hours': staff('faq.manage'),
  'GET /api/reports/:report': staff('reports.read'),
  'POST /api/reports/export': staff('reports.read'),

  // Webhooks are signed, and picture URLs are encrypted.
  'GET /webhooks/meta': 'open',
  'POST /webhooks/meta': 'open',
  'POST /webhooks/meta/data-deletion': 'open',
  'GET /webhooks/meta/data-deletion/:code': 'open',
  'POST /webhooks/meta/deauthorize': 'open',
  'GET /pictures/:encrypted': 'open',
  // The single-page application.
  'GET /assets/*': 'open',
  'GET /login': 'open',
  'GET /*': 'open',

  'POST /auth/v1/token': 'open',
  'POST /auth/v1/signup': 'open',
  'GET /auth/v1/user': { provider: 403 },
  'POST /auth/v1/logout': { provider: 403 },
}

const key = new TextEncoder().encode('a key of the product for tests! ')
const isGuarded = (guard: Guard | undefined): guard is Exclude<Guard, string> => typeof guard === 'object'

/** Signed with the right key but the wrong algorithm. */
const withOtherHash = (claims: unknown, signingKey: Uint8Array): string => {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const signed = `${part({ alg: 'HS512', typ: 'JWT' })}.${part(claims)}`
  return `${signed}.${createHmac('sha512', signingKey).update(signed).digest('base64url')}`
}

const claimsIn = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

let database: OpenDatabase
let app: Hono
let supabase: ReturnType<typeof createEmbeddedSupabase>

const routesOf = (server: Hono): string[] => [
  ...new Set(
    server.routes
      .filter(({ method, path }) => method !== 'ALL' && !path.startsWith('/sandbox/'))
      .map(({ method, path }) => `${method} ${path}`),
  ),
]

async function call(route: string, token: string | null, body: object | undefined) {
  const [method = '', path = ''] = route.split(' ')
  const answer = await app.request(path.replaceAll(/:\w+(\{[^}]*\})?/g, '1'), {
    method,
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return { status: answer.status, text }
}

/** A staff member with only these permissions, and valid tokens of both issuers. */
async function createStaff(allowed: readonly string[]) {
  const { db } = database
  const { id, email, staffId } = await addStaffAccount(db)
  await db
    .updateTable('staff')
    .set({ role: 'without permissions', permissions: [...allowed] })
    .where('id', '=', staffId)
    .execute()
  const session = await db
    .insertInto('staff_sessions')
    .values({ staff_id: staffId })
    .returning('id')
    .executeTakeFirstOrThrow()
  const providerSession = await db
    .insertInto('auth_sessions')
    .values({ user_id: id })
    .returning('id')
    .executeTakeFirstOrThrow()
  return {
    productToken: await productTokensOf(key).issue({ staffId, sessionId: session.id }),
    providerToken: (await supabase.tokens.issue({ userId: id, email, sessionId: providerSession.id })).token,
    endSessions: async () => {
      const revoked = { revoked_at: new Date() }
      await db.updateTable('staff_sessions').set(revoked).where('id', '=', session.id).execute()
      await db.updateTable('auth_sessions').set(revoked).where('id', '=', providerSession.id).execute()
    },
  }
}

const kept = new Map<string, ReturnType<typeof createStaff>>()

/** A staff member whom several tests share, because none of them changes the person or ends the sessions. */
function sharedStaff(allowed: readonly string[]): ReturnType<typeof createStaff> {
  const name = allowed.join()
  const person = kept.get(name) ?? createStaff(allowed)
  kept.set(name, person)
  return person
}

let ended: ReturnType<typeof createStaff> | undefined
/** A staff member with all permissions whose sessions have ended. */
function endedStaff(): ReturnType<typeof createStaff> {
  ended ??= createStaff(permissions).then(async (person) => {
    await person.endSessions()
    return person
  })
  return ended
}

const rsaKeys = generateKeyPair('RS256')

/** Every kind of invalid token, derived from a valid one; `other` is a valid token of the other issuer. */
async function badTokens(good: string, other: string, signingKey: Uint8Array): Promise<Record<string, string>> {
  const claims = claimsIn(good)
  const { privateKey } = await rsaKeys
  const sign = (change: object, by: Uint8Array = signingKey) =>
    new SignJWT({ ...claims, ...change }).setProtectedHeader({ alg: 'HS256' }).sign(by)
  return {
    'no JWT': 'not-a-token',
    expired: await sign({ exp: Math.floor(Date.now() / 1_000) - 1 }),
    forged: await sign({}, new Uint8Array(32)),
    unsigned: new UnsecuredJWT(claims).encode(),
    'by HS512': withOtherHash(claims, signingKey),
    'by RS256': await new SignJWT(claims).setProtectedHeader({ alg: 'RS256' }).sign(privateKey),
    "the other issuer's": other,
  }
}

beforeAll(async () => {
  database = await openAny()
  const { db } = database
  const logger = createLogger('silent')
  const clock = systemClock
  const settings = readSettings({})
  const addressOf = () => 'test'
  supabase = createEmbeddedSupabase({
    database,
    keys: [providerKey],
    logger,
    clock,
    addressOf,
    addressOfRequest: addressOf,
    socketLimits: { inAll: 10, perAddress: 10 },
    allowedOrigins: [],
  })
  const tokens = productTokensOf(key)
  const network = await createNetwork({
    countSends: (sending) => sending,
    database,
    settings,
    keyring: ringOf('a secret of thirty-two characters'),
    address: 'http://127.0.0.1:1',
    clock,
    logger,
    onIncoming: () => {},
    onTokenAccepted: () => {},
  })
  app = createApp({
    api: apiParts(db, {
      tokens,
      auth: createAuthRoutes({
        db,
        provider: supabase.provider,
        tokens,
        refreshTokens: createRefreshTokens({ db, issuer: 'product', clock }),
        secondFactors: secondFactorsOf(db, clock),
        clock,
        addressOf,
        deviceCache: true,
        business: defaultBusiness,
      }),
      sending: network.sending,
      unconfirmedReplies: network.unconfirmedReplies,
      pictures: network.pictures,
      comments: network.comments,
      reacting: network.reacting,
      senderActions: network.senderActions,
      clock,
      logger,
      addressOf,
    }),
    supabaseAuth: supabase.auth,
    webhooks: network.webhooks,
    shopWebhooks: new Hono(),
    pictures: network.pictureFiles,
    sandbox: network.sandbox,
    shopStandIns: undefined,
    spaDirectory: '/missing',
    sourceMaps: false,
    operations: noOperations,
    connectTo: [],
  })
})
afterAll(() => database.close())

test('the guard table lists exactly the routes of the server', () => {
  expect(routesOf(app).sort()).toEqual(Object.keys(guards).sort())
})

test.each(Object.keys(guards).filter((route) => guards[route] === 'api key'))(
  '%s accepts no token of staff',
  async (route) => {
    const { productToken, providerToken } = await sharedStaff(permissions)
    for (const token of [productToken, providerToken, null]) expect((await call(route, token, {})).status).toBe(401)
  },
)

describe.each(Object.entries(guards).filter(([, guard]) => isGuarded(guard)))('%s', (route, guard) => {
  if (!isGuarded(guard)) return
  const isProvider = 'provider' in guard
  const body = 'body' in guard ? guard.body : undefined

  test('rejects a missing token and every kind of invalid token', async () => {
    const person = await sharedStaff(permissions)
    const [good, other, signingKey] = isProvider
      ? [person.providerToken, person.productToken, providerKey]
      : [person.productToken, person.providerToken, key]
    const { "the other issuer's": others, ...alwaysBad } = await badTokens(good, other, signingKey)
    const bad: Record<string, string> =
      'takesProviderToken' in guard ? alwaysBad : { ...alwaysBad, "the other issuer's": others ?? '' }
    const answers = await Promise.all(
      Object.entries(bad).map(async ([kind, token]) => [kind, (await call(route, token, body)).status]),
    )
    expect((await call(route, null, body)).status).toBe(401)
    expect(answers).toEqual(Object.keys(bad).map((kind) => [kind, isProvider ? guard.provider : 401]))
  })

  test('rejects a token of an ended session', async () => {
    const person = await endedStaff()
    const { status } = await call(route, isProvider ? person.providerToken : person.productToken, body)
    // Logging out is idempotent.
    expect(status).toBe(isProvider ? guard.provider : route === 'POST /api/auth/logout' ? 200 : 401)
  })

  if (!('staff' in guard)) return
  const { staff: permission } = guard

  if (permission !== null) {
    test(`rejects staff with all permissions except ${permission} with 403`, async () => {
      const { productToken } = await sharedStaff(permissions.filter((other) => other !== permission))
      const { status, text } = await call(route, productToken, body)
      expect([status, JSON.parse(text)]).toEqual([
        403,
        {
          success: false,
          error: `Missing permission: ${permission}`,
          requiredPermission: permission,
          details: { requiredPermission: permission },
        },
      ])
    })
  }

  test('accepts staff with only the required permission', async () => {
    // A route for any staff may change the person, as `POST /api/auth/logout` does.
    const { productToken } = await (permission === null ? createStaff([]) : sharedStaff([permission]))
    const before = calls.count
    const { status, text } = await call(route, productToken, body)
    expect([401, 403]).not.toContain(status)
    // A missing or failing route would let nobody in. The services of this test fail, but only once they are reached.
    if (status === 404) expect(JSON.parse(text)).toMatchObject({ success: false })
    if (status >= 500) expect(calls.count, text).toBe(before + 1)
  })
})
