import { createHash, randomBytes } from 'node:crypto'
import { type Context, Hono } from 'hono'
import { html } from 'hono/html'
import * as z from 'zod/mini'
import type { Clock } from '../../clock.ts'
import { neededScopes } from '../../network/pages/facebook-login.ts'
import { sameSecret } from '../../network/webhooks/signature.ts'
import { refusals } from './refusals.ts'
import type { SandboxDb } from './tables.ts'
import { type SeededPage, sandboxToken } from './world.ts'

/** Pages of the sandbox that only a login connects: the first fill does not. */
export const furtherPages: readonly SeededPage[] = [
  {
    page_id: '104200000000105',
    name: 'Ilaw Signage Quezon City',
    username: 'ilawsignageqc',
    category: 'Sign Maker',
    trade: 'prints',
    instagram_id: '17841400000000105',
    instagram_username: 'ilaw.signage',
    picture_seed: 52,
  },
  {
    page_id: '104200000000106',
    name: 'Merienda sa Kanto',
    username: 'meriendasakanto',
    category: 'Caterer',
    trade: 'catering',
    instagram_id: null,
    instagram_username: null,
    picture_seed: 63,
  },
]

const codeLifetime = 10 * 60_000
const hour = 60 * 60

const dialogQuery = z.object({
  client_id: z.string(),
  redirect_uri: z.url({ protocol: /^https?$/ }),
  state: z.string(),
  response_type: z.literal('code'),
  config_id: z.string(),
  code_challenge: z.string(),
  code_challenge_method: z.literal('S256'),
})
const exchangeQuery = z.object({ redirect_uri: z.string(), code: z.string(), code_verifier: z.string() })

const newToken = () => `EAASandboxPerson${randomBytes(24).toString('base64url')}`

/**
 * The login of the sandbox: the dialog where a person chooses pages and permissions, the exchange of its code, and the
 * pages of the person.
 */
export function createLoginRoutes({
  db,
  clock,
  appId,
  appSecret,
  tokenKey,
  tokenOf,
}: {
  db: SandboxDb
  clock: Clock
  appId: string
  appSecret: string
  /** The tokens of pages are derived from it. */
  tokenKey: Uint8Array
  /** The token of a request. Throws SandboxRefusal if there is none. */
  tokenOf: (c: Context) => string
}): Hono {
  const readQuery = (c: Context) => {
    const query = dialogQuery.safeParse(c.req.query())
    return query.success && query.data.client_id === appId ? query.data : null
  }
  const refusedDialog = (c: Context) => c.text('The sandbox does not know this app, or the address is incomplete.', 400)

  function returnTo(c: Context, redirectUri: string, parameters: Record<string, string>) {
    const address = new URL(redirectUri)
    for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value)
    return c.redirect(address.href)
  }

  async function addFurtherPages(): Promise<void> {
    await db
      .insertInto('sandbox.pages')
      .values(furtherPages.map((page) => ({ ...page, access_token: sandboxToken(tokenKey, page.page_id) })))
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }

  return new Hono()
    .get('/:version/dialog/oauth', async (c) => {
      const query = readQuery(c)
      if (query === null) return refusedDialog(c)
      await addFurtherPages()
      const pages = await db.selectFrom('sandbox.pages').select(['page_id', 'name']).orderBy('page_id').execute()
      const checkbox = (name: string, value: string, label: string) =>
        html`<p><label><input type="checkbox" name="${name}" value="${value}" checked> ${label}</label></p>`
      return c.html(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Sandbox login</title>
<style>body { font: 16px/1.5 sans-serif; margin: 2rem auto; max-width: 30rem; padding: 0 1rem } fieldset { margin-block: 1rem }</style>
</head>
<body>
<main>
<h1>Sandbox login</h1>
<p>This page stands for the login of the network. Staff Inbox asks for access to your pages.</p>
<form action="oauth/decision">
${Object.entries(query).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)}
<fieldset><legend>Pages</legend>${pages.map(({ page_id, name }) => checkbox('page', page_id, name))}</fieldset>
<fieldset><legend>Permissions</legend>${neededScopes.map((scope) => checkbox('scope', scope, scope))}</fieldset>
<p><button name="decision" value="allow">Continue</button> <button name="decision" value="cancel">Cancel</button></p>
</form>
</main>
</body>
</html>`)
    })

    .get('/:version/dialog/oauth/decision', async (c) => {
      const query = readQuery(c)
      if (query === null) return refusedDialog(c)
      const { state, redirect_uri: redirectUri, code_challenge: challenge } = query
      if (c.req.query('decision') !== 'allow') {
        return returnTo(c, redirectUri, {
          state,
          error: 'access_denied',
          error_reason: 'user_denied',
          error_description: 'Permissions error',
        })
      }
      const code = randomBytes(24).toString('base64url')
      await db
        .insertInto('sandbox.logins')
        .values({
          code,
          redirect_uri: redirectUri,
          challenge,
          page_ids: (c.req.queries('page') ?? []).join(),
          scopes: (c.req.queries('scope') ?? []).join(),
          expires_at: new Date(clock.now() + codeLifetime),
        })
        .execute()
      return returnTo(c, redirectUri, { state, code })
    })

    .get('/:version/oauth/access_token', async (c) => {
      if (c.req.query('client_id') !== appId || !sameSecret(c.req.query('client_secret') ?? '', appSecret)) {
        throw refusals.badParameter('Error validating client secret.')
      }
      if (c.req.query('grant_type') === 'fb_exchange_token') {
        const token = newToken()
        const renewed = await db
          .updateTable('sandbox.logins')
          .set({ access_token: token })
          .where('access_token', '=', c.req.query('fb_exchange_token') ?? '')
          .returning('code')
          .executeTakeFirst()
        if (!renewed) throw refusals.badToken()
        return c.json({ access_token: token, token_type: 'bearer', expires_in: 60 * 24 * hour })
      }
      const { code, redirect_uri: redirectUri, code_verifier: verifier } = exchangeQuery.parse(c.req.query())
      const token = newToken()
      // A code is accepted once.
      const login = await db
        .updateTable('sandbox.logins')
        .set({ access_token: token })
        .where('code', '=', code)
        .where('access_token', 'is', null)
        .where('expires_at', '>', new Date(clock.now()))
        .returning(['redirect_uri', 'challenge'])
        .executeTakeFirst()
      if (!login) throw refusals.badParameter('This authorization code has been used or has expired.')
      if (login.redirect_uri !== redirectUri) {
        throw refusals.badParameter('The redirect_uri is not identical to the one in the dialog.')
      }
      if (createHash('sha256').update(verifier).digest('base64url') !== login.challenge) {
        throw refusals.badParameter('The code_verifier does not match the code_challenge.')
      }
      return c.json({ access_token: token, token_type: 'bearer', expires_in: 2 * hour })
    })

    .get('/:version/me/accounts', async (c) => {
      const login = await db
        .selectFrom('sandbox.logins')
        .select('page_ids')
        .where('access_token', '=', tokenOf(c))
        .executeTakeFirst()
      if (!login) throw refusals.badToken()
      const pages = await db
        .selectFrom('sandbox.pages')
        .selectAll()
        .where('page_id', 'in', login.page_ids.split(','))
        .orderBy('page_id')
        .execute()
      return c.json({
        data: pages.map(({ page_id, name, username, category, access_token, instagram_id, instagram_username }) => ({
          id: page_id,
          name,
          username,
          category,
          access_token,
          ...(instagram_id === null
            ? {}
            : { instagram_business_account: { id: instagram_id, username: instagram_username } }),
        })),
        ...(pages.length === 0 ? {} : { paging: { cursors: { before: 'MA==', after: 'MA==' } } }),
      })
    })
}
