import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { limits } from '../../../src/domain/limits.ts'
import type { OfferedPage } from '../../../src/schemas/facebook-login.ts'
import { pageLimits } from '../../../src/schemas/page.ts'
import type { AuditActor } from '../../audit/audit.ts'
import type { Clock } from '../../clock.ts'
import type { Db } from '../../database/database.ts'
import { seal, unseal } from '../../sealing.ts'
import type { DerivedKeys } from '../../secrets.ts'
import type { Graph } from '../graph/graph.ts'
import { GraphError } from '../graph/graph-error.ts'
import { type ManagedPage, managedPage } from '../graph/graph-shapes.ts'
import { PageRefused } from '../graph/page-refusals.ts'
import type { PageManagement } from './page-management.ts'

export type FacebookLogin = ReturnType<typeof createFacebookLogin>

const loginLifetime = limits.facebookLoginLifetime

/** The page of the client that the network returns to (public/facebook-login.html). */
const returnPath = '/facebook-login.html'

/** What connecting a page, storing its messages and receiving its webhooks needs. */
export const neededScopes = ['pages_show_list', 'pages_messaging', 'pages_manage_metadata'] as const

/** A token that lives longer, in seconds, is a long-lived one already. */
const longLived = 24 * 60 * 60

const sealedPages = z.array(managedPage)

/**
 * Facebook Login for Business: connects pages without pasting tokens. The code of a login and all tokens stay on the
 * server; a pending login belongs to one session, and its code is accepted once. Refusals are PageRefused.
 */
export function createFacebookLogin({
  db,
  graph,
  management,
  keys,
  account,
  clock,
}: {
  db: Db
  graph: Pick<Graph, 'exchangeCode' | 'exchangeToken' | 'debugToken' | 'managedPages'>
  management: Pick<PageManagement, 'create'>
  keys: DerivedKeys
  account: {
    appId: string
    /** The app's own token. */
    appToken: string
    configId: string
    /** The version of the network's API. */
    version: string
    /** Where people sign in, without a slash at its end. `origin` is where the pages of the client were opened. */
    dialogUrl: (origin: string) => string
    /** The address of the pages. */
    pagesUrl: (origin: string) => string
  }
  clock: Pick<Clock, 'now'>
}) {
  const { appId, appToken, configId, version } = account

  /** The login of this session whose code was exchanged. */
  async function findOffered(state: string, sessionId: string): Promise<ManagedPage[]> {
    const hash = hashOf(state)
    const login = await db
      .selectFrom('facebook_logins')
      .select('pages_encrypted')
      .where('state_hash', '=', hash)
      .where('session_id', '=', sessionId)
      .where('expires_at', '>', new Date(clock.now()))
      .executeTakeFirst()
    const pages = login?.pages_encrypted == null ? null : unseal(keys, login.pages_encrypted, { context: hash })
    if (pages === null) throw loginOver()
    return sealedPages.parse(JSON.parse(pages))
  }

  /** Ends the pending login of this state, so that its code is accepted once. Null if there is none. */
  const takePending = (hash: string, sessionId: string) =>
    db
      .updateTable('facebook_logins')
      .set({ used_at: new Date(clock.now()) })
      .where('state_hash', '=', hash)
      .where('session_id', '=', sessionId)
      .where('used_at', 'is', null)
      .where('expires_at', '>', new Date(clock.now()))
      .returning(['verifier_encrypted', 'redirect_uri'])
      .executeTakeFirst()

  async function longLivedToken(exchange: { code: string; redirectUri: string; verifier: string }): Promise<string> {
    const { access_token: token, expires_in: seconds } = await graph
      .exchangeCode({ appId, ...exchange })
      .catch((error: unknown) => {
        throw error instanceof GraphError && !error.uncertain ? codeRefused() : error
      })
    if (seconds == null || seconds > longLived) return token
    return (await graph.exchangeToken({ appId, token })).access_token
  }

  return {
    /** Begins a login: returns its state, and the address of the network's dialog. */
    async begin({ sessionId, origin }: { sessionId: string; origin: string }) {
      const state = randomBytes(32).toString('base64url')
      const verifier = randomBytes(32).toString('base64url')
      const hash = hashOf(state)
      const redirectUri = `${account.pagesUrl(origin)}${returnPath}`
      await db
        .insertInto('facebook_logins')
        .values({
          state_hash: hash,
          session_id: sessionId,
          verifier_encrypted: seal(keys, verifier, { context: hash }),
          redirect_uri: redirectUri,
          expires_at: new Date(clock.now() + loginLifetime),
        })
        .execute()
      const address = new URL(`${account.dialogUrl(origin)}/${version}/dialog/oauth`)
      address.search = new URLSearchParams({
        client_id: appId,
        redirect_uri: redirectUri,
        state,
        response_type: 'code',
        override_default_response_type: 'true',
        config_id: configId,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
      }).toString()
      return { state, address: address.href }
    },

    /**
     * Exchanges the code of a login and returns the pages that the person may connect. Throws GraphError, and PageRefused
     * if the login is over, its code was refused or a permission was not given.
     */
    async complete({ state, code }: { state: string; code: string }, sessionId: string): Promise<OfferedPage[]> {
      const hash = hashOf(state)
      const pending = await takePending(hash, sessionId)
      const verifier = pending === undefined ? null : unseal(keys, pending.verifier_encrypted, { context: hash })
      if (pending === undefined || verifier === null) throw loginOver()
      const token = await longLivedToken({ code, redirectUri: pending.redirect_uri, verifier })
      const { scopes } = await graph.debugToken(appToken, token)
      const missing = scopes ? neededScopes.filter((scope) => !scopes.includes(scope)) : []
      if (missing.length > 0) throw permissionsMissing(missing)
      const pages = await graph.managedPages(token)
      await db
        .updateTable('facebook_logins')
        .set({
          pages_encrypted: seal(keys, JSON.stringify(pages), { context: hash }),
          expires_at: new Date(clock.now() + loginLifetime),
        })
        .where('state_hash', '=', hash)
        .execute()
      const connected = await db
        .selectFrom('pages')
        .select('page_id')
        .where(sql<boolean>`page_id = any(${pages.map((page) => page.id)}::text[])`)
        .execute()
      const connectedIds = new Set(connected.map(({ page_id }) => page_id))
      return pages.map(({ access_token: _, instagram_business_account: instagram, ...page }) => ({
        ...page,
        instagram_username: instagram?.username ?? null,
        is_connected: connectedIds.has(page.id),
      }))
    },

    /** Connects one of the pages of a completed login, as a pasted token does. Throws GraphError and PageRefused. */
    async connect({ state, pageId }: { state: string; pageId: string }, sessionId: string, by: AuditActor) {
      const page = (await findOffered(state, sessionId)).find(({ id }) => id === pageId)
      if (page === undefined) throw notOffered()
      const name = page.name.trim().slice(0, pageLimits.name) || page.id
      return management.create({ name, token: page.access_token, isActive: true }, by)
    },
  }
}

/** Only the hash is stored, so that a copy of the database completes no login. */
const hashOf = (state: string) => createHash('sha256').update(state).digest('base64url')

const loginOver = () =>
  new PageRefused({
    status: 410,
    code: 'LOGIN_OVER',
    text: 'This sign-in with Facebook has expired or was used already. Please start again.',
  })

const codeRefused = () =>
  new PageRefused({
    status: 422,
    code: 'LOGIN_REFUSED',
    text: 'Facebook did not confirm this sign-in. Please start again.',
  })

const permissionsMissing = (scopes: readonly string[]) =>
  new PageRefused({
    status: 422,
    code: 'LOGIN_PERMISSIONS_MISSING',
    text: `Facebook did not give the inbox every permission that it needs. Start again and allow ${scopes.join(', ')}.`,
  })

const notOffered = () =>
  new PageRefused({
    status: 422,
    code: 'PAGE_NOT_OFFERED',
    text: 'Facebook did not give the inbox access to this page. Start again and choose it there.',
  })
