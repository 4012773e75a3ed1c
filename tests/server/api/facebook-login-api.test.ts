import { Hono } from 'hono'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createFacebookLoginRoutes } from '../../../server/api/facebook-login.ts'
import type { Role } from '../../../server/auth/roles.ts'
import { systemClock } from '../../../server/clock.ts'
import { GraphError } from '../../../server/network/graph/graph-error.ts'
import { furtherPages } from '../../../server/stand-ins/sandbox/login.ts'
import { describeOnDatabase } from '../databases.ts'
import { appId, prints } from '../network-harness.ts'
import { openPageHarness, type PageHarness } from '../page-harness.ts'
import { signIn } from '../sign-in.ts'

const minute = 60_000
const [ilaw, merienda] = furtherPages.map(({ page_id }) => page_id) as [string, string]
const scopes = ['pages_show_list', 'pages_messaging', 'pages_manage_metadata']
const over = {
  status: 410,
  body: {
    success: false,
    error: 'This sign-in with Facebook has expired or was used already. Please start again.',
    code: 'LOGIN_OVER',
  },
}

describeOnDatabase('The Facebook login', (open) => {
  let harness: PageHarness

  beforeAll(async () => {
    harness = await openPageHarness(await open())
  })
  afterAll(() => harness.close())
  beforeEach(async () => {
    await harness.db.deleteFrom('attempts').execute()
  })

  const post = async (path: string, body?: object, role: Role = 'administrator') => {
    const answer = await harness.as(role, 'POST', path, body)
    return { status: answer.status, body: answer.body }
  }
  async function begin() {
    const { body } = await post('/logins')
    return body['data'] as { state: string; address: string }
  }
  /** Chooses in the dialog of the network as a person does, and returns what the network tells the browser. */
  async function choose(address: string, { pages = [ilaw], allowed = scopes, decision = 'allow' } = {}) {
    const url = new URL(address)
    const dialog = await fetch(url)
    const decided = new URL(`${url.origin}${url.pathname}/decision${url.search}`)
    for (const page of pages) decided.searchParams.append('page', page)
    for (const scope of allowed) decided.searchParams.append('scope', scope)
    decided.searchParams.set('decision', decision)
    const answer = await fetch(decided, { redirect: 'manual' })
    const target = new URL(answer.headers.get('location') ?? '')
    return { dialog: await dialog.text(), target, code: target.searchParams.get('code') ?? '' }
  }
  async function login(choice: Parameters<typeof choose>[1] = {}) {
    const { state, address } = await begin()
    const { code } = await choose(address, choice)
    return { state, code, completed: await post('/logins/complete', { state, code }) }
  }
  const offered = (id: string, isConnected: boolean) => {
    const page = furtherPages.find(({ page_id }) => page_id === id)
    return {
      id,
      name: page?.name,
      username: page?.username,
      category: page?.category,
      instagram_username: page?.instagram_username,
      is_connected: isConnected,
    }
  }
  const connect = (state: string, pageId: string, role?: Role) =>
    post('/logins/connect', { state, page_id: pageId }, role)

  it('connects several pages, each as a pasted token does', async () => {
    const { state, address } = await begin()
    const url = new URL(address)
    const { state: _, code_challenge: challenge, ...parameters } = Object.fromEntries(url.searchParams)
    expect([url.pathname, parameters]).toEqual([
      '/sandbox/v26.0/dialog/oauth',
      {
        client_id: appId,
        redirect_uri: 'http://localhost/facebook-login.html',
        response_type: 'code',
        override_default_response_type: 'true',
        config_id: 'configuration',
        code_challenge_method: 'S256',
      },
    ])
    expect(challenge).toHaveLength(43)
    const { dialog, target, code } = await choose(address, { pages: [ilaw, merienda] })
    expect(dialog).toContain('Ilaw Signage Quezon City')
    expect([target.pathname, target.searchParams.get('state')]).toEqual(['/facebook-login.html', state])

    expect(await post('/logins/complete', { state, code })).toEqual({
      status: 200,
      body: { success: true, data: { pages: [offered(ilaw, false), offered(merienda, false)] } },
    })
    const pasted = await post('/pages', { page_name: 'Prints', page_access_token: harness.tokenOf(prints) })
    const answers = [await connect(state, ilaw), await connect(state, merienda)]
    expect(answers.map(({ status, body }) => [status, Object.keys(body['data'] as object)])).toEqual(
      answers.map(() => [200, Object.keys(pasted.body['data'] as object)]),
    )
    const network = await harness.control<{ page_id: string; subscribed: boolean }[]>('GET', '/pages')
    const rows = await harness.db
      .selectFrom('pages')
      .selectAll()
      .where('page_id', '!=', prints)
      .orderBy('page_id')
      .execute()
    expect(
      rows.map((row) => ({
        name: row.page_name,
        instagram: row.instagram_id,
        token:
          harness.pageTokens.decrypt(row.page_id, row.page_access_token_encrypted) === harness.tokenOf(row.page_id),
        subscribed: network.find(({ page_id }) => page_id === row.page_id)?.subscribed,
      })),
    ).toEqual([
      { name: 'Ilaw Signage Quezon City', instagram: '17841400000000105', token: true, subscribed: true },
      { name: 'Merienda sa Kanto', instagram: null, token: true, subscribed: true },
    ])
    const entries = await harness.db
      .selectFrom('audit_entries')
      .select(['action', 'row_id', 'staff_name', 'details'])
      .orderBy('id')
      .execute()
    const entry = { action: 'page.connected', staff_name: 'Ana Reyes' }
    expect(entries).toEqual([
      { ...entry, row_id: prints, details: { name: 'Prints' } },
      { ...entry, row_id: ilaw, details: { name: 'Ilaw Signage Quezon City' } },
      { ...entry, row_id: merienda, details: { name: 'Merienda sa Kanto' } },
    ])

    expect((await login()).completed.body).toEqual({ success: true, data: { pages: [offered(ilaw, true)] } })
    expect(await connect(state, ilaw)).toEqual({
      status: 409,
      body: {
        success: false,
        error: 'Ilaw Signage Quezon City is connected already. Edit it in the list to give it a new token.',
        code: 'PAGE_EXISTS',
      },
    })
  })

  it('stores and answers no state, code or token in plain text', async () => {
    const { state, code, completed } = await login({ pages: [ilaw, merienda] })
    const stored = JSON.stringify(await harness.db.selectFrom('facebook_logins').selectAll().execute())
    const secrets = [state, code, harness.tokenOf(ilaw), 'EAASandbox']
    expect(secrets.filter((secret) => stored.includes(secret))).toEqual([])
    expect(secrets.filter((secret) => JSON.stringify(completed.body).includes(secret))).toEqual([])
    expect(secrets.filter((secret) => harness.logged.join().includes(secret))).toEqual([])
  })

  it('accepts a code once', async () => {
    const { state, code, completed } = await login()
    expect([completed.status, await post('/logins/complete', { state, code })]).toEqual([200, over])
  })

  it('accepts a code of two simultaneous calls once', async () => {
    const { state, address } = await begin()
    const { code } = await choose(address)
    const answers = await Promise.all([1, 2].map(() => post('/logins/complete', { state, code })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 410])
  })

  it('belongs to the session that began it', async () => {
    const other = await signIn(harness.db)
    const { state, address } = await begin()
    const { code } = await choose(address)
    const foreign = await harness.first.call(other, 'POST', '/logins/complete', { state, code })
    expect(foreign.status).toBe(410)
    expect((await post('/logins/complete', { state, code })).status).toBe(200)
    const connected = await harness.first.call(other, 'POST', '/logins/connect', { state, page_id: ilaw })
    expect(connected.status).toBe(410)
  })

  it('expires after ten minutes, before and after the code', async () => {
    const begun = await begin()
    const { code } = await choose(begun.address)
    const completed = await login()
    harness.clock.advance(9 * minute)
    expect((await connect(completed.state, prints)).status).toBe(422)
    harness.clock.advance(minute)
    expect(await post('/logins/complete', { state: begun.state, code })).toEqual(over)
    expect(await connect(completed.state, ilaw)).toEqual(over)
  })

  it('returns without a code when the person cancels', async () => {
    const { state, address } = await begin()
    const { target } = await choose(address, { decision: 'cancel' })
    expect(Object.fromEntries(target.searchParams)).toMatchObject({ state, error: 'access_denied' })
    expect(target.searchParams.has('code')).toBe(false)
  })

  it('refuses a code that was made for another login', async () => {
    const [own, foreign] = [await begin(), await begin()]
    const { code } = await choose(foreign.address)
    expect(await post('/logins/complete', { state: own.state, code })).toEqual({
      status: 422,
      body: {
        success: false,
        error: 'Facebook did not confirm this sign-in. Please start again.',
        code: 'LOGIN_REFUSED',
      },
    })
  })

  it('names the permissions that the person did not give', async () => {
    const { completed } = await login({ allowed: ['pages_show_list'] })
    expect(completed).toEqual({
      status: 422,
      body: {
        success: false,
        error:
          'Facebook did not give the inbox every permission that it needs. Start again and allow pages_messaging, pages_manage_metadata.',
        code: 'LOGIN_PERMISSIONS_MISSING',
      },
    })
  })

  it('offers nothing if the person chose no page, and connects no other page', async () => {
    const { state, completed } = await login({ pages: [] })
    expect(completed.body).toEqual({ success: true, data: { pages: [] } })
    expect(await connect(state, merienda)).toMatchObject({ status: 422, body: { code: 'PAGE_NOT_OFFERED' } })
  })

  it('answers 504 if the network does not', async () => {
    const { graph } = harness
    const exchange = graph.exchangeToken
    graph.exchangeToken = () => Promise.reject(GraphError.unanswered('exchange_token', 'none'))
    const { completed } = await login()
    graph.exchangeToken = exchange
    expect(completed).toMatchObject({ status: 504, body: { code: 'NO_ANSWER' } })
  })

  it('limits how many logins a person begins', async () => {
    const statuses: number[] = []
    for (let count = 0; count < 21; count += 1) statuses.push((await post('/logins')).status)
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 200), 429])
  })

  it('refuses an agent, and a server that is not set up', async () => {
    expect((await post('/logins', undefined, 'agent')).status).toBe(403)
    const routes = createFacebookLoginRoutes({ db: harness.db, facebookLogin: null, clock: systemClock })
    const app = new Hono<{ Variables: { staff: unknown } }>()
      .use((c, next) => {
        c.set('staff', { permissions: ['pages.manage'] })
        return next()
      })
      .route('/', routes as never)
    const answers = []
    for (const [path, body] of [
      ['/logins', undefined],
      ['/logins/complete', { state: 's', code: 'c' }],
      ['/logins/connect', { state: 's', page_id: 'p' }],
    ] as const) {
      const init =
        body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
      answers.push(await (await app.request(path, { method: 'POST', ...init })).json())
    }
    const refusal = { success: false, error: 'This server is not set up for Facebook Login. Paste a token instead.' }
    expect(answers).toEqual([refusal, refusal, refusal])
  })
})
